"""The names of the organization's notification events and notification categories, read in the background."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Final

from client import ServiceClient
from domain.runtime.background import BackgroundRead
from domain.runtime.server import server
from domain.runtime.workspace import Workspace
from domain.text.plain_text import make_unique

Names = dict[int, str]

EVENTS: Final = "notification_event_id"
CATEGORIES: Final = "category_id"
MAX_AGE: Final = timedelta(minutes=2)
"""The age at which a list is read again. The old list is used until then."""


@dataclass(frozen=True)
class FilingNames:
    """Both lists, which may still be loading."""

    lists: Mapping[str, BackgroundRead[Names]]

    def names(self, name: str) -> Names:
        """Return the names of a list by ID, or an empty dict while it loads."""
        return self.lists[name].value or {}

    @property
    def is_reading(self) -> bool:
        """Whether a list is loading for the first time."""
        return any(each.now.is_running and each.value is None for each in self.lists.values())

    @property
    def version(self) -> tuple[bool, ...]:
        """A value that changes when a list loads or fails."""
        return tuple(so for each in self.lists.values() for so in (each.value is None, each.now.error is None))

    def wait(self, seconds: float) -> None:
        """Wait for lists that are loading for the first time, at most this long since their loading began."""
        for each in self.lists.values():
            if each.value is None:
                each.wait(seconds, since_it_began=True)


def filing_names(workspace: Workspace, *, patience: float = 0.0) -> FilingNames:
    """Return the lists of the user's organization, after waiting at most `patience` seconds. Old lists are read
    again.
    """
    client, reads = workspace.client, server().reads
    found = FilingNames(
        {
            name: reads.open(workspace, ("names", name), partial(_read_names, name, client), max_age=MAX_AGE)
            for name in (EVENTS, CATEGORIES)
        }
    )
    found.wait(patience)
    return found


def names_by_id(records: Iterable[tuple[int | None, str | None]]) -> Names:
    """Return the names by ID in alphabetical order, those without a name last. Equal names include their IDs."""
    found = {number: (name or "").strip() for number, name in records if number is not None}
    labels = make_unique({number: name or f"No name (ID {number})" for number, name in found.items()})
    nameless = {number for number, name in found.items() if not name}
    return dict(sorted(labels.items(), key=lambda item: (item[0] in nameless, item[1].casefold(), item[0])))


def _read_names(name: str, client: ServiceClient, _: object) -> Names:
    if name == EVENTS:
        return names_by_id((each.id, each.name) for each in client.notification_events.list())
    return names_by_id((each.id, each.name) for each in client.notification_categories.list())
