"""Each kind of fault over real connections: the response, and whether the work was done."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

from tests.running_service import RunningService
from tests.service.test_service_dynamic_locations import row, to_csv
from tests.service.test_service_lookup_mappings import Api, mapping

LOST = (httpx.RemoteProtocolError, httpx.ReadError)
PATH = "/lookup/8800/mappings"


def faulty(*faults: dict[str, Any]) -> RunningService:
    """Return a service with faults."""
    return RunningService(faults={"fault": list(faults)})


def test_a_429_is_sent_with_and_without_retry_after() -> None:
    """Two faults in turn, then none."""
    limits = [
        {"kind": "status", "status": 429, "path": PATH, "times": 1},
        {"kind": "status", "status": 429, "path": PATH, "times": 1, "skip": 1, "retry_after": 0.5},
    ]
    with faulty(*limits) as service:
        api = Api(service)
        first, second, third = (api("POST", json=mapping()) for _ in range(3))
        assert (first.status_code, first.headers.get("retry-after")) == (429, None)
        assert (second.status_code, second.headers["retry-after"]) == (429, "0.5")
        assert (third.status_code, api.search()["totalCount"]) == (200, 1)


@pytest.mark.parametrize("status", [500, 502, 503])
def test_a_status_fault_replaces_the_work(status: int) -> None:
    """500, 502, 503, by path and method."""
    fault = {"kind": "status", "status": status, "path": "/lookup/*", "methods": ["POST"], "message": "Out of order"}
    with faulty(fault) as service:
        api = Api(service)
        answer = api("POST", json=mapping())
        assert (answer.status_code, answer.json()) == (status, {"status": status, "message": "Out of order"})
        assert api.search()["totalCount"] == 0


@pytest.mark.parametrize(("when", "created_count"), [("before", 0), ("after", 1)])
def test_a_connection_can_be_dropped_before_and_after_the_work(when: str, created_count: int) -> None:
    """The caller cannot distinguish them; the service can."""
    with faulty({"kind": "drop", "when": when, "path": PATH, "times": 1}) as service:
        api = Api(service)
        with pytest.raises(LOST):
            api("POST", json=mapping())
        assert api.search()["totalCount"] == created_count


@pytest.mark.parametrize("when", ["before", "after"])
def test_an_upload_can_be_dropped(when: str) -> None:
    """Multipart bodies are read completely."""
    with faulty({"kind": "drop", "when": when, "path": "/dynamicLocations/*", "methods": ["POST"]}) as service:
        with pytest.raises(LOST):
            service.http.post("/dynamicLocations/8800", files={"file": ("a.csv", to_csv(row()) * 2000)})
        assert service.http.get("/dynamicLocations/8800/1").status_code == (404 if when == "before" else 200)


def test_a_json_response_can_be_truncated_with_and_without_closing() -> None:
    """`truncate`: a response that ends early, or a complete one that is not JSON."""
    cut = {"kind": "truncate", "bytes": 25, "path": f"{PATH}/search", "times": 1}
    with faulty(cut, cut | {"close": False, "skip": 1}) as service:
        api = Api(service)
        with pytest.raises(LOST):
            api("GET", "/search")
        answer = api("GET", "/search")
        assert (answer.status_code, len(answer.content)) == (200, 25)
        assert answer.headers["content-type"] == "application/json"
        with pytest.raises(json.JSONDecodeError):
            answer.json()
        assert api.search()["totalCount"] == 0


@pytest.mark.parametrize(("when", "created_count"), [("before", 0), ("after", 1)])
def test_an_html_error_page_can_replace_the_response(when: str, created_count: int) -> None:
    """`html`: the response of a gateway, instead of the work or after it."""
    with faulty({"kind": "html", "when": when, "path": PATH, "times": 1, "retry_after": 1}) as service:
        api = Api(service)
        answer = api("POST", json=mapping())
        assert (answer.status_code, answer.headers["content-type"]) == (502, "text/html")
        assert answer.headers["retry-after"] == "1"
        assert "<h1>502 Bad Gateway</h1>" in answer.text
        assert api.search()["totalCount"] == created_count


def test_an_html_page_can_have_any_status() -> None:
    """Also 200, like a captive portal."""
    with faulty({"kind": "html", "status": 200}) as service:
        answer = service.http.get("/healthz")
        assert (answer.status_code, answer.text[:6]) == (200, "<html>")


def test_a_fault_rate_hits_the_same_requests_on_every_run() -> None:
    """The rate is seeded: what fails once, fails again."""
    fault = {"kind": "status", "status": 503, "path": "/healthz", "rate": 0.5}

    def statuses() -> list[int]:
        with faulty(fault) as service:
            return [service.http.get("/healthz").status_code for _ in range(12)]

    first = statuses()
    assert statuses() == first
    assert 0 < first.count(503) < 12
