"""Sending what was taken in: a job in the background that the ledger remembers, whatever becomes of tab and process.

Before each call the items of its batch are written down as under way, after it what became of each. What the service
refuses for now (too many requests, an outage) waits and is tried again later; what nobody may send, or nobody answers,
pauses the job. A lost answer leaves its items unknown, and the next batch waits a while; nothing here sends them again.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
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
from domain.file_import.import_declaration import Intake
from domain.file_import.row_sending import Batch, Sending
from domain.text.plain_text import count
from journal import EntryState, Fate, Item, ItemState, Job, JournalError, Run
from journal.ledger_records import NOTE, SAID_NOT_DONE

if TYPE_CHECKING:
    from domain.runtime.workspace import Workspace

_TOLD: Final[dict[ItemState, str]] = {
    "done": "done",
    "failed": "failed",
    "not sent": "not sent",
    "unknown": "with status Unknown",
    "waiting": "not sent yet",
}
STATE_LABELS: Final[dict[ItemState, str]] = {
    "done": "Done",
    "failed": "Failed",
    "not sent": "Not sent",
    "unknown": "Unknown",
    "waiting": "Waiting",
    "under way": "Sending",
    "replaced": "Resent",
}
THERE_ALREADY: Final = "The service already has this record, from an attempt without a response. Its ID is unknown."
FIRST_WAIT: Final = 1.0
LONGEST_WAIT: Final = 60.0
GONE_BEFORE: Final = "The record was already deleted."
MOST_TRIES: Final = 8
"""So many times in a row nothing came of a call before the job pauses."""

_log = logging.getLogger(__name__)


class _Runner:
    """One job that this process is at work on."""

    def __init__(self, workspace: Workspace, intake: Intake, sending: Sending, run: Run) -> None:
        self.run = run
        self.words = ""
        self._workspace = workspace
        self._intake = intake
        self._sending = sending
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._tries = 0
        self._notes: dict[int, str] = {}
        self.is_halted = False
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._work, name=f"job-{run.job_id}", daemon=True)

    def start(self) -> None:
        """Begin to send."""
        self._thread.start()

    def wait(self, timeout: float | None) -> bool:
        """Wait for the work to end, and return whether it has."""
        # Not by joining the thread: Python 3.11 takes it for dead once a signal interrupts that.
        return self._ended.wait(timeout)

    def wake(self) -> None:
        """Look at once whether the job is to go on, instead of waiting for the next try."""
        self._stop.set()

    def halt(self) -> None:
        """Claim nothing more, and give the job back once the calls under way have ended."""
        self.is_halted = True
        self._stop.set()

    def _work(self) -> None:
        audit, actor = self._workspace.journal.audit, self._workspace.actor
        ledger = self._workspace.journal.ledger
        try:
            entry = audit.begin(actor, **_about(self._intake.kind, self.run.job_id, ledger.job(actor, self.run.job_id)))
            self._look_again(ledger.items(self.run.job_id, ["unknown"]))
            while True:
                with ThreadPoolExecutor(self._sending.width, thread_name_prefix=f"job-{self.run.job_id}") as threads:
                    ends = [threads.submit(self._send_batches) for _ in range(self._sending.width)]
                for end in ends:
                    end.result()
                if ledger.end(self.run, is_cut_off=self.is_halted):
                    break
            job = ledger.job(actor, self.run.job_id)
            counts = dict(job.counts) if job else {}
            audit.finish(entry, state=_outcome(counts), answer={"items": counts}, message=_told(counts))
        except JournalError as error:
            # Its lease runs out, and it reads "cut off" from then on.
            _log.error("Job %s ended early: %s", self.run.job_id, error)
        except Exception:  # noqa: BLE001 — a thread has nobody to raise to; the ledger says how far it came
            _log.exception("Job %s ended with an unexpected error.", self.run.job_id)
        finally:
            self._ended.set()

    def _look_again(self, unknown: Sequence[Item]) -> None:
        """Find out what became of what was under way when the process before this one died."""
        look, ledger = self._sending.look, self._workspace.journal.ledger
        if self._sending.is_repeatable:
            again = {item.position: Fate("waiting") for item in unknown}
            ledger.resolve(self._workspace.actor, self.run.job_id, again)
            return
        if not unknown or look is None:
            return
        try:
            found = look(self._workspace.client, Batch(unknown, say=self._say, wait=self._waited))
            _follow_up(self._workspace, self._sending, unknown, found)
            ledger.resolve(self._workspace.actor, self.run.job_id, found)
        except ServiceError as error:
            kind = type(error).__name__
            _log.warning("Job %s could not check rows with status Unknown: %s", self.run.job_id, kind)
        self.words = ""

    def _waited(self, seconds: float) -> bool:
        """Wait; False once the job is not to go on."""
        if self._stop.wait(seconds):
            self._stop.clear()
            job = self._workspace.journal.ledger.job(self._workspace.actor, self.run.job_id)
            return not self.is_halted and job is not None and job.state == "running"
        return True

    def _send_batches(self) -> None:
        ledger = self._workspace.journal.ledger
        while not self.is_halted:
            items = ledger.claim(self.run, self._sending.most)
            if not items:
                return
            batch = Batch(items, self._note, self._say, self._waited)
            fates, wait, message = self._send(batch)
            fates = self._resolve(batch, fates)
            by_position = {item.position: self._noted(item, fate) for item, fate in zip(batch, fates, strict=True)}
            # First: what a crash leaves between the two is looked for as unknown, and followed up then.
            _follow_up(self._workspace, self._sending, batch, by_position)
            ledger.write(self.run, by_position)
            self._sending.forget()
            with self._lock:
                self._tries = 0 if wait is None else self._tries + 1
                if wait is not None and self._tries >= MOST_TRIES:
                    message = message or f"The service failed {MOST_TRIES} times in a row."
                elif wait is not None:
                    message = None
                    wait = max(wait, min(LONGEST_WAIT, FIRST_WAIT * 2 ** (self._tries - 1)))
                    self.words = f"The service is busy. Muster will retry in {count(round(wait), 'second', 'seconds')}."
            if message is not None:
                ledger.ask(self._workspace.actor, self.run.job_id, "paused", message)
                return
            if wait is not None:
                self._stop.wait(wait)
                self._stop.clear()
            self.words = ""

    def _resolve(self, batch: Batch, fates: Sequence[Fate]) -> list[Fate]:
        """Have what may be repeated wait again, and take what is there after a lost response for done."""
        if self._sending.is_repeatable:
            return [Fate("waiting") if fate.state == "unknown" else fate for fate in fates]
        is_there = {
            item.position
            for item, fate in zip(batch, fates, strict=True)
            if fate.state == "failed" and self._sending.is_there(fate)
        }
        if not is_there:
            return list(fates)
        labels = {item.label for item in batch if item.position in is_there}
        lost = self._workspace.journal.ledger_history.find_lost_payloads(
            self._workspace.actor, self._intake.kind, labels
        )
        lost |= {item.payload_text for item in batch if SAID_NOT_DONE in item.fate.reasons.values()}
        return [
            Fate("done", reasons={"": THERE_ALREADY})
            if item.position in is_there and item.payload_text in lost
            else fate
            for item, fate in zip(batch, fates, strict=True)
        ]

    def _note(self, notes: Mapping[int, str]) -> None:
        self._notes.update(notes)
        self._workspace.journal.ledger.note(self.run, notes)

    def _noted(self, item: Item, fate: Fate) -> Fate:
        if fate.state == "waiting":
            return replace(fate, reasons=item.fate.reasons)
        note = self._notes.pop(item.position, None)
        is_unknown = note is not None and fate.state == "unknown"
        return Fate("unknown", None, {**fate.reasons, NOTE: str(note)}) if is_unknown else fate

    def _say(self, words: str) -> None:
        self.words = words

    def _send(self, batch: Batch) -> tuple[Sequence[Fate], float | None, str | None]:
        """What became of each item; how long to wait before the next batch, and why to pause."""
        try:
            fates = self._sending.send(self._workspace.client, batch)
        except ServiceError as error:
            fate, wait, message = judge_error(error)
            return [fate] * len(batch), wait, message
        except Exception as error:  # noqa: BLE001 — whatever it was, something may have been sent
            _log.exception("Sending a batch of job %s ended with an unexpected error.", self.run.job_id)
            message = (
                f"Muster failed while sending ({type(error).__name__}). The rows of this batch have status Unknown."
            )
            return [Fate("unknown")] * len(batch), None, message
        if len(fates) != len(batch):
            return (
                [Fate("unknown")] * len(batch),
                None,
                "The service’s response does not match the batch. Its rows have status Unknown.",
            )
        slows = any(fate.state in ("waiting", "unknown") for fate in fates)
        return fates, FIRST_WAIT if slows else None, None


def _follow_up(workspace: Workspace, sending: Sending, items: Sequence[Item], fates: Mapping[int, Fate]) -> None:
    fate_of = [(item, fate) for item in items if (fate := fates.get(item.position)) is not None]
    done = [(item, fate) for item, fate in fate_of if fate.state == "done"]
    if done:
        sending.follow_up(workspace, done)


def judge_error(error: ServiceError) -> tuple[Fate, float | None, str | None]:
    """What an error says of every item of a batch, how long to wait before the next, and why to pause."""
    if isinstance(error, NotAuthenticated | NotAllowed | ProxyAuthenticationRequired | ClientClosed):
        return Fate("waiting"), None, f"{error.message} This batch was not sent."
    if isinstance(error, TooManyRequests | ConnectionFailed | ServiceFailed):
        return Fate("waiting"), error.retry_after or FIRST_WAIT, None
    if isinstance(error, Rejected):
        return Fate("failed", reasons={"": error.message}), None, None
    return Fate("unknown"), FIRST_WAIT, None


def fates_of(
    outcome: BatchOutcome | AssetBatchOutcome,
    size: int,
    reasons: Callable[[Any], Mapping[str, str]] = lambda failure: {"": failure.message},
) -> list[Fate]:
    """The fates of a batch's items as the client tells them apart; what was not attempted waits.

    `reasons` says of a failure why, by column.
    """
    fates = [Fate("unknown")] * size
    for success in outcome.succeeded:
        fates[success.row] = Fate("done", None if success.id is None else str(success.id))
    for failure in outcome.failed:
        fates[failure.row] = Fate("failed", reasons=reasons(failure))
    for row in outcome.not_attempted:
        fates[row] = Fate("waiting")
    return fates


def gone_is_done(fates: Iterable[Fate]) -> list[Fate]:
    """The fates of what was to be deleted: what the service did not find was gone before, and that is done."""

    def is_gone(fate: Fate) -> bool:
        return fate.state == "failed" and any("not found" in words.casefold() for words in fate.reasons.values())

    return [Fate("done", reasons={"": GONE_BEFORE}) if is_gone(fate) else fate for fate in fates]


class Jobs:
    """The jobs that this process is at work on. Thread-safe."""

    patience: float = 0.5
    """How many seconds whoever begins a job waits for its end, so that a short one shows no waiting."""

    def __init__(self, *, patience: float | None = None) -> None:
        self._lock = threading.Lock()
        self._runners: dict[int, _Runner] = {}
        if patience is not None:
            self.patience = patience

    def begin(self, workspace: Workspace, check: Check, *, known: Collection[int] | None = None) -> int:
        """Write the rows that are ready down as a job, and begin it; return its id.

        Raises JournalError, and then nothing is sent; LedgerChanged where they stand for rows of an earlier job that
        somebody sent again meanwhile, or there is a job of this file beside those that are `known`.
        """
        source = check.source
        settings = {"headers": check.headers, "columns": check.headings_of, "reading": vars(check.settled)}
        settings |= {"about": dict(check.about)} if check.about else {}
        run = workspace.journal.ledger.begin(
            workspace.actor,
            check.intake.kind,
            source.name,
            check.to_send(),
            digest=source.digest,
            settings=settings,
            instead_of=check.replaces,
            known=known,
        )
        check.hand_over(run.job_id)
        self._start(workspace, check.intake, run)
        return run.job_id

    def resume(self, workspace: Workspace, intake: Intake, job_id: int, *, retry: bool | Sequence[int] = False) -> None:
        """Go on with a job that nobody works on; with `retry`, what failed is sent again, all or at some positions."""
        run = workspace.journal.ledger.resume(workspace.actor, job_id, retry=retry)
        if run is not None:
            self._start(workspace, intake, run)
        else:
            self._wake(job_id)

    def ask(self, workspace: Workspace, job_id: int, state: Literal["paused", "stopped"]) -> None:
        """Have a job pause or stop once the calls under way have ended, whichever process it is in."""
        workspace.journal.ledger.ask(workspace.actor, job_id, state)
        self._wake(job_id)

    def look(self, workspace: Workspace, intake: Intake, job_id: int) -> int:
        """Find out what became of the items whose fate is unknown, by reads only; return how many were settled."""
        ledger, sending = workspace.journal.ledger, intake.sending
        if sending is None or sending.look is None:
            return 0
        unknown = ledger.items(job_id, ["unknown"])
        settled = 0
        for start in range(0, len(unknown), sending.looked_at):
            found = sending.look(workspace.client, Batch(unknown[start : start + sending.looked_at]))
            _follow_up(workspace, sending, unknown, found)
            settled += ledger.resolve(workspace.actor, job_id, found)
        if settled:
            _written(workspace, job_id)
        return settled

    def say(self, workspace: Workspace, job_id: int, *, is_done: bool, positions: Collection[int] | None = None) -> int:
        """Settle what is unknown, all or at some positions, as a person says; return how many items were settled."""
        ledger = workspace.journal.ledger
        fate = Fate("done") if is_done else Fate("failed", reasons={"": SAID_NOT_DONE})
        unknown = ledger.items(job_id, ["unknown"])
        chosen = {item.position: fate for item in unknown if positions is None or item.position in positions}
        settled = ledger.resolve(workspace.actor, job_id, chosen)
        if settled:
            _written(workspace, job_id)
        return settled

    def words(self, job_id: int) -> str:
        """What the job is waiting for, where it is; "" otherwise."""
        runner = self._runners.get(job_id)
        return runner.words if runner is not None else ""

    def wait(self, job_id: int, timeout: float | None = None) -> bool:
        """Wait for the job's work in this process to end, and tell whether it has."""
        runner = self._runners.get(job_id)
        return runner is None or runner.wait(timeout)

    def halt(self, timeout: float) -> None:
        """Give every job back once its calls under way have ended, as when the process stops."""
        with self._lock:
            runners = list(self._runners.values())
        for runner in runners:
            runner.halt()
        for runner in runners:
            runner.wait(timeout)

    def _start(self, workspace: Workspace, intake: Intake, run: Run) -> None:
        if intake.sending is None:
            raise ValueError(f"{intake.kind} declares no sending")
        runner = _Runner(workspace, intake, intake.sending, run)
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
"""Those of this process."""


