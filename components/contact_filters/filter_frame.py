"""The organization's contact filters: read, found by id or name, and what the list tells of one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from client import NotFound, ServiceError
from client.models.contact_filters import ContactFilter
from components.contact_filters.comparison import changed_at, name_of
from components.records.declared import Listed
from components.widgets.ids import id_in
from components.widgets.number_text import count
from components.widgets.time_text import moment

if TYPE_CHECKING:
    from client import ServiceClient
    from components.records.declared import Tell

NOT_TOLD: Final = "not told"
BY_NAME: Final = "name:"
_BY_PLACE: Final = "row:"
_SUGGESTED: Final = 5


@dataclass(frozen=True)
class ListedFilter:
    """A filter, and what it is known by: its id, else its name, else only its place in the list."""

    key: str
    stored: ContactFilter

    @property
    def name(self) -> str:
        """What it is called."""
        return name_of(self.stored) or "A filter without a name"


def key_of(contact_filter: ContactFilter, position: int = 0) -> str:
    """What a filter of the list is known by."""
    if contact_filter.id:
        return str(contact_filter.id)
    name = name_of(contact_filter)
    return f"{BY_NAME}{name}" if name else f"{_BY_PLACE}{position}"


def by_name(filters: Iterable[ContactFilter]) -> list[ListedFilter]:
    """The filters of the list in the order of their names, those without one last; of two alike the first."""
    known: dict[str, ContactFilter] = {}
    for position, each in enumerate(filters):
        known.setdefault(key_of(each, position), each)
    listed = [ListedFilter(key, stored) for key, stored in known.items()]
    return sorted(listed, key=lambda each: (not name_of(each.stored), (name_of(each.stored) or "").casefold()))


def key_called(listed: Iterable[ListedFilter], name: str) -> str:
    """What an address means by a name: the one filter that has it, if it is one."""
    named = [each.key for each in listed if name_of(each.stored) == name.strip()]
    return named[0] if len(named) == 1 else f"{BY_NAME}{name.strip()}"


def rule_count(contact_filter: ContactFilter) -> int | None:
    """How many rules it has; None where the record does not tell."""
    # ASSUMPTION A83: a filter has at least one rule, so a record of the list with none of them leaves them out.
    return len(contact_filter.rules) or None


def changed_by(contact_filter: ContactFilter) -> str | None:
    """Who changed it last; the number of the user where only that is told."""
    if contact_filter.last_modified_name:
        return contact_filter.last_modified_name
    return f"user {contact_filter.last_modified_id}" if contact_filter.last_modified_id else None


def last_change(stored: ContactFilter, now: datetime | None = None) -> str:
    """Say who changed a filter last and when, as far as it is told."""
    at, by = changed_at(stored), changed_by(stored)
    if at is None and by is None:
        return f"who changed it last, and when, is {NOT_TOLD}"
    when = f" on {moment(at, now=now)}" if at is not None else f", when is {NOT_TOLD}"
    return f"last changed by {by or 'somebody'}{when}"


def answer(listed: Iterable[ListedFilter], now: datetime) -> str:
    """Say in one line how many there are, and what was changed last."""
    filters = [each.stored for each in listed]
    said = count(len(filters), "filter", "filters")
    dated = [(at, each) for each in filters if (at := changed_at(each)) is not None]
    if not dated:
        return said
    at, latest = max(dated, key=lambda each: each[0])
    by = f" by {changed_by(latest)}" if changed_by(latest) else ""
    called = f" “{name_of(latest)}”" if name_of(latest) else ""
    return f"{said} · the latest change:{called}{by}, {moment(at, now=now)}"


def read_filters(client: ServiceClient, tell: Tell) -> Listed[ListedFilter]:
    """Read every page, saying how far it is.

    What was read before a page failed is kept, with the error. Raises `ServiceError` where nothing was.
    """
    filters: list[ContactFilter] = []
    try:
        for page in client.contact_filters.list().pages():
            filters.extend(page.items)
            tell(len(filters), page.total_count)
    except ServiceError as error:
        if not filters:
            raise
        return Listed(by_name(filters), error=error)
    return Listed(by_name(filters))


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
