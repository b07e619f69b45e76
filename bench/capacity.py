"""Memory and time per million expected locations, for who is affected and for the map, and the time to mark people.

Each number of trips is measured in a separate process. Times are in seconds of one processor core. Memory is that of
the process beyond what it has before the trips are made: at rest, and the peak during the answer.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Final

import psutil  # type: ignore[import-untyped]

from bench.people_by_hour import BEGIN, build_roster
from bench.who_is_affected import BEGINS, ENDS
from client.redaction import redact
from domain.expected_locations.place_hours import place_hours
from domain.expected_locations.place_hours_payload import payload_of
from domain.expected_locations.roster_view import Filters
from domain.incidents.affected import find_affected
from domain.incidents.area_text import parse_area
from journal import Actor, Journal
from journal.incidents import IncidentContent

TRIPS: Final = (100_000, 200_000, 400_000)
AREA: Final = "country:DE"
MARKS: Final = 1_000
_COLUMNS: Final = {
    "memory": "held, MB",
    "peak": "peak, MB",
    "presences": "presences, s",
    "likely_places": "likely places, s",
    "answer": "who is affected, s",
    "hours": "map, s",
    "payload": "map, MB sent",
}


def run() -> None:
    """Measure, and print a line per number of trips."""
    print(f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f}\n")
    print("expected locations" + "".join(f"{label:>20}" for label in _COLUMNS.values()))
    for trips in TRIPS:
        command = [sys.executable, "-m", "bench.capacity", str(trips)]
        figures = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        print(f"{figures['locations']:18,}" + "".join(f"{figures[name]:20,.2f}" for name in _COLUMNS), flush=True)
    _measure_marks()


def _measure_marks() -> None:
    """Print the time to mark a person of an incident, and to check the incident for marks by others."""
    actor = Actor("bench", 1, "ana")
    with (
        tempfile.TemporaryDirectory(prefix="bench-") as folder,
        Journal.open(f"sqlite:///{folder}/journal.sqlite", redact) as journal,
    ):
        content = IncidentContent("Storm", {}, BEGINS, ENDS, 25, [1])
        incident = journal.incidents.create(actor, content)
        numbers = range(MARKS)
        mark = _processor_seconds(
            lambda: [journal.incidents.mark(actor, incident.id, str(number), "safe") for number in numbers]
        )
        check = _processor_seconds(lambda: [journal.incidents.latest_event_id(actor, incident.id) for _ in numbers])
    print(f"\nmark a person: {mark / MARKS * 1000:.2f} ms; check for marks: {check / MARKS * 1000:.2f} ms")


def measure(trips: int) -> dict[str, float]:
    """Return the figures of `_COLUMNS` and the number of expected locations."""
    area = parse_area(AREA)
    before = _megabytes()
    locations = build_roster(trips)
    gc.collect()
    memory = _megabytes() - before
    presences = _processor_seconds(lambda: locations.whereabouts)
    likely_places = _processor_seconds(lambda: locations.likely_places)
    find_affected(locations, area, BEGINS, ENDS)
    answer = _processor_seconds(lambda: find_affected(locations, area, BEGINS, ENDS))
    hours = _processor_seconds(lambda: place_hours(locations, Filters(), BEGIN))
    payload = len(payload_of(place_hours(locations, Filters(), BEGIN)).content) / 1e6
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 - before
    return {
        "locations": len(locations.rows),
        "memory": memory,
        "peak": peak,
        "presences": presences,
        "likely_places": likely_places,
        "answer": answer,
        "hours": hours,
        "payload": payload,
    }


def _megabytes() -> float:
    return float(psutil.Process().memory_info().rss) / 2**20


def _processor_seconds(call: Callable[[], object]) -> float:
    began = time.process_time()
    call()
    return time.process_time() - began


if __name__ == "__main__":
    print(json.dumps(measure(int(sys.argv[1]))))
