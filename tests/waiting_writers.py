"""Two writers on one PostgreSQL row: detect that the second waits for the first."""

from __future__ import annotations

import threading
import time

from sqlalchemy import Connection, text

_WAITING = text("SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))")
_PATIENCE_SECONDS = 60.0


def wait_until_another_waits(connection: Connection) -> None:
    """Return as soon as another transaction waits for this one; at once on SQLite, where every writer waits anyway."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while connection.dialect.name == "postgresql" and not connection.execute(_WAITING).scalar_one():
        assert time.monotonic() < deadline, "no transaction waits for this one"
        threading.Event().wait(0.005)
