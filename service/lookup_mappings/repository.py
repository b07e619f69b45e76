"""SQL of lookup mappings."""

from __future__ import annotations

from functools import lru_cache
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, and_, bindparam, delete, exists, insert, select, update
from sqlalchemy.exc import IntegrityError

from service.clock import now_ms
from service.lookup_mappings.models import MappingRequest, Search
from service.lookup_mappings.schema import lookup_mapping_groups, lookup_mapping_values, lookup_mappings
from service.schema import ACTIVE, DELETED
from service.statements import PreparedPage, PreparedSelect, Row, numbered, one_of

_table = lookup_mappings.c

_active = (_table.organization_id == bindparam("organization_id"), _table.status == ACTIVE)
_answered = select(*(column for column in _table if column.name not in ("fingerprint", "status"))).where(*_active)
_by_id = PreparedSelect(_answered.where(_table.id == bindparam("id")))


class DuplicateMappingError(Exception):
    """Another mapping of the organization has these attributes."""


def find(connection: Connection, organization_id: int, mapping_id: str) -> Row | None:
    """One active mapping, None when there is none."""
    return _by_id.first(connection, {"organization_id": organization_id, "id": mapping_id})


def search(connection: Connection, organization_id: int, criteria: Search) -> tuple[list[Row], int]:
    """One page of what is found, and how many there are in all."""
    values: dict[str, object] = {"organization_id": organization_id}
    if criteria.group_ids is not None:
        values |= numbered("group", sorted(criteria.group_ids))
    for number, (name, wanted) in enumerate(criteria.attributes):
        values |= {f"name_{number}": name} | numbered(f"value_{number}", sorted(wanted))
    found = _found(
        criteria.newest_first,
        None if criteria.group_ids is None else len(criteria.group_ids),
        tuple(len(wanted) for _name, wanted in criteria.attributes),
    )
    return found.read(connection, values, start=criteria.start, size=criteria.page_size)


@lru_cache(maxsize=100)
def _found(newest_first: bool, group_count: int | None, value_counts: tuple[int, ...]) -> PreparedPage:
    """What is searched for with so many groups, and so many values for each name."""
    statement = _answered
    if group_count is not None:
        groups = lookup_mapping_groups.c
        wanted = and_(groups.mapping_number == _table.number, one_of(groups.group_id, "group", group_count))
        statement = statement.where(exists().where(wanted))
    for number, count in enumerate(value_counts):
        pairs = lookup_mapping_values.c
        named = and_(pairs.mapping_number == _table.number, pairs.name == bindparam(f"name_{number}"))
        statement = statement.where(exists().where(named, one_of(pairs.value, f"value_{number}", count)))
    if newest_first:
        return PreparedPage(statement.order_by(_table.modified_at.desc(), _table.number.desc()))
    return PreparedPage(statement.order_by(_table.modified_at, _table.number))


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
