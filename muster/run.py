"""Imports of trips from files without a browser, with their counts and exit codes."""

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
from domain.file_import.check_notes import count_warnings, describe_date_order, describe_notes
from domain.file_import.checking import Check
from domain.file_import.delimited import Unreadable
from domain.file_import.job import Jobs, build_result_frame, format_progress
from domain.file_import.saved_matches import list_matches
from domain.file_import.sendable_file import REASON
from domain.runtime.workspace import Workspace
from domain.text.plain_text import count, names
from domain.trips.trip_import.dry_run import SendHistory, dry_run, load_send_history
from domain.trips.trip_import.trip_declaration import TRIPS, declare_trips
from domain.trips.trip_import.trip_sending import NOT_THERE, REMOVED
from domain.trips.trip_import.undoing import count_canceled_by_file, summarize_undone
from journal import Job, JournalError, LedgerChanged
from journal.leases import LEASE
from muster.file_errors import explain_read_error

POLL_SECONDS: Final = 0.5
HALT_SECONDS: Final = 10.0
"""How long running calls may take when someone ends the process."""
MAX_JOBS: Final = 5_000
"""How many imports are searched for those that are not finished."""
MAX_WARNINGS: Final = 100
"""How many rows are listed with their warnings. The others are counted."""
_JOBS: Final = Jobs(patience=0)
"""Its jobs are followed from the beginning, so that an early signal releases them."""
IN_USE: Final = "Someone else is importing this file."


class Exit(IntEnum):
    """Exit codes, the most severe last."""

    DONE = 0
    NOTHING = 3
    NOT_FOUND = 7
    REFUSED = 4
    UNKNOWN = 5
    UNFINISHED = 6
    CANNOT = 2


class CommandError(Exception):
    """A command that cannot start; the message is shown to the user."""


class ReportProgress(Protocol):
    """Reports the progress of a command."""

    def __call__(self, message: str, *, is_end: bool = False) -> None:
        """Report one line; `is_end` says that no later line replaces it."""


@dataclass(frozen=True)
class ImportResult:
    """The counts of one file. `skipped` rows have errors or cannot be read, and are not sent.

    Fields that are None are left out of the JSON: a dry run has no results.
    """

    file: str
    exit: Exit
    message: str
    sha256: str | None = None
    sheet: str | None = None
    job: int | None = None
    rows: int | None = None
    skipped: int | None = None
    trips: int | None = None
    new: int | None = None
    sent_before: int | None = None
    canceled: int | None = None
    contacts: int | None = None
    batches: int | None = None
    expected_locations: int | None = None
    added: int | None = None
    rejected: int | None = None
    unknown: int | None = None
    waiting: int | None = None
    seconds: float | None = None
    notes: list[str] | None = None
    """Notes on the whole file, on rows that cannot be read, and on whole columns."""
    warnings: list[str] | None = None
    """What to check in rows that are sent, with the number of the row in the file."""
    not_added: pd.DataFrame | None = None
    """The rows that the service does not have, with the reason."""
    left_rows: pd.DataFrame | None = None
    """The rows that were not sent because of errors, with the reason."""


def import_file(
    workspace: Workspace,
    path: Path,
    *,
    mapping: str | None,
    sheet: str | None = None,
    is_dry: bool,
    resume: bool,
    resend: bool,
    report: ReportProgress,
) -> ImportResult:
    """Import a file, or continue its import. Raises CommandError for an unknown mapping, and JournalError."""
    began = time.monotonic()
    ledger, actor = workspace.journal.ledger, workspace.actor
    try:
        memory = load_send_history(workspace)
        check = Check.of(declare_trips(memory.employee_ids), path.name, path.read_bytes(), workspace, sheet=sheet)
    except OSError as error:
        return ImportResult(path.name, Exit.CANNOT, explain_read_error(path, error))
    except Unreadable as error:
        return ImportResult(path.name, Exit.CANNOT, f"The file cannot be read. {error}")
    sheets = check.source.sheets
    if sheet is not None and sheet not in sheets[:1]:
        there = (
            f"The sheets are {names([f'“{each}”' for each in sheets])}." if sheets else "The file is not a workbook."
        )
        return ImportResult(path.name, Exit.CANNOT, f"The file has no sheet “{sheet}”. {there}")
    if mapping is not None:
        _match_as(workspace, check, mapping)
    bare = ImportResult(
        path.name,
        Exit.NOTHING,
        "",
        check.source.digest,
        rows=check.source.rows + check.source.problems.lost,
        sheet=next(iter(sheets), None),
    )
    if sheet is None and len(sheets) > 1:
        report(f"{path.name}: Reading sheet “{sheets[0]}” of {names([*sheets])}. Use --sheet for another.", is_end=True)
    if check.source.hidden_rows:
        check.set_options(replace(check.options, includes_hidden=True))
    left = check.unready_frame()
    skipped = len(left) + check.source.problems.lost
    rest = left if len(left) else None
    notes = _notes(check) or None
    result = replace(
        bare, skipped=skipped, not_added=rest, left_rows=rest, notes=notes, warnings=_warnings(check) or None
    )
    if is_dry:
        return _plan(check, memory, result, left)
    earlier = ledger.same_file(actor, TRIPS.kind, check.source.digest)
    unfinished = next((job for job in earlier if job.state not in ("done", "stopped")), None)
    if unfinished is not None:
        job_id = unfinished.id
        is_taken = resume and not _take_over_job(workspace, unfinished)
        if is_taken or not resume:
            message = IN_USE if is_taken else "An import of this file is not finished. Continue it with --resume."
            return replace(result, exit=Exit.UNFINISHED, job=job_id, message=message)
    elif earlier and not resend:
        message = f"{earlier[0].created_by} sent this file on {earlier[0].created_at:%Y-%m-%d %H:%M} UTC."
        since = summarize_undone(workspace, earlier[:1]).get(earlier[0].id)
        message += f" {since.summary}." if since is not None else ""
        message += " Nothing was sent. Use --again to send the file again."
        rest = _not_added(workspace, earlier[0], result.not_added)
        return replace(result, job=earlier[0].id, message=message, not_added=rest)
    elif not check.is_ready.any():
        return replace(result, exit=Exit.REFUSED if skipped else Exit.NOTHING, message=_why_nothing(check, left))
    else:
        try:
            job_id = _JOBS.begin(workspace, check, known_jobs=[job.id for job in earlier])
        except LedgerChanged as error:  # another process has the job
            return replace(result, exit=Exit.UNFINISHED, message=f"Nothing was sent. {error}")
    job = _finish(workspace, job_id, report)
    return _build_result(workspace, job, result, began)


