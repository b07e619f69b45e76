"""Travelers without an employee ID: they become contacts, and later trips match them (assumption A6)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.running_service import RunningService
from tests.service.trips import Payload, add, assert_refused, list_expected, nobody, passenger, trip

ADDRESS = "ana@example.com"


def ana(*addresses: str, **changes: Any) -> Payload:
    """Return Ana Silva without an employee ID."""
    return passenger(None, emailAddresses=list(addresses) or None, **changes)


def contact_of(service: RunningService, pnr: str, *people: Payload, **parameters: Any) -> list[int]:
    """Add a trip. Returns the contact IDs of its travelers, in order."""
    found = list_expected(service, add(service, trip(pnr, passengers=list(people)), **parameters))
    return list(dict.fromkeys(location["contactId"] for location in found))


@pytest.mark.parametrize(
    ("first", "later"),
    [
        (ana(ADDRESS), ana(ADDRESS)),
        (ana(ADDRESS), ana("ANA@Example.com", firstName="A.")),
        (ana(ADDRESS, "silva@example.com"), ana("silva@example.com")),
        (ana(ADDRESS), ana("other@example.com", ADDRESS)),
        (ana(ADDRESS), ana()),
        (ana(), ana()),
        (ana(), ana(firstName="ANA", lastName=" silva")),
        (ana(ADDRESS), nobody(employeeId=None, emailAddresses=[ADDRESS])),
        (ana(ADDRESS), passenger(ADDRESS)),
        (passenger(ADDRESS), ana(ADDRESS)),
        (ana(firstName=None), ana(firstName=None)),
    ],
)
def test_a_later_trip_finds_the_contact(any_service: RunningService, first: Payload, later: Payload) -> None:
    """By the same email address, or without one by the same name; no duplicate is created."""
    [made] = contact_of(any_service, "FIRST1", first)
    assert contact_of(any_service, "LATER1", later) == [made]
    assert contact_of(any_service, "LATER2", later, autoCreateContact="false") == [made]
    found = add(any_service, trip("LATER3"))
    answer = any_service.http.put(f"/itineraries/8800/{found}", json=trip("LATER3", passengers=[later]))
    assert answer.status_code == 200
    assert {location["contactId"] for location in list_expected(any_service, found)} == {made}


@pytest.mark.parametrize(
    ("first", "later"),
    [
        (ana(ADDRESS), ana("other@example.com")),
        (ana(), ana(lastName="Souza")),
        (ana(), ana(middleName="B.")),
        (passenger("E1", emailAddresses=[ADDRESS]), ana()),
        (passenger("E1", emailAddresses=[ADDRESS]), ana(ADDRESS)),
        (ana(ADDRESS), passenger("E1", emailAddresses=[ADDRESS])),
    ],
)
def test_another_person_is_another_contact(any_service: RunningService, first: Payload, later: Payload) -> None:
    """A traveler with an employee ID is matched by the ID alone."""
    [made] = contact_of(any_service, "FIRST1", first)
    [other] = contact_of(any_service, "LATER1", later)
    assert made != other


def test_expected_travelers_are_identified_by_address_or_name(service: RunningService) -> None:
    """The contact's external ID."""
    people = [ana(ADDRESS), ana(firstName="Ben")]
    found = list_expected(service, add(service, trip(passengers=people)))
    assert {location["contactExternalId"] for location in found} == {ADDRESS, "Ben Silva"}


def test_two_travelers_with_one_address_are_two_contacts(service: RunningService) -> None:
    """An office's address on a trip of several travelers does not identify them: their names do."""
    people = [ana("office@example.com"), ana("office@example.com", firstName="Ben")]
    both = contact_of(service, "FIRST1", *people)
    assert len(both) == 2
    assert contact_of(service, "LATER1", *people) == both
    assert contact_of(service, "LATER2", ana(firstName="Ben")) == both[1:]


def test_unnumbered_travelers_match_no_contact_without_auto_creation(service: RunningService) -> None:
    """Like travelers with an unknown employee ID."""
    answer = service.http.post(
        "/itineraries/8800", json=trip(passengers=[ana(ADDRESS)]), params={"autoCreateContact": "false"}
    )
    assert_refused(answer, 400, "Travel matching error, no contact matching.")


def test_a_batch_creates_one_contact_for_a_traveler_on_several_trips(any_service: RunningService) -> None:
    """However each trip identifies the traveler."""
    people = [ana(ADDRESS), ana(ADDRESS, "silva@example.com"), ana("SILVA@example.com"), ana(), passenger(ADDRESS)]
    trips = [trip(f"P{number}", passengers=[person]) for number, person in enumerate(people)]
    answer = any_service.http.post("/itineraries/8800/batch", json=trips).json()
    assert answer["code"] == 100
    assert len({list_expected(any_service, int(text))[0]["contactId"] for text in answer["data"]}) == 1


def test_a_batch_with_an_employee_first_given_by_address_creates_one_contact(any_service: RunningService) -> None:
    """The other order."""
    trips = [trip("P1", passengers=[passenger(ADDRESS)]), trip("P2", passengers=[ana(ADDRESS)])]
    answer = any_service.http.post("/itineraries/8800/batch", json=trips).json()
    assert len({list_expected(any_service, int(text))[0]["contactId"] for text in answer["data"]}) == 1


@pytest.mark.parametrize("person", [ana(ADDRESS), ana()])
def test_concurrent_requests_create_one_contact(any_service: RunningService, person: Payload) -> None:
    """The first creates it, the others find it."""
    with ThreadPoolExecutor(8) as threads:
        made = list(
            threads.map(lambda number: contact_of(any_service, f"P{number}", person, ana("b@x.org")), range(16))
        )
    assert len({tuple(sorted(ids)) for ids in made}) == 1


def test_unnumbered_travelers_count_toward_the_limit_for_new_contacts(service: RunningService) -> None:
    """Limits: 50 per call when contact creation is needed."""
    trips = [trip(f"P{number}", passengers=[ana(ADDRESS)]) for number in range(51)]
    answer = service.http.post("/itineraries/8800/batch", json=trips)
    assert_refused(answer, 400, "A call that needs contacts to be created can hold at most 50 itineraries.")
