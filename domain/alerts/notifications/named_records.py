"""Notification events and notification categories: list them, count their notifications, and create one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import timedelta
from itertools import islice
from typing import Final, TypeAlias

from client import OutcomeUnknown, ServiceClient, ServiceError
from client.fan_out import fan_out
from client.models.notification_categories import NotificationCategory
from client.models.notification_events import NotificationEvent
from client.models.results import CreationResult
from domain.edits.edit import DuplicateRecordError
from domain.edits.journaled_calls import call_with_journal, classify_outcome, resolve_entry
from domain.runtime.workspace import Workspace
from domain.tables.loaded_records import LoadedRecords
from domain.text.plain_text import count
from journal import Entry, EntryFilters

Record: TypeAlias = NotificationEvent | NotificationCategory
LOOKED_THROUGH: Final = 50
"""The number of pages of the newest notifications that are read to count those of each category."""
NAMELESS: Final = "No name"
_WIDTH: Final = 8
_CLOCKS_APART: Final = timedelta(minutes=2)
"""The largest difference between the service's clock and Muster's that is tolerated."""


@dataclass(frozen=True)
class Uses:
    """The number of notifications of each record.

    `of_newest` is how many notifications were read, or None for all. `error` is why they could not be counted. Both are
    empty during the first count.
    """

    counts: Mapping[int, int] = field(default_factory=dict)
    of_newest: int | None = None
    error: Exception | None = None
    is_counting: bool = False

    def of(self, record_id: int | None) -> int | None:
        """Return the number of notifications of a record, or None if it is unknown."""
        return None if self.error is not None or record_id is None else self.counts.get(record_id)

    @property
    def newest_words(self) -> str:
        """Say that only the newest notifications were counted, if so."""
        return f" of the newest {self.of_newest:,}" if self.of_newest is not None else ""


@dataclass(frozen=True)
class FiledRecord:
    """A notification event or category. `counted` has the counts of all of them."""

    record: Record
    count_uses_now: Callable[[], Uses] = Uses

    @property
    def id(self) -> str:
        """The ID as text."""
        return "" if self.record.id is None else str(self.record.id)

    @property
    def uses(self) -> Uses:
        """The counts so far."""
        return self.count_uses_now()

    @property
    def times_used(self) -> int | None:
        """The number of its notifications, or None if it is unknown."""
        return self.uses.of(self.record.id)

    @property
    def uses_words(self) -> str:
        """Return the number of its notifications as text."""
        uses, newest = self.times_used, self.uses.newest_words
        if self.uses.is_counting:
            return "Counting the notifications…"
        if uses is None:
            return "The number of notifications is unknown."
        if not uses:
            return f"No notifications{newest}."
        return f"{count(uses, 'notification', 'notifications')}{newest}."


class NamedRecordKind(ABC):
    """A kind of record that notifications belong to. Each kind is a subclass."""

    noun: tuple[str, str]

    @abstractmethod
    def list_all(self, client: ServiceClient) -> tuple[Sequence[Record], int | None]:
        """Read the records, and their total if the service gives it."""

    @abstractmethod
    def retrieve(self, client: ServiceClient, record_id: int) -> Record:
        """Read one record."""

    @abstractmethod
    def send(self, client: ServiceClient, name: str) -> CreationResult:
        """Create a record with this name."""

    @abstractmethod
    def count_uses(self, client: ServiceClient, ids: Sequence[int]) -> Uses:
        """Count the notifications of each ID."""

    @property
    def subject_kind(self) -> str:
        """The kind of subject in the journal."""
        return f"notification_{self.noun[0]}"

    @property
    def action(self) -> str:
        """The action of the journal entry that creates one."""
        return f"{self.subject_kind}.create"


def read_records(
    client: ServiceClient, kind: NamedRecordKind, count_of: Callable[[Sequence[int]], Callable[[], Uses]]
) -> LoadedRecords[FiledRecord]:
    """Read all records, by name, those without a name last.

    `count_of` starts to count the notifications of their IDs. Raises `ServiceError`.
    """
    records, total = kind.list_all(client)
    counted = count_of([record.id for record in records if record.id is not None])
    in_order = sorted(records, key=lambda each: (each.name is None, (each.name or "").casefold()))
    return LoadedRecords([FiledRecord(record, counted) for record in in_order], total)


def answer_words(listed: LoadedRecords[FiledRecord], kind: NamedRecordKind) -> str:
    """Return the number of records and of their notifications as text."""
    parts = [count(len(listed.records), *kind.noun)]
    untold = (listed.total or 0) - len(listed.records)
    if untold > 0:
        parts.append(f"{untold:,} more not shown by the service")
    uses = listed.records[0].uses if listed.records else Uses()
    if uses.is_counting:
        parts.append("counting notifications")
    elif uses.error is None:
        filed = sum(uses.counts.values())
        parts.append(f"{count(filed, 'notification', 'notifications')}{uses.newest_words}")
    return " · ".join(parts)


def create(workspace: Workspace, kind: NamedRecordKind, name: str) -> CreationResult | Record:
    """Create a record, with a journal entry. If the response is lost, search for the record by its name.

    If an earlier attempt with this name is Unknown, it is checked first. Never sends twice. Raises `ServiceError`, and
    `DuplicateRecordError` if the name existed before.
    """
    if _unknown_entries(workspace, kind, name):
        try:
            found = _find_created(workspace, kind, name)
        except ServiceError as error:
            raise OutcomeUnknown(error.message, request=error.request) from error
        if found is not None:
            return found
    try:
        made: CreationResult = call_with_journal(
            workspace,
            kind.action,
            subject_kind=kind.subject_kind,
            subject_id=None,
            subject_name=name,
            request={"name": name},
            call=lambda: kind.send(workspace.client, name),
        )
    except ServiceError as error:
        if classify_outcome(error) == "unknown":
            with suppress(ServiceError):
                if found := _find_created(workspace, kind, name):
                    return found
        raise
    if made.id is None:
        # The service returns no ID of a new category (interface: Notification categories).
        with suppress(ServiceError):
            return _find_created(workspace, kind, name) or made
    return made


def _unknown_entries(workspace: Workspace, kind: NamedRecordKind, name: str) -> list[Entry]:
    """Return the journal entries of this name with status Unknown."""
    audit, actor = workspace.journal.audit, workspace.actor
    filters = EntryFilters(action=kind.action, state="unknown", text=name)
    found = audit.list(actor.service, actor.organization_id, filters=filters)
    return [entry for entry in found if entry.subject_name == name]


def _find_created(workspace: Workspace, kind: NamedRecordKind, name: str) -> Record | None:
    """Return the service's record of this name, and mark Unknown entries as done.

    If the record is older than the first attempt, that attempt was refused, and `DuplicateRecordError` is raised.
    """
    there = next((each for each in kind.list_all(workspace.client)[0] if each.name == name), None)
    if there is None:
        return None
    number, lost = None if there.id is None else str(there.id), _unknown_entries(workspace, kind, name)
    if lost and there.created_date is not None and there.created_date < min(each.at for each in lost) - _CLOCKS_APART:
        by = f" by {there.created_name}" if there.created_name else ""
        words = f"“{name}” already exists, created{by}. Use it, or enter another name."
        for entry in lost:
            resolve_entry(
                workspace, entry, "refused", message="The response was lost. A record with this name existed before."
            )
        raise DuplicateRecordError(there, words)
    for entry in lost:
        resolve_entry(
            workspace,
            entry,
            "succeeded",
            subject_id=number,
            message="The response was lost. Muster found the record.",
        )
    return there


def name_problem(name: str, other_names: Iterable[str | None]) -> str | None:
    """Return the error of a new name: empty, or used by another record, ignoring case."""
    if not name.strip():
        return "Enter a name."
    twin = next((each for each in other_names if each is not None and _bare(each) == _bare(name)), None)
    if twin is None:
        return None
    return f"“{twin}” already exists. Use it, or enter another name."


def _bare(name: str) -> str:
    return " ".join(name.casefold().split())


def count_by_event(client: ServiceClient, ids: Sequence[int]) -> Uses:
    """Count the notifications of each event: the total of the list filtered by it."""
    counts: dict[int, int] = {}
    for outcome in fan_out(lambda number: client.notifications.list(notification_event_id=number), ids, width=_WIDTH):
        if isinstance(outcome.error, ServiceError):
            return Uses(error=outcome.error)
        if outcome.error is not None:
            raise outcome.error
        page = outcome.value
        if page is not None and (page.total_count is not None or not page.has_next):
            counts[outcome.item] = page.total_count if page.total_count is not None else len(page.items)
    return Uses(counts)


def count_by_category(client: ServiceClient, ids: Sequence[int]) -> Uses:
    """Count the newest notifications by category. The interface has no filter for categories."""
    found: Counter[int] = Counter(dict.fromkeys(ids, 0))
    number, is_complete = 0, True
    try:
        for page in islice(client.notifications.list().pages(), LOOKED_THROUGH):
            number += len(page.items)
            found.update(each.category_id for each in page.items if each.category_id is not None)
            is_complete = not (page.has_next and page.items)
    except ServiceError as error:
        return Uses(error=error)
    return Uses(dict(found), of_newest=None if is_complete else number)


class EventKind(NamedRecordKind):
    """Notification events."""

    noun = ("event", "events")

    def list_all(self, client: ServiceClient) -> tuple[Sequence[Record], int | None]:
        """Read the first page, which is all that the service lists, and the total."""
        page = client.notification_events.list()
        return page.items, page.total_count

    def retrieve(self, client: ServiceClient, record_id: int) -> Record:
        """Read one event."""
        return client.notification_events.retrieve(record_id)

    def send(self, client: ServiceClient, name: str) -> CreationResult:
        """Create an event with this name."""
        return client.notification_events.create(name=name)

    def count_uses(self, client: ServiceClient, ids: Sequence[int]) -> Uses:
        """Count the notifications of each event."""
        return count_by_event(client, ids)


class CategoryKind(NamedRecordKind):
    """Notification categories."""

    noun = ("category", "categories")

    def list_all(self, client: ServiceClient) -> tuple[Sequence[Record], int | None]:
        """Read all categories."""
        return list(client.notification_categories.list()), None

    def retrieve(self, client: ServiceClient, record_id: int) -> Record:
        """Read one category."""
        return client.notification_categories.retrieve(record_id)

    def send(self, client: ServiceClient, name: str) -> CreationResult:
        """Create a category with this name."""
        return client.notification_categories.create(name=name)

    def count_uses(self, client: ServiceClient, ids: Sequence[int]) -> Uses:
        """Count the notifications of each category."""
        return count_by_category(client, ids)


EVENT: Final = EventKind()
CATEGORY: Final = CategoryKind()
