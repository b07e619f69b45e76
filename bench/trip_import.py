"""Importing 10,000 trips, against batches of three one after another and a bare loop of ready-made batches.

One service with 20 ms of latency, and travelers that it knows. The import begins when the person selects the button:
the rows are checked, and the plan was shown. It writes each trip to the journal before the call and its status after
it, searches for existing trips before each batch, and has several batches in flight. The bare loop posts the same trips
with as many threads, in bodies that were built before the clock starts. Batches of three are timed on a part of the
trips and scaled to all, because all would take minutes.
"""

import csv
import io
import json
import os
import statistics
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import httpx

from bench._rivals import running_service
from client import Connection, ServiceClient
from client.redaction import redact
from client.vocabulary.limits import BATCH_ADD, BATCH_ADD_WITH_CONTACTS
from domain.file_import.checking import Check
from domain.file_import.job import JOBS
from domain.trips.trip_import.trip_declaration import declare_trips
from domain.trips.trip_import.trip_sending import WIDTH
from journal import Actor, Journal

TRIPS: Final = 10_000
TRAVELERS: Final = 500
ROUNDS: Final = 3
BY_THREE: Final = 600
"""The number of trips that are sent in batches of three."""
TIMES_FASTER: Final = 30
TIMES_THE_LOOP: Final = 1.25
_LATENCY: Final = {"kind": "latency", "milliseconds": 20}
_PATH: Final = "/itineraries/8800/batch?autoCreateContact=false"
_HEADINGS: Final = [
    "Record locator",
    "Employee id",
    "First name",
    "Last name",
    "Flight",
    "From",
    "To",
    "Departs",
    "Arrives",
]


def run() -> bool:
    """Measure, print the table, and return whether the targets are met."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running_service(Path(folder), faults=_LATENCY) as (server, _),
        Journal.open(f"sqlite:///{Path(folder) / 'journal.sqlite3'}", redact) as journal,
        ServiceClient.connect(Connection(server.url, 8800, "bench", "bench-password")) as client,
        httpx.Client(base_url=server.url, auth=("bench", "bench-password"), timeout=60) as bare,
    ):
        workspace = SimpleNamespace(journal=journal, actor=Actor("bench", 8800, "bench"), client=client)
        known = [f"E-{number}" for number in range(TRAVELERS)]
        for body in _bodies(_check(workspace, known, "K"), TRAVELERS, size=BATCH_ADD_WITH_CONTACTS):
            _post(bare, body, path="/itineraries/8800/batch")
        seconds: dict[str, list[float]] = {"import": [], "loop": [], "threes": []}
        for number in range(ROUNDS + 1):
            took = {
                "import": _import(workspace, _check(workspace, known, f"I{number}")),
                "loop": _post_in_a_loop(bare, _bodies(_check(workspace, known, f"L{number}"), TRIPS, size=BATCH_ADD)),
                "threes": _by_three(bare, _bodies(_check(workspace, known, f"T{number}"), BY_THREE, size=3)),
            }
            if number:  # The first round warms up.
                for name, value in took.items():
                    seconds[name].append(value)
    ours, loop, threes = (statistics.median(seconds[name]) for name in ("import", "loop", "threes"))
    pairs = list(zip(seconds["import"], seconds["loop"], seconds["threes"], strict=True))
    of_loop = statistics.median(one / other for one, other, _ in pairs)
    faster = statistics.median(other / one for one, _, other in pairs)
    print(f"{TRIPS:,} trips in batches of {BATCH_ADD:,}, {WIDTH} at once, 20 ms latency, {ROUNDS} rounds, medians")
    print(f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f} at the end\n")
    print(f"{'the import, from the press to every status':44}{ours:9.2f} s")
    print(f"{'a bare loop of threads, bodies ready-made':44}{loop:9.2f} s")
    print(f"{'batches of three, one after another':44}{threes:9.2f} s   of {BY_THREE} counted for all")
    print(f"{'the import for one of the loop':44}{of_loop:9.2f}   target: at most {TIMES_THE_LOOP:g}")
    print(f"{'times faster than batches of three':44}{faster:9.1f}   target: at least {TIMES_FASTER}")
    return of_loop <= TIMES_THE_LOOP and faster >= TIMES_FASTER


def _check(workspace: Any, known: list[str], prefix: str) -> Check:
    check = Check.of(declare_trips(known), "trips.csv", _file(prefix), workspace)
    if not check.is_ready.all():
        raise RuntimeError(f"Not all are ready: {check.unready_frame().iloc[0].tolist()}")
    check.outgoing()
    return check


def _import(workspace: Any, check: Check) -> float:
    began = time.perf_counter()
    job_id = JOBS.begin(workspace, check)
    JOBS.wait(job_id)
    took = time.perf_counter() - began
    job = workspace.journal.ledger.job(workspace.actor, job_id)
    if job.counts != {"done": TRIPS}:
        raise RuntimeError(f"Not all were added: {job.counts} {job.message}")
    return took


def _post_in_a_loop(client: httpx.Client, bodies: list[bytes]) -> float:
    began = time.perf_counter()
    with ThreadPoolExecutor(WIDTH) as threads:
        list(threads.map(lambda body: _post(client, body), bodies))
    return time.perf_counter() - began


def _by_three(client: httpx.Client, bodies: list[bytes]) -> float:
    began = time.perf_counter()
    for body in bodies:
        _post(client, body)
    return (time.perf_counter() - began) / BY_THREE * TRIPS


def _post(client: httpx.Client, body: bytes, path: str = _PATH) -> None:
    answer = client.post(path, content=body, headers={"Content-Type": "application/json"}).raise_for_status().json()
    if answer["code"] != 100:
        raise RuntimeError(f"Not all were added: {answer}")


def _bodies(check: Check, number: int, *, size: int) -> list[bytes]:
    trips = [item.payload for item in check.outgoing()[:number]]
    return [json.dumps(trips[start : start + size]).encode() for start in range(0, number, size)]


def _file(prefix: str) -> bytes:
    sink = io.StringIO()
    writer = csv.writer(sink)
    writer.writerow(_HEADINGS)
    for place in range(TRIPS):
        employee = place % TRAVELERS
        who = [f"E-{employee}", "Ana", f"Silva {employee}"]
        writer.writerow([f"{prefix}{place:05}", *who, "EY301", "AUH", "KWI", "20 Mar 2027 08:25", "20 Mar 2027 09:15"])
    return sink.getvalue().encode()
