"""A trip as a timeline, as lines on a map, and as a table of travelers."""

from datetime import UTC, date, datetime, timedelta

import pytest

from client.models.itineraries import Address, Passenger, PhoneNumber
from components.trips.trip_view import travelers_table
from domain.trips.checks import trip_checks
from domain.trips.timeline import Note, SegmentRow, legs_of, timeline
from domain.trips.trip_format import day_and_year, format_duration, format_kilometers, nights
from tests.domain.trips.trip_builders import ANA, SINGAPORE, car, flight, format_timeline, good_trip, hotel, trip

NOW = datetime(2026, 10, 1, tzinfo=UTC)
OUT = flight("SQ25", "FRA", "SIN", "2026-10-20T11:10", "2026-10-21T06:05")
BACK = flight("SQ26", "SIN", "FRA", "2026-10-24T23:55", "2026-10-25T05:50")
TWO_NIGHTS = hotel(SINGAPORE, "2026-10-22T15:00", "2026-10-23T11:00")


def test_rows_are_sorted_by_time_with_days_pauses_and_uncovered_nights() -> None:
    lines = format_timeline(timeline(trip(BACK, TWO_NIGHTS, OUT), now=NOW)).splitlines()
    assert lines == [
        "Tue, Oct 20, 2026",
        "11:10–06:05 (+1 d)  Air SQ25: FRA Frankfurt am Main → SIN Singapore (12 h 55 min)",
        "3 d 17 h at SIN Singapore",
        "No hotel for 1 night, Oct 21–22, after arrival at SIN Singapore",
        "Thu, Oct 22",
        "15:00–Fri, Oct 23, 11:00  Hotel Harbour Hotel: Harbour Hotel, Singapore (20 h)",
        "No hotel for 1 night, Oct 23–24, after arrival at SIN Singapore",
        "Sat, Oct 24",
        "23:55–05:50 (+1 d)  Air SQ26: SIN Singapore → FRA Frankfurt am Main (12 h 55 min)",
    ]


def test_utc_times_have_their_own_dates() -> None:
    over_the_line = trip(flight("NZ5", "LAX", "AKL", "2026-10-20T21:40", "2026-10-22T07:50"))
    (row,) = [row for row in timeline(over_the_line, now=NOW) if isinstance(row, SegmentRow)]
    assert (row.leaves, row.arrives, row.days_later) == ("21:40", "07:50", 2)
    assert row.utc == "Wed, Oct 21, 04:40 – 18:50 UTC"
    assert row.lasts == "14 h 10 min"


def test_a_flight_over_the_date_line_arrives_the_day_before() -> None:
    back = trip(flight("NZ6", "AKL", "HNL", "2026-10-22T19:30", "2026-10-22T05:15"))
    (row,) = [row for row in timeline(back, now=NOW) if isinstance(row, SegmentRow)]
    assert row.days_later == 0
    early = trip(flight("NZ6", "AKL", "HNL", "2026-10-22T00:30", "2026-10-21T10:15"))
    assert "(-1 d)" in format_timeline(timeline(early, now=NOW))


def test_findings_are_at_their_segment_without_its_name() -> None:
    wrong = OUT.model_copy(update={"to_date_time": "2026-10-20T23:05:00Z"})
    itinerary = trip(wrong)
    (row,) = [
        row for row in timeline(itinerary, trip_checks(itinerary, now=NOW), now=NOW) if isinstance(row, SegmentRow)
    ]
    assert [found.title for found in row.findings] == ["Local time and UTC of the arrival disagree"]


@pytest.mark.parametrize(
    ("now", "place"),
    [
        (datetime(2026, 10, 20, 9, 0, tzinfo=UTC), None),
        (datetime(2026, 10, 20, 12, 0, tzinfo=UTC), "SQ25"),
        (datetime(2026, 10, 21, 1, 0, tzinfo=UTC), "now"),
        (datetime(2026, 10, 22, 12, 0, tzinfo=UTC), "Harbour Hotel"),
        (datetime(2026, 10, 26, 12, 0, tzinfo=UTC), None),
    ],
)
def test_the_current_segment_or_the_current_time_is_marked(now: datetime, place: str | None) -> None:
    rows = timeline(trip(OUT, TWO_NIGHTS, BACK), now=now)
    marks = [row.label for row in rows if isinstance(row, SegmentRow) and row.is_under_way]
    marks += [row.what for row in rows if isinstance(row, Note) and row.what == "now"]
    assert marks == ([place] if place else [])
    over = timeline(trip(OUT, TWO_NIGHTS, BACK), now=now, is_live=False)
    assert not any(row.is_under_way if isinstance(row, SegmentRow) else row.what == "now" for row in over)


