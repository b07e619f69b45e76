"""What a client must tolerate: each point of the list, tested in each area.

The point numbers are those of the list "What a client must tolerate"; test names begin with them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from client import (
    Invalid,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    OutcomeUnknown,
    Page,
    Rejected,
    RetryPolicy,
    ServiceClient,
    ServiceError,
    ServiceFailed,
    TooManyRequests,
    UndecodableAnswer,
)
from client.models.dynamic_locations import UploadBatch, is_running
from client.vocabulary.contact_filters import COLUMNS
from tests.client.conftest import Clients, FakeClock
from tests.client.test_endpoints import METHODS

TOKEN = "eyJ.x.y"

LISTS: dict[str, Callable[[ServiceClient], Page[Any]]] = {
    "itineraries": lambda client: client.itineraries.list_expected_locations(5),
    "contact_filters": lambda client: client.contact_filters.list(),
    "notifications": lambda client: client.notifications.list(),
    "lookup_mappings": lambda client: client.lookup_mappings.search(),
    "notification_categories": lambda client: client.notification_categories.list(),
    "crisis_templates": lambda client: client.crisis_templates.list(),
}
READS: dict[str, Callable[[ServiceClient], Any]] = {
    "contact_filters": lambda client: client.contact_filters.retrieve(5),
    "contact_filters by name": lambda client: client.contact_filters.retrieve_by_name("F"),
    "lookup_mappings": lambda client: client.lookup_mappings.retrieve("5"),
    "notification_events": lambda client: client.notification_events.retrieve(5),
    "notification_categories": lambda client: client.notification_categories.retrieve(5),
    "dynamic_locations": lambda client: client.dynamic_locations.retrieve(5),
}
CREATES = [
    "itineraries.create",
    "contact_filters.create",
    "notifications.create",
    "notification_events.create",
    "notification_categories.create",
    "shape_library.upload",
    "dynamic_locations.upload",
    "lookup_mappings.create",
]
TEXT_IDS = {"lookup_mappings", "crisis_templates"}


def combine_cases(*lists: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Return cases that contain each value of each list at least once, as many as the longest list has values."""
    columns = [[*values] for values in lists]
    rows = [
        [values[(number + place * (number // len(values))) % len(values)] for place, values in enumerate(columns)]
        for number in range(max(map(len, columns)))
    ]
    # A tuple holds the alternatives that belong together.
    return [tuple(part for value in row for part in (value if isinstance(value, tuple) else (value,))) for row in rows]


def ok(body: Any) -> httpx.Response:
    return httpx.Response(200, json=body)


def error_of(call: Callable[[ServiceClient], object], client: ServiceClient) -> ServiceError | None:
    try:
        call(client)
    except ServiceError as error:
        return error
    return None


def text_or_number(area: str, value: int) -> int | str:
    return str(value) if area in TEXT_IDS else value


# 1. HTTP 200 can mean failure


@pytest.mark.parametrize("method", METHODS)
def test_1_an_error_under_http_200_is_an_error(clients: Clients, method: str) -> None:
    if method.endswith("_batch") and method.startswith("assets"):
        body: Any = {"status": 400, "message": "Not one of them", "errors": [{"message": "odd", "field": "x"}]}
    else:
        body = {"status": 400, "message": "Not one of them"}
    client, _ = clients(lambda request: ok(body), token=TOKEN)
    with pytest.raises(Rejected):
        METHODS[method](client)


CHANGES = [name for name in METHODS if name.rpartition(".")[2] in ("create", "update", "delete", "upload")]


@pytest.mark.parametrize("method", [*CHANGES, *(f"{area}.retrieve" for area in READS if " " not in area)])
@pytest.mark.parametrize(
    ("failing", "error"),
    [
        ({"status": 400, "message": "Field smsMessage is empty."}, Invalid),
        ({"code": 401, "message": "Unauthorized"}, NotAuthenticated),
        ({"status": "500", "message": "OK"}, (ServiceFailed, OutcomeUnknown)),
    ],
    ids=str,
)
def test_1_an_id_does_not_turn_a_failing_status_into_a_success(
    clients: Clients, method: str, failing: dict[str, Any], error: Any
) -> None:
    client, _ = clients(ok({"id": "7"} | failing), token=TOKEN)
    with pytest.raises(error):
        METHODS[method](client)


@pytest.mark.parametrize("method", [*CHANGES, "itineraries.create_batch"])
def test_1_an_id_next_to_an_error_text_leaves_a_change_unknown(clients: Clients, method: str) -> None:
    client, _ = clients(ok({"id": "7", "message": "Org 8800 not accessible to this user."}), token=TOKEN)
    if method.endswith("_batch"):
        assert METHODS[method](client).unknown == [0]  # type: ignore[attr-defined]
        return
    with pytest.raises(UndecodableAnswer):
        METHODS[method](client)


@pytest.mark.parametrize("method", CHANGES)
@pytest.mark.parametrize("status", ["OK", "ACTIVE", "A", 200, "200", 201, True, None])
def test_1_an_id_next_to_any_other_status_is_a_success(clients: Clients, method: str, status: Any) -> None:
    body = {"id": "7", "status": status, "message": "The record has been accepted."}
    client, _ = clients(ok({"data": body["message"]} if method == "lookup_mappings.delete" else body), token=TOKEN)
    METHODS[method](client)


@pytest.mark.parametrize(("code", "succeeded"), [(100, 1), (300, 0)])
def test_1_the_code_decides_the_outcome_of_a_batch(clients: Clients, code: int, succeeded: int) -> None:
    client, _ = clients(ok({"message": "OK", "code": code}), ok({"message": "OK", "code": str(code)}))
    assert len(client.itineraries.delete_batch([5]).succeeded) == succeeded
    assert len(client.itineraries.delete_batch([5]).succeeded) == succeeded


# 2. Ids as numbers and as texts, beyond 2^53 and beyond int64


@pytest.mark.parametrize(
    ("identity", "form", "area"), combine_cases([7, 2**53 + 1, 2**63 - 1, 2**63 + 11], [int, str], READS)
)
def test_2_an_id_of_a_record_keeps_every_digit(
    clients: Clients, area: str, identity: int, form: Callable[[int], Any]
) -> None:
    client, _ = clients(ok({"message": "OK", "result": {"id": form(identity), "name": "N"}}), token=TOKEN)
    if area == "lookup_mappings" and form is int:
        assert READS[area](client).id == str(identity)
    else:
        assert str(READS[area](client).id) == str(identity)


@pytest.mark.parametrize(("identity", "form", "area"), combine_cases([2**53 + 1, 2**63 + 11], [int, str], LISTS))
def test_2_an_id_in_a_list_keeps_every_digit(
    clients: Clients, area: str, identity: int, form: Callable[[int], Any]
) -> None:
    client, _ = clients(ok({"message": "OK", "page": {"data": [{"id": form(identity)}]}}), token=TOKEN)
    assert [str(record.id) for record in LISTS[area](client)] == [str(identity)]


@pytest.mark.parametrize(
    ("identity", "form", "method"),
    combine_cases([2**53 + 1, 2**63 + 11], [int, str], [name for name in CREATES if name != "lookup_mappings.create"]),
)
def test_2_an_id_of_a_new_record_keeps_every_digit(
    clients: Clients, method: str, identity: int, form: Callable[[int], Any]
) -> None:
    client, _ = clients(ok({"message": "OK", "id": form(identity)}))
    assert str(METHODS[method](client).id) == str(identity)  # type: ignore[attr-defined]


@pytest.mark.parametrize("form", [int, str])
def test_2_ids_of_groups_and_regions_keep_every_digit(clients: Clients, form: Callable[[int], Any]) -> None:
    big = 2**63 + 11
    client, _ = clients(ok([{"id": form(big), "groupName": "G"}]), ok({"cities": [{"id": form(big)}]}))
    offered = client.public_lookups.offered()
    assert (set(offered.event_group_ids), set(offered.region_ids)) == ({big}, {big})


@pytest.mark.parametrize("area", [*LISTS, *READS])
def test_2_an_id_that_was_a_float_is_refused(clients: Clients, area: str) -> None:
    client, _ = clients(lambda request: ok({"message": "OK", "page": {"data": [{"id": 5.0}]}}), token=TOKEN)
    try:
        found = LISTS[area](client).items[0] if area in LISTS else READS[area](client)
    except UndecodableAnswer:
        return
    assert found.id is None


@pytest.mark.parametrize(
    ("field", "area"),
    combine_cases(
        ["createdId", "lastModifiedId", "organizationId"], [area for area in READS if area != "lookup_mappings"]
    ),
)
def test_2_an_invalid_id_next_to_the_record_does_not_lose_it(clients: Clients, area: str, field: str) -> None:
    for odd in (5.5, "unknown", True, {}, None, "", 0):
        client, _ = clients(ok({"id": 5, field: odd}), token=TOKEN)
        assert READS[area](client).id == 5


@pytest.mark.parametrize(
    ("area", "odd"),
    [
        ("itineraries", {"createdId": "system", "contactId": "C5", "organizationId": 5.5, "lastModifiedId": {}}),
        ("itineraries", {"id": "E-5"}),
        ("itineraries", {"address": None}),
        ("itineraries", {"address": "Kuwait"}),
        ("itineraries", {"address": {"gisLocation": []}}),
        ("lookup_mappings", {"targetGroups": None, "attributes": None}),
        ("lookup_mappings", {"targetGroups": [None], "attributes": [None, {"name": "a", "values": None}]}),
        ("lookup_mappings", {"attributes": [{"name": "a", "values": "A"}]}),
        ("notifications", {"message": "Leave.", "publicMessages": []}),
        ("notifications", {"publicMessages": {"publicAlertMessage": []}}),
        ("notifications", {"publicMessages": {"publicAlertMessage": {"community": "", "eventGroups": ""}}}),
        ("notifications", {"publicMessages": {"publicAlertMessage": {"community": {"regionIds": ""}}}}),
        ("crisis_templates", {"taskListTempIds": [1, None], "taskListTemplates": [None]}),
        ("contact_filters", {"contactFilterRules": [None]}),
    ],
)
def test_2_an_invalid_field_of_a_record_does_not_lose_its_page(
    clients: Clients, area: str, odd: dict[str, Any]
) -> None:
    client, _ = clients(ok({"message": "OK", "page": {"data": [{"id": "5"} | odd, {"id": "6"}]}}), token=TOKEN)
    assert str(LISTS[area](client).items[1].id) == "6"


# 3. URIs are unreliable


UNRELIABLE = [
    "https://service.example/rest/contactFilters/88005",
    "https://service.example/rest/x/8800pageNumber=2",
    "https://elsewhere.example/steal",
    "https://://",
    "https://https://rest/x/8800",
    "https://service.example/rest/x/8800?pageNumber=0",
    "",
    None,
    5,
]


@pytest.mark.parametrize(("uri", "method"), combine_cases(UNRELIABLE, CREATES))
def test_3_uris_of_a_modification_are_ignored(clients: Clients, method: str, uri: Any) -> None:
    body: dict[str, Any] = {"message": "OK", "id": 5, "baseUri": uri, "instanceUri": uri}
    client, exchange = clients(ok({"data": body | {"id": "5"}} if method.startswith("lookup") else body), token=TOKEN)
    METHODS[method](client)
    assert len(exchange.requests) == 1


@pytest.mark.parametrize(("uri", "area"), combine_cases([one for one in UNRELIABLE if one], LISTS))
def test_3_the_next_page_is_counted_and_its_uri_not_followed(clients: Clients, area: str, uri: Any) -> None:
    first = {"message": "OK", "page": {"data": [{"id": text_or_number(area, 1)}]}, "nextPageUri": uri}
    second = {"message": "OK", "page": {"data": [{"id": text_or_number(area, 2)}]}, "firstPageUri": uri}
    client, exchange = clients(ok(first), ok(second), token=TOKEN)
    assert [str(record.id) for record in LISTS[area](client)] == ["1", "2"]
    assert {request.url.host for request in exchange.requests} == {"service.example"}
    assert len({request.url.path for request in exchange.requests}) == 1


# 4. Error bodies differ

BODIES: list[tuple[Any, str | None]] = [
    ({"status": 400, "message": "The name is taken by another."}, "The name is taken by another."),
    ({"status": "400", "message": "The name is odd."}, "The name is odd."),
    ({"code": 400, "message": "The name is odd."}, "The name is odd."),
    ({"errors": [{"field": "name", "defaultMessage": "may not be empty", "code": "NotEmpty"}]}, "may not be empty"),
    ({"title": "Bad Request", "status": 400, "detail": "The name is odd."}, "The name is odd."),
    ({}, None),
    ("", None),
    ("The name is odd.", "The name is odd."),
    ("<html><body>Bad Request</body></html>", None),
    ({"status": 400, "moreInfoUrl": "https://elsewhere.example"}, None),
]


@pytest.mark.parametrize(("body", "sentence", "method"), combine_cases(BODIES, METHODS))
def test_4_every_error_body_is_read(clients: Clients, method: str, body: Any, sentence: str | None) -> None:
    content = body if isinstance(body, str) else json.dumps(body)
    client, _ = clients(lambda request: httpx.Response(400, text=content), token=TOKEN)
    with pytest.raises(Invalid) as caught:
        METHODS[method](client)
    assert caught.value.service_message == sentence
    assert caught.value.status == 400
    assert "<" not in caught.value.message


NONSENSE = [
    b"",
    b"null",
    b"5",
    b'"',
    b"\xff\xfe",
    b"NaN",
    b'{"id": NaN}',
    b'{"id": 1e999}',
    b'{"message": {}, "code": {}, "data": {}, "page": 5, "id": [], "errors": 7, "individualResponses": 7}',
    b'{"message": "OK", "page": {"data": [null, 5, []]}, "data": [null], "individualResponses": [null]}',
    b"[" * 2000,
    b'{"data":' * 2000,
]


@pytest.mark.parametrize(("status", "method"), combine_cases([200, 400, 500], METHODS))
def test_4_an_unreadable_error_body_gives_a_plain_message_or_none(clients: Clients, method: str, status: int) -> None:
    for content in NONSENSE:
        client, _ = clients(lambda request, content=content: httpx.Response(status, content=content), token=TOKEN)
        error = error_of(METHODS[method], client)
        if error is None:
            # A batch reports the error by row.
            assert status == 200 or method.endswith("_batch"), content
            continue
        assert error.request is not None
        assert error.message.strip()
        assert not error.message.startswith(("{", "["))


@pytest.mark.parametrize(
    ("body", "area"), combine_cases(["", "{}", "<html>502</html>", '{"status": "502"}'], [*LISTS, *READS])
)
def test_4_a_failing_gateway_is_reported_in_plain_words(clients: Clients, area: str, body: str) -> None:
    client, _ = clients(
        lambda request: httpx.Response(502, text=body), token=TOKEN, retry=RetryPolicy(attempts=2, first_wait=0)
    )
    with pytest.raises(ServiceFailed, match="A proxy responded instead"):
        LISTS[area](client) if area in LISTS else READS[area](client)


# 5. Statuses mislead


@pytest.mark.parametrize(
    ("method", "status", "message", "error"),
    combine_cases(
        METHODS,
        [
            (404, "Invalid credentials: Get User failed", NotAuthenticated),
            (401, "Invalid credentials: Get User failed", NotAuthenticated),
            (401, "Can not find the trip itinerary with ID. 5 within the organization 8800.", NotFound),
            (401, "User does not have API permissions for this method", NotAllowed),
            (401, "Org 8800 not accessible to this user, or does not exist.", NotAllowed),
            (404, "Region name: R is not found", NotFound),
        ],
    ),
)
def test_5_status_and_text_are_combined(
    clients: Clients, method: str, status: int, message: str, error: type[ServiceError]
) -> None:
    client, _ = clients(
        lambda request: httpx.Response(status, json={"status": status, "message": message}), token=TOKEN
    )
    with pytest.raises(error):
        METHODS[method](client)


# 6. Empty fields have three spellings


@pytest.mark.parametrize(
    ("message", "method"),
    combine_cases(["Field name is empty.", 'Field ["name"] is empty.', "Field ['name'] is empty"], METHODS),
)
def test_6_every_spelling_of_an_empty_field_names_it(clients: Clients, method: str, message: str) -> None:
    client, _ = clients(lambda request: httpx.Response(400, json={"status": 400, "message": message}), token=TOKEN)
    with pytest.raises(Invalid) as caught:
        METHODS[method](client)
    assert [error.field for error in caught.value.field_errors] == ["name"]


def test_6_an_invalid_field_is_named_as_well(clients: Clients) -> None:
    message = "Field contactFilterRules[1].columnValue is invalid: Input should be a list."
    client, _ = clients(httpx.Response(400, json={"status": 400, "message": message}))
    with pytest.raises(Invalid) as caught:
        METHODS["contact_filters.create"](client)
    assert [(error.field, error.message) for error in caught.value.field_errors] == [
        ("contactFilterRules[1].columnValue", "Input should be a list.")
    ]


# 7. Pages


@pytest.mark.parametrize(("size", "area"), combine_cases([1000, 100, 20, 10], LISTS))
def test_7_a_page_can_have_any_size(clients: Clients, area: str, size: int) -> None:
    records = [{"id": text_or_number(area, row + 1)} for row in range(size)]
    body = {"message": "OK", "page": {"pageSize": size, "data": records, "totalCount": size}}
    client, _ = clients(ok(body), token=TOKEN)
    page = LISTS[area](client)
    assert (len(page.items), page.page_size, page.total_count) == (size, size, size)


@pytest.mark.parametrize(("inside", "area"), combine_cases([True, False], LISTS))
def test_7_contradictory_totals_lose_nothing_and_an_empty_page_ends_the_list(
    clients: Clients, area: str, inside: bool
) -> None:
    def serve(request: httpx.Request) -> httpx.Response:
        parameters = request.url.params
        number = int(parameters.get("currentPageNo") or parameters["pageNumber"])
        records = [{"id": text_or_number(area, number)}] if number < 4 else []
        counts = {"pageSize": 1, "totalCount": 1, "totalPageCount": 99, "currentPageNo": 1, "start": 0}
        if inside:
            return ok({"message": "OK", "totalPageCount": 1, "page": counts | {"data": records}})
        return ok({"message": "OK", "data": records} | counts)

    client, _ = clients(serve, token=TOKEN)
    assert [str(record.id) for record in LISTS[area](client)] == ["1", "2", "3"]


@pytest.mark.parametrize("area", LISTS)
def test_7_a_missing_next_page_ends_the_list_whatever_the_totals(clients: Clients, area: str) -> None:
    inside = {"pageSize": 1, "data": [{"id": text_or_number(area, 1)}], "totalCount": 99, "totalPageCount": 99}
    client, exchange = clients(ok({"message": "OK", "firstPageUri": "https://x", "page": inside}), token=TOKEN)
    assert len(list(LISTS[area](client))) == 1
    assert len(exchange.requests) == 1


@pytest.mark.parametrize("area", LISTS)
def test_7_a_repeated_page_ends_the_list(clients: Clients, area: str) -> None:
    body = {"message": "OK", "page": {"data": [{"id": text_or_number(area, 1)}]}, "nextPageUri": "https://x"}
    client, exchange = clients(lambda request: ok(body), token=TOKEN)
    assert len(list(LISTS[area](client))) == 1
    assert len(exchange.requests) == 2


EMPTY: list[Any] = [
    [],
    {"message": "OK", "page": {"data": []}},
    {"message": "OK", "page": {"totalCount": 0}},
    {"message": "OK", "page": []},
    {"message": "OK", "data": []},
    {"data": [], "totalCount": 0},
    {"totalCount": 0},
]


@pytest.mark.parametrize(("body", "area"), combine_cases(EMPTY, LISTS))
def test_7_an_empty_response_is_an_empty_page(clients: Clients, area: str, body: Any) -> None:
    client, _ = clients(ok(body), token=TOKEN)
    page = LISTS[area](client)
    assert (page.items, page.has_next) == ([], False)


WRAPPINGS: list[Callable[[Any], Any]] = [
    lambda record: record,
    lambda record: [record],
    lambda record: {"message": "OK", "result": record},
    lambda record: {"message": "OK", "result": [record]},
    lambda record: {"data": record},
    lambda record: {"message": "OK", "page": {"pageSize": 10, "start": 0, "data": [record], "totalCount": 1}},
]


@pytest.mark.parametrize(("wrapping", "area"), combine_cases(range(len(WRAPPINGS)), READS))
def test_7_one_record_is_read_from_any_envelope(clients: Clients, area: str, wrapping: int) -> None:
    client, _ = clients(ok(WRAPPINGS[wrapping]({"id": 5, "name": "N"})), token=TOKEN)
    assert str(READS[area](client).id) == "5"


@pytest.mark.parametrize(
    ("body", "area"),
    combine_cases(
        [
            [],
            {"message": "OK", "page": {"data": []}},
            {"message": "OK", "result": []},
            {"message": "OK", "result": None},
            {"message": "OK", "result": {}},
            {"data": None},
            {"message": "OK", "page": {"pageSize": 10, "data": None}},
        ],
        READS,
    ),
)
def test_7_an_empty_page_in_place_of_a_record_is_not_found(clients: Clients, area: str, body: Any) -> None:
    client, _ = clients(ok(body), token=TOKEN)
    with pytest.raises(NotFound):
        READS[area](client)


@pytest.mark.parametrize("area", READS)
def test_7_an_object_without_a_field_of_the_record_is_not_a_record(clients: Clients, area: str) -> None:
    for body in ({"message": "OK"}, {}, {"status": "OK", "message": "Done."}, {"message": "OK", "result": [{}]}):
        client, _ = clients(ok(body), token=TOKEN)
        with pytest.raises(UndecodableAnswer):
            READS[area](client)


@pytest.mark.parametrize(
    "body",
    [
        [{"id": 1, "groupName": "G"}],
        {"id": 1, "groupName": "G"},
        {"message": "OK", "result": [{"id": 1, "groupName": "G"}]},
        {"message": "OK", "result": {"id": 1, "groupName": "G"}},
        {"message": "OK", "page": {"data": [{"id": "1", "groupName": "G"}]}},
    ],
    ids=str,
)
def test_7_event_groups_are_read_as_an_array_or_as_one_object(clients: Clients, body: Any) -> None:
    client, _ = clients(ok(body))
    assert [(group.id, group.group_name) for group in client.public_lookups.list_event_groups()] == [(1, "G")]


@pytest.mark.parametrize(
    "body",
    [
        {"cities": [{"id": 1, "name": "A", "state": "TX"}], "zipcodes": None},
        {"message": "OK", "result": {"cities": [{"id": 1, "name": "A", "state": "TX"}]}},
        {"cities": {"id": 1, "name": "A", "state": "TX"}, "zipcodes": [], "counties": []},
    ],
    ids=str,
)
def test_7_a_type_of_regions_may_be_missing(clients: Clients, body: Any) -> None:
    client, _ = clients(ok(body))
    regions = client.public_lookups.list_regions()
    assert [(city.id, city.name, city.state) for city in regions.cities] == [(1, "A", "TX")]
    assert (regions.zipcodes, regions.counties) == ([], [])


ODD: list[Any] = [None, {"id": None}, {"id": 7.5, "name": "B"}, {"groupName": "B"}, "B", [], {"id": "x"}]


@pytest.mark.parametrize("odd", ODD, ids=str)
def test_7_an_unreadable_entry_of_a_lookup_is_left_out(
    clients: Clients, odd: Any, caplog: pytest.LogCaptureFixture
) -> None:
    client, _ = clients(ok([odd, {"id": 1, "groupName": "G"}]), ok({"cities": [{"id": 2}, odd], "counties": [odd]}))
    assert [group.id for group in client.public_lookups.list_event_groups()] == [1]
    assert client.public_lookups.list_regions().ids == {2}
    assert ("were skipped" in caplog.text) is (odd is not None)


@pytest.mark.parametrize("odd", ODD[1:], ids=str)
def test_7_a_lookup_without_readable_entries_is_undecodable(clients: Clients, odd: Any) -> None:
    client, _ = clients(ok([odd]), ok({"cities": [odd], "zipcodes": []}))
    for read in (client.public_lookups.list_event_groups, client.public_lookups.list_regions):
        with pytest.raises(UndecodableAnswer):
            read()


# 8. Limits


@pytest.mark.parametrize("area", [*LISTS, *READS])
def test_8_a_read_waits_as_long_as_the_service_requests(clients: Clients, clock: FakeClock, area: str) -> None:
    answers = iter([httpx.Response(429, headers={"Retry-After": "7"}), httpx.Response(429)])
    body = {"message": "OK", "page": {"data": [{"id": "5"}]}}
    client, exchange = clients(lambda request: next(answers, None) or ok(body), token=TOKEN)
    LISTS[area](client) if area in LISTS else READS[area](client)
    assert len(exchange.requests) == 3
    assert sum(clock.waits) >= 7


@pytest.mark.parametrize("method", CREATES)
def test_8_a_create_refused_with_429_was_not_made_and_is_not_repeated(clients: Clients, method: str) -> None:
    client, exchange = clients(httpx.Response(429), token=TOKEN)
    with pytest.raises(TooManyRequests):
        METHODS[method](client)
    assert len(exchange.requests) == 1


# 9. Misspelt keys


def test_9_misspelled_column_names_are_not_corrected() -> None:
    assert {"registedEmail", "registedDate", "gislocation.lon"} <= {column.name for column in COLUMNS}


# 10. Times


@pytest.mark.parametrize(
    ("value", "moment", "area"),
    combine_cases(
        [
            (1_700_000_000_123, datetime(2023, 11, 14, 22, 13, 20, 123_000, tzinfo=UTC)),
            ("1700000000123", datetime(2023, 11, 14, 22, 13, 20, 123_000, tzinfo=UTC)),
            ("2023-11-14T22:13:20.123Z", datetime(2023, 11, 14, 22, 13, 20, 123_000, tzinfo=UTC)),
            ("2023-11-14T22:13:20Z", datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)),
            ("2023-11-14T22:13:20.123+0000", datetime(2023, 11, 14, 22, 13, 20, 123_000, tzinfo=UTC)),
            ("2023-11-14T22:13:20", datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC)),
            (0, None),
            ("", None),
            ("soon", None),
            (None, None),
        ],
        READS,
    ),
)
def test_10_times_are_read_in_every_form(clients: Clients, area: str, value: Any, moment: datetime | None) -> None:
    names = ("lastUpdatedOn", "last_updated_on") if area == "lookup_mappings" else ("createdDate", "created_date")
    client, _ = clients(ok({"id": "5", names[0]: value}), token=TOKEN)
    assert getattr(READS[area](client), names[1]) == moment


# Dynamic locations: statuses of every case, and unknown ones


@pytest.mark.parametrize("status", ["UPLOADED", "Queuing", "processing", "GeoCoding"])
def test_a_batch_in_progress_is_running(status: str) -> None:
    batch = UploadBatch.from_wire({"id": 1, "uploadStatus": status, "successNum": 5})
    assert is_running(batch)
    assert is_running(batch, batch)


@pytest.mark.parametrize("status", ["DONE", "done", "completed", "Completed", "FAILED", "CANCELLED", "canceled"])
def test_a_finished_batch_is_not_running(status: str) -> None:
    batch = UploadBatch.from_wire({"id": 1, "uploadStatus": status, "successNum": 5})
    previous = UploadBatch.from_wire({"id": 1, "uploadStatus": status, "successNum": 4})
    assert not is_running(batch)
    assert not is_running(batch, previous)
    assert batch.has_failed == (status[0].casefold() in "f" or status.casefold().startswith("cancel"))


@pytest.mark.parametrize(
    ("status", "count"),
    combine_cases(
        ["VALIDATING", "", None], ["successNum", "withErrorNum", "criticalNum", "geoSuccessNum", "geoFailNum"]
    ),
)
def test_an_unknown_status_means_running_only_while_the_counts_change(status: str | None, count: str) -> None:
    previous = UploadBatch.from_wire({"id": 1, "uploadStatus": status, count: 4})
    moved = UploadBatch.from_wire({"id": 1, "uploadStatus": status, count: "5"})
    assert is_running(previous)
    assert is_running(moved, previous)
    assert not is_running(moved, moved)


def test_a_batch_reports_the_errors_of_its_rows(clients: Clients) -> None:
    error = {"rowNumber": 2, "columnName": "lat", "columnValue": 95.2, "uploadErrorCode": "LAT_RANGE_INVALID"}
    record = {"id": 5, "uploadStatus": "DONE", "successNum": 1, "withErrorNum": 1, "rowErrors": [error], "x": 1}
    client, _ = clients(ok({"message": "OK", "result": record}))
    batch = client.dynamic_locations.retrieve(5)
    assert [(row.row, row.column_name, row.column_value, row.upload_error_code) for row in batch.row_errors] == [
        (2, "lat", "95.2", "LAT_RANGE_INVALID")
    ]
