"""The workspace: everything a signed-in person works with, handed by the frame to every page."""

from __future__ import annotations

from dataclasses import dataclass

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
