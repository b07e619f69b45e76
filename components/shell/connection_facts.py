"""Facts on the Connection screen: the connection, the settings without secrets, and a timed call."""

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
from domain.text.plain_text import count


@dataclass(frozen=True)
class RoundTrip:
    """A timed call to the service: its duration in milliseconds, the error it ended with, and its time."""

    milliseconds: float
    error: ServiceError | None = None
    at: datetime = field(default_factory=lambda: datetime.now(UTC))


LAST_ROUND_TRIP: Final = StateKey[RoundTrip | None]("connection.round_trip", lambda: None)


def facts(workspace: Workspace, *, version: str) -> dict[str, str]:
    """Return the facts of the connection by label."""
    connection = workspace.connection
    return {
        "Service": workspace.service_name,
        "Base URL": f"`{connection.base_url}`",
        "Organization": str(connection.organization_id),
        "User": connection.username,
        "Muster": f"version {version}",
    }


def measure(check: Callable[[], None], *, clock: Callable[[], float] = time.perf_counter) -> RoundTrip:
    """Time one small call."""
    started = clock()
    try:
        check()
    except ServiceError as error:
        return RoundTrip((clock() - started) * 1000, error)
    return RoundTrip((clock() - started) * 1000)


_DEFAULT: Final = "not set"


def list_settings(settings: Settings) -> list[tuple[str, str, str]]:
    """Return each setting as (label, current value, name), without secrets."""
    rate = f"{settings.rate_limit:g} requests per second" if settings.rate_limit else f"no limit ({_DEFAULT})"
    headings = settings.location_headers or f"standard names ({_DEFAULT})"
    approval = "required" if settings.alert_approval else "not required"
    demo = "offered" if settings.demo_sign_in else "not offered"
    http = "allowed" if settings.allow_http else "not allowed"
    return [
        ("Service", settings.service_url or f"Muster’s own ({_DEFAULT})", "MUSTER_SERVICE_URL"),
        ("Public URL", settings.public_url or _DEFAULT, "MUSTER_PUBLIC_URL"),
        ("Unencrypted connection to another machine", http, "MUSTER_ALLOW_HTTP"),
        ("Sign-in to the demo organization without a password", demo, "MUSTER_DEMO_SIGN_IN"),
        ("Trusted proxies", settings.trusted_proxies or f"none ({_DEFAULT})", PROXIES),
        # The path on the server is not shown in the browser.
        ("Muster’s files", _data_dir(settings), "MUSTER_DATA_DIR"),
        ("Journal", _journal(settings), "MUSTER_JOURNAL_URL"),
        ("Request rate per connection", rate, "MUSTER_RATE_LIMIT"),
        ("Parallel requests", f"{settings.fan_out}", "MUSTER_FAN_OUT"),
        ("Sign-out after inactivity", f"{settings.session_idle_minutes} minutes", "MUSTER_SESSION_IDLE_MINUTES"),
        ("Longest session", f"{settings.session_max_hours} hours", "MUSTER_SESSION_MAX_HOURS"),
        ("Column headings of location files", headings, "MUSTER_LOCATION_HEADERS"),
        ("Approval of public alerts by a second person", approval, "MUSTER_ALERT_APPROVAL"),
        (
            "Number of residents above which an alert needs a second confirmation",
            f"{settings.alert_many_people:,}",
            "MUSTER_ALERT_MANY_PEOPLE",
        ),
        (
            "Personal data is removed after",
            "never" if settings.retention_days is None else count(settings.retention_days, "day", "days"),
            "MUSTER_RETENTION_DAYS",
        ),
    ]


def _data_dir(settings: Settings) -> str:
    return "in a folder that the administrator set" if settings.data_dir.is_absolute() else str(settings.data_dir)


def _journal(settings: Settings) -> str:
    if settings.journal_url is None:
        return f"SQLite in the data folder ({_DEFAULT})"
    parts = urlsplit(settings.journal_url.get_secret_value())
    return f"{parts.scheme.partition('+')[0]} at {parts.hostname or 'this computer'}{parts.path}"
