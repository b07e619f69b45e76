"""Errors of Muster and of the service are shown at their fields."""

import pytest

from client import FieldError, Invalid
from client.models.itineraries import Passenger
from domain.forms.form import Problems
from domain.geography.place_conflicts import ZERO
from domain.trips.editor.form_state import (
    SEGMENTS,
    TRAVELERS,
    TRIP_FORM,
    TravelerDraft,
    TripDraft,
    from_itinerary,
    new_trip,
)
from domain.trips.editor.trip_change import NOBODY_MATCHED, TRIP_EDIT, problems_of, visible_problems
from tests.domain.trips.editor.sample_trips import ANA, BACK, OUT, STAY, trip


def place_error(draft: TripDraft, field: str) -> Problems:
    """Place one error with this path at the fields of the draft."""
    return TRIP_FORM.place_errors(draft, [FieldError(field, "wrong")])


@pytest.mark.parametrize(
    ("path", "index", "field"),
    [
        ("segments[1].type", 1, "kind"),
        ("segments[0].fromAddress", 0, "start.address"),
        ("segments[0].fromAddress.latitude", 0, "start.address.latitude"),
        ("segments[1].toAddress.country", 1, "finish.address.country"),
        ("segments[0].fromDateTimeLocal", 0, "start.clock"),
        ("segments[0].toDateTime", 0, "finish.clock"),
        ("segments[0].toTimeZone", 0, "finish.zone"),
        ("segments[1].fromIataCode", 1, "start.iata"),
        ("segments[0].airRailNumber", 0, "number"),
    ],
)
def test_paths_into_segments_lead_to_their_fields(path: str, index: int, field: str) -> None:
    """The path of the interface is on the left, the field on the screen on the right."""
    draft = from_itinerary(trip(OUT, BACK))
    assert place_error(draft, path).at(draft.segments[index].uid, field) == ["wrong"]


@pytest.mark.parametrize(
    ("path", "field"),
    [
        ("passengers[1].employeeId", "employee_id"),
        ("passengers[1].phoneNumbers[0].countryName", "phones"),
        ("passengers[1]", ""),
    ],
)
def test_paths_of_travelers_count_only_travelers_that_are_sent(path: str, field: str) -> None:
    """An empty row between two travelers is not counted."""
    draft = from_itinerary(trip(OUT, travelers=(ANA, Passenger(employee_id="E200"))))
    draft.travelers.insert(1, new_trip().travelers[0])
    assert place_error(draft, path).at(draft.travelers[2].uid, field) == ["wrong"]


def test_a_field_without_an_index_is_at_the_segments_that_lack_it() -> None:
    """For `segments.fromAddress`, the flight lacks an address and the hotel does not."""
    draft = from_itinerary(trip(OUT, STAY))
    found = place_error(draft, "segments.fromAddress")
    assert found.at(draft.segments[0].uid, "start.address") == ["wrong"]
    assert found.at(draft.segments[1].uid, "start.address") == []


@pytest.mark.parametrize(
    ("path", "owner", "field"),
    [
        ("pnr", "", "record_locator"),
        ("itineraryStatus", "", "status"),
        ("segments", SEGMENTS, ""),
        ("passengers", TRAVELERS, ""),
        ("somethingNew", "", ""),
    ],
)
def test_every_error_is_shown_at_a_field_or_a_section(path: str, owner: str, field: str) -> None:
    """An error without a field is at its section."""
    draft = from_itinerary(trip(OUT))
    assert place_error(draft, path).at(owner or draft.uid, field) == ["wrong"]


def test_an_error_about_an_unmatched_contact_is_at_the_travelers_with_advice() -> None:
    """The message of the service becomes advice."""
    error = Invalid("refused", service_message="Travel matching error, no contact matching.", status=400)
    assert TRIP_EDIT.field_errors(error) == [("passengers", NOBODY_MATCHED)]
    draft = from_itinerary(trip(OUT)).model_copy(update={"refused": TRIP_EDIT.field_errors(error)})
    assert NOBODY_MATCHED in problems_of(draft).at(TRAVELERS, "")
    assert "Create contacts" in NOBODY_MATCHED


