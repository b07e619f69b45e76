"""The workspace: everything that a page needs for the signed-in user."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Event
from typing import Any

from client import Connection, ServiceClient
from journal import Actor, Journal


@dataclass(frozen=True)
class Workspace:
    """A user's client for one organization on one service, and the journal."""

    client: ServiceClient
    connection: Connection
    journal: Journal
    actor: Actor
    service_name: str
    is_demo: bool
    unsaved_work: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    """Work in progress by name that survives a refresh, as long as the user is signed in."""
    has_ended: Event = field(default_factory=Event, repr=False, compare=False)
    """Set when the last session of this connection has ended, so that running reads store nothing."""