def rate(job: Job, now: datetime) -> tuple[float, float] | None:
    """How many items a second came to an end since the job began to run, and the seconds left; None before any did."""
    settled = job.settled - job.run_from
    if job.run_at is None or settled <= 0:
        return None
    a_second = settled / max((now - job.run_at).total_seconds(), 0.001)
    return a_second, (job.total - job.settled) / a_second


def progress_words(job: Job, now: datetime) -> str:
    """How far a job is, how much of that went wrong, how fast, and how long it will take."""
    parts = [f"{job.settled:,} of {job.total:,}"]
    wrong: tuple[ItemState, ...] = ("failed", "not sent", "unknown")
    parts += [f"{job.counts[state]:,} {state}" for state in wrong if job.counts.get(state)]
    measured = rate(job, now)
    if measured is not None:
        a_second, left = measured
        speed = f"{a_second:,.0f} per second" if a_second >= 1 else f"{max(1, 60 * a_second):,.0f} per minute"
        parts += [speed, *([f"{_duration(left)} left"] if left else [])]
    return " · ".join(parts) + "."


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{max(seconds, 1):.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def reasons(item: Item, labels: Mapping[str, str]) -> str:
    """Why an item failed, in one line."""
    parts = [
        f"{labels.get(name, name)}: {words}" if name else words
        for name, words in item.fate.reasons.items()
        if name != NOTE
    ]
    return " ".join(parts)


def as_frame(intake: Intake, job: Job, items: Sequence[Item]) -> pd.DataFrame:
    """The rows of items in the file's columns, each as it was sent, with what became of it."""
    labels = {column.name: column.label for column in intake.columns}
    headers = job.settings["headers"]
    rows = [
        [number, *cells, STATE_LABELS[item.fate.state], item.fate.result_id or "", reasons(item, labels)]
        for item in items
        for number, cells in item.rows
    ]
    added = ["Outcome", "Id", "Reason"]
    table = pd.DataFrame(rows, columns=pd.RangeIndex(len(headers) + 4))
    table.columns = pd.Index(["Row", *headers, *added])
    return table


def _about(kind: str, job_id: int, job: Job | None) -> dict[str, Any]:
    """What the journal is told of the work on a job."""
    return {
        "action": f"{kind}.import",
        "subject_kind": kind,
        "subject_id": str(job_id),
        "subject_name": job.name if job else None,
        "request": {"job": job_id, "file": job and job.name, "sha256": job and job.digest},
    }


def _written(workspace: Workspace, job_id: int) -> None:
    """Write into the journal how a job stands once nothing of it is unknown any more; nothing is sent."""
    job = workspace.journal.ledger.job(workspace.actor, job_id)
    if job is not None and not job.counts.get("unknown"):
        record_decision(
            workspace,
            settles=None,
            state=_outcome(job.counts),
            message=_told(job.counts),
            **_about(job.kind, job_id, job),
        )


def _told(counts: Mapping[ItemState, int]) -> str:
    return " · ".join(f"{counts[each]:,} {words}" for each, words in _TOLD.items() if counts.get(each))


def _outcome(counts: Mapping[ItemState, int]) -> EntryState:
    """How the journal calls the end of a job."""
    if counts.get("unknown"):
        return "unknown"
    not_sent = counts.get("waiting") or counts.get("not sent")
    if counts.get("failed") or not_sent:
        return "partly done" if counts.get("done") else "refused" if counts.get("failed") else "not sent"
    return "succeeded"
