"""Statements that SQLite and PostgreSQL write in ways of their own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, Row, Select, Table, func, select
from sqlalchemy.dialects import postgresql, sqlite

Value = TypeVar("Value")

VALUES_PER_STATEMENT = 500


def upsert(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]], key: Sequence[str] = ()) -> None:
    """Insert rows, or overwrite those with the same unique `key` (the primary one)."""
    if rows:
        keys = list(key) or [column.name for column in table.primary_key]
        statement = _insert(connection, table)
        changed = {name: statement.excluded[name] for name in rows[0] if name not in keys}
        connection.execute(statement.on_conflict_do_update(index_elements=keys, set_=changed), rows)


def insert_if_absent(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows; one that a unique index forbids is left out."""
    if rows:
        connection.execute(_insert(connection, table).on_conflict_do_nothing(), rows)


def chunks(values: Sequence[Value]) -> Iterator[Sequence[Value]]:
    """Values for `IN`, in pieces that every database takes."""
    for start in range(0, len(values), VALUES_PER_STATEMENT):
        yield values[start : start + VALUES_PER_STATEMENT]


def rows_with(
    connection: Connection, statement: Select[Any], column: ColumnElement[Any], values: Iterable[Any]
) -> list[Row[Any]]:
    """Select the rows whose column holds one of these values, which may be more than a statement takes."""
    pieces = chunks(sorted(set(values)))
    return [row for piece in pieces for row in connection.execute(statement.where(column.in_(piece)))]


def advisory_lock(connection: Connection, key: int) -> None:
    """Let one transaction at a time hold `key`, until it ends. SQLite has one writer at a time anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(key)))


def _insert(connection: Connection, table: Table) -> Any:
    return (postgresql if connection.dialect.name == "postgresql" else sqlite).insert(table)
