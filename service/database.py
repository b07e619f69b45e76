"""The one way to the database: a transaction per request, SQLite in WAL mode or PostgreSQL.

SQLite reads run where they are asked for, because they take less time than a change of thread; writes, and everything
on PostgreSQL, run in a worker thread so that the event loop stays free.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import anyio.to_thread
from sqlalchemy import Connection, Engine, create_engine, event, make_url
from sqlalchemy.engine import URL
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

from service.areas import modules_of_areas
from service.schema import ensure_schema
from service.statements import stored_json

Result = TypeVar("Result")

BUSY_SECONDS = 30.0

UNAVAILABLE = (OperationalError, InterfaceError, NoConnectionFree)
"""What is raised while the database is busy or gone: the same may succeed later."""

_IMMEDIATE = {"sqlite_begin": "BEGIN IMMEDIATE"}


class Database:
    """An open database whose tables are at the version of this code."""

    def __init__(self, url: str) -> None:
        self._url = _with_driver(make_url(url))
        self.is_sqlite = self._url.get_backend_name() == "sqlite"
        self._engine = _sqlite_engine(self._url) if self.is_sqlite else _server_engine(self._url)
        self._writing = self._engine.execution_options(**_IMMEDIATE) if self.is_sqlite else self._engine
        self._write_lock = threading.Lock()
        self._reader: tuple[Connection, Any] | None = None
        # The metadata is whole once every area's tables are in it.
        modules_of_areas("schema")
        with self.transaction() as connection:
            ensure_schema(connection)

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A connection in a transaction that may write; committed at the end, rolled back on any exception."""
        if self.is_sqlite:
            # One writer at a time is SQLite's rule; inside one process, waiting in line is cheaper than being busy.
            with self._write_lock, self._writing.begin() as connection:
                yield connection
        else:
            with self._engine.begin() as connection:
                yield connection

    async def read(self, work: Callable[[Connection], Result]) -> Result:
        """Run `work` in a transaction that only reads."""
        if not self.is_sqlite:
            return await anyio.to_thread.run_sync(self._work_in_transaction, work)
        if self._reader is None:
            connection = self._engine.connect().execution_options(sqlite_begin="")
            self._reader = (connection, connection.connection.driver_connection)
        reader, driver = self._reader
        # Said to the driver itself: through the engine, beginning and ending cost more than most reads.
        driver.execute("BEGIN")
        try:
            return work(reader)
        finally:
            driver.execute("COMMIT")

    async def write(self, work: Callable[[Connection], Result]) -> Result:
        """Run `work` in a transaction that may write; it is not abandoned when the caller goes away."""
        return await anyio.to_thread.run_sync(self._work_in_transaction, work)

    def _work_in_transaction(self, work: Callable[[Connection], Result]) -> Result:
        with self.transaction() as connection:
            return work(connection)

    def close(self) -> None:
        """Give back every connection."""
        if self._reader is not None:
            self._reader[0].close()
            self._reader = None
        self._engine.dispose()


def _with_driver(url: URL) -> URL:
    if url.drivername in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    return url


def _server_engine(url: URL) -> Engine:
    return create_engine(
        url, pool_size=20, max_overflow=20, pool_pre_ping=True, json_deserializer=stored_json, hide_parameters=True
    )


def _sqlite_engine(url: URL) -> Engine:
    if url.database and url.database != ":memory:":
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
        # Password hashes and the secret of tokens are in it: for its owner alone, as are the files beside it.
        Path(url.database).touch(mode=0o600)
    else:
        raise ValueError("The service keeps its data: name a database file, such as sqlite:///service.sqlite")
    # Every connection is used by one thread at a time, though not always by the one that opened it.
    engine = create_engine(
        url,
        connect_args={"check_same_thread": False, "timeout": BUSY_SECONDS},
        json_deserializer=stored_json,
        hide_parameters=True,
    )

    @event.listens_for(engine, "connect")
    def prepare(dbapi_connection: sqlite3.Connection, _record: Any) -> None:
        # Transactions are begun below: the driver's own beginning leaves reads outside of any.
        dbapi_connection.isolation_level = None
        dbapi_connection.execute("PRAGMA journal_mode = WAL")
        dbapi_connection.execute("PRAGMA synchronous = FULL")
        dbapi_connection.execute("PRAGMA foreign_keys = ON")
        dbapi_connection.execute("PRAGMA cache_size = -65536")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        statement = connection.get_execution_options().get("sqlite_begin", "BEGIN")
        if statement:
            connection.exec_driver_sql(statement)

    return engine
