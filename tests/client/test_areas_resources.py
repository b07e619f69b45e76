"""What the methods of all areas except itineraries send, refuse, and return."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from client import Duplicate, Invalid, NotAllowed, NotAuthenticated, NotFound, OutcomeUnknown, UndecodableAnswer
from client.models.contact_filters import ContactFilter, ContactFilterRule
from client.models.lookup_mappings import LookupMapping, LookupMappingRequest, MappingAttribute, TargetGroup
from client.models.notifications import NotificationMessage, NotificationRequest, PublicAlert
from client.models.public_alert_rules import Offered
from client.vocabulary.contact_filters import COLUMNS
from client.vocabulary.lookup_mappings import NEWEST_FIRST
from tests.client.conftest import Clients

RULE = ContactFilterRule.for_column(COLUMNS[0], "E", "Ana", contact_field_id=1)
FILTER = ContactFilter(name="F", contact_filter_rules=[RULE])
MAPPING = LookupMappingRequest(
    target_groups=[TargetGroup(id=2**60, name="G")],
    attributes=[MappingAttribute(name="site", values=["A", "B"]), MappingAttribute(name="site", values=["C"])],
)
OK = {"message": "OK", "id": 5, "baseUri": "https://x/", "instanceUri": "https://x/5"}
TOKEN = "eyJhbGciOi.x-y_z.s"


def ok(body: Any = OK) -> httpx.Response:
    return httpx.Response(200, json=body)


def page(*records: dict[str, Any], size: int = 100, **changed: Any) -> httpx.Response:
    inside = {"pageSize": size, "start": 0, "data": list(records), "totalCount": len(records), "totalPageCount": 1}
    return ok({"message": "OK", "page": inside | {"currentPageNo": 1} | changed})


# Contact filters


def test_a_filter_is_created_without_the_rule_ids_of_its_source(clients: Clients) -> None:
    client, exchange = clients(ok())
    stored = ContactFilter.from_wire({"name": "F", "contactFilterRules": [RULE.to_wire() | {"id": 9}]})
    assert client.contact_filters.create(stored).id == 5
    assert (exchange.requests[0].method, exchange.requests[0].url.path) == ("POST", "/contactFilters/8800")
    assert exchange.body() == FILTER.to_wire()


def test_an_update_keeps_what_the_service_stores(clients: Clients) -> None:
    odd = {"id": 9, "type": "SYSTEM", "columnName": "shoeSize", "operator": "E", "contactFilterOption": "NE"}
    stored = ContactFilter.from_wire({"id": 5, "name": "F", "contactFilterRules": [odd]})
    changed = stored.model_copy(update={"contact_filter_rules": [*stored.rules, RULE]})
    client, exchange = clients(ok())
    assert client.contact_filters.update(5, changed, stored=stored).id == 5
    assert exchange.body()["contactFilterRules"] == [odd, RULE.to_wire()]
    with pytest.raises(Invalid) as caught:
        client.contact_filters.update(5, changed)
    assert caught.value.sent is False
    assert len(exchange.requests) == 1


@pytest.mark.parametrize("wrap", [lambda one: one, lambda one: {"message": "OK", "result": one}])
def test_a_filter_is_read_by_id_and_by_name(clients: Clients, wrap: Callable[[Any], Any]) -> None:
    record = FILTER.to_wire() | {"id": 2**62, "status": "A"}
    client, exchange = clients(ok(wrap(record)), ok(wrap(record)), ok(wrap(record)))
    for found in (
        client.contact_filters.retrieve(2**62),
        client.contact_filters.retrieve_by_name("a b/c"),
        client.contact_filters.retrieve_by_post(2**62),
    ):
        assert (found.id, found.name, len(found.rules)) == (2**62, "F", 1)
    by_id, by_name, by_post = exchange.requests
    assert (by_id.method, by_id.url.path, dict(by_id.url.params)) == (
        "GET",
        f"/contactFilters/8800/{2**62}",
        {"queryType": "id"},
    )
    assert by_name.url.raw_path == b"/contactFilters/8800/a%20b%2Fc?queryType=name"
    assert (by_post.method, by_post.url.path, by_post.content) == ("POST", f"/contactFilters/8800/{2**62}", b"")


def test_filters_are_listed_in_pages(clients: Clients) -> None:
    def serve(request: httpx.Request) -> httpx.Response:
        number = int(request.url.params["pageNumber"])
        records = [{"id": number * 1000 + row, "name": "F"} for row in range(100 if number < 3 else 5)]
        body = page(*records, totalCount=205, totalPageCount=3).json() | {"firstPageUri": "https://x?pageNumber=0"}
        return ok(body | ({"nextPageUri": "https://"} if number < 3 else {}))

    client, exchange = clients(serve)
    first = client.contact_filters.list()
    assert (len(first.items), first.total_count, first.page_size, first.has_next) == (100, 205, 100, True)
    assert [request.url.params["pageNumber"] for request in exchange.requests] == ["1"]
    assert len({found.id for found in first}) == 205
    assert [request.url.params["pageNumber"] for request in exchange.requests] == ["1", "2", "3"]


def test_a_filter_is_deleted_by_id_or_by_name(clients: Clients) -> None:
    client, exchange = clients(ok(), httpx.Response(200), ok())
    assert client.contact_filters.delete(5).id == 5
    assert client.contact_filters.delete(6).id == 6
    assert client.contact_filters.delete_by_name("Old ones").id == 5
    assert [request.url.raw_path for request in exchange.requests] == [
        b"/contactFilters/8800/5",
        b"/contactFilters/8800/6",
        b"/contactFilters/8800/Old%20ones",
    ]


# Notifications


def test_a_notification_is_sent_once_with_its_alert(clients: Clients) -> None:
    alert = PublicAlert(
        category="Fire", event="Wildfire", urgency="Immediate", severity="Extreme", certainty="Observed", expire="2",
        sms_message="Leave.", type=2, event_groups=[3],
    )  # fmt: skip
    request = NotificationRequest(message=NotificationMessage(title="Fire"), public_alert=alert)
    client, exchange = clients(ok())
    assert client.notifications.create(request, offered=Offered({3}, set())).id == 5
    assert (exchange.requests[0].method, exchange.requests[0].url.path) == ("POST", "/notifications")
    assert exchange.requests[0].headers["X-SVC-Organization-Id"] == "8800"
    assert exchange.body()["publicMessages"]["publicAlertMessage"]["eventGroups"] == [3]
    with pytest.raises(Invalid) as caught:
        client.notifications.create(request, offered=Offered({4}, set()))
    assert caught.value.field_errors[0].field == "publicMessages.publicAlertMessage.eventGroups[0]"
    assert len(exchange.requests) == 1


def test_notifications_are_listed_by_query(clients: Clients) -> None:
    client, exchange = clients(page(), page(), page(size=10))
    client.notifications.list()
    client.notifications.list(notification_event_id=-1)
    client.notifications.list(notification_event_id=7, only_active=True, page_number=3)
    assert {request.headers["X-SVC-Organization-Id"] for request in exchange.requests} == {"8800"}
    assert [dict(request.url.params) for request in exchange.requests] == [
        {"pageNumber": "1"},
        {"pageNumber": "1", "notificationEventId": "-1"},
        {"pageNumber": "3", "notificationEventId": "7", "onlyActive": "true"},
    ]


def test_a_notification_is_read_with_its_alert(clients: Clients) -> None:
    record = {
        "id": 5,
        "notificationStatus": "INPROGRESS",
        "message": {"title": "T", "questionaire": [1]},
        "publicMessages": {"publicAlertMessage": {"category": "Met", "type": "2", "expire": 4, "eventGroups": [1]}},
        "surprise": 1,
    }
    client, _ = clients(page(record, {"id": 6, "notificationStatus": "Paused"}, {"id": 7}))
    first, second, third = client.notifications.list()
    assert first.public_alert is not None
    assert (first.public_alert.category, first.public_alert.type, first.public_alert.expire) == ("Met", 2, "4")
    assert first.message is not None
    assert first.message.questionnaire == [1]
    assert (first.known_status, first.is_running, first.has_ended) == ("Inprogress", True, False)
    assert (second.known_status, second.is_running, second.has_ended) == (None, False, False)
    assert third.public_alert is None


# The two lookups


def test_the_lookups_return_valid_ids_for_an_alert(clients: Clients) -> None:
    regions = {
        "cities": [{"state": "TX", "id": 1, "name": "Austin"}],
        "zipcodes": [{"state": "TX", "id": "2", "name": "73301"}],
        "counties": [{"state": "TX", "id": 3, "name": "Travis"}],
    }
    client, exchange = clients(ok([{"id": 7, "groupName": "Schools"}]), ok(regions))
    offered = client.public_lookups.offered()
    assert (offered.event_group_ids, offered.region_ids) == ({7}, {1, 2, 3})
    assert [request.url.path for request in exchange.requests] == ["/publicEventGroups/8800", "/publicRegionIds/8800"]


# Lookup mappings


def test_mappings_are_sent_with_a_token_in_a_data_envelope(clients: Clients) -> None:
    record = {"id": "m-1", "targetGroups": [{"id": 2**60, "name": "G"}], "attributes": [{"name": "a", "values": ["b"]}]}
    client, exchange = clients(ok({"data": record}), ok({"data": record}), ok({"data": record}), token=TOKEN)
    created = client.lookup_mappings.create(MAPPING)
    assert isinstance(created, LookupMapping)
    assert (created.id, created.target_groups[0].id, created.attributes[0].values) == ("m-1", 2**60, ["b"])
    client.lookup_mappings.update("m-1", created.as_request())
    client.lookup_mappings.retrieve("m-1")
    assert exchange.body(0) == {
        "data": {
            "targetGroups": [{"id": 2**60, "name": "G"}],
            "attributes": [{"name": "site", "values": ["A", "B"]}, {"name": "site", "values": ["C"]}],
        }
    }
    assert exchange.body(1)["data"]["attributes"] == [{"name": "a", "values": ["b"]}]
    assert {request.headers["Authorization"] for request in exchange.requests} == {f"Bearer {TOKEN}"}


def test_the_values_of_a_mapping_are_written_back_exactly() -> None:
    stored = LookupMapping.from_wire(
        {
            "id": "m-1",
            "targetGroups": [{"id": 1}],
            "attributes": [{"name": "a", "values": [" Sales ", 5, True, None]}, {"name": "b", "values": "B"}],
        }
    )
    assert stored.as_request().to_wire()["attributes"] == [
        {"name": "a", "values": [" Sales ", "5", "true"]},
        {"name": "b", "values": ["B"]},
    ]


def test_a_search_carries_sort_groups_and_attributes(clients: Clients) -> None:
    answer = {"currentPageNo": 2, "totalPageCount": 2, "totalCount": 23, "pageSize": 20, "data": [{"id": 77}]}
    client, exchange = clients(ok(answer), ok(answer), token=TOKEN)
    found = client.lookup_mappings.search(
        attributes={"site": ["A", "B c"], "floor & wing": ["+1"]},
        groups=[5, 2**60],
        sort=NEWEST_FIRST,
        page_number=2,
        page_size=20,
    )
    assert (found.total_count, found.has_next, found.items[0].id) == (23, False, "77")
    assert dict(exchange.requests[0].url.params) == {
        "currentPageNo": "2",
        "pageSize": "20",
        "sort": "-lastUpdatedOn",
        "groups": f"5,{2**60}",
        "site": "A,B c",
        "floor & wing": "+1",
    }
    client.lookup_mappings.search()
    assert b"sort=%2BlastUpdatedOn" in exchange.requests[1].url.query


def test_an_empty_search_is_an_empty_page(clients: Clients) -> None:
    client, _ = clients(ok({"currentPageNo": 1, "totalPageCount": 0, "totalCount": 0, "pageSize": 20, "data": []}),
                        token=TOKEN)  # fmt: skip
    assert list(client.lookup_mappings.search()) == []


@pytest.mark.parametrize("body", [{"data": "Mapping m-1 was deleted successfully."}, "deleted successfully"])
def test_deleting_a_mapping_returns_the_confirmation(clients: Clients, body: Any) -> None:
    client, _ = clients(ok(body), token=TOKEN)
    assert "deleted successfully" in client.lookup_mappings.delete("m-1")


UNHANDLED = {"timestamp": 1, "status": 500, "error": "Internal Server Error", "exception": "x.y.Z", "path": "/lookup"}


@pytest.mark.parametrize("message", ["A mapping like this already exists.", "could not execute statement"])
def test_the_500_of_an_existing_mapping_is_a_duplicate(clients: Clients, message: str) -> None:
    client, exchange = clients(httpx.Response(500, json=UNHANDLED | {"message": message}), token=TOKEN)
    with pytest.raises(Duplicate) as caught:
        client.lookup_mappings.create(MAPPING)
    assert caught.value.status == 500
    assert caught.value.request is not None
    assert len(exchange.requests) == 1


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (500, ""),
        (500, "<html>"),
        (500, '{"status": 500, "message": "boom"}'),
        (500, "[" * 2000),
        (503, UNHANDLED | {"message": "It already exists"}),
    ],
    ids=["empty", "page", "other", "nonsense", "503"],
)
def test_any_other_failure_leaves_a_create_unknown(clients: Clients, status: int, body: Any) -> None:
    text = body if isinstance(body, str) else json.dumps(body)
    client, _ = clients(httpx.Response(status, text=text), token=TOKEN)
    with pytest.raises(OutcomeUnknown):
        client.lookup_mappings.create(MAPPING)


def test_a_500_that_mentions_a_duplicate_leaves_any_other_change_unknown(clients: Clients) -> None:
    client, _ = clients(
        lambda request: httpx.Response(500, json=UNHANDLED | {"message": "It already exists"}), token=TOKEN
    )
    for call in (
        lambda: client.contact_filters.create(FILTER),
        lambda: client.notifications.create(NotificationRequest(message=NotificationMessage(title="T"))),
        lambda: client.lookup_mappings.update("m-1", MAPPING),
    ):
        with pytest.raises(OutcomeUnknown):
            call()
    assert client.assets.delete_batch(["a"]).unknown == [0]


def test_the_two_401s_of_mappings_are_distinguished(clients: Clients) -> None:
    client, _ = clients(
        httpx.Response(401, json={"code": 401, "message": "Unauthorized"}),
        httpx.Response(
            401, json={"status": 401, "message": "Org 8800 not accessible to this user, or does not exist."}
        ),
        token=TOKEN,
    )
    with pytest.raises(NotAuthenticated, match="token"):
        client.lookup_mappings.retrieve("m-1")
    with pytest.raises(NotAllowed):
        client.lookup_mappings.retrieve("m-1")


@pytest.mark.parametrize("field", ["data.attributes", "data.targetGroups"])
def test_the_validation_error_of_a_mapping_names_its_field(clients: Clients, field: str) -> None:
    entry = {
        "codes": ["NotEmpty"], "arguments": [], "defaultMessage": "may not be empty", "objectName": "resourceObject",
        "field": field, "rejectedValue": [], "bindingFailure": False, "code": "NotEmpty",
    }  # fmt: skip
    client, _ = clients(httpx.Response(400, json={"errors": [entry]}), token=TOKEN)
    with pytest.raises(Invalid) as caught:
        client.lookup_mappings.create(MAPPING)
    assert [(error.field, error.message) for error in caught.value.field_errors] == [(field, "may not be empty")]


def test_an_unknown_mapping_is_a_404_without_a_body(clients: Clients) -> None:
    client, _ = clients(httpx.Response(404), httpx.Response(404), httpx.Response(404), token=TOKEN)
    for call in (
        lambda: client.lookup_mappings.retrieve("m-1"),
        lambda: client.lookup_mappings.update("m-1", MAPPING),
        lambda: client.lookup_mappings.delete("m-1"),
    ):
        with pytest.raises(NotFound):
            call()


# Events and categories


def test_categories_are_requested_with_both_page_parameters(clients: Clients) -> None:
    def serve(request: httpx.Request) -> httpx.Response:
        assert request.url.params["launchPolicyId"] == request.url.params["pageNumber"]
        number = int(request.url.params["pageNumber"])
        return page({"id": number, "name": f"C{number}"}, size=1, totalCount=3, totalPageCount=3, currentPageNo=number)

    client, exchange = clients(serve)
    assert [category.name for category in client.notification_categories.list()] == ["C1", "C2", "C3"]
    assert len(exchange.requests) == 3


def test_events_are_listed_in_one_response(clients: Clients) -> None:
    client, exchange = clients(page({"id": 1, "name": "Storm"}, {"id": 2}))
    events = client.notification_events.list()
    assert [(event.id, event.name) for event in events] == [(1, "Storm"), (2, None)]
    assert exchange.requests[0].url.query == b""


@pytest.mark.parametrize("area", ["notification_events", "notification_categories"])
@pytest.mark.parametrize(
    ("body", "identity"),
    [
        ({"message": "OK"}, None),
        (OK, 5),
        ({"message": "OK", "result": {"id": "5", "name": "N"}}, 5),
        ({"id": 5, "name": "N", "status": "A"}, 5),
    ],
)
def test_creating_a_name_accepts_every_response(clients: Clients, area: str, body: Any, identity: int | None) -> None:
    client, exchange = clients(ok(body))
    assert getattr(client, area).create(name=" Storm ").id == identity
    assert exchange.body() == {"name": "Storm"}


# Crisis templates


def test_all_eight_parameters_and_the_organization_are_sent(clients: Clients) -> None:
    client, exchange = clients(ok({"pageSize": -1, "start": 0, "data": [{"id": "t-1"}], "totalCount": 1}), ok([]))
    found = client.crisis_templates.list()
    assert (found.items[0].id, found.has_next) == ("t-1", False)
    client.crisis_templates.list(
        filtered="fire",
        column_name="name",
        order_direction="ASC",
        page_number=2,
        page_size=10,
        folder_ids=["a", "b"],
        contain_used=True,
        need_init=False,
    )
    first, second = exchange.requests
    assert dict(first.url.params) == {
        "columnName": "lastModifiedDate",
        "orderDirection": "DESC",
        "pageNumber": "1",
        "pageSize": "-1",
        "containUsedNo": "false",
        "needInit": "true",
    }
    assert second.url.params.multi_items() == [
        ("columnName", "name"),
        ("orderDirection", "ASC"),
        ("pageSize", "10"),
        ("containUsedNo", "true"),
        ("needInit", "false"),
        ("filtered", "fire"),
        ("folderIds", "a"),
        ("folderIds", "b"),
        ("pageNumber", "2"),
    ]
    assert {request.headers["organizationId"] for request in exchange.requests} == {"8800"}


def test_templates_are_listed_in_pages(clients: Clients) -> None:
    def serve(request: httpx.Request) -> httpx.Response:
        number = int(request.url.params["pageNumber"])
        body = {"pageSize": 2, "start": 0, "totalCount": 3, "totalPageCount": 2, "currentPageNo": number}
        return ok(body | {"data": [{"id": f"t-{number}-{row}"} for row in range(2 if number == 1 else 1)]})

    client, _ = clients(serve)
    assert [found.id for found in client.crisis_templates.list(page_size=2)] == ["t-1-0", "t-1-1", "t-2-0"]


# Input that is refused before anything is sent

REFUSED: list[tuple[Callable[[Any], object], str]] = [
    (lambda client: client.contact_filters.retrieve(0), "id"),
    (lambda client: client.contact_filters.retrieve(5.0), "id"),
    (lambda client: client.contact_filters.retrieve_by_name(" "), "name"),
    (lambda client: client.contact_filters.retrieve_by_name(".."), "name"),
    (lambda client: client.contact_filters.retrieve_by_post(True), "id"),
    (lambda client: client.contact_filters.list(page_number=0), "pageNumber"),
    (lambda client: client.contact_filters.create(ContactFilter(name="F")), "contactFilterRules"),
    (lambda client: client.contact_filters.update(0, FILTER), "id"),
    (lambda client: client.contact_filters.delete("5"), "id"),
    (lambda client: client.contact_filters.delete_by_name("123"), "name"),
    (lambda client: client.notifications.create(NotificationRequest()), "message"),
    (lambda client: client.notifications.list(notification_event_id=0), "notificationEventId"),
    (lambda client: client.notifications.list(page_number=0), "pageNumber"),
    (lambda client: client.lookup_mappings.search(page_number=0), "currentPageNo"),
    (lambda client: client.lookup_mappings.search(page_size=0), "pageSize"),
    (lambda client: client.lookup_mappings.search(sort="lastUpdatedOn"), "sort"),
    (lambda client: client.lookup_mappings.search(groups=[0]), "groups"),
    (lambda client: client.lookup_mappings.search(attributes={"sort": ["A"]}), "sort"),
    (lambda client: client.lookup_mappings.search(attributes={" ": ["A"]}), "attributes"),
    (lambda client: client.lookup_mappings.search(attributes={"site": []}), "site"),
    (lambda client: client.lookup_mappings.search(attributes={"site": "AB"}), "site"),
    (lambda client: client.lookup_mappings.search(attributes={"site": ["A,B"]}), "site"),
    (lambda client: client.lookup_mappings.create(LookupMappingRequest(attributes=MAPPING.attributes)),
     "data.targetGroups"),
    (lambda client: client.lookup_mappings.create(LookupMappingRequest(target_groups=MAPPING.target_groups)),
     "data.attributes"),
    (lambda client: client.lookup_mappings.update("m", LookupMappingRequest(
        target_groups=[TargetGroup()], attributes=MAPPING.attributes)), "data.targetGroups[0].id"),
    (lambda client: client.lookup_mappings.update("m", LookupMappingRequest(
        target_groups=MAPPING.target_groups, attributes=[MappingAttribute(values=["A"])])), "data.attributes[0].name"),
    (lambda client: client.lookup_mappings.update("m", LookupMappingRequest(
        target_groups=MAPPING.target_groups, attributes=[MappingAttribute(name="a", values=[" "])])),
     "data.attributes[0].values"),
    (lambda client: client.lookup_mappings.delete(" "), "id"),
    (lambda client: client.lookup_mappings.retrieve("."), "id"),
    (lambda client: client.notification_events.retrieve(0), "id"),
    (lambda client: client.notification_events.create(name=" "), "name"),
    (lambda client: client.notification_categories.list(page_number=0), "pageNumber"),
    (lambda client: client.notification_categories.retrieve(-1), "id"),
    (lambda client: client.notification_categories.create(name=""), "name"),
    (lambda client: client.crisis_templates.list(page_number=0), "pageNumber"),
    (lambda client: client.crisis_templates.list(page_size=0), "pageSize"),
    (lambda client: client.crisis_templates.list(page_size=-2), "pageSize"),
    (lambda client: client.crisis_templates.list(order_direction="asc"), "orderDirection"),
    (lambda client: client.crisis_templates.list(column_name=" "), "columnName"),
    (lambda client: client.crisis_templates.list(folder_ids="abc"), "folderIds"),
    (lambda client: client.crisis_templates.list(folder_ids=[""]), "folderIds"),
    (lambda client: client.dynamic_locations.retrieve(0), "uploadBatchId"),
    (lambda client: client.dynamic_locations.retrieve(" "), "uploadBatchId"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "field"), REFUSED)
def test_bad_input_is_refused_before_anything_is_sent(
    clients: Clients, call: Callable[[Any], object], field: str
) -> None:
    client, exchange = clients(token=TOKEN)
    with pytest.raises(Invalid) as caught:
        call(client)
    assert caught.value.sent is False
    assert [error.field for error in caught.value.field_errors] == [field]
    assert exchange.requests == []


# Responses that are not a success


@pytest.mark.parametrize("body", ["", "null", "[]", "7", '"OK"', '{"message": "Something"}', "<html>", "{"])
def test_a_response_without_the_record_is_undecodable(clients: Clients, body: str) -> None:
    client, _ = clients(lambda request: httpx.Response(200, text=body), token=TOKEN)
    calls: list[Callable[[], object]] = [
        lambda: client.contact_filters.create(FILTER),
        lambda: client.notifications.create(NotificationRequest(message=NotificationMessage(title="T"))),
        lambda: client.lookup_mappings.create(MAPPING),
        lambda: client.public_lookups.list_regions(),
        lambda: client.lookup_mappings.retrieve("m"),
    ]
    for call in calls:
        with pytest.raises((UndecodableAnswer, NotFound)):
            call()


@pytest.mark.parametrize("body", [[], {"data": None}, {"data": {}}, {"data": []}], ids=str)
def test_a_changed_mapping_missing_from_the_response_is_not_reported_as_deleted(clients: Clients, body: Any) -> None:
    client, _ = clients(ok(body), ok(body), token=TOKEN)
    for call in (lambda: client.lookup_mappings.create(MAPPING), lambda: client.lookup_mappings.update("m", MAPPING)):
        with pytest.raises(UndecodableAnswer):
            call()


def test_the_displayed_request_contains_no_secret(clients: Clients) -> None:
    client, _ = clients(
        httpx.Response(400, json={"status": 400, "message": f"odd: Bearer {TOKEN} and {TOKEN}"}), token=TOKEN
    )
    with pytest.raises(Invalid) as caught:
        client.lookup_mappings.create(MAPPING)
    error = caught.value
    assert TOKEN not in json.dumps([error.message, error.answer_text, error.service_message, str(error)])
    assert error.request is not None
    assert TOKEN not in json.dumps(error.request.as_dict())
