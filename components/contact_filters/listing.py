"""Reading the organization's contact filters, page after page, and finding one by its id or its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from client import NotFound, ServiceError
from client.models.contact_filters import ContactFilter
from components.contact_filters.comparison import name_of
from components.widgets.ids import id_in

if TYPE_CHECKING:
    from client import ServiceClient
    from client.paging import Page

MAX_AGE: Final = timedelta(minutes=2)
"""How long a list that was read is shown without asking again; somebody else may change it meanwhile."""
_SUGGESTED: Final = 5


@dataclass(frozen=True)
class Listing:
    """The filters as the list tells them; `error` is what kept the rest of them from being read."""

    filters: tuple[ContactFilter, ...]
    read_at: datetime
    error: ServiceError | None = None

    def is_fresh(self, now: datetime) -> bool:
        """Whether it may be shown without asking again; after an error the person asks again."""
        return now - self.read_at < MAX_AGE


def read_listing(client: ServiceClient, on_page: Callable[[str], None]) -> Listing:
    """Read every page; `on_page` is told in words how far it is.

    What was read before a page failed is kept, with the error.
    """
    filters: list[ContactFilter] = []
    try:
        for page in client.contact_filters.list().pages():
            filters.extend(page.items)
            on_page(how_far(page, len(filters)))
    except ServiceError as error:
        return Listing(tuple(filters), datetime.now(UTC), error)
    return Listing(tuple(filters), datetime.now(UTC))


def how_far(page: Page[ContactFilter], read: int) -> str:
    """Say how far the reading is."""
    of = f" of {max(page.total_count, read):,}" if page.total_count else ""
    return f"{read:,}{of} filters read, {page.number:,} {'page' if page.number == 1 else 'pages'}"


def find_one(client: ServiceClient, text: str) -> ContactFilter:
    """Read the filter that a text stands for: a number is tried as an id first, anything as a name.

    Raises `NotFound` where neither is there, and `ServiceError`.
    """
    number = id_in(text)
    if number is not None:
        try:
            return client.contact_filters.retrieve(number)
        except NotFound:
            # A filter may be called by a number.
            return client.contact_filters.retrieve_by_name(text.strip())
    return client.contact_filters.retrieve_by_name(text.strip())


def alike(filters: Iterable[ContactFilter], text: str) -> list[str]:
    """Names that hold the text, or are nearly spelled like it, without regard to case: what may have been meant."""
    wanted = text.strip().casefold()
    names = [name for each in filters if (name := name_of(each))]
    meant = [name for name in names if wanted in name.casefold()]
    if not meant:
        near = get_close_matches(wanted, {name.casefold() for name in names}, _SUGGESTED)
        meant = [name for name in names if name.casefold() in near]
    return meant[:_SUGGESTED]


def called(filters: Iterable[ContactFilter], name: str) -> list[ContactFilter]:
    """The filters of exactly this name."""
    return [each for each in filters if name_of(each) == name.strip()]
