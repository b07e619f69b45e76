"""An import of notes for tests, and a service that stores them in a file."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any

from client.redaction import redact
from components.file_import.import_view import draw_import
from components.shell.session import TOKEN
from domain.file_import.checking import Check
from domain.file_import.column_matching import Column
from domain.file_import.column_types import Choice, Decimal, Moment, Parsed, Text, WholeNumber
from domain.file_import.import_declaration import ImportDeclaration
from domain.file_import.job import JOBS
from domain.file_import.row_problems import Problem, Rows, find_repeats
from domain.file_import.row_sending import Sending, build_each_row
from journal import Actor, Item, ItemStatus, Journal

ANA = Actor("service", 8800, "ana")
STEPS = ("before the call", "within the call", "after the call", "before the outcome is written", "between batches")


def ends_after_start(rows: Rows) -> Iterator[Problem]:
    """Yield rows that end before they start."""
    is_wrong = (rows.values["end"] < rows.values["start"]).fillna(False).to_numpy(dtype=bool)
    yield Problem(is_wrong, "end", "It ends before it starts.")


def json_or_text(text: str) -> Any:
    """Return a text parsed as JSON, or the text itself."""
    try:
        return json.loads(text)
    except ValueError:
        return text


NOTES = ImportDeclaration(
    kind="note",
    noun=("note", "notes"),
    columns=(
        Column("name", "Name", Text(max_length=40), aliases=("title",), required=True),
        Column("number", "Number", WholeNumber(0, 10**12), required=True),
        Column("start", "Starts", Moment()),
        Column("end", "Ends", Moment(is_end=True)),
        Column("latitude", "Latitude", Decimal(-90, 90), aliases=("lat",)),
        Column("state", "State", Choice.of("Open", "Closed")),
        Column("more", "More", Parsed(json_or_text)),
    ),
    rules=(find_repeats("name", message="This name stands in a row above, too.", is_error=False), ends_after_start),
)


@dataclass
class NoteService:
    """A service that stores each note as a line of a file, so that notes survive the process."""

    path: Path
    before: Callable[[Sequence[Item]], None] = lambda _: None
    after: Callable[[Sequence[Item]], None] = lambda _: None
    batches: list[int] = field(default_factory=list)

    def stored_names(self) -> list[str]:
        """Return the names of the notes, one per time it was sent."""
        return self.path.read_text().splitlines() if self.path.exists() else []

    def send(self, _: Any, items: Sequence[Item]) -> Sequence[ItemStatus]:
        """Store the notes, and reject those named "bad"."""
        self.before(items)
        self.batches.append(len(items))
        names = [item.payload["name"] for item in items if not item.payload["name"].startswith("bad")]
        with self.path.open("a") as file:
            file.writelines(f"{name}\n" for name in names)
            file.flush()
            os.fsync(file.fileno())
        self.after(items)
        return [
            ItemStatus("done", f"id {item.payload['name']}")
            if item.payload["name"] in names
            else ItemStatus("failed", reasons={"name": "The service has no room for bad notes."})
            for item in items
        ]

    def reconcile(self, _: Any, items: Sequence[Item]) -> Mapping[int, ItemStatus]:
        """Return a status for each note: done if it is stored, else failed."""
        stored_names = set(self.stored_names())
        is_stored_at = {item.position: item.payload["name"] in stored_names for item in items}
        return {
            place: ItemStatus("done", "found") if is_stored else ItemStatus("failed")
            for place, is_stored in is_stored_at.items()
        }

    def declaration(self, *, size: int = 10, width: int = 1) -> ImportDeclaration:
        """Return the declaration of notes that are sent to this service."""
        items = build_each_row(lambda row: {"name": row["name"], "number": row["number"]}, label="name")
        sending = Sending("Add", "added", items, self.send, self.reconcile, max_batch_size=size, width=width)
        return replace(NOTES, sending=sending)


@dataclass
class JobWorkspace:
    """The part of a workspace that a job needs."""

    journal: Journal
    actor: Actor = ANA
    client: Any = None
    unsaved_work: dict[str, Any] = field(default_factory=dict)
    connection: Any = field(
        default_factory=lambda: SimpleNamespace(fingerprint="notes", organization_fingerprint="notes")
    )
    has_ended: Event = field(default_factory=Event)


def csv_of(names: Sequence[str]) -> bytes:
    """Return a file of notes."""
    return "\n".join(["name,number", *(f"{name},{number}" for number, name in enumerate(names))]).encode()


def die(*_: Any) -> None:
    """Kill this process."""
    os.kill(os.getpid(), signal.SIGKILL)


def send_until(step: str, journal_url: str, path: str, number: int) -> None:
    """Send a file, and die at a step of the second batch."""
    journal = Journal.open(journal_url, redact)
    service = NoteService(Path(path))

    def in_second_batch(do: Callable[..., None]) -> Callable[[Sequence[Item]], None]:
        return lambda items: do() if items[0].position >= 10 else None

    if step == "before the call":
        service.before = in_second_batch(die)
    elif step == "within the call":
        service.after = in_second_batch(die)
    elif step == "before the outcome is written":
        write = journal.ledger.write
        journal.ledger.write = lambda run, statuses: die() if min(statuses) >= 10 else write(run, statuses)  # type: ignore[method-assign]
    elif step == "after the call":
        send_once = service.send
        service.send = lambda client, items: (send_once(client, items), in_second_batch(die)(items))[0]  # type: ignore[method-assign]
    else:
        write = journal.ledger.write
        journal.ledger.write = lambda run, statuses: (write(run, statuses), die() if min(statuses) >= 10 else None)  # type: ignore[method-assign,func-returns-value]
    workspace: Any = JobWorkspace(journal)
    check = Check.of(service.declaration(), "notes.csv", csv_of([f"note {n}" for n in range(number)]), workspace)
    JOBS.wait(JOBS.begin(workspace, check))


screen_arguments: Any = None
token: str | None = None
"""The workspace and the declaration of the screen, and the token of its session."""


def draw_screen() -> None:
    """Draw the screen, signed in with `token`."""
    TOKEN.set(token)
    draw_import(*screen_arguments, key="notes")


def fix_cell(app: Any, row: int, column: str, text: str) -> None:
    """Correct a cell, like the table in the browser."""
    app.session_state["file-import.current"]["notes"].fix_cell(row, column, text)
