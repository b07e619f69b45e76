"""The structure of a database, to compare a migrated one with what the code declares."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, MetaData, inspect, text

from storage.engines import open_engine
from storage.migrations import upgrade


def structure(connection: Connection, metadata: MetaData) -> dict[str, Any]:
    """Return the columns, keys, and indexes of each existing table of the metadata, and on SQLite its CREATE
    statement.
    """
    inspector = inspect(connection)
    return {
        table: {
            "columns": {
                column["name"]: (str(column["type"]), *(column.get(key) for key in ("nullable", "default", "identity")))
                for column in inspector.get_columns(table)
            },
            "primary key": inspector.get_pk_constraint(table)["constrained_columns"],
            "foreign keys": sorted(
                (key["constrained_columns"], key["referred_table"], key["referred_columns"], str(key["options"]))
                for key in inspector.get_foreign_keys(table)
            ),
            "unique": sorted(sorted(key["column_names"]) for key in inspector.get_unique_constraints(table)),
            "indexes": {
                index["name"]: (index["column_names"], bool(index["unique"]), _where(index.get("dialect_options", {})))
                for index in inspector.get_indexes(table)
            },
            "create statement": _create_statement(connection, table),
        }
        for table in inspector.get_table_names()
        if table in metadata.tables
    }


def declared_structure(connection: Connection, metadata: MetaData) -> dict[str, Any]:
    """Return the structure that the metadata alone creates in this database. Roll back its transaction afterwards."""
    metadata.drop_all(connection)
    metadata.create_all(connection)
    return structure(connection, metadata)


def earlier_versions(steps: Path) -> list[str]:
    """Return the versions before the last that these steps lead to."""
    return [step.name.partition("_")[0] for step in _in_order(steps)[:-1]]


def make_at(url: str, steps: Path, version: str, *, name: str, folder: Path) -> None:
    """Create a database of an earlier version. `folder` must be empty."""
    for step in _in_order(steps):
        shutil.copy(step, folder)
        if step.name.startswith(f"{version}_"):
            break
    engine = open_engine(url, busy_seconds=15, connections=2)
    upgrade(engine, folder, name=name)
    engine.dispose()


def _in_order(steps: Path) -> list[Path]:
    return sorted(steps.glob("v*.py"), key=lambda step: int(step.name.partition("_")[0][1:]))


def _where(options: Any) -> str:
    return str(options.get("sqlite_where", options.get("postgresql_where", "")))


def _create_statement(connection: Connection, table: str) -> str:
    if connection.dialect.name != "sqlite":
        return ""
    query = text("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = :name")
    statement = str(connection.execute(query, {"name": table}).scalar_one()).replace('"', "")
    # SQLite adds a column with other spaces than those of a new table.
    return " ".join(re.sub(r"\s*([(),])\s*", r"\1 ", statement).split())
