"""What the Connection screen says: the facts of the connection, the settings in force without secrets, a round trip."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final
from urllib.parse import urlsplit

from client import ServiceError
from components.shell.state import StateKey
from domain.runtime.settings import PROXIES, Settings
from domain.runtime.workspace import Workspace


@dataclass(frozen=True)
class RoundTrip:
    """One call to the service: how long it took in milliseconds, or the error it ended with, and when that was."""

    milliseconds: float
    error: ServiceError | None = None
    at: datetime = field(default_factory=lambda: datetime.now(UTC))


LAST_ROUND_TRIP: Final = StateKey[RoundTrip | None]("connection.round_trip", lambda: None)


def facts(workspace: Workspace, *, version: str) -> dict[str, str]:
    """Return who is connected to what, by name."""
    connection = workspace.connection
    return {
        "Service": workspace.service_name,
        "Base URL": f"`{connection.base_url}`",
        "Organization": str(connection.organization_id),
        "User": connection.username,
        "Muster": f"version {version}",
    }


def measure(check: Callable[[], None], *, clock: Callable[[], float] = time.perf_counter) -> RoundTrip:
    """Make one cheap call and time it."""
    started = clock()
    try:
        check()
    except ServiceError as error:
        return RoundTrip((clock() - started) * 1000, error)
    return RoundTrip((clock() - started) * 1000)


_DEFAULT: Final = "not set"


def in_force(settings: Settings) -> list[tuple[str, str, str]]:
    """Return what a setting means, the value in force as shown, and its name, a line a setting; no secret is in it."""
    rate = f"{settings.rate_limit:g} requests a second" if settings.rate_limit else f"no limit ({_DEFAULT})"
    headings = settings.location_headers or f"as the interface ({_DEFAULT})"
    approval = "needed" if settings.alert_approval else "not asked for"
    return [
        ("Service", settings.service_url or f"Muster's own ({_DEFAULT})", "MUSTER_SERVICE_URL"),
        ("Address people open", settings.public_url or _DEFAULT, "MUSTER_PUBLIC_URL"),
        ("Proxies whose word is believed", settings.trusted_proxies or f"none ({_DEFAULT})", PROXIES),
        # Where on the server that is, is nobody's business in a browser.
        ("This desk's files", _data_dir(settings), "MUSTER_DATA_DIR"),
        ("Journal", _journal(settings), "MUSTER_JOURNAL_URL"),
        ("Pace, per connection", rate, "MUSTER_RATE_LIMIT"),
        ("Requests under way at once", f"{settings.fan_out}", "MUSTER_FAN_OUT"),
        ("Signed out when idle for", f"{settings.session_idle_minutes} min", "MUSTER_SESSION_IDLE_MINUTES"),
        ("Headings of locations", headings, "MUSTER_LOCATION_HEADERS"),
        ("Public alerts approved by a second person", approval, "MUSTER_ALERT_APPROVAL"),
    ]


def _data_dir(settings: Settings) -> str:
    return "in a folder of this installation's choice" if settings.data_dir.is_absolute() else str(settings.data_dir)


def _journal(settings: Settings) -> str:
    if settings.journal_url is None:
        return f"SQLite in the data directory ({_DEFAULT})"
    parts = urlsplit(settings.journal_url.get_secret_value())
    return f"{parts.scheme.partition('+')[0]} at {parts.hostname or 'this computer'}{parts.path}"
