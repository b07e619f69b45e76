"""Answers about who lands, sleeps, and is in the air equal an evaluation record by record."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.expected_locations.at_moment import IN_TRANSIT, moment, to_the_minute
from domain.expected_locations.movements import find_movements
from domain.expected_locations.person_days import NOT_COVERED
from domain.expected_locations.roster_view import Filters
from domain.search.answers import NIGHT_AT, Answer, Asker, answer_question
from domain.search.question import Around, DayText, InTransit, Movements, Night, parse_question
from domain.search.roster_index import index_of
from tests.domain.expected_locations.records import PLACES, Row, build_locations
from tests.domain.expected_locations.reference_evaluation import (
    IN_SINGAPORE,
    NOON,
    ReferenceEvaluation,
    any_time,
    records,
)
from tests.domain.expected_locations.test_movements import Movements as ReferenceMovements

TONIGHT = DayText(offset=0)


def ask(rows: list[Row], question: Movements | InTransit | Night | Around, now: datetime = NOON) -> Answer:
    return answer_question(question, Asker(build_locations(rows), ("1",), now))


def people(answer: Answer) -> list[str]:
    """The keys of the people in the answer, each once."""
    listed = [result for group in answer.groups if group.title == "Travelers" for result in group.results]
    keys = [str(result.link.query["expected_person"]) for result in listed]
    assert len(set(keys)) == len(keys)
    return sorted(keys)


@given(rows=records, after=any_time, hours=st.sampled_from([6, 8, 24]))
def test_whoever_lands_or_leaves_equals_the_evaluation_by_record(rows: list[Row], after: timedelta, hours: int) -> None:
    now = NOON + after
    for place in ("SIN", "CDG"):
        of_flights = ask(rows, Movements("Arriving", place, hours, is_by_air=True), now)
        leaving = ask(rows, Movements("Leaving", place, hours), now)
        assert people(of_flights) == sorted(
            {each[0] for each in ReferenceMovements(rows, "Arriving", place, now, hours).find()}
        )
        assert people(leaving) == sorted(
            {each[0] for each in ReferenceMovements(rows, "Leaving", place, now, hours).find()}
        )


@given(rows=records, after=any_time)
def test_whoever_is_in_the_air_equals_the_evaluation_by_record(rows: list[Row], after: timedelta) -> None:
    evaluation = ReferenceEvaluation(rows, moment(NOON + after)).evaluate()
    by_air = {person for person, origin, _ in evaluation.in_transit if PLACES[origin].kind == "Air"}
    assert people(ask(rows, InTransit("Air"), NOON + after)) == sorted(by_air)
    assert people(ask(rows, InTransit(), NOON + after)) == sorted({person for person, *_ in evaluation.in_transit})


@given(rows=records, days=st.integers(-1, 2))
def test_whoever_sleeps_in_a_city_equals_the_evaluation_by_record(rows: list[Row], days: int) -> None:
    question = parse_question(f"sleeps in Singapore {(NOON + timedelta(days=days)).date()}")
    assert isinstance(question, Night)
    night = datetime.combine(NOON.date() + timedelta(days=days + 1), NIGHT_AT, tzinfo=ZoneInfo("Asia/Singapore"))
    evaluation = ReferenceEvaluation(rows, moment(night.astimezone(UTC))).evaluate()
    asleep = {
        person for (person, place), status in evaluation.pairs.items() if place in IN_SINGAPORE and status != "arriving"
    }
    if any(row.place in IN_SINGAPORE for row in rows):
        assert people(ask(rows, question)) == sorted(asleep)


@given(rows=records, after=any_time)
def test_where_the_search_says_a_person_is_equals_the_evaluation_by_record(rows: list[Row], after: timedelta) -> None:
    now = to_the_minute(NOON + after)
    evaluation = ReferenceEvaluation(rows, moment(now)).evaluate()
    index = index_of(build_locations(rows))
    for code, person in enumerate(index.keys):
        current, _ = index.now_and_next(code, now)
        group = evaluation.groups[person]
        if group == "at a place":
            places = {PLACES[place].place_id for owner, place in evaluation.pairs if owner == person}
            assert current is not None
            assert current.place_id in places
        else:
            statuses = {"in transit": IN_TRANSIT, "not covered": NOT_COVERED, "not traveling": None}
            assert (None if current is None else current.status) == statuses[group]


def stay(person: str, *, begins: datetime, days: int, place: str = "hotel") -> Row:
    return Row(person, person.upper(), place, "Stay", begins, begins + timedelta(days=days))


def test_an_answer_links_to_the_map_with_the_same_places_and_time() -> None:
    rows = [stay("ana", begins=NOON, days=3), stay("ben", begins=NOON - timedelta(days=9), days=2)]
    answer = ask(rows, Night("Singapore", TONIGHT))
    assert answer.sentence == "Singapore: 1 person will be there overnight on Fri, Nov 20."
    query = answer.groups[0].results[0].link.query
    assert query["expected_place"] == ("lion hotel@1.300,103.800",)
    assert (query["expected_time"], query["expected_at"]) == ("Moment", "2026-11-20T19:00")


def test_the_map_lists_the_movements_of_a_day_without_the_midnight_after_it() -> None:
    midnight = datetime.combine(NOON.date() + timedelta(days=1), time(), tzinfo=ZoneInfo("Asia/Singapore")).astimezone(
        UTC
    )
    rows = [
        Row(person, person.upper(), "SIN", "Departure", leaves - timedelta(days=1), leaves)
        for person, leaves in (("ana", midnight), ("ben", midnight + timedelta(days=1)))
    ]
    answer = ask(rows, Movements("Leaving", "SIN", day=DayText(offset=1)))
    query = answer.groups[0].results[0].link.query
    assert people(answer) == ["ana"]
    at = datetime.fromisoformat(str(query["expected_at"])).replace(tzinfo=UTC)
    on_map = find_movements(build_locations(rows), "Leaving", ["SIN"], at, 24, Filters())
    assert on_map["person"].tolist() == ["ana"]


def test_tonight_is_the_night_that_has_begun_until_early_morning() -> None:
    at_one = datetime.combine(NOON.date(), time(1), tzinfo=ZoneInfo("Asia/Singapore")).astimezone(UTC)
    answer = ask([stay("ana", begins=NOON - timedelta(days=2), days=4)], Night("Singapore", TONIGHT), at_one)
    assert re.search(r"1 person will be there overnight on Thu, Nov 19\.", answer.sentence)


@pytest.mark.parametrize(
    ("places", "note"),
    [
        (("hotel", "hotel"), "2 people will be there overnight on Fri, Nov 20."),
        (("rental",), "No hotel is known for this person."),
        (("rental", "rental"), "No hotel is known for any of them."),
        (("rental", "rental", "hotel"), "No hotel is known for 2 of them."),
    ],
)
def test_people_without_a_hotel_are_counted(places: tuple[str, ...], note: str) -> None:
    rows = [stay(f"E{number}", begins=NOON, days=3, place=place) for number, place in enumerate(places)]
    assert ask(rows, Night("Singapore", TONIGHT)).sentence.endswith(note)


def test_arrivals_say_who_is_in_transit_and_who_has_not_departed() -> None:
    def flight(person: str, departs: datetime) -> list[Row]:
        return [
            Row(person, person.upper(), "CDG", "Departure", departs - timedelta(hours=2), departs),
            Row(person, person.upper(), "SIN", "Arrival", NOON + timedelta(hours=5), NOON + timedelta(hours=7)),
        ]

    rows = [*flight("ana", NOON - timedelta(hours=8)), *flight("ben", NOON - timedelta(hours=8))]
    answer = ask([*rows, *flight("cleo", NOON + timedelta(hours=1))], Movements("Arriving", "SIN", 6, is_by_air=True))
    assert answer.sentence.endswith(" within 6 hours. 2 are in transit and 1 has not departed.")


def test_people_who_cannot_be_placed_are_counted_with_an_area() -> None:
    answer = ask([stay("ana", begins=NOON, days=3, place="nowhere")], Around("circle:-1.29,36.82,40km"))
    assert answer.sentence.startswith("No one is known to be in the area now: ")
    assert answer.sentence.endswith(" 1 person can’t be placed because the records have no coordinates.")


@pytest.mark.parametrize("place", ["Xyzzy", "SQ"])
def test_an_unknown_place_is_named(place: str) -> None:
    answer = ask([stay("ana", begins=NOON, days=3)], Night(place, TONIGHT))
    assert answer.problem == f"Muster does not know the place “{place}”."
    assert not answer.sentence
