"""Loading a roster of 1,000 trips (a search and the expected locations of each) from a service with 20 ms of latency.

Three ways, in alternating runs of one process against one service: with our client and its fan-out; one request at a
time; and with a bare loop of threads over httpx that builds no models. Ratios are medians over the rounds.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx

from client import Connection, ServiceClient, fan_out
from client.models.itineraries import Address, Itinerary, Passenger, Segment

TRIPS = 1000
SAMPLE = 100
"""The number of trips that are loaded one request at a time. Their time is scaled to the whole roster."""
LATENCY_MS = 20
WIDTH = 16
ROUNDS = 5
FASTER_THAN_ONE_AT_A_TIME = 12.0
SLOWER_THAN_BARE = 1.25
SECONDS = 4.5
"""The longest time for the roster with our client, on two quiet cores."""

_AIRPORTS = ("AUH", "KWI", "LHR", "SIN", "JFK", "CDG", "FRA", "NRT", "SYD", "GRU")


def run() -> bool:
    """Measure, print the table, and return whether all targets are met."""
    with running_service() as base_url:
        connection = Connection(base_url, 8800, "bench", "bench-password")
        locators = seed(connection)
        rivals: dict[str, Callable[[], int]] = {
            "ours": lambda: load_with_client(connection, locators),
            "bare": lambda: load_bare(connection, locators),
            "one": lambda: load_one_at_a_time(connection, locators[:SAMPLE]),
        }
        for rival in rivals.values():
            rival()
        seconds: dict[str, list[float]] = {name: [] for name in rivals}
        found: dict[str, int] = {}
        for number in range(ROUNDS):
            for name in rivals if number % 2 == 0 else reversed(rivals):
                began = time.perf_counter()
                found[name] = rivals[name]()
                seconds[name].append(time.perf_counter() - began)
    if not found["ours"] == found["bare"] == found["one"] * TRIPS // SAMPLE:
        raise RuntimeError(f"The three ways did not find the same: {found}")
    scaled = [value * TRIPS / SAMPLE for value in seconds["one"]]
    faster = statistics.median(one / ours for one, ours in zip(scaled, seconds["ours"], strict=True))
    slower = statistics.median(ours / bare for ours, bare in zip(seconds["ours"], seconds["bare"], strict=True))
    print(f"{TRIPS} trips, {2 * TRIPS} requests, {found['ours']} expected locations, {ROUNDS} rounds, medians")
    print(f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f} at the end\n")
    print(f"{'':44}{'seconds':>9}{'requests/s':>12}")
    for label, values in (
        (f"our client, fan-out of {WIDTH}", seconds["ours"]),
        (f"(a) one at a time (measured on {SAMPLE}, times {TRIPS // SAMPLE})", scaled),
        (f"(b) bare httpx in {WIDTH} threads, no models", seconds["bare"]),
    ):
        median = statistics.median(values)
        print(f"{label:44}{median:9.2f}{2 * TRIPS / median:12.0f}")
    print(f"\n{'times as fast as (a)':44}{faster:9.2f}   target: at least {FASTER_THAN_ONE_AT_A_TIME:g}")
    print(f"{'times the time of (b)':44}{slower:9.2f}   target: at most {SLOWER_THAN_BARE:g}")
    ours = statistics.median(seconds["ours"])
    print(f"{'seconds through our client':44}{ours:9.2f}   target: at most {SECONDS:g}")
    return faster >= FASTER_THAN_ONE_AT_A_TIME and slower <= SLOWER_THAN_BARE and ours <= SECONDS


def load_with_client(connection: Connection, locators: list[str]) -> int:
    """Load the roster as the dashboard does. Returns the number of expected locations."""
    with ServiceClient.connect(connection, max_connections=WIDTH) as client:
        itineraries = client.itineraries

        def load(locator: str) -> int:
            return sum(
                len(list(itineraries.list_expected_locations(reference.id)))
                for reference in itineraries.search(field_name="pnr", values=[locator])
            )

        return sum(outcome.result() for outcome in fan_out(load, locators, width=WIDTH))


def load_bare(connection: Connection, locators: list[str]) -> int:
    """Load the roster with as many threads over a shared httpx client and nothing else."""
    with _bare_client(connection) as http, ThreadPoolExecutor(WIDTH) as pool:
        return sum(pool.map(lambda locator: _load_bare(http, connection.organization_id, locator), locators))


def load_one_at_a_time(connection: Connection, locators: list[str]) -> int:
    """Load trips over one connection, one request at a time."""
    with _bare_client(connection) as http:
        return sum(_load_bare(http, connection.organization_id, locator) for locator in locators)


def _bare_client(connection: Connection) -> httpx.Client:
    return httpx.Client(
        base_url=connection.base_url,
        auth=(connection.username, connection.password),
        limits=httpx.Limits(max_connections=WIDTH, max_keepalive_connections=WIDTH),
        trust_env=False,
    )


def _load_bare(http: httpx.Client, organization_id: int, locator: str) -> int:
    answer = http.post(f"/itineraries/query/{organization_id}", json={"fieldName": "pnr", "fieldValues": [locator]})
    answer.raise_for_status()
    found = 0
    for reference in answer.json()["page"]["data"]:
        page = http.get(f"/itineraries/expectedLocations/{organization_id}/{reference['id']}")
        page.raise_for_status()
        found += len(page.json()["page"]["data"])
    return found


def seed(connection: Connection) -> list[str]:
    """Create the roster's trips in the service: an outbound flight, a stay, and a return flight, one traveler each."""
    itineraries = [_trip(number) for number in range(TRIPS)]
    with ServiceClient.connect(connection) as client:
        outcome = client.itineraries.create_batch(itineraries)
    if not outcome.is_complete:
        raise RuntimeError(
            f"The service did not take the trips of the bench: {outcome.failed[:3]} {outcome.stopped_by}"
        )
    return [itinerary.pnr for itinerary in itineraries]


