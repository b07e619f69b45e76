"""The generator of the demo: reproducible for any day, with irregular trips."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from datetime import date, timedelta
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from service.demo import generator, shapes
from service.demo.demo_travelers import BASES, people
from service.demo.world import airlines, cities, kilometres, railways
from service.itineraries.models import TripItinerary
from service.itineraries.rules import Spelling, accept

TODAY = date(2026, 11, 20)


@cache
def trips(today: date = TODAY) -> list[dict[str, Any]]:
    """Return every trip around a day."""
    return list(generator.trips(today))


def trips_of_shape(shape: object) -> list[dict[str, Any]]:
    """Return the trips of one shape that are not canceled."""
    names = {
        blueprint.record_locator
        for blueprint in generator.blueprints()
        if blueprint.shape is shape and not blueprint.canceled
    }
    return [trip for trip in trips() if trip["pnr"] in names]


def count_kinds(trip: dict[str, Any]) -> Counter[str]:
    """Return the number of segments of each kind."""
    return Counter(segment["type"] for segment in trip["segments"])


def test_another_process_generates_the_same_demo() -> None:
    """The demo does not depend on hash seeds or the clock."""
    code = (
        "import hashlib, json; from datetime import date; from service.demo import generator;"
        "print(hashlib.sha256(json.dumps(list(generator.trips(date(2026, 11, 20)))).encode()).hexdigest())"
    )
    ours = hashlib.sha256(json.dumps(trips()).encode()).hexdigest()
    root = Path(__file__).parents[2]
    theirs = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True)
    assert theirs.stdout.strip() == ours


def test_another_day_changes_only_the_dates() -> None:
    """People, places and local times stay the same, except where clock changes move arrivals."""
    later = trips(TODAY + timedelta(days=200))
    for old, new in zip(trips(), later, strict=True):
        assert (old["pnr"], old["passengers"], old["itineraryStatus"]) == (
            new["pnr"],
            new["passengers"],
            new["itineraryStatus"],
        )
        departures = [
            (
                date.fromisoformat(trip["segments"][0]["fromDateTimeLocal"][:10]),
                trip["segments"][0]["fromDateTimeLocal"][10:],
            )
            for trip in (old, new)
        ]
        assert departures[1] == (departures[0][0] + timedelta(days=200), departures[0][1])


def test_the_demo_has_enough_travelers_and_trips() -> None:
    """At least 2,000 travelers and 1,500 trips."""
    employee_ids = {person["employeeId"] for trip in trips() for person in trip["passengers"]}
    assert len(employee_ids) >= 2000
    assert len(trips()) >= 1500


def test_record_locators_are_unique_and_stable() -> None:
    """Six characters A-Z0-9."""
    locators = [trip["pnr"] for trip in trips()]
    assert len(set(locators)) == len(locators)
    assert all(re.fullmatch(r"[A-Z0-9]{6}", locator) for locator in locators)
    assert locators[0] == "WSVM7K"


@pytest.mark.parametrize("today", [date(2026, 3, 28), date(2028, 2, 29), date(2026, 12, 31)])
def test_every_trip_is_accepted_with_every_segment(today: date) -> None:
    """Also on days of clock changes, leap days and New Year."""
    for trip in trips(today):
        found = accept(TripItinerary.read(trip), Spelling.ADD)
        assert found.is_canceled or len(found.segments) == len(trip["segments"]), trip["pnr"]


def test_segments_of_regular_trips_are_in_order() -> None:
    """A flight departs after the previous one has landed."""
    for trip in [*trips_of_shape(shapes.there_and_back), *trips_of_shape(shapes.with_connections)]:
        flights = [
            segment for segment in accept(TripItinerary.read(trip), Spelling.ADD).segments if segment.type == "Air"
        ]
        for first, second in pairwise(flights):
            assert first.ends <= second.begins, trip["pnr"]


def test_hotel_stays_are_between_the_flights() -> None:
    """Checks of trips find no problem in regular trips."""
    for trip in [
        *trips_of_shape(shapes.there_and_back),
        *trips_of_shape(shapes.with_connections),
        *trips_of_shape(shapes.one_way),
    ]:
        segments = accept(TripItinerary.read(trip), Spelling.ADD).segments
        for first, second in pairwise(segments):
            assert first.ends <= second.begins, trip["pnr"]
            assert (second.begins - first.ends).total_seconds() < 86_400, trip["pnr"]


def test_no_one_is_on_two_trips_at_once() -> None:
    """Overlaps are within a trip only."""
    spans = defaultdict(list)
    for trip in trips():
        found = accept(TripItinerary.read(trip), Spelling.ADD)
        if not found.is_canceled:
            span = (min(part.begins for part in found.segments), max(part.ends for part in found.segments))
            for person in trip["passengers"]:
                spans[person["employeeId"]].append(span)
    assert sum(len(mine) > 1 for mine in spans.values()) > 100
    for mine in spans.values():
        mine.sort()
        assert all(first[1] < second[0] for first, second in pairwise(mine))


def test_the_demo_has_every_irregular_trip() -> None:
    """Each kind exists and has the property of its name."""
    assert len(trips_of_shape(shapes.with_connections)) > 100
    assert all(count_kinds(trip)["Air"] >= 2 for trip in trips_of_shape(shapes.with_connections))
    assert all(count_kinds(trip)["Air"] in (1, 2) for trip in trips_of_shape(shapes.one_way))
    assert len(trips_of_shape(shapes.one_way)) > 20
    assert all(count_kinds(trip)["Hotel"] == 2 for trip in trips_of_shape(shapes.overlapping))
    assert len(trips_of_shape(shapes.overlapping)) > 10
    assert len(trips_of_shape(shapes.hotel_missing)) > 20
    assert all("Rail" in count_kinds(trip) for trip in trips_of_shape(shapes.by_rail))
    assert len(trips_of_shape(shapes.by_rail)) > 20
    assert all(set(count_kinds(trip)) == {"Car"} for trip in trips_of_shape(shapes.car_only))
    assert all("Car" in count_kinds(trip) for trip in trips_of_shape(shapes.with_car))
    assert sum(trip["itineraryStatus"] == "canceled" for trip in trips()) > 20
    assert sum(len(trip["passengers"]) > 1 for trip in trips()) > 200
    assert max(len(trip["passengers"]) for trip in trips()) >= 6


def test_some_places_have_no_coordinates() -> None:
    """Missing, or both 0."""
    for trip in trips_of_shape(shapes.without_coordinates):
        places = [segment["fromAddress"] for segment in trip["segments"] if segment["type"] == "Hotel"]
        assert all(not place.get("latitude") and not place.get("longitude") for place in places)
    assert len(trips_of_shape(shapes.without_coordinates)) > 10


def test_some_flights_land_on_an_earlier_date_than_they_depart() -> None:
    """They cross the date line."""
    backwards = [
        segment
        for trip in trips()
        for segment in trip["segments"]
        if segment["toDateTimeLocal"] < segment["fromDateTimeLocal"]
    ]
    assert len(backwards) >= 5
    assert len(trips_of_shape(shapes.over_the_date_line)) >= 8


def test_some_time_zones_and_utc_offsets_disagree() -> None:
    """UTC that is the local time with a Z."""
    disagreeing = [
        trip
        for trip in trips_of_shape(shapes.zone_disagrees)
        if trip["segments"][0].get("fromDateTime") == trip["segments"][0]["fromDateTimeLocal"] + "Z"
    ]
    assert len(disagreeing) > 5


def test_booking_systems_differ_in_detail() -> None:
    """Codes and local times only; with time zones; with everything."""
    flights = [segment for trip in trips() for segment in trip["segments"] if segment["type"] == "Air"]
    terse = sum("fromTimeZone" not in flight for flight in flights)
    full = sum("fromDateTime" in flight and "fromAddress" in flight for flight in flights)
    assert 0.2 < terse / len(flights) < 0.5
    assert 0.15 < full / len(flights) < 0.4


def test_airports_cities_and_stations_are_real() -> None:
    """Airports exist, cities are near them, hubs and stations are known."""
    assert set(BASES) <= set(cities())
    for city in cities().values():
        assert city.airport["country"] == city.country
        assert abs(city.latitude - city.airport["lat"]) < 0.7
        assert abs(city.longitude - city.airport["lon"]) < 0.8
    assert all(airline.hub in cities() for airline in airlines())
    assert all(line.base in cities() for line in railways())
    assert kilometres(cities()["LHR"], cities()["JFK"]) == pytest.approx(5540, abs=30)


def test_names_and_mailboxes_are_unique() -> None:
    """One person per mailbox; names of many cultures, in their own scripts."""
    everybody = people()
    assert len({person.email for person in everybody}) == len(everybody)
    assert len({person.employee_id for person in everybody}) == len(everybody)
    assert all(person.email.isascii() for person in everybody)
    assert sum(not person.last_name.isascii() for person in everybody) > 200
    assert len({person.last_name for person in everybody}) > 300
