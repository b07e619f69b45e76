"""How a job is undone by another one, of the rows that take back what the first one did. No drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from domain.file_import.checking import Check
from domain.file_import.import_declaration import Intake
from domain.file_import.row_sending import Desk
from domain.text.time_text import moment
from journal import Job

_UNDOES: Final = "undoes"
_DONE: Final = "added"
MOST_UNDOS: Final = 1_000


@dataclass(frozen=True)
class Undo:
    """What undoing a job takes back, row by row as the intake that undoes takes them in, and what it cannot undo."""

    rows: list[dict[str, str]]
    named: str
    leaves: list[str]

    def check(self, intake: Intake, job: Job) -> Check:
        """The rows to send, noted to undo this job."""
        check = Check.of_rows(intake, f"Undo of {job.name}", self.rows)
        check.about = {_UNDOES: job.id, _DONE: job.counts.get("done", 0)}
        return check


@dataclass(frozen=True)
class Undone:
    """What was undone of a job, last by whom and when; `is_whole` where nothing is left that could be undone.

    `job_id` is of the last job that undid it, `undone` counts the records, of `added` that could be. `verb` says what
    was done to them, such as "canceled".
    """

    job_id: int
    by: str
    at: datetime
    undone: int
    added: int
    verb: str
    is_under_way: bool
    is_whole: bool

    @property
    def words(self) -> str:
        """What a person is to know of it."""
        when = moment(self.at, now=datetime.now(UTC))
        return f"{self.state} by {self.by}, {when}: {self.undone:,} of {self.added:,} {self.verb}"

    @property
    def state(self) -> str:
        """How far it is."""
        return "Undoing" if self.is_under_way else "Undone" if self.is_whole else "Partly undone"


def undos_of(desk: Desk, kind: str, jobs: Sequence[Job]) -> dict[int, list[Job]]:
    """The jobs of this kind that undid these, the latest first, by the ids of those. Raises JournalError."""
    ids = {job.id for job in jobs}
    undos: dict[int, list[Job]] = {}
    for undo in desk.journal.ledger.jobs(desk.actor, kind, at_most=MOST_UNDOS):
        if (job_id := undo.settings.get("about", {}).get(_UNDOES)) in ids:
            undos.setdefault(job_id, []).append(undo)
    return undos


def undone_by(job: Job, undos: Sequence[Job], *, verb: str = "undone", not_undoable: int = 0) -> Undone:
    """What `undos`, the latest first, undid of a job, of which so many items cannot be undone."""
    last, *_ = undos
    done = job.counts.get("done", 0)
    return Undone(
        job_id=last.id,
        by=last.created_by,
        at=last.created_at,
        undone=sum(each.counts.get("done", 0) for each in undos),
        added=done - not_undoable,
        verb=verb,
        is_under_way=last.is_owned,
        is_whole=last.counts.get("done", 0) == last.total and done <= last.settings["about"][_DONE],
    )