@pytest.mark.parametrize(
    ("now", "marks"),
    [
        (datetime(2026, 10, 24, 1, tzinfo=UTC), ["Harbour Hotel"]),
        (datetime(2026, 10, 24, 3, tzinfo=UTC), ["SQ5"]),
        (datetime(2026, 10, 24, 6, tzinfo=UTC), []),
        (datetime(2026, 10, 24, 11, tzinfo=UTC), ["SQ6"]),
        (datetime(2026, 10, 24, 13, tzinfo=UTC), ["Harbour Hotel"]),
    ],
)
def test_no_one_is_at_a_hotel_during_a_journey(now: datetime, marks: list[str]) -> None:
    segments = (
        hotel(SINGAPORE, "2026-10-22T15:00", "2026-10-26T11:00"),
        flight("SQ5", "SIN", "KUL", "2026-10-24T10:00", "2026-10-24T11:30"),
        flight("SQ6", "KUL", "SIN", "2026-10-24T18:30", "2026-10-24T20:00"),
    )
    rows = timeline(trip(*segments), now=now)
    assert [row.label for row in rows if isinstance(row, SegmentRow) and row.is_under_way] == marks


def test_the_current_time_is_between_its_neighboring_segments() -> None:
    rows = timeline(trip(OUT, TWO_NIGHTS, BACK), now=datetime(2026, 10, 24, 1, 0, tzinfo=UTC))
    kinds = ["segment" if isinstance(row, SegmentRow) else row.what for row in rows]
    assert kinds[-4:] == ["now", "gap", "day", "segment"]


def test_time_at_home_is_reported() -> None:
    again = trip(
        flight("LH1", "FRA", "MUC", "2026-10-20T08:00", "2026-10-20T09:00"),
        flight("LH2", "MUC", "FRA", "2026-10-20T18:00", "2026-10-20T19:00"),
        flight("LH3", "FRA", "MUC", "2026-10-23T08:00", "2026-10-23T09:00"),
    )
    pauses = [row.text for row in timeline(again, now=NOW) if isinstance(row, Note) and row.what == "pause"]
    assert pauses == [
        "9 h at MUC Munich",
        "2 d 13 h back at FRA Frankfurt am Main, where the trip began",
    ]


def test_an_unnamed_segment_is_labeled_by_its_type() -> None:
    bare = OUT.model_copy(update={"supplier_code": None, "air_rail_number": None})
    (row,) = [row for row in timeline(trip(bare), now=NOW) if isinstance(row, SegmentRow)]
    assert row.label == "Flight"


def test_incomplete_segments_have_rows() -> None:
    empty = OUT.model_copy(update=dict.fromkeys(("from_date_time_local", "to_date_time_local", "to_iata_code")))
    (day, row) = timeline(trip(empty), now=NOW)
    assert isinstance(day, Note)
    assert isinstance(row, SegmentRow)
    assert (day.text, row.leaves, row.arrives, row.end_place, row.utc, row.lasts) == (
        *("Unknown day", "–", "–"),
        *("unknown place", "", ""),
    )


def test_the_map_has_a_line_for_each_journey_and_each_place_once() -> None:
    legs, points = legs_of(good_trip())
    assert list(legs["label"]) == [
        "SQ25: FRA Frankfurt am Main → SIN Singapore",
        "SQ26: SIN Singapore → FRA Frankfurt am Main",
    ]
    assert list(points["label"]) == ["FRA Frankfurt am Main", "SIN Singapore", "Harbour Hotel, Singapore"]
    assert list(points["kind"]) == ["Air", "Air", "Hotel"]


def test_places_without_coordinates_and_returned_rentals_have_no_line_on_the_map() -> None:
    legs, points = legs_of(
        trip(
            flight("XX1", "FRA", "QQQ", "2026-10-20T08:00", "2026-10-20T10:00"),
            hotel(Address(location_name="Inn"), "2026-10-20T15:00", "2026-10-21T11:00"),
            car(SINGAPORE, SINGAPORE, "2026-10-21T08:00", "2026-10-24T20:00"),
        )
    )
    assert legs.empty
    assert list(points["label"]) == ["FRA Frankfurt am Main", "Harbour Hotel, Singapore"]


def test_travelers_are_a_table_without_empty_columns() -> None:
    assert list(travelers_table(good_trip()).columns) == ["Name", "Employee ID"]
    ben = Passenger(contact_id=2**53 + 1, phone_numbers=[PhoneNumber(phone_number="+1 2", country_name="DE")])
    table = travelers_table(good_trip().model_copy(update={"passengers": [ANA, ben], "travel_arranger": ANA}))
    assert list(table["Name"]) == ["Ana Silva", "unnamed", "Ana Silva"]
    assert list(table["Role"]) == ["Traveler", "Traveler", "Arranger"]
    assert table["Contact ID"][1] == "9007199254740993"
    assert table["Phone"][1] == "+1 2 (Germany)"


@pytest.mark.parametrize(
    ("first", "number", "text"),
    [
        (date(2026, 10, 24), 1, "Oct 24–25"),
        (date(2026, 10, 31), 1, "Oct 31 – Nov 1"),
        (date(2026, 12, 31), 2, "Dec 31, 2026 – Jan 2, 2027"),
    ],
)
def test_nights_are_written_from_evening_to_morning(first: date, number: int, text: str) -> None:
    assert nights(first, number) == text


def test_durations_distances_and_days_are_formatted() -> None:
    assert format_duration(timedelta(hours=-2)) == "2 h"
    assert format_kilometers(85.4) == "85 km"
    assert format_kilometers(1234) == "1,230 km"
    assert day_and_year(date(2026, 10, 24)) == "Sat, Oct 24, 2026"
