"""Reading the organization's contact filters, page after page, and finding one by its id or its name."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from client import NotFound, ServiceError
from client.models.contact_filters import ContactFilter
from components.contact_filters.comparison import name_of
from components.contact_filters.filter_frame import ListedFilter, by_name
from components.records.declared import Listed
from components.widgets.ids import id_in

if TYPE_CHECKING:
    from client import ServiceClient
    from components.records.declared import Tell

_SUGGESTED: Final = 5


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
