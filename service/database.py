"""The one way to the database: a transaction per request, in a thread, on SQLite in WAL mode or on PostgreSQL."""

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
"""What is done within one transaction, with its connection and whatever else is given."""

BUSY_SECONDS = 30.0

_READERS, _WRITERS = 10, 20
# One more for whoever works without a request, as uploads are worked off.
_CONNECTIONS = _READERS + _WRITERS + 2

UNAVAILABLE = (OperationalError, InterfaceError, NoConnectionFree)
"""What is raised while the database is busy or gone: the same may succeed later."""


class Database:
    """An open database whose tables are at the version of this code.

    Raises NewerDatabase where a later version of the service wrote it.
    """

    def __init__(self, url: str) -> None:
        self._engine = open_engine(url, busy_seconds=BUSY_SECONDS, connections=_CONNECTIONS)
        self.is_sqlite = self._engine.dialect.name == "sqlite"
        self._writer = writer(self._engine)
        self._write_lock = threading.Lock()
        # SQLite has one writer at a time: the others wait without a thread.
        self._readers = anyio.CapacityLimiter(_READERS)
        self._writers = anyio.CapacityLimiter(1 if self.is_sqlite else _WRITERS)
        try:
            upgrade(self._engine, Path(__file__).parent / "migrations", name="service")
        except BaseException:
            self.close()
            raise

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A connection in a transaction that may write; committed at the end, rolled back on any exception."""
        if self.is_sqlite:
            # One writer at a time is SQLite's rule; inside one process, waiting in line is cheaper than being busy.
            with self._write_lock, self._writer.begin() as connection:
                yield connection
        else:
            with self._engine.begin() as connection:
                yield connection

    async def read(self, work: Work[Given, Result], *given: Given.args, **named: Given.kwargs) -> Result:
        """Do work in a transaction that only reads."""

        def read() -> Result:
            with self._engine.begin() as connection:
                return work(connection, *given, **named)

        return await anyio.to_thread.run_sync(read, limiter=self._readers)

    async def write(self, work: Work[Given, Result], *given: Given.args, **named: Given.kwargs) -> Result:
        """Do work in a transaction that may write, and commit; it is not abandoned when the caller goes away."""

        def write() -> Result:
            with self.transaction() as connection:
                return work(connection, *given, **named)

        return await anyio.to_thread.run_sync(write, limiter=self._writers)

    def close(self) -> None:
        """Give back every connection."""
        self._engine.dispose()
