"""SQL of the rules of contact filters. The filter itself is a named record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from service import records_by_name
from service.accounts.models import Caller
from service.contact_filters.schema import contact_filter_rules, contact_filters
from service.records import modified
from service.schema import DELETED

_filters, _rules = contact_filters.c, contact_filter_rules.c
# Built once: building a statement takes as long as executing it.
_RULES = (
    select(_rules.filter_id, _rules.id, _rules.document)
    .where(_rules.filter_id.in_(bindparam("filter_ids", expanding=True)))
    .order_by(_rules.filter_id, _rules.position)
)


def rules_of(connection: Connection, filter_ids: Sequence[int]) -> dict[int, list[dict[str, Any]]]:
    """Return the rules of filters, each with its ID, in their order."""
    found: dict[int, list[dict[str, Any]]] = {filter_id: [] for filter_id in filter_ids}
    for filter_id, rule_id, document in connection.execute(_RULES, {"filter_ids": filter_ids}):
        found[filter_id].append({"id": rule_id, **document})
    return found


def add(connection: Connection, caller: Caller, name: str, rules: Sequence[Mapping[str, Any]]) -> int:
    """Store a filter with its rules. Returns the ID."""
    filter_id = records_by_name.add(connection, contact_filters, caller, name)
    _add_rules(connection, filter_id, rules)
    return filter_id


def overwrite(
    connection: Connection, caller: Caller, filter_id: int, name: str, rules: Sequence[Mapping[str, Any]]
) -> None:
    """Replace the name and the rules of a filter."""
    connection.execute(update(contact_filters).where(_filters.id == filter_id).values(**modified(caller), name=name))
    connection.execute(delete(contact_filter_rules).where(_rules.filter_id == filter_id))
    _add_rules(connection, filter_id, rules)


def remove(connection: Connection, caller: Caller, filter_id: int) -> None:
    """Mark a filter as deleted."""
    statement = update(contact_filters).where(_filters.id == filter_id)
    connection.execute(statement.values(**modified(caller), status=DELETED))


def _add_rules(connection: Connection, filter_id: int, rules: Sequence[Mapping[str, Any]]) -> None:
    rows = [{"filter_id": filter_id, "position": number, "document": rule} for number, rule in enumerate(rules)]
    connection.execute(insert(contact_filter_rules), rows)