def resume_imports(workspace: Workspace, report: ReportProgress) -> Iterator[ImportResult]:
    """Continue each import of the organization that stopped early or is paused, oldest first."""
    for job in reversed(workspace.journal.ledger.jobs(workspace.actor, TRIPS.kind, at_most=MAX_JOBS)):
        if job.state in ("done", "stopped"):
            continue
        began = time.monotonic()
        result = ImportResult(job.name, Exit.UNFINISHED, IN_USE, job.digest, job=job.id)
        if _take_over_job(workspace, job):
            yield _build_result(workspace, _finish(workspace, job.id, report), result, began)
        else:
            yield result


def _match_as(workspace: Workspace, check: Check, mapping: str) -> None:
    stored_matches = list_matches(workspace, TRIPS.kind)
    if mapping not in stored_matches:
        known = ", ".join(f"“{name}”" for name in stored_matches) or "none"
        raise CommandError(f"There is no profile “{mapping}”. Saved profiles: {known}.")
    check.apply_profile(mapping, stored_matches[mapping])


def _why_nothing(check: Check, left: pd.DataFrame) -> str:
    """Say why no row can be sent."""
    if check.missing:
        return f"Columns are missing: {', '.join(column.label for column in check.missing)}."
    return "No row can be sent." + (" First row: " + str(left.iloc[:, -1].iloc[0]) if len(left) else "")


def _notes(check: Check) -> list[str]:
    """Describe what differs from what a person sees, rows that cannot be read, and problems of whole columns."""
    source = check.source
    hidden_rows, skipped_rows = len(source.hidden_rows), source.problems.listed
    lines = [*source.notes]
    if hidden_rows:
        rows = count(hidden_rows, "row is", "rows are")
        lines.append(f"{rows} hidden in the sheet, for example by a filter. Muster includes hidden rows.")
    lines += [f"Row {problem.row}: {problem.message}" for problem in skipped_rows[:MAX_WARNINGS]]
    if len(skipped_rows) > MAX_WARNINGS:
        lines.append(f"{source.problems.summary}.")
    order = [warning] if (warning := describe_date_order(check)) else []
    notes = [text] if (text := describe_notes(check)) else []
    return [*lines, *order, *check.questions.values(), *count_warnings(check), *check.column_problems, *notes]


def _warnings(check: Check) -> list[str]:
    """Describe what to check in rows that are sent, one line per row and column: "Row 3, Family name: …"."""
    labels = {column.name: f", {column.label}" for column in check.columns}
    rows = np.flatnonzero(check.with_warnings)
    lines = [
        f"Row {check.rows.numbers[row]}{labels.get(column, '')}: {' '.join(message for message, _ in found)}"
        for row in rows[:MAX_WARNINGS].tolist()
        for column, found in check.cell_messages(row).items()
    ]
    if len(rows) > MAX_WARNINGS:
        lines.append(f"{count(len(rows) - MAX_WARNINGS, 'more row has a warning', 'more rows have warnings')}.")
    return lines


