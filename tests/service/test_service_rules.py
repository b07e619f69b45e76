"""Rules of itineraries and the resulting windows, without a database."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.epoch import to_iso
from service.itineraries.expected_locations import Margins, expected_places
from service.itineraries.models import TripItinerary
from service.itineraries.rules import AcceptedItinerary, Spelling, accept
from service.refusals import RefusalError
from tests.service.trips import address, air, ground, hotel, passenger, trip


def accept_trip(**changes: Any) -> AcceptedItinerary:
    """Accept a trip with these changes."""
    return accept(TripItinerary.read(trip(**changes)), Spelling.ADD)


def list_windows(margins: Margins, *segments: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the windows of the places of segments."""
    places = expected_places(accept_trip(segments=list(segments)).segments, margins)
    return [(to_iso(place.arrive_at), to_iso(place.expire_at)) for place in places]


def test_margins_are_configurable() -> None:
    """Beyond: the offsets are configuration."""
    assert list_windows(Margins(timedelta(hours=2), timedelta(minutes=30)), air(), hotel()) == [
        ("2026-11-20T04:00:00Z", "2026-11-20T06:00:00Z"),
        ("2026-11-20T08:00:00Z", "2026-11-20T08:30:00Z"),
        ("2026-11-20T12:00:00Z", "2026-11-24T08:00:00Z"),
    ]


@pytest.mark.parametrize("year", ["0001", "9999"])
def test_windows_stay_within_the_calendar(year: str) -> None:
    """At its first and last dates."""
    segment = air(fromDateTime=f"{year}-12-31T22:00:00Z", toDateTime=f"{year}-12-31T23:00:00Z")
    for arrives, expires in list_windows(Margins(), segment):
        assert len(arrives) == len(expires) == len("2026-11-20T12:00:00Z")


@pytest.mark.parametrize(("segment", "count"), [(air(), 2), (ground("Rail"), 2), (ground("Car"), 2), (hotel(), 1)])
def test_each_segment_type_has_its_number_of_places(segment: dict[str, Any], count: int) -> None:
    """Air, Rail and Car two, Hotel one."""
    assert len(list_windows(Margins(), segment)) == count


@given(st.lists(st.sampled_from([air(), hotel(), ground("Rail"), ground("Car"), air(type="Ship")]), min_size=1))
def test_windows_start_before_they_end_and_follow_the_segments(segments: list[dict[str, Any]]) -> None:
    """For all segments, also with invalid ones among them."""
    itinerary = accept_trip(segments=[*segments, hotel()])
    places = expected_places(itinerary.segments, Margins())
    assert all(place.arrive_at <= place.expire_at for place in places)
    assert len(places) == sum(1 if segment.type == "Hotel" else 2 for segment in itinerary.segments)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"pnr": None, "segments": []}, "Field pnr is empty."),
        ({"segments": [air(type=None, fromIataCode=None)]}, "Field segments.type is empty."),
        ({"segments": [hotel(fromAddress=None), air(type=None)]}, "Field segments.type is empty."),
        ({"segments": [air(type="Ship", fromIataCode=None)]}, "Field segments.fromAddress is empty."),
    ],
)
def test_the_first_of_several_errors_is_reported(changes: dict[str, Any], message: str) -> None:
    """pnr, then segments, then their types, then their addresses."""
    with pytest.raises(RefusalError) as refusal:
        accept_trip(**changes)
    assert str(refusal.value) == message


def test_segments_of_a_canceled_trip_are_not_checked() -> None:
    """Only a canceled trip may have no segments or invalid ones."""
    assert accept_trip(itineraryStatus="canceled", segments=[{}]).is_canceled


def test_a_hotel_can_have_another_time_zone_than_its_address() -> None:
    """One given zone applies to both ends of a stay."""
    [window] = list_windows(Margins(), hotel(toTimeZone=None, fromTimeZone="Asia/Tokyo"))
    assert window == ("2026-11-20T06:00:00Z", "2026-11-24T02:00:00Z")


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_any_json_is_read_or_refused_with_a_message(value: Any) -> None:
    """No exception escapes."""
    try:
        accept(TripItinerary.read(value), Spelling.ADD)
    except RefusalError as error:
        assert str(error)  # noqa: PT017 (either outcome is right)


_FIELDS = ["pnr", "itineraryStatus", "segments", "passengers", "travelArranger", "createdDate"]
_JUNK: st.SearchStrategy[Any] = st.sampled_from(
    [
        None,
        "",
        " ",
        0,
        -1,
        2**80,
        1.5,
        True,
        [],
        {},
        [None],
        [{}],
        ["x"],
        {"type": "Air"},
        [air()],
        [passenger()],
        "canceled",
    ]
)


@given(st.dictionaries(st.sampled_from(_FIELDS), _JUNK), st.dictionaries(st.sampled_from([*air(), *hotel()]), _JUNK))
def test_fields_of_any_type_are_read_or_refused_with_a_message(top: dict[str, Any], segment: dict[str, Any]) -> None:
    """At the top level and inside a segment."""
    try:
        accept(TripItinerary.read(trip(segments=[air() | segment]) | top), Spelling.UPDATE)
    except RefusalError as error:
        assert str(error)  # noqa: PT017 (either outcome is right)


def test_a_stored_itinerary_reads_back_unchanged() -> None:
    """The document in the database is the itinerary."""
    payload = trip(segments=[air(toAddress=address()), hotel()], externalItineraryId="X")
    assert TripItinerary.read(payload).to_document() == payload
