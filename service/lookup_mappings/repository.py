"""SQL of lookup mappings."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from sqlalchemy import BindParameter, Connection, Row, Select, bindparam, delete, exists, insert, select, update
from sqlalchemy.exc import IntegrityError

from service.epoch import now_ms
from service.lookup_mappings.models import Mapping, Search
from service.lookup_mappings.schema import lookup_mapping_groups, lookup_mapping_values, lookup_mappings
from service.pages import Found, read_page
from service.schema import ACTIVE, DELETED

_table, _groups, _values = lookup_mappings.c, lookup_mapping_groups.c, lookup_mapping_values.c


class DuplicateMappingError(Exception):
    """Another mapping of the organization has these attributes."""


def find(connection: Connection, organization_id: int, mapping_id: str) -> Row[Any] | None:
    """Return one active mapping; None if there is none."""
    return connection.execute(_BY_ID, {"organization_id": organization_id, "mapping_id": mapping_id}).first()


def search(connection: Connection, organization_id: int, criteria: Search) -> Found:
    """Return one page of results, and their total."""
    statement = _active(organization_id)
    if criteria.group_ids is not None:
        of_group = (_groups.mapping_number == _table.number, _groups.group_id.in_(criteria.group_ids))
        statement = statement.where(exists().where(*of_group))
    for name, wanted in criteria.attributes:
        pair = (_values.mapping_number == _table.number, _values.name == name, _values.value.in_(wanted))
        statement = statement.where(exists().where(*pair))
    oldest_first = (_table.modified_at, _table.number)
    order = [column.desc() if criteria.newest_first else column for column in oldest_first]
    return read_page(connection, statement.order_by(*order), criteria.page)


def add(
    connection: Connection,
    organization_id: int,
    mapping: Mapping,
    username: str,
    *,
    mapping_id: str | None = None,
    modified_at: int | None = None,
) -> str:
    """Store a new mapping. Returns its ID, or raises `DuplicateMappingError`."""
    values = _row(mapping, username, modified_at) | {
        "id": mapping_id or uuid4().hex,
        "organization_id": organization_id,
        "status": ACTIVE,
        "created_by": username,
    }
    try:
        with connection.begin_nested():
            statement = insert(lookup_mappings).values(values).returning(_table.number)
            number = connection.execute(statement).scalar_one()
    except IntegrityError as error:
        raise DuplicateMappingError from error
    _index(connection, number, mapping)
    return str(values["id"])


def change(connection: Connection, number: int, mapping: Mapping, username: str) -> None:
    """Replace a mapping, or raise `DuplicateMappingError`."""
    try:
        with connection.begin_nested():
            statement = update(lookup_mappings).where(_table.number == number)
            connection.execute(statement.values(_row(mapping, username, None)))
    except IntegrityError as error:
        raise DuplicateMappingError from error
    _delete(connection, number)
    _index(connection, number, mapping)


def remove(connection: Connection, number: int, username: str) -> None:
    """Mark a mapping as deleted."""
    statement = update(lookup_mappings).where(_table.number == number)
    connection.execute(statement.values(status=DELETED, modified_by=username, modified_at=now_ms()))
    _delete(connection, number)


def _active(organization_id: int | BindParameter[int]) -> Select[Any]:
    return select(lookup_mappings).where(_table.organization_id == organization_id, _table.status == ACTIVE)


# Built once: building a statement takes as long as executing it.
_BY_ID = _active(bindparam("organization_id")).where(_table.id == bindparam("mapping_id"))


def _row(mapping: Mapping, username: str, modified_at: int | None) -> dict[str, Any]:
    document = mapping.model_dump()
    return {
        "fingerprint": mapping.fingerprint,
        "target_groups": document["target_groups"],
        "attributes": document["attributes"],
        "modified_by": username,
        "modified_at": now_ms() if modified_at is None else modified_at,
    }


def _index(connection: Connection, number: int, mapping: Mapping) -> None:
    pairs = [{"mapping_number": number, "name": name, "value": value} for name, value in sorted(mapping.pairs)]
    if pairs:
        connection.execute(insert(lookup_mapping_values), pairs)
    group_ids = sorted({group.id for group in mapping.target_groups})
    groups = [{"mapping_number": number, "group_id": group_id} for group_id in group_ids]
    connection.execute(insert(lookup_mapping_groups), groups)


def _delete(connection: Connection, number: int) -> None:
    for table in (lookup_mapping_values, lookup_mapping_groups):
        connection.execute(delete(table).where(table.c.mapping_number == number))
