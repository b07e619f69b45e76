"""Paths: with and without /rest, what is not there, and the health check."""

from __future__ import annotations

import httpx
import pytest

from service.areas import modules_of_areas
from tests.running_service import RunningService
from tests.service.filters import stored
from tests.service.trips import trip

CRITERIA = {"fieldName": "pnr", "fieldValues": ["WSVM7K"]}


@pytest.mark.parametrize("prefix", ["", "/rest"])
def test_every_path_is_answered_with_and_without_rest(service: RunningService, prefix: str) -> None:
    """The seven endpoints under both."""
    http = service.http
    first = http.post(f"{prefix}/itineraries/8800", json=trip()).json()["id"]
    assert http.put(f"{prefix}/itineraries/8800/{first}", json=trip()).status_code == 200
    assert http.post(f"{prefix}/itineraries/query/8800", json=CRITERIA).json()["totalCount"] == 1
    assert http.get(f"{prefix}/itineraries/expectedLocations/8800/{first}").status_code == 200
    assert http.delete(f"{prefix}/itineraries/8800/{first}").status_code == 200
    [second] = http.post(f"{prefix}/itineraries/8800/batch", json=[trip()]).json()["data"]
    gone = http.request("DELETE", f"{prefix}/itineraries/8800/batch", json=[int(second)])
    assert gone.json() == {"message": "OK", "code": 100}


@pytest.mark.parametrize("path", ["/", "/rest", "/rest/", "/restitineraries/8800", "/rest/rest/itineraries/8800", "/x"])
def test_what_is_not_there(service: RunningService, path: str) -> None:
    """The error envelope holds for unknown paths too."""
    answer = service.http.post(path, json=trip())
    assert (answer.status_code, answer.json()) == (404, {"status": 404, "message": "Not Found"})


def test_a_method_that_is_not_there(service: RunningService) -> None:
    """The interface shows no way to read a whole itinerary back."""
    answer = service.http.get("/itineraries/8800/1")
    assert (answer.status_code, answer.json()) == (405, {"status": 405, "message": "Method Not Allowed"})


@pytest.mark.parametrize("path", ["/healthz", "/rest/healthz"])
def test_health_needs_no_credentials(service: RunningService, path: str) -> None:
    """For whoever waits for the service to be up."""
    answer = httpx.get(service.url + path, trust_env=False)
    assert (answer.status_code, answer.text) == (200, "ok")


def test_links_follow_the_address_the_caller_used(service: RunningService) -> None:
    """baseUri is made of the Host header."""
    answer = service.http.post("/itineraries/8800", json=trip(), headers={"Host": "travel.example:1234"})
    assert answer.json()["baseUri"] == "http://travel.example:1234/rest/itineraries/8800/"


@pytest.mark.parametrize("prefix", ["", "/rest"])
def test_a_closing_slash_changes_nothing(service: RunningService, prefix: str) -> None:
    """Every method of every path, as those who ask without credentials are answered."""
    asked = 0
    with httpx.Client(base_url=service.url, trust_env=False) as http:
        for path, operations in http.get("/openapi.json").json()["paths"].items():
            said = prefix + path.replace("{", "").replace("}", "")
            for method in operations:
                bare, closed = (http.request(method, said + end, params={"pageNumber": 1}) for end in ("", "/"))
                assert (bare.status_code, bare.content) == (closed.status_code, closed.content), closed.url
                assert "Not Found" not in closed.text
                asked += 1
    routes = [route for area in modules_of_areas("routes") for route in area.router.routes]
    assert asked == sum(len(route.methods) for route in routes if route.include_in_schema)


def test_a_slash_that_closes_a_name_is_of_the_name(service: RunningService) -> None:
    """Sent as %2F it is no part of the path."""
    made = {name: stored(service, name=name) for name in ("Sales/", "Sales")}
    for name, path in (("Sales/", "Sales%2F"), ("Sales/", "Sales%2F/"), ("Sales", "Sales/"), ("Sales", "Sales")):
        found = service.http.get(f"/contactFilters/8800/{path}?queryType=name").json()
        assert (found["id"], found["name"]) == (made[name], name), path


def test_links_follow_the_protocol_that_a_proxy_on_this_machine_tells(service: RunningService) -> None:
    """X-Forwarded-Proto, beside the host that the proxy passes on."""
    headers = {"Host": "travel.example", "X-Forwarded-Proto": "https"}
    answer = service.http.post("/itineraries/8800", json=trip(), headers=headers)
    assert answer.json()["baseUri"] == "https://travel.example/rest/itineraries/8800/"


def test_links_do_not_follow_just_anyone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is believed is in FORWARDED_ALLOW_IPS."""
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "192.0.2.1")
    with RunningService() as service:
        answer = service.http.post("/itineraries/8800", json=trip(), headers={"X-Forwarded-Proto": "https"})
        assert answer.json()["baseUri"].startswith("http://")


def test_pages_of_other_hosts_are_kept_out_unless_they_are_named(service: RunningService) -> None:
    """Off by default: no answer lets another origin read it."""
    asks = {"Origin": "https://desk.example.org", "Access-Control-Request-Method": "GET"}
    for answer in (
        service.http.options("/notificationEvents/8800", headers=asks),
        service.http.get("/notificationEvents/8800", headers=asks),
    ):
        assert not [name for name in answer.headers if name.startswith("access-control")]
