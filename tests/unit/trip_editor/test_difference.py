"""What is different between two versions of a trip, in words."""

from components.trip_editor.difference import NOTHING, Difference, differences, segment_words, traveller_words
from tests.unit.trip_editor.trips_at_hand import ANA, BACK, BEN, OUT, STAY, trip


def test_the_same_trip_is_not_different_whenever_it_was_changed() -> None:
    """When it was sent does not count."""
    before, now = trip(OUT, STAY).to_wire(), trip(OUT, STAY).to_wire()
    now["lastModifiedDate"] = "2026-11-20T12:00:00Z"
    assert differences(before, now) == []


def test_a_changed_field_of_a_segment_names_the_segment_and_both_values() -> None:
    """Old to new."""
    later = BACK.model_copy(update={"from_date_time_local": "2026-11-23T17:00:00"})
    (found,) = differences(trip(OUT, BACK).to_wire(), trip(OUT, later).to_wire())
    assert found.where.startswith("Segment 2 · Air EY302 KWI → AUH")
    assert (found.what, found.before, found.now) == ("Start, local", "2026-11-23 16:00", "2026-11-23 17:00")


def test_a_segment_put_between_others_is_one_difference() -> None:
    """The ones after it are the same, though they moved."""
    (found,) = differences(trip(OUT, BACK).to_wire(), trip(OUT, STAY, BACK).to_wire())
    assert found == Difference("Segment 2", "", NOTHING, "Hotel Sheraton, 2026-11-20 15:00")


def test_a_traveller_who_left_and_a_field_of_the_trip() -> None:
    """Each in its own line."""
    before = trip(OUT, travellers=(ANA, BEN)).to_wire()
    now = trip(OUT, travellers=(ANA,), locator="NEWLOC").to_wire()
    assert differences(before, now) == [
        Difference("The trip", "Record locator", "WSVM7K", "NEWLOC"),
        Difference("Traveller 2", "", "Okoro, Ben (E200)", NOTHING),
    ]


def test_addresses_and_phones_are_told_in_one_line() -> None:
    """Not as the wire's objects."""
    moved = STAY.model_copy(update={"from_address": STAY.from_address.model_copy(update={"city": "Salmiya"})})
    (found,) = differences(trip(STAY).to_wire(), trip(moved).to_wire())
    assert found.before == "Sheraton, Kuwait City, Kuwait, 29.3759, 47.9774"
    assert found.now == "Sheraton, Salmiya, Kuwait, 29.3759, 47.9774"


def test_words_for_segments_and_travellers() -> None:
    """As a person would say them."""
    assert segment_words(OUT.to_wire()) == "Air EY301 AUH → KWI, 2026-11-20 14:05"
    assert segment_words(STAY.to_wire(), timed=False) == "Hotel Sheraton"
    assert traveller_words(ANA.to_wire()) == "Silva, Ana (E100)"
    assert traveller_words({"emailAddresses": ["x@example.org"]}) == "x@example.org"
