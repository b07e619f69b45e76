"""Opening the journal's database, SQLite or PostgreSQL, and the two ways of using it: reading and writing."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from sqlalchemy import Connection, Engine, Table, create_engine, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, NotSupportedError, ProgrammingError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

from journal.errors import JournalError, JournalUnavailable

BUSY_TIMEOUT_SECONDS: Final = 15
OWNER_ONLY: Final = 0o600

_WRITING: Final = "journal_writing"
_PARAMETERS_PER_STATEMENT: Final = 20_000
_RETRY_SECONDS: Final = 0.02

# Of a statement, not of the database it was put to.
_OF_A_STATEMENT: Final = (DataError, IntegrityError, NotSupportedError, ProgrammingError)
_LOCKED: Final = f"stayed locked by another program for {BUSY_TIMEOUT_SECONDS} seconds"
_FULL: Final = "has no room left on its disk"
_GONE: Final = "cannot be reached"
# By the beginning of SQLite's name for the error, or of PostgreSQL's code.
_CAUSES: Final = {
    "SQLITE_BUSY": _LOCKED,
    "SQLITE_LOCKED": _LOCKED,
    "SQLITE_FULL": _FULL,
    "SQLITE_READONLY": "can be read only",
    "SQLITE_CANTOPEN": "cannot be opened",
    "SQLITE_IOERR": "cannot be read from its disk, or written to it",
    "SQLITE_CORRUPT": "is damaged",
    "SQLITE_NOTADB": "is in a file that holds something else",
    "SQLITE": "cannot be used",
    "53100": _FULL,
    "53300": "takes no more connections",
    "25006": "can be read only",
    "55P03": _LOCKED,
    "40P01": _LOCKED,
}


class Database:
    """An engine with one habit on both databases: a write takes its lock at once, or waits for it."""

    def __init__(self, url: str) -> None:
        self.url: URL = _with_driver(make_url(url))
        with _in_its_own_words():
            self._engine: Engine = _sqlite_engine(self.url) if self.is_sqlite else _postgresql_engine(self.url)
        self._writer = self._engine.execution_options(**{_WRITING: True})

    @property
    def is_sqlite(self) -> bool:
        """Tell a SQLite file from a PostgreSQL server."""
        return self.url.get_backend_name() == "sqlite"

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a connection that sees one consistent state. Raises JournalUnavailable."""
        with _in_its_own_words(), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Give a connection in a transaction that is committed at the end, or rolled back when the block raises.

        Raises JournalUnavailable.
        """
        with _in_its_own_words(), self._writer.begin() as connection:
            yield connection

    def upsert(
        self, connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]], key: Sequence[str] = ()
    ) -> None:
        """Insert rows, or overwrite those with the same unique `key` (the primary one); no two of `rows` share it."""
        if not rows:
            return
        dialect = sqlite if self.is_sqlite else postgresql
        keys = list(key) or [column.name for column in table.primary_key]
        step = max(1, _PARAMETERS_PER_STATEMENT // len(rows[0]))
        for start in range(0, len(rows), step):
            statement = dialect.insert(table).values([dict(row) for row in rows[start : start + step]])
            changed = {name: statement.excluded[name] for name in rows[0] if name not in keys}
            connection.execute(statement.on_conflict_do_update(index_elements=keys, set_=changed))

    def close(self) -> None:
        """Close every pooled connection."""
        self._engine.dispose()


def utc_now() -> datetime:
    """Tell the time, aware, in UTC."""
    return datetime.now(UTC)


@contextmanager
def _in_its_own_words() -> Iterator[None]:
    """Raise JournalUnavailable, with the cause, for a database that cannot be used."""
    try:
        yield
    except _OF_A_STATEMENT:
        raise
    except DBAPIError as error:
        raise _unavailable(error.orig) from error
    except (sqlite3.Error, OSError) as error:
        raise _unavailable(error) from error
    except NoConnectionFree as error:
        raise JournalUnavailable("The journal's database was busy for too long.") from error


def _unavailable(error: BaseException | None) -> JournalUnavailable:
    code = getattr(error, "sqlite_errorname", None) or getattr(error, "sqlstate", None) or ""
    cause = next((words for name, words in _CAUSES.items() if code.startswith(name)), _GONE)
    return JournalUnavailable(f"The journal's database {cause}.")


def _with_driver(url: URL) -> URL:
    backend = url.get_backend_name()
    if backend in {"postgresql", "postgres"}:
        return url.set(drivername="postgresql+psycopg")
    if backend != "sqlite":
        raise JournalError(f"The journal works on SQLite and PostgreSQL, not on {backend}.")
    if not url.database or url.database == ":memory:":
        raise JournalError("The journal needs a file: what is kept in memory only would not survive a crash.")
    return url


def _sqlite_engine(url: URL) -> Engine:
    path = Path(url.database or "")
    _make_private(path)
    _use_write_ahead_log(path)
    engine = create_engine(url, connect_args={"timeout": BUSY_TIMEOUT_SECONDS}, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        # The driver's own transaction handling starts none before DDL and takes locks late; `begin` below does both.
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        writing = connection.get_execution_options().get(_WRITING, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")

    return engine


def _make_private(path: Path) -> None:
    """Create the file readable by its owner only; its write-ahead log inherits the mode."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, OWNER_ONLY))
    if path.stat().st_mode & 0o077:
        path.chmod(OWNER_ONLY)


def _use_write_ahead_log(path: Path) -> None:
    """Put a file into WAL mode, in which it stays; SQLite itself does not wait for others who do so just now."""
    deadline = time.monotonic() + BUSY_TIMEOUT_SECONDS
    while True:
        try:
            with closing(sqlite3.connect(path, timeout=BUSY_TIMEOUT_SECONDS)) as connection:
                connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(_RETRY_SECONDS)
        else:
            return


def _postgresql_engine(url: URL) -> Engine:
    return create_engine(url, pool_pre_ping=True, pool_size=5, max_overflow=15, hide_parameters=True)
