"""From an itinerary to the draft on the screen and back without losses or inventions."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.models.itineraries import Address, Itinerary, Passenger, PhoneNumber, Segment
from domain.trips.editor.form_state import (
    TRIP_FORM,
    TripDraft,
    coordinate,
    emails_in,
    from_itinerary,
    new_trip,
    to_itinerary,
)
from domain.trips.prediction import predict
from tests.domain.trips.editor.sample_trips import BACK, OUT, SHERATON, STAY, trip

WORDS = st.text(st.characters(categories=("L", "N"), include_characters=" -'"), min_size=1, max_size=12).map(str.strip)
TEXTS = WORDS.filter(bool)
MAYBE = st.none() | TEXTS
CODES = st.sampled_from(["AUH", "KWI", "JFK", "AKL", "HNL", "BER", "QQQ"])
ZONES = st.sampled_from(["Asia/Dubai", "Europe/Berlin", "America/New_York", "Pacific/Kiritimati", "UTC"])
LOCALS = st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1)).map(lambda at: f"{at:%Y-%m-%dT%H:%M:%S}")  # noqa: DTZ001
ADDRESSES = st.builds(
    Address,
    location_name=MAYBE,
    city=TEXTS,
    country=st.sampled_from(["AE", "DE", "US"]),
    state=MAYBE,
    street_address=MAYBE,
    postal_code=MAYBE,
    latitude=st.floats(-90, 90, allow_subnormal=False),
    longitude=st.floats(-180, 180, allow_subnormal=False),
) | st.builds(Address, city=TEXTS)
SEGMENTS = st.builds(
    Segment,
    type=st.sampled_from(["Air", "Rail", "Car", "Hotel"]),
    supplier_code=MAYBE,
    supplier_name=MAYBE,
    air_rail_number=MAYBE,
    from_date_time_local=st.none() | LOCALS,
    to_date_time_local=st.none() | LOCALS,
    from_time_zone=st.none() | ZONES,
    to_time_zone=st.none() | ZONES,
    from_iata_code=st.none() | CODES,
    to_iata_code=st.none() | CODES,
    from_address=st.none() | ADDRESSES,
    to_address=st.none() | ADDRESSES,
)
PASSENGERS = st.builds(
    Passenger,
    contact_id=st.none() | st.integers(1, 2**63 - 1),
    employee_id=TEXTS,
    first_name=MAYBE,
    last_name=MAYBE,
    middle_name=MAYBE,
    email_addresses=st.lists(st.sampled_from(["a@example.org", "b@example.org"]), max_size=2),
    phone_numbers=st.lists(
        st.builds(PhoneNumber, phone_number=TEXTS, country_name=st.none() | st.sampled_from(["AE", "DE"])), max_size=3
    ),
)
TRIPS = st.builds(
    Itinerary,
    pnr=TEXTS,
    external_itinerary_id=MAYBE,
    itinerary_status=st.sampled_from(["Active", "New", "canceled"]),
    itinerary_source=MAYBE,
    segments=st.lists(SEGMENTS, max_size=4),
    passengers=st.lists(PASSENGERS, max_size=3),
    travel_arranger=st.none() | PASSENGERS,
)


@given(TRIPS)
def test_a_trip_survives_the_form_except_for_derived_values(itinerary: Itinerary) -> None:
    """Every given field is preserved. Only derived zones and UTC times are added."""
    back = to_itinerary(from_itinerary(itinerary)).to_wire()
    derived = ("fromDateTime", "toDateTime", "fromTimeZone", "toTimeZone")
    original = itinerary.to_wire()
    for before, after in zip(original["segments"], back["segments"], strict=True):
        for name, value in before.items():
            assert after.get(name) == value, name
        assert set(after) - set(before) <= set(derived)
    for payload in (original, back):
        del payload["segments"]
    assert back == original


@given(TRIPS)
def test_a_second_pass_through_the_form_changes_nothing(itinerary: Itinerary) -> None:
    """The output of the form is a valid input."""
    once = to_itinerary(from_itinerary(itinerary))
    assert to_itinerary(from_itinerary(once)) == once


@given(TRIPS)
def test_predicted_locations_are_not_lost_or_moved_by_the_form(itinerary: Itinerary) -> None:
    """The form may add locations, because it derives zones."""

    def list_expected(trip: Itinerary) -> list[tuple[object, ...]]:
        return [
            (each.employee_id, each.segment.index, each.role, each.arrives, each.expires, each.place.position)
            for each in predict(trip)
            if each.is_expected
        ]

    before, after = list_expected(itinerary), list_expected(to_itinerary(from_itinerary(itinerary)))
    assert set(before) <= set(after)


@given(TRIPS)
def test_a_draft_survives_storage_as_json(itinerary: Itinerary) -> None:
    """The stored draft equals the original."""
    draft = from_itinerary(itinerary, itinerary_id=2**60, base_at=datetime(2026, 11, 20, 12, 5, 1, 7, tzinfo=UTC))
    assert TripDraft.model_validate_json(draft.model_dump_json()) == draft


def test_a_stay_with_a_zone_at_one_end_has_it_at_both_ends() -> None:
    """A hotel is at one place."""
    stay = STAY.model_copy(update={"from_time_zone": None, "to_time_zone": "America/New_York"})
    (sent,) = to_itinerary(from_itinerary(trip(stay))).segments
    assert (sent.from_time_zone, sent.to_time_zone) == ("America/New_York", "America/New_York")


def test_utc_is_derived_from_the_local_time_and_the_airport() -> None:
    """The user does not enter UTC."""
    (segment,) = to_itinerary(from_itinerary(trip(OUT))).segments
    assert (segment.from_date_time, segment.from_time_zone) == ("2026-11-20T10:05:00Z", "Asia/Dubai")
    assert (segment.to_date_time, segment.to_time_zone) == ("2026-11-20T11:45:00Z", "Asia/Kuwait")


def test_a_trip_with_only_utc_is_shown_in_local_time() -> None:
    """The form derives the local time."""
    only_utc = Segment(
        type="Air",
        from_iata_code="AUH",
        to_iata_code="KWI",
        from_date_time="2026-11-20T10:05:00Z",
        to_date_time="2026-11-20T11:45:00Z",
    )
    draft = from_itinerary(trip(only_utc))
    assert (draft.segments[0].start.day, draft.segments[0].start.clock) == ("2026-11-20", "14:05")


def test_a_place_without_a_zone_uses_utc() -> None:
    """Times are read and written in UTC because the zone is unknown."""
    unknown = Segment(type="Rail", from_address=Address(city="X"), from_date_time="2026-11-20T10:05:00Z")
    (segment,) = to_itinerary(from_itinerary(trip(unknown))).segments
    assert (segment.from_date_time, segment.from_time_zone) == ("2026-11-20T10:05:00Z", "UTC")


@pytest.mark.parametrize(
    "stated",
    [
        {"from_iata_code": "JFK", "from_date_time": "2026-11-01T06:30:00Z"},
        {"from_address": Address(city="X"), "from_date_time_local": "2026-11-20T14:05:00"},
        {"from_iata_code": "AUH", "from_date_time_local": "2026-11-20T14:05:00"},
    ],
    ids=["the second time an hour happens", "no zone is known", "not what the local time says"],
)
def test_stated_utc_is_sent_unchanged_until_its_time_is_changed(stated: dict[str, Any]) -> None:
    """Input in other fields does not affect it. A new time, or a place in another zone, derives a new UTC time."""
    values = {"type": "Rail" if "from_address" in stated else "Air", "from_date_time": "2026-11-20T10:25:00Z", **stated}
    draft = from_itinerary(trip(Segment(**values)))
    uid = draft.segments[0].uid
    edited = TRIP_FORM.with_values(draft, {(uid, "supplier_name"): "Any", (draft.uid, "source"): "Mail"})
    assert to_itinerary(edited).segments[0].from_date_time == values["from_date_time"]
    for path, value in (("start.clock", "09:00"), ("start.day", "2026-12-01"), ("start.zone", "Asia/Tokyo")):
        (moved,) = to_itinerary(TRIP_FORM.with_values(draft, {(uid, path): value})).segments
        assert moved.from_date_time != values["from_date_time"]
    if "from_iata_code" in stated:
        (other_place,) = to_itinerary(TRIP_FORM.with_values(draft, {(uid, "start.iata"): "NRT"})).segments
        assert other_place.from_date_time != values["from_date_time"]


def test_a_selected_zone_equal_to_the_zone_of_the_place_follows_the_place() -> None:
    """A new airport sets its own zone."""
    segment = OUT.model_copy(update={"from_time_zone": "Asia/Dubai"})
    draft = from_itinerary(trip(segment)).segments[0]
    assert draft.start.zone == ""
    odd = from_itinerary(trip(OUT.model_copy(update={"from_time_zone": "Asia/Tokyo"}))).segments[0]
    assert odd.start.zone == "Asia/Tokyo"


def test_fields_that_a_new_segment_type_does_not_have_are_not_sent() -> None:
    """A flight changed into a hotel has no flight number. Changed back, it has one."""
    draft = from_itinerary(trip(OUT))
    draft.segments[0].kind = "Hotel"
    payload = to_itinerary(draft).to_wire()["segments"][0]
    assert "airRailNumber" not in payload
    assert "toIataCode" not in payload
    draft.segments[0].kind = "Air"
    assert to_itinerary(draft).to_wire()["segments"][0]["airRailNumber"] == "EY301"


def test_extra_fields_of_an_unchanged_segment_type_are_preserved() -> None:
    """A hotel with an airport code and a second address keeps both."""
    hotel = STAY.model_copy(update={"from_iata_code": "KWI", "to_address": SHERATON})
    payload = to_itinerary(from_itinerary(trip(hotel))).to_wire()["segments"][0]
    assert payload["fromIataCode"] == "KWI"
    assert payload["toAddress"]["city"] == "Kuwait City"


def test_a_new_trip_gets_a_creation_time_and_a_changed_trip_only_a_change_time() -> None:
    """The creation time stays, and the change time is updated."""
    at = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
    new = to_itinerary(from_itinerary(trip(OUT)), at=at)
    assert (new.created_date, new.last_modified_date) == ("2026-11-20T12:00:00Z", "2026-11-20T12:00:00Z")
    made = trip(OUT).model_copy(update={"created_date": "2026-01-01T00:00:00Z"})
    old = to_itinerary(from_itinerary(made, itinerary_id=7), at=at)
    assert (old.created_date, old.last_modified_date) == ("2026-01-01T00:00:00Z", "2026-11-20T12:00:00Z")


def test_a_new_trip_is_untouched_until_something_is_typed() -> None:
    """The trip is not stored before that."""
    draft = new_trip()
    assert draft.is_untouched
    draft.segments[0].start.iata = "AUH"
    assert not draft.is_untouched
    assert not from_itinerary(trip(OUT, BACK), itinerary_id=1).is_untouched


@pytest.mark.parametrize(
    ("text", "expected"),
    [("24.45", 24.45), ("24,45", 24.45), ("−3", -3.0), (" 0 ", 0.0), ("nan", None), ("", None)],
)
def test_typed_coordinates_are_read(text: str, expected: float | None) -> None:
    """With a point or a comma, and with any minus sign."""
    assert coordinate(text) == expected


def test_typed_email_addresses_are_read() -> None:
    """With any separator."""
    assert emails_in("a@x.org; b@x.org,c@x.org\nd@x.org") == ["a@x.org", "b@x.org", "c@x.org", "d@x.org"]
