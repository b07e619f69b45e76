"""One file imported without a browser: what it comes to, in numbers and in an exit code."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import IntEnum
from pathlib import Path
from typing import Final, Protocol

import numpy as np
import pandas as pd

from client import ServiceError
from domain.file_import.checking import Check
from domain.file_import.delimited import Unreadable
from domain.file_import.job import Jobs, as_frame, progress_words
from domain.file_import.kept_matches import kept_matches
from domain.file_import.sendable_file import REASON
from domain.runtime.workspace import Workspace
from domain.text.plain_text import count, names
from domain.trips.trip_import.dry_run import Remembered, dry_run, remembered
from domain.trips.trip_import.trip_intake import TRIPS, trips_with
from domain.trips.trip_import.trip_sending import NOT_THERE, REMOVED
from domain.trips.trip_import.undoing import canceled_by_file, undone
from journal import Job, JournalError, LedgerChanged
from journal.leases import LEASE

LOOKED_EVERY: Final = 0.5
HALTED_WITHIN: Final = 10.0
"""Seconds that the calls under way have when somebody ends the process."""
MOST: Final = 5_000
"""So many imports at most are looked through for those that were not finished."""
MOST_WARNED: Final = 100
"""Rows whose warnings are listed; of the others only their number is."""
_JOBS: Final = Jobs(patience=0)
"""A job is followed from its beginning, so that a signal gives it back however early it comes."""
TAKEN: Final = "Somebody else is at work on this file at this moment."


class Exit(IntEnum):
    """What a run came to, the gravest last."""

    DONE = 0
    NOTHING = 3
    REFUSED = 4
    UNKNOWN = 5
    UNFINISHED = 6
    CANNOT = 2


class CommandError(Exception):
    """A command that cannot be carried out; the text is all that is shown."""


class Tell(Protocol):
    """Is told how far it is."""

    def __call__(self, words: str, *, is_end: bool = False) -> None:
        """Take it down."""


@dataclass(frozen=True)
class Ran:
    """What became of a file. `rows` are those of the file, of which `left_out` were not taken; the rest are trips.

    What is None is not told: a dry run says what would follow, and nothing of what became of it.
    """

    file: str
    exit: Exit
    message: str
    sha256: str | None = None
    sheet: str | None = None
    job: int | None = None
    rows: int | None = None
    left_out: int | None = None
    trips: int | None = None
    new: int | None = None
    sent_before: int | None = None
    canceled: int | None = None
    contacts: int | None = None
    batches: int | None = None
    expected_locations: int | None = None
    added: int | None = None
    refused: int | None = None
    unknown: int | None = None
    waiting: int | None = None
    seconds: float | None = None
    notes: list[str] | None = None
    """What stands in many rows of a column: said once for all of them."""
    warnings: list[str] | None = None
    """What to check in rows that are sent, with the row's number in the file."""
    not_added: pd.DataFrame | None = None
    """The rows of the file that are not at the service, with the reason."""


