"""Inserts that step aside: the same statement on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insert_if_absent(connection: Connection, table: Table, rows: Sequence[dict[str, Any]]) -> None:
    """Insert rows; one that a unique index forbids is left out."""
    if rows:
        connection.execute(_insert(connection, table).on_conflict_do_nothing(), rows)


def insert_or_replace(connection: Connection, table: Table, rows: Sequence[dict[str, Any]], key: Sequence[str]) -> None:
    """Insert rows; where the unique `key` is taken, the rest of the row there is overwritten."""
    if rows:
        statement = _insert(connection, table)
        others = {name: statement.excluded[name] for name in rows[0] if name not in key}
        connection.execute(statement.on_conflict_do_update(index_elements=list(key), set_=others), rows)


def _insert(connection: Connection, table: Table) -> Any:
    return (postgresql if connection.dialect.name == "postgresql" else sqlite).insert(table)
