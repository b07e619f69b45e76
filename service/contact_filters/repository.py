"""SQL of contact filters and their rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, delete, exists, func, insert, select, update

from service.contact_filters.schema import contact_filter_rules, contact_filters
from service.schema import ACTIVE, DELETED


def name_is_taken(connection: Connection, organization_id: int, name: str, *, by_other_than: int | None) -> bool:
    """Whether another active filter of the organization has the name."""
    where = [*_active(organization_id), contact_filters.c.name == name]
    if by_other_than is not None:
        where.append(contact_filters.c.id != by_other_than)
    return bool(connection.execute(select(exists().where(*where))).scalar_one())


def find_by_id(connection: Connection, organization_id: int, filter_id: int) -> RowMapping | None:
    """The active filter of an id."""
    statement = select(contact_filters).where(*_active(organization_id), contact_filters.c.id == filter_id)
    return connection.execute(statement).mappings().first()


def find_by_name(connection: Connection, organization_id: int, name: str) -> RowMapping | None:
    """The active filter of exactly this name."""
    statement = select(contact_filters).where(*_active(organization_id), contact_filters.c.name == name)
    return connection.execute(statement).mappings().first()


def page(connection: Connection, organization_id: int, *, start: int, size: int) -> tuple[Sequence[RowMapping], int]:
    """A page of active filters by id, and how many there are in all."""
    where = _active(organization_id)
    statement = select(contact_filters).where(*where).order_by(contact_filters.c.id).limit(size).offset(start)
    total = connection.execute(select(func.count()).select_from(contact_filters).where(*where)).scalar_one()
    return connection.execute(statement).mappings().all(), int(total)


def rules_of(connection: Connection, filter_ids: Sequence[int]) -> dict[int, list[dict[str, Any]]]:
    """The rules of filters, each with its id, in the order they were given."""
    found: dict[int, list[dict[str, Any]]] = {filter_id: [] for filter_id in filter_ids}
    statement = (
        select(contact_filter_rules)
        .where(contact_filter_rules.c.filter_id.in_(filter_ids))
        .order_by(contact_filter_rules.c.filter_id, contact_filter_rules.c.position)
    )
    for row in connection.execute(statement):
        found[row.filter_id].append({"id": row.id, **row.document})
    return found


def add(connection: Connection, values: Mapping[str, Any], rules: Sequence[Mapping[str, Any]]) -> int:
    """Store a filter with its rules."""
    statement = insert(contact_filters).values(**values).returning(contact_filters.c.id)
    filter_id = int(connection.execute(statement).scalar_one())
    _add_rules(connection, filter_id, rules)
    return filter_id


def overwrite(
    connection: Connection, filter_id: int, values: Mapping[str, Any], rules: Sequence[Mapping[str, Any]]
) -> None:
    """Overwrite a filter and put other rules in the place of its own."""
    connection.execute(update(contact_filters).where(contact_filters.c.id == filter_id).values(**values))
    connection.execute(delete(contact_filter_rules).where(contact_filter_rules.c.filter_id == filter_id))
    _add_rules(connection, filter_id, rules)


def remove(connection: Connection, filter_id: int, values: Mapping[str, Any]) -> None:
    """Make a filter invisible."""
    statement = update(contact_filters).where(contact_filters.c.id == filter_id)
    connection.execute(statement.values(**values, status=DELETED))


def _add_rules(connection: Connection, filter_id: int, rules: Sequence[Mapping[str, Any]]) -> None:
    rows = [{"filter_id": filter_id, "position": number, "document": rule} for number, rule in enumerate(rules)]
    connection.execute(insert(contact_filter_rules), rows)


def _active(organization_id: int) -> tuple[Any, ...]:
    return contact_filters.c.organization_id == organization_id, contact_filters.c.status == ACTIVE
