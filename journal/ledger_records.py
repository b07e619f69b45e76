"""What the ledger holds and returns: jobs, their items, and what became of each."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from journal.journal_errors import JournalError

ItemState: TypeAlias = Literal["waiting", "under way", "done", "failed", "not sent", "unknown", "replaced"]
JobState: TypeAlias = Literal["running", "paused", "stopped", "done", "cut off"]
NOTE: Final = "@"
"""Where the reasons of an item hold what was noted while it was under way, such as the service's name of its batch."""
NOT_SENT: Final = "Stopped before it was sent."
SAID_NOT_DONE: Final = "A person says that nothing came of it."
ENDED: Final[tuple[ItemState, ...]] = ("done", "failed", "not sent", "unknown")


class LedgerChanged(JournalError):
    """What was to be done with a job's items cannot be done any more: somebody else did it, or something else."""


class NewItem(NamedTuple):
    """What is to be sent: the payload, the rows of the file it stands for, and which lot it may share a batch with."""

    payload: Mapping[str, Any]
    rows: Sequence[tuple[int, Sequence[str]]] = ()
    label: str = ""
    lot: str = ""


@dataclass(frozen=True)
class Fate:
    """What became of an item; `reasons` by the name of a column, "" for the item as a whole."""

    state: ItemState
    result_id: str | None = None
    reasons: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Item:
    """One item of a job; `payload_text` and `rows_text` are the JSON that is kept: it can be sent as it is.

    `at` is when its state last changed: items of one batch whose response was lost have the same.
    """

    position: int
    lot: str
    label: str
    payload_text: str
    rows_text: str
    fate: Fate
    at: datetime | None = None

    @cached_property
    def payload(self) -> dict[str, Any]:
        """What is sent of it."""
        value: dict[str, Any] = json.loads(self.payload_text)
        return value

    @cached_property
    def rows(self) -> list[tuple[int, list[str]]]:
        """Its rows of the file, by number, with their cells."""
        return [(number, cells) for number, cells in json.loads(self.rows_text)]

    @property
    def note(self) -> str | None:
        """What was noted while it was under way; None where nothing was."""
        return self.fate.reasons.get(NOTE)


@dataclass(frozen=True)
class Done:
    """An item that was done: in which kind of job, what was sent, what it is called now, by whom and when."""

    kind: str
    payload: dict[str, Any]
    result_id: str | None
    by: str
    at: datetime


@dataclass(frozen=True)
class Sent:
    """An item that was sent, whatever became of it: in which kind of job, by whom, and when it came to its fate."""

    kind: str
    by: str
    at: datetime
    item: Item


@dataclass(frozen=True)
class Job:
    """One job; `counts` says how many items are in each state, `run_from` how many had an end when it began to run.

    `lots` says how many items of each lot it began with; empty for a job from before that was noted.
    """

    id: int
    kind: str
    name: str
    digest: str
    settings: dict[str, Any]
    created_by: str
    created_at: datetime
    finished_at: datetime | None
    state: JobState
    is_owned: bool
    message: str | None
    run_at: datetime | None
    run_from: int
    counts: Mapping[ItemState, int]
    lots: Mapping[str, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """How many items there are, without those that a later job took over."""
        return sum(self.counts.values()) - self.counts.get("replaced", 0)

    @property
    def settled(self) -> int:
        """How many items have an end: done, failed, not sent, or unknown."""
        return sum(self.counts.get(state, 0) for state in ENDED)


@dataclass(frozen=True)
class Run:
    """The right to work on a job, until somebody else takes it over."""

    job_id: int
    owner: str
