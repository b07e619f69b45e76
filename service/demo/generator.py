"""The trips of the demo organization: the seed decides who travels where, and today decides the dates."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from functools import lru_cache
from random import Random
from typing import Any

from client.vocabulary.itineraries import ACTIVE, CANCELED
from service.demo import shapes
from service.demo.demo_travelers import Person, people
from service.demo.journey import Journey, Style
from service.demo.shapes import PACIFIC_BASES, RAIL_BASES, Shape
from service.demo.world import cities

EDITION = 2
"""Increase this when the trips change. A database with another edition gets the new trips."""

ORGANIZATION_ID = 8_800_001
ORGANIZATION_NAME = "Demo organization"
USERNAME = "demo"

_SEED = "trips 1"
_SECOND_TRIPS = 220
_LOCATOR_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_SOURCES = ("Corporate travel desk", "Online booking tool", "Agency feed", "Forwarded email")

_SHAPES: tuple[tuple[Shape, float], ...] = (
    (shapes.there_and_back, 44),
    (shapes.with_connections, 12),
    (shapes.several_cities, 12),
    (shapes.by_rail, 9),
    (shapes.with_car, 6),
    (shapes.car_only, 1.5),
    (shapes.one_way, 4),
    (shapes.hotel_missing, 4),
    (shapes.day_trip, 2),
    (shapes.over_the_date_line, 6),
    (shapes.overlapping, 1.5),
    (shapes.without_coordinates, 2),
    (shapes.zone_disagrees, 1),
)
_NEEDS_BASE: dict[Shape, tuple[str, ...]] = {
    shapes.by_rail: RAIL_BASES,
    shapes.over_the_date_line: PACIFIC_BASES,
}


@dataclass(frozen=True)
class Gathering:
    """Many people at one hotel. Days count from today."""

    city: str
    name: str
    people: int
    check_in: int
    check_out: int


GATHERINGS = (
    Gathering("SIN", "Marina Convention Hotel", 76, -1, 3),
    Gathering("BCN", "Hotel Fira Congress", 44, -2, 2),
    Gathering("NBO", "Acacia Conference Centre", 36, -1, 2),
    Gathering("GRU", "Hotel Avenida Convenções", 30, -2, 1),
    Gathering("DEN", "Mile High Training Campus", 24, -3, 2),
    Gathering("SYD", "Harbour Forum Hotel", 22, -1, 2),
    Gathering("NRT", "東京 Summit Hotel", 48, 4, 8),
    Gathering("LIS", "Hotel Cais do Congresso", 40, -8, -4),
)


@dataclass(frozen=True)
class Blueprint:
    """One trip without dates. `start` is its first day, counted from today."""

    number: int
    record_locator: str
    travelers: tuple[Person, ...]
    base: str
    shape: Shape
    start: int
    style: Style
    canceled: bool


def trips(today: date) -> Iterator[dict[str, Any]]:
    """Return every trip of the demo organization as an itinerary payload, with dates around today."""
    for blueprint in blueprints():
        yield _to_wire(blueprint, today)


def roster() -> list[dict[str, str]]:
    """Return the rows of a roster, one per traveler and trip."""
    return [
        {
            "record_locator": blueprint.record_locator,
            "employee_id": person.employee_id,
            "first_name": person.first_name,
            "last_name": person.last_name,
        }
        for blueprint in blueprints()
        for person in blueprint.travelers
    ]


@lru_cache(maxsize=1)
def blueprints() -> tuple[Blueprint, ...]:
    """Return every trip without dates."""
    return tuple(_Planner().plan())


class _Planner:
    """Assigns travelers, so that no one is on two trips at once."""

    def __init__(self) -> None:
        self._locators = {"WSVM7K"}
        self._number = 0
        self._everybody = deque(people())
        self._by_base: dict[str, deque[Person]] = {}
        for person in people():
            self._by_base.setdefault(person.base, deque()).append(person)
        self._taken: set[str] = set()

    def plan(self) -> Iterator[Blueprint]:
        pair = (
            Person("E09001", "Ana", "Silva", "AUH", "ana.silva@example.com", "+971501234567", "AE"),
            Person("E09002", "Karim", "Haddad", "AUH", "karim.haddad@example.com", "+971507654321", "AE"),
        )
        yield self._blueprint(pair, "AUH", shapes.two_stops_and_a_gap, -2, "zoned", locator="WSVM7K")
        yield self._blueprint(self._take("SCL", 2), "SCL", shapes.to_antarctica, -4, "zoned")
        for gathering in GATHERINGS:
            yield from self._to_gathering(gathering)
        single: list[Blueprint] = []
        while leader := self._next():
            blueprint = self._ordinary(leader)
            single.append(blueprint)
            yield blueprint
        random = Random(f"{_SEED} second")
        for first in random.sample([blueprint for blueprint in single if blueprint.start < 2], _SECOND_TRIPS):
            leader = first.travelers[0]
            shape = self._shape(random, leader.base)
            yield self._blueprint(
                (leader,), leader.base, shape, first.start + random.randrange(24, 30), self._style(random)
            )

    def _to_gathering(self, gathering: Gathering) -> Iterator[Blueprint]:
        random = Random(f"{_SEED} {gathering.name}")
        start = gathering.check_in - 1
        shape = shapes.gathering(
            cities()[gathering.city], gathering.name, check_in=1, check_out=gathering.check_out - start
        )
        left = gathering.people
        while left:
            leader = self._next()
            if leader is None:
                raise RuntimeError("The demo has too few people for its gatherings")
            group = (leader, *self._take(leader.base, min(left, random.choice((1, 1, 1, 2, 3))) - 1))
            left -= len(group)
            yield self._blueprint(group, leader.base, shape, start, self._style(random))

    def _ordinary(self, leader: Person) -> Blueprint:
        random = Random(f"{_SEED} {leader.employee_id}")
        companions = random.choices((0, 1, 2, 3, 4, 7), (74, 14, 6, 3, 2, 1))[0]
        group = (leader, *self._take(leader.base, companions))
        start = round(random.triangular(-9, 14, -2))
        canceled = random.random() < 0.03
        shape = self._shape(random, leader.base)
        return self._blueprint(group, leader.base, shape, start, self._style(random), canceled=canceled)

    def _blueprint(
        self,
        travelers: Sequence[Person],
        base: str,
        shape: Shape,
        start: int,
        style: Style,
        *,
        canceled: bool = False,
        locator: str | None = None,
    ) -> Blueprint:
        self._number += 1
        locator = locator or self._locator(self._number)
        return Blueprint(self._number, locator, tuple(travelers), base, shape, start, style, canceled)

    def _locator(self, number: int) -> str:
        random = Random(f"{_SEED} locator {number}")
        while True:
            locator = "".join(random.choices(_LOCATOR_CHARACTERS, k=6))
            if locator not in self._locators and not locator.isdigit():
                self._locators.add(locator)
                return locator

    def _next(self) -> Person | None:
        while self._everybody:
            person = self._everybody.popleft()
            if person.employee_id not in self._taken:
                self._taken.add(person.employee_id)
                return person
        return None

    def _take(self, base: str, count: int) -> list[Person]:
        found: list[Person] = []
        pool = self._by_base[base]
        while pool and len(found) < count:
            person = pool.popleft()
            if person.employee_id not in self._taken:
                self._taken.add(person.employee_id)
                found.append(person)
        return found

    @staticmethod
    def _shape(random: Random, base: str) -> Shape:
        shape = random.choices([shape for shape, _weight in _SHAPES], [weight for _shape, weight in _SHAPES])[0]
        return shapes.there_and_back if base not in _NEEDS_BASE.get(shape, (base,)) else shape

    @staticmethod
    def _style(random: Random) -> Style:
        styles: tuple[Style, ...] = ("terse", "zoned", "full")
        return random.choices(styles, (35, 40, 25))[0]


def _to_wire(blueprint: Blueprint, today: date) -> dict[str, Any]:
    random = Random(f"{_SEED} journey {blueprint.record_locator}")
    first_day = today + timedelta(days=blueprint.start)
    journey = Journey(first_day, random, blueprint.style)
    blueprint.shape(journey, cities()[blueprint.base])
    booked = datetime.combine(first_day - timedelta(days=random.randrange(10, 60)), time(random.randrange(7, 19), 20))
    changed = booked + timedelta(days=random.choice((0, 0, 0, 1, 3, 6)), hours=2)
    leader = blueprint.travelers[0]
    trip: dict[str, Any] = {
        "pnr": blueprint.record_locator,
        "externalItineraryId": f"TRIP-{100_000 + blueprint.number}",
        "itineraryStatus": CANCELED if blueprint.canceled else random.choices((ACTIVE, "New"), (96, 4))[0],
        "itinerarySource": random.choice(_SOURCES),
        "createdDate": f"{booked.isoformat()}Z",
        "lastModifiedDate": f"{changed.isoformat()}Z",
        "segments": journey.segments,
        "passengers": [person.to_passenger() for person in blueprint.travelers],
    }
    if len(blueprint.travelers) > 2:
        trip["travelArranger"] = leader.to_passenger()
    return trip
