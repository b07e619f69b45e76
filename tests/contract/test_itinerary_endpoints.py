"""The seven itinerary endpoints, client and service over real HTTP: successful calls."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from client import Invalid, NotFound, ServiceClient
from client.models.itineraries import ExpectedLocation, Itinerary, Passenger
from client.vocabulary.limits import BATCH_ADD, BATCH_DELETE
from tests.contract.trips import ANA, BEN, CAR, FLIGHT, STAY, TRAIN, canceled, trip
from tests.running_service import RunningService


@pytest.fixture
def client(service: RunningService) -> Iterator[ServiceClient]:
    with service.client() as client:
        yield client


def ids_of(client: ServiceClient, *locators: str) -> list[int]:
    return [found.id for found in client.itineraries.search(field_name="pnr", values=list(locators))]


def places(locations: list[ExpectedLocation]) -> set[tuple[str | None, str | None, str | None]]:
    return {(location.kind, location.travel_type, location.contact_external_id) for location in locations}


# Add


def test_add_returns_a_modification_result(client: ServiceClient, service: RunningService) -> None:
    result = client.itineraries.create(trip())
    assert result.message == "OK"
    assert result.base_uri == f"{service.url}/rest/itineraries/8800/"
    assert result.instance_uri == f"{service.url}/rest/itineraries/8800/{result.id}"
    assert ids_of(client, "WSVM7K") == [result.id]


def test_add_creates_expected_locations_for_every_traveler_and_place(client: ServiceClient) -> None:
    created = client.itineraries.create(trip(segments=[FLIGHT, STAY, TRAIN, CAR], passengers=[ANA, BEN]))
    locations = list(client.itineraries.list_expected_locations(created.id))
    kinds = {("Air", "Departure"), ("Air", "Arrival"), ("Hotel", "Stay")} | {
        (kind, end) for kind in ("Rail", "Car") for end in ("Departure", "Arrival")
    }
    assert places(locations) == {(*kind, person) for kind in kinds for person in ("E-ana", "E-ben")}
    assert len(locations) == 14
    assert all(location.position for location in locations)
    assert {location.address.location_source_id for location in locations} == {str(created.id)}


def test_windows_open_a_day_before_departure_and_close_a_day_after_arrival(client: ServiceClient) -> None:
    created = client.itineraries.create(trip(segments=[FLIGHT, STAY, TRAIN]))
    windows = {
        (location.kind, location.travel_type): (location.address.arrive_date, location.address.expire_date)
        for location in client.itineraries.list_expected_locations(created.id)
    }

    def utc(*parts: int) -> datetime:
        return datetime(2026, 11, *parts, tzinfo=UTC)  # type: ignore[arg-type, misc]

    assert windows == {
        ("Air", "Departure"): (utc(19, 4, 5), utc(20, 4, 5)),
        ("Air", "Arrival"): (utc(20, 5, 40), utc(21, 5, 40)),
        ("Hotel", "Stay"): (utc(20, 10), utc(23, 7)),
        ("Rail", "Departure"): (utc(23, 8), utc(24, 8)),
        ("Rail", "Arrival"): (utc(24, 11, 30), utc(25, 11, 30)),
    }


def test_coordinates_come_from_the_airport_if_there_is_no_address(client: ServiceClient) -> None:
    created = client.itineraries.create(trip(segments=[FLIGHT]))
    by_end = {location.travel_type: location for location in client.itineraries.list_expected_locations(created.id)}
    assert by_end["Arrival"].address.iata == "KWI"
    assert by_end["Arrival"].position == pytest.approx((29.23, 47.97), abs=0.05)


def test_adding_a_canceled_trip_removes_the_existing_trip(client: ServiceClient) -> None:
    created = client.itineraries.create(trip())
    client.itineraries.create(canceled())
    assert ids_of(client, "WSVM7K") == []
    with pytest.raises(NotFound):
        client.itineraries.list_expected_locations(created.id)


def test_travelers_without_a_contact_are_refused_unless_contacts_can_be_created(client: ServiceClient) -> None:
    with pytest.raises(Invalid, match="traveler"):
        client.itineraries.create(trip(), auto_create_contact=False)
    client.itineraries.create(trip("FIRST1"), contact_record_type_id=77)
    again = client.itineraries.create(trip("AGAIN1"), auto_create_contact=False)
    assert {location.contact_external_id for location in client.itineraries.list_expected_locations(again.id)} == {
        "E-ana"
    }


@pytest.mark.parametrize("sensitive", [True, False])
def test_the_case_of_an_email_as_employee_id_counts_only_if_requested(client: ServiceClient, sensitive: bool) -> None:
    client.itineraries.create(
        trip("FIRST1", passengers=[Passenger(employee_id="Ana@Travel.example", first_name="A", last_name="S")])
    )
    other = trip("AGAIN1", passengers=[Passenger(employee_id="ana@travel.EXAMPLE", first_name="A", last_name="S")])
    if sensitive:
        with pytest.raises(Invalid):
            client.itineraries.create(other, auto_create_contact=False, email_case_sensitive=True)
    else:
        assert client.itineraries.create(other, auto_create_contact=False, email_case_sensitive=False).id


# Update


def test_update_replaces_the_trip_and_its_expected_locations(client: ServiceClient) -> None:
    created = client.itineraries.create(trip())
    result = client.itineraries.update(created.id, trip("NEWONE", segments=[CAR], passengers=[BEN]))
    assert (result.message, result.id) == ("OK", created.id)
    assert ids_of(client, "WSVM7K") == []
    assert ids_of(client, "NEWONE") == [created.id]
    assert places(list(client.itineraries.list_expected_locations(created.id))) == {
        ("Car", "Departure", "E-ben"),
        ("Car", "Arrival", "E-ben"),
    }


def test_updating_to_canceled_removes_the_trip_and_its_expected_locations(client: ServiceClient) -> None:
    created = client.itineraries.create(trip())
    client.itineraries.update(created.id, canceled())
    assert ids_of(client, "WSVM7K") == []
    with pytest.raises(NotFound):
        client.itineraries.list_expected_locations(created.id)


# Delete


def test_delete_removes_the_trip_and_its_expected_locations(client: ServiceClient) -> None:
    unchanged = client.itineraries.create(trip("KEPT01"))
    created = client.itineraries.create(trip())
    assert client.itineraries.delete(created.id).id == created.id
    assert ids_of(client, "WSVM7K", "KEPT01") == [unchanged.id]
    with pytest.raises(NotFound):
        client.itineraries.list_expected_locations(created.id)


# Batches


def test_a_batch_add_succeeds_row_by_row(client: ServiceClient) -> None:
    outcome = client.itineraries.create_batch([trip(f"BATCH{number}") for number in range(5)])
    assert outcome.is_complete
    for success in outcome.succeeded:
        assert ids_of(client, f"BATCH{success.row}") == [success.id]


def test_a_batch_add_that_partly_fails_reports_the_failed_rows(client: ServiceClient) -> None:
    client.itineraries.create(trip("FIRST1"))
    outcome = client.itineraries.create_batch(
        [trip("ROW000"), trip("ROW001", passengers=[BEN]), trip("ROW002")], auto_create_contact=False
    )
    assert [success.row for success in outcome.succeeded] == [0, 2]
    assert [(failure.row, failure.message) for failure in outcome.failed] == [
        (1, "Travel matching error, no contact matching")
    ]


def test_a_batch_add_that_fails_entirely_returns_a_result(client: ServiceClient) -> None:
    outcome = client.itineraries.create_batch([trip(), trip("OTHER1")], auto_create_contact=False)
    assert [failure.row for failure in outcome.failed] == [0, 1]
    assert not outcome.succeeded


def test_a_batch_add_above_the_limits_uses_several_calls(client: ServiceClient) -> None:
    outcome = client.itineraries.create_batch([trip(f"P{number:05}") for number in range(51)])
    assert outcome.is_complete
    assert len({success.id for success in outcome.succeeded}) == 51


def test_a_canceled_trip_in_a_batch_removes_the_existing_trip(client: ServiceClient) -> None:
    client.itineraries.create(trip())
    outcome = client.itineraries.create_batch([canceled(), trip("OTHER1")])
    assert outcome.is_complete
    assert ids_of(client, "WSVM7K") == []
    assert len(ids_of(client, "OTHER1")) == 1


def test_a_batch_delete_succeeds_fails_or_partly_fails_by_row(client: ServiceClient) -> None:
    ids = [client.itineraries.create(trip(f"ROW00{number}")).id for number in range(3)]
    partly = client.itineraries.delete_batch([ids[0], 999_999, ids[1], ids[0]])
    assert [(success.row, success.id) for success in partly.succeeded] == [(0, ids[0]), (2, ids[1]), (3, ids[0])]
    assert [(failure.row, failure.message) for failure in partly.failed] == [(1, "Not found.")]
    assert client.itineraries.delete_batch([ids[2]]).is_complete
    assert [failure.row for failure in client.itineraries.delete_batch(ids).failed] == [0, 1, 2]
    assert ids_of(client, "ROW000", "ROW001", "ROW002") == []


# Query


def test_search_finds_several_values_of_either_field(client: ServiceClient) -> None:
    first = client.itineraries.create(trip("FIRST1", external_itinerary_id="EXT-1"))
    second = client.itineraries.create(trip("SECOND", external_itinerary_id="EXT-2"))
    client.itineraries.create(trip("THIRD1"))
    page = client.itineraries.search(field_name="pnr", values=["FIRST1", "SECOND", "ABSENT"])
    assert {found.id for found in page} == {first.id, second.id}
    assert (page.number, page.total_count, page.has_next) == (1, 2, False)
    by_external_id = client.itineraries.search(field_name="externalItineraryId", values=["EXT-2"])
    assert [found.id for found in by_external_id] == [second.id]


def test_search_without_a_match_returns_an_empty_page(client: ServiceClient) -> None:
    page = client.itineraries.search(field_name="pnr", values=["ABSENT"])
    assert page.items == []
    assert not page.has_next


def test_search_returns_pages_of_1000(client: ServiceClient) -> None:
    client.itineraries.create(trip("SEED01"))
    bare = [trip(f"P{number:05}", segments=[STAY]) for number in range(BATCH_ADD + 5)]
    outcome = client.itineraries.create_batch(bare, auto_create_contact=False)
    assert outcome.is_complete
    locators = [itinerary.pnr for itinerary in bare]
    first = client.itineraries.search(field_name="pnr", values=locators)
    second = client.itineraries.search(field_name="pnr", values=locators, page_number=2)
    assert (len(first.items), len(second.items)) == (1000, 5)
    assert (first.has_next, second.has_next) == (True, False)
    assert (first.total_count, first.total_pages, first.page_size) == (1005, 2, 1000)
    assert {found.id for found in client.itineraries.search(field_name="pnr", values=locators)} == {
        success.id for success in outcome.succeeded
    }
    ids = [success.id for success in outcome.succeeded if success.id is not None]
    deleted = client.itineraries.delete_batch(ids + [10**9 + number for number in range(BATCH_DELETE - len(ids) + 1)])
    assert len(deleted.succeeded) == len(ids)
    assert len(deleted.failed) == BATCH_DELETE - len(ids) + 1


def test_every_page_of_expected_locations_is_read_once(client: ServiceClient) -> None:
    travelers = [Passenger(employee_id=f"E{number}", first_name="A", last_name="S") for number in range(40)]
    created = client.itineraries.create(trip(segments=[FLIGHT, STAY, TRAIN, CAR] * 4, passengers=travelers))
    everything = list(client.itineraries.list_expected_locations(created.id))
    first = client.itineraries.list_expected_locations(created.id)
    assert first.total_count == len(everything)
    assert len({location.id for location in everything}) == len(everything)
    assert {location.contact_external_id for location in everything} == {person.employee_id for person in travelers}


# Access


@pytest.mark.parametrize("suffix", ["", "/", "/rest", "/rest/"])
def test_the_base_url_works_with_and_without_rest(service: RunningService, suffix: str) -> None:
    with ServiceClient(service.url + suffix, service.organization_id, service.username, service.password) as client:
        client.check_access()
        created = client.itineraries.create(Itinerary.model_validate(trip().to_wire()))
        assert ids_of(client, "WSVM7K") == [created.id]
        assert len(list(client.itineraries.list_expected_locations(created.id))) == 3
