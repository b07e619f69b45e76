"""Paths: with and without /rest, unknown paths, and the health check."""

from __future__ import annotations

import httpx
import pytest

from service.areas import modules_of_areas
from tests.running_service import RunningService
from tests.service.filters import create_filter
from tests.service.trips import trip

CRITERIA = {"fieldName": "pnr", "fieldValues": ["WSVM7K"]}


@pytest.mark.parametrize("prefix", ["", "/rest"])
def test_every_path_works_with_and_without_rest(service: RunningService, prefix: str) -> None:
    """The seven endpoints under both."""
    http = service.http
    first = http.post(f"{prefix}/itineraries/8800", json=trip()).json()["id"]
    assert http.put(f"{prefix}/itineraries/8800/{first}", json=trip()).status_code == 200
    assert http.post(f"{prefix}/itineraries/query/8800", json=CRITERIA).json()["totalCount"] == 1
    assert http.get(f"{prefix}/itineraries/expectedLocations/8800/{first}").status_code == 200
    assert http.delete(f"{prefix}/itineraries/8800/{first}").status_code == 200
    [second] = http.post(f"{prefix}/itineraries/8800/batch", json=[trip()]).json()["data"]
    deletion = http.request("DELETE", f"{prefix}/itineraries/8800/batch", json=[int(second)])
    assert deletion.json() == {"message": "OK", "code": 100}


@pytest.mark.parametrize("path", ["/", "/rest", "/rest/", "/restitineraries/8800", "/rest/rest/itineraries/8800", "/x"])
def test_an_unknown_path_is_404(service: RunningService, path: str) -> None:
    """Unknown paths have the error envelope too."""
    answer = service.http.post(path, json=trip())
    assert (answer.status_code, answer.json()) == (404, {"status": 404, "message": "Not Found"})


def test_an_unknown_method_is_refused(service: RunningService) -> None:
    """The interface has no way to read a complete itinerary."""
    answer = service.http.get("/itineraries/8800/1")
    assert (answer.status_code, answer.json()) == (405, {"status": 405, "message": "Method Not Allowed"})


@pytest.mark.parametrize("path", ["/healthz", "/rest/healthz"])
def test_health_needs_no_credentials(service: RunningService, path: str) -> None:
    """Deployment checks use it."""
    answer = httpx.get(service.url + path, trust_env=False)
    assert (answer.status_code, answer.text) == (200, "ok")


def test_links_use_the_address_of_the_request(service: RunningService) -> None:
    """baseUri is made from the Host header."""
    answer = service.http.post("/itineraries/8800", json=trip(), headers={"Host": "travel.example:1234"})
    assert answer.json()["baseUri"] == "http://travel.example:1234/rest/itineraries/8800/"


@pytest.mark.parametrize("prefix", ["", "/rest"])
def test_a_trailing_slash_changes_nothing(service: RunningService, prefix: str) -> None:
    """Every method of every path, without credentials."""
    compared = 0
    with httpx.Client(base_url=service.url, trust_env=False) as http:
        for path, operations in http.get("/openapi.json").json()["paths"].items():
            full_path = prefix + path.replace("{", "").replace("}", "")
            for method in operations:
                bare, closed = (http.request(method, full_path + end, params={"pageNumber": 1}) for end in ("", "/"))
                assert (bare.status_code, bare.content) == (closed.status_code, closed.content), closed.url
                assert "Not Found" not in closed.text
                compared += 1
    routes = [route for area in modules_of_areas("routes") for route in area.router.routes]
    assert compared == sum(len(route.methods) for route in routes if route.include_in_schema)


def test_an_encoded_trailing_slash_belongs_to_the_name(service: RunningService) -> None:
    """%2F is not a path separator."""
    ids = {name: create_filter(service, name=name) for name in ("Sales/", "Sales")}
    for name, path in (("Sales/", "Sales%2F"), ("Sales/", "Sales%2F/"), ("Sales", "Sales/"), ("Sales", "Sales")):
        found = service.http.get(f"/contactFilters/8800/{path}?queryType=name").json()
        assert (found["id"], found["name"]) == (ids[name], name), path


def test_links_use_the_protocol_of_a_local_proxy(service: RunningService) -> None:
    """X-Forwarded-Proto, with the host that the proxy passes on."""
    headers = {"Host": "travel.example", "X-Forwarded-Proto": "https"}
    answer = service.http.post("/itineraries/8800", json=trip(), headers=headers)
    assert answer.json()["baseUri"] == "https://travel.example/rest/itineraries/8800/"


def test_links_ignore_untrusted_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    """FORWARDED_ALLOW_IPS lists the trusted ones."""
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "192.0.2.1")
    with RunningService() as service:
        answer = service.http.post("/itineraries/8800", json=trip(), headers={"X-Forwarded-Proto": "https"})
        assert answer.json()["baseUri"].startswith("http://")


def test_pages_of_other_origins_are_blocked_unless_allowed(service: RunningService) -> None:
    """Off by default: no response lets another origin read it."""
    asks = {"Origin": "https://desk.example.org", "Access-Control-Request-Method": "GET"}
    for answer in (
        service.http.options("/notificationEvents/8800", headers=asks),
        service.http.get("/notificationEvents/8800", headers=asks),
    ):
        assert not [name for name in answer.headers if name.startswith("access-control")]
