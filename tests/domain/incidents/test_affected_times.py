"""Affected people: the result agrees with an evaluation person by person, moment by moment, record by record."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from domain.expected_locations.at_moment import moment
from domain.incidents.affected import SECTIONS, Affected, find_affected
from domain.incidents.area import Area, circle
from tests.domain.expected_locations.records import PLACES, Row, build_locations
from tests.domain.expected_locations.reference_evaluation import MICROSECOND, ReferenceEvaluation, distance, is_stay

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
AREA = circle(1.3, 103.8, 10)
INSIDE, NEAR, UNPLACED = {"hotel", "rental"}, {"SIN"}, {"nowhere"}
# What `window` has for an unknown beginning and an unknown end.
FIRST, LAST = datetime(1900, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
Presence = tuple[Row, datetime, datetime]


def time_at(hours: float | None) -> datetime | None:
    return None if hours is None else NOON + timedelta(hours=hours)


def record(person: str, place: str, role: str, begins: float | None, ends: float | None, trip: str = "AAA111") -> Row:
    return Row(person, trip, place, role, time_at(begins), time_at(ends))


def evaluate(rows: Iterable[Row], area: Area = AREA) -> Affected:
    return find_affected(build_locations(rows), area, time_at(0), time_at(6), margin_km=30)


def sections(found: Affected) -> dict[str, str]:
    return dict(zip(found.people["person"], found.people["section"], strict=True))


class ListOfPerson:
    """The rules of `affected`, evaluated for one person, record by record and moment by moment."""

    def __init__(self, rows: list[Row], person: str) -> None:
        reference = ReferenceEvaluation(rows, moment(NOON))
        self.reference, self.person = reference, person
        self.presences = [each for each in reference.all_presences() if each[0].person == person]
        self.legs = [
            (left.place, reached.place, left.expires, reached.arrives)
            for left, reached in reference.legs
            if left.person == person and left.expires and reached.arrives
        ]

    def possible_places(self, at: datetime) -> tuple[set[str], list[Presence], bool]:
        """Return the likely places, the presences where the person can be, and whether the person is there already."""
        ranks = self.reference.ranks(self.person, at, self.presences)
        best = max(ranks.values(), default=(0, timedelta()))
        likely = {place for place in ranks if ranks[place] == best}
        first = min(likely, key=lambda place: PLACES[place].place_id, default="")
        possible = []
        for row, begins, ends in self.presences:
            if not begins <= at < ends:
                continue
            if is_stay(row):
                counts = best[0] not in (5, 6) or distance(row.place, first) <= 150
            elif row.role == "Arrival":
                counts = bool(likely) and at < begins + timedelta(hours=1)
            elif row.role == "Departure":
                counts = bool(likely) and at >= ends - timedelta(hours=2)
            else:
                counts = True
            if counts or row.place in likely:
                possible.append((row, begins, ends))
        return likely, possible, best[0] > 1

    def section(self, start: datetime, stop: datetime | None) -> str | None:
        """Return the strongest section; None if the person is not listed."""
        is_moment, end = start == stop, stop or LAST
        end = start + MICROSECOND if is_moment else end
        reasons, times = set[str](), {start, *(at for *_, a, b in self.legs for at in (a, b))}
        for _, begins, ends in self.presences:
            times |= {begins, ends, begins + timedelta(hours=1), ends - timedelta(hours=2)}
        for at in sorted(each for each in times if start <= each < end):
            likely, possible, is_reached = self.possible_places(at)
            places = {row.place for row, *_ in possible}
            if likely and likely <= INSIDE and is_reached:
                reasons.add("affected")
            reasons |= {"possiblyAffected"} if places & INSIDE else set()
            reasons |= {"nearby"} if places & NEAR else set()
            reasons |= {"notPlaced"} if places & UNPLACED else set()
        touches = [(each, each[2] - MICROSECOND) for each in self.presences if each[2] == start]
        if stop is not None and not is_moment:
            touches += [(each, stop) for each in self.presences if each[1] == stop]
        if any(each[0].place in INSIDE and each in self.possible_places(at)[1] for each, at in touches):
            reasons.add("possiblyAffected")
        for origin, destination, departs, arrives in self.legs:
            if departs < end and arrives > start and {origin, destination} & INSIDE:
                reasons.add("possiblyAffected" if destination in INSIDE else "departed")
        reasons |= {"possiblyAffected"} if self._has_gap(start, end) else set()
        return min(reasons, key=SECTIONS.index) if reasons else None

    def _has_gap(self, start: datetime, end: datetime) -> bool:
        """Return whether the trip has no record before or after a place inside, during the incident."""
        covered = [(a, b) for _, a, b in self.presences] + [(a, b) for *_, a, b in self.legs]
        for row, a, b in self.presences:
            trip = [(x, y) for other, x, y in self.presences if other.locator == row.locator]
            after = min((x for x, _ in covered if x > b), default=None)
            before = max((y for _, y in covered if y < a), default=None)
            is_open_after = after is not None and not any(x <= b < y for x, y in covered)
            is_open_before = before is not None and not any(x < a <= y for x, y in covered)
            goes_on = is_open_after and after <= max(y for _, y in trip) and b < end and after > start  # type: ignore[operator]
            had_begun = is_open_before and before >= min(x for x, _ in trip) and before < end and a > start  # type: ignore[operator]
            if row.place in INSIDE and (goes_on or had_begun):
                return True
        return False


def list_by_hand(rows: list[Row], begins: datetime | None, ends: datetime | None) -> dict[str, str]:
    """Evaluate everyone; return the section by person."""
    found = {row.person: ListOfPerson(rows, row.person).section(begins or FIRST, ends) for row in rows}
    return {person: section for person, section in found.items() if section is not None}


HOURS = st.sampled_from([-48, -30, -24, -12, -6, -1, 0, 1, 3, 6, 7, 12, 24, 30, 48])
ROWS = st.lists(
    st.builds(
        lambda person, trip, place, role, begins, lasts, has_begin, has_end: record(
            person,
            place,
            role,
            begins if has_begin else None,
            begins + lasts if has_end else None,
            trip=f"{person}{trip}",
        ),
        st.sampled_from(["ana", "bo"]),
        st.sampled_from(["1", "1", "2"]),
        st.sampled_from(["hotel", "rental", "SIN", "LHR", "CDG", "nowhere"]),
        st.sampled_from(["Stay", "Departure", "Arrival", "Arrival", "Departure", "other"]),
        HOURS,
        st.sampled_from([0, 1, 6, 12, 24, 48]),
        st.sampled_from([True] * 9 + [False]),
        st.sampled_from([True] * 9 + [False]),
    ),
    max_size=9,
)


@given(ROWS, st.one_of(st.none(), HOURS), st.one_of(st.none(), st.sampled_from([0, 1, 6, 24])))
@example([record("ana", "hotel", "Stay", -6, 0), record("ana", "hotel", "Stay", 6, 12)], 0, 6)
def test_the_result_agrees_with_an_evaluation_record_by_record(
    rows: list[Row], begins: float | None, lasts: float | None
) -> None:
    ends = None if lasts is None else (begins or 0) + lasts
    locations = build_locations(rows)
    found = find_affected(locations, AREA, time_at(begins), time_at(ends), margin_km=30)
    assert sections(found) == list_by_hand(rows, time_at(begins), time_at(ends))
    assert found.people["person"].is_unique
    assert {name: each.people for name, each in found.counts.items()} == {
        name: int((found.people["section"] == name).sum()) for name in SECTIONS
    }


def flight(
    person: str, origin: str, departs: float, destination: str, arrives: float, trip: str = "AAA111"
) -> list[Row]:
    return [
        record(person, origin, "Departure", departs - 24, departs, trip),
        record(person, destination, "Arrival", arrives, arrives + 24, trip),
    ]


@pytest.mark.parametrize(
    ("rows", "section", "status", "why"),
    [
        ([record("ana", "hotel", "Stay", -5, 40)], "affected", "there", "is expected at Lion Hotel"),
        ([record("ana", "hotel", "Stay", 5, 40)], "affected", "arriving", "arrives at Lion Hotel"),
        (
            [record("ana", "rental", "Departure", -5, 4)],
            "affected",
            "leaving",
            "departs from City Cars",
        ),
        (
            [record("ana", "hotel", "other", -5, 40), record("ana", "CDG", "Stay", -5, 40)],
            "possiblyAffected",
            "there",
            "Only Lion Hotel, Singapore is known to be inside",
        ),
        (
            [record("ana", "hotel", "Stay", -40, 40), record("ana", "nowhere", "Stay", -5, 40)],
            "possiblyAffected",
            "there",
            "The records name Lion Hotel, Singapore and Guest house, Somewhere for the same time.",
        ),
        (
            [record("ana", "hotel", "Stay", -5, 40), record("ana", "nowhere", "Stay", -40, 40)],
            "affected",
            "there",
            "The records also name a stay at Guest house, Somewhere for the same time.",
        ),
        (
            [record("ana", "SIN", "Stay", -5, 40), record("ana", "rental", "Departure", -18, 6)],
            "possiblyAffected",
            "leaving",
            "Before that, Singapore Changi International Airport (SIN) is more likely.",
        ),
        (
            [record("ana", "rental", "Departure", -26, -2), record("ana", "CDG", "Stay", 8, 40)],
            "possiblyAffected",
            "there",
            "18:00 local (10:00 UTC). The next expected location is Charles de Gaulle",
        ),
        (
            [record("ana", "hotel", "Departure", -20, 40), record("ana", "hotel", "Arrival", 20, 30)],
            "possiblyAffected",
            "leaving",
            "is on the way to Lion Hotel",
        ),
        ([record("ana", "hotel", "Stay", -5, 0)], "possiblyAffected", "leaving", "exactly when the incident begins"),
        ([record("ana", "hotel", "Stay", 6, 9)], "possiblyAffected", "arriving", "exactly when the incident ends"),
        (
            [record("ana", "hotel", "other", -50, -20), record("ana", "CDG", "other", 40, 50)],
            "possiblyAffected",
            "there",
            "The previous expected location, Lion Hotel, Singapore, is in the area",
        ),
        ([record("ana", "SIN", "other", -5, 40)], "nearby", "there", "12.2 km from the area"),
        ([record("ana", "nowhere", "Stay", -5, 40)], "notPlaced", "there", "which has no coordinates"),
    ],
)
def test_each_affected_person_has_a_section_a_status_and_a_reason(
    rows: list[Row], section: str, status: str, why: str
) -> None:
    [person] = evaluate(rows).people.to_dict("records")
    assert (person["section"], person["status"]) == (section, status)
    assert why in person["why"]


@pytest.mark.parametrize(
    ("rows", "section", "why"),
    [
        (
            flight("ana", "CDG", -19, "SIN", -2) + flight("ana", "SIN", 3, "LHR", 19),
            "affected",
            "connection at Sing",
        ),
        (flight("ana", "CDG", -5, "SIN", 8), "possiblyAffected", "07:00 UTC and arrives at Singapore Changi"),
        (flight("ana", "SIN", -5, "CDG", 8), "departed", "15:00 local (07:00 UTC) and arrives at Charles"),
    ],
)
def test_a_flight_or_connection_at_an_affected_airport_is_in_transit_through(
    rows: list[Row], section: str, why: str
) -> None:
    [person] = evaluate(rows, circle(1.36, 103.99, 5)).people.to_dict("records")
    assert (person["section"], person["status"]) == (section, "in transit through")
    assert why in person["why"]


def test_a_departure_counts_only_after_the_arrival_at_its_place() -> None:
    rows = [
        record("ana", "CDG", "other", -20, 7),
        record("ana", "SIN", "Arrival", 8, 32),
        record("ana", "SIN", "Departure", -10, 14),
    ]
    assert evaluate(rows, circle(1.36, 103.99, 5)).people.empty
    found = evaluate([record("ana", "hotel", "Stay", -5, 40), *rows[1:]], circle(1.33, 103.9, 40))
    assert found.counts["affected"] == (1, 1)


def test_someone_in_a_hotel_is_not_possibly_at_the_airport_of_yesterday_or_tomorrow() -> None:
    airport, day_before = circle(1.36, 103.99, 5), flight("ana", "CDG", -34, "SIN", -20)
    stay = record("ana", "hotel", "Stay", -30, 40)
    assert sections(evaluate([*day_before, stay, *flight("ana", "SIN", 22, "CDG", 36)], airport)) == {"ana": "nearby"}
    assert sections(evaluate([*day_before, stay, *flight("ana", "SIN", 4, "CDG", 18)], airport)) == {"ana": "affected"}


def test_those_who_left_the_area_come_after_those_on_their_way_in_and_before_those_nearby() -> None:
    people = [
        *flight("departed", "SIN", -5, "CDG", 8, "D1"),
        *flight("coming", "CDG", -5, "SIN", 8, "C1"),
        record("near", "hotel", "Stay", -5, 40, "N1"),
        record("inside", "SIN", "Stay", -5, 40, "I1"),
    ]
    found = evaluate(people, circle(1.36, 103.99, 5)).people
    assert list(found["person"]) == ["inside", "coming", "departed", "near"]
    assert list(found["sure"]) == ["confirmed", "possible", "possible", "confirmed"]


def test_a_stay_of_one_trip_during_the_flight_of_another_is_only_possible() -> None:
    rows = [record("ana", "hotel", "Stay", -5, 40, "H1"), *flight("ana", "LHR", -3, "CDG", 9, "F1")]
    [person] = evaluate(rows).people.to_dict("records")
    assert person["section"] == "possiblyAffected"
    assert "Lion Hotel, Singapore and Charles de Gaulle International Airport (CDG) for the same time" in person["why"]


def test_a_person_between_two_trips_is_not_listed() -> None:
    rows = [record("ana", "hotel", "Stay", -40, -20, "A1"), record("ana", "hotel", "Stay", 40, 60, "B1")]
    assert evaluate(rows).people.empty


def test_a_person_with_two_affected_places_is_certainly_affected() -> None:
    found = evaluate([record("ana", "hotel", "Stay", -5, 40), record("ana", "rental", "other", -5, 40)])
    assert sections(found) == {"ana": "affected"}
    assert found.counts["affected"] == (1, 2)


def test_a_person_on_a_trip_without_an_expected_location_is_not_covered() -> None:
    found = evaluate([record("ana", "CDG", "other", -50, -20), record("ana", "LHR", "other", 40, 50)])
    assert found.people.empty
    assert found.not_covered() == ["1 person on a trip has no expected location when the incident begins."]


def test_an_empty_roster_has_no_affected_people() -> None:
    assert evaluate([]).people.empty
