"""SQL of contact filters and their rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, bindparam, delete, exists, func, insert, select, update

from service.contact_filters.schema import contact_filter_rules, contact_filters
from service.schema import ACTIVE, DELETED

# Built once: to build a statement costs more than SQLite takes to answer it.
_active = (
    contact_filters.c.organization_id == bindparam("organization_id"),
    contact_filters.c.status == ACTIVE,
)
_by_id = select(contact_filters).where(*_active, contact_filters.c.id == bindparam("id"))
_by_name = select(contact_filters).where(*_active, contact_filters.c.name == bindparam("name"))
_other_of_name = select(
    exists().where(*_active, contact_filters.c.name == bindparam("name"), contact_filters.c.id != bindparam("id"))
)
_page = (
    select(contact_filters)
    .where(*_active)
    .order_by(contact_filters.c.id)
    .limit(bindparam("size"))
    .offset(bindparam("start"))
)
_count = select(func.count()).select_from(contact_filters).where(*_active)
_rules = select(contact_filter_rules.c.filter_id, contact_filter_rules.c.id, contact_filter_rules.c.document)
_rules_of_one = _rules.where(contact_filter_rules.c.filter_id == bindparam("filter_id")).order_by(
    contact_filter_rules.c.position
)
_rules_of_several = _rules.where(
    contact_filter_rules.c.filter_id.in_(bindparam("filter_ids", expanding=True))
).order_by(contact_filter_rules.c.filter_id, contact_filter_rules.c.position)
_NO_FILTER = 0


def name_is_taken(connection: Connection, organization_id: int, name: str, *, by_other_than: int | None) -> bool:
    """Whether another active filter of the organization has the name."""
    values = {"organization_id": organization_id, "name": name, "id": by_other_than or _NO_FILTER}
    return bool(connection.execute(_other_of_name, values).scalar_one())


def find_by_id(connection: Connection, organization_id: int, filter_id: int) -> RowMapping | None:
    """The active filter of an id."""
    values = {"organization_id": organization_id, "id": filter_id}
    return connection.execute(_by_id, values).mappings().first()


def find_by_name(connection: Connection, organization_id: int, name: str) -> RowMapping | None:
    """The active filter of exactly this name."""
    values = {"organization_id": organization_id, "name": name}
    return connection.execute(_by_name, values).mappings().first()


def page(connection: Connection, organization_id: int, *, start: int, size: int) -> tuple[Sequence[RowMapping], int]:
    """A page of active filters by id, and how many there are in all."""
    scope = {"organization_id": organization_id}
    total = connection.execute(_count, scope).scalar_one()
    rows = connection.execute(_page, {**scope, "size": size, "start": start}).mappings().all()
    return rows, int(total)


def rules_of(connection: Connection, filter_ids: Sequence[int]) -> dict[int, list[dict[str, Any]]]:
    """The rules of filters, each with its id, in the order they were given."""
    if len(filter_ids) == 1:
        rows = connection.execute(_rules_of_one, {"filter_id": filter_ids[0]})
    else:
        rows = connection.execute(_rules_of_several, {"filter_ids": filter_ids})
    found: dict[int, list[dict[str, Any]]] = {filter_id: [] for filter_id in filter_ids}
    for filter_id, rule_id, document in rows:
        found[filter_id].append({"id": rule_id, **document})
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
