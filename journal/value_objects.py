"""The plain values that go into the journal and come out of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Literal, TypeAlias

EntryState: TypeAlias = Literal["started", "succeeded", "partly done", "refused", "not sent", "unknown"]
LoadState: TypeAlias = Literal["running", "done", "stopped", "failed", "interrupted"]

FINISHED_STATES: Final[tuple[EntryState, ...]] = ("succeeded", "partly done", "refused", "not sent", "unknown")


@dataclass(frozen=True)
class Actor:
    """Who acts, on which service, for which organization."""

    service: str
    organization_id: int
    username: str


@dataclass(frozen=True)
class Entry:
    """One line of the audit trail; times are aware UTC, `request` and `answer` are free of secrets.

    An entry whose writer died reads `state` "unknown" with `abandoned` set. `request` and `answer` are None too where a
    list was asked for without them. `is_settled` says whether what became of one with an unknown outcome is known
    by now.
    """

    id: int
    at: datetime
    finished_at: datetime | None
    actor: Actor
    action: str
    subject_kind: str
    subject_id: str | None
    subject_name: str | None
    request: dict[str, Any] | None
    state: EntryState
    answer: dict[str, Any] | None
    message: str | None
    abandoned: bool = False
    is_settled: bool = False


@dataclass(frozen=True)
class EntryFilters:
    """What a list of entries is narrowed to; None and empty mean "all". `since` is inclusive, `until` exclusive."""

    username: str | None = None
    action: str | None = None
    state: EntryState | None = None
    since: datetime | None = None
    until: datetime | None = None
    text: str = ""
    subject_kind: str | None = None
    is_settled: bool = False
    """With `state` "unknown": those that are known by now, and not those that are still open."""


@dataclass(frozen=True)
class Traveller:
    """A person as a roster knows them; `external_id` is the id by which the service matches people."""

    external_id: str
    first_name: str = ""
    last_name: str = ""

    @property
    def name(self) -> str:
        """Read "Last, First", or whatever half of it is known."""
        return ", ".join(part for part in (self.last_name, self.first_name) if part)


@dataclass(frozen=True)
class RosterEntry:
    """One trip of a roster: its record locator and who is known to travel on it."""

    record_locator: str
    travellers: list[Traveller] = field(default_factory=list)


@dataclass(frozen=True)
class ImportedTrip:
    """A trip that an import added, the service's id where it is known, and until when a roster is to have it."""

    entry: RosterEntry
    itinerary_id: int | None
    keep_until: datetime


@dataclass(frozen=True)
class LearntEntry:
    """One trip of a stored roster and the itinerary ids learnt for it; `looked_up_at` is None until a look-up."""

    record_locator: str
    travellers: list[Traveller]
    itinerary_ids: list[int]
    looked_up_at: datetime | None


@dataclass(frozen=True)
class Roster:
    """A named list of record locators of one organization."""

    id: int
    service: str
    organization_id: int
    name: str
    created_by: str
    created_at: datetime
    changed_at: datetime
    entry_count: int
    _read_entries: Callable[[int], list[LearntEntry]] = field(repr=False, compare=False)
    is_default: bool = False
    takes_imports: bool = False

    def entries(self) -> list[LearntEntry]:
        """Read the trips of this roster, in the order they were given."""
        return self._read_entries(self.id)


@dataclass(frozen=True)
class RosterLoad:
    """One run over a roster and how far it is; "interrupted" is a run whose process died."""

    id: int
    roster_id: int
    started_by: str
    started_at: datetime
    finished_at: datetime | None
    total: int
    done: int
    found: int
    not_found: int
    failed: int
    state: LoadState
    message: str | None
