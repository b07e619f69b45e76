"""The records of the ledger: jobs, items, and their status."""

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
"""The key in an item's reasons of its note, such as the service's ID of its batch."""
NOT_SENT: Final = "Stopped before it was sent."
MARKED_NOT_DONE: Final = "Someone checked and found that nothing was changed."
ENDED: Final[tuple[ItemState, ...]] = ("done", "failed", "not sent", "unknown")


class LedgerChanged(JournalError):
    """The items of a job have changed, so that the action is not possible any more."""


class NewItem(NamedTuple):
    """An item to send: its payload, the rows of the file that it stands for, its label, and its batch group."""

    payload: Mapping[str, Any]
    rows: Sequence[tuple[int, Sequence[str]]] = ()
    label: str = ""
    batch_group: str = ""


@dataclass(frozen=True)
class ItemStatus:
    """The status of an item. `reasons` are by column, "" for the whole item."""

    state: ItemState
    result_id: str | None = None
    reasons: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Item:
    """An item of a job. `payload_text` and `rows_text` are its stored JSON, which can be sent unchanged.

    `at` is the time of its last change of status. Items of a batch whose response was lost have the same.
    """

    position: int
    batch_group: str
    label: str
    payload_text: str
    rows_text: str
    status: ItemStatus
    at: datetime | None = None

    @cached_property
    def payload(self) -> dict[str, Any]:
        """The payload that is sent."""
        value: dict[str, Any] = json.loads(self.payload_text)
        return value

    @cached_property
    def rows(self) -> list[tuple[int, list[str]]]:
        """The rows of the file, by number, with their cells."""
        return [(number, cells) for number, cells in json.loads(self.rows_text)]

    @property
    def note(self) -> str | None:
        """The note that was made while it was under way, or None."""
        return self.status.reasons.get(NOTE)


@dataclass(frozen=True)
class Done:
    """An item that was done: the kind of its job, its payload, its ID at the service, its user, and the time."""

    kind: str
    payload: dict[str, Any]
    result_id: str | None
    by: str
    at: datetime


@dataclass(frozen=True)
class Sent:
    """An item that was sent, with any status: the kind of its job, its user, and the time of its status."""

    kind: str
    by: str
    at: datetime
    item: Item


@dataclass(frozen=True)
class Job:
    """A job. `counts` are its items by status; `run_from` is how many had ended when it last began to run.

    `batch_groups` are the items by batch group at the start; empty for old jobs.
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
    batch_groups: Mapping[str, int] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """The number of items, without those that a later job replaced."""
        return sum(self.counts.values()) - self.counts.get("replaced", 0)

    @property
    def settled(self) -> int:
        """The number of items that have ended: done, failed, not sent, or unknown."""
        return sum(self.counts.get(state, 0) for state in ENDED)


@dataclass(frozen=True)
class Run:
    """The right to work on a job, until another process takes it over."""

    job_id: int
    owner: str
