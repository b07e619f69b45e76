"""The workspace: everything a signed-in person works with, handed by the frame to every page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

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
    _endings: dict[str, Callable[[], None]] = field(default_factory=dict, repr=False, compare=False)

    def at_end(self, name: str, action: Callable[[], None]) -> None:
        """Have something done when the session ends; another action of the same name takes its place."""
        self._endings[name] = action

    def end(self) -> None:
        """Do what was asked for the session's end, each thing once."""
        while self._endings:
            self._endings.popitem()[1]()
