"""The journal's database, SQLite or PostgreSQL, opened for reading and for writing."""

from __future__ import annotations

import fcntl
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Final, TypeVar

from sqlalchemy import ColumnElement, Connection, Row, Table, and_, func, select
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, NotSupportedError, ProgrammingError
from sqlalchemy.exc import TimeoutError as NoConnectionFree

from journal.journal_errors import JournalError, JournalTooNew, JournalUnavailable
from storage.engines import UnsupportedDatabase, open_engine, writer
from storage.migrations import NewerDatabase, upgrade

V = TypeVar("V")

BUSY_TIMEOUT_SECONDS: Final = 15

_CONNECTIONS: Final = 20
_LOCK_NUMBER: Final = 7_737_737
"""Of PostgreSQL's advisory locks, which programs choose."""

# Of a statement, not of the database it was put to.
_OF_A_STATEMENT: Final = (DataError, IntegrityError, NotSupportedError, ProgrammingError)
_LOCKED: Final = f"was locked by another program for {BUSY_TIMEOUT_SECONDS} seconds"
_FULL: Final = "has no disk space left"
_GONE: Final = "cannot be reached"
# By the beginning of SQLite's name for the error, or of PostgreSQL's code.
_CAUSES: Final = {
    "SQLITE_BUSY": _LOCKED,
    "SQLITE_LOCKED": _LOCKED,
    "SQLITE_FULL": _FULL,
    "SQLITE_READONLY": "is read-only",
    "SQLITE_CANTOPEN": "cannot be opened",
    "SQLITE_IOERR": "had a disk error",
    "SQLITE_CORRUPT": "is damaged",
    "SQLITE_NOTADB": "is a file of another format",
    "SQLITE": "cannot be used",
    "53100": _FULL,
    "53300": "accepts no more connections",
    "25006": "is read-only",
    "55P03": _LOCKED,
    "40P01": _LOCKED,
}


class Database:
    """An engine on which a writing transaction takes its lock at the start, on both databases."""

    def __init__(self, url: str) -> None:
        try:
            with _in_its_own_words():
                self._engine = open_engine(url, busy_seconds=BUSY_TIMEOUT_SECONDS, connections=_CONNECTIONS)
        except UnsupportedDatabase as error:
            raise JournalError(f"Muster cannot use the journal’s database: {error}") from None
        self._writer = writer(self._engine)
        self._lock: IO[bytes] | Connection | None = None

    def bring_up_to_date(self) -> None:
        """Create or migrate the tables. Raises JournalTooNew if a newer Muster wrote them, JournalUnavailable."""
        try:
            with _in_its_own_words():
                upgrade(self._engine, Path(__file__).parent / "migrations", name="journal")
        except NewerDatabase as error:
            raise JournalTooNew(
                f"The journal’s database has version {error.found}, but this version of Muster supports "
                f"version {error.known}. Start the newer version of Muster, or set another database."
            ) from None

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Open a connection that sees one consistent state. Raises JournalUnavailable."""
        with _in_its_own_words(), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Open a transaction that is committed at the end, or rolled back if the block raises.

        Raises JournalUnavailable.
        """
        with _in_its_own_words(), self._writer.begin() as connection:
            yield connection

    def lock_out_others(self) -> bool:
        """Return whether this process is the only one that has called this for the database, until `close`.

        The lock ends with the process, however that ends. Raises JournalUnavailable.
        """
        with _in_its_own_words():
            if self._engine.dialect.name == "sqlite":
                file = Path(f"{self._engine.url.database}.lock").open("ab")  # noqa: SIM115 (open while locked)
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    file.close()
                    return False
                self._lock = file
                return True
            connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
            if connection.execute(select(func.pg_try_advisory_lock(_LOCK_NUMBER))).scalar_one():
                self._lock = connection
                return True
            connection.close()
            return False

    def close(self) -> None:
        """Close every pooled connection, and end the lock."""
        if isinstance(self._lock, Connection):
            self._lock.invalidate()  # The pool would keep the session, and with it the lock.
        elif self._lock is not None:
            self._lock.close()
        self._engine.dispose()


def utc_now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


def inserted_id(connection: Connection, table: Table, values: Mapping[str, Any]) -> int:
    """Insert a row and return its ID."""
    key = connection.execute(table.insert().values(values)).inserted_primary_key
    assert key is not None  # noqa: S101 — both databases give the key of a single insert back
    return int(key[0])


def of_organization(table: Table, service: str, organization_id: int) -> ColumnElement[bool]:
    """Return the condition that a row belongs to an organization."""
    return and_(table.c.service == service, table.c.organization_id == organization_id)


def made_of(row: Row[Any], kind: type[V], **instead: Any) -> V:
    """Make a dataclass from the columns with the names of its fields, except for those in `instead`."""
    columns = {each.name for each in fields(kind)} - set(instead)  # type: ignore[arg-type]
    return kind(**{name: row._mapping[name] for name in columns}, **instead)


@contextmanager
def _in_its_own_words() -> Iterator[None]:
    """Raise JournalUnavailable with the cause if the database cannot be used."""
    try:
        yield
    except _OF_A_STATEMENT:
        raise
    except DBAPIError as error:
        raise _unavailable(error.orig) from error
    except (sqlite3.Error, OSError) as error:
        raise _unavailable(error) from error
    except NoConnectionFree as error:
        raise JournalUnavailable("The journal’s database was busy for too long.") from error


def _unavailable(error: BaseException | None) -> JournalUnavailable:
    code = getattr(error, "sqlite_errorname", None) or getattr(error, "sqlstate", None) or ""
    cause = next((words for name, words in _CAUSES.items() if code.startswith(name)), _GONE)
    return JournalUnavailable(f"The journal’s database {cause}.")
