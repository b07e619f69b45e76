"""Filters, places, and people: counts and lists without losses."""

from collections import Counter
from datetime import UTC, datetime, timedelta

import pandas as pd
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from domain.expected_locations.at_moment import IN_TRANSIT, Stretch, at_moment, moment, whole_day
from domain.expected_locations.location_frame import Locations
from domain.expected_locations.roster_view import (
    Filters,
    look,
    narrow,
    not_covered,
    people_at,
    places_of,
    with_coordinates,
    without_coordinates,
)
from tests.domain.expected_locations.records import PLACES, Row, build_locations

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
NOW = moment(NOON)
ALL = Filters()
NAMES = {"ana": "Silva, Ana", "ben": "Müller, Ben", "cai": "Ito, Cai"}


def row_around_noon(person: str, locator: str, place: str, role: str = "Stay", hours: int = 12) -> Row:
    return Row(person, locator, place, role, NOON - timedelta(hours=hours), NOON + timedelta(hours=hours))


ROWS = [
    row_around_noon("dee", "AAA111", "SIN", "Arrival"),
    row_around_noon("ana", "AAA111", "hotel", hours=20),
    row_around_noon("ben", "AAA111", "hotel", hours=20),
    row_around_noon("ben", "BBB222", "hotel", hours=30),
    row_around_noon("cai", "CCC333", "CDG", "Departure"),
    row_around_noon("eva", "CCC333", "nowhere"),
]


def list_places(locations: Locations, filters: Filters = ALL) -> pd.DataFrame:
    at = at_moment(locations, NOW)
    return places_of(locations, at, narrow(locations, at, filters))


def test_places_count_people_once_and_records_each_time() -> None:
    places = list_places(build_locations(ROWS, NAMES)).set_index("label")
    lion = places.loc["Lion Hotel, Singapore"]
    assert (lion["people"], lion["locations"], lion["kind"]) == (2, 3, "Hotel")
    assert places.index[0] == "Lion Hotel, Singapore"


def test_places_without_coordinates_stay_separate() -> None:
    places = list_places(build_locations(ROWS, NAMES))
    assert without_coordinates(places)["label"].tolist() == ["Guest house, Somewhere"]
    assert len(with_coordinates(places)) + len(without_coordinates(places)) == len(places) == 4


@pytest.mark.parametrize(
    ("filters", "expected_places"),
    [
        (Filters(), {"SIN", "hotel", "CDG", "nowhere"}),
        (Filters(kinds=frozenset({"Air"})), {"SIN", "CDG"}),
        (Filters(countries=frozenset({"SG"})), {"SIN", "hotel"}),
        (Filters(text="muller"), {"hotel"}),
        (Filters(text="AAA111"), {"SIN", "hotel"}),
        (Filters(text="  changi "), {"SIN"}),
        (Filters(text="singapore silva"), {"hotel"}),
        (Filters(text="france"), {"CDG"}),
        (Filters(text="cai"), {"CDG"}),
        (Filters(text="nobody of this name"), set()),
        (Filters(kinds=frozenset({"Hotel"}), countries=frozenset({"SG"}), text="ana"), {"hotel"}),
    ],
)
def test_each_filter_selects_the_expected_places(filters: Filters, expected_places: set[str]) -> None:
    ids = {PLACES[key].place_id for key in expected_places}
    assert set(list_places(build_locations(ROWS, NAMES), filters)["place_id"]) == ids


def test_a_filter_does_not_make_an_uncertain_place_certain() -> None:
    locations = build_locations(
        [row_around_noon("ana", "AAA111", "nowhere"), row_around_noon("ana", "AAA111", "hotel")], NAMES
    )
    assert set(list_places(locations, Filters(text="guest"))["status"]) == {"possible"}
    others = look(locations, NOW, ALL).other_candidates(None)
    assert others[["place_id", "status"]].to_numpy().tolist() == [[PLACES["hotel"].place_id, "possible"]]
    assert look(locations, NOW, Filters(text="guest")).other_candidates(None).empty


def test_a_record_locator_finds_people_at_the_places_of_their_other_trips() -> None:
    locations = build_locations(
        [row_around_noon("ana", "AAA111", "SIN", "Arrival"), row_around_noon("ana", "BBB222", "hotel")], NAMES
    )
    assert list_places(locations, Filters(text="aaa111"))["place_id"].tolist() == [PLACES["hotel"].place_id]


def test_people_are_listed_once_per_trip_with_the_latest_end() -> None:
    locations = build_locations(ROWS, NAMES)
    at = at_moment(locations, NOW)
    table = people_at(locations, at, narrow(locations, at, Filters()), [PLACES["hotel"].place_id])
    assert table[["name", "locator", "status", "kind"]].to_numpy().tolist() == [
        ["Müller, Ben", "AAA111", "there", "Hotel"],
        ["Müller, Ben", "BBB222", "there", "Hotel"],
        ["Silva, Ana", "AAA111", "there", "Hotel"],
    ]
    assert table["until"].tolist() == [NOON + timedelta(hours=hours) for hours in (20, 30, 20)]
    assert set(table["country"]) == {"Singapore"}


