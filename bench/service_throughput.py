"""Requests a second of the service's reads beside a bare FastAPI endpoint, and itineraries a second of its batch add.

The bare endpoint answers with the very same body, made from a constant by a plain JSONResponse, without a database,
without credentials, under uvicorn's own defaults. Both are processes of their own, loaded in turns over the same number
of kept connections by raw sockets, which cost a fraction of what they measure. Ratios are medians over the rounds.

The service remembers answers until somebody commits something. The target is for reads of what has not changed since it
was last asked for; beside it stands the same read made anew from the database each time.
"""

import base64
import itertools
import json
import os
import selectors
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

CONNECTIONS = 8
SECONDS = 1.0
ROUNDS = 5
SHARE_OF_BARE = 0.6
BATCHES = 6
ITINERARIES_A_BATCH = 1000
RECORDS = 120

_BARE = """
import json, sys
import uvicorn
from fastapi import FastAPI
from fastapi.responses import JSONResponse

bodies = json.load(open(sys.argv[1]))
app = FastAPI()


@app.get("/bare/{number}")
async def bare(number: int) -> JSONResponse:
    return JSONResponse(bodies[number])


uvicorn.run(app, port=int(sys.argv[2]), log_level="warning", access_log=False)
"""


@dataclass(frozen=True)
class Read:
    """One of the service's reads: what it is called, where it is, how it is authorized."""

    label: str
    path: str
    authorization: str


def run() -> bool:
    """Measure, print the tables, and tell whether the target is met."""
    with (
        tempfile.TemporaryDirectory(prefix="bench-") as name,
        running_service(Path(name)) as (base_url, token),
        httpx.Client(base_url=base_url, auth=("bench", "bench-password"), timeout=120, trust_env=False) as http,
    ):
        met = _measure_reads(base_url, _prepare(http, token), Path(name))
        _measure_batch_add(http)
    return met


def _measure_reads(base_url: str, reads: list[Read], folder: Path) -> bool:
    ours = [_requests(base_url, read.path, read.authorization) for read in reads]
    anew = [_requests(base_url, read.path, read.authorization, anew=True) for read in reads]
    bodies = [_once(base_url, next(requests)) for requests in ours]
    with running_bare(folder, bodies) as bare_url:
        bare = [_requests(bare_url, f"/bare/{number}", None) for number in range(len(reads))]
        print(f"{CONNECTIONS} connections, {ROUNDS} rounds of {SECONDS:g} s each in turns, medians")
        print(f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f} at the beginning\n")
        print(f"{'requests a second':40}{'bytes':>8}{'bare':>8}{'ours':>8}{'share':>7}{'anew':>8}{'share':>7}")
        shares: list[float] = []
        for number, read in enumerate(reads):
            rivals = {"bare": bare[number], "ours": ours[number], "anew": anew[number]}
            urls = {"bare": bare_url, "ours": base_url, "anew": base_url}
            rates: dict[str, list[float]] = {name: [] for name in rivals}
            for name, requests in rivals.items():
                _load(urls[name], requests, 0.3)
            for turn in range(ROUNDS):
                for name in rivals if turn % 2 == 0 else reversed(rivals):
                    rates[name].append(_load(urls[name], rivals[name], SECONDS))
            share, share_anew = _share(rates["ours"], rates["bare"]), _share(rates["anew"], rates["bare"])
            shares.append(share)
            medians = {name: statistics.median(values) for name, values in rates.items()}
            size = len(json.dumps(bodies[number], separators=(",", ":")))
            print(f"{read.label:40}{size:8}{medians['bare']:8.0f}{medians['ours']:8.0f}{share:7.2f}", end="")
            print(f"{medians['anew']:8.0f}{share_anew:7.2f}", flush=True)
    print(f"\n{'the smallest share':40}{min(shares):31.2f}   target: at least {SHARE_OF_BARE:g}")
    return min(shares) >= SHARE_OF_BARE


def _share(ours: list[float], bare: list[float]) -> float:
    return statistics.median(one / other for one, other in zip(ours, bare, strict=True))


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


