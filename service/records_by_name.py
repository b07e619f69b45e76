"""Records with a unique name: models, table, and SQL."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

from pydantic import Field
from sqlalchemy import (
    BindParameter,
    Column,
    Connection,
    Index,
    Row,
    Select,
    String,
    Table,
    bindparam,
    exists,
    insert,
    select,
)

from service.accounts.models import Caller
from service.accounts.repository import lock_organization
from service.field_types import RequiredName, as_long
from service.pages import Found, PageRequest, read_page
from service.records import Record, new_record, record_columns
from service.refusals import name_taken, not_found
from service.request_body import RequestModel
from service.schema import ACTIVE, ACTIVE_ONLY, KEY_LENGTH, metadata

# ASSUMPTION A119: the interface gives no length for these names.
NAME_LENGTH = KEY_LENGTH


class NamedRecord(Record):
    """A record as it is returned. Some stored ones have no name."""

    name: str | None = None


class NameWrapper(RequestModel):
    """The one required field. Unknown and read-only fields are ignored."""

    name: Annotated[RequiredName, Field(max_length=NAME_LENGTH)]


def named_table(table_name: str, name: Column[Any] | None = None) -> Table:
    """Return a table of records with a column `name`, unique among the active records of an organization."""
    return Table(
        table_name,
        metadata,
        *record_columns(),
        Column("name", String(NAME_LENGTH)) if name is None else name,
        Index(f"{table_name}_name", "organization_id", "name", unique=True, **ACTIVE_ONLY),
        # Lists are in the order of IDs.
        Index(f"{table_name}_in_order", "organization_id", "id", **ACTIVE_ONLY),
        sqlite_autoincrement=True,
    )


def add_under_new_name(connection: Connection, table: Table, caller: Caller, name: str, noun: str) -> int:
    """Store a record that has only a name. An existing name is refused."""
    lock_organization(connection, caller.organization_id)
    # ASSUMPTION A120: names of events and categories are unique in an organization, and case-sensitive.
    require_free_name(connection, table, caller.organization_id, name, noun)
    return add(connection, table, caller, name)


def add(connection: Connection, table: Table, caller: Caller, name: str | None) -> int:
    """Store a record. Returns the ID."""
    statement = insert(table).values(**new_record(caller), name=name).returning(table.c.id)
    record_id: int = connection.execute(statement).scalar_one()
    return record_id


def require_free_name(
    connection: Connection, table: Table, organization_id: int, name: str, noun: str, *, of_record: int | None = None
) -> None:
    """Refuse a name that another active record of the organization has."""
    others = _active(table, organization_id).where(table.c.name == name, table.c.id.is_distinct_from(of_record))
    if connection.execute(select(exists(others))).scalar():
        raise name_taken(noun, name)


def find(connection: Connection, table: Table, organization_id: int, record_id: int | None) -> Row[Any] | None:
    """Return an active record of the organization."""
    return connection.execute(_by_id(table), {"organization_id": organization_id, "record_id": record_id}).first()


def find_by_name(connection: Connection, table: Table, organization_id: int, name: str) -> Row[Any] | None:
    """Return the active record with exactly this name."""
    return connection.execute(_active(table, organization_id).where(table.c.name == name)).first()


def require(connection: Connection, table: Table, organization_id: int, id_text: str, noun: str) -> Row[Any]:
    """Return an active record of the organization by its ID in the request. Raises a 404 if there is none."""
    row = find(connection, table, organization_id, as_long(id_text))
    if row is None:
        raise not_found(f"The {noun} with id {id_text} is not found.")
    return row


def page(connection: Connection, table: Table, organization_id: int, page: PageRequest) -> Found:
    """Return a page of active records by ID, and their total."""
    return read_page(connection, _active(table, organization_id).order_by(table.c.id), page)


@cache
def _by_id(table: Table) -> Select[Any]:
    # Built once per table: building a statement takes as long as executing it.
    return _active(table, bindparam("organization_id")).where(table.c.id == bindparam("record_id"))


def _active(table: Table, organization_id: int | BindParameter[int]) -> Select[Any]:
    return select(table).where(table.c.organization_id == organization_id, table.c.status == ACTIVE)
