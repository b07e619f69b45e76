"""The draft is updated from the fields on the screen and keeps other values."""

from datetime import date

from domain.trips.editor.form_state import TRIP_FORM, from_itinerary, new_trip
from tests.domain.trips.editor.sample_trips import OUT, STAY, trip


def test_fields_on_the_screen_replace_draft_values_and_others_stay() -> None:
    """Texts, days, empty selections, and switches."""
    draft = from_itinerary(trip(OUT))
    segment, traveler = draft.segments[0], draft.travelers[0]
    updated = TRIP_FORM.apply_input(
        draft,
        {
            (draft.uid, "record_locator"): "NEW",
            (draft.uid, "auto_create_contact"): False,
            (segment.uid, "start.day"): date(2026, 12, 1),
            (segment.uid, "finish.zone"): None,
            (segment.uid, "start.address.city"): "Abu Dhabi",
            (traveler.uid, "phones.0.number"): "+971",
            (traveler.uid, "phones.0.country"): "AE",
            ("somebody", "else"): "x",
        },
    )
    assert (updated.record_locator, updated.auto_create_contact) == ("NEW", False)
    assert (updated.segments[0].start.day, updated.segments[0].start.clock) == ("2026-12-01", "14:05")
    assert updated.segments[0].start.address.city == "Abu Dhabi"
    assert (updated.travelers[0].phones[0].number, updated.travelers[0].phones[0].country) == ("+971", "AE")
    assert updated.travelers[0].first_name == "Ana"
    assert draft.record_locator == "WSVM7K"


def test_a_lowercase_airport_code_is_accepted() -> None:
    """An incomplete city name is unchanged."""
    draft = new_trip()
    key = (draft.segments[0].uid, "start.iata")
    assert TRIP_FORM.apply_input(draft, {key: "auh"}).segments[0].start.iata == "AUH"
    assert TRIP_FORM.apply_input(draft, {key: "abu dh"}).segments[0].start.iata == "abu dh"


def test_the_type_can_be_changed_but_not_cleared() -> None:
    """Selecting the current type again changes nothing."""
    draft = from_itinerary(trip(OUT))
    key = (draft.segments[0].uid, "kind")
    assert TRIP_FORM.apply_input(draft, {key: "Rail"}).segments[0].kind == "Rail"
    assert TRIP_FORM.apply_input(draft, {key: None}).segments[0].kind == "Air"


def test_a_new_type_drops_extra_fields() -> None:
    """Fields that the new type does not have belonged to the old type."""
    draft = from_itinerary(trip(STAY.model_copy(update={"air_rail_number": "X1"})))
    assert draft.segments[0].extra == ["number"]
    assert TRIP_FORM.apply_input(draft, {(draft.segments[0].uid, "kind"): "Car"}).segments[0].extra == []


def test_clearing_a_day_empties_it() -> None:
    """An unreadable day is shown as empty."""
    draft = from_itinerary(trip(OUT))
    key = (draft.segments[0].uid, "start.day")
    assert TRIP_FORM.apply_input(draft, {key: None}).segments[0].start.day == ""
    draft.segments[0].start.day = "someday"
    field = TRIP_FORM.field(draft, *key)
    assert field is not None
    assert field.to_widget("someday") is None


def test_the_stage_of_a_draft_is_not_part_of_its_content() -> None:
    """A review does not change the trip."""
    draft = from_itinerary(trip(OUT))
    assert draft.has_same_payload(draft.model_copy(update={"stage": "review", "checked": True}))
    assert not draft.has_same_payload(draft.model_copy(update={"record_locator": "X"}))
