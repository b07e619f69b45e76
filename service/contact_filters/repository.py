"""SQL of contact filters and their rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, Select, delete, exists, insert, select, update

from service.contact_filters.schema import contact_filter_rules, contact_filters
from service.pages import Found, PageRequest, read_page
from service.schema import ACTIVE, DELETED

_filters = contact_filters.c


def name_is_taken(connection: Connection, organization_id: int, name: str, *, by_other_than: int | None) -> bool:
    """Whether another active filter of the organization has the name."""
    others = _active(organization_id).where(_filters.name == name, _filters.id.is_distinct_from(by_other_than))
    return connection.execute(select(exists(others))).scalar_one()


def find_by_id(connection: Connection, organization_id: int, filter_id: int) -> Row[Any] | None:
    """The active filter of an id."""
    return connection.execute(_active(organization_id).where(_filters.id == filter_id)).first()


def find_by_name(connection: Connection, organization_id: int, name: str) -> Row[Any] | None:
    """The active filter of exactly this name."""
    return connection.execute(_active(organization_id).where(_filters.name == name)).first()


def page(connection: Connection, organization_id: int, page: PageRequest) -> Found:
    """A page of active filters by id, and how many there are in all."""
    return read_page(connection, _active(organization_id).order_by(_filters.id), page)


def rules_of(connection: Connection, filter_ids: Sequence[int]) -> dict[int, list[dict[str, Any]]]:
    """The rules of filters, each with its id, in the order they were given."""
    found: dict[int, list[dict[str, Any]]] = {filter_id: [] for filter_id in filter_ids}
    rules = contact_filter_rules.c
    statement = select(rules.filter_id, rules.id, rules.document).where(rules.filter_id.in_(filter_ids))
    for filter_id, rule_id, document in connection.execute(statement.order_by(rules.filter_id, rules.position)):
        found[filter_id].append({"id": rule_id, **document})
    return found


def add(connection: Connection, values: Mapping[str, Any], rules: Sequence[Mapping[str, Any]]) -> int:
    """Store a filter with its rules; the id."""
    statement = insert(contact_filters).values(**values).returning(_filters.id)
    filter_id: int = connection.execute(statement).scalar_one()
    _add_rules(connection, filter_id, rules)
    return filter_id


def overwrite(
    connection: Connection, filter_id: int, values: Mapping[str, Any], rules: Sequence[Mapping[str, Any]]
) -> None:
    """Overwrite a filter and put other rules in the place of its own."""
    connection.execute(update(contact_filters).where(_filters.id == filter_id).values(**values))
    connection.execute(delete(contact_filter_rules).where(contact_filter_rules.c.filter_id == filter_id))
    _add_rules(connection, filter_id, rules)


def remove(connection: Connection, filter_id: int, values: Mapping[str, Any]) -> None:
    """Make a filter invisible."""
    connection.execute(update(contact_filters).where(_filters.id == filter_id).values(**values, status=DELETED))


def _active(organization_id: int) -> Select[Any]:
    return select(contact_filters).where(_filters.organization_id == organization_id, _filters.status == ACTIVE)


def _add_rules(connection: Connection, filter_id: int, rules: Sequence[Mapping[str, Any]]) -> None:
    rows = [{"filter_id": filter_id, "position": number, "document": rule} for number, rule in enumerate(rules)]
    connection.execute(insert(contact_filter_rules), rows)
