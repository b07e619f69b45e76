"""People by place and hour: agreement with manual counts and the table, and arcs that are omitted."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from client.models.itineraries import Itinerary
from domain.expected_locations import place_hours as module
from domain.expected_locations.at_moment import STATUSES, moment
from domain.expected_locations.location_frame import Locations, LocationStore
from domain.expected_locations.place_hours import PlaceHours, place_hours
from domain.expected_locations.roster_view import Filters, look, with_coordinates
from service.demo import generator
from tests.domain.expected_locations.records import PLACES, Row, build_locations
from tests.domain.expected_locations.reference_evaluation import NOON, ReferenceEvaluation, records
from tests.domain.trips.trip_builders import build_expected_locations

HOUR = timedelta(hours=1)
ALL = Filters()
filters = st.builds(
    Filters,
    kinds=st.sets(st.sampled_from(["Air", "Hotel"]), max_size=1).map(frozenset),
    countries=st.sets(st.sampled_from(["SG", "FR", "US"]), max_size=2).map(frozenset),
    text=st.sampled_from(["", "", "ana", "bbb222", "singapore"]),
    statuses=st.sets(st.sampled_from([*STATUSES, "in transit"]), max_size=3).map(frozenset),
)


def read_hour(place_counts: PlaceHours, hour: int) -> tuple[dict[str, tuple[int, str]], tuple[int, int, int]]:
    """People and status of each place in an hour; people at places, in transit and not covered."""
    places = {
        place_id: (int(people), STATUSES[status])
        for place_id, people, status in zip(
            place_counts.place_ids, place_counts.people[hour], place_counts.status[hour], strict=True
        )
        if people
    }
    return places, (
        int(place_counts.at_places[hour]),
        int(place_counts.in_transit[hour]),
        int(place_counts.not_covered[hour]),
    )


@settings(max_examples=40)
@given(records, st.integers(-40, 40))
def test_the_counts_agree_with_counting_record_by_record(rows: list[Row], first: int) -> None:
    begins = NOON + first * HOUR
    place_counts = place_hours(build_locations(rows), ALL, begins, 12)
    for hour in range(0, 12, 3):
        evaluation = ReferenceEvaluation(rows, moment(begins + hour * HOUR)).evaluate()
        statuses: dict[str, list[str]] = {}
        for (_, place), status in sorted(evaluation.pairs.items(), key=lambda pair: STATUSES.index(pair[1])):
            if place != "nowhere":
                statuses.setdefault(PLACES[place].place_id, []).append(status)
        groups = Counter(evaluation.groups.values())
        assert read_hour(place_counts, hour) == (
            {place_id: (len(each), Counter(each).most_common(1)[0][0]) for place_id, each in statuses.items()},
            (groups["at a place"], groups["in transit"], groups["not covered"]),
        )


def assert_agrees_with_table(locations: Locations, place_counts: PlaceHours, selected: Filters, hour: int) -> None:
    view = look(locations, moment(place_counts.first_hour + hour * HOUR), selected)
    places = with_coordinates(view.places)
    assert read_hour(place_counts, hour) == (
        {row.place_id: (row.people, row.status) for row in places.itertuples()},
        (view.people, view.in_transit, view.not_covered_count),
    )


@settings(max_examples=60)
@given(records, filters, st.integers(-40, 40))
def test_the_counts_agree_with_the_table_under_any_filters(rows: list[Row], selected: Filters, first: int) -> None:
    locations = build_locations(rows)
    place_counts = place_hours(locations, selected, NOON + first * HOUR, 12)
    for hour in range(0, 12, 2):
        assert_agrees_with_table(locations, place_counts, selected, hour)


def test_the_map_agrees_with_the_table_at_every_hour_of_the_demo() -> None:
    today = date(2026, 11, 20)
    store = LocationStore()
    for number, trip in enumerate(generator.trips(today)):
        itinerary = Itinerary.model_validate(trip)
        store.put(itinerary.pnr or str(number), [(number, build_expected_locations(itinerary))])
    locations = store.snapshot({})
    place_counts = place_hours(locations, ALL, datetime(2026, 11, 13, tzinfo=UTC))
    assert place_counts.people.shape == (14 * 24, len(place_counts.place_ids))
    assert place_counts.at_places.max() > 100
    for hour in range(14 * 24):
        assert_agrees_with_table(locations, place_counts, ALL, hour)


def build_flights(departs: list[timedelta], lasts: timedelta = timedelta(hours=13)) -> list[Row]:
    """One person on each flight from London to Singapore."""
    rows = []
    for number, after in enumerate(departs):
        leaves, lands = NOON + after, NOON + after + lasts
        person, locator = f"p{number}", f"TRIP{number:02}"
        rows += [
            Row(person, locator, "LHR", "Departure", leaves - 24 * HOUR, leaves),
            Row(person, locator, "SIN", "Arrival", lands, lands + 24 * HOUR),
        ]
    return rows


def test_people_in_transit_at_the_same_hours_are_one_arc() -> None:
    minute = timedelta(minutes=1)
    place_counts = place_hours(build_locations(build_flights([50 * minute, minute, 70 * minute])), ALL, NOON, 24)
    arcs = place_counts.arcs
    assert [place_counts.place_ids[each] for each in (*arcs.origin, *arcs.destination)] == ["LHR", "LHR", "SIN", "SIN"]
    assert list(zip(arcs.departs, arcs.arrives, arcs.people, strict=True)) == [(1, 830, 2), (70, 850, 1)]
    assert place_counts.in_transit.tolist() == [0, 2, *[3] * 12, 1, *[0] * 9]
    assert not place_counts.without_arc.any()


def test_filters_select_people_in_transit() -> None:
    locations = build_locations(build_flights([timedelta(), timedelta(), HOUR]))
    place_counts = place_hours(locations, Filters(text="p2"), NOON, 3)
    assert (place_counts.in_transit.tolist(), place_counts.arcs.people.tolist()) == ([0, 1, 1], [1])
    assert not place_hours(locations, Filters(statuses=frozenset({"there"})), NOON, 3).in_transit.any()


def test_a_place_is_possible_if_its_people_may_be_at_another_place() -> None:
    rows = [Row("ana", "AAA111", place, "Stay", NOON, NOON + 9 * HOUR) for place in ("hotel", "CDG")]
    place_counts = place_hours(build_locations(rows), ALL, NOON, 1)
    assert read_hour(place_counts, 0) == ({"CDG": (1, "possible")}, (1, 0, 0))


def test_the_smallest_arcs_are_omitted_and_their_people_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ARCS_PER_HOUR", 1)
    place_counts = place_hours(build_locations(build_flights([HOUR, HOUR, 2 * HOUR])), ALL, NOON, 24)
    assert place_counts.arcs.people.tolist() == [2, 1], "the smaller is the largest when the other has landed"
    place_counts = place_hours(
        build_locations(build_flights([HOUR, HOUR, 2 * HOUR], 2 * HOUR)), Filters(text="p"), NOON, 3
    )
    assert place_counts.arcs.people.tolist() == [2]
    assert place_counts.without_arc.tolist() == [0, 0, 1]


def test_people_at_a_place_without_coordinates_are_counted_and_not_on_the_map() -> None:
    rows = [Row("ana", "AAA111", "nowhere", "Stay", NOON - HOUR, None), *build_flights([26 * HOUR])]
    place_counts = place_hours(build_locations(rows), ALL, NOON, 3)
    assert (list(place_counts.place_ids), place_counts.at_places.tolist()) == (["LHR"], [1, 1, 2])
    np.testing.assert_array_equal(place_counts.people[:, 0], [0, 0, 1])


def test_people_are_leaving_a_place_with_arrival_and_departure_at_the_same_time() -> None:
    rows = [
        Row("ana", "AAA111", "CDG", "Departure", NOON - 9 * HOUR, NOON + 6 * HOUR),
        Row("ana", "AAA111", "CDG", "Arrival", NOON + 6 * HOUR, NOON + 9 * HOUR),
    ]
    assert read_hour(place_hours(build_locations(rows), ALL, NOON, 1), 0) == ({"CDG": (1, "leaving")}, (1, 0, 0))


def test_a_place_with_people_only_between_two_full_hours_is_on_the_map() -> None:
    rows = [Row("ana", "AAA111", "hotel", "Stay", NOON + HOUR / 4, NOON + HOUR / 2)]
    assert list(place_hours(build_locations(rows), ALL, NOON, 3).place_ids) == [PLACES["hotel"].place_id]
    assert not place_hours(build_locations(rows), ALL, NOON + HOUR, 3).place_ids


def test_the_counts_are_the_same_object_until_something_changes() -> None:
    locations = build_locations(build_flights([HOUR]))
    assert place_hours(locations, ALL, NOON) is place_hours(locations, Filters(), NOON)
    assert place_hours(locations, Filters(text="p"), NOON) is not place_hours(locations, ALL, NOON)


def test_an_empty_roster_has_hours_and_no_places() -> None:
    place_counts = place_hours(LocationStore().snapshot({}), ALL, NOON)
    assert (place_counts.people.shape, place_counts.at_places.sum(), len(place_counts.arcs.people)) == ((336, 0), 0, 0)