def test_errors_about_all_segments_are_at_the_segments() -> None:
    """The service names no field."""
    error = Invalid("All segments of the itinerary are invalid, PNR creation failed", status=400)
    assert TRIP_EDIT.field_errors(error)[0][0] == "segments"


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"clock": "25:00"}, "start.clock", "not a time of day"),
        ({"clock": ""}, "start.clock", "Enter the departure time."),
        ({"day": ""}, "start.clock", "Enter the departure day."),
        ({"day": "", "clock": ""}, "start.clock", "Enter the departure day and time."),
        ({"zone": "Mars/One"}, "start.zone", "Mars/One"),
    ],
)
def test_incomplete_times_are_reported_at_their_field(changes: dict[str, str], field: str, words: str) -> None:
    draft = from_itinerary(trip(OUT))
    for name, value in changes.items():
        setattr(draft.segments[0].start, name, value)
    (message,) = problems_of(draft).at(draft.segments[0].uid, field)[:1]
    assert words in message


@pytest.mark.parametrize("locator", ["WSV M7K", "A" * 65, "(none)"])
def test_a_locator_that_no_roster_accepts_is_an_error_only_for_a_new_trip(locator: str) -> None:
    draft = from_itinerary(trip(OUT)).model_copy(update={"record_locator": locator})
    assert problems_of(draft).at(draft.uid, "record_locator")
    changed = from_itinerary(trip(OUT), itinerary_id=5).model_copy(update={"record_locator": locator})
    assert not problems_of(changed).at(changed.uid, "record_locator")
    fine = from_itinerary(trip(OUT))
    assert not problems_of(fine).at(fine.uid, "record_locator")


def test_a_cancellation_needs_only_a_record_locator() -> None:
    """Incomplete fields do not prevent a cancellation."""
    draft = new_trip().model_copy(
        update={"status": "canceled", "record_locator": "WSVM7K", "arranger": TravelerDraft()}
    )
    draft.segments[0].start.clock = "noon"
    draft.travelers[0].contact_id = "somebody"
    assert not problems_of(draft)
    assert TRIP_FORM.describe_problems(draft, problems_of(draft.model_copy(update={"record_locator": ""}))) == [
        "Record locator: Enter a record locator."
    ]


def test_coordinates_are_a_pair_of_numbers_within_the_globe() -> None:
    """Each error has its own message."""
    draft = from_itinerary(trip(STAY))
    address, uid = draft.segments[0].start.address, draft.segments[0].uid
    address.latitude = "north"
    assert "Decimal degrees" in problems_of(draft).at(uid, "start.address.latitude")[0]
    address.latitude, address.longitude = "91", "0"
    assert problems_of(draft).at(uid, "start.address.latitude")
    address.latitude, address.longitude = "0", "0"
    assert problems_of(draft).at(uid, "start.address.latitude") == [ZERO]
    address.latitude, address.longitude = "50", ""
    assert "Enter both latitude and longitude, or neither." in problems_of(draft).at(uid, "start.address.longitude")


def test_an_end_before_the_start_is_an_error_only_in_utc() -> None:
    """An arrival at an earlier local time is valid over the date line."""
    wrong = OUT.model_copy(update={"to_date_time_local": "2026-11-20T10:00:00"})
    draft = from_itinerary(trip(wrong))
    assert problems_of(draft).at(draft.segments[0].uid, "finish.clock")
    right = OUT.model_copy(
        update={
            "from_iata_code": "AKL",
            "to_iata_code": "HNL",
            "from_date_time_local": "2026-11-20T12:00:00",
            "to_date_time_local": "2026-11-19T21:30:00",
        }
    )
    assert not problems_of(from_itinerary(trip(right)))


def test_missing_values_are_reported_only_after_a_review_was_requested() -> None:
    """Missing values are reported on request, invalid values immediately."""
    draft = new_trip()
    draft.segments[0].start.clock = "noon"
    visible = visible_problems(draft, problems_of(draft))
    assert visible.count == 1
    checked = draft.model_copy(update={"checked": True})
    assert visible_problems(checked, problems_of(checked)).count == problems_of(draft).count > 3


def test_the_list_of_errors_names_their_fields() -> None:
    """For users who cannot see the field."""
    draft = from_itinerary(trip(OUT, BACK, locator=""))
    draft.segments[1].start.clock = ""
    draft.travelers[0].emails = "not an address"
    lines = TRIP_FORM.describe_problems(draft, problems_of(draft))
    assert any(line.startswith("Segment 2: Enter the departure time.") for line in lines)
    assert any(line.startswith("Traveler 1: ") for line in lines)
    assert any("record locator" in line for line in lines)