def _prepare(http: httpx.Client, token: str) -> list[Read]:
    """Put records into the service; gives the reads to measure."""
    travellers = [_traveller(number) for number in range(ITINERARIES_A_BATCH)]
    first = http.post("/itineraries/8800", json=_trip(-1) | {"passengers": travellers[:20]})
    first.raise_for_status()
    everybody = http.post("/itineraries/8800", json=_trip(-2) | {"passengers": travellers})
    everybody.raise_for_status()
    rule = {"contactFieldId": 1, "columnName": "country", "columnValue": "FR", "type": "SYSTEM", "dataType": "STRING"}
    rule |= {"operator": "E", "contactFilterOption": "E"}
    identity = 0
    for number in range(RECORDS):
        made = http.post("/contactFilters/8800", json={"name": f"Filter {number}", "contactFilterRules": [rule]})
        made.raise_for_status()
        identity = made.json()["id"]
    bearer = {"Authorization": f"Bearer {token}"}
    mapping_id = ""
    for number in range(RECORDS):
        data = {"targetGroups": [{"id": 1, "name": "One"}], "attributes": [{"name": "n", "values": [str(number)]}]}
        made = http.post("/lookup/8800/mappings", json={"data": data}, headers=bearer, auth=_no_auth)
        made.raise_for_status()
        mapping_id = made.json()["data"]["id"]
    basic = "Basic " + base64.b64encode(b"bench:bench-password").decode()
    itinerary = first.json()["id"]
    return [
        Read("one contact filter", f"/contactFilters/8800/{identity}?queryType=id", basic),
        Read("a page of 100 contact filters", "/contactFilters/8800?pageNumber=1", basic),
        Read("one lookup mapping (JWT)", f"/lookup/8800/mappings/{mapping_id}", bearer["Authorization"]),
        Read("a page of 20 lookup mappings (JWT)", "/lookup/8800/mappings/search", bearer["Authorization"]),
        Read("80 expected locations of an itinerary", f"/itineraries/expectedLocations/8800/{itinerary}", basic),
    ]


def _no_auth(request: httpx.Request) -> httpx.Request:
    return request


def _traveller(number: int) -> dict[str, Any]:
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
        "passengers": [_traveller(number % ITINERARIES_A_BATCH)],
    }


def _requests(url: str, path: str, authorization: str | None, *, anew: bool = False) -> Iterator[bytes]:
    """The same request for ever; `anew` names the service differently each time, so that no answer is remembered."""
    credentials = f"Authorization: {authorization}\r\n" if authorization else ""
    host = url.partition("//")[2]
    for number in itertools.count():
        said = f"bench-{number}.example.org" if anew else host
        yield f"GET {path} HTTP/1.1\r\nHost: {said}\r\n{credentials}\r\n".encode()


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
    """Read one whole answer; anything but a 200 ends the bench."""
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


def _load(url: str, requests: Iterator[bytes], seconds: float) -> float:
    """Requests a second, with one under way on each connection all the time."""
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
    return done / elapsed


@contextmanager
def running_service(folder: Path) -> Iterator[tuple[str, str]]:
    """`python -m service` in a process of its own on a new SQLite file; gives its base URL and a token."""
    environment = {
        **os.environ,
        "MUSTER_SERVICE_DATABASE_URL": f"sqlite:///{folder / 'service.sqlite'}",
        "MUSTER_SERVICE_PASSWORD": "bench-password",
    }
    command = [sys.executable, "-m", "service"]
    for arguments in (["organization", "add", "8800", "Bench"], ["user", "add", "bench", "--organization", "8800"]):
        subprocess.run([*command, *arguments], env=environment, check=True, stdout=subprocess.DEVNULL)
    token = subprocess.run(
        [*command, "token", "--user", "bench"], env=environment, check=True, capture_output=True, text=True
    )
    process = subprocess.Popen([*command, "serve", "--port", "0"], env=environment, stdout=subprocess.PIPE, text=True)
    try:
        line = process.stdout.readline() if process.stdout else ""
        if not line.startswith("ready "):
            raise RuntimeError("The service ended before it was ready.")
        yield line.split()[1], token.stdout.strip()
    finally:
        process.terminate()
        process.communicate(timeout=30)


@contextmanager
def running_bare(folder: Path, bodies: list[Any]) -> Iterator[str]:
    """The bare endpoint in a process of its own; gives its base URL."""
    script, data = folder / "bare.py", folder / "bodies.json"
    script.write_text(_BARE, encoding="utf-8")
    data.write_text(json.dumps(bodies), encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen([sys.executable, str(script), str(data), str(port)])
    url = f"http://127.0.0.1:{port}"
    try:
        for _attempt in range(300):
            try:
                _connect(url).close()
                break
            except OSError:
                time.sleep(0.1)
        yield url
    finally:
        process.terminate()
        process.wait(timeout=30)
