"""Requests per second of reads against a bare FastAPI endpoint, and itineraries per second of the batch add.

The bare endpoint returns the same body, built from a constant by a plain JSONResponse, without a database and
credentials, on uvicorn without its optional parts (httptools and uvloop, which the service uses). Both run in separate
processes, on the same processor core if there are several, with alternating load over the same number of open
connections. The load comes from raw sockets, which cost little compared to what they measure.

Ratios are medians over short rounds, so that other work on the machine affects both alike. The last column compares the
processor time per request, which is steadier. The target is for small responses.
"""

import base64
import itertools
import json
import os
import selectors
import socket
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from bench._rivals import Server, running_bare, running_service
from client.vocabulary.crisis_templates import ORGANIZATION_HEADER

CONNECTIONS = 8
SECONDS = 0.2
ROUNDS = 15
BATCHES = 6
ITINERARIES_A_BATCH = 1000
RECORDS = 120
SMALL_BYTES = 1000
SHARE_OF_BARE = 0.2
"""The lowest share of the bare endpoint that a read with a small response must reach, by processor time."""


@dataclass(frozen=True)
class Read:
    """One of the service's reads: its label, its path, and the headers with credentials."""

    label: str
    path: str
    headers: dict[str, str]


@dataclass(frozen=True)
class Rates:
    """The results of a server per round: requests per second, and processor time per request."""

    a_second: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    def share_of(self, other: "Rates") -> float:
        """Return the median share of another server's requests per second, by round."""
        return statistics.median(one / two for one, two in zip(self.a_second, other.a_second, strict=True))

    def share_by_processor(self, other: "Rates") -> float | None:
        """Return the share by the median processor time per request; None if the system does not provide that time."""
        taken = statistics.median(self.processor)
        return statistics.median(other.processor) / taken if taken else None


def run() -> bool:
    """Measure, print the tables, and return whether the target is met."""
    with (
        tempfile.TemporaryDirectory(prefix="bench-") as name,
        running_service(Path(name)) as (server, token),
        httpx.Client(base_url=server.url, auth=("bench", "bench-password"), timeout=120, trust_env=False) as http,
    ):
        smallest_share = measure_reads(server, prepare(http, token), Path(name))
        _measure_batch_add(http)
    return smallest_share >= SHARE_OF_BARE


def measure_reads(server: Server, reads: list[Read], folder: Path, *, on_one_core: bool = True) -> float:
    """Print a row for each read, and return the smallest share of the small ones.

    `on_one_core` is for a service that works in one thread.
    """
    shares = []
    service_requests = [_requests(server.url, read.path, read.headers) for read in reads]
    bodies = [_once(server.url, next(requests)) for requests in service_requests]
    with running_bare(folder, bodies) as bare_server:
        bare = [_requests(bare_server.url, f"/bare/{number}", {}) for number in range(len(reads))]
        print(f"{CONNECTIONS} connections, {ROUNDS} rounds of {SECONDS:g} s each in turns, medians")
        print(f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f} at the beginning\n")
        print(f"{'requests a second':40}{'bytes':>7}{'bare':>7}{'service':>8}{'share':>7}{'by cpu':>7}")
        if on_one_core:
            _share_a_core(server, bare_server)
        for number, read in enumerate(reads):
            rates = _rounds({"bare": (bare_server, bare[number]), "service": (server, service_requests[number])})
            size = len(json.dumps(bodies[number], separators=(",", ":")))
            medians = [statistics.median(rates[name].a_second) for name in ("bare", "service")]
            share = rates["service"].share_of(rates["bare"])
            by_processor = rates["service"].share_by_processor(rates["bare"])
            if size < SMALL_BYTES:
                shares.append(share if by_processor is None else by_processor)
            row = f"{read.label:40}{size:7}{medians[0]:7.0f}{medians[1]:8.0f}{share:7.2f}"
            print(row + ("" if by_processor is None else f"{by_processor:7.2f}"), flush=True)
    print(f"\n{'smallest share of a small response':62}{min(shares):14.2f}   target: at least {SHARE_OF_BARE:g}")
    return min(shares)


