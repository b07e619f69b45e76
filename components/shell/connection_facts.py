"""What the Connection screen says: the facts of the connection, the settings in force without secrets, a round trip."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from client import ServiceError
from components.shell.settings import PROXIES, Settings
from components.shell.state import StateKey
from components.shell.workspace import Workspace


@dataclass(frozen=True)
class SettingInForce:
    """A setting: its name, the value in force as shown, and what it means."""

    name: str
    value: str
    meaning: str


@dataclass(frozen=True)
class RoundTrip:
    """One call to the service: how long it took in milliseconds, or the error it ended with."""

    milliseconds: float
    error: ServiceError | None = None


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


def in_force(settings: Settings) -> list[SettingInForce]:
    """Return one line a setting, with no secret in it."""
    rate = f"{settings.rate_limit:g} requests a second" if settings.rate_limit else f"no limit ({_DEFAULT})"
    idle = f"{settings.session_idle_minutes} min"
    approval = "needed" if settings.alert_approval else "not asked for"
    return [
        SettingInForce("MUSTER_SERVICE_URL", settings.service_url or f"Muster's own ({_DEFAULT})", "Service"),
        SettingInForce("MUSTER_PUBLIC_URL", settings.public_url or _DEFAULT, "Address people open"),
        SettingInForce(PROXIES, settings.trusted_proxies or f"none ({_DEFAULT})", "Proxies whose word is believed"),
        # Where on the server that is, is nobody's business in a browser.
        SettingInForce("MUSTER_DATA_DIR", _data_dir(settings), "This desk's files"),
        SettingInForce("MUSTER_JOURNAL_URL", _journal(settings), "Journal"),
        SettingInForce("MUSTER_RATE_LIMIT", rate, "Pace, per connection"),
        SettingInForce("MUSTER_FAN_OUT", f"{settings.fan_out}", "Requests under way at once"),
        SettingInForce("MUSTER_SESSION_IDLE_MINUTES", idle, "Signed out when idle for"),
        SettingInForce(
            "MUSTER_LOCATION_HEADERS",
            settings.location_headers or f"as the interface ({_DEFAULT})",
            "Headings of locations",
        ),
        SettingInForce("MUSTER_ALERT_APPROVAL", approval, "Public alerts approved by a second person"),
    ]


def _data_dir(settings: Settings) -> str:
    return "in a folder of this installation's choice" if settings.data_dir.is_absolute() else str(settings.data_dir)


def _journal(settings: Settings) -> str:
    if settings.journal_url is None:
        return f"SQLite in the data directory ({_DEFAULT})"
    parts = urlsplit(settings.journal_url.get_secret_value())
    return f"{parts.scheme.partition('+')[0]} at {parts.hostname or 'this computer'}{parts.path}"