def imported(
    workspace: Workspace,
    path: Path,
    *,
    mapping: str | None,
    sheet: str | None = None,
    is_dry: bool,
    resume: bool,
    again: bool,
    tell: Tell,
) -> Ran:
    """Import a file, or go on with it. Raises CommandError where the mapping is not known, JournalError."""
    began = time.monotonic()
    ledger, actor = workspace.journal.ledger, workspace.actor
    try:
        memory = remembered(workspace)
        check = Check.of(trips_with(memory.employee_ids), path.name, path.read_bytes(), workspace, sheet=sheet)
    except (OSError, Unreadable) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        return Ran(path.name, Exit.CANNOT, f"It cannot be read. {reason}")
    sheets = check.source.sheets
    if sheet is not None and sheet not in sheets[:1]:
        there = f"It has {names([f'“{each}”' for each in sheets])}." if sheets else "It is no workbook."
        return Ran(path.name, Exit.CANNOT, f"It has no sheet “{sheet}”. {there}")
    if mapping is not None:
        _match_as(workspace, check, mapping)
    bare = Ran(path.name, Exit.NOTHING, "", check.source.digest, rows=check.source.rows, sheet=next(iter(sheets), None))
    if sheet is None and len(sheets) > 1:
        tell(f"{path.name}: sheet “{sheets[0]}” is read, of {names([*sheets])}; --sheet names another.", is_end=True)
    left = check.left_behind()
    notes = [*check.questions.values(), *check.column_problems]
    rest = left if len(left) else None
    ran = replace(bare, left_out=len(left), not_added=rest, notes=notes or None, warnings=_warnings(check) or None)
    if is_dry:
        return _planned(check, memory, ran)
    earlier = ledger.same_file(actor, TRIPS.kind, check.source.digest)
    unfinished = next((job for job in earlier if job.state not in ("done", "stopped")), None)
    if unfinished is not None:
        job_id = unfinished.id
        is_taken = resume and not _gone_on(workspace, unfinished)
        if is_taken or not resume:
            words = TAKEN if is_taken else "An import of this file was not finished: go on with --resume."
            return replace(ran, exit=Exit.UNFINISHED, job=job_id, message=words)
    elif earlier and not again:
        words = f"This file was sent before, by {earlier[0].created_by} at {earlier[0].created_at:%Y-%m-%d %H:%M} UTC."
        since = undone(workspace, earlier[:1]).get(earlier[0].id)
        words += f" {since.words}." if since is not None else ""
        words += " Nothing was sent; --again sends it once more."
        rest = _not_added(workspace, earlier[0], ran.not_added)
        return replace(ran, job=earlier[0].id, message=words, not_added=rest)
    elif not check.is_ready.any():
        missing = ", ".join(column.label for column in check.missing)
        words = f"No column stands for: {missing}." if missing else "No row can be sent."
        if not missing and len(left):
            words += " The first row: " + str(left.iloc[:, -1].iloc[0])
        return replace(ran, exit=Exit.REFUSED if len(left) else Exit.NOTHING, message=words)
    else:
        try:
            job_id = _JOBS.begin(workspace, check, known=[job.id for job in earlier])
        except LedgerChanged as error:  # what becomes of it there is not known yet
            return replace(ran, exit=Exit.UNFINISHED, message=f"Nothing was sent. {error}")
    job = _brought_to_its_end(workspace, job_id, tell)
    return _told_of(workspace, job, ran, began)


def resumed(workspace: Workspace, tell: Tell) -> Iterator[Ran]:
    """Go on with every import of the organization that was cut off or paused, the oldest first."""
    for job in reversed(workspace.journal.ledger.jobs(workspace.actor, TRIPS.kind, at_most=MOST)):
        if job.state in ("done", "stopped"):
            continue
        began = time.monotonic()
        ran = Ran(job.name, Exit.UNFINISHED, TAKEN, job.digest, job=job.id)
        if _gone_on(workspace, job):
            yield _told_of(workspace, _brought_to_its_end(workspace, job.id, tell), ran, began)
        else:
            yield ran


def _match_as(workspace: Workspace, check: Check, mapping: str) -> None:
    kept = kept_matches(workspace, TRIPS.kind)
    if mapping not in kept:
        known = ", ".join(f"“{name}”" for name in kept) or "none yet"
        raise CommandError(f"No mapping is kept under the name “{mapping}”. Those that are: {known}.")
    check.match_as(mapping, kept[mapping].columns, kept[mapping].reading)


def _warnings(check: Check) -> list[str]:
    """Describe what to check in rows that are sent, one line per row and column: "Row 3, Family name: …"."""
    labels = {column.name: f", {column.label}" for column in check.columns}
    rows = np.flatnonzero(check.with_warnings)
    lines = [
        f"Row {check.rows.numbers[row]}{labels.get(column, '')}: {' '.join(message for message, _ in found)}"
        for row in rows[:MOST_WARNED].tolist()
        for column, found in check.at_cells(row).items()
    ]
    if len(rows) > MOST_WARNED:
        lines.append(f"{count(len(rows) - MOST_WARNED, 'more row has a warning', 'more rows have warnings')}.")
    return lines


def _planned(check: Check, memory: Remembered, ran: Ran) -> Ran:
    sent = list(check.outgoing())
    plan = dry_run(sent, memory, at_most=max(1, len(sent)))
    code = Exit.REFUSED if ran.left_out else Exit.DONE if sent else Exit.NOTHING
    return replace(
        ran,
        exit=code,
        trips=len(sent),
        new=plan.standings.get("new", 0),
        sent_before=plan.standings.get("sent before", 0),
        canceled=plan.standings.get("removed", 0),
        contacts=plan.contacts,
        batches=plan.batches + plan.batches_with_contacts,
        expected_locations=plan.locations,
        message="A dry run: nothing was sent.",
    )


