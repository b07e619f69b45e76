"""Records that are little more than a name, as notification events and categories are: table, SQL, rules."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import Column, Connection, Index, String, Table, bindparam, exists, insert, select

from service.bodies import Name, RequestModel, empty_field, invalid_field, name_taken, read_body
from service.errors import RefusalError
from service.openapi import Schema
from service.records import RecordAnswer, new_record, record_columns, record_to_wire
from service.schema import ACTIVE, KEY_LENGTH, metadata
from service.statements import PreparedPage, PreparedSelect, Row
from service.turns import take_turns

if TYPE_CHECKING:
    from service.accounts.authentication import Caller

# ASSUMPTION A119: no length is given for these names.
NAME_LENGTH = KEY_LENGTH

NAME_BODY: Schema = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": NAME_LENGTH, "pattern": r"^[^\x00]*[^\s\x00][^\x00]*$"}
    },
}


class NamedRecordAnswer(RecordAnswer):
    """A record as it is answered; some stored ones have no name."""

    name: str | None = None


class _Wrapper(RequestModel):
    name: Name = None


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


def read_name(body: Any) -> str:
    """The one required field of a wrapper; unknown and read-only fields are passed over."""
    name = read_body(_Wrapper, body).name
    if name is None:
        raise empty_field("name")
    if len(name) > NAME_LENGTH:
        raise invalid_field("name", f"it has {len(name)} characters, and {NAME_LENGTH} are allowed")
    return name


def add(connection: Connection, table: Table, caller: Caller, name: str, *, what: str) -> int:
    """Store a record under a new name; a name that is taken is refused."""
    take_turns(connection, caller.organization_id)
    # ASSUMPTION A120: names of events and categories are unique in an organization, compared to the letter.
    if _taken(table).scalar(connection, {"organization_id": caller.organization_id, "name": name}):
        raise name_taken(what, name)
    statement = insert(table).values(**new_record(caller), name=name).returning(table.c.id)
    return int(connection.execute(statement).scalar_one())


def find(connection: Connection, table: Table, organization_id: int, record_id: int | None) -> Row | None:
    """An active record of the organization."""
    if record_id is None:
        return None
    return _by_id(table).first(connection, {"organization_id": organization_id, "id": record_id})


def require(
    connection: Connection, table: Table, organization_id: int, record_id: int | None, said: str, *, what: str
) -> Row:
    """An active record of the organization; 404 where there is none."""
    row = find(connection, table, organization_id, record_id)
    if row is None:
        # ASSUMPTION A102: a record that does not exist is 404 in the general envelope.
        raise RefusalError(404, f"The {what} with id {said} is not found.")
    return row


def page(
    connection: Connection, table: Table, organization_id: int, *, start: int = 0, size: int | None = None
) -> tuple[list[Row], int]:
    """Active records by id from `start`, all of them or `size`, and how many there are in all."""
    values = {"organization_id": organization_id}
    if size is not None:
        return _page(table).read(connection, values, start=start, size=size)
    rows = _all(table).all(connection, values)
    return rows, len(rows)


def to_wire(row: Row) -> dict[str, Any]:
    """A record as it is answered."""
    wire = record_to_wire(row)
    if row.name is not None:
        wire["name"] = row.name
    return wire


def _active(table: Table) -> tuple[Any, ...]:
    return table.c.organization_id == bindparam("organization_id"), table.c.status == ACTIVE


@cache
def _by_id(table: Table) -> PreparedSelect:
    return PreparedSelect(select(table).where(*_active(table), table.c.id == bindparam("id")))


@cache
def _taken(table: Table) -> PreparedSelect:
    return PreparedSelect(select(exists().where(*_active(table), table.c.name == bindparam("name"))))


@cache
def _all(table: Table) -> PreparedSelect:
    return PreparedSelect(select(table).where(*_active(table)).order_by(table.c.id))


@cache
def _page(table: Table) -> PreparedPage:
    return PreparedPage(select(table).where(*_active(table)).order_by(table.c.id))
