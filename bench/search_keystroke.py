"""A key in the search box to its results, with 100,000 people and 600,000 expected locations, in processor time.

Each person has three flights. Each text is typed letter by letter. The rival filters names and IDs with pandas, which
answers none of the questions.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import numpy as np

from bench.who_is_affected import BEGINS, RECORDS_PER_TRIP, TRIPS, build_locations
from domain.expected_locations.location_frame import Locations, Memo
from domain.search.flights import FlightIndex
from domain.search.roster_index import index_of
from domain.search.search import LoadedRosters, Searched, search

SECONDS = 0.15
_RECORDS = 6
"""The expected locations of a person."""
TEXTS = (
    "maria cruz",
    "E54321",
    "54321",
    "SQ682",
    "Singapore",
    "paris",
    "lands SIN next 6 h",
    "in the air",
    "sleeps in Tokyo Friday",
    "who is in Japan",
    "40 km Nairobi",
    "London to Paris Friday",
    "40 km Nairobbi",
    "when does maria cruz land",
    "not covered",
    "Barcelna",
    "xyzzy",
)
_FIRST = ("Maria", "Ana", "Söner", "Paris", "Wei", "Juan", "Olu", "Lucía", "Tom", "Ivy", "Noor", "Élodie")
_LAST = ("Cruz", "Silva", "Hilton", "Chen", "Okafor", "Müller", "Ito", "Ng", "Roy", "Haddad", "Novák", "Smith")


def run() -> bool:
    """Measure, print, and return whether the slowest key is fast enough."""
    locations = with_names(build_locations())
    _ = locations.likely_places
    began = time.process_time()
    index = index_of(locations)
    _ = index.places, index.locators
    index.at(BEGINS)
    print(f"{len(locations.people):,} people, {len(locations.rows):,} expected locations")
    print(f"the index, once after a load: {time.process_time() - began:.2f} s\n")
    searched = Searched(BEGINS + timedelta(seconds=1), LoadedRosters(locations, ("1",), BEGINS), flights=FlightIndex())
    for text in ("40 km Paris", "40 km Zzz", "zzz"):  # read the names of airports and cities, once in a process
        search(text, searched)
    print(f"{'typed':26}{'results':>9}{'median key':>13}{'slowest key':>13}{'pandas':>10}")
    slowest = 0.0
    for text in TEXTS:
        keys = [measure(lambda typed=text[:end]: search(typed, searched)) for end in range(2, len(text) + 1)]  # type: ignore[misc]
        by_pandas = measure(lambda text=text: with_pandas(locations, text))  # type: ignore[misc]
        found = search(text, searched).count
        print(f"{text:26}{found:>9,}{statistics.median(keys):>11.3f} s{max(keys):>11.3f} s{by_pandas:>8.3f} s")
        slowest = max(slowest, *keys)
    print(f"\ntarget: every key at most {SECONDS:g} s; the slowest took {slowest:.3f} s")
    return slowest <= SECONDS


def measure(call: Callable[[], object]) -> float:
    """Return the processor time of a call."""
    began = time.process_time()
    call()
    return time.process_time() - began


def with_names(locations: Locations) -> Locations:
    """Return the same locations with names that many people share."""
    rng = np.random.default_rng(7)
    first, last = rng.integers(0, len(_FIRST), TRIPS), rng.integers(0, len(_LAST), TRIPS)
    names = [
        f"{_LAST[one]}-{number % 991}, {_FIRST[other]}"
        for number, (one, other) in enumerate(zip(last, first, strict=True))
    ]
    rows = locations.rows[np.arange(len(locations.rows)) % RECORDS_PER_TRIP < _RECORDS].reset_index(drop=True)
    return replace(locations, rows=rows, people=locations.people.assign(name=names), memo=Memo())


def with_pandas(locations: Locations, text: str) -> int:
    """Return how many people have the text in their name or ID."""
    people = locations.people
    return int(
        (
            people["name"].str.contains(text, case=False, regex=False)
            | people["external_id"].str.contains(text, case=False, regex=False)
        ).sum()
    )


if __name__ == "__main__":
    run()
