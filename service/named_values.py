"""SQL of values stored by name, such as the secret of access tokens."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, select

from service.schema import facts
from storage.dialects import insert_if_absent, upsert

# Built once: building a statement takes as long as executing it.
_VALUE = select(facts.c.value).where(facts.c.name == bindparam("name"))


def read(connection: Connection, name: str) -> str | None:
    """Return the value with a name; None if there is none."""
    return connection.execute(_VALUE, {"name": name}).scalar()


def store(connection: Connection, name: str, value: str) -> None:
    """Store a value, replacing the previous one."""
    upsert(connection, facts, [{"name": name, "value": value}])


def store_if_absent(connection: Connection, name: str, value: str) -> str:
    """Store a value unless there is one. Returns the stored one."""
    insert_if_absent(connection, facts, [{"name": name, "value": value}])
    return read(connection, name) or value