def _share_a_core(*servers: Server) -> None:
    """Put both servers on one core and this process on the others, so that neither has the busier core."""
    cores = sorted(os.sched_getaffinity(0)) if sys.platform.startswith("linux") else []
    if len(cores) > 1:
        for server in servers:
            server.move_to({cores[0]})
        Server("", os.getpid()).move_to(set(cores[1:]))


def _rounds(rivals: dict[str, tuple[Server, Iterator[bytes]]]) -> dict[str, Rates]:
    rates = {name: Rates() for name in rivals}
    for server, requests in rivals.values():
        _load(server.url, requests, 0.3)
    for turn in range(ROUNDS):
        for name in rivals if turn % 2 == 0 else reversed(rivals):
            server, requests = rivals[name]
            before = server.processor_seconds()
            done, seconds = _load(server.url, requests, SECONDS)
            rates[name].a_second.append(done / seconds)
            rates[name].processor.append((server.processor_seconds() - before) / done)
    return rates


def _measure_batch_add(http: httpx.Client) -> None:
    seconds = []
    for number in range(BATCHES):
        body = json.dumps([_trip(number * ITINERARIES_A_BATCH + row) for row in range(ITINERARIES_A_BATCH)])
        began = time.perf_counter()
        answer = http.post("/itineraries/8800/batch", content=body, params={"autoCreateContact": "false"})
        seconds.append(time.perf_counter() - began)
        if answer.status_code != 200 or answer.json()["code"] != 100:
            raise RuntimeError(f"The service did not take the itineraries of the bench: {answer.text[:300]}")
    rate = ITINERARIES_A_BATCH / statistics.median(seconds)
    print(f"\nBatch add, {ITINERARIES_A_BATCH} itineraries of three segments a call, {BATCHES} calls, SQLite, fsync on")
    print(f"{'itineraries a second':44}{rate:33.0f}")
    print(f"{'seconds a call, median and slowest':44}{statistics.median(seconds):25.2f}{max(seconds):8.2f}")


def prepare(http: httpx.Client, token: str) -> list[Read]:
    """Create records in the service. Returns the reads to measure."""
    travelers = [_traveler(number) for number in range(ITINERARIES_A_BATCH)]
    itinerary = _create(http, "/itineraries/8800", _trip(-1) | {"passengers": travelers[:20]})["id"]
    _create(http, "/itineraries/8800", _trip(-2) | {"passengers": travelers})
    rule = {"contactFieldId": 1, "columnName": "country", "columnValue": "FR", "type": "SYSTEM", "dataType": "STRING"}
    rule |= {"operator": "E", "contactFilterOption": "E"}
    basic = {"Authorization": "Basic " + base64.b64encode(b"bench:bench-password").decode()}
    bearer = {"Authorization": f"Bearer {token}"}
    filter_id, mapping_id, event_id = 0, "", 0
    for number in range(RECORDS):
        wrapper = {"name": f"Filter {number}", "contactFilterRules": [rule]}
        filter_id = _create(http, "/contactFilters/8800", wrapper)["id"]
        event_id = _create(http, "/notificationEvents/8800", {"name": f"Event {number}"})["id"]
        _create(http, "/notificationCategories/8800", {"name": f"Category {number}"})
        data = {"targetGroups": [{"id": 1, "name": "One"}], "attributes": [{"name": "n", "values": [str(number)]}]}
        made = http.post("/lookup/8800/mappings", json={"data": data}, headers=bearer, auth=_no_auth)
        made.raise_for_status()
        mapping_id = made.json()["data"]["id"]
    in_crisis = basic | {ORGANIZATION_HEADER: "8800"}
    return [
        Read("one contact filter", f"/contactFilters/8800/{filter_id}?queryType=id", basic),
        Read("a page of 100 contact filters", "/contactFilters/8800?pageNumber=1", basic),
        Read("one lookup mapping (JWT)", f"/lookup/8800/mappings/{mapping_id}", bearer),
        Read("a page of 20 lookup mappings (JWT)", "/lookup/8800/mappings/search", bearer),
        Read("100 expected locations of an itinerary", f"/itineraries/expectedLocations/8800/{itinerary}", basic),
        Read("one notification event", f"/notificationEvents/8800/{event_id}", basic),
        Read("120 notification events", "/notificationEvents/8800", basic),
        Read("a page of notification categories", "/notificationCategories/8800", basic),
        Read("crisis templates (one)", "/cm/v1/crisisTaskListTemplates", in_crisis),
        Read("sent notifications (none)", "/notifications", basic),
    ]


