"""The names a notification is filed under: the organization's events and categories.

Each list is read in the background, so that a service that does not answer holds up nobody who writes.
"""

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
from domain.text.plain_text import told_apart

Names = dict[int, str]

EVENTS: Final = "notification_event_id"
CATEGORIES: Final = "category_id"
FRESH_FOR: Final = timedelta(minutes=2)
"""How old a list may be before it is read anew, the old one standing meanwhile."""


@dataclass(frozen=True)
class FilingNames:
    """Both lists as they are being read."""

    lists: Mapping[str, BackgroundRead[Names]]

    def names(self, name: str) -> Names:
        """The names of a list by id, as far as they are known."""
        return self.lists[name].value or {}

    @property
    def is_reading(self) -> bool:
        """Whether any list is being read that is not there yet."""
        return any(each.now.is_running and each.value is None for each in self.lists.values())

    @property
    def version(self) -> tuple[bool, ...]:
        """Changes with whatever a screen draws of both: a list is there, or could not be read."""
        return tuple(so for each in self.lists.values() for so in (each.value is None, each.now.error is None))

    def wait(self, seconds: float) -> None:
        """Wait for the lists that are not there yet, at most so long since they began to be read."""
        for each in self.lists.values():
            if each.value is None:
                each.wait(seconds, since_it_began=True)


def filing_names(workspace: Workspace, *, patience: float = 0.0) -> FilingNames:
    """The lists of this person's organization, read where they were not or long ago; wait so many seconds at most."""
    client, reads = workspace.client, server().reads
    found = FilingNames(
        {
            name: reads.open(workspace, ("names", name), partial(_read, name, client), good_for=FRESH_FOR)
            for name in (EVENTS, CATEGORIES)
        }
    )
    found.wait(patience)
    return found


def named(records: Iterable[tuple[int | None, str | None]]) -> Names:
    """Names by id, in the order of the alphabet; those without a name come last, and equal names carry their ids."""
    found = {number: (name or "").strip() for number, name in records if number is not None}
    labels = told_apart({number: name or f"No name (ID {number})" for number, name in found.items()})
    nameless = {number for number, name in found.items() if not name}
    return dict(sorted(labels.items(), key=lambda item: (item[0] in nameless, item[1].casefold(), item[0])))


def _read(name: str, client: ServiceClient, _: object) -> Names:
    if name == EVENTS:
        return named((each.id, each.name) for each in client.notification_events.list())
    return named((each.id, each.name) for each in client.notification_categories.list())
