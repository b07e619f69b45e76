"""Who is affected, with 1,000,000 expected locations, against geopandas.sjoin and pandas with haversine.

The two rivals answer a smaller question: which records overlap the incident in time and are in the area. Ours also
derives legs and gaps, measures the margin on the ellipsoid, and returns one row per person with the reason. On one
core.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import geopandas  # type: ignore[import-untyped]
import numpy as np
import pandas as pd

from domain.expected_locations.location_frame import Locations, LocationStore
from domain.geography.airports import all_airports
from domain.incidents.affected import find_affected
from domain.incidents.area import Area
from domain.incidents.area_text import parse_area
from domain.trips.presences import KINDS, ROLES

TRIPS = 100_000
RECORDS_PER_TRIP = 10
PLACES = 3_000
ROUNDS = 5
SECONDS = 1.0
BEGINS = datetime(2026, 11, 25, 6, tzinfo=UTC)
ENDS = BEGINS + timedelta(hours=24)
AREAS = ("circle:35.68,139.69,300km", "country:DE", "rectangle:35,-10,60,30", "rectangle:-90,-180,90,180")
EARTH_KM = 6371.0088
AT_ONCE = 1_000


def run() -> bool:
    """Measure, print the table, and return whether the target is met."""
    locations = build_locations()
    began = time.perf_counter()
    _ = locations.whereabouts
    first = time.perf_counter() - began
    print(f"{len(locations.rows):,} expected locations, {TRIPS:,} trips, {len(locations.places):,} places")
    print(f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f}, medians of {ROUNDS} rounds")
    print(f"presences and legs, once after a load: {first:.2f} s\n")
    print(f"{'area, 24 hours':30}{'people':>9}{'ours':>10}{'sjoin':>10}{'haversine':>11}")
    is_met = True
    for text in AREAS:
        area = parse_area(text)
        _ = area.geometry
        found = find_affected(locations, area, BEGINS, ENDS)
        ours = time_call(lambda area=area: find_affected(locations, area, BEGINS, ENDS))  # type: ignore[misc]
        joined = time_call(lambda area=area: with_geopandas(locations, area))  # type: ignore[misc]
        circle = text.startswith("circle")
        looped = (
            f"{time_call(lambda: with_haversine(locations, 35.68, 139.69, 300)):9.2f} s" if circle else f"{'—':>11}"
        )
        print(f"{text:30}{len(found.people):9,}{ours:8.2f} s{joined:8.2f} s{looped}")
        is_met &= ours <= SECONDS
    print(f"\ntarget: ours at most {SECONDS:g} s")
    return is_met


def time_call(call: Callable[[], object]) -> float:
    """Return the median of the processor seconds, which is the time on one core."""
    seconds = []
    for _ in range(ROUNDS):
        began = time.process_time()
        call()
        seconds.append(time.process_time() - began)
    return statistics.median(seconds)


def build_locations() -> Locations:
    """Return trips of five stays each, by air between airports of the world, with windows like the service's."""
    rng = np.random.default_rng(7)
    codes = rng.choice(sorted(all_airports()), PLACES, replace=False)
    store = LocationStore()
    snapshot = store.snapshot({})
    ports = [all_airports()[code] for code in codes]
    places = pd.DataFrame(
        {
            "place_id": codes,
            "label": [port.label for port in ports],
            "name": [port.name for port in ports],
            "address": "",
            "city": [port.city for port in ports],
            "country": [port.country for port in ports],
            "iata": codes,
            "latitude": [port.latitude for port in ports],
            "longitude": [port.longitude for port in ports],
            "zone": [port.time_zone for port in ports],
            "street": "",
        }
    ).astype(dict.fromkeys(snapshot.places.columns.difference(["latitude", "longitude"]), object))
    people = pd.DataFrame(
        {name: [f"{prefix}{number}" for number in range(TRIPS)] for name, prefix in _PEOPLE.items()}, dtype=object
    )
    trip = np.repeat(np.arange(TRIPS), RECORDS_PER_TRIP)
    legs = RECORDS_PER_TRIP // 2
    stops = rng.zipf(1.3, (TRIPS, legs + 1)) % PLACES
    departs = np.datetime64("2026-11-18", "h") + rng.integers(0, 240, TRIPS)[:, None] + 50 * np.arange(legs)
    arrives = departs + rng.integers(2, 12, (TRIPS, legs))
    day = np.timedelta64(24, "h")
    place = np.stack([stops[:, :-1], stops[:, 1:]], axis=2).reshape(-1)
    opens = np.stack([departs - day, arrives], axis=2).reshape(-1)
    closes = np.stack([departs, arrives + day], axis=2).reshape(-1)
    role = np.tile([ROLES.index("Departure"), ROLES.index("Arrival")], TRIPS * legs)
    numbers = [str(number) for number in range(TRIPS)]
    coded: dict[str, tuple[np.ndarray, list[str]]] = {
        "person": (trip, people["person"].tolist()),
        "place": (place, places["place_id"].tolist()),
        "locator": (trip, numbers),
        "itinerary": (trip, numbers),
        "kind": (np.full(len(trip), KINDS.index("Air")), [*KINDS]),
        "role": (role, [*ROLES]),
    }
    rows = pd.DataFrame({name: pd.Categorical.from_codes(codes, categories=of) for name, (codes, of) in coded.items()})  # type: ignore[call-overload]
    rows = rows.assign(
        arrives=pd.Series(opens.astype("datetime64[us]")).dt.tz_localize("UTC"),
        expires=pd.Series(closes.astype("datetime64[us]")).dt.tz_localize("UTC"),
        latitude=places["latitude"].to_numpy()[place],
        longitude=places["longitude"].to_numpy()[place],
        zone=pd.Categorical(places["zone"].to_numpy()[place]),
    )
    return Locations(rows=rows, places=places, people=people, version=1)


_PEOPLE = {"person": "E", "external_id": "E", "name": "Traveler, "}


def with_geopandas(locations: Locations, area: Area) -> int:
    """Return the records in area and time by a spatial join. The points are built each time, as for every new
    roster.
    """
    rows = locations.rows
    rows = rows[(rows["arrives"] < ENDS) & (rows["expires"] > BEGINS)]
    points = geopandas.GeoDataFrame(rows, geometry=geopandas.points_from_xy(rows["longitude"], rows["latitude"]))
    return len(geopandas.sjoin(points, geopandas.GeoDataFrame(geometry=[area.geometry]), predicate="intersects"))


def with_haversine(locations: Locations, latitude: float, longitude: float, radius_km: float) -> int:
    """Return the records in a circle and time, by a haversine in chunks over all records."""
    rows, found = locations.rows, 0
    for start in range(0, len(rows), AT_ONCE):
        some = rows.iloc[start : start + AT_ONCE]
        lat, lon = np.radians(some["latitude"]), np.radians(some["longitude"])
        here, there = np.radians(latitude), np.radians(longitude)
        chord = np.sin((lat - here) / 2) ** 2 + np.cos(lat) * np.cos(here) * np.sin((lon - there) / 2) ** 2
        is_near = 2 * EARTH_KM * np.arcsin(np.sqrt(chord)) <= radius_km
        found += int((is_near & (some["arrives"] < ENDS) & (some["expires"] > BEGINS)).sum())
    return found