def _create(http: httpx.Client, path: str, body: dict[str, Any]) -> dict[str, Any]:
    answer = http.post(path, json=body)
    answer.raise_for_status()
    made: dict[str, Any] = answer.json()
    return made


def _no_auth(request: httpx.Request) -> httpx.Request:
    return request


def _traveler(number: int) -> dict[str, Any]:
    return {"employeeId": f"E{number}", "firstName": "Ana", "lastName": f"Silva {number}"}


def _trip(number: int) -> dict[str, Any]:
    def flight(origin: str, destination: str, day: int) -> dict[str, Any]:
        times = {"fromDateTime": f"2026-11-{day}T08:00:00Z", "toDateTime": f"2026-11-{day}T14:00:00Z"}
        return {"type": "Air", "fromIataCode": origin, "toIataCode": destination, **times}

    address = {"locationName": "Hotel", "city": "London", "country": "GB", "latitude": 51.5, "longitude": -0.12}
    stay = {"fromDateTime": "2026-11-20T16:00:00Z", "toDateTime": "2026-11-23T06:00:00Z"}
    return {
        "pnr": f"T{number:06}",
        "externalItineraryId": f"X{number}",
        "itineraryStatus": "Active",
        "segments": [
            flight("AUH", "LHR", 20),
            {"type": "Hotel", "fromAddress": address, **stay},
            flight("LHR", "AUH", 23),
        ],
        "passengers": [_traveler(number % ITINERARIES_A_BATCH)],
    }


def _requests(url: str, path: str, headers: dict[str, str]) -> Iterator[bytes]:
    """Yield the same request forever."""
    more = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return itertools.repeat(f"GET {path} HTTP/1.1\r\nHost: {url.partition('//')[2]}\r\n{more}\r\n".encode())


def _connect(url: str) -> socket.socket:
    host, _, port = url.partition("//")[2].partition(":")
    connection = socket.create_connection((host, int(port)), timeout=30)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def _once(url: str, request: bytes) -> Any:
    with _connect(url) as connection:
        connection.sendall(request)
        return json.loads(_answer(connection))


def _answer(connection: socket.socket) -> bytes:
    """Read one whole response. Raises an error for anything but a 200."""
    received = connection.recv(1 << 18)
    while (end := received.find(b"\r\n\r\n")) < 0:
        received += connection.recv(1 << 18)
    head = received[:end].lower()
    if b" 200 " not in head[:20]:
        raise RuntimeError(f"Not a 200: {received[:300]!r}")
    length = int(head.partition(b"content-length:")[2].split(b"\r\n", 1)[0])
    body = received[end + 4 :]
    while len(body) < length:
        body += connection.recv(1 << 18)
    return body


def _load(url: str, requests: Iterator[bytes], seconds: float) -> tuple[int, float]:
    """Return how many requests were answered in how many seconds, with one request in flight per connection."""
    done = 0
    with selectors.DefaultSelector() as selector:
        connections = [_connect(url) for _ in range(CONNECTIONS)]
        for connection in connections:
            selector.register(connection, selectors.EVENT_READ)
            connection.sendall(next(requests))
        began = time.perf_counter()
        while time.perf_counter() - began < seconds:
            for key, _events in selector.select():
                connection = key.fileobj  # type: ignore[assignment]
                _answer(connection)
                done += 1
                connection.sendall(next(requests))
        elapsed = time.perf_counter() - began
        for connection in connections:
            connection.close()
    return done, elapsed