@pytest.mark.parametrize(
    ("stretch", "status", "begins"),
    [
        (moment(NOON - timedelta(hours=1)), "arriving", NOON),
        (moment(NOON + timedelta(minutes=30)), "leaving", NOON - timedelta(hours=23)),
        (whole_day(NOON.date()), "arriving", NOON),
    ],
)
@pytest.mark.parametrize("onward", ["AAA111", "BBB222"])
def test_the_status_at_a_connection_follows_the_arriving_and_the_departing_flight(
    stretch: Stretch, status: str, begins: datetime, onward: str
) -> None:
    leaves = NOON + timedelta(hours=1)
    rows = [
        Row("ana", "AAA111", "CDG", "Arrival", NOON, NOON + timedelta(hours=24)),
        Row("ana", onward, "CDG", "Departure", leaves - timedelta(hours=24), leaves),
    ]
    locations = build_locations(rows)
    at = at_moment(locations, stretch)
    table = people_at(locations, at, narrow(locations, at, ALL))
    assert set(table["status"]) == {status}
    assert table["from"].min() == begins
    assert set(table["until"]) == {leaves}


def test_no_one_expected_gives_empty_tables_with_their_columns() -> None:
    locations = build_locations(ROWS, NAMES)
    at_later_time = moment(NOON + timedelta(days=900))
    at = at_moment(locations, at_later_time)
    narrowed = narrow(locations, at, Filters())
    assert places_of(locations, at, narrowed).empty
    assert people_at(locations, at, narrowed).empty
    assert not_covered(locations, at, narrowed).empty
    assert "until" in people_at(locations, at, narrowed)


UNCOVERED = [
    Row("ana", "AAA111", "LHR", "Departure", NOON - timedelta(hours=54), NOON - timedelta(hours=30)),
    Row("ana", "AAA111", "SIN", "Arrival", NOON + timedelta(hours=5), NOON + timedelta(hours=29)),
    row_around_noon("ben", "BBB222", "CDG"),
    row_around_noon("cai", "CCC333", "hotel"),
]


def test_a_person_not_covered_is_listed_with_the_last_and_the_next_place() -> None:
    locations = build_locations(UNCOVERED, NAMES)
    at = at_moment(locations, NOW)
    table = not_covered(locations, at, narrow(locations, at, ALL))
    assert table[["name", "locator", "last_place", "next_place"]].to_numpy().tolist() == [
        ["Silva, Ana", "AAA111", "London Heathrow Airport (LHR)", "Singapore Changi International Airport (SIN)"]
    ]
    assert table["last_until"].tolist() == [NOON - timedelta(hours=30)]
    assert table["next_from"].tolist() == [NOON + timedelta(hours=5)]


@pytest.mark.parametrize(
    ("filters", "count", "people"),
    [
        (ALL, 1, 3),
        (Filters(text="silva"), 1, 1),
        (Filters(text="aaa111"), 1, 1),
        (Filters(text="heathrow"), 1, 1),
        (Filters(text="ben"), 0, 1),
        (Filters(countries=frozenset({"GB"})), 1, 1),
        (Filters(countries=frozenset({"SG"})), 1, 2),
        (Filters(countries=frozenset({"FR"})), 0, 1),
        (Filters(kinds=frozenset({"Air"})), 1, 2),
        (Filters(kinds=frozenset({"Hotel"})), 0, 1),
        (Filters(statuses=frozenset({"leaving"})), 1, 3),
    ],
)
def test_a_person_not_covered_is_filtered_by_the_last_or_the_next_place(
    filters: Filters, count: int, people: int
) -> None:
    locations = build_locations(UNCOVERED, NAMES)
    narrowed = narrow(locations, at_moment(locations, NOW), filters)
    assert (len(narrowed.not_covered), narrowed.people) == (count, people)


def test_a_person_who_left_without_an_arrival_has_no_next_place() -> None:
    stay = Row("ana", "AAA111", "hotel", "Stay", NOON - timedelta(hours=20), NOON + timedelta(hours=20))
    left = Row("ana", "AAA111", "SIN", "Departure", NOON - timedelta(hours=25), NOON - timedelta(hours=1))
    locations = build_locations([stay, left], NAMES)
    at = at_moment(locations, NOW)
    (row,) = not_covered(locations, at, narrow(locations, at, ALL)).to_dict("records")
    assert (row["locator"], row["next_place"], pd.isna(row["next_from"])) == ("AAA111", None, True)


IN_THE_AIR = [
    Row("ana", "AAA111", "LHR", "Departure", NOON - timedelta(hours=26), NOON - timedelta(hours=2)),
    Row("ana", "AAA111", "SIN", "Arrival", NOON + timedelta(hours=11), NOON + timedelta(hours=35)),
    row_around_noon("ben", "BBB222", "SIN"),
]


