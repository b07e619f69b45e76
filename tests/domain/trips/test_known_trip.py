"""Known facts of a trip: the latest accepted version in the journal and the response of the service, separately."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from client import NotFound, ServiceFailed
from client.models.itineraries import ExpectedLocation, Itinerary, ItineraryReference
from client.vocabulary.itineraries import CANCELED
from domain.trips.known_trip import (
    CANCEL,
    CREATE,
    DELETE,
    STATUSES,
    UPDATE,
    KnownTrip,
    TripChange,
    TripStatus,
    build_note,
    changes_from_entries,
    describe_change,
    describe_source,
    load_known_trip,
    sent_text,
    short_names,
    traveler_names,
    unknown_text,
)
from journal import Actor, Entry
from tests.domain.trips.trip_builders import good_trip

AT = datetime(2026, 11, 20, 12, 5, tzinfo=UTC)
ANA = Actor("svc", 8800, "ana")
LOCATION = ExpectedLocation(id=1)


def entry(number: int, action: str, state: str = "succeeded", *, subject_id: str | None = "7", **more: Any) -> Entry:
    trip = more.pop("trip", good_trip())
    values = {
        "id": number,
        "at": AT + timedelta(minutes=number),
        "finished_at": None,
        "actor": ANA,
        "action": action,
        "subject_kind": "itinerary",
        "subject_id": subject_id,
        "subject_name": "WSVM7K",
        "request": {"itinerary": trip.to_wire()} if trip else {"itinerary_id": "7"},
        "state": state,
        "answer": None,
        "message": None,
    }
    return Entry(**(values | more))


def build_known_trip(
    entries: list[Entry], *, locations: tuple[ExpectedLocation, ...] = (LOCATION,), **more: Any
) -> Any:
    """A known trip from journal entries, oldest first."""
    changes = changes_from_entries(reversed(entries), itinerary_id=7, locator="WSVM7K")
    answer: dict[str, Any] = {"is_found": True, "error": None} | more
    return KnownTrip(itinerary_id=7, locator="WSVM7K", changes=changes, locations=locations, read_at=AT, **answer)


def version(name: str) -> Itinerary:
    return good_trip().model_copy(update={"itinerary_source": name})


def test_the_latest_accepted_version_is_shown() -> None:
    trip = build_known_trip(
        [
            entry(1, CREATE, trip=version("first")),
            entry(2, UPDATE, trip=version("second")),
            entry(3, UPDATE, "refused", trip=version("third")),
            entry(4, UPDATE, "not sent", trip=version("fourth")),
        ]
    )
    assert trip.itinerary.itinerary_source == "second"
    assert sent_text(trip.last_sent) == "sent from Muster Fri, Nov 20 by ana"
    assert trip.status is TripStatus.EXPECTED
    assert trip.unknown_changes == ()
    assert [change.itinerary.itinerary_source for change in trip.changes] == ["fourth", "third", "second", "first"]


def test_a_change_being_sent_is_neither_sent_nor_unknown() -> None:
    trip = build_known_trip([entry(1, CREATE, trip=version("first")), entry(2, CANCEL, "started")])
    assert trip.status is TripStatus.EXPECTED
    assert trip.unknown_changes == ()
    assert describe_change(trip.changes[0]).endswith("Canceled · Sending")


def test_a_later_unknown_change_does_not_count_as_sent() -> None:
    trip = build_known_trip(
        [entry(1, CREATE, trip=version("first")), entry(2, UPDATE, "unknown", trip=version("second"))]
    )
    assert trip.itinerary.itinerary_source == "first"
    assert [change.itinerary.itinerary_source for change in trip.unknown_changes] == ["second"]
    assert "may or may not have been changed" in unknown_text(trip)
    assert "Changed · Unknown" in describe_change(trip.changes[0])


def test_a_later_success_resolves_an_unknown_outcome() -> None:
    assert build_known_trip([entry(1, CREATE), entry(2, UPDATE, "unknown"), entry(3, UPDATE)]).unknown_changes == ()


def test_a_lost_creation_is_included_and_another_trip_with_the_same_locator_is_not() -> None:
    entries = [
        entry(1, CREATE, subject_id="6"),
        entry(2, CREATE, "unknown", subject_id=None),
        entry(3, CREATE, subject_id="7"),
        entry(4, "roster.rename", subject_id="7"),
    ]
    assert [
        change.at.minute - AT.minute for change in changes_from_entries(entries, itinerary_id=7, locator="WSVM7K")
    ] == [2, 3]
    assert [
        change.at.minute - AT.minute for change in changes_from_entries(entries, itinerary_id=7, locator="wsvm7k")
    ] == [2, 3]
    assert [change.at.minute - AT.minute for change in changes_from_entries(entries, itinerary_id=7, locator=None)] == [
        3
    ]


@pytest.mark.parametrize(
    ("last", "status"),
    [
        (entry(2, CANCEL, trip=good_trip().model_copy(update={"itinerary_status": CANCELED})), TripStatus.CANCELED),
        (entry(2, DELETE, trip=None), TripStatus.DELETED),
    ],
)
def test_a_trip_removed_in_muster_shows_the_version_last_sent(last: Entry, status: TripStatus) -> None:
    trip = build_known_trip([entry(1, CREATE), last], locations=(), is_found=False)
    assert trip.status is status
    assert trip.is_removed
    assert trip.itinerary is not None
    assert not trip.itinerary.is_canceled
    assert "by ana" in describe_source(trip, is_reconstructed=False)
    assert "created again" in describe_source(build_known_trip([entry(1, CREATE), last]), is_reconstructed=False)
    assert build_known_trip([entry(1, CREATE), last]).status is TripStatus.EXPECTED


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ({"locations": (), "is_found": True}, TripStatus.NO_LOCATIONS),
        ({"locations": (), "is_found": None}, TripStatus.NO_LOCATIONS),
        ({"locations": (), "is_found": False}, TripStatus.NOT_FOUND),
        ({"locations": (), "is_found": None, "error": ServiceFailed("No.")}, TripStatus.UNAVAILABLE),
        ({}, TripStatus.EXPECTED),
    ],
)
def test_a_trip_created_outside_muster_has_its_own_status(answer: dict[str, Any], status: TripStatus) -> None:
    trip = build_known_trip([], **answer)
    assert trip.status is status
    assert trip.status in STATUSES
    assert trip.itinerary is None
    assert describe_source(trip, is_reconstructed=False)


def test_an_unreadable_request_is_a_change_without_an_itinerary() -> None:
    odd = [entry(1, CREATE, request={"itinerary": {"segments": 5}}), entry(2, CREATE, request=None)]
    changes = changes_from_entries(odd, itinerary_id=7, locator=None)
    assert [change.itinerary for change in changes] == [None, None]


class FakeItineraries:
    def __init__(self, locations: Any, found_ids: list[int]) -> None:
        self.locations, self.found_ids = locations, found_ids

    def list_expected_locations(self, _: int) -> list[ExpectedLocation]:
        if isinstance(self.locations, Exception):
            raise self.locations
        return list(self.locations)

    def search(self, **_: Any) -> Iterator[ItineraryReference]:
        return iter([ItineraryReference(id=each) for each in self.found_ids])


def build_workspace(entries: list[Entry], locations: Any, found_ids: list[int]) -> Any:
    history = lambda *_, **__: list(reversed(entries))  # noqa: E731
    return SimpleNamespace(
        actor=ANA,
        journal=SimpleNamespace(
            audit=SimpleNamespace(history=history),
            ledger_history=SimpleNamespace(list_sent=lambda *_, **__: []),
        ),
        client=SimpleNamespace(itineraries=FakeItineraries(locations, found_ids)),
    )


@pytest.mark.parametrize(
    ("locations", "found_ids", "status"),
    [
        ([LOCATION], [], TripStatus.EXPECTED),
        ([], [7], TripStatus.NO_LOCATIONS),
        ([], [8], TripStatus.NOT_FOUND),
        (NotFound("Can not find it."), [], TripStatus.NOT_FOUND),
        (ServiceFailed("No."), [], TripStatus.UNAVAILABLE),
    ],
)
def test_a_trip_without_locations_differs_from_a_missing_trip(
    locations: Any, found_ids: list[int], status: TripStatus
) -> None:
    trip = load_known_trip(build_workspace([entry(1, CREATE)], locations, found_ids), itinerary_id=7)
    assert trip.status is status
    assert trip.locator == "WSVM7K"


def test_a_list_shows_data_of_the_journal_or_else_of_the_rosters() -> None:
    changes: tuple[TripChange, ...] = changes_from_entries([entry(1, CREATE)], itinerary_id=7, locator="WSVM7K")
    note = build_note(changes, "WSVM7K", {"WSVM7K": ("Somebody Else",)})
    assert (note.status, note.travelers) == ("Active", ("Ana Silva",))
    bare = build_note((), "WSVM7K", {"WSVM7K": ("Ben Roy", "Cy Om")})
    assert (bare.status, bare.sent_text, short_names(bare.travelers)) == (None, "", "Ben Roy +1")
    assert len(short_names(["x" * 3_000, "y"])) < 70


def test_travelers_without_a_name_are_named_by_id_or_email() -> None:
    people = [{"firstName": "Ana", "employeeId": "E1"}, {"employeeId": "E2"}, {"emailAddresses": ["a@example.org"]}, {}]
    found = traveler_names(Itinerary.model_validate({"passengers": people}))
    assert found == ["Ana", "E2", "a@example.org", "unnamed"]
    gone = build_note(
        changes_from_entries([entry(2, DELETE, trip=None), entry(1, CREATE)], itinerary_id=7, locator=None), None, {}
    )
    assert (gone.locator, gone.status) == ("WSVM7K", "Deleted in Muster")
