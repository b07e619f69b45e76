"""SQL of contact filters and their rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, delete, exists, insert, select, update

from service.contact_filters.schema import contact_filter_rules, contact_filters
from service.schema import ACTIVE, DELETED
from service.statements import PreparedPage, PreparedSelect, Row

_active = (
    contact_filters.c.organization_id == bindparam("organization_id"),
    contact_filters.c.status == ACTIVE,
)
_by_id = PreparedSelect(select(contact_filters).where(*_active, contact_filters.c.id == bindparam("id")))
_by_name = PreparedSelect(select(contact_filters).where(*_active, contact_filters.c.name == bindparam("name")))
_other_of_name = PreparedSelect(
    select(
        exists().where(*_active, contact_filters.c.name == bindparam("name"), contact_filters.c.id != bindparam("id"))
    )
)
_page = PreparedPage(select(contact_filters).where(*_active).order_by(contact_filters.c.id))
# By a range of ids, so that its text is the same for any number of filters.
_rules = PreparedSelect(
    select(contact_filter_rules.c.filter_id, contact_filter_rules.c.id, contact_filter_rules.c.document)
    .join(contact_filters, contact_filters.c.id == contact_filter_rules.c.filter_id)
    .where(contact_filters.c.organization_id == bindparam("organization_id"))
    .where(contact_filter_rules.c.filter_id.between(bindparam("first"), bindparam("last")))
    .order_by(contact_filter_rules.c.filter_id, contact_filter_rules.c.position)
)
_NO_FILTER = 0


def name_is_taken(connection: Connection, organization_id: int, name: str, *, by_other_than: int | None) -> bool:
    """Whether another active filter of the organization has the name."""
    values = {"organization_id": organization_id, "name": name, "id": by_other_than or _NO_FILTER}
    return bool(_other_of_name.scalar(connection, values))


def find_by_id(connection: Connection, organization_id: int, filter_id: int) -> Row | None:
    """The active filter of an id."""
    return _by_id.first(connection, {"organization_id": organization_id, "id": filter_id})


def find_by_name(connection: Connection, organization_id: int, name: str) -> Row | None:
    """The active filter of exactly this name."""
    return _by_name.first(connection, {"organization_id": organization_id, "name": name})


def page(connection: Connection, organization_id: int, *, start: int, size: int) -> tuple[list[Row], int]:
    """A page of active filters by id, and how many there are in all."""
    return _page.read(connection, {"organization_id": organization_id}, start=start, size=size)


def rules_of(
    connection: Connection, organization_id: int, filter_ids: Sequence[int]
) -> dict[int, list[dict[str, Any]]]:
    """The rules of filters, each with its id, in the order they were given; `filter_ids` ascend without a gap."""
    found: dict[int, list[dict[str, Any]]] = {filter_id: [] for filter_id in filter_ids}
    if filter_ids:
        values = {"organization_id": organization_id, "first": filter_ids[0], "last": filter_ids[-1]}
        for filter_id, rule_id, document in _rules.all(connection, values):
            # Among them may be some of a filter that has been deleted.
            if filter_id in found:
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
