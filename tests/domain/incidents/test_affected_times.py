"""Affected people: the result agrees with an evaluation person by person, moment by moment, record by record."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from domain.expected_locations.location_frame import Locations
from domain.incidents.affected import SECTIONS, Affected, find_affected
from domain.incidents.area import Area, circle
from domain.trips.presences import NEVER, closing, opening
from tests.domain.expected_locations.records import Row, build_locations

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
AREA = circle(1.3, 103.8, 10)
INSIDE, NEAR, UNPLACED = {"lion hotel@1.300,103.800", "city cars@1.310,103.810"}, {"SIN"}, {"guest house@somewhere,"}


def time_at(hours: float | None) -> datetime | None:
    return None if hours is None else NOON + timedelta(hours=hours)


def record(person: str, place: str, role: str, begins: float | None, ends: float | None, trip: str = "AAA111") -> Row:
    return Row(person, trip, place, role, time_at(begins), time_at(ends))


def evaluate(rows: Iterable[Row], area: Area = AREA) -> Affected:
    return find_affected(build_locations(rows), area, time_at(0), time_at(6), margin_km=30)


def sections(found: Affected) -> dict[str, str]:
    return dict(zip(found.people["person"], found.people["section"], strict=True))


def evaluate_record_by_record(locations: Locations, begins: datetime | None, ends: datetime | None) -> dict[str, str]:
    """Evaluate the presences and legs of each person record by record, at every moment at which one begins or ends."""
    where, places, people = locations.whereabouts, locations.places["place_id"], locations.people["person"]
    start, stop = opening(begins), closing(ends)
    is_moment = start == stop
    stop = start + 1 if is_moment else stop
    presences, legs = defaultdict(list), defaultdict(list)
    for number in range(len(where.row)):
        presences[people[where.person[number]]].append(
            (
                places[where.place[number]],
                int(where.begins[number]),
                int(where.ends[number]),
                bool(where.is_departure[number]),
                int(where.person_trip[number]),
            )
        )
    for number in range(len(where.left)):
        ends_of_leg = {places[where.windows.place[row]] for row in (where.left[number], where.reached[number])}
        legs[people[where.person_of_leg[number]]].append(
            (ends_of_leg, int(where.departs[number]), int(where.arrives[number]))
        )
    found = {}
    for person in people:
        reasons = set()
        presences_of_person, flights = presences[person], legs[person]
        moments = {
            start,
            *(t for _, a, b, _, _ in presences_of_person for t in (a, b)),
            *(t for _, a, b in flights for t in (a, b)),
        }
        for moment in sorted(t for t in moments if start <= t < stop):
            open_now = {"a leg" for _, departs, arrives in flights if departs <= moment < arrives}
            for place, a, b, is_departure, _ in presences_of_person:
                comes = [x for other, x, _, departing, _ in presences_of_person if other == place and not departing]
                if a <= moment < b and not (is_departure and any(moment < x < b for x in comes)):
                    open_now.add(place)
            if open_now & INSIDE:
                reasons.add("possiblyAffected" if open_now - INSIDE else "affected")
            reasons |= {"nearby"} if open_now & NEAR else set()
            reasons |= {"notPlaced"} if open_now & UNPLACED else set()
        if any(
            place in INSIDE and (b == start or (not is_moment and a == stop != NEVER))
            for place, a, b, _, _ in presences_of_person
        ):
            reasons.add("possiblyAffected")
        if any(points & INSIDE and departs < stop and arrives > start for points, departs, arrives in flights):
            reasons.add("possiblyAffected")
        covered = [(a, b) for _, a, b, _, _ in presences_of_person] + [(a, b) for _, a, b in flights]
        for place, a, b, _, trip in presences_of_person:
            windows_of_trip = [(x, y) for _, x, y, _, other in presences_of_person if other == trip]
            after = min((x for x, _ in covered if x > b), default=None)
            before = max((y for _, y in covered if y < a), default=None)
            is_open_after = after is not None and not any(x <= b < y for x, y in covered)
            is_open_before = before is not None and not any(x < a <= y for x, y in covered)
            goes_on = is_open_after and after <= max(y for _, y in windows_of_trip) and b < stop and after > start
            had_begun = is_open_before and before >= min(x for x, _ in windows_of_trip) and before < stop and a > start
            if place in INSIDE and (goes_on or had_begun):
                reasons.add("possiblyAffected")
        if reasons:
            found[person] = min(reasons, key=SECTIONS.index)
    return found


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
    assert sections(found) == evaluate_record_by_record(locations, time_at(begins), time_at(ends))
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
            [record("ana", "hotel", "Stay", -5, 40), record("ana", "CDG", "other", -5, 40)],
            "possiblyAffected",
            "there",
            "Only Lion Hotel, Singapore is known to be inside",
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
        (flight("ana", "SIN", -5, "CDG", 8), "possiblyAffected", "15:00 local (07:00 UTC) and arrives at Charles"),
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
