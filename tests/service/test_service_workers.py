"""Several worker processes on one database, SQLite and PostgreSQL: concurrent writers and crashes lose nothing."""

from __future__ import annotations

import itertools
import logging
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from client.vocabulary.dynamic_locations import ENDED_STATUSES
from service.accounts import tokens
from service.database import Database
from service.dynamic_locations.schema import upload_batches
from tests.running_service import PASSWORD, USERNAME, RunningService, prepared_database
from tests.service.test_service_assets import asset
from tests.service.test_service_dynamic_locations import row, to_csv
from tests.service.test_service_lookup_mappings import mapping
from tests.service.trips import passenger, trip

ROOT = Path(__file__).parents[2]
WRITERS = 8

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Processes:
    """A service of several processes, and functions to send requests to it."""

    url: str
    token: str
    process: subprocess.Popen[str]

    def client(self) -> httpx.Client:
        """Return a new client. Its connections may go to any worker."""
        return httpx.Client(base_url=self.url, auth=(USERNAME, PASSWORD), trust_env=False, verify=False, timeout=60)

    def send(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Send one request on a new connection."""
        with self.client() as http:
            return http.request(method, path, **options)

    def map(self, method: str, path: str, **each: list[Any]) -> list[httpx.Response]:
        """Send concurrent requests on new connections. Returns responses in the order of the options."""
        [(option, values)] = each.items()
        bearer = {"headers": {"Authorization": f"Bearer {self.token}"}, "auth": None} if "/lookup/" in path else {}
        with ThreadPoolExecutor(WRITERS) as threads:
            return list(threads.map(lambda value: self.send(method, path, **{option: value}, **bearer), values))


@contextmanager
def start_workers(url: str, workers: int) -> Iterator[Processes]:
    """Run `python -m service serve --workers N` in a new session, and kill it at the end if it still runs."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("MUSTER_")}
    environment["MUSTER_SERVICE_DATABASE_URL"] = url
    with closing(Database(url)) as database, database.transaction() as connection:
        token = tokens.issue(connection, USERNAME)
    process = subprocess.Popen(
        [sys.executable, "-m", "service", "serve", "--port", "0", "--workers", str(workers)],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("ready http://"), line
        yield Processes(line.split()[1], token, process)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database with the tests' organizations and user."""
    if request.param == "postgresql":
        return str(request.getfixturevalue("postgresql_service_url"))
    copy = tmp_path / "service.sqlite"
    shutil.copyfile(prepared_database(), copy)
    return f"sqlite:///{copy}"


ROUNDS = int(os.environ.get("MUSTER_WRITER_ROUNDS", "2"))
CHANGES: dict[str, Callable[[httpx.Client, int], httpx.Response]] = {
    "update": lambda http, identity: http.put(
        f"/itineraries/8800/{identity}", json=trip("SHARED", itinerarySource="b")
    ),
    "cancel": lambda http, identity: http.put(f"/itineraries/8800/{identity}", json={"itineraryStatus": "canceled"}),
    "delete": lambda http, identity: http.delete(f"/itineraries/8800/{identity}"),
    "batch": lambda http, identity: http.request("DELETE", "/itineraries/8800/batch", json=[identity]),
}


def assert_writers_of_one_trip_are_consistent(processes: Processes) -> None:
    """Update a trip during another update, a cancellation, or a deletion in another process."""
    criteria = {"fieldName": "pnr", "fieldValues": ["SHARED"]}
    with ThreadPoolExecutor(1) as threads, processes.client() as http, processes.client() as other:
        for change, make in [*CHANGES.items()] * ROUNDS:
            identity = http.post("/itineraries/8800", json=trip("SHARED")).json()["id"]
            changing = threads.submit(make, other, identity)
            updated = http.put(f"/itineraries/8800/{identity}", json=trip("SHARED", itinerarySource="a"))
            changed = changing.result(60)
            found = http.post("/itineraries/query/8800", json=criteria).json()["page"]["data"]
            # The second process found the data of the first.
            assert changed.status_code == 200, change
            assert updated.status_code in ((200,) if change == "update" else (200, 401)), change
            assert found == ([{"id": identity}] if change == "update" else []), change
            if found:
                assert http.delete(f"/itineraries/8800/{identity}").status_code == 200


def test_concurrent_writers_lose_nothing_and_a_clean_stop_keeps_an_upload_for_the_next_start(database_url: str) -> None:
    """Concurrent itineraries, mappings, assets and uploads on two workers: everything is stored once.

    One SIGTERM then ends the service with code 0 and without output, once the step under way has ended.
    """
    rows = 3_000
    content = to_csv(*(row("NOBODY") for _ in range(rows)))
    with start_workers(database_url, workers=2) as processes:
        trips = [
            [trip(f"W{writer:02}{n:02}", passengers=[passenger("SAME")]) for n in range(10)] for writer in range(16)
        ]
        added = processes.map("POST", "/itineraries/8800/batch", json=trips)
        assert [answer.json()["code"] for answer in added] == [100] * 16
        pnrs = {"fieldName": "pnr", "fieldValues": [payload["pnr"] for batch in trips for payload in batch]}
        found = processes.send("POST", "/itineraries/query/8800", json=pnrs).json()
        assert found["totalCount"] == 160
        assert {item["id"] for item in found["page"]["data"]} == {
            int(identity) for answer in added for identity in answer.json()["data"]
        }

        # Every attribute is sent twice: one of the two requests gets a duplicate error.
        bodies = [mapping(("n", [str(number // 2)])) for number in range(40)]
        made = processes.map("POST", "/lookup/8800/mappings", json=bodies)
        assert sorted(answer.status_code for answer in made) == [200] * 20 + [500] * 20
        [searched] = processes.map("GET", "/lookup/8800/mappings/search", params=[{"pageSize": "100"}])
        assert {item["attributes"][0]["values"][0] for item in searched.json()["data"]} == set(map(str, range(20)))

        path, organization = "/rest/v2/asset-management/assets/batch", {"X-SVC-Organization-Id": "8800"}
        with ThreadPoolExecutor(WRITERS) as threads:
            batches = [[asset("shared"), asset(f"own {writer}")] for writer in range(16)]
            answers = list(
                threads.map(lambda batch: processes.send("POST", path, json=batch, headers=organization), batches)
            )
        individual = [one for answer in answers for one in answer.json()["individualResponses"]]
        assert sum(not one["errors"] for one in individual) == 17

        files = [{"file": ("a.csv", to_csv(row("SAME", source=str(n)), row("NOBODY")))} for n in range(6)]
        uploads = processes.map("POST", "/dynamicLocations/8800", files=files)
        with processes.client() as http:
            for upload in uploads:
                result = wait_for_batch(http, upload.json()["id"])
                assert (result["successNum"], result["criticalNum"]) == (1, 1)
        assert_writers_of_one_trip_are_consistent(processes)

        upload = processes.send("POST", "/dynamicLocations/8800", files={"file": ("large.csv", content)})
        processes.process.terminate()
        out, err = processes.process.communicate(timeout=60)
        assert (processes.process.returncode, out, err) == (0, "", "")
    with RunningService(database_url=database_url) as service:
        result = wait_for_batch(service.http, upload.json()["id"])
    assert (result["uploadStatus"], result["criticalNum"]) == ("DONE", rows)


class Upload:
    """The upload of a large file with rows of unknown people."""

    def __init__(self, rows: int) -> None:
        self._rows = rows

    def begin(self, processes: Processes) -> None:
        """Upload the file, and wait until it is partly processed. Repeats the upload if it ends too early."""
        content = to_csv(*(row("NOBODY") for _ in range(self._rows)))
        self._counted = self._rows
        while self._counted == self._rows:
            answer = processes.send("POST", "/dynamicLocations/8800", files={"file": ("large.csv", content)})
            self._id = answer.json()["id"]
            with processes.client() as http:
                self._counted = next(
                    progress["criticalNum"] for progress in poll_batch(http, self._id) if progress["criticalNum"]
                )

    def assert_resumed(self, http: httpx.Client) -> None:
        """Wait for the end. Every row was counted once, some before the crash and some after it."""
        result = wait_for_batch(http, self._id)
        assert (result["uploadStatus"], result["successNum"], result["criticalNum"]) == ("DONE", 0, self._rows)
        assert result["criticalNum"] > self._counted


SECONDS = float(os.environ.get("MUSTER_WRITER_SECONDS", "0.5"))


def test_acknowledged_writes_survive_a_crash_exactly_once(database_url: str) -> None:
    """Eight writers are active when the service is killed; whatever else is stored was sent, too.

    An upload is in progress as well: the service resumes it after the restart, and counts no row twice.
    """
    acknowledged: dict[str, int] = {}
    sent: set[str] = set()
    time_is_over = threading.Event()

    def write(processes: Processes, writer: int, until: float) -> None:
        with processes.client() as http:
            for number in itertools.count():
                pnr = f"K{writer}{number:05}"
                sent.add(pnr)
                try:
                    answer = http.post("/itineraries/8800", json=trip(pnr, externalItineraryId="KILLED"))
                except httpx.TransportError:
                    return
                acknowledged[pnr] = answer.json()["id"]
                if time.monotonic() > until:
                    time_is_over.set()

    upload = Upload(4_000)
    with ThreadPoolExecutor(WRITERS) as threads, start_workers(database_url, workers=2) as processes:
        until = time.monotonic() + SECONDS
        at_work = [threads.submit(write, processes, writer, until) for writer in range(WRITERS)]
        assert time_is_over.wait(120 + SECONDS)
        upload.begin(processes)
        os.killpg(processes.process.pid, signal.SIGKILL)
        for one in at_work:
            one.result(60)
    # The claim of a dead process expires in seconds.
    with closing(Database(database_url)) as database, database.transaction() as connection:
        connection.execute(upload_batches.update().values(claimed_until=0))
    with RunningService(database_url=database_url) as service:
        upload.assert_resumed(service.http)
        by_pnr, found = {"fieldName": "pnr", "fieldValues": sorted(acknowledged)}, []
        for number in itertools.count(1):
            query = f"/itineraries/query/8800?pageNumber={number}"
            page = service.http.post(query, json=by_pnr).json()
            found += [item["id"] for item in page["page"]["data"]]
            if "nextPageUri" not in page:
                break
        assert found == sorted(acknowledged.values())
        everything = {"fieldName": "externalItineraryId", "fieldValues": ["KILLED"]}
        total = service.http.post("/itineraries/query/8800", json=everything).json()["totalCount"]
        assert 0 < len(acknowledged) <= total <= len(sent)
    logger.info("%s acknowledged, %s there, %s sent, in %g s", len(acknowledged), total, len(sent), SECONDS)


def wait_for_batch(http: httpx.Client, batch_id: int) -> dict[str, Any]:
    """Return the upload batch once it has ended."""
    return next(result for result in poll_batch(http, batch_id) if result["uploadStatus"] in ENDED_STATUSES)


def poll_batch(http: httpx.Client, batch_id: int) -> Iterator[dict[str, Any]]:
    """Yield an upload batch repeatedly until it has ended."""
    deadline = time.monotonic() + 90
    while time.monotonic() < deadline:
        result: dict[str, Any] = http.get(f"/dynamicLocations/8800/{batch_id}").json()["result"]
        yield result
        assert result["uploadStatus"] not in ENDED_STATUSES
        # Without a pause, two processes would only serve these requests.
        threading.Event().wait(0.01)
    raise AssertionError(f"Upload batch {batch_id} does not end: {result}")
