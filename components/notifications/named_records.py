"""Events and categories alike: reading all of them, counting what is filed under each, and creating one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Final

from client import ServiceError
from client.fan_out import fan_out
from components.change.recorded import recorded

if TYPE_CHECKING:
    from client import ServiceClient
    from client.models.notification_categories import NotificationCategory
    from client.models.notification_events import NotificationEvent
    from client.models.results import CreationResult
    from components.shell.workspace import Workspace

    Record = NotificationEvent | NotificationCategory

MAX_AGE: Final = timedelta(minutes=2)
"""How long what was read is shown without asking again; somebody else may add to it meanwhile."""
LOOKED_THROUGH: Final = 50
"""Pages of notifications that are gone through to count what is filed under categories, the newest first."""
_WIDTH: Final = 8


@dataclass(frozen=True)
class Uses:
    """How many notifications are filed under each id; `of_newest` is how many were looked through, None for all.

    `error` is why they could not be counted.
    """

    counts: Mapping[int, int] = field(default_factory=dict)
    of_newest: int | None = None
    error: ServiceError | None = None

    def of(self, record_id: int | None) -> int | None:
        """How many are filed under one; None where that is not known."""
        if self.error is not None or record_id is None:
            return None
        return self.counts.get(record_id)


@dataclass(frozen=True)
class NamedRecords:
    """The records as they were read, with their uses; `total` is how many the service says there are."""

    records: tuple[Record, ...]
    uses: Uses
    read_at: datetime
    total: int | None = None

    def is_fresh(self, now: datetime) -> bool:
        """Whether they may be shown without asking again."""
        return now - self.read_at < MAX_AGE

    @property
    def untold(self) -> int:
        """How many more there are than the service's one page tells."""
        return max(0, (self.total or 0) - len(self.records))


@dataclass(frozen=True)
class Filing:
    """What notifications are filed under: its words, its calls, and how its uses are counted."""

    noun: str
    nouns: str
    action: str
    read: Callable[[ServiceClient], tuple[list[Record], int | None]]
    create: Callable[[ServiceClient, str], CreationResult]
    count: Callable[[ServiceClient, Sequence[int]], Uses]


def read(client: ServiceClient, filing: Filing) -> NamedRecords:
    """Read them all and count their uses. Raises `ServiceError` where the records cannot be read."""
    records, total = filing.read(client)
    uses = filing.count(client, [record.id for record in records if record.id is not None])
    return NamedRecords(tuple(records), uses, datetime.now(UTC), total)


def create(workspace: Workspace, filing: Filing, name: str) -> CreationResult:
    """Create one, written into the journal before and after. Raises `ServiceError`; never repeated."""
    wanted = name.strip()
    return recorded(
        workspace,
        filing.action,
        subject_kind=filing.action.partition(".")[0],
        subject_id=None,
        subject_name=wanted,
        request={"name": wanted},
        call=lambda: filing.create(workspace.client, wanted),
    )


def name_problem(name: str, records: Iterable[Record], noun: str) -> str | None:
    """What keeps a name from being sent: nothing typed, or a record of that name, whatever its case."""
    wanted = name.strip()
    if not wanted:
        return f"Give the {noun} a name."
    twin = next((record.name for record in records if _same(record.name, wanted)), None)
    if twin is None:
        return None
    return f"There is one called “{twin}” already: use that, or choose another name."


def _same(one: str | None, other: str) -> bool:
    return " ".join((one or "").casefold().split()) == " ".join(other.casefold().split())


def _read_events(client: ServiceClient) -> tuple[list[Record], int | None]:
    page = client.notification_events.list()
    return list(page.items), page.total_count


def _read_categories(client: ServiceClient) -> tuple[list[Record], int | None]:
    return list(client.notification_categories.list()), None


def count_by_event(client: ServiceClient, ids: Sequence[int]) -> Uses:
    """Ask the list of notifications for each event: its total is the count."""
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
    """Go through the newest notifications: the interface has no way to ask for those of a category."""
    found: Counter[int] = Counter(dict.fromkeys(ids, 0))
    looked, is_complete = 0, True
    try:
        for page in islice(client.notifications.list().pages(), LOOKED_THROUGH):
            looked += len(page.items)
            found.update(each.category_id for each in page.items if each.category_id is not None)
            is_complete = not (page.has_next and page.items)
    except ServiceError as error:
        return Uses(error=error)
    return Uses(dict(found), of_newest=None if is_complete else looked)


EVENTS: Final = Filing(
    noun="event",
    nouns="events",
    action="notification_event.create",
    read=_read_events,
    create=lambda client, name: client.notification_events.create(name=name),
    count=count_by_event,
)
CATEGORIES: Final = Filing(
    noun="category",
    nouns="categories",
    action="notification_category.create",
    read=_read_categories,
    create=lambda client, name: client.notification_categories.create(name=name),
    count=count_by_category,
)