def _gone_on(workspace: Workspace, job: Job) -> bool:
    """Take a job over once its owner shows no sign of life any more; False where it goes on doing so."""
    ledger = workspace.journal.ledger
    until = time.monotonic() + 1.5 * LEASE.total_seconds()
    while job.is_owned and job.state not in ("done", "stopped"):
        if time.monotonic() > until:
            return False
        time.sleep(LOOKED_EVERY)
        job = ledger.job(workspace.actor, job.id) or job
    _JOBS.resume(workspace, TRIPS, job.id)
    # It came to its end here at once, or another took it over at this moment.
    return not _JOBS.wait(job.id, 0) or not _told_by(workspace, job.id).is_owned


def _brought_to_its_end(workspace: Workspace, job_id: int, tell: Tell) -> Job:
    """Follow a job, look for what is unknown, and send what is proven not to have arrived once more."""
    job = _followed(workspace, job_id, tell)
    if job.state != "done":
        return job
    if job.counts.get("unknown"):
        try:
            _JOBS.look(workspace, TRIPS, job_id)
        except ServiceError:
            return job
    failed = workspace.journal.ledger.items(job_id, ["failed"])
    lost = [item.position for item in failed if item.fate.reasons.get("") == NOT_THERE]
    if lost:
        _JOBS.resume(workspace, TRIPS, job_id, retry=lost)
        return _followed(workspace, job_id, tell)
    return _told_by(workspace, job_id)


def _followed(workspace: Workspace, job_id: int, tell: Tell) -> Job:
    try:
        while not _JOBS.wait(job_id, LOOKED_EVERY):
            job = _told_by(workspace, job_id)
            tell(f"{job.name}: {progress_words(job, datetime.now(UTC))} {_JOBS.words(job_id)}".rstrip())
    except KeyboardInterrupt:
        _JOBS.halt(HALTED_WITHIN)
    job = _told_by(workspace, job_id)
    done = TRIPS.sending.did(job, workspace.journal.ledger_history) if TRIPS.sending is not None else []
    tell(f"{job.name}: {' · '.join([*done, progress_words(job, datetime.now(UTC))])}", is_end=True)
    return job


def _told_by(workspace: Workspace, job_id: int) -> Job:
    found = workspace.journal.ledger.job(workspace.actor, job_id)
    if found is None:
        raise JournalError("The journal has lost the job.")
    return found


def _told_of(workspace: Workspace, job: Job, ran: Ran, began: float) -> Ran:
    counts = job.counts
    waiting = counts.get("waiting", 0) + counts.get("under way", 0)
    canceled = canceled_by_file(workspace, [job]).get(job.id, 0)
    done = "added or canceled" if REMOVED in job.lots else "added"
    if job.state not in ("done", "stopped") or waiting:
        code, words = Exit.UNFINISHED, job.message or "It was ended before its end: go on with --resume."
    elif counts.get("unknown"):
        code, words = Exit.UNKNOWN, "Of some trips the answer was lost: look for them on the Import screen."
    elif counts.get("failed") or counts.get("not sent") or ran.left_out:
        code, words = Exit.REFUSED, f"Some rows were not {done}."
    else:
        code, words = Exit.DONE, f"Every row was {done}."
    return replace(
        ran,
        exit=code,
        message=words,
        job=job.id,
        trips=job.total,
        added=counts.get("done", 0) - canceled,
        canceled=canceled,
        refused=counts.get("failed", 0),
        unknown=counts.get("unknown", 0),
        waiting=waiting + counts.get("not sent", 0),
        seconds=round(time.monotonic() - began, 3),
        not_added=_not_added(workspace, job, ran.not_added),
    )


def _not_added(workspace: Workspace, job: Job, left: pd.DataFrame | None) -> pd.DataFrame | None:
    """The rows that the checks left, and those of a job that the service does not surely have; None for none."""
    failed = workspace.journal.ledger.items(job.id, ["failed", "not sent", "unknown"])
    parts = [] if left is None else [left]
    if failed:
        rows = as_frame(TRIPS, job, failed)
        rows = rows.iloc[:, [*range(1, rows.shape[1] - 3), rows.shape[1] - 1]]
        # Where it was sent on the screen, something may have been written into columns that the file lacks.
        is_alike = left is not None and left.shape[1] == rows.shape[1]
        headings = [*left.columns] if left is not None and is_alike else [*job.settings["headers"], REASON]
        parts.append(rows.set_axis(headings, axis=1))
    return pd.concat(parts, ignore_index=True) if parts else None
