"""The differences between two versions of a trip as text."""

from client.models.itineraries import Itinerary
from domain.trips.editor import difference
from domain.trips.editor.difference import NOTHING, Difference, describe_segment, describe_traveler
from domain.trips.editor.form_state import from_itinerary
from tests.domain.trips.editor.sample_trips import ANA, BACK, BEN, OUT, STAY, trip


def find_differences(before: Itinerary, now: Itinerary) -> list[Difference]:
    """The differences between two trips as they are sent."""
    return difference.find_differences(from_itinerary(before), from_itinerary(now))


def test_the_time_of_a_change_is_not_a_difference() -> None:
    before = trip(OUT, STAY)
    now = before.model_copy(update={"last_modified_date": "2026-11-20T12:00:00Z"})
    assert find_differences(before, now) == []


def test_a_changed_field_of_a_segment_names_the_segment_and_both_values() -> None:
    """From the old value to the new value."""
    later = BACK.model_copy(update={"from_date_time_local": "2026-11-23T17:00:00"})
    (found,) = find_differences(trip(OUT, BACK), trip(OUT, later))
    assert found.part_label.startswith("Segment 2 · Flight EY302 KWI → AUH")
    assert (found.field_label, found.old, found.new) == ("Departs: local time", "16:00", "17:00")


def test_an_inserted_segment_is_one_difference() -> None:
    """The segments after it are the same, although they moved."""
    (found,) = find_differences(trip(OUT, BACK), trip(OUT, STAY, BACK))
    assert found == Difference("Segment 2", "", NOTHING, "Hotel Sheraton, 2026-11-20 15:00")


def test_a_removed_traveler_and_a_changed_trip_field_are_two_differences() -> None:
    """Each on its own line."""
    before = trip(OUT, travelers=(ANA, BEN))
    now = trip(OUT, travelers=(ANA,), locator="NEWLOC")
    assert find_differences(before, now) == [
        Difference("The trip", "Record locator", "WSVM7K", "NEWLOC"),
        Difference("Traveler 2", "", "Okoro, Ben (E200)", NOTHING),
    ]


def test_a_changed_address_field_is_listed_separately() -> None:
    """The other fields of the address are equal."""
    moved = STAY.model_copy(update={"from_address": STAY.from_address.model_copy(update={"city": "Salmiya"})})
    (found,) = find_differences(trip(STAY), trip(moved))
    assert (found.field_label, found.old, found.new) == ("City", "Kuwait City", "Salmiya")


def test_a_changed_segment_type_is_reported_with_the_fields_it_drops() -> None:
    """A field that the type does not have is no longer sent."""
    drive = from_itinerary(trip(OUT))
    drive.segments[0].kind = "Car"
    changes = {
        each.field_label: (each.old, each.new) for each in difference.find_differences(from_itinerary(trip(OUT)), drive)
    }
    assert changes["Type"][0].endswith("Flight")
    assert changes["Type"][1].endswith("Car")
    assert changes["Number"] == ("EY301", NOTHING)


def test_segments_and_travelers_are_described() -> None:
    assert describe_segment(OUT.to_wire()) == "Flight EY301 AUH → KWI, 2026-11-20 14:05"
    assert describe_segment(STAY.to_wire(), timed=False) == "Hotel Sheraton"
    for number in ("301", "EY 301", "ey301"):
        segment = OUT.to_wire() | {"supplierCode": "EY", "airRailNumber": number}
        assert describe_segment(segment, timed=False) == "Flight EY301 AUH → KWI"
    segment = {"type": "Rail", "supplierCode": "DB", "airRailNumber": "599"}
    assert describe_segment(segment) == "Train DB 599"
    assert describe_traveler(ANA.to_wire()) == "Silva, Ana (E100)"
    assert describe_traveler({"emailAddresses": ["x@example.org"]}) == "x@example.org"
