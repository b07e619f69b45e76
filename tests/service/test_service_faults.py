"""Injected faults over real connections."""

from __future__ import annotations

import time
from typing import Any

import httpx
import pytest

from tests.running_service import RunningService
from tests.service.trips import trip

PNR = {"fieldName": "pnr", "fieldValues": ["WSVM7K"]}


def faulty(*faults: dict[str, Any]) -> RunningService:
    """Return a service with faults."""
    return RunningService(faults={"fault": list(faults)})


def count_trips(service: RunningService) -> int:
    """Return the number of itineraries with the record locator."""
    return int(service.http.post("/itineraries/query/8800", json=PNR).json()["totalCount"])


def test_latency_is_added_where_the_path_matches() -> None:
    """`latency` of a minute by path pattern; other paths respond earlier."""
    with faulty({"kind": "latency", "milliseconds": 60_000, "path": "/itineraries/expectedLocations/*"}) as service:
        assert service.http.get("/healthz").status_code == 200
        with pytest.raises(httpx.ReadTimeout):
            service.http.get("/rest/itineraries/expectedLocations/8800/1", timeout=0.2)


def test_a_response_can_be_lost_after_the_work() -> None:
    """`drop` after: the caller gets no response, and the itinerary is stored."""
    drop = {"kind": "drop", "path": "/itineraries/8800", "methods": ["POST"], "times": 1}
    with faulty(drop) as service:
        with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
            service.http.post("/itineraries/8800", json=trip())
        assert count_trips(service) == 1
        assert service.http.post("/itineraries/8800", json=trip("OTHER1")).status_code == 200


def test_a_request_can_be_lost_before_the_work() -> None:
    """`drop` before: nothing was stored."""
    with faulty({"kind": "drop", "when": "before", "path": "/itineraries/8800", "times": 1}) as service:
        with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
            service.http.post("/itineraries/8800", json=trip())
        assert count_trips(service) == 0


def test_a_status_can_come_with_retry_after() -> None:
    """`status`: the work is not done; Retry-After is sent if configured."""
    fault = {"kind": "status", "status": 429, "retry_after": 2, "message": "Slow down", "times": 1, "skip": 1}
    with faulty(fault | {"path": "/itineraries/8800"}) as service:
        assert service.http.post("/itineraries/8800", json=trip("OTHER1")).status_code == 200
        answer = service.http.post("/itineraries/8800", json=trip())
        assert (answer.status_code, answer.json()) == (429, {"status": 429, "message": "Slow down"})
        assert answer.headers["retry-after"] == "2"
        assert count_trips(service) == 0
        assert service.http.post("/itineraries/8800", json=trip()).status_code == 200


def test_a_response_can_be_truncated() -> None:
    """`truncate`: fewer bytes than announced."""
    with (
        faulty({"kind": "truncate", "bytes": 10, "path": "/itineraries/query/*"}) as service,
        pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)),
    ):
        service.http.post("/itineraries/query/8800", json=PNR)


def test_faults_are_combined() -> None:
    """Every matching fault applies to a request."""
    with faulty({"kind": "latency", "milliseconds": 100}, {"kind": "status", "status": 503}) as service:
        began = time.monotonic()
        assert service.http.get("/healthz").status_code == 503
        assert time.monotonic() - began >= 0.1
