"""Access to the database: reads and writes in transactions, on SQLite in WAL mode or on PostgreSQL."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar

import anyio.to_thread
from sqlalchemy import Connection
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

from storage.engines import open_engine, writer
from storage.migrations import upgrade

Result = TypeVar("Result")
Given = ParamSpec("Given")
Work = Callable[Concatenate[Connection, Given], Result]
"""Work done within one transaction. It receives the connection and further arguments."""

BUSY_SECONDS = 30.0

_READERS, _WRITERS = 10, 20
# One more for work without a request, such as processing uploads.
_CONNECTIONS = _READERS + _WRITERS + 2

UNAVAILABLE = (OperationalError, InterfaceError, NoConnectionFree)
"""Errors while the database is busy or unavailable. A retry may succeed."""


class Database:
    """An open database with the tables of this version. Raises NewerDatabase if a later version of the service wrote
    it.
    """

    def __init__(self, url: str) -> None:
        self._engine = open_engine(url, busy_seconds=BUSY_SECONDS, connections=_CONNECTIONS)
        self.is_sqlite = self._engine.dialect.name == "sqlite"
        self._writer = writer(self._engine)
        self._write_lock = threading.Lock()
        # SQLite has one writer at a time. The others wait without occupying a thread.
        self._readers = anyio.CapacityLimiter(_READERS)
        self._writers = anyio.CapacityLimiter(1 if self.is_sqlite else _WRITERS)
        try:
            upgrade(self._engine, Path(__file__).parent / "migrations", name="service")
        except BaseException:
            self.close()
            raise

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """Open a transaction that may write. It is committed at the end, or rolled back after an exception."""
        if self.is_sqlite:
            # SQLite allows one writer at a time. Waiting in a queue within the process is cheaper than retrying.
            with self._write_lock, self._writer.begin() as connection:
                yield connection
        else:
            with self._engine.begin() as connection:
                yield connection

    async def read(self, work: Work[Given, Result], *given: Given.args, **named: Given.kwargs) -> Result:
        """Run work in a read-only transaction."""

        def read() -> Result:
            with self._engine.begin() as connection:
                return work(connection, *given, **named)

        return await anyio.to_thread.run_sync(read, limiter=self._readers)

    async def look_up(self, work: Work[Given, Result], *given: Given.args, **named: Given.kwargs) -> Result:
        """Run a read of few rows through an index. On SQLite it takes less time than the way to a thread and back."""
        if not self.is_sqlite:
            return await self.read(work, *given, **named)
        with self._engine.begin() as connection:
            return work(connection, *given, **named)

    async def write(self, work: Work[Given, Result], *given: Given.args, **named: Given.kwargs) -> Result:
        """Run work in a transaction that may write, and commit. It continues if the caller disconnects."""

        def write() -> Result:
            with self.transaction() as connection:
                return work(connection, *given, **named)

        return await anyio.to_thread.run_sync(write, limiter=self._writers)

    def close(self) -> None:
        """Close every connection."""
        self._engine.dispose()
