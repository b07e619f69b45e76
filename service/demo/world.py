"""The world of the demo, from the CSV files in this folder: cities with airports, airlines with hubs, and railways."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from random import Random
from zoneinfo import ZoneInfo

from client.vocabulary.airports import AirportRow
from service.itineraries.segment_places import airports, zone_at

_FOLDER = Path(__file__).parent
_EARTH_KM = 6371.0
_LONGEST_DIRECT_KM = 9_500
_SHORTEST_LEG_KM = 500
_DISTANCES: dict[tuple[str, str], float] = {}
_HUBS = ("DXB", "DOH", "IST", "FRA", "LHR", "SIN", "HKG", "ICN", "JFK", "DFW", "LAX", "SYD", "JNB", "ADD", "PTY", "GRU")


@dataclass(frozen=True)
class City:
    """A city with hotels and an airport. Coordinates are those of its center, in decimal degrees."""

    iata: str
    name: str
    country: str
    latitude: float
    longitude: float
    weight: int

    @cached_property
    def airport(self) -> AirportRow:
        """The airport with the city's code."""
        return airports()[self.iata]

    @cached_property
    def zone(self) -> ZoneInfo:
        """The time zone of the city's airport."""
        return ZoneInfo(zone_at(self.airport["lat"], self.airport["lon"]))


@dataclass(frozen=True)
class Airline:
    """An airline and the airport of most of its flights."""

    code: str
    name: str
    country: str
    hub: str


@dataclass(frozen=True)
class Station:
    """A railway station."""

    name: str
    city: str
    country: str
    latitude: float
    longitude: float


@dataclass(frozen=True)
class Railway:
    """A railway line that people use from their home city."""

    operator_code: str
    operator: str
    train: int
    base: str
    origin: Station
    destination: Station
    minutes: int


def _rows(name: str) -> Iterator[dict[str, str]]:
    with (_FOLDER / name).open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file)


@lru_cache(maxsize=1)
def cities() -> dict[str, City]:
    """Return every city by airport code."""
    return {
        row["iata"]: City(
            row["iata"],
            row["city"],
            row["country"],
            float(row["latitude"]),
            float(row["longitude"]),
            int(row["weight"]),
        )
        for row in _rows("cities.csv")
    }


@lru_cache(maxsize=1)
def airlines() -> tuple[Airline, ...]:
    """Return every airline; one entry per home country."""
    return tuple(Airline(row["code"], row["name"], row["country"], row["hub"]) for row in _rows("airlines.csv"))


@lru_cache(maxsize=1)
def railways() -> tuple[Railway, ...]:
    """Return every railway line."""
    return tuple(
        Railway(
            row["operator_code"],
            row["operator"],
            int(row["train"]),
            row["base"],
            _station(row, "from"),
            _station(row, "to"),
            int(row["minutes"]),
        )
        for row in _rows("railways.csv")
    )


@lru_cache(maxsize=1)
def names() -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return first and last names by culture."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for row in _rows("names.csv"):
        found.setdefault(row["culture"], {})[row["kind"]] = tuple(
            name.replace("_", " ") for name in row["names"].split()
        )
    return {culture: (kinds["first"], kinds["last"]) for culture, kinds in found.items()}


def kilometres(origin: City, destination: City) -> float:
    """Return the great-circle distance between the airports of two cities."""
    key = (origin.iata, destination.iata)
    if key not in _DISTANCES:
        a, b = origin.airport, destination.airport
        latitude_a, latitude_b = math.radians(a["lat"]), math.radians(b["lat"])
        half_chord = (
            math.sin((latitude_b - latitude_a) / 2) ** 2
            + math.cos(latitude_a) * math.cos(latitude_b) * math.sin(math.radians(b["lon"] - a["lon"]) / 2) ** 2
        )
        _DISTANCES[key] = 2 * _EARTH_KM * math.asin(math.sqrt(half_chord))
    return _DISTANCES[key]


def hub_between(origin: City, destination: City) -> City | None:
    """Return the connecting airport on the shortest route; None for a direct flight."""
    if kilometres(origin, destination) <= _LONGEST_DIRECT_KM:
        return None
    return nearest_hub(origin, destination)


def nearest_hub(origin: City, destination: City) -> City | None:
    """Return the hub with the shortest route; None if every connection would be a detour."""
    ways = []
    for code in _HUBS:
        hub = cities()[code]
        first, second = kilometres(origin, hub), kilometres(hub, destination)
        if min(first, second) > _SHORTEST_LEG_KM:
            ways.append((first + second, code))
    return cities()[min(ways)[1]] if ways else None


def airline_between(origin: City, destination: City, random: Random) -> Airline:
    """Return an airline based at one of the ends, or else in one of the countries, or else any large one."""
    ends = {origin.iata, destination.iata}
    countries = {origin.country, destination.country}
    at_hub = [airline for airline in airlines() if airline.hub in ends]
    of_country = [airline for airline in airlines() if airline.country in countries]
    if origin.country == destination.country:
        return random.choice(of_country or at_hub or list(airlines()))
    return random.choice(at_hub or of_country or [airline for airline in airlines() if airline.hub in _HUBS])


def _station(row: dict[str, str], end: str) -> Station:
    return Station(
        row[f"{end}_station"],
        row[f"{end}_city"],
        row[f"{end}_country"],
        float(row[f"{end}_latitude"]),
        float(row[f"{end}_longitude"]),
    )
