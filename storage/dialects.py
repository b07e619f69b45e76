"""Statements that differ between SQLite and PostgreSQL."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, TypeVar

from sqlalchemy import (
    JSON,
    Column,
    ColumnElement,
    Connection,
    Row,
    Select,
    Subquery,
    Table,
    Text,
    cast,
    func,
    literal,
    select,
)
from sqlalchemy.dialects import postgresql, sqlite

Value = TypeVar("Value")

VALUES_PER_STATEMENT = 500


def upsert(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]], key: Sequence[str] = ()) -> None:
    """Insert rows, or overwrite those with the same unique `key` (by default the primary key)."""
    if rows:
        keys = list(key) or [column.name for column in table.primary_key]
        statement = _insert(connection, table)
        changed = {name: statement.excluded[name] for name in rows[0] if name not in keys}
        connection.execute(statement.on_conflict_do_update(index_elements=keys, set_=changed), rows)


def insert_if_absent(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows, except those that a unique index forbids."""
    if rows:
        connection.execute(_insert(connection, table).on_conflict_do_nothing(), rows)


def chunks(values: Sequence[Value]) -> Iterator[Sequence[Value]]:
    """Yield values for `IN` in chunks that every database accepts."""
    for start in range(0, len(values), VALUES_PER_STATEMENT):
        yield values[start : start + VALUES_PER_STATEMENT]


def rows_with(
    connection: Connection, statement: Select[Any], column: ColumnElement[Any], values: Iterable[Any]
) -> list[Row[Any]]:
    """Select the rows whose column has one of these values, which may exceed the limit of one statement."""
    pieces = chunks(sorted(set(values)))
    return [row for piece in pieces for row in connection.execute(statement.where(column.in_(piece)))]


def insert_many(connection: Connection, columns: Sequence[Column[Any]], rows: Sequence[Sequence[Any]]) -> None:
    """Insert many rows of texts and whole numbers without the cost of processing each value."""
    quote = connection.dialect.identifier_preparer.quote
    names = ", ".join(quote(column.name) for column in columns)
    mark = "%s" if connection.dialect.name == "postgresql" else "?"
    marks = f"({', '.join([mark] * len(columns))})"
    for some in chunks(rows):
        values = ", ".join([marks] * len(some))
        statement = f"INSERT INTO {quote(columns[0].table.name)} ({names}) VALUES {values}"  # noqa: S608 (no value is in it)
        connection.exec_driver_sql(statement, tuple(chain.from_iterable(some)))


def rows_as_table(connection: Connection, columns: Sequence[Column[Any]], rows: Sequence[Sequence[Any]]) -> Subquery:
    """Return rows of texts and whole numbers as a table to update another from, as one value of one statement."""
    text = literal(json.dumps(rows), Text)
    if connection.dialect.name == "postgresql":
        row: ColumnElement[Any] = func.json_array_elements(cast(text, JSON)).column_valued("row")
        cells: list[ColumnElement[Any]] = [row.op("->>")(place) for place in range(len(columns))]
    else:
        row = func.json_each(text).table_valued("value").c.value
        cells = [func.json_extract(row, f"$[{place}]") for place in range(len(columns))]
    named = [cast(cell, column.type).label(column.name) for cell, column in zip(cells, columns, strict=True)]
    # With a limit, SQLite reads them once, before the rows to update, and not again for each.
    return select(*named).limit(len(rows)).subquery()


def advisory_lock(connection: Connection, key: int) -> None:
    """Let one transaction at a time hold `key` until it ends. SQLite has one writer at a time anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(key)))


def _insert(connection: Connection, table: Table) -> Any:
    return (postgresql if connection.dialect.name == "postgresql" else sqlite).insert(table)
