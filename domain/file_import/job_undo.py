"""Undoing a job with another job."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from domain.file_import.checking import Check
from domain.file_import.import_declaration import ImportDeclaration
from domain.file_import.row_sending import JournalContext
from domain.text.time_text import moment
from journal import Job

_UNDOES: Final = "undoes"
_DONE: Final = "added"
MOST_UNDOS: Final = 1_000


@dataclass(frozen=True)
class Undo:
    """The rows that undo a job, the names of their records, and messages about what cannot be undone."""

    rows: list[dict[str, str]]
    record_names: str
    not_undoable: list[str]

    def check(self, declaration: ImportDeclaration, job: Job) -> Check:
        """Return the rows to send, linked to the job that they undo."""
        check = Check.of_rows(declaration, f"Undo of {job.name}", self.rows)
        check.about = {_UNDOES: job.id, _DONE: job.counts.get("done", 0)}
        return check


@dataclass(frozen=True)
class UndoSummary:
    """How far a job was undone, last by whom and when.

    `job_id` is the last job that undid it. `verb` says what happened to the records, such as "canceled". `is_whole` is
    True if nothing is left to undo.
    """

    job_id: int
    by: str
    at: datetime
    undone_count: int
    added_count: int
    verb: str
    is_under_way: bool
    is_whole: bool

    @property
    def summary(self) -> str:
        """The sentence about it."""
        when = moment(self.at, now=datetime.now(UTC))
        return f"{self.state} by {self.by}, {when}: {self.undone_count:,} of {self.added_count:,} {self.verb}"

    @property
    def state(self) -> str:
        """The state as a label."""
        return "Undoing" if self.is_under_way else "Undone" if self.is_whole else "Partly undone"


def find_undos(context: JournalContext, kind: str, jobs: Sequence[Job]) -> dict[int, list[Job]]:
    """Return the jobs of a kind that undid these jobs, the latest first, by job ID. Raises JournalError."""
    ids = {job.id for job in jobs}
    undos: dict[int, list[Job]] = {}
    for undo in context.journal.ledger.jobs(context.actor, kind, at_most=MOST_UNDOS):
        if (job_id := undo.settings.get("about", {}).get(_UNDOES)) in ids:
            undos.setdefault(job_id, []).append(undo)
    return undos


def summarize_undos(job: Job, undos: Sequence[Job], *, verb: str = "undone", not_undoable: int = 0) -> UndoSummary:
    """Summarize the jobs that undid a job, the latest first."""
    last, *_ = undos
    done = job.counts.get("done", 0)
    return UndoSummary(
        job_id=last.id,
        by=last.created_by,
        at=last.created_at,
        undone_count=sum(each.counts.get("done", 0) for each in undos),
        added_count=done - not_undoable,
        verb=verb,
        is_under_way=last.is_owned,
        is_whole=last.counts.get("done", 0) == last.total and done <= last.settings["about"][_DONE],
    )
