"""Where everybody is: the vectorized rules against the same rules read record by record."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.expected_locations.at_moment import (
    GROUPS,
    STATUSES,
    Stretch,
    at_moment,
    group_people,
    moment,
    whole_day,
)
from domain.expected_locations.location_frame import Locations, LocationStore
from tests.unit.expected_locations.records import PLACES, Row, located

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
US = timedelta(microseconds=1)
IN_SINGAPORE = {"SIN", "hotel", "rental"}
LONGEST = {"Air": timedelta(hours=24), "Car": timedelta(hours=12), "Hotel": timedelta(days=4000)}


@dataclass(frozen=True)
class Answer:
    """Where everybody is, in names that tests can write."""

    pairs: dict[tuple[str, str], str]
    """Person and place to status."""
    in_transit: Counter[tuple[str, str, str]]
    """Person, origin, destination."""
    groups: dict[str, str]


class OneByOne:
    """The rules of `whereabouts` and `at_moment`, read one record after the other."""

    def __init__(self, rows: list[Row], stretch: Stretch) -> None:
        self.rows, self.stretch = rows, stretch
        self.legs = [
            (left, reached)
            for person, locator, kind in dict.fromkeys((row.person, row.locator, kind_of(row)) for row in rows)
            for left, reached in pairs_of([row for row in self.trip(person, locator) if kind_of(row) == kind])
            if timedelta() < reached.arrives - left.expires <= LONGEST[kind]  # type: ignore[operator]
        ]

    def trip(self, person: str, locator: str) -> list[Row]:
        return [row for row in self.rows if (row.person, row.locator) == (person, locator)]

    def bounds(self, place: str) -> tuple[datetime, datetime]:
        def real(at: datetime) -> datetime:
            zone = PLACES[place].zone
            aware = at if at.tzinfo else at.replace(tzinfo=ZoneInfo(zone) if zone else UTC)
            return aware.astimezone(UTC)

        begins = real(self.stretch.begins)
        return begins, begins + US if self.stretch.ends is None else real(self.stretch.ends)

    def presences(self, row: Row) -> Iterator[tuple[datetime, datetime]]:
        begins, ends = window(row)
        trip = self.trip(row.person, row.locator)
        departures = [each for each in trip if each.role == "Departure" and each.expires is not None]
        is_stay = row.role == "Stay" or (row.role == "Business" and kind_of(row) == "Hotel")
        if is_stay:
            in_legs = [left for left, _ in self.legs]
            departures = [
                each for each in departures if kind_of(each) != "Car" or any(each is left for left in in_legs)
            ]
        if row.role == "Departure" or row.arrives is None:
            departures = []
        while True:
            left = min((each.expires for each in departures if each.expires > begins), default=ends)
            yield begins, min(left, ends)
            back = [each.arrives for each in trip if each.role == "Arrival" and each.arrives and is_near(each, row)]
            begins = min((at for at in back if at > left), default=ends)
            if not is_stay or begins >= ends or left >= ends:
                return

    def answer(self) -> Answer:
        on_leg, gone = Counter[tuple[str, str, str]](), set[str]()
        for left, reached in self.legs:
            origin, destination = self.bounds(left.place), self.bounds(reached.place)
            if left.expires < origin[1] and reached.arrives > destination[0]:  # type: ignore[operator]
                on_leg[left.person, left.place, reached.place] += 1
            if left.expires <= origin[0] and reached.arrives >= destination[1]:  # type: ignore[operator]
                gone.add(left.person)
        everything = [(row, begins, ends) for row in self.rows for begins, ends in self.presences(row)]
        there: dict[tuple[str, str], list[tuple[Row, datetime, datetime]]] = {}
        for row, begins, ends in everything:
            bounds = self.bounds(row.place)
            if begins < bounds[1] and ends > bounds[0] and row.person not in gone:
                there.setdefault((row.person, row.place), []).append((row, begins, ends))

        def next_reached(pair: tuple[str, str]) -> datetime:
            later = [
                begins
                for row, begins, _ in everything
                if (row.person, row.place) == pair and row.role != "Departure" and begins > self.bounds(pair[1])[0]
            ]
            return min(later, default=datetime.max.replace(tzinfo=UTC))

        def is_arriving(pair: tuple[str, str]) -> bool:
            others = [begins for row, begins, _ in there[pair] if row.role != "Departure"]
            if others:
                return all(begins > self.bounds(pair[1])[0] for begins in others)
            departs = min(ends for _, _, ends in there[pair])
            return next_reached(pair) < max(departs, self.bounds(pair[1])[1])

        def hull(pair: tuple[str, str]) -> tuple[timedelta, timedelta]:
            first, last = self.bounds(pair[1])
            zero = first if self.stretch.clock == "place" else datetime(2000, 1, 1, tzinfo=UTC)
            opens = min(max(begins, first) for _, begins, _ in there[pair])
            return opens - zero, max(min(ends, last) for _, _, ends in there[pair]) - zero

        def status(pair: tuple[str, str]) -> str:
            if is_arriving(pair):
                return "arriving"
            opens, closes = hull(pair)
            for other in there:
                if other[0] == pair[0] and other[1] != pair[1] and not is_arriving(other):
                    others = hull(other)
                    if others[0] < closes and opens < others[1]:
                        return "possible"
            return "leaving" if any(row.role == "Departure" for row, _, _ in there[pair]) else "there"

        pairs = {pair: status(pair) for pair in there}
        if self.stretch.ends is not None:
            pairs = {
                pair: status
                for pair, status in pairs.items()
                if status != "arriving" or next_reached(pair) < self.bounds(pair[1])[1]
            }
        groups = {row.person: "not traveling" for row in self.rows}
        for row in self.rows:
            trip = self.trip(row.person, row.locator)
            begun = any(window(each)[0] < self.bounds(each.place)[1] for each in trip)
            if begun and any(window(each)[1] > self.bounds(each.place)[0] for each in trip):
                groups[row.person] = "not covered"
        groups |= {person: "in transit" for person, _, _ in on_leg} | {person: "at a place" for person, _ in pairs}
        return Answer(pairs, on_leg, groups)


def kind_of(row: Row) -> str:
    return PLACES[row.place].kind


def window(row: Row) -> tuple[datetime, datetime]:
    arrives = row.arrives or datetime(1900, 1, 1, tzinfo=UTC)
    return arrives, max(row.expires or datetime(2100, 1, 1, tzinfo=UTC), arrives + US)


def is_near(one: Row, other: Row) -> bool:
    both = {one.place, other.place}
    return len(both) == 1 or both <= IN_SINGAPORE or "nowhere" in both


def pairs_of(rows: list[Row]) -> list[tuple[Row, Row]]:
    departures = [row for row in rows if row.role == "Departure" and row.expires is not None]
    arrivals = [row for row in rows if row.role == "Arrival" and row.arrives is not None]
    listed = list(zip(departures, arrivals, strict=False))
    if len(departures) == len(arrivals) and all(left.expires <= reached.arrives for left, reached in listed):  # type: ignore[operator]
        return listed
    events: list[Any] = sorted(
        [(row.arrives, 0, number, row) for number, row in enumerate(arrivals)]
        + [(row.expires, 1, number, row) for number, row in enumerate(departures)]
    )
    return [(one[3], other[3]) for one, other in pairwise(events) if (one[1], other[1]) == (1, 0)]


def ours(locations: Locations, stretch: Stretch) -> Answer:
    found, where = at_moment(locations, stretch), locations.whereabouts
    people, places = locations.people["person"], locations.places["place_id"]
    names = {PLACES[key].place_id: key for key in PLACES}
    pairs = {
        (people[person], names[places[place]]): STATUSES[status]
        for person, place, status in zip(found.person, found.place, found.status, strict=True)
    }
    person, place = where.windows.person, where.windows.place
    legs = Counter(
        (people[person[left]], names[places[place[left]]], names[places[place[reached]]])
        for left, reached in zip(where.left[found.legs], where.reached[found.legs], strict=True)
    )
    groups = {people[code]: GROUPS[group] for code, group in enumerate(group_people(locations, found))}
    return Answer(pairs, legs, groups)


def hours(*choices: int) -> st.SearchStrategy[timedelta]:
    return st.sampled_from(choices).map(lambda each: timedelta(hours=each))


# Close together in few places, so that departures and arrivals meet.
records = st.lists(
    st.builds(
        lambda person, locator, place, role, start, length, missing: Row(
            person=person,
            locator=locator,
            place=place,
            role=role,
            arrives=None if missing == 1 else NOON + start,
            expires=None if missing == 2 else NOON + start + length,
        ),
        st.sampled_from(["ana", "ana", "ana", "contact 7"]),
        st.sampled_from(["AAA111", "AAA111", "BBB222"]),
        st.sampled_from(["SIN", "hotel", "rental", "CDG", "HNL", "nowhere"]),
        st.sampled_from(["Departure", "Arrival", "Stay", "Departure", "Arrival", "Business"]),
        hours(*range(-30, 31, 3)),
        hours(24, 60, 3, 9, -1),
        st.sampled_from([0, 0, 0, 0, 0, 0, 1, 2]),
    ),
    min_size=5,
    max_size=10,
)
any_time = hours(*range(-36, 61, 3))
stretches = st.lists(
    st.one_of(
        any_time.map(lambda after: moment(NOON + after)),
        any_time.map(lambda after: moment((NOON + after).replace(tzinfo=None), "place")),
        any_time.map(lambda after: Stretch(NOON + after, NOON + after + timedelta(hours=6), "utc")),
        st.builds(
            lambda days, clock: whole_day(date(2026, 11, 20) + timedelta(days=days), clock),
            st.integers(-1, 2),
            st.sampled_from(["utc", "place"]),
        ),
    ),
    min_size=6,
    max_size=6,
)


@settings(max_examples=100)
@given(records, stretches)
def test_agrees_with_a_reading_record_by_record(rows: list[Row], times: list[Stretch]) -> None:
    locations = located(rows)
    for stretch in times:
        assert ours(locations, stretch) == OneByOne(rows, stretch).answer()


def answer(rows: list[Row], stretch: Stretch) -> Answer:
    return ours(located(rows), stretch)


def test_an_empty_roster_has_nobody_anywhere() -> None:
    found = at_moment(LocationStore().snapshot({}), moment(NOON))
    assert len(found.rows) == len(found.person) == len(found.legs) == len(found.not_covered) == 0


def flight(person: str = "ana", locator: str = "AAA111") -> list[Row]:
    """London to Singapore: leaves at noon, lands 13 hours later; the windows are as the service gives them."""
    lands = NOON + timedelta(hours=13)
    return [
        Row(person, locator, "LHR", "Departure", NOON - timedelta(hours=24), NOON),
        Row(person, locator, "SIN", "Arrival", lands, lands + timedelta(hours=24)),
    ]


@pytest.mark.parametrize(
    ("after", "pairs", "group"),
    [
        (timedelta(hours=-25), {}, "not traveling"),
        (timedelta(hours=-24), {("ana", "LHR"): "leaving"}, "at a place"),
        (timedelta(microseconds=-1), {("ana", "LHR"): "leaving"}, "at a place"),
        (timedelta(0), {}, "in transit"),
        (timedelta(hours=13, microseconds=-1), {}, "in transit"),
        (timedelta(hours=13), {("ana", "SIN"): "there"}, "at a place"),
        (timedelta(hours=37), {}, "not traveling"),
    ],
)
def test_a_flight_from_its_first_window_to_its_last(
    after: timedelta, pairs: dict[tuple[str, str], str], group: str
) -> None:
    found = answer(flight(), moment(NOON + after))
    assert (found.pairs, found.groups) == (pairs, {"ana": group})
    assert found.in_transit == ({("ana", "LHR", "SIN"): 1} if group == "in transit" else {})


def later(after: float, hours: float = 24) -> tuple[datetime, datetime]:
    """A window from so many hours after noon that lasts so long."""
    begins = NOON + timedelta(hours=after)
    return begins, begins + timedelta(hours=hours)


def trip(person: str, *records: tuple[str, str, tuple[datetime, datetime]], locator: str = "AAA111") -> list[Row]:
    return [Row(person, locator, place, role, *window) for place, role, window in records]


def test_nobody_is_at_a_place_that_their_trip_has_left() -> None:
    rows = trip(
        "ana",
        ("SIN", "Arrival", later(0)),
        ("SIN", "Departure", later(-22)),
        ("AKL", "Arrival", later(12)),
    )
    assert answer(rows, moment(NOON + timedelta(hours=1))).pairs == {("ana", "SIN"): "leaving"}
    left = answer(rows, moment(NOON + timedelta(hours=2)))
    assert (left.pairs, left.in_transit) == ({}, {("ana", "SIN", "AKL"): 1})
    assert answer(rows, moment(NOON + timedelta(hours=13))).pairs == {("ana", "AKL"): "there"}
    others = [Row(row.person, f"BBB{number}", *list(vars(row).values())[2:]) for number, row in enumerate(rows)]
    assert answer(others, moment(NOON + timedelta(hours=3))).pairs == {("ana", "SIN"): "there"}, "not of one trip"


def test_a_stay_goes_on_when_the_person_comes_back_near_it() -> None:
    rows = trip(
        "ana",
        ("hotel", "Stay", later(0, 100)),
        ("SIN", "Departure", later(-14)),
        ("AKL", "Arrival", later(20)),
        ("AKL", "Departure", later(6)),
        ("SIN", "Arrival", later(40)),
    )
    when = {5: "hotel", 10: "", 25: "AKL", 35: "", 70: "hotel"}
    for after, place in when.items():
        found = answer(rows, moment(NOON + timedelta(hours=after)))
        assert {key[1] for key in found.pairs} - {"SIN"} == ({place} if place else set()), after
        assert bool(found.in_transit) is not bool(place)


def test_a_rental_moves_nobody_out_of_a_hotel_and_a_drive_does() -> None:
    def with_car(hours: float) -> Answer:
        rows = trip(
            "ana",
            ("hotel", "Stay", later(0, 100)),
            ("rental", "Departure", later(-20)),
            ("rental", "Arrival", later(4 + hours)),
        )
        return answer(rows, moment(NOON + timedelta(hours=5)))

    assert with_car(60).pairs == {("ana", "hotel"): "there"}
    assert with_car(3).in_transit == {("ana", "rental", "rental"): 1}


def test_a_pair_that_is_longer_than_any_flight_is_no_leg() -> None:
    rows = trip("ana", ("LHR", "Departure", later(-24)), ("SIN", "Arrival", later(200)))
    assert answer(rows, moment(NOON + timedelta(hours=3))).groups == {"ana": "not covered"}


def test_a_departure_without_an_arrival_leads_nowhere() -> None:
    rows = trip(
        "ana",
        ("LHR", "Departure", later(-24)),
        ("CDG", "Departure", later(-20)),
        ("SIN", "Arrival", later(16)),
    )
    assert answer(rows, moment(NOON + timedelta(hours=1))).in_transit == {}
    assert answer(rows, moment(NOON + timedelta(hours=5))).in_transit == {("ana", "CDG", "SIN"): 1}


def test_travelers_of_one_trip_have_legs_of_their_own() -> None:
    found = answer([*flight("ana"), *flight("ben")], moment(NOON + timedelta(hours=2)))
    assert found.in_transit == {(person, "LHR", "SIN"): 1 for person in ("ana", "ben")}


def test_the_next_hours_hold_who_lands_within_them() -> None:
    rows = [*flight("ana"), *trip("ben", ("LHR", "Departure", later(-12)), ("SIN", "Arrival", later(24)))]
    hours = Stretch(NOON + timedelta(hours=9), NOON + timedelta(hours=15), "utc")
    found = answer(rows, hours)
    assert found.pairs == {("ana", "SIN"): "arriving", ("ben", "LHR"): "leaving"}
    assert found.in_transit == {("ana", "LHR", "SIN"): 1, ("ben", "LHR", "SIN"): 1}


def test_a_place_whose_departure_stands_open_before_the_person_gets_there_is_arriving() -> None:
    lands, leaves = NOON + timedelta(hours=2), NOON + timedelta(hours=6)
    rows = [
        Row("ana", "AAA111", "LHR", "Departure", NOON - timedelta(hours=23), NOON + timedelta(hours=1)),
        Row("ana", "AAA111", "CDG", "Arrival", lands, lands + timedelta(hours=24)),
        Row("ana", "AAA111", "CDG", "Departure", leaves - timedelta(hours=24), leaves),
    ]
    assert answer(rows, moment(NOON)).pairs == {("ana", "LHR"): "leaving", ("ana", "CDG"): "arriving"}
    assert answer(rows, moment(lands)).pairs == {("ana", "CDG"): "leaving"}


def test_a_place_reached_only_when_it_is_left_is_left() -> None:
    leaves = NOON + timedelta(hours=6)
    rows = [
        Row("ana", "AAA111", "CDG", "Arrival", leaves, leaves + timedelta(hours=24)),
        Row("ana", "AAA111", "CDG", "Departure", leaves - timedelta(hours=24), leaves),
    ]
    assert answer(rows, moment(NOON)).pairs == {("ana", "CDG"): "leaving"}


def test_a_place_left_before_it_is_reached_once_more_is_left() -> None:
    leaves, returns, leaves_again = (NOON + timedelta(hours=hours) for hours in (1, 8, 10))
    rows = [
        Row("ana", "AAA111", "CDG", "Departure", leaves - timedelta(hours=24), leaves),
        Row("ana", "AAA111", "CDG", "Arrival", returns, returns + timedelta(hours=24)),
        Row("ana", "AAA111", "CDG", "Departure", leaves_again - timedelta(hours=24), leaves_again),
    ]
    assert answer(rows, moment(NOON)).pairs == {("ana", "CDG"): "leaving"}
    assert answer(rows, moment(leaves)).in_transit == {("ana", "CDG", "CDG"): 1}


def test_two_places_open_at_once_are_both_possible() -> None:
    rows = [
        Row("ana", "AAA111", "SIN", "Arrival", NOON, NOON + timedelta(hours=24)),
        Row("ana", "AAA111", "hotel", "Stay", NOON + timedelta(hours=3), NOON + timedelta(days=3)),
    ]
    assert Counter(answer(rows, moment(NOON + timedelta(hours=4))).pairs.values()) == {"possible": 2}
    assert answer(rows, moment(NOON + timedelta(hours=25))).pairs == {("ana", "hotel"): "there"}


def test_a_day_with_one_place_after_the_other_is_not_a_doubt() -> None:
    assert answer(flight(), whole_day(NOON.date())).pairs == {("ana", "LHR"): "leaving"}
    assert answer(flight(), whole_day(NOON.date() + timedelta(days=1))).pairs == {("ana", "SIN"): "arriving"}


def test_a_night_without_a_hotel_is_not_covered() -> None:
    back = NOON + timedelta(days=6)
    rows = [*flight(), Row("ana", "AAA111", "SIN", "Departure", back - timedelta(hours=24), back)]
    assert answer(rows, moment(NOON + timedelta(days=3))).groups == {"ana": "not covered"}


def test_between_two_trips_nobody_is_travelling() -> None:
    next_trip = [
        Row(row.person, "BBB222", row.place, row.role, row.arrives + timedelta(days=9), row.expires + timedelta(days=9))
        for row in flight()
    ]
    assert answer([*flight(), *next_trip], moment(NOON + timedelta(days=5))).groups == {"ana": "not traveling"}


def test_the_same_wall_clock_is_another_time_at_each_place() -> None:
    """A stay all of 20 November on each side of the date line: one is over before the other begins."""
    auckland, honolulu = ZoneInfo("Pacific/Auckland"), ZoneInfo("Pacific/Honolulu")
    rows = [
        Row("ana", "AAA111", place, "Stay", datetime(2026, 11, 20, tzinfo=zone), datetime(2026, 11, 21, tzinfo=zone))
        for place, zone in (("AKL", auckland), ("HNL", honolulu))
    ]
    wall_clock = datetime(2026, 11, 20, 12)  # noqa: DTZ001
    assert set(answer(rows, moment(wall_clock, "place")).pairs) == {("ana", "AKL"), ("ana", "HNL")}
    assert set(answer(rows, moment(datetime(2026, 11, 20, 8, tzinfo=UTC))).pairs) == {("ana", "AKL")}
    assert set(answer(rows, moment(datetime(2026, 11, 20, 12, tzinfo=UTC))).pairs) == {("ana", "HNL")}
    assert set(answer(rows, whole_day(date(2026, 11, 20), "place")).pairs) == {("ana", "AKL"), ("ana", "HNL")}


@pytest.mark.parametrize(
    ("wall_clock", "utc"),
    [
        (
            "2026-03-29T01:30",
            datetime(2026, 3, 29, 1, 30, tzinfo=UTC),
        ),  # skipped: by the offset before
        ("2026-10-25T01:30", datetime(2026, 10, 25, 0, 30, tzinfo=UTC)),  # twice: the first
        ("2026-07-01T01:30", datetime(2026, 7, 1, 0, 30, tzinfo=UTC)),
    ],
)
def test_wall_clocks_that_are_skipped_or_come_twice(wall_clock: str, utc: datetime) -> None:
    begins, ends = moment(datetime.fromisoformat(wall_clock), "place").at_zone("Europe/London")
    assert datetime.fromtimestamp(begins / 1e6, UTC) == utc
    assert ends == begins + 1


@pytest.mark.parametrize(
    ("day", "length"), [(date(2026, 3, 29), 23), (date(2026, 10, 25), 25), (date(2026, 11, 20), 24)]
)
def test_a_day_on_the_places_clock_is_as_long_as_it_is(day: date, length: int) -> None:
    begins, ends = whole_day(day, "place").at_zone("Europe/London")
    assert (ends - begins) / 3.6e9 == length


@pytest.mark.parametrize("zone", ["Pacific/Auckland", "Pacific/Honolulu", None])
@pytest.mark.parametrize("day", [date.min, date.max])
def test_the_first_and_the_last_day_of_the_calendar_are_days(day: date, zone: str | None) -> None:
    begins, ends = whole_day(day, "place").at_zone(zone)
    assert abs(ends - begins - 86_400_000_000) <= 1
    utc = whole_day(day).at_zone(None)
    assert abs(begins - utc[0]) < 14 * 3_600_000_000
    at = datetime.combine(day, datetime.min.time())
    assert moment(at, "place").at_zone(zone) == (begins, begins + 1)


def test_a_place_without_a_known_zone_is_read_in_utc() -> None:
    rows = [Row("ana", "AAA111", "nowhere", "Stay", NOON, NOON + timedelta(hours=1))]
    assert answer(rows, moment(NOON.replace(tzinfo=None), "place")).pairs == {("ana", "nowhere"): "there"}
    assert moment(NOON.replace(tzinfo=None), "place").at_zone("Not/AZone") == moment(NOON).at_zone(None)


def test_a_record_without_an_end_never_closes_and_one_without_a_beginning_was_always_open() -> None:
    rows = [
        Row("ana", "AAA111", "SIN", "Stay", NOON, None),
        Row("ben", "AAA111", "SIN", "Stay", None, NOON),
    ]
    assert set(answer(rows, moment(NOON + timedelta(days=4000))).pairs) == {("ana", "SIN")}
    assert set(answer(rows, moment(NOON - timedelta(days=4000))).pairs) == {("ben", "SIN")}