def _plan(check: Check, memory: SendHistory, result: ImportResult, left: pd.DataFrame) -> ImportResult:
    sent = list(check.outgoing())
    plan = dry_run(sent, memory, at_most=max(1, len(sent)))
    code = Exit.REFUSED if result.skipped else Exit.DONE if sent else Exit.NOTHING
    return replace(
        result,
        exit=code,
        trips=len(sent),
        new=plan.effects.get("new", 0),
        sent_before=plan.effects.get("sent before", 0),
        canceled=plan.effects.get("canceled", 0),
        contacts=plan.contacts,
        batches=plan.batches + plan.batches_with_contacts,
        expected_locations=plan.locations,
        message="Dry run. Nothing was sent." if sent else f"Dry run. {_why_nothing(check, left)}",
    )


def _take_over_job(workspace: Workspace, job: Job) -> bool:
    """Continue a job once its owner is dead; return False if its owner is alive."""
    ledger = workspace.journal.ledger
    until = time.monotonic() + 1.5 * LEASE.total_seconds()
    while job.is_owned and job.state not in ("done", "stopped"):
        if time.monotonic() > until:
            return False
        time.sleep(POLL_SECONDS)
        job = ledger.job(workspace.actor, job.id) or job
    _JOBS.resume(workspace, TRIPS, job.id)
    # The job has ended already, or another process took it over.
    return not _JOBS.wait(job.id, 0) or not _read_job(workspace, job.id).is_owned


def _finish(workspace: Workspace, job_id: int, report: ReportProgress) -> Job:
    """Follow a job to its end, check what is unknown, and send again what the service does not have."""
    job = _follow(workspace, job_id, report)
    if job.state != "done":
        return job
    if job.counts.get("unknown"):
        try:
            _JOBS.reconcile(workspace, TRIPS, job_id)
        except ServiceError:
            return job
    failed = workspace.journal.ledger.items(job_id, ["failed"])
    lost = [item.position for item in failed if item.status.reasons.get("") == NOT_THERE]
    if lost:
        _JOBS.resume(workspace, TRIPS, job_id, retry=lost)
        return _follow(workspace, job_id, report)
    return _read_job(workspace, job_id)


def _follow(workspace: Workspace, job_id: int, report: ReportProgress) -> Job:
    try:
        while not _JOBS.wait(job_id, POLL_SECONDS):
            job = _read_job(workspace, job_id)
            progress = format_progress(job, datetime.now(UTC), "trips sent")
            report(f"{job.name}: {progress} {_JOBS.status_message(job_id)}".rstrip())
    except KeyboardInterrupt:
        _JOBS.halt(HALT_SECONDS)
    job = _read_job(workspace, job_id)
    done = TRIPS.sending.describe_done(job, workspace.journal.ledger_history) if TRIPS.sending is not None else []
    report(f"{job.name}: {' · '.join([*done, format_progress(job, datetime.now(UTC), 'trips sent')])}", is_end=True)
    return job


def _read_job(workspace: Workspace, job_id: int) -> Job:
    found = workspace.journal.ledger.job(workspace.actor, job_id)
    if found is None:
        raise JournalError("The journal has no record of the import.")
    return found


def _build_result(workspace: Workspace, job: Job, result: ImportResult, began: float) -> ImportResult:
    counts = job.counts
    waiting = counts.get("waiting", 0) + counts.get("under way", 0)
    canceled = count_canceled_by_file(workspace, [job]).get(job.id, 0)
    done = "added or canceled" if REMOVED in job.batch_groups else "added"
    if job.state not in ("done", "stopped") or waiting:
        code, message = Exit.UNFINISHED, job.message or "The import stopped early. Continue it with --resume."
    elif counts.get("unknown"):
        code, message = Exit.UNKNOWN, "Some trips have status Unknown. Check them on the screen Import trips."
    elif counts.get("failed") or counts.get("not sent") or result.skipped:
        code, message = Exit.REFUSED, f"Some rows were not {done}."
    else:
        code, message = Exit.DONE, f"Every row was {done}."
    return replace(
        result,
        exit=code,
        message=message,
        job=job.id,
        trips=job.total,
        added=counts.get("done", 0) - canceled,
        canceled=canceled,
        rejected=counts.get("failed", 0),
        unknown=counts.get("unknown", 0),
        waiting=waiting + counts.get("not sent", 0),
        seconds=round(time.monotonic() - began, 3),
        not_added=_not_added(workspace, job, result.not_added),
    )


def _not_added(workspace: Workspace, job: Job, left: pd.DataFrame | None) -> pd.DataFrame | None:
    """The rows with errors, and the rows of a job that the service may not have; None if there are none."""
    failed = workspace.journal.ledger.items(job.id, ["failed", "not sent", "unknown"])
    parts = [] if left is None else [left]
    if failed:
        rows = build_result_frame(TRIPS, job, failed)
        rows = rows.iloc[:, [*range(1, rows.shape[1] - 3), rows.shape[1] - 1]]
        # On the screen, values may have been added in columns that the file does not have.
        is_alike = left is not None and left.shape[1] == rows.shape[1]
        headings = [*left.columns] if left is not None and is_alike else [*job.settings["headers"], REASON]
        parts.append(rows.set_axis(headings, axis=1))
    return pd.concat(parts, ignore_index=True) if parts else None
