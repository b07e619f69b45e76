"""An import of trips for tests: a small file import, and a process that dies while it sends a file."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import httpx

from client import ServiceClient
from client.redaction import redact
from domain.file_import.checking import Check
from domain.file_import.column_matching import Column
from domain.file_import.import_declaration import ImportDeclaration
from domain.file_import.job import JOBS
from domain.file_import.row_problems import Rows
from domain.file_import.row_sending import Outgoing
from domain.trips.trip_import.trip_sending import CONTACTS, PLAIN, declare_sending
from journal import Actor, Journal
from tests.contract.trips import canceled, trip
from tests.running_service import PASSWORD, USERNAME

ACTOR = Actor("service", 8800, "ana")
STEPS = ("before the call", "before the answer", "after the answer", "after the write")
FAILING_BATCH = 2
"""The batch in which the process dies or a fault occurs."""


def build_outgoing(rows: Rows) -> Iterator[Outgoing]:
    """Return a trip per row. The last column says which: plain, contacts, or canceled."""
    for place, record in enumerate(rows.records()):
        locator, lot = str(record["locator"]), str(record["lot"])
        payload = (canceled(locator) if lot == "canceled" else trip(locator)).to_wire()
        if external := record.get("external"):
            payload["externalItineraryId"] = external
        yield Outgoing([place], payload, locator, CONTACTS if lot == CONTACTS else PLAIN)


SIMPLE_TRIPS = ImportDeclaration(
    kind="trip_at_hand",
    noun=("trip", "trips"),
    columns=(
        Column("locator", "Record locator", required=True),
        Column("lot", "Lot", required=True),
        Column("external", "External id"),
    ),
    sending=declare_sending(build_outgoing),
)


@dataclass
class JobContext:
    """What a job needs of a workspace."""

    journal: Journal
    client: ServiceClient
    actor: Actor = ACTOR
    unsaved_work: dict[str, Any] = field(default_factory=dict)


def file_of(locators: list[str], lot: str = CONTACTS) -> bytes:
    """Return a file of trips."""
    return "\n".join(["Record locator,Lot,External id", *(f"{each},{lot},X-{each}" for each in locators)]).encode()


def locators_of(number: int) -> list[str]:
    """Return this many record locators."""
    return [f"L{place:05}" for place in range(number)]


def send_file(context: Any, content: bytes) -> int:
    """Send a file to its end. Returns the ID of the job."""
    job_id = JOBS.begin(context, Check.of(SIMPLE_TRIPS, "trips.csv", content, context))
    JOBS.wait(job_id)
    return job_id


class DyingTransport(httpx.BaseTransport):
    """A transport that ends the process at a step of the second batch, as a power failure would."""

    def __init__(self, step: str) -> None:
        self._inner = httpx.HTTPTransport()
        self._step = step
        self._batches = count(1)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send the request, or end the process."""
        # Several threads send. Each has its own number.
        is_batch = request.method == "POST" and request.url.path.endswith("/batch")
        is_failing = is_batch and next(self._batches) == FAILING_BATCH
        if is_failing and self._step == "before the call":
            die()
        response = self._inner.handle_request(request)
        if is_failing and self._step == "before the answer":
            die()
        return response


def die() -> None:
    """End this process."""
    os.kill(os.getpid(), signal.SIGKILL)


def send_until(step: str, journal_url: str, service_url: str, number: int) -> None:
    """Send a file, and end the process at a step of its second batch."""
    journal = Journal.open(journal_url, redact)
    write: Callable[..., None] = journal.ledger.write
    writes = count(1)

    def write_or_die(*arguments: Any) -> None:
        is_failing = next(writes) == FAILING_BATCH
        if is_failing and step == "after the answer":
            die()
        write(*arguments)
        if is_failing and step == "after the write":
            die()

    journal.ledger.write = write_or_die  # type: ignore[method-assign]
    client = ServiceClient(service_url, 8800, USERNAME, PASSWORD, transport=DyingTransport(step))
    send_file(JobContext(journal, client), file_of(locators_of(number)))
