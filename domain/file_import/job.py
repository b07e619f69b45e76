"""Sending imported rows in a background job. The ledger stores its state, so the job survives tabs and processes.

The items of a batch are recorded before its call and after it. After too many requests or an outage they wait and are
retried. A refused sign-in, or too many failed calls, pauses the job. A lost response leaves the items Unknown and
delays the next batch. Unknown items are never resent automatically.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final, Literal

import pandas as pd

from client import (
    ClientClosed,
    ConnectionFailed,
    NotAllowed,
    NotAuthenticated,
    ProxyAuthenticationRequired,
    Rejected,
    ServiceError,
    ServiceFailed,
    TooManyRequests,
)
from client.models.assets import AssetBatchOutcome
from client.models.results import BatchOutcome
from domain.edits.journaled_calls import record_decision
from domain.file_import.checking import Check
from domain.file_import.import_declaration import ImportDeclaration
from domain.file_import.learned_matches import learn_match
from domain.file_import.row_sending import Batch, Sending
from domain.tables import status
from domain.tables.status import Status
from domain.text.plain_text import count
from journal import EntryState, Item, ItemState, ItemStatus, Job, JournalError, Run
from journal.ledger_records import MARKED_NOT_DONE, NOTE

if TYPE_CHECKING:
    from domain.runtime.workspace import Workspace

_SUMMARY_LABELS: Final[dict[ItemState, str]] = {
    "done": "done",
    "failed": "failed",
    "not sent": "not sent",
    "unknown": "with status Unknown",
    "waiting": "not sent yet",
}
ITEM_STATUSES: Final[dict[ItemState, Status]] = {
    "done": status.SENT,
    "failed": status.FAILED,
    "not sent": status.NOT_SENT,
    "unknown": status.UNKNOWN,
    "waiting": Status("Waiting", "schedule", "gray"),
    "under way": status.SENDING,
    "replaced": Status("Resent", "replay", "gray"),
}
ALREADY_ADDED: Final = "An earlier attempt, whose response was lost, already added this record. Its ID is unknown."
FIRST_WAIT: Final = 1.0
LONGEST_WAIT: Final = 60.0
RESPONSE_LOST: Final = "The service’s response was lost. This row may or may not have been stored."
SERVICE_FAILED: Final = "The service failed. This row may or may not have been stored."
CALL_REASONS: Final = frozenset({RESPONSE_LOST, SERVICE_FAILED})
"""The reasons of Unknown items that say only how their call ended."""
_CONTINUES: Final = {
    RESPONSE_LOST: "The response to the last batch was lost. Muster will send a smaller one in {}.",
    SERVICE_FAILED: "The service failed on the last batch. Muster will send a smaller one in {}.",
}
MOST_HALVINGS: Final = 4
"""How often the size of the batches is halved after batches with status Unknown."""
ALREADY_DELETED: Final = "The record was already deleted."
MOST_TRIES: Final = 8
"""The number of failed calls in a row after which the job pauses."""

_log = logging.getLogger(__name__)


class _Runner:
    """A job that this process works on."""

    def __init__(self, workspace: Workspace, declaration: ImportDeclaration, sending: Sending, run: Run) -> None:
        self.run = run
        self.message = ""
        self._workspace = workspace
        self._declaration = declaration
        self._sending = sending
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._tries = 0
        self._halvings = 0
        self._notes: dict[int, str] = {}
        self.is_halted = False
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._work, name=f"job-{run.job_id}", daemon=True)

    def start(self) -> None:
        """Start sending."""
        self._thread.start()

    def wait(self, timeout: float | None) -> bool:
        """Wait for the work to end, and return whether it has."""
        # Not with Thread.join: after an interrupted join, Python 3.11 treats the thread as ended.
        return self._ended.wait(timeout)

    def wake(self) -> None:
        """Check the state of the job now, instead of waiting for the next retry."""
        self._stop.set()

    def halt(self) -> None:
        """Stop after the current calls, and release the job."""
        self.is_halted = True
        self._stop.set()

    def _work(self) -> None:
        audit, actor = self._workspace.journal.audit, self._workspace.actor
        ledger = self._workspace.journal.ledger
        try:
            entry = audit.begin(
                actor, **_describe_job(self._declaration.kind, self.run.job_id, ledger.job(actor, self.run.job_id))
            )
            self._reconcile_unknown(ledger.items(self.run.job_id, ["unknown"]))
            while True:
                with ThreadPoolExecutor(self._sending.width, thread_name_prefix=f"job-{self.run.job_id}") as threads:
                    ends = [threads.submit(self._send_batches) for _ in range(self._sending.width)]
                for end in ends:
                    end.result()
                if ledger.end(self.run, is_cut_off=self.is_halted):
                    break
            job = ledger.job(actor, self.run.job_id)
            counts = dict(job.counts) if job else {}
            audit.finish(entry, state=_outcome(counts), answer={"items": counts}, message=_summarize(counts))
        except JournalError as error:
            # The lease expires, and the job is then interrupted.
            _log.error("Job %s ended early: %s", self.run.job_id, error)
        except Exception:  # noqa: BLE001 — a thread has no caller, and the ledger has the state
            _log.exception("Job %s ended with an unexpected error.", self.run.job_id)
        finally:
            self._ended.set()

    def _reconcile_unknown(self, unknown: Sequence[Item]) -> None:
        """Find the status of items that were being sent when an earlier process died."""
        reconcile, ledger = self._sending.reconcile, self._workspace.journal.ledger
        if self._sending.is_repeatable:
            again = {item.position: ItemStatus("waiting") for item in unknown}
            ledger.resolve(self._workspace.actor, self.run.job_id, again)
            return
        if not unknown or reconcile is None:
            return
        try:
            found = reconcile(self._workspace.client, Batch(unknown, report=self._report, wait=self._wait))
            _follow_up(self._workspace, self._sending, unknown, found)
            ledger.resolve(self._workspace.actor, self.run.job_id, found)
        except ServiceError as error:
            kind = type(error).__name__
            _log.warning("Job %s could not check rows with status Unknown: %s", self.run.job_id, kind)
        self.message = ""

    def _wait(self, seconds: float) -> bool:
        """Wait, and return False once the job should stop."""
        if self._stop.wait(seconds):
            self._stop.clear()
            job = self._workspace.journal.ledger.job(self._workspace.actor, self.run.job_id)
            return not self.is_halted and job is not None and job.state == "running"
        return True

    def _send_batches(self) -> None:
        ledger = self._workspace.journal.ledger
        while not self.is_halted:
            items = ledger.claim(self.run, self._batch_size)
            if not items:
                return
            batch = Batch(items, self._note, self._report, self._wait)
            statuses, wait, message = self._send(batch)
            statuses = self._resolve(batch, statuses)
            by_position = {
                item.position: self._add_note(item, status) for item, status in zip(batch, statuses, strict=True)
            }
            # First, because after a crash in between, the items are Unknown and followed up when they are checked.
            _follow_up(self._workspace, self._sending, batch, by_position)
            ledger.write(self.run, by_position)
            self._sending.invalidate()
            with self._lock:
                self._tries = 0 if wait is None else self._tries + 1
                if wait is not None and self._tries >= MOST_TRIES:
                    message = message or f"The service failed {MOST_TRIES} times in a row."
                elif wait is not None:
                    message = None
                    wait = max(wait, min(LONGEST_WAIT, FIRST_WAIT * 2 ** (self._tries - 1)))
                    self._note_fault(statuses, count(round(wait), "second", "seconds"))
            if message is not None:
                ledger.ask(self._workspace.actor, self.run.job_id, "paused", message)
                return
            if wait is not None:
                self._stop.wait(wait)
                self._stop.clear()
            self.message = ""

    def _batch_size(self, batch_group: str) -> int:
        """Return the size of the next batch: smaller after batches with status Unknown, so that fewer rows are."""
        return max(1, self._sending.batch_size(batch_group) >> self._halvings)

    def _note_fault(self, statuses: Sequence[ItemStatus], wait: str) -> None:
        unknown = next((status for status in statuses if status.state == "unknown"), None)
        if unknown is None:
            self.message = f"The service is busy. Muster will retry in {wait}."
            return
        self._halvings = min(MOST_HALVINGS, self._halvings + 1)
        self.message = _CONTINUES.get(unknown.reasons.get("", ""), _CONTINUES[RESPONSE_LOST]).format(wait)

    def _resolve(self, batch: Batch, statuses: Sequence[ItemStatus]) -> list[ItemStatus]:
        """Let repeatable items wait again, and mark items as done that exist after a lost response."""
        if self._sending.is_repeatable:
            return [ItemStatus("waiting") if status.state == "unknown" else status for status in statuses]
        existing = {
            item.position
            for item, status in zip(batch, statuses, strict=True)
            if status.state == "failed" and self._sending.is_duplicate(status)
        }
        if not existing:
            return list(statuses)
        labels = {item.label for item in batch if item.position in existing}
        lost = self._workspace.journal.ledger_history.find_lost_payloads(
            self._workspace.actor, self._declaration.kind, labels
        )
        lost |= {item.payload_text for item in batch if MARKED_NOT_DONE in item.status.reasons.values()}
        return [
            ItemStatus("done", reasons={"": ALREADY_ADDED})
            if item.position in existing and item.payload_text in lost
            else status
            for item, status in zip(batch, statuses, strict=True)
        ]

    def _note(self, notes: Mapping[int, str]) -> None:
        self._notes.update(notes)
        self._workspace.journal.ledger.note(self.run, notes)

    def _add_note(self, item: Item, status: ItemStatus) -> ItemStatus:
        if status.state == "waiting":
            return replace(status, reasons=item.status.reasons)
        note = self._notes.pop(item.position, None)
        is_unknown = note is not None and status.state == "unknown"
        return ItemStatus("unknown", None, {**status.reasons, NOTE: str(note)}) if is_unknown else status

    def _report(self, message: str) -> None:
        self.message = message

    def _send(self, batch: Batch) -> tuple[Sequence[ItemStatus], float | None, str | None]:
        """Return the status of each item, the delay before the next batch, and the reason to pause."""
        try:
            statuses = self._sending.send(self._workspace.client, batch)
        except ServiceError as error:
            status, wait, message = classify_error(error)
            return [status] * len(batch), wait, message
        except Exception as error:  # noqa: BLE001 — something may have been sent
            _log.exception("Sending a batch of job %s ended with an unexpected error.", self.run.job_id)
            message = (
                f"Muster failed while sending ({type(error).__name__}). The rows of this batch have status Unknown."
            )
            return [ItemStatus("unknown")] * len(batch), None, message
        if len(statuses) != len(batch):
            return (
                [ItemStatus("unknown")] * len(batch),
                None,
                "The service’s response does not match the batch. Its rows have status Unknown.",
            )
        slows = any(status.state in ("waiting", "unknown") for status in statuses)
        return statuses, FIRST_WAIT if slows else None, None


def _follow_up(
    workspace: Workspace, sending: Sending, items: Sequence[Item], statuses: Mapping[int, ItemStatus]
) -> None:
    status_of = [(item, status) for item in items if (status := statuses.get(item.position)) is not None]
    done = [(item, status) for item, status in status_of if status.state == "done"]
    if done:
        sending.follow_up(workspace, done)


def classify_error(error: ServiceError) -> tuple[ItemStatus, float | None, str | None]:
    """Return the status of every item after an error, the delay before the next batch, and the reason to pause."""
    if isinstance(error, NotAuthenticated | NotAllowed | ProxyAuthenticationRequired | ClientClosed):
        return ItemStatus("waiting"), None, f"{error.message} This batch was not sent."
    if isinstance(error, TooManyRequests | ConnectionFailed | ServiceFailed):
        return ItemStatus("waiting"), error.retry_after or FIRST_WAIT, None
    if isinstance(error, Rejected):
        return ItemStatus("failed", reasons={"": error.message}), None, None
    return describe_unknown(error), FIRST_WAIT, None


def describe_unknown(error: ServiceError | None) -> ItemStatus:
    """Return the status of an item whose call may or may not have been carried out. A lost response has no status."""
    has_failed = error is not None and error.status is not None and error.status >= 500
    return ItemStatus("unknown", reasons={"": SERVICE_FAILED if has_failed else RESPONSE_LOST})


def build_statuses(
    outcome: BatchOutcome | AssetBatchOutcome,
    size: int,
    format_reasons: Callable[[Any], Mapping[str, str]] = lambda failure: {"": failure.message},
) -> list[ItemStatus]:
    """Return the statuses of a batch's items from the result of the client. Items that were not attempted wait.

    `reasons` returns the messages of a failure by column.
    """
    statuses = [ItemStatus("unknown")] * size
    for success in outcome.succeeded:
        statuses[success.row] = ItemStatus("done", None if success.id is None else str(success.id))
    if outcome.stopped_by is not None:
        for row in outcome.unknown:
            statuses[row] = describe_unknown(outcome.stopped_by)
    for failure in outcome.failed:
        statuses[failure.row] = ItemStatus("failed", reasons=format_reasons(failure))
    for row in outcome.not_attempted:
        statuses[row] = ItemStatus("waiting")
    return statuses


def treat_missing_as_done(statuses: Iterable[ItemStatus]) -> list[ItemStatus]:
    """Return the statuses of deletions. A record that the service does not find was deleted before and is done."""

    def is_missing(status: ItemStatus) -> bool:
        return status.state == "failed" and any(
            "not found" in message.casefold() for message in status.reasons.values()
        )

    return [ItemStatus("done", reasons={"": ALREADY_DELETED}) if is_missing(status) else status for status in statuses]


class Jobs:
    """The jobs that this process works on. Thread-safe."""

    patience: float = 0.5
    """Seconds that starting a job waits for its end, so that a short job shows no progress bar."""

    def __init__(self, *, patience: float | None = None) -> None:
        self._lock = threading.Lock()
        self._runners: dict[int, _Runner] = {}
        self._checked: dict[int, tuple[int, int]] = {}
        if patience is not None:
            self.patience = patience

    def begin(self, workspace: Workspace, check: Check, *, known_jobs: Collection[int] | None = None) -> int:
        """Record the ready rows as a job, start it, and return its ID.

        Raises JournalError, and then nothing is sent. Raises LedgerChanged if someone has resent rows of an earlier
        job, or if the file has a job that is not in `known_jobs`.
        """
        source = check.source
        settings = {"headers": check.headers, "columns": check.headings_of, "reading": vars(check.options)}
        settings |= {"about": dict(check.about)} if check.about else {}
        run = workspace.journal.ledger.begin(
            workspace.actor,
            check.declaration.kind,
            source.name,
            check.build_items(),
            digest=source.digest,
            settings=settings,
            instead_of=check.replaced_positions,
            known_ids=known_jobs,
        )
        with suppress(JournalError):  # The rows are sent all the same.
            learn_match(check, workspace)
        check.mark_sent(run.job_id)
        self._start(workspace, check.declaration, run)
        return run.job_id

    def resume(
        self, workspace: Workspace, declaration: ImportDeclaration, job_id: int, *, retry: bool | Sequence[int] = False
    ) -> None:
        """Resume a job. With `retry`, failed items are resent, all or at some positions."""
        run = workspace.journal.ledger.resume(workspace.actor, job_id, retry=retry)
        if run is not None:
            self._start(workspace, declaration, run)
        else:
            self._wake(job_id)

    def request_state(self, workspace: Workspace, job_id: int, state: Literal["paused", "stopped"]) -> None:
        """Pause or stop a job of any process after its current calls."""
        workspace.journal.ledger.ask(workspace.actor, job_id, state)
        self._wake(job_id)

    def reconcile(self, workspace: Workspace, declaration: ImportDeclaration, job_id: int) -> int:
        """Find the status of Unknown items by reads, and return how many were resolved."""
        ledger, sending = workspace.journal.ledger, declaration.sending
        if sending is None or sending.reconcile is None:
            return 0
        unknown = ledger.items(job_id, ["unknown"])
        number = 0
        try:
            for start in range(0, len(unknown), sending.reconcile_size):
                self._checked[job_id] = (start, len(unknown))
                found = sending.reconcile(workspace.client, Batch(unknown[start : start + sending.reconcile_size]))
                _follow_up(workspace, sending, unknown, found)
                number += ledger.resolve(workspace.actor, job_id, found)
        finally:
            self._checked.pop(job_id, None)
        if number:
            _record_result(workspace, job_id)
        return number

    def count_checked(self, job_id: int) -> tuple[int, int]:
        """Return how many Unknown items `reconcile` has checked, and how many it checks in all."""
        return self._checked.get(job_id, (0, 0))

    def set_status(
        self, workspace: Workspace, job_id: int, *, is_done: bool, positions: Collection[int] | None = None
    ) -> int:
        """Set the status of Unknown items, all or at some positions, and return how many were changed."""
        ledger = workspace.journal.ledger
        status = ItemStatus("done") if is_done else ItemStatus("failed", reasons={"": MARKED_NOT_DONE})
        unknown = ledger.items(job_id, ["unknown"])
        changes = {item.position: status for item in unknown if positions is None or item.position in positions}
        number = ledger.resolve(workspace.actor, job_id, changes)
        if number:
            _record_result(workspace, job_id)
        return number

    def status_message(self, job_id: int) -> str:
        """Return what the job waits for, or ""."""
        runner = self._runners.get(job_id)
        return runner.message if runner is not None else ""

    def wait(self, job_id: int, timeout: float | None = None) -> bool:
        """Wait for the job to end in this process, and return whether it has."""
        runner = self._runners.get(job_id)
        return runner is None or runner.wait(timeout)

    def halt(self, timeout: float) -> None:
        """Release every job after its current calls, when the process stops."""
        with self._lock:
            runners = list(self._runners.values())
        for runner in runners:
            runner.halt()
        for runner in runners:
            runner.wait(timeout)

    def _start(self, workspace: Workspace, declaration: ImportDeclaration, run: Run) -> None:
        if declaration.sending is None:
            raise ValueError(f"{declaration.kind} declares no sending")
        runner = _Runner(workspace, declaration, declaration.sending, run)
        with self._lock:
            self._runners = {id_: each for id_, each in self._runners.items() if not each.wait(0)}
            self._runners[run.job_id] = runner
        runner.start()
        runner.wait(self.patience)

    def _wake(self, job_id: int) -> None:
        runner = self._runners.get(job_id)
        if runner is not None:
            runner.wake()


JOBS: Final = Jobs()
"""The jobs of this process."""


def measure_rate(job: Job, now: datetime) -> tuple[float, float] | None:
    """Return the items per second since the job started, and the remaining seconds; None before the first item."""
    number = job.settled - job.run_from
    if job.run_at is None or number <= 0:
        return None
    per_second = number / max((now - job.run_at).total_seconds(), 0.001)
    return per_second, (job.total - job.settled) / per_second


def format_progress(job: Job, now: datetime, sent: str = "") -> str:
    """Return the progress of a job, its failures, its speed, and the remaining time. `sent` says what is counted."""
    parts = [f"{job.settled:,} of {job.total:,} {sent}".rstrip()]
    problem_states: tuple[ItemState, ...] = ("failed", "not sent", "unknown")
    parts += [f"{job.counts[state]:,} {state}" for state in problem_states if job.counts.get(state)]
    # While a job pauses or stops, nothing else will be sent.
    measured = None if job.state in ("paused", "stopped") else measure_rate(job, now)
    if measured is not None:
        per_second, left = measured
        speed = f"{per_second:,.0f} per second" if per_second >= 1 else f"{max(1, 60 * per_second):,.0f} per minute"
        parts += [speed, *([f"{_duration(left)} left"] if left else [])]
    return " · ".join(parts) + "."


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(seconds, 1):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def format_reasons(item: Item, labels: Mapping[str, str]) -> str:
    """Return the reasons of a failure in one line."""
    parts = [
        f"{labels.get(name, name)}: {message}" if name else message
        for name, message in item.status.reasons.items()
        if name != NOTE
    ]
    return " ".join(parts)


def build_result_frame(declaration: ImportDeclaration, job: Job, items: Sequence[Item]) -> pd.DataFrame:
    """Return the rows of items as sent, in the columns of the file, with their status."""
    labels = {column.name: column.label for column in declaration.columns}
    headers = job.settings["headers"]
    rows = [
        [number, *cells, ITEM_STATUSES[item.status.state], item.status.result_id or "", format_reasons(item, labels)]
        for item in items
        for number, cells in item.rows
    ]
    added = ["Status", "ID", "Reason"]
    table = pd.DataFrame(rows, columns=pd.RangeIndex(len(headers) + 4))
    table.columns = pd.Index(["Row", *headers, *added])
    return table


def _describe_job(kind: str, job_id: int, job: Job | None) -> dict[str, Any]:
    """Return the fields of a job's entry in the journal."""
    return {
        "action": f"{kind}.import",
        "subject_kind": kind,
        "subject_id": str(job_id),
        "subject_name": job.name if job else None,
        "request": {"job": job_id, "file": job and job.name, "sha256": job and job.digest},
    }


def _record_result(workspace: Workspace, job_id: int) -> None:
    """Record the result of a job in the journal once no item is Unknown."""
    job = workspace.journal.ledger.job(workspace.actor, job_id)
    if job is not None and not job.counts.get("unknown"):
        record_decision(
            workspace,
            settles=None,
            state=_outcome(job.counts),
            message=_summarize(job.counts),
            **_describe_job(job.kind, job_id, job),
        )


def _summarize(counts: Mapping[ItemState, int]) -> str:
    return " · ".join(f"{counts[each]:,} {message}" for each, message in _SUMMARY_LABELS.items() if counts.get(each))


def _outcome(counts: Mapping[ItemState, int]) -> EntryState:
    """Return the state of a job's entry in the journal."""
    if counts.get("unknown"):
        return "unknown"
    not_sent = counts.get("waiting") or counts.get("not sent")
    if counts.get("failed") or not_sent:
        return "partly done" if counts.get("done") else "refused" if counts.get("failed") else "not sent"
    return "succeeded"
