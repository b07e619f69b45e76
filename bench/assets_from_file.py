"""10,000 assets from a file to the status of each row, against a bare loop that sends the same batches.

Both read the same bytes and send batches of 200 to one service, in alternating rounds, each round with the same assets
and new external IDs. Ours checks every cell, writes each batch to the journal before the call and the status of each
row after it, and keeps the rows that can be corrected. The loop builds JSON and posts it. Peak memory is measured in
separate rounds, because measuring slows everything down. On a busy machine, the processor time of ours and of the
service varies least.
"""

import csv
import io
import json
import os
import random
import statistics
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx

from bench._rivals import running_service
from client import Connection, ServiceClient
from client.redaction import redact
from client.vocabulary.limits import ASSET_BATCH
from domain.file_import import job
from domain.file_import.checking import Check
from domain.preparedness.assets.asset_rows import ADD
from journal import Actor, Journal

ROWS = 10_000
ROUNDS = 3
TIMES_THE_LOOP = 1.3
_PATH = "/rest/v2/asset-management/assets/batch"


def run() -> bool:
    """Measure, print the table, and return whether the target is met."""
    with (
        tempfile.TemporaryDirectory() as folder,
        running_service(Path(folder)) as (server, _),
        Journal.open(f"sqlite:///{Path(folder) / 'journal.sqlite3'}", redact) as journal,
        ServiceClient.connect(Connection(server.url, 8800, "bench", "bench-password")) as client,
    ):
        workspace = SimpleNamespace(journal=journal, actor=Actor("bench", 8800, "bench"), client=client)
        rivals: dict[str, Callable[[bytes], None]] = {
            "ours": lambda file: import_assets(workspace, file),
            "loop": lambda file: post_batches(server.url, file),
        }
        seconds: dict[str, list[float]] = {name: [] for name in rivals}
        processor: dict[str, list[float]] = {name: [] for name in rivals}
        for number in range(ROUNDS + 1):
            for name in rivals if number % 2 == 0 else reversed(rivals):
                file = assets_csv(f"{name}{number}")
                began, spent = time.perf_counter(), time.process_time() + server.processor_seconds()
                rivals[name](file)
                if number:  # The first round warms up.
                    seconds[name].append(time.perf_counter() - began)
                    processor[name].append(time.process_time() + server.processor_seconds() - spent)
        peaks = {name: peak(work, assets_csv(f"{name}-memory")) for name, work in rivals.items()}
    ours, loop = seconds["ours"], seconds["loop"]
    ratio = statistics.median(one / other for one, other in zip(ours, loop, strict=True))
    print(f"{ROWS:,} assets in batches of {ASSET_BATCH}, {len(assets_csv('x')) / 1e6:.1f} MB, {ROUNDS} rounds, medians")
    print(f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f} at the end\n")
    print(f"{'ours, from the file to every status':40}{statistics.median(ours):9.2f} s")
    print(f"{'a bare loop of the same batches':40}{statistics.median(loop):9.2f} s")
    print(f"{'ours for one of the loop':40}{ratio:9.2f}   target: at most {TIMES_THE_LOOP:g}")
    print(f"{'processor, ours with the service':40}{statistics.median(processor['ours']):9.2f} s")
    print(f"{'processor, the loop with the service':40}{statistics.median(processor['loop']):9.2f} s")
    print(f"{'most memory at a time, ours':40}{peaks['ours'] / 1e6:9.1f} MB")
    print(f"{'most memory at a time, the loop':40}{peaks['loop'] / 1e6:9.1f} MB")
    return ratio <= TIMES_THE_LOOP


def import_assets(workspace: Any, content: bytes) -> None:
    """Import the file as the screen does."""
    job_id = job.JOBS.begin(workspace, Check.of(ADD, "assets.csv", content, workspace))
    job.JOBS.wait(job_id)
    found = workspace.journal.ledger.job(workspace.actor, job_id)
    if found.counts != {"done": ROWS}:
        raise RuntimeError(f"Not all were added: {found.counts} {found.message}")


def post_batches(url: str, content: bytes) -> None:
    """Build and post the same batches one after the other."""
    ids: list[str] = []
    rows = list(csv.DictReader(io.StringIO(content.decode())))
    with httpx.Client(
        base_url=url, auth=("bench", "bench-password"), headers={"X-SVC-Organization-Id": "8800"}, timeout=60
    ) as client:
        for start in range(0, ROWS, ASSET_BATCH):
            body = [_payload(row) for row in rows[start : start + ASSET_BATCH]]
            answer = client.post(_PATH, json=body).raise_for_status().json()
            ids += [each["id"] for each in answer["individualResponses"] if not each["errors"]]
    if len(ids) != ROWS:
        raise RuntimeError(f"Not all were added: {len(ids)}")


def _payload(row: dict[str, str]) -> dict[str, Any]:
    point = {"type": "Point", "coordinates": [float(row["Longitude"]), float(row["Latitude"])]}
    return {
        "name": row["Name"],
        "externalId": row["External id"],
        "assetTypeId": row["Asset type"],
        "notes": row["Notes"],
        "geometry": json.dumps(point),
        "address": {"city": row["City"], "country": row["Country"]},
        "properties": [{"name": name, "value": value} for name, value in json.loads(row["Properties"]).items()],
    }


def assets_csv(prefix: str) -> bytes:
    """Return the file. The prefix makes its external IDs unique."""
    chance = random.Random(7)
    sink = io.StringIO()
    writer = csv.writer(sink)
    writer.writerow(
        ["Name", "External id", "Asset type", "Notes", "City", "Country", "Latitude", "Longitude", "Properties"]
    )
    for number in range(ROWS):
        place = [f"{chance.uniform(47.0, 47.4):.5f}", f"{chance.uniform(7.5, 9.0):.5f}"]
        about = ["depot", "Two gates, one ramp, open on weekdays", "Zurich", "CH"]
        writer.writerow([f"Depot {number}", f"{prefix}-{number}", *about, *place, json.dumps({"Floors": number % 9})])
    return sink.getvalue().encode()


def peak(work: Callable[[bytes], None], file: bytes) -> int:
    """Return the peak memory of Python during the work, in bytes."""
    tracemalloc.start()
    try:
        work(file)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
