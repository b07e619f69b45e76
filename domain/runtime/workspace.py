"""The workspace: everything a signed-in person works with, handed by the frame to every page."""

from __future__ import annotations

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
    has_ended: Event = field(default_factory=Event, repr=False, compare=False)
    """Set once no session of this connection is left: what is read for a run that goes on is kept no more."""
