"""The workspace: everything a signed-in person works with, handed by the frame to every page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event
from typing import Any

from client import Connection, ServiceClient
from journal import Actor, Journal


@dataclass(frozen=True)
class Workspace:
    """One person's way to one organization on one service, and this desk's own memory."""

    client: ServiceClient
    connection: Connection
    journal: Journal
    actor: Actor
    service_name: str
    is_demo: bool
    kept: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    """What the person works on and a refreshed tab finds again, by name, for as long as they are signed in."""
    _endings: dict[str, Callable[[], None]] = field(default_factory=dict, repr=False, compare=False)
    _has_ended: Event = field(default_factory=Event, repr=False, compare=False)

    def at_end(self, name: str, action: Callable[[], None]) -> None:
        """Have something done when the last session of this connection ends; at once where this one has ended.

        Another action of the same name takes its place.
        """
        self._endings[name] = action
        if self._has_ended.is_set():
            self.end()

    def end(self) -> None:
        """Do what was asked for the session's end, each thing once."""
        self._has_ended.set()
        while self._endings:
            self._endings.popitem()[1]()

    def leave_to(self, heir: Workspace) -> None:
        """End, and leave what is to be done to another session of this connection, which still uses it."""
        self._has_ended.set()
        heir._endings.update(self._endings)
        heir.kept.update({name: value for name, value in self.kept.items() if name not in heir.kept})
        self._endings.clear()
