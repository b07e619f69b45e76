"""Notification events: list, one, create."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.running_service import RunningService
from tests.service.filters import assert_field_refused

RECORD = {
    "id",
    "name",
    "createdName",
    "createdId",
    "createdDate",
    "lastModifiedId",
    "lastModifiedName",
    "lastModifiedDate",
    "accountId",
    "status",
    "resourceBundleId",
    "organizationId",
}
"""Notification event and notification category: the fields of both records."""


def test_create_returns_a_modification_result(service: RunningService) -> None:
    """POST `/notificationEvents/{organizationId}`: a full modification result."""
    answer = service.http.post("/notificationEvents/8800", json={"name": "Storm"})
    base = f"{service.url}/rest/notificationEvents/8800/"
    assert answer.status_code == 200
    identity = answer.json()["id"]
    assert answer.json() == {"message": "OK", "id": identity, "baseUri": base, "instanceUri": f"{base}{identity}"}


def test_one_event_is_returned_in_an_envelope(service: RunningService) -> None:
    """GET `/notificationEvents/{organizationId}/{notificationEventId}`: `message`, `result` with every field."""
    identity = service.http.post("/notificationEvents/8800", json={"name": " Storm "}).json()["id"]
    answer = service.http.get(f"/notificationEvents/8800/{identity}").json()
    assert set(answer) == {"message", "result"}
    assert set(answer["result"]) == RECORD
    assert {"id": identity, "name": "Storm", "status": "A", "organizationId": 8800}.items() <= answer["result"].items()
    assert all(type(answer["result"][name]) is int for name in RECORD if name.endswith(("Id", "Date", "id")))
    assert len(str(answer["result"]["createdDate"])) == 13


def test_all_events_are_on_one_page(service: RunningService) -> None:
    """GET `/notificationEvents/{organizationId}`: the envelope without links; no paging parameters."""
    empty = service.http.get("/notificationEvents/8800").json()
    counts = {"start": 0, "totalCount": 0, "totalPageCount": 0, "currentPageNo": 1}
    assert empty == {"message": "OK", "page": {"pageSize": 0, "data": [], **counts}}
    for number in range(25):
        service.http.post("/notificationEvents/8800", json={"name": f"Event {number}"})
    answer = service.http.get("/notificationEvents/8800").json()
    assert set(answer) == {"message", "page"}
    assert set(answer["page"]) == {"pageSize", "start", "data", "totalCount", "totalPageCount", "currentPageNo"}
    assert [item["name"] for item in answer["page"]["data"]] == [f"Event {number}" for number in range(25)]
    assert (answer["page"]["totalCount"], answer["page"]["totalPageCount"]) == (25, 1)
    single = service.http.get(f"/notificationEvents/8800/{answer['page']['data'][7]['id']}").json()["result"]
    assert single == answer["page"]["data"][7]


@pytest.mark.parametrize("body", [{}, {"name": None}, {"name": ""}, {"name": "  "}, {"name": 5}, {"name": "x" * 256}])
def test_the_name_is_required(service: RunningService, body: dict[str, Any]) -> None:
    """NotificationEventWrapper: `name` is the only required field."""
    assert_field_refused(service.http.post("/notificationEvents/8800", json=body), "name")


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b'"Storm"'])
def test_a_body_that_is_not_an_object_is_refused(service: RunningService, content: bytes) -> None:
    """NotificationEventWrapper."""
    assert service.http.post("/notificationEvents/8800", content=content).status_code == 400


def test_fields_of_the_service_are_ignored(service: RunningService) -> None:
    """A caller sets only `name`."""
    claimed = {"name": "Storm", "id": 99, "status": "X", "organizationId": 9900, "createdName": "Somebody"}
    identity = service.http.post("/notificationEvents/8800", json=claimed).json()["id"]
    found = service.http.get(f"/notificationEvents/8800/{identity}").json()["result"]
    assert (found["status"], found["organizationId"], found["createdName"]) == ("A", 8800, "Ana Silva")


def test_names_are_unique(service: RunningService) -> None:
    """In an organization, case-sensitive; also for concurrent requests."""
    with ThreadPoolExecutor(8) as threads:
        answers = list(
            threads.map(
                lambda _: service.http.post("/notificationEvents/8800", json={"name": "Storm"}).status_code, range(8)
            )
        )
    assert sorted(answers) == [200] + [409] * 7
    again = service.http.post("/notificationEvents/8800", json={"name": "Storm"})
    assert again.json() == {"status": 409, "message": "A notification event with this name already exists: Storm"}
    assert service.http.post("/notificationEvents/8800", json={"name": "storm"}).status_code == 200


@pytest.mark.parametrize("event_id", ["4711", "0", "-1", "x", "1.0", "99999999999999999999"])
def test_a_missing_event_is_404(service: RunningService, event_id: str) -> None:
    """Errors of notification events are not shown: 404 in the general envelope."""
    answer = service.http.get(f"/notificationEvents/8800/{event_id}")
    assert (answer.status_code, answer.json()["status"]) == (404, 404)


@pytest.mark.parametrize(("method", "path"), [("GET", ""), ("POST", ""), ("GET", "/1")])
def test_events_require_credentials(service: RunningService, method: str, path: str) -> None:
    """Authentication."""
    wrong = service.http.request(method, f"/notificationEvents/8800{path}", json={"name": "x"}, auth=("ana", "wrong"))
    assert (wrong.status_code, wrong.json()["message"]) == (401, "Invalid credentials: Get User failed")
    other = service.http.request(method, f"/notificationEvents/9900{path}", json={"name": "x"})
    assert (other.status_code, other.json()["message"][:8]) == (401, "Org 9900")


def test_the_demo_has_events_and_one_has_no_name(demo_service: RunningService) -> None:
    """`name`: absent on some returned records."""
    found = demo_service.http.get("/notificationEvents/8800001").json()["page"]["data"]
    assert len(found) >= 5
    [nameless] = [item for item in found if "name" not in item]
    assert set(nameless) == RECORD - {"name"}
    assert demo_service.http.get(f"/notificationEvents/8800001/{nameless['id']}").json()["result"] == nameless
