"""Values that the service keeps by name, as the secret of access tokens: their SQL."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, select

from service.schema import facts
from storage.dialects import insert_if_absent, upsert

# Built once: building a statement takes as long as executing it.
_VALUE = select(facts.c.value).where(facts.c.name == bindparam("name"))


def read(connection: Connection, name: str) -> str | None:
    """The value of a name, None while there is none."""
    return connection.execute(_VALUE, {"name": name}).scalar()


def keep(connection: Connection, name: str, value: str) -> None:
    """Keep a value in the place of the one before."""
    upsert(connection, facts, [{"name": name, "value": value}])


def keep_if_absent(connection: Connection, name: str, value: str) -> str:
    """Keep a value unless there is one; the one that is there then."""
    insert_if_absent(connection, facts, [{"name": name, "value": value}])
    return read(connection, name) or value
