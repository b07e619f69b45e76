"""Counting 1,000,000 expected locations of 100,000 trips by place and hour over 14 days, against plain pandas.

Ours puts each person at one likely place, and also counts people in transit, people not covered, and arcs. Plain pandas
checks the open windows of one hour after the other, so it counts a person at every place with an open window. It counts
a few hours, and its time is scaled to all. Legs, presences, and likely places are computed once per roster, for all
filters.
"""

import os
import statistics
from datetime import UTC, datetime, timedelta
from typing import Final

import numpy as np
import pandas as pd

from bench.file_check import time_call
from domain.expected_locations.location_frame import Locations, categorical, utc
from domain.expected_locations.place_hours import HOURS, PlaceHours, place_hours
from domain.expected_locations.place_hours_payload import payload_of
from domain.expected_locations.roster_view import Filters
from domain.geography.airports import all_airports
from domain.trips.presences import KINDS, ROLES

TRIPS: Final = 100_000
PLACES: Final = 3_000
ROUNDS: Final = 5
SECONDS: Final = 0.5
SAMPLED_HOURS: Final = 12
BEGIN: Final = datetime(2026, 11, 13, tzinfo=UTC)
_HOUR: Final = 3_600_000_000


def run() -> bool:
    """Measure, print the table, and return whether the target is met."""
    locations = build_roster()
    _, presences = time_call(lambda: locations.whereabouts)
    _, likely = time_call(lambda: locations.likely_places)
    filters = [Filters(), Filters(kinds=frozenset({"Hotel"})), Filters(text="london")]
    seconds: dict[Filters, list[float]] = {each: [] for each in filters}
    for number in range(ROUNDS):
        begin = BEGIN + timedelta(hours=number)  # Another hour, because counts are cached.
        for each in filters:
            seconds[each].append(time_call(lambda each=each, begin=begin: place_hours(locations, each, begin))[1])  # type: ignore[misc]
    counted = place_hours(locations, Filters(), BEGIN)
    payload, encoded = time_call(lambda: payload_of(counted))
    plain = statistics.median(time_call(lambda: by_pandas(locations.rows))[1] for _ in range(ROUNDS))
    plain *= HOURS / SAMPLED_HOURS
    medians = [statistics.median(seconds[each]) for each in filters]
    print(f"{len(locations.rows):,} expected locations, {TRIPS:,} people, {len(counted.place_ids):,} places")
    print(f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f} at the end, {ROUNDS} rounds, medians\n")
    print(f"{'once: legs and presences':48}{presences:9.3f} s")
    print(f"{'once: likely places':48}{likely:9.3f} s")
    print(f"{'people by place and hour':48}{medians[0]:9.3f} s  target: at most {SECONDS:g}")
    print(f"{'  with a filter by segment type':48}{medians[1]:9.3f} s")
    print(f"{'  with a filter by words':48}{medians[2]:9.3f} s")
    print(f"{'  as bytes for the browser':48}{encoded:9.3f} s  {len(payload.content) / 1e6:.2f} MB")
    print(f"{'plain pandas, open windows only':48}{plain:9.3f} s  from {SAMPLED_HOURS} hours")
    _print_arcs(counted)
    return medians[0] <= SECONDS


def _print_arcs(counted: PlaceHours) -> None:
    share = counted.without_arc.sum() / counted.in_transit.sum()
    print(f"\n{len(counted.arcs.people):,} arcs; {share:.0%} of the people in transit are in smaller groups, not drawn")


def by_pandas(rows: pd.DataFrame) -> list[pd.Series]:
    """Count the people by place in a few hours, in every open window."""
    counts = []
    for hour in np.linspace(0, HOURS - 1, SAMPLED_HOURS).astype(int):
        at = pd.Timestamp(BEGIN + timedelta(hours=int(hour)))
        is_open = rows[(rows["arrives"] <= at) & (rows["expires"] > at)]
        counts.append(is_open.drop_duplicates(["person", "place"]).groupby("place", observed=True).size())
    return counts


def build_roster(trips: int = TRIPS) -> Locations:
    """Return trips with ten windows: three flights at full hours, most between a few cities, two hotels, and a
    rental.
    """
    random = np.random.default_rng(7)
    airports = [each for each in all_airports().values() if each.city][::2][: PLACES // 2]
    weights = random.pareto(1.0, len(airports)) + 0.05
    home, first, second = random.choice(len(airports), (3, trips), p=weights / weights.sum())
    begin = int(BEGIN.timestamp()) * 1_000_000
    leaves = begin + random.integers(-48, 11 * 24, trips) * _HOUR
    lands = leaves + random.integers(1, 13, trips) * _HOUR
    leaves_again = lands + random.integers(20, 60, trips) * _HOUR
    lands_again = leaves_again + random.integers(1, 13, trips) * _HOUR
    returns = lands_again + random.integers(20, 60, trips) * _HOUR
    is_home = returns + random.integers(1, 13, trips) * _HOUR
    hotels = len(airports)
    windows = [
        (home, "Air", "Departure", leaves - 24 * _HOUR, leaves),
        (first, "Air", "Arrival", lands, lands + 24 * _HOUR),
        (first + hotels, "Hotel", "Stay", lands - 2 * _HOUR, leaves_again - 3 * _HOUR),
        (first + hotels, "Car", "Departure", lands - 20 * _HOUR, lands + 4 * _HOUR),
        (first + hotels, "Car", "Arrival", leaves_again - 5 * _HOUR, leaves_again + 19 * _HOUR),
        (first, "Air", "Departure", leaves_again - 24 * _HOUR, leaves_again),
        (second, "Air", "Arrival", lands_again, lands_again + 24 * _HOUR),
        (second + hotels, "Hotel", "Stay", lands_again - 2 * _HOUR, returns - 3 * _HOUR),
        (second, "Air", "Departure", returns - 24 * _HOUR, returns),
        (home, "Air", "Arrival", is_home, is_home + 24 * _HOUR),
    ]
    place, arrives, expires = (np.stack([each[part] for each in windows], axis=1).ravel() for part in (0, 3, 4))
    kind = np.tile(np.array([KINDS.index(each[1]) for each in windows], np.int8), trips)
    role = np.tile(np.array([ROLES.index(each[2]) for each in windows], np.int8), trips)
    person = np.repeat(np.arange(trips, dtype=np.int32), len(windows))
    names = ["iata", "city", "country", "zone", "latitude", "longitude"]
    fields = [(a.iata, a.city, a.country, a.time_zone, a.latitude, a.longitude) for a in airports]
    cities = pd.DataFrame(fields, columns=names)
    lodgings = cities.assign(iata="", latitude=cities["latitude"] + 0.05)
    places = pd.concat([cities, lodgings], ignore_index=True)
    ids = [*cities["iata"], *("Hotel near " + cities["iata"])]
    places = places.assign(place_id=ids, label=ids, name=ids, address="")
    people = pd.DataFrame({"person": [f"E{number}" for number in range(trips)]})
    rows = pd.DataFrame(
        {
            "person": categorical(person, people["person"]),
            "place": categorical(place.astype(np.int32), places["place_id"]),
            "locator": categorical(person, [f"TRIP{number}" for number in range(trips)]),
            "itinerary": categorical(person, [str(number) for number in range(trips)]),
            "kind": categorical(kind, KINDS),
            "role": categorical(role, ROLES),
            "arrives": utc(arrives),
            "expires": utc(expires),
        }
    )
    people = people.assign(external_id=people["person"], name="Person " + people["person"])
    return Locations(rows=rows, places=places, people=people, version=1)
