"""Arrivals and departures of the next hours agree with an evaluation record by record."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.expected_locations.at_moment import moment
from domain.expected_locations.movements import DIRECTIONS, HOURS, IN_TRANSIT, NOT_DEPARTED, Direction, find_movements
from domain.expected_locations.roster_view import Filters
from tests.domain.expected_locations.records import PLACES, Row, build_locations
from tests.domain.expected_locations.reference_evaluation import (
    MICROSECOND,
    NOON,
    ReferenceEvaluation,
    any_time,
    is_stay,
    records,
    window,
)

Movement = tuple[str, str, datetime, str]
"""Person, place, time, state."""


class Movements:
    """Arrivals at a place, or departures from it, record by record and moment by moment."""

    def __init__(self, rows: list[Row], direction: Direction, place: str, at: datetime, hours: int) -> None:
        self.reference, self.is_arriving, self.place = (
            ReferenceEvaluation(rows, moment(at)),
            direction == "Arriving",
            place,
        )
        self.presences, self.at, self.last = self.reference.all_presences(), at, at + timedelta(hours=hours)
        self.times = {
            time
            for _, *ends in self.presences
            for end in ends
            for time in (end, end + timedelta(hours=1), end - timedelta(hours=2))
        }
        self.times |= {
            time for left, reached in self.reference.legs for time in (left.expires, reached.arrives) if time
        }

    def find(self) -> set[Movement]:
        found = [*self.by_record(), *(each for row in self.reference.rows for each in self.of_stays(row.person))]
        states = ["", NOT_DEPARTED, IN_TRANSIT]
        latest: dict[tuple[str, datetime], str] = {}
        for person, time, state in found:
            latest[person, time] = max(state, latest.get((person, time), ""), key=states.index)
        return {(person, self.place, time, state) for (person, time), state in latest.items()}

    def by_record(self) -> Iterator[tuple[str, datetime, str]]:
        for row, begins, ends in self.presences:
            time = begins if self.is_arriving else ends
            is_unknown = (row.arrives if self.is_arriving else row.expires) is None and time in window(row)
            if row.place != self.place or is_stay(row) or is_unknown or not self.at < time <= self.last:
                continue
            if row.role == ("Departure" if self.is_arriving else "Arrival"):
                continue
            leg = next((each for each in self.reference.legs if each[self.is_arriving] is row), None)
            has_departed = leg is not None and leg[0].expires <= self.at  # type: ignore[operator]
            yield row.person, time, "" if leg is None else IN_TRANSIT if has_departed else NOT_DEPARTED

    def of_stays(self, person: str) -> Iterator[tuple[str, datetime, str]]:
        for time in (each for each in self.times if self.at < each <= self.last):
            there = time if self.is_arriving else time - MICROSECOND
            own = [row for row, a, b in self.presences if row.person == person and a <= there < b]
            has_stay = any(is_stay(row) for row in own if row.place == self.place)
            if has_stay and self.likely(person, there) == self.place and self.beside(person, time) != self.place:
                yield person, time, ""

    def beside(self, person: str, time: datetime) -> str | None:
        """Return the likely place just before an arrival, or after a departure, without legs between."""
        if self.is_arriving:
            moments = [each - MICROSECOND for each in sorted(self.times, reverse=True) if each <= time]
        else:
            moments = [each for each in sorted(self.times) if each >= time]
        return next((self.likely(person, each) for each in moments if not self.is_moving(person, each)), None)

    def likely(self, person: str, time: datetime) -> str | None:
        return self.reference.likely_place(person, time, self.presences)[0]

    def is_moving(self, person: str, time: datetime) -> bool:
        return any(
            left.person == person and left.expires <= time < reached.arrives  # type: ignore[operator]
            for left, reached in self.reference.legs
        )


@given(records, any_time, st.sampled_from(HOURS), st.sampled_from(["SIN", "hotel", "rental", "nowhere"]))
def test_arrivals_and_departures_agree_with_an_evaluation_record_by_record(
    rows: list[Row], after: timedelta, hours: int, place: str
) -> None:
    locations, at = build_locations(rows), NOON + after
    for direction in DIRECTIONS:
        table = find_movements(locations, direction, [PLACES[place].place_id], at, hours, Filters())
        found = {
            (person, place, time.to_pydatetime(), state)
            for person, time, state in table[["person", "time", "state"]].itertuples(index=False)
        }
        assert found == Movements(rows, direction, place, at, hours).find()
        assert len(table) == len(found)


def flight(person: str, origin: str, departs: float, destination: str, arrives: float) -> list[Row]:
    left, reached, day = (timedelta(hours=each) for each in (departs, arrives, 24))
    return [
        Row(person, f"{person}1", origin, "Departure", NOON + left - day, NOON + left),
        Row(person, f"{person}1", destination, "Arrival", NOON + reached, NOON + reached + day),
    ]


@pytest.mark.parametrize(("hours", "people"), [(6, ["flying", "last"]), (12, ["flying", "last", "later"])])
def test_everyone_due_is_listed_whether_they_have_taken_off_or_not_and_nobody_later(
    hours: int, people: list[str]
) -> None:
    rows = [
        *flight("landed", "CDG", -9, "SIN", 0),
        *flight("flying", "CDG", -9, "SIN", 2),
        *flight("last", "LHR", 1, "SIN", 6),
        *flight("later", "LHR", 2, "SIN", 7),
    ]
    locations = build_locations(rows, {"flying": "Cruz, Ana"})
    table = find_movements(locations, "Arriving", ["SIN"], NOON, hours, Filters())
    assert list(table["person"]) == people
    first = table.iloc[0]
    assert (first["name"], first["kind"], first["state"]) == ("Cruz, Ana", "Air", "In transit")
    assert "Charles de Gaulle" in first["other_place"]
    assert (first["other_time"], first["time"]) == (NOON - timedelta(hours=9), NOON + timedelta(hours=2))
    assert table.iloc[1]["state"] == "Not departed"
    left = find_movements(locations, "Leaving", ["LHR"], NOON, 6, Filters(text="last"))
    assert list(left["person"]) == ["last"]
    assert "Singapore" in left["other_place"][0]
