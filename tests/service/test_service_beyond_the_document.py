"""Spellings beyond the document that callers send and the service accepts.

Paths with a closing slash, and those with and without /rest, are in test_service_paths.py.
"""

from __future__ import annotations

from typing import Any

import pytest

from client.vocabulary.assets import ORGANIZATION_HEADER
from tests.running_service import RunningService
from tests.service.alerts import notification
from tests.service.filters import Column, assert_field_refused, create_filter, custom, first_name, read, rule_for, send
from tests.service.test_service_assets import asset
from tests.service.test_service_dynamic_locations import row, to_csv, upload_and_wait
from tests.service.trips import add, exists, passenger, trip

GEOCODED_BY = Column("addressGeoCodingSource", "STRING", "SYSTEM_OBJECT", ("IN", "NIN"), "address")


def test_the_first_page_of_expected_locations_is_the_default(service: RunningService) -> None:
    """`pageNumber` is a query parameter."""
    path = f"/itineraries/expectedLocations/8800/{add(service)}"
    assert service.http.get(path).json()["page"] == service.http.get(path, params={"pageNumber": 1}).json()["page"]


@pytest.mark.parametrize("value", ["true", "Yes", "1"])
def test_contact_options_are_query_parameters(service: RunningService, value: str) -> None:
    """Add, batch add and update."""
    parameters = {"autoCreateContact": value, "contactRecordTypeId": "7", "emailCaseSensitiveInExternalId": value}
    identity = add(service, None, **parameters)
    batch = service.http.post("/itineraries/8800/batch", json=[trip("B1")], params=parameters)
    changed = service.http.put(f"/itineraries/8800/{identity}", json=trip(), params=parameters)
    assert (batch.json()["code"], changed.status_code) == (100, 200)


@pytest.mark.parametrize("kind", [int, str])
def test_batch_delete_takes_ids_as_numbers_or_strings(service: RunningService, kind: type) -> None:
    """The document says longs; callers also send strings."""
    ids = [add(service, trip(pnr)) for pnr in ("ONE111", "TWO222")]
    answer = service.http.request("DELETE", "/itineraries/8800/batch", json=[kind(one) for one in ids])
    assert answer.json() == {"message": "OK", "code": 100}
    assert not any(exists(service, one) for one in ids)


@pytest.mark.parametrize(
    ("status", "is_active"),
    [("Active", True), ("active", True), ("New", True), ("", True), ("canceled", False), ("CANCELED", False)],
)
def test_every_status_except_canceled_is_active(service: RunningService, status: str, is_active: bool) -> None:
    """`canceled` is compared case-insensitively."""
    identity = add(service)
    changed = service.http.put(f"/itineraries/8800/{identity}", json=trip(itineraryStatus=status))
    assert (changed.status_code, exists(service, identity)) == (200, is_active)


def test_a_filter_is_retrieved_by_id_by_name_or_by_post(service: RunningService) -> None:
    """`queryType` is `id` or `name`, default `id`."""
    identity = create_filter(service, name="Sales")
    path = f"/contactFilters/8800/{identity}"
    answers = [
        service.http.get(path),
        service.http.get(path, params={"queryType": "id"}),
        service.http.get("/contactFilters/8800/Sales", params={"queryType": "name"}),
        service.http.post(path),
    ]
    assert [answer.json()["id"] for answer in answers] == [identity] * 4


@pytest.mark.parametrize(
    ("rule", "field", "stored_value"),
    [
        (custom(attributeValues=[7, 7.5, "B"]), "attributeValues", ["7", "7.5", "B"]),
        (first_name(columnValue=7), "columnValue", "7"),
        (rule_for(GEOCODED_BY, "IN", columnValue=[7, "B"]), "columnValue", ["7", "B"]),
    ],
)
def test_numbers_in_text_rules_are_read_as_text(
    service: RunningService, rule: dict[str, Any], field: str, stored_value: Any
) -> None:
    """Real callers send them."""
    found = read(service, create_filter(service, rule))
    assert found["contactFilterRules"][0][field] == stored_value


def test_an_option_that_differs_from_its_operator_is_refused_by_name(service: RunningService) -> None:
    """The document says that they are equal."""
    answer = send(service, first_name(operator="E", contactFilterOption="NE"))
    assert_field_refused(answer, "contactFilterRules[0].contactFilterOption")


@pytest.mark.parametrize("value", [True, [True], {"a": 1}])
def test_a_value_that_is_neither_text_nor_number_is_refused_by_name(service: RunningService, value: Any) -> None:
    """A Boolean is not text."""
    assert_field_refused(send(service, first_name(columnValue=value)), "contactFilterRules[0].columnValue")


@pytest.mark.parametrize("path", ["/notifications", "/notifications/", "/notifications/8800", "/notifications/8800/"])
def test_notifications_work_with_and_without_the_organization_in_the_path(service: RunningService, path: str) -> None:
    """Create and list; -1 means all events, and the links use the organization of the path."""
    created = service.http.post(path, json=notification())
    assert created.status_code == 200, created.text
    page = service.http.get(path, params={"notificationEventId": -1, "onlyActive": "false", "pageNumber": 1}).json()
    assert [one["id"] for one in page["page"]["data"]] == [created.json()["id"]]
    base = f"{service.url}/rest{path.rstrip('/')}"
    assert page["firstPageUri"] == f"{base}?onlyActive=false&notificationEventId=-1&pageNumber=1"


def test_the_organization_of_path_and_header_must_agree(service: RunningService) -> None:
    """An alert must not be sent from the wrong organization."""
    http, payload = service.http, notification()
    assert http.post("/notifications/8800", json=payload, headers={ORGANIZATION_HEADER: "8800"}).status_code == 200
    assert http.post("/notifications/8800", json=payload, headers={ORGANIZATION_HEADER: "9900"}).status_code == 400
    assert http.post("/notifications/9900", json=payload).status_code == 401
    assert http.get("/notifications/abc").status_code == 401


def test_a_page_of_categories_has_two_parameter_names(service: RunningService) -> None:
    """`launchPolicyId` by the document, `pageNumber` in other lists; if both are sent, they must agree."""
    for number in range(11):
        service.http.post("/notificationCategories/8800", json={"name": f"Category {number:02}"})
    pages = [
        service.http.get("/notificationCategories/8800", params=parameters).json()["page"]
        for parameters in ({"launchPolicyId": 2}, {"pageNumber": 2}, {"launchPolicyId": 2, "pageNumber": 2})
    ]
    assert pages[0] == pages[1] == pages[2]
    assert [one["name"] for one in pages[0]["data"]] == ["Category 10"]


def test_an_upload_batch_is_in_an_envelope(service: RunningService) -> None:
    """`{message, result}`, with the counts and one of the statuses."""
    add(service, trip(passengers=[passenger("E1")]))
    found = upload_and_wait(service, content=to_csv(row("E1")))
    assert found["uploadStatus"] == "DONE"
    assert {"fileName", "fileSize", "successNum", "withErrorNum", "criticalNum", "geoSuccessNum"} <= set(found)


@pytest.mark.parametrize("scheme", ["Basic", "Bearer"])
def test_assets_take_a_password_or_a_token(service: RunningService, scheme: str) -> None:
    """In addition to the organization header."""
    token = {"Authorization": f"Bearer {service.token()}"} if scheme == "Bearer" else {}
    answer = service.http.post(
        "/v2/asset-management/assets/batch",
        json=[asset()],
        headers={ORGANIZATION_HEADER: "8800", **token},
        auth=None if token else (service.username, service.password),
    )
    assert answer.json()["status"] == 200
