"""Reading the notifications that were sent: a page of them, and one of them wherever it stands."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Final

from client.vocabulary.limits import NOTIFICATION_PAGE_SIZE

if TYPE_CHECKING:
    from client import ServiceClient
    from client.models.notifications import Notification
    from client.paging import Page

MAX_AGE: Final = timedelta(seconds=30)
"""How long a page is shown without asking again; what is being sent changes by itself."""
LOOKED_THROUGH: Final = 30
"""Pages that are gone through for one notification: the interface reads none by its id."""

MOST_IN_A_FILE: Final = 1_000
"""How many a file to take away holds: they are read ten at a time while somebody waits."""


@dataclass(frozen=True)
class Wanted:
    """What the list is narrowed to, and its page."""

    event_id: int | None = None
    only_active: bool = False
    page_number: int = 1


@dataclass(frozen=True)
class SentPage:
    """One page as it was read."""

    wanted: Wanted
    page: Page[Notification]
    read_at: datetime

    def answers(self, wanted: Wanted, now: datetime) -> bool:
        """Whether this is what is wanted, read not long ago."""
        return self.wanted == wanted and now - self.read_at < MAX_AGE

    @property
    def page_size(self) -> int:
        """How many stand on a full page."""
        return self.page.page_size or NOTIFICATION_PAGE_SIZE

    @property
    def total(self) -> int:
        """How many there are; where the service does not tell, at least as many as the pages up to the next."""
        if self.page.total_count is not None:
            return self.page.total_count
        before = (self.wanted.page_number - 1) * self.page_size + len(self.page.items)
        return before + (1 if self.page.has_next else 0)


@dataclass(frozen=True)
class LookedFor:
    """What came of looking for one notification; None where it is not among the newest."""

    number: int
    notification: Notification | None
    looked_at: datetime

    def is_fresh(self, now: datetime) -> bool:
        """Whether it was looked for not long ago: that takes many pages."""
        return now - self.looked_at < MAX_AGE


def read_page(client: ServiceClient, wanted: Wanted) -> SentPage:
    """Read a page. Raises `ServiceError`."""
    page = client.notifications.list(
        notification_event_id=wanted.event_id,
        only_active=True if wanted.only_active else None,
        page_number=wanted.page_number,
    )
    return SentPage(wanted, page, datetime.now(UTC))


def newest(client: ServiceClient, wanted: Wanted) -> list[Notification]:
    """Read what is wanted on all pages, the newest `MOST_IN_A_FILE` of it. Raises `ServiceError`."""
    return list(islice(read_page(client, replace(wanted, page_number=1)).page, MOST_IN_A_FILE))


def find(client: ServiceClient, notification_id: int) -> LookedFor:
    """Look for one among the newest. Raises `ServiceError`."""
    pages = islice(client.notifications.list().pages(), LOOKED_THROUGH)
    newest = (each for page in pages for each in page.items)
    found = next((each for each in newest if each.id == notification_id), None)
    return LookedFor(notification_id, found, datetime.now(UTC))
