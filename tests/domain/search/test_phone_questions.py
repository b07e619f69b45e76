"""The questions of tests/cases/phone-questions.toml are answered as a brute-force reading of the trips answers them."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import airportsdata
import pytest

from client.models.itineraries import ExpectedLocation
from domain.expected_locations.location_frame import LocationStore
from domain.search.flights import FlightIndex
from domain.search.search import LoadedRosters, Searched, search
from domain.search.search_results import MOST_PEOPLE, MOST_SHOWN
from service.demo import generator
from service.demo.world import cities
from service.itineraries.expected_locations import Margins, expected_places
from service.itineraries.models import TripItinerary
from service.itineraries.rules import Spelling, accept

CASES = tomllib.loads((Path(__file__).parents[2] / "cases" / "phone-questions.toml").read_text(encoding="utf-8"))
NOW: datetime = CASES["now"]
DAY = timedelta(days=1)
AIRPORTS = airportsdata.load("IATA")

Wire = dict[str, Any]


@dataclass(frozen=True)
class End:
    """Where and when a segment begins or ends."""

    at: datetime
    city: str
    country: str
    hotel: str
    position: tuple[float, float] | None

    def is_in(self, where: Mapping[str, Any]) -> bool:
        """Whether it is in the city, the country, or the hotel, or near the position."""
        if "near" in where:
            *center, radius = where["near"]
            return self.position is not None and kilometers(self.position, (center[0], center[1])) <= radius
        return all(getattr(self, name) == value for name, value in where.items())


@dataclass(frozen=True)
class Segment:
    """A segment of a trip."""

    kind: str
    begins: End
    ends: End


def kilometers(one: tuple[float, float], other: tuple[float, float]) -> float:
    a, b = (math.radians(each[0]) for each in (one, other))
    wide = math.radians(one[1] - other[1])
    return 6371 * math.acos(min(1, math.sin(a) * math.sin(b) + math.cos(a) * math.cos(b) * math.cos(wide)))


def read_end(segment: Wire, side: str) -> End:
    place = "from" if segment["type"] == "Hotel" else side
    code, address = segment.get(f"{place}IataCode"), segment.get(f"{place}Address") or {}
    port = AIRPORTS.get(code, {})
    zone = segment.get(f"{side}TimeZone") or port.get("tz")
    local = datetime.fromisoformat(segment[f"{side}DateTimeLocal"])
    sent = segment.get(f"{side}DateTime")
    at = datetime.fromisoformat(sent) if sent else local.replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)
    latitude = address.get("latitude") or port.get("lat")
    position = (latitude, address.get("longitude") or port.get("lon")) if latitude else None
    city = address.get("city") or (cities()[code].name if code in cities() else port.get("city", ""))
    hotel = address.get("locationName", "") if segment["type"] == "Hotel" else ""
    return End(at, city, address.get("country") or port.get("country", ""), hotel, position)


def read_trips() -> Iterator[tuple[list[str], list[Segment]]]:
    """Yield the names on each trip, and its segments."""
    for trip in generator.trips(NOW.date()):
        if trip["itineraryStatus"].casefold() != "canceled":
            people = [f"{each['lastName']}, {each['firstName']} {each['employeeId']}" for each in trip["passengers"]]
            yield (
                people,
                [Segment(each["type"], read_end(each, "from"), read_end(each, "to")) for each in trip["segments"]],
            )


@cache
def segments_by_person() -> dict[str, list[Segment]]:
    found: dict[str, list[Segment]] = {}
    for people, segments in read_trips():
        for person in people:
            found.setdefault(person, []).extend(segments)
    return found


def moving(segments: list[Segment], at: datetime) -> list[Segment]:
    return [each for each in segments if each.kind in ("Air", "Rail") and each.begins.at <= at < each.ends.at]


def place_at(segments: list[Segment], at: datetime) -> End | None:
    """Where a person is: at the hotel of the last check-in, or else where the last journey of a day before ended, or
    the next one within a day begins.
    """
    stays = [each.begins for each in segments if each.kind == "Hotel" and each.begins.at <= at < each.ends.at]
    if stays:
        return max(stays, key=lambda stay: stay.at)
    others = [each for each in segments if each.kind != "Hotel"]
    arrived = [each.ends for each in others if each.ends.at <= at < each.ends.at + DAY]
    leaving = [each.begins for each in others if each.begins.at - DAY <= at < each.begins.at]
    if arrived:
        return max(arrived, key=lambda end: end.at)
    return min(leaving, key=lambda end: end.at, default=None)


def is_meant(segments: list[Segment], people: Mapping[str, Any]) -> bool:
    """Whether a person with these segments belongs to the answer."""
    at = people.get("at")
    if "there" in people:
        place = None if moving(segments, at) else place_at(segments, at)
        return place is not None and place.is_in(people["there"])
    if "in_transit" in people:
        return any(each.kind == people["in_transit"] for each in moving(segments, at))
    if "nowhere" in people:
        begins, ends = min(each.begins.at for each in segments), max(each.ends.at for each in segments)
        return begins <= at < ends and not moving(segments, at) and place_at(segments, at) is None
    end, where = ("ends", people["arrive"]) if "arrive" in people else ("begins", people["leave"])
    return any(
        each.kind in people["by"]
        and people["after"] <= getattr(each, end).at <= people["until"]
        and getattr(each, end).is_in(where)
        and each.ends.is_in(people.get("to", {}))
        for each in segments
    )


def expect_people(people: Mapping[str, Any]) -> set[str]:
    """Return the names of the people of an answer."""
    if "names" in people:
        return set(people["names"])
    trips = read_trips() if "nowhere" in people else (([each], own) for each, own in segments_by_person().items())
    return {person.rpartition(" ")[0] for persons, own in trips if is_meant(own, people) for person in persons}


@pytest.fixture(scope="module")
def searched() -> Searched:
    """The demo organization, loaded by the dashboard from what its service stores."""
    store, names = LocationStore(), {}
    for number, trip in enumerate(generator.trips(NOW.date())):
        accepted = accept(TripItinerary.read(trip), Spelling.ADD)
        names |= {each["employeeId"]: f"{each['lastName']}, {each['firstName']}" for each in trip["passengers"]}
        records = [
            ExpectedLocation.model_validate(
                {
                    "contactExternalId": traveler["employeeId"],
                    "travelCategory": expected.travel_category,
                    "travelType": expected.travel_type,
                    "address": {
                        "locationName": expected.place.location_name,
                        "streetAddress": expected.place.street_address,
                        "city": expected.place.city,
                        "state": expected.place.state,
                        "country": expected.place.country,
                        "iata": expected.place.iata,
                        "gisLocation": {"lat": expected.place.latitude, "lon": expected.place.longitude},
                        "arriveDate": datetime.fromtimestamp(expected.arrive_at / 1000, UTC).isoformat(),
                        "expireDate": datetime.fromtimestamp(expected.expire_at / 1000, UTC).isoformat(),
                    },
                }
            )
            for expected in expected_places(accepted.segments, Margins())
            for traveler in trip["passengers"]
        ]
        if not accepted.is_canceled:
            store.put(trip["pnr"], [(number, records)])
    return Searched(NOW, LoadedRosters(store.snapshot(names), ("1",), NOW), flights=FlightIndex())


@pytest.mark.parametrize("case", CASES["question"], ids=lambda case: case["text"])
def test_a_question_has_its_answer(case: Mapping[str, Any], searched: Searched) -> None:
    results = search(case["text"], searched)
    assert results.sentence.startswith(case.get("sentence", "")), results.sentence
    if "first" in case:
        first = results.groups[0]
        assert [first.title, first.results[0].title] == case["first"]
    if "note" in case:
        assert case["note"] in [note.text for note in results.notes]
    if "people" in case:
        expected = expect_people(case["people"])
        groups = [each for each in results.groups if each.title == "Travelers"]
        total = sum(each.total for each in groups)
        section = case["people"].get("section", "")
        listed = {each.title for group in groups for each in group.results if each.detail.startswith(section)}
        assert listed <= expected
        assert section or total == len(expected)
        assert listed == expected or len(listed) == min(len(expected), MOST_PEOPLE if results.sentence else MOST_SHOWN)
