"""The draft takes in what stands in the fields, and keeps what is not on the screen."""

from datetime import date

from components.trip_editor.draft import new_trip
from components.trip_editor.form_state import from_itinerary
from components.trip_editor.form_values import absorb, field_key, same_content, shown
from tests.unit.trip_editor.trips_at_hand import OUT, trip


def test_fields_on_the_screen_win_and_others_stay() -> None:
    """Texts, days, choices left empty, switches."""
    draft = from_itinerary(trip(OUT))
    segment, traveller = draft.segments[0], draft.travellers[0]
    taken = absorb(
        draft,
        {
            field_key(draft.uid, "record_locator"): "NEW",
            field_key(draft.uid, "auto_create_contact"): False,
            field_key(segment.uid, "start.day"): date(2026, 12, 1),
            field_key(segment.uid, "finish.zone"): None,
            field_key(segment.uid, "start.address.city"): "Abu Dhabi",
            field_key(traveller.uid, "phone.number"): "+971",
            field_key(traveller.uid, "phone.country"): "AE",
            "somebody/else": "x",
        },
    )
    assert (taken.record_locator, taken.auto_create_contact) == ("NEW", False)
    assert (taken.segments[0].start.day, taken.segments[0].start.clock) == ("2026-12-01", "14:05")
    assert taken.segments[0].start.address.city == "Abu Dhabi"
    assert (taken.travellers[0].phones[0].number, taken.travellers[0].phones[0].country) == ("+971", "AE")
    assert taken.travellers[0].first_name == "Ana"
    assert draft.record_locator == "WSVM7K"


def test_an_airport_code_in_small_letters_is_one() -> None:
    """A city half typed stays as it is."""
    draft = new_trip()
    key = field_key(draft.segments[0].uid, "start.iata")
    assert absorb(draft, {key: "auh"}).segments[0].start.iata == "AUH"
    assert absorb(draft, {key: "abu dh"}).segments[0].start.iata == "abu dh"


def test_another_kind_is_taken_and_none_is_not() -> None:
    """Pressing the chosen kind again changes nothing."""
    draft = from_itinerary(trip(OUT))
    key = field_key(draft.segments[0].uid, "kind")
    assert absorb(draft, {key: "Rail"}).segments[0].kind == "Rail"
    assert absorb(draft, {key: None}).segments[0].kind == "Air"


def test_clearing_a_day_empties_it() -> None:
    """And an unreadable one is shown as none."""
    draft = from_itinerary(trip(OUT))
    key = field_key(draft.segments[0].uid, "start.day")
    assert absorb(draft, {key: None}).segments[0].start.day == ""
    draft.segments[0].start.day = "someday"
    assert shown(draft.segments[0], "start.day") is None


def test_where_one_stands_with_a_trip_is_not_its_content() -> None:
    """Going to the review changes no trip."""
    draft = from_itinerary(trip(OUT))
    assert same_content(draft, draft.model_copy(update={"stage": "review", "checked": True}))
    assert not same_content(draft, draft.model_copy(update={"record_locator": "X"}))
