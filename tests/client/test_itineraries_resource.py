"""The itinerary endpoints: the requests, refusals, and results of each method."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from client import BatchFailure, Invalid, ModificationResult, NotFound, OutcomeUnknown, UndecodableAnswer
from client.models.itineraries import Address, Itinerary, Segment
from client.vocabulary.limits import BATCH_ADD, BATCH_ADD_WITH_CONTACTS, BATCH_DELETE
from tests.client.conftest import Clients

SEGMENT = Segment(type="Hotel", from_address=Address(city="Kuwait"))
TRIP = Itinerary(pnr="WSVM7K", segments=[SEGMENT])
OK = {
    "message": "OK",
    "id": 5,
    "baseUri": "https://service.example/rest/itineraries/8800/",
    "instanceUri": "https://service.example/rest/itineraries/8800/5",
}


def ok(body: Any = OK) -> httpx.Response:
    return httpx.Response(200, json=body)


def test_create_sends_the_trip_with_its_options(clients: Clients) -> None:
    client, exchange = clients(ok())
    result = client.itineraries.create(TRIP)
    assert isinstance(result, ModificationResult)
    assert (result.id, result.message, result.instance_uri) == (5, "OK", OK["instanceUri"])
    request = exchange.requests[0]
    assert (request.method, request.url.path) == ("POST", "/itineraries/8800")
    assert request.headers["Content-Type"] == "application/json"
    assert dict(request.url.params) == {"autoCreateContact": "true", "emailCaseSensitiveInExternalId": "true"}
    assert exchange.body() == TRIP.to_wire()


def test_create_sends_changed_options(clients: Clients) -> None:
    client, exchange = clients(ok())
    client.itineraries.create(TRIP, auto_create_contact=False, contact_record_type_id=77, email_case_sensitive=False)
    assert dict(exchange.requests[0].url.params) == {
        "autoCreateContact": "false",
        "contactRecordTypeId": "77",
        "emailCaseSensitiveInExternalId": "false",
    }


def test_update_sends_the_trip_to_its_id(clients: Clients) -> None:
    client, exchange = clients(ok())
    assert client.itineraries.update(5, TRIP, contact_record_type_id=77).id == 5
    request = exchange.requests[0]
    assert (request.method, request.url.path) == ("PUT", "/itineraries/8800/5")
    assert dict(request.url.params) == {"autoCreateContact": "true", "contactRecordTypeId": "77"}
    assert exchange.body() == TRIP.to_wire()


def test_delete_sends_no_body(clients: Clients) -> None:
    client, exchange = clients(ok())
    assert client.itineraries.delete(5).id == 5
    request = exchange.requests[0]
    assert (request.method, request.url.path, request.content) == ("DELETE", "/itineraries/8800/5", b"")


@pytest.mark.parametrize("identity", [2**53 + 1, 2**63 + 5])
@pytest.mark.parametrize("form", [int, str])
def test_ids_keep_every_digit_when_sent_and_read(clients: Clients, identity: int, form: Callable[[int], Any]) -> None:
    client, exchange = clients(ok({"message": "OK", "id": form(identity)}), ok({"message": "OK", "page": {"data": []}}))
    assert client.itineraries.create(TRIP).id == identity
    client.itineraries.list_expected_locations(identity)
    assert exchange.requests[1].url.path == f"/itineraries/expectedLocations/8800/{identity}"


@pytest.mark.parametrize("body", [b"", b'{"message": "OK"}', b'{"message": "ok", "id": ""}', b'{"id": 5}'])
def test_an_incomplete_response_to_update_or_delete_uses_the_requested_id(clients: Clients, body: bytes) -> None:
    client, _ = clients(httpx.Response(200, content=body), httpx.Response(200, content=body))
    assert client.itineraries.update(5, TRIP).id == 5
    assert client.itineraries.delete(5).id == 5


@pytest.mark.parametrize("body", [b"", b'{"message": "OK"}', b'{"message": "OK", "id": 0}', b'{"id": 5.0}'])
def test_a_create_response_without_an_id_is_undecodable(clients: Clients, body: bytes) -> None:
    client, _ = clients(httpx.Response(200, content=body))
    with pytest.raises(UndecodableAnswer):
        client.itineraries.create(TRIP)


@pytest.mark.parametrize(
    ("status", "message", "field"),
    [
        (400, "Travel matching error, no contact matching.", "passengers"),
        (400, "The itinerary does not contain any segments", "segments"),
        (400, "All segments of the itinerary are invalid, PNR creation failed", "segments"),
        (400, 'Field ["segments.type"] is empty.', "segments.type"),
    ],
)
def test_errors_name_their_field(clients: Clients, status: int, message: str, field: str) -> None:
    client, _ = clients(httpx.Response(status, json={"status": status, "message": message}))
    with pytest.raises(Invalid) as caught:
        client.itineraries.update(5, TRIP)
    assert [error.field for error in caught.value.field_errors] == [field]
    assert caught.value.sent is True
    assert caught.value.service_message == message


@pytest.mark.parametrize(
    "call",
    [
        lambda itineraries: itineraries.create(Itinerary()),
        lambda itineraries: itineraries.create(TRIP, contact_record_type_id=0),
        lambda itineraries: itineraries.update(5, Itinerary(pnr="A")),
        lambda itineraries: itineraries.update(5.0, TRIP),
        lambda itineraries: itineraries.delete(0),
        lambda itineraries: itineraries.delete(True),
        lambda itineraries: itineraries.delete_batch([1, "2"]),
        lambda itineraries: itineraries.search(field_name="recordLocator", values=["A"]),
        lambda itineraries: itineraries.search(field_name="pnr", values=[]),
        lambda itineraries: itineraries.search(field_name="pnr", values=["A", " "]),
        lambda itineraries: itineraries.search(field_name="pnr", values="WSVM7K"),
        lambda itineraries: itineraries.search(field_name="pnr", values=["A"], page_number=0),
        lambda itineraries: itineraries.list_expected_locations(-1),
        lambda itineraries: itineraries.list_expected_locations(1, page_number=0),
    ],
)
def test_bad_input_is_refused_before_anything_is_sent(clients: Clients, call: Callable[[Any], object]) -> None:
    client, exchange = clients()
    with pytest.raises(Invalid) as caught:
        call(client.itineraries)
    assert caught.value.sent is False
    assert caught.value.field_errors
    assert exchange.requests == []


def numbered_trips(count: int) -> list[Itinerary]:
    return [Itinerary(pnr=f"P{number}", segments=[SEGMENT]) for number in range(count)]


def serve_batch_add(request: httpx.Request) -> httpx.Response:
    locators = [trip["pnr"] for trip in json.loads(request.content)]
    return ok({"message": "OK", "code": 100, "data": [locator.removeprefix("P") for locator in locators]})


@pytest.mark.parametrize(("auto_create_contact", "limit"), [(True, BATCH_ADD_WITH_CONTACTS), (False, BATCH_ADD)])
@pytest.mark.parametrize("beyond", [-1, 0, 1])
def test_a_batch_add_follows_its_limit(clients: Clients, auto_create_contact: bool, limit: int, beyond: int) -> None:
    client, exchange = clients(serve_batch_add)
    count = 2 * limit + beyond
    outcome = client.itineraries.create_batch(numbered_trips(count), auto_create_contact=auto_create_contact)
    assert [len(json.loads(request.content)) for request in exchange.requests] == [
        size for size in (limit, min(limit, count - limit), count - 2 * limit) if size > 0
    ]
    assert {(request.method, request.url.path) for request in exchange.requests} == {
        ("POST", "/itineraries/8800/batch")
    }
    assert [(success.row, success.id) for success in outcome.succeeded] == [(row, row) for row in range(count)]
    assert outcome.is_complete


def test_invalid_rows_are_not_sent_and_rows_keep_their_numbers(clients: Clients) -> None:
    client, exchange = clients(ok({"message": "OK", "code": 200, "data": ["7", "Field pnr is empty."]}))
    trips = [Itinerary(segments=[SEGMENT]), TRIP, Itinerary(pnr="B"), TRIP]
    outcome = client.itineraries.create_batch(trips)
    assert len(exchange.body()) == 2
    assert [(success.row, success.id) for success in outcome.succeeded] == [(1, 7)]
    assert [(failure.row, failure.sent) for failure in outcome.failed] == [(0, False), (2, False), (3, True)]
    assert outcome.failed[2] == BatchFailure(3, "Field pnr is empty.")


def test_a_response_lost_during_a_batch_leaves_its_rows_unknown(clients: Clients) -> None:
    client, exchange = clients(
        ok({"message": "OK", "code": 100, "data": [str(number) for number in range(50)]}),
        httpx.ReadTimeout("slow"),
    )
    outcome = client.itineraries.create_batch(numbered_trips(120))
    assert len(exchange.requests) == 2
    assert [success.row for success in outcome.succeeded] == list(range(50))
    assert outcome.unknown == list(range(50, 100))
    assert outcome.not_attempted == list(range(100, 120))
    assert isinstance(outcome.stopped_by, OutcomeUnknown)


def test_empty_batches_send_nothing(clients: Clients) -> None:
    client, exchange = clients()
    assert client.itineraries.create_batch([]).total == 0
    assert client.itineraries.delete_batch([]).total == 0
    assert exchange.requests == []


def test_a_batch_delete_follows_its_limit_and_sends_each_id_once(clients: Clients) -> None:
    def serve(request: httpx.Request) -> httpx.Response:
        ids = json.loads(request.content)
        missing = [f"{identity}: Not found." for identity in ids if identity % 1000 == 0]
        body = {"message": "OK", "code": 200 if missing else 100}
        return ok(body | ({"data": missing} if missing else {}))

    client, exchange = clients(serve)
    ids = [*range(1, BATCH_DELETE + 2), 5, 1000]
    outcome = client.itineraries.delete_batch(ids)
    sent = [json.loads(request.content) for request in exchange.requests]
    assert sent == [list(range(1, BATCH_DELETE + 1)), [BATCH_DELETE + 1]]
    assert {(request.method, request.url.path) for request in exchange.requests} == {
        ("DELETE", "/itineraries/8800/batch")
    }
    assert [failure.row for failure in outcome.failed] == [999, 1999, BATCH_DELETE + 2]
    assert outcome.total == len(ids)
    assert {success.id for success in outcome.succeeded if success.row == BATCH_DELETE + 1} == {5}


def test_search_sends_its_criteria_and_reads_ids(clients: Clients) -> None:
    client, exchange = clients(
        ok({"message": "OK", "page": {"pageSize": 1000, "data": [{"id": "7"}]}, "totalCount": 1})
    )
    page = client.itineraries.search(field_name="externalItineraryId", values=["A", "B"], page_number=2)
    assert [reference.id for reference in page] == [7]
    assert page.number == 2
    request = exchange.requests[0]
    assert (request.method, request.url.path) == ("POST", "/itineraries/query/8800")
    assert dict(request.url.params) == {"pageNumber": "2"}
    assert exchange.body() == {"fieldName": "externalItineraryId", "fieldValues": ["A", "B"]}


def test_a_search_reads_later_pages_on_demand(clients: Clients) -> None:
    client, exchange = clients(
        ok({"nextPageUri": "x", "page": {"data": [{"id": 1}]}}),
        ok({"firstPageUri": "x", "page": {"data": [{"id": 2}]}}),
    )
    page = client.itineraries.search(field_name="pnr", values=["A"])
    found = iter(page)
    assert next(found).id == 1
    assert len(exchange.requests) == 1
    assert [reference.id for reference in found] == [2]
    assert exchange.body() == {"fieldName": "pnr", "fieldValues": ["A"]}
    assert [reference.id for reference in page.items] == [1]


def test_all_expected_locations_of_a_trip_are_read(clients: Clients) -> None:
    def page(number: int, more: bool) -> httpx.Response:
        inside = {
            "pageSize": 1,
            "start": number - 1,
            "data": [{"id": number, "travelCategory": "Air"}],
            "totalCount": 2,
        }
        return ok({"message": "OK", "firstPageUri": "x", "page": inside} | ({"nextPageUri": "x"} if more else {}))

    client, exchange = clients(page(1, True), page(2, False))
    assert [(location.id, location.kind) for location in client.itineraries.list_expected_locations(5)] == [
        (1, "Air"),
        (2, "Air"),
    ]
    assert [(request.method, str(request.url)) for request in exchange.requests] == [
        ("GET", f"https://service.example/itineraries/expectedLocations/8800/5?pageNumber={number}")
        for number in (1, 2)
    ]


def test_expected_locations_of_a_missing_trip_are_not_found(clients: Clients) -> None:
    client, _ = clients(
        httpx.Response(
            401, json={"message": "Can not find the trip itinerary with ID. 5 within the organization 8800."}
        )
    )
    with pytest.raises(NotFound):
        client.itineraries.list_expected_locations(5)
