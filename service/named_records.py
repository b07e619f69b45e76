"""Records that are little more than a name, as notification events and categories are: models, table and SQL."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field
from sqlalchemy import Column, Connection, Index, Row, Select, String, Table, exists, insert, select

from service.accounts.models import Caller
from service.accounts.repository import lock_organization
from service.errors import name_taken, not_found
from service.field_types import RequiredName, as_long
from service.pages import Found, PageRequest, read_page
from service.records import Record, new_record, record_columns
from service.request_body import RequestModel
from service.schema import ACTIVE, KEY_LENGTH, metadata

# ASSUMPTION A119: no length is given for these names.
NAME_LENGTH = KEY_LENGTH


class NamedRecord(Record):
    """A record as it is told; some stored ones have no name."""

    name: str | None = None


class NameWrapper(RequestModel):
    """The one required field; unknown and read-only fields are passed over."""

    name: Annotated[RequiredName, Field(max_length=NAME_LENGTH)]


def named_table(table_name: str) -> Table:
    """A table of such records; two active ones of an organization never share a name."""
    table = Table(
        table_name, metadata, *record_columns(), Column("name", String(NAME_LENGTH)), sqlite_autoincrement=True
    )
    Index(
        f"{table_name}_name",
        table.c.organization_id,
        table.c.name,
        unique=True,
        sqlite_where=table.c.status == ACTIVE,
        postgresql_where=table.c.status == ACTIVE,
    )
    # Lists are in the order of ids.
    Index(
        f"{table_name}_in_order",
        table.c.organization_id,
        table.c.id,
        sqlite_where=table.c.status == ACTIVE,
        postgresql_where=table.c.status == ACTIVE,
    )
    return table


def add(connection: Connection, table: Table, caller: Caller, name: str, what: str) -> int:
    """Store a record under a new name; a name that is taken is refused."""
    lock_organization(connection, caller.organization_id)
    # ASSUMPTION A120: names of events and categories are unique in an organization, compared to the letter.
    if connection.execute(select(exists(_active(table, caller.organization_id).where(table.c.name == name)))).scalar():
        raise name_taken(what, name)
    statement = insert(table).values(**new_record(caller), name=name).returning(table.c.id)
    record_id: int = connection.execute(statement).scalar_one()
    return record_id


def find(connection: Connection, table: Table, organization_id: int, record_id: int | None) -> Row[Any] | None:
    """An active record of the organization."""
    return connection.execute(_active(table, organization_id).where(table.c.id == record_id)).first()


def require(connection: Connection, table: Table, organization_id: int, said: str, what: str) -> Row[Any]:
    """An active record of the organization, by its id as it was said; 404 where there is none."""
    row = find(connection, table, organization_id, as_long(said))
    if row is None:
        raise not_found(f"The {what} with id {said} is not found.")
    return row


def page(connection: Connection, table: Table, organization_id: int, page: PageRequest) -> Found:
    """A page of active records by id, and how many there are in all."""
    return read_page(connection, _active(table, organization_id).order_by(table.c.id), page)


def _active(table: Table, organization_id: int) -> Select[Any]:
    return select(table).where(table.c.organization_id == organization_id, table.c.status == ACTIVE)