@pytest.mark.parametrize(
    ("filters", "people"),
    [
        (Filters(statuses=frozenset({"in transit"})), {"ana"}),
        (Filters(statuses=frozenset({"in transit"}), kinds=frozenset({"Rail"})), set()),
        (Filters(statuses=frozenset({"there"})), {"ben"}),
        (Filters(countries=frozenset({"SG"})), {"ana", "ben"}),
        (Filters(countries=frozenset({"GB"})), set()),
        (Filters(text="heathrow changi"), {"ana"}),
        (Filters(text="aaa111"), {"ana"}),
    ],
)
def test_a_person_in_transit_is_found_by_the_destination(filters: Filters, people: set[str]) -> None:
    locations = build_locations(IN_THE_AIR, NAMES)
    at = at_moment(locations, NOW)
    assert set(people_at(locations, at, narrow(locations, at, filters))["person"]) == people


def test_a_person_in_transit_is_listed_with_both_places_and_times() -> None:
    locations = build_locations(IN_THE_AIR, NAMES)
    at = at_moment(locations, NOW)
    table = people_at(locations, at, narrow(locations, at, ALL), ["SIN"])
    assert table["person"].tolist() == ["ben", "ana"]
    leg = table.iloc[1]
    assert (leg["status"], leg["place_id"], leg["origin"]) == ("in transit", "SIN", "London Heathrow Airport (LHR)")
    assert (leg["from"], leg["until"]) == (NOON - timedelta(hours=2), NOON + timedelta(hours=11))
    assert (leg["from_zone"], leg["zone"]) == ("Europe/London", "Asia/Singapore")
    assert people_at(locations, at, narrow(locations, at, ALL), ["LHR"]).empty


@pytest.mark.parametrize("shift", [timedelta(hours=1), -timedelta(hours=55)])
def test_a_person_not_covered_is_listed_with_the_trip_under_way(
    shift: timedelta,
) -> None:
    day = timedelta(days=1)
    rows = [
        Row("ana", "AAA111", "LHR", "Departure", NOON - 3 * day, NOON - 2 * day),
        Row("ana", "AAA111", "SIN", "Arrival", NOON + 2 * day, NOON + 3 * day),
        Row("ana", "BBB222", "CDG", "Departure", NOON + shift, NOON + shift + day),
    ]
    locations = build_locations(rows, NAMES)
    at = at_moment(locations, NOW)
    table = not_covered(locations, at, narrow(locations, at, ALL))
    assert table[["locator", "itinerary"]].to_numpy().tolist() == [["AAA111", "9000000000"]]
    nearer = table["next_place"] if shift > timedelta() else table["last_place"]
    assert nearer.tolist() == ["Charles de Gaulle International Airport (CDG)"]


@given(
    st.lists(
        st.builds(
            # Each person at one place only, so that every place is a likely one.
            lambda person, locator, place, role, hours: row_around_noon(
                f"{person} {place}", locator, place, role, hours
            ),
            st.sampled_from(sorted(NAMES)),
            st.sampled_from(["AAA111", "BBB222", "CCC333"]),
            st.sampled_from(sorted(PLACES)),
            st.sampled_from(["Departure", "Arrival", "Stay"]),
            st.integers(-3, 30),
        ),
        max_size=20,
    ),
    st.sets(st.sampled_from(["Air", "Hotel", "Car"])),
    st.sets(st.sampled_from(["SG", "FR", "US"])),
)
@example(
    [row_around_noon("ana", "AAA111", "AKL", "Departure", 0), row_around_noon("ana", "AAA111", "AKL", "Arrival", -1)],
    set(),
    set(),
)
def test_counts_agree_with_counting_row_by_row(rows: list[Row], kinds: set[str], countries: set[str]) -> None:
    locations = build_locations(rows, NAMES)
    at = at_moment(locations, whole_day(NOON.date()))
    places = places_of(locations, at, narrow(locations, at, Filters(frozenset(kinds), frozenset(countries))))
    day = (NOON - timedelta(hours=12), NOON + timedelta(hours=12))
    matching_rows = [
        row
        for row in rows
        if row.arrives < day[1]
        and max(row.expires, row.arrives + timedelta(microseconds=1)) > day[0]
        and (not kinds or PLACES[row.place].kind in kinds)
        and (not countries or PLACES[row.place].address.get("country") in countries)
    ]
    records = Counter(PLACES[row.place].place_id for row in matching_rows)
    people = Counter(place for _, place in {(row.person, PLACES[row.place].place_id) for row in matching_rows})
    assert dict(zip(places["place_id"], places["locations"], strict=True)) == records
    assert dict(zip(places["place_id"], places["people"], strict=True)) == people
    table = people_at(locations, at, narrow(locations, at, Filters(frozenset(kinds), frozenset(countries))))
    # A departure and an arrival at the same place may be a leg, such as a sightseeing flight, which has its own row.
    at_places = table[table["status"] != IN_TRANSIT]
    assert len(at_places) == len({(row.person, row.place, row.locator) for row in matching_rows})