def _trip(number: int) -> Itinerary:
    home = _AIRPORTS[number % len(_AIRPORTS)]
    away = _AIRPORTS[(number * 7 + 3) % len(_AIRPORTS)]
    leaves = datetime(2026, 11, 20, 8, tzinfo=UTC) + timedelta(hours=number % 200)
    returns = leaves + timedelta(days=3)
    return Itinerary(
        pnr=f"B{number:05}",
        segments=[
            _flight(home, away, leaves),
            Segment(
                type="Hotel",
                from_date_time=_utc(leaves + timedelta(hours=8)),
                to_date_time=_utc(returns - timedelta(hours=4)),
                from_address=Address(location_name="Hotel", city=away, latitude=10.5, longitude=20.25),
            ),
            _flight(away, home, returns),
        ],
        passengers=[Passenger(employee_id=f"E{number}", first_name="Ana", last_name=f"Silva {number}")],
    )


def _flight(origin: str, destination: str, leaves: datetime) -> Segment:
    return Segment(
        type="Air",
        from_iata_code=origin,
        to_iata_code=destination,
        from_date_time=_utc(leaves),
        to_date_time=_utc(leaves + timedelta(hours=6)),
    )


def _utc(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


@contextmanager
def running_service() -> Iterator[str]:
    """Run `python -m service` in a separate process on a new database, with latency. Yields its base URL."""
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        database = f"sqlite:///{Path(folder) / 'service.sqlite3'}"
        faults = Path(folder) / "faults.json"
        faults.write_text(json.dumps({"fault": [{"kind": "latency", "milliseconds": LATENCY_MS}]}))
        environment = {
            **os.environ,
            "MUSTER_SERVICE_DATABASE_URL": database,
            "MUSTER_SERVICE_PASSWORD": "bench-password",
        }
        command = [sys.executable, "-m", "service"]
        for arguments in (
            ["organization", "add", "8800", "Bench"],
            ["user", "add", "bench", "--organization", "8800"],
        ):
            subprocess.run([*command, *arguments], env=environment, check=True, stdout=subprocess.DEVNULL)
        process = subprocess.Popen(
            [*command, "serve", "--port", "0", "--faults", str(faults)],
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            yield _address_of(process)
        finally:
            process.terminate()
            process.communicate(timeout=30)


def _address_of(process: subprocess.Popen[str]) -> str:
    for line in process.stdout or ():
        if line.startswith("ready "):
            return line.split()[1]
    raise RuntimeError("The service ended before it was ready.")
