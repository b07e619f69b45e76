"""What the Connection screen remembers between runs."""

from __future__ import annotations

from typing import Final

from components.shell.connection_facts import RoundTrip
from components.shell.state import StateKey

LAST_ROUND_TRIP: Final = StateKey[RoundTrip | None]("connection.round_trip", lambda: None)
