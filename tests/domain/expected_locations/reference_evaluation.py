"""The rules of presences, likely places, and statuses, evaluated record by record, and random records."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from domain.expected_locations.at_moment import Stretch, moment, whole_day
from domain.geography.distance import great_circle_km
from tests.domain.expected_locations.records import PLACES, Row

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
IN_SINGAPORE = {"SIN", "hotel", "rental"}
LONGEST = {"Air": timedelta(hours=24), "Car": timedelta(hours=12), "Hotel": timedelta(days=4000)}


@dataclass(frozen=True)
class Evaluation:
    """The places and groups of all people, with the short names of the tests."""

    pairs: dict[tuple[str, str], str]
    """Status by person and place."""
    in_transit: Counter[tuple[str, str, str]]
    """Person, origin, destination."""
    groups: dict[str, str]


class ReferenceEvaluation:
    """The rules of `whereabouts` and `at_moment`, evaluated record by record."""

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
        def to_utc(at: datetime) -> datetime:
            zone = PLACES[place].zone
            aware = at if at.tzinfo else at.replace(tzinfo=ZoneInfo(zone) if zone else UTC)
            return aware.astimezone(UTC)

        begins = to_utc(self.stretch.begins)
        return begins, begins + MICROSECOND if self.stretch.ends is None else to_utc(self.stretch.ends)

    def presences(self, row: Row) -> Iterator[tuple[datetime, datetime]]:
        begins, ends = window(row)
        trip = self.trip(row.person, row.locator)
        departures = [each for each in trip if each.role == "Departure" and each.expires is not None]
        if is_stay(row):
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
            if not is_stay(row) or begins >= ends or left >= ends:
                return

    def all_presences(self) -> list[tuple[Row, datetime, datetime]]:
        """All presences."""
        return [(row, begins, ends) for row in self.rows for begins, ends in self.presences(row)]

    def likely_places(self, person: str, place: str) -> list[tuple[str | None, bool]]:
        """The likely places of a person during the stretch in the local time of a place, each with whether it ties."""
        all_presences, (first, last) = self.all_presences(), self.bounds(place)
        times = {first, *(at for _, begins, ends in all_presences for at in (begins, ends))}
        times |= {begins + timedelta(hours=1) for _, begins, _ in all_presences}
        times |= {ends - timedelta(hours=2) for _, _, ends in all_presences}
        times |= {at for left, reached in self.legs for at in (left.expires, reached.arrives) if at}
        return [self.likely_place(person, at, all_presences) for at in times if first <= at < last]

    def likely_place(
        self, person: str, at: datetime, all_presences: list[tuple[Row, datetime, datetime]]
    ) -> tuple[str | None, bool]:
        """The likely place of a person at an instant, and whether it ties with another."""
        ranks = self.ranks(person, at, all_presences)
        places = [place for place in ranks if ranks[place] == max(ranks.values())]
        return min(places, key=lambda place: PLACES[place].place_id, default=None), len(places) > 1

    def ranks(
        self, person: str, at: datetime, all_presences: list[tuple[Row, datetime, datetime]]
    ) -> dict[str, tuple[int, timedelta]]:
        """How likely each place of a person is at an instant."""
        if any(left.person == person and left.expires <= at < reached.arrives for left, reached in self.legs):  # type: ignore[operator]
            return {}
        own = [each for each in all_presences if each[0].person == person]
        far = datetime(1800, 1, 1, tzinfo=UTC)
        ranks: dict[str, tuple[int, timedelta]] = {}
        departures, visits = [], []
        for row, begins, ends in own:
            if not begins <= at < ends:
                continue
            if row.role == "Departure":
                is_reached_later = any(
                    each.place == row.place and each.role != "Departure" and at < reached < ends
                    for each, reached, _ in own
                )
                is_boarding = kind_of(row) == "Air" and row.expires is not None and at >= ends - timedelta(hours=2)
                rank = (1 if is_reached_later else 7 if is_boarding else 2, far - ends)
                departures += [] if is_reached_later else [(row.place, ends)]
            elif is_stay(row):
                rank = (4, begins - far)
            else:
                has_landed = kind_of(row) == "Air" and row.role == "Arrival" and row.arrives is not None
                rank = (8 if has_landed and at < begins + timedelta(hours=1) else 3, begins - far)
                visits.append((row.place, begins))
            ranks[row.place] = max(rank, ranks.get(row.place, rank))
        best = max(ranks.values(), default=(0, timedelta()))
        if best[0] == 4:
            stay = min((place for place in ranks if ranks[place] == best), key=lambda place: PLACES[place].place_id)
            for place, ends in departures:
                if ends == min(each for _, each in departures) and distance(place, stay) > 1000:
                    ranks[place] = max(ranks[place], (5, far - ends))
            for place, begins in visits:
                if begins - far > best[1] and distance(place, stay) > 150:
                    ranks[place] = max(ranks[place], (6, begins - far))
        return ranks

    def evaluate(self) -> Evaluation:
        on_leg, people_in_transit = Counter[tuple[str, str, str]](), set[str]()
        for left, reached in self.legs:
            origin, destination = self.bounds(left.place), self.bounds(reached.place)
            if left.expires < origin[1] and reached.arrives > destination[0]:  # type: ignore[operator]
                on_leg[left.person, left.place, reached.place] += 1
            if left.expires <= origin[0] and reached.arrives >= destination[1]:  # type: ignore[operator]
                people_in_transit.add(left.person)
        all_presences = self.all_presences()
        open_presences: dict[tuple[str, str], list[tuple[Row, datetime, datetime]]] = {}
        for row, begins, ends in all_presences:
            bounds = self.bounds(row.place)
            if begins < bounds[1] and ends > bounds[0] and row.person not in people_in_transit:
                open_presences.setdefault((row.person, row.place), []).append((row, begins, ends))

        def next_reached(pair: tuple[str, str]) -> datetime:
            later = [
                begins
                for row, begins, _ in all_presences
                if (row.person, row.place) == pair and row.role != "Departure" and begins > self.bounds(pair[1])[0]
            ]
            return min(later, default=datetime.max.replace(tzinfo=UTC))

        def is_arriving(pair: tuple[str, str]) -> bool:
            others = [begins for row, begins, _ in open_presences[pair] if row.role != "Departure"]
            if others:
                return all(begins > self.bounds(pair[1])[0] for begins in others)
            departs = min(ends for _, _, ends in open_presences[pair])
            return next_reached(pair) < max(departs, self.bounds(pair[1])[1])

        likely: dict[tuple[str, str], bool] = {}
        for person, place in open_presences:
            found = self.likely_places(person, place)
            if any(each[0] == place for each in found):
                likely[person, place] = (place, False) in found
        open_presences = {pair: presences for pair, presences in open_presences.items() if pair in likely}

        def status(pair: tuple[str, str]) -> str:
            if is_arriving(pair):
                return "arriving"
            if not likely[pair]:
                return "possible"
            return "leaving" if any(row.role == "Departure" for row, _, _ in open_presences[pair]) else "there"

        pairs = {pair: status(pair) for pair in open_presences}
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
        return Evaluation(pairs, on_leg, groups)


def kind_of(row: Row) -> str:
    return PLACES[row.place].kind


def is_stay(row: Row) -> bool:
    return row.role == "Stay" or (row.role == "Business" and kind_of(row) == "Hotel")


def distance(place: str, other: str) -> float:
    """Kilometers between two places of the tests; 0 if unknown."""
    one, two = (PLACES[each].address.get("gisLocation") for each in (place, other))
    return great_circle_km(one["lat"], one["lon"], two["lat"], two["lon"]) if one and two else 0.0


def window(row: Row) -> tuple[datetime, datetime]:
    arrives = row.arrives or datetime(1900, 1, 1, tzinfo=UTC)
    return arrives, max(row.expires or datetime(2100, 1, 1, tzinfo=UTC), arrives + MICROSECOND)


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


def hours(*choices: int) -> st.SearchStrategy[timedelta]:
    return st.sampled_from(choices).map(lambda each: timedelta(hours=each))


# Close together in few places, so that departures and arrivals coincide.
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
        st.sampled_from(["SIN", "hotel", "rental", "CDG", "LHR", "HNL", "nowhere"]),
        st.sampled_from(["Departure", "Arrival", "Stay", "Departure", "Arrival", "Business"]),
        hours(*range(-30, 31, 3)),
        hours(24, 60, 3, 9, -1),
        st.sampled_from([0, 0, 0, 0, 0, 0, 1, 2]),
    ),
    min_size=5,
    max_size=10,
)
any_time = hours(*range(-36, 61))
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
