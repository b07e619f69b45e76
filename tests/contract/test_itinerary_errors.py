"""The itinerary error table, limits, and network faults, client and service over real HTTP."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from client import (
    Connection,
    ConnectionFailed,
    Invalid,
    NotAllowed,
    NotAuthenticated,
    NotFound,
    OutcomeUnknown,
    RetryPolicy,
    ServiceClient,
    ServiceError,
    ServiceFailed,
    TooManyRequests,
    UndecodableAnswer,
    fan_out,
)
from client.classify import classify
from client.models.itineraries import Itinerary, Segment
from client.vocabulary.limits import BATCH_ADD, BATCH_DELETE
from tests.contract.trips import trip
from tests.running_service import OTHER_ORGANIZATION_ID, RunningService

CALLS: dict[str, Callable[[ServiceClient], object]] = {
    "add": lambda client: client.itineraries.create(trip()),
    "batch add": lambda client: client.itineraries.create_batch([trip()]),
    "update": lambda client: client.itineraries.update(5, trip()),
    "delete": lambda client: client.itineraries.delete(5),
    "batch delete": lambda client: client.itineraries.delete_batch([5]),
    "query": lambda client: client.itineraries.search(field_name="pnr", values=["A"]),
    "expected locations": lambda client: client.itineraries.list_expected_locations(5),
    "check": lambda client: client.check_access(),
}
FAST_RETRIES = RetryPolicy(attempts=3, first_wait=0.001)


@pytest.fixture
def client(service: RunningService) -> Iterator[ServiceClient]:
    with service.client() as client:
        yield client


@pytest.fixture(scope="module")
def unchanged_service() -> Iterator[RunningService]:
    """A shared service for tests in which every request is refused."""
    with RunningService() as service:
        yield service


def connection_of(service: RunningService, **changed: Any) -> Connection:
    facts = {
        "base_url": service.url,
        "organization_id": service.organization_id,
        "username": service.username,
        "password": service.password,
    }
    return Connection(**(facts | changed))


# Authentication


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("wrong", [{"password": "guess"}, {"username": "nobody"}, {"password": ""}])
def test_wrong_credentials_are_reported_whatever_the_status(
    unchanged_service: RunningService, call: str, wrong: dict[str, str]
) -> None:
    with (
        ServiceClient.connect(connection_of(unchanged_service, **wrong)) as client,
        pytest.raises(NotAuthenticated) as caught,
    ):
        CALLS[call](client)
    assert caught.value.status == (404 if call in ("update", "delete") else 401)
    assert caught.value.service_message == "Invalid credentials: Get User failed"


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("organization_id", [OTHER_ORGANIZATION_ID, 424242])
def test_an_organization_without_access_is_distinguished_from_wrong_credentials(
    unchanged_service: RunningService, call: str, organization_id: int
) -> None:
    connection = connection_of(unchanged_service, organization_id=organization_id)
    with ServiceClient.connect(connection) as client, pytest.raises(NotAllowed):
        CALLS[call](client)


# The rows of the error table


def test_travelers_without_a_contact_are_refused_on_add_and_update(client: ServiceClient) -> None:
    created = client.itineraries.create(trip("FIRST1"))
    stranger = trip(passengers=[trip().passengers[0].model_copy(update={"employee_id": "E-new"})])
    for call in (
        lambda: client.itineraries.create(stranger, auto_create_contact=False),
        lambda: client.itineraries.update(created.id, stranger, auto_create_contact=False),
    ):
        with pytest.raises(Invalid) as caught:
            call()
        assert caught.value.status == 400
        assert caught.value.service_message == "Travel matching error, no contact matching."
        assert [error.field for error in caught.value.field_errors] == ["passengers"]


def test_trips_with_only_invalid_segments_are_refused_on_add_and_update(client: ServiceClient) -> None:
    created = client.itineraries.create(trip("FIRST1"))
    timeless = trip(segments=[Segment(type="Air", from_iata_code="AUH", to_iata_code="KWI")])
    for call in (
        lambda: client.itineraries.create(timeless),
        lambda: client.itineraries.update(created.id, timeless),
    ):
        with pytest.raises(Invalid) as caught:
            call()
        assert caught.value.service_message == "All segments of the itinerary are invalid, PNR creation failed"
        assert [error.field for error in caught.value.field_errors] == ["segments"]


@pytest.mark.parametrize(
    ("itinerary", "fields"),
    [
        (Itinerary(pnr="A"), ["segments"]),
        (Itinerary(segments=trip().segments), ["pnr"]),
        (Itinerary(pnr="A", segments=[Segment(from_iata_code="AUH")]), ["segments.type"]),
        (Itinerary(pnr="A", segments=[Segment(type="Hotel")]), ["segments.fromAddress"]),
    ],
)
@pytest.mark.parametrize("method", ["add", "update"])
def test_client_and_service_refuse_the_same_trips_at_the_same_fields(
    client: ServiceClient, service: RunningService, itinerary: Itinerary, fields: list[str], method: str
) -> None:
    created = client.itineraries.create(trip("FIRST1"))
    send = client.itineraries.create if method == "add" else partial(client.itineraries.update, created.id)
    with pytest.raises(Invalid) as caught:
        send(itinerary)
    assert caught.value.sent is False
    assert [error.field.replace("[0]", "") for error in caught.value.field_errors] == fields
    # The service would return the same error.
    path = f"/itineraries/{service.organization_id}"
    answer = (
        service.http.post(path, json=itinerary.to_wire())
        if method == "add"
        else service.http.put(f"{path}/{created.id}", json=itinerary.to_wire())
    )
    error = classify(answer.status_code, answer.content)
    assert isinstance(error, Invalid)
    assert [entry.field for entry in error.field_errors] == fields


def test_client_and_service_refuse_the_same_batch_rows(client: ServiceClient, service: RunningService) -> None:
    rows = [Itinerary(segments=trip().segments), Itinerary(pnr="A", segments=[Segment(type="Hotel")]), trip()]
    answer = service.http.post(
        f"/itineraries/{service.organization_id}/batch", json=[row.to_wire() for row in rows]
    ).json()
    assert answer["code"] == 200
    assert answer["data"][:2] == ["Field pnr is empty.", "Field segments.fromAddress is empty."]
    outcome = client.itineraries.create_batch(rows)
    assert [(failure.row, failure.sent) for failure in outcome.failed] == [(0, False), (1, False)]
    assert [success.row for success in outcome.succeeded] == [2]


def test_an_unknown_trip_is_not_found_whatever_the_status(client: ServiceClient) -> None:
    for call in ("update", "delete"):
        with pytest.raises(NotFound) as caught:
            CALLS[call](client)
        assert caught.value.status == 401
        assert (
            caught.value.service_message == "Can not find the trip itinerary with ID. 5 within the organization 8800."
        )
    with pytest.raises(NotFound):
        CALLS["expected locations"](client)


# Limits


def test_the_service_refuses_batches_larger_than_the_client_sends(service: RunningService) -> None:
    path = f"/itineraries/{service.organization_id}/batch"
    too_many = service.http.post(path, json=[trip().to_wire()] * (BATCH_ADD + 1))
    assert isinstance(classify(too_many.status_code, too_many.content), Invalid)
    too_many = service.http.request("DELETE", path, json=list(range(1, BATCH_DELETE + 2)))
    assert isinstance(classify(too_many.status_code, too_many.content), Invalid)


# A network and a service with faults


def faulty(*faults: dict[str, Any]) -> RunningService:
    return RunningService(faults={"fault": list(faults)})


def locators(client: ServiceClient) -> list[int]:
    return [found.id for found in client.itineraries.search(field_name="pnr", values=["WSVM7K"])]


@pytest.mark.parametrize(
    "fault",
    [
        {"kind": "status", "status": 429},
        {"kind": "status", "status": 429, "retry_after": 0},
        {"kind": "status", "status": 502},
        {"kind": "status", "status": 503},
        {"kind": "status", "status": 504},
        {"kind": "drop", "when": "before"},
        {"kind": "drop", "when": "after"},
        {"kind": "truncate", "bytes": 10},
    ],
    ids=str,
)
def test_a_read_succeeds_despite_a_temporary_fault(fault: dict[str, Any]) -> None:
    with faulty({**fault, "times": 2}) as service, service.client(retry=FAST_RETRIES) as client:
        assert locators(client) == []


@pytest.mark.parametrize(
    ("fault", "done"),
    [
        ({"kind": "drop", "when": "after"}, True),
        ({"kind": "drop", "when": "before"}, False),
        ({"kind": "truncate", "bytes": 10}, True),
        ({"kind": "status", "status": 502}, False),
    ],
    ids=str,
)
def test_a_create_whose_response_is_lost_is_unknown_and_not_repeated(fault: dict[str, Any], done: bool) -> None:
    with (
        faulty({**fault, "times": 1, "methods": ["POST"]}) as service,
        service.client(retry=FAST_RETRIES) as client,
    ):
        with pytest.raises(OutcomeUnknown) as caught:
            client.itineraries.create(trip())
        assert caught.value.request is not None
        assert caught.value.request.body == trip().to_wire()
        # A user checks before sending again.
        assert len(locators(client)) == done


def test_an_update_whose_response_is_lost_is_repeated() -> None:
    with (
        faulty({"kind": "drop", "when": "after", "times": 1, "methods": ["PUT"]}) as service,
        service.client(retry=FAST_RETRIES) as client,
    ):
        created = client.itineraries.create(trip())
        assert client.itineraries.update(created.id, trip("NEWONE")).id == created.id


def test_a_delete_whose_response_is_lost_is_unknown_and_not_repeated() -> None:
    with (
        faulty({"kind": "drop", "when": "after", "times": 1, "methods": ["DELETE"]}) as service,
        service.client(retry=FAST_RETRIES) as client,
    ):
        created = client.itineraries.create(trip())
        with pytest.raises(OutcomeUnknown):
            client.itineraries.delete(created.id)
        assert locators(client) == []


def test_a_batch_whose_second_response_is_lost_is_reported_by_row() -> None:
    fault = {"kind": "drop", "when": "after", "times": 1, "skip": 1, "path": "/itineraries/8800/batch"}
    with faulty(fault) as service, service.client(retry=FAST_RETRIES) as client:
        outcome = client.itineraries.create_batch([trip(f"P{number:05}") for number in range(120)])
        assert [success.row for success in outcome.succeeded] == list(range(50))
        assert outcome.unknown == list(range(50, 100))
        assert outcome.not_attempted == list(range(100, 120))
        # The changes were made: Unknown means "may or may not have been made".
        assert [found.id for found in client.itineraries.search(field_name="pnr", values=["P00075"])]
        assert not [found.id for found in client.itineraries.search(field_name="pnr", values=["P00110"])]


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ({"kind": "status", "status": 429}, TooManyRequests),
        ({"kind": "status", "status": 503}, ServiceFailed),
        ({"kind": "status", "status": 500}, ServiceFailed),
        ({"kind": "drop", "when": "before"}, ConnectionFailed),
    ],
    ids=str,
)
def test_a_lasting_fault_raises_its_error_class(fault: dict[str, Any], error: type[ServiceError]) -> None:
    with faulty(fault) as service, service.client(retry=FAST_RETRIES) as client, pytest.raises(error):
        locators(client)


def test_a_stopped_service_received_nothing() -> None:
    with RunningService() as service:
        connection = connection_of(service)
    with ServiceClient.connect(connection, retry=FAST_RETRIES) as client:
        for call in CALLS.values():
            with pytest.raises(ConnectionFailed) as caught:
                call(client)
            assert caught.value.sent is False


def test_a_response_from_another_server_is_recognized(service: RunningService) -> None:
    connection = connection_of(service, base_url=service.url + "/elsewhere")
    with ServiceClient.connect(connection) as client, pytest.raises((NotFound, UndecodableAnswer)):
        client.itineraries.search(field_name="pnr", values=["A"])


def test_a_fan_out_over_an_unreliable_network_loses_nothing() -> None:
    fault = {"kind": "drop", "when": "before", "rate": 0.2, "methods": ["GET"]}
    with faulty(fault) as service, service.client(retry=RetryPolicy(attempts=12, first_wait=0.001)) as client:
        outcome = client.itineraries.create_batch([trip(f"P{number:05}") for number in range(40)])
        ids = [success.id for success in outcome.succeeded if success.id is not None]
        read = fan_out(lambda itinerary_id: list(client.itineraries.list_expected_locations(itinerary_id)), ids)
        counts = {result.item: len(result.result()) for result in read}
    assert counts == dict.fromkeys(ids, 3)
