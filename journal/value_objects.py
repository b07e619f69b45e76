"""The values that the journal stores and returns."""

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
    """A user of an organization at a service."""

    service: str
    organization_id: int
    username: str


@dataclass(frozen=True)
class Entry:
    """An entry of the audit trail. Times are in UTC, and `request` and `answer` contain no secrets.

    If its writer died, `state` is "unknown" and `abandoned` is set. `request` and `answer` are None if a list was read
    without them. `is_resolved` says whether an unknown outcome is known by now.
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
    is_resolved: bool = False


@dataclass(frozen=True)
class EntryFilters:
    """Filters of a list of entries; None and empty values mean "all". `since` is inclusive, `until` exclusive."""

    username: str | None = None
    action: str | None = None
    state: EntryState | None = None
    since: datetime | None = None
    until: datetime | None = None
    text: str = ""
    subject_kind: str | None = None
    draft: str | None = None
    """The ID of the draft that an entry sent."""
    is_resolved: bool = False
    """With `state` "unknown": whether to list the resolved entries or the open ones."""


@dataclass(frozen=True)
class Traveler:
    """A traveler of a roster. The service finds the contact by `external_id`."""

    external_id: str
    first_name: str = ""
    last_name: str = ""

    @property
    def name(self) -> str:
        """The name as "Last, First", or the known part of it."""
        return ", ".join(part for part in (self.last_name, self.first_name) if part)


@dataclass(frozen=True)
class RosterEntry:
    """A trip of a roster: its record locator and its known travelers."""

    record_locator: str
    travelers: list[Traveler] = field(default_factory=list)


@dataclass(frozen=True)
class ImportedTrip:
    """A trip that an import added, its ID at the service if known, and when the roster removes it."""

    entry: RosterEntry
    itinerary_id: int | None
    keep_until: datetime


@dataclass(frozen=True)
class LearntEntry:
    """A trip of a stored roster with the itinerary IDs found for it. `looked_up_at` is None before the first search."""

    record_locator: str
    travelers: list[Traveler]
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
        """The trips of this roster in their order."""
        return self._read_entries(self.id)


@dataclass(frozen=True)
class RosterLoad:
    """A load of a roster and its progress. It is "interrupted" if its process died."""

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
