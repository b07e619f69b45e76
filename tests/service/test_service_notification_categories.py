"""Notification categories: pages, one in a page, create."""

from __future__ import annotations

from typing import Any

import pytest

from tests.running_service import RunningService
from tests.service.filters import assert_field_refused
from tests.service.test_service_notification_events import RECORD

PAGE = {"pageSize", "start", "data", "totalCount", "totalPageCount", "currentPageNo"}


def create(service: RunningService, *names: str) -> None:
    """Add categories."""
    for name in names:
        assert service.http.post("/notificationCategories/8800", json={"name": name}).status_code == 200


def list_names(service: RunningService, **parameters: Any) -> list[str]:
    """Return the names on a page."""
    answer = service.http.get("/notificationCategories/8800", params=parameters)
    assert answer.status_code == 200, answer.text
    return [item["name"] for item in answer.json()["page"]["data"]]


def test_create_returns_only_ok(service: RunningService) -> None:
    """POST `/notificationCategories/{organizationId}`: `{message: OK}`."""
    answer = service.http.post("/notificationCategories/8800", json={"name": " Weather "})
    assert (answer.status_code, answer.json()) == (200, {"message": "OK"})
    assert list_names(service) == ["Weather"]


def test_categories_are_listed_in_pages_of_10(service: RunningService) -> None:
    """GET `/notificationCategories/{organizationId}`: the envelope without links; every field of the record."""
    create(service, *(f"Category {number:02}" for number in range(11)))
    answer = service.http.get("/notificationCategories/8800").json()
    assert set(answer) == {"message", "page"}
    assert set(answer["page"]) == PAGE
    assert all(set(item) == RECORD for item in answer["page"]["data"])
    counts = {"pageSize": 10, "start": 0, "totalCount": 11, "totalPageCount": 2, "currentPageNo": 1}
    assert counts.items() <= answer["page"].items()


def test_the_page_number_has_two_parameter_names(service: RunningService) -> None:
    """`launchPolicyId` by the document, `pageNumber` in other lists; both may be sent; the default is 1."""
    names = [f"Category {number:02}" for number in range(11)]
    create(service, *names)
    assert list_names(service) == names[:10]
    assert list_names(service, launchPolicyId="", pageNumber=2) == names[10:]
    for parameters in ({"launchPolicyId": 2}, {"pageNumber": 2}, {"launchPolicyId": 2, "pageNumber": 2}):
        assert list_names(service, **parameters) == names[10:]
    assert list_names(service, launchPolicyId=2, pageNumber=1) == names[10:]
    assert list_names(service, launchPolicyId=3) == []


@pytest.mark.parametrize("name", ["launchPolicyId", "pageNumber"])
@pytest.mark.parametrize("number", ["0", "-1", "x"])
def test_an_invalid_page_number_is_refused(service: RunningService, name: str, number: str) -> None:
    """400 names the parameter."""
    answer = service.http.get("/notificationCategories/8800", params={name: number})
    assert (answer.status_code, name in answer.json()["message"]) == (400, True)
    answer = service.http.get(
        "/notificationCategories/8800", params={"launchPolicyId": 1, "pageNumber": 1, name: number}
    )
    assert (answer.status_code, name in answer.json()["message"]) == (400, True)


def test_one_category_is_returned_in_a_page(service: RunningService) -> None:
    """GET `/notificationCategories/{organizationId}/{categoryId}`: the page envelope with the one in `data`."""
    create(service, "Weather", "Safety")
    second = service.http.get("/notificationCategories/8800").json()["page"]["data"][1]
    answer = service.http.get(f"/notificationCategories/8800/{second['id']}").json()
    counts = {"pageSize": 10, "start": 0, "totalCount": 1, "totalPageCount": 1, "currentPageNo": 1}
    assert answer == {"message": "OK", "page": {"data": [second], **counts}}


@pytest.mark.parametrize("category_id", ["4711", "0", "x", "99999999999999999999"])
def test_a_missing_category_is_404(service: RunningService, category_id: str) -> None:
    """Errors of notification categories are not shown: 404 in the general envelope."""
    answer = service.http.get(f"/notificationCategories/8800/{category_id}")
    assert (answer.status_code, answer.json()["status"]) == (404, 404)


@pytest.mark.parametrize("body", [{}, {"name": None}, {"name": ""}, {"name": "  "}, {"name": []}, {"name": "x" * 256}])
def test_the_name_is_required(service: RunningService, body: dict[str, Any]) -> None:
    """CategoryWrapper: `name` is the only required field."""
    assert_field_refused(service.http.post("/notificationCategories/8800", json=body), "name")


def test_names_are_unique_among_categories(service: RunningService) -> None:
    """In an organization, case-sensitive; an event may have the same name."""
    create(service, "Storm", "storm")
    assert service.http.post("/notificationEvents/8800", json={"name": "Storm"}).status_code == 200
    answer = service.http.post("/notificationCategories/8800", json={"name": "Storm"})
    assert (answer.status_code, "already exists" in answer.json()["message"]) == (409, True)
    assert list_names(service) == ["Storm", "storm"]


@pytest.mark.parametrize(("method", "path"), [("GET", ""), ("POST", ""), ("GET", "/1")])
def test_categories_require_credentials(service: RunningService, method: str, path: str) -> None:
    """Authentication."""
    url = f"/notificationCategories/{{}}{path}"
    wrong = service.http.request(method, url.format(8800), json={"name": "x"}, auth=("ana", "wrong"))
    assert (wrong.status_code, wrong.json()["message"]) == (401, "Invalid credentials: Get User failed")
    other = service.http.request(method, url.format(9900), json={"name": "x"})
    assert (other.status_code, other.json()["message"][:8]) == (401, "Org 9900")


def test_the_demo_has_two_pages_and_one_record_without_a_name(demo_service: RunningService) -> None:
    """`name`: absent on some returned records."""
    url = "/notificationCategories/8800001?launchPolicyId={}"
    found = [item for number in (1, 2) for item in demo_service.http.get(url.format(number)).json()["page"]["data"]]
    assert len(found) > 10
    assert sum("name" not in item for item in found) == 1
