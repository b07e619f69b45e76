"""Open a database, a SQLite file or PostgreSQL, so that committed data survives a crash."""

from __future__ import annotations

import os
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import URL

OWNER_ONLY: Final = 0o600

_WRITES: Final = "takes_the_write_lock"
_RETRY_SECONDS: Final = 0.02


class UnsupportedDatabase(ValueError):
    """A database URL that cannot be used; the message says why."""


def open_engine(url: str, *, busy_seconds: float, connections: int) -> Engine:
    """Return the engine of a URL with a limited number of connections. A SQLite file is created if needed.

    A transaction waits `busy_seconds` for another one to release a SQLite file, or locks on PostgreSQL. Raises
    UnsupportedDatabase, `OSError`, or `sqlite3.Error`.
    """
    parsed = make_url(url)
    backend = parsed.get_backend_name()
    if backend in {"postgresql", "postgres"}:
        parsed = parsed.set(drivername="postgresql+psycopg")
        return _postgresql_engine(parsed, busy_seconds, connections)
    if backend != "sqlite":
        raise UnsupportedDatabase(f"It must be a SQLite file or a PostgreSQL database, not {backend}.")
    if not parsed.database or parsed.database == ":memory:":
        raise UnsupportedDatabase("It must be in a file, since a database in memory does not survive a crash.")
    return _sqlite_engine(parsed, busy_seconds, connections)


def writer(engine: Engine) -> Engine:
    """Return the same engine with transactions that take SQLite's write lock at their start, not at their first
    write.
    """
    return engine.execution_options(**{_WRITES: True})


def _postgresql_engine(url: URL, busy_seconds: float, connections: int) -> Engine:
    engine = create_engine(url, pool_size=connections, max_overflow=0, pool_pre_ping=True, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        # Zero would mean waiting forever. Options of the URL stay as they are.
        connection.execute(f"SET lock_timeout = {max(1, round(busy_seconds * 1000))}")
        connection.commit()

    return engine


def _sqlite_engine(url: URL, busy_seconds: float, connections: int) -> Engine:
    path = Path(url.database or "")
    make_private(path)
    _use_write_ahead_log(path, busy_seconds)
    engine = create_engine(
        url, connect_args={"timeout": busy_seconds}, pool_size=connections, max_overflow=0, hide_parameters=True
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        # The driver's own transactions do not start before DDL and lock late; `begin` below fixes both.
        connection.isolation_level = None
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get(_WRITES, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def make_private(path: Path) -> None:
    """Create a file that only its owner can read, or restrict one to its owner. Its write-ahead log inherits the
    mode.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # An existing file is not opened: when a process closes any descriptor of a file, it loses SQLite's locks on it, and
    # the next program that reads the file may delete its write-ahead log.
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, OWNER_ONLY))
    if path.stat().st_mode & 0o077:
        path.chmod(OWNER_ONLY)


def _use_write_ahead_log(path: Path, busy_seconds: float) -> None:
    """Set a file to WAL mode, which is permanent. SQLite does not wait for others that do so at the same time."""
    deadline = time.monotonic() + busy_seconds
    while True:
        try:
            with closing(sqlite3.connect(path, timeout=busy_seconds)) as connection:
                connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(_RETRY_SECONDS)
        else:
            return
