"""SQL of lookup mappings."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.exc import IntegrityError

from service.clock import now_ms
from service.lookup_mappings.models import MappingRequest, Search
from service.lookup_mappings.schema import lookup_mapping_groups, lookup_mapping_values, lookup_mappings
from service.schema import ACTIVE, DELETED

_table = lookup_mappings.c

# Built once: to build a statement costs more than SQLite takes to answer it.
_active = (_table.organization_id == bindparam("organization_id"), _table.status == ACTIVE)
_by_id = select(lookup_mappings).where(*_active, _table.id == bindparam("id"))
_all = select(lookup_mappings).where(*_active).limit(bindparam("size")).offset(bindparam("start"))
_all_oldest_first = _all.order_by(_table.modified_at, _table.number)
_all_newest_first = _all.order_by(_table.modified_at.desc(), _table.number.desc())
_count = select(func.count()).select_from(lookup_mappings).where(*_active)


class DuplicateMappingError(Exception):
    """Another mapping of the organization has these attributes."""


def find(connection: Connection, organization_id: int, mapping_id: str) -> RowMapping | None:
    """One active mapping, None when there is none."""
    return connection.execute(_by_id, {"organization_id": organization_id, "id": mapping_id}).mappings().first()


def search(connection: Connection, organization_id: int, criteria: Search) -> tuple[list[RowMapping], int]:
    """One page of what is found, and how many there are in all."""
    conditions: list[ColumnElement[bool]] = []
    if criteria.group_ids is not None:
        groups = lookup_mapping_groups.c
        wanted = and_(groups.mapping_number == _table.number, groups.group_id.in_(sorted(criteria.group_ids)))
        conditions.append(exists().where(wanted))
    for name, values in criteria.attributes:
        pairs = lookup_mapping_values.c
        wanted = and_(pairs.mapping_number == _table.number, pairs.name == name, pairs.value.in_(sorted(values)))
        conditions.append(exists().where(wanted))
    scope = {"organization_id": organization_id}
    page, count = _all_newest_first if criteria.newest_first else _all_oldest_first, _count
    if conditions:
        page, count = page.where(*conditions), count.where(*conditions)
    total = connection.execute(count, scope).scalar_one()
    rows = connection.execute(page, {**scope, "size": criteria.page_size, "start": criteria.start}).mappings().all()
    return list(rows), int(total)


def add(
    connection: Connection,
    organization_id: int,
    mapping: MappingRequest,
    username: str,
    *,
    mapping_id: str | None = None,
    modified_at: int | None = None,
) -> str:
    """Store a new mapping; answers with its id, or raises `DuplicateMappingError`."""
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


def change(connection: Connection, number: int, mapping: MappingRequest, username: str) -> None:
    """Overwrite a mapping, or raise `DuplicateMappingError`."""
    try:
        with connection.begin_nested():
            statement = update(lookup_mappings).where(_table.number == number)
            connection.execute(statement.values(_row(mapping, username, None)))
    except IntegrityError as error:
        raise DuplicateMappingError from error
    _forget(connection, number)
    _index(connection, number, mapping)


def remove(connection: Connection, number: int, username: str) -> None:
    """Make a mapping invisible."""
    statement = update(lookup_mappings).where(_table.number == number)
    connection.execute(statement.values(status=DELETED, modified_by=username, modified_at=now_ms()))
    _forget(connection, number)


def _row(mapping: MappingRequest, username: str, modified_at: int | None) -> dict[str, Any]:
    return {
        "fingerprint": mapping.fingerprint,
        "target_groups": mapping.target_groups_document(),
        "attributes": mapping.attributes_document(),
        "modified_by": username,
        "modified_at": now_ms() if modified_at is None else modified_at,
    }


def _index(connection: Connection, number: int, mapping: MappingRequest) -> None:
    pairs = [{"mapping_number": number, "name": name, "value": value} for name, value in sorted(mapping.pairs)]
    if pairs:
        connection.execute(insert(lookup_mapping_values), pairs)
    groups = [{"mapping_number": number, "group_id": group_id} for group_id in sorted(mapping.group_ids)]
    connection.execute(insert(lookup_mapping_groups), groups)


def _forget(connection: Connection, number: int) -> None:
    for table in (lookup_mapping_values, lookup_mapping_groups):
        connection.execute(delete(table).where(table.c.mapping_number == number))
