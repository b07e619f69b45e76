"""The names a notification is filed under: the organization's events and categories.

Each list is read in the background, so that a service that does not answer holds up nobody who writes.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from client import ServiceClient

Names = dict[int, str]
Reader = Callable[[], Names]

EVENTS: Final = "notification_event_id"
CATEGORIES: Final = "category_id"
THREAD: Final = "filing-names-"
FRESH_FOR: Final = 120.0
"""Seconds after which a list that was read is read anew, the old one standing meanwhile."""


@dataclass(frozen=True)
class Looked:
    """What is known of one list: its names by id, and whether it is being read or could not be."""

    state: Literal["reading", "there", "failed"]
    names: Mapping[int, str] = field(default_factory=dict)
    error: Exception | None = None


class FilingNames:
    """The lists of one session, each read by a thread of its own."""

    def __init__(
        self, readers: Mapping[str, Reader], *, source: object = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Take what reads each list, and from where; nothing is read before it is asked for."""
        self.source = source
        self._readers = dict(readers)
        self._clock = clock
        self._lock = threading.Lock()
        self._known: dict[str, Looked] = {}
        self._read_at: dict[str, float] = {}
        self._threads: dict[str, threading.Thread] = {}

    def of(self, name: str) -> Looked:
        """What is known of a list at this moment; one that was never read, or long ago, begins to be read."""
        with self._lock:
            known = self._known.get(name)
            age = self._clock() - self._read_at.get(name, float("-inf"))
            if known is None or (known.state == "there" and age > FRESH_FOR):
                self._begin(name)
            return known or Looked("reading")

    @property
    def is_reading(self) -> bool:
        """Whether any list is being read for the first time, or once more after it could not be."""
        with self._lock:
            return any(name not in self._known for name in self._threads)

    def again(self, name: str) -> None:
        """Read a list that could not be read once more."""
        with self._lock:
            self._known.pop(name, None)
            self._begin(name)

    def wait(self, seconds: float) -> None:
        """Begin all lists that were never read, and wait for those that are being read, at most so long in all."""
        until = time.monotonic() + seconds
        for name in self._readers:
            self.of(name)
        for thread in list(self._threads.values()):
            thread.join(max(0.0, until - time.monotonic()))

    def _begin(self, name: str) -> None:
        if name in self._threads:
            return
        self._threads[name] = thread = threading.Thread(
            target=self._read, name=f"{THREAD}{name}", args=(name,), daemon=True
        )
        thread.start()

    def _read(self, name: str) -> None:
        try:
            found = Looked("there", self._readers[name]())
        except Exception as error:  # noqa: BLE001 — whatever it is, it stands at the field, and the alert can be written
            found = Looked("failed", error=error)
        with self._lock:
            before = self._known.get(name)
            # A list that was read once serves on while the service cannot be reached.
            self._known[name] = before if found.state == "failed" and before is not None else found
            self._read_at[name] = self._clock()
            self._threads.pop(name, None)


def filing_names(client: ServiceClient) -> FilingNames:
    """The lists of one organization."""
    return FilingNames(
        {
            EVENTS: lambda: named((each.id, each.name) for each in client.notification_events.list()),
            CATEGORIES: lambda: named((each.id, each.name) for each in client.notification_categories.list()),
        },
        source=client,
    )


def named(records: Iterable[tuple[int | None, str | None]]) -> Names:
    """Names by id, in the order of the alphabet; those without a name come last, and equal names carry their ids."""
    found = [(number, (name or "").strip()) for number, name in records if number is not None]
    times = Counter(name for _, name in found)
    told = {
        number: f"Without a name (id {number})" if not name else f"{name} (id {number})" if times[name] > 1 else name
        for number, name in found
    }
    nameless = {number for number, name in found if not name}
    return dict(sorted(told.items(), key=lambda item: (item[0] in nameless, item[1].casefold(), item[0])))
