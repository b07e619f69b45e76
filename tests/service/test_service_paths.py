"""Paths: with and without /rest, what is not there, and the health check."""

from __future__ import annotations

import httpx
import pytest

from tests.running_service import RunningService
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
