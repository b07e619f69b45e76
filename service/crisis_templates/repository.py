"""SQL of crisis task list templates."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from pydantic.alias_generators import to_camel
from sqlalchemy import JSON, Connection, bindparam, exists, func, or_, select

from service.crisis_templates.schema import crisis_templates
from service.pages import Found, PageRequest, read_page
from service.schema import ACTIVE
from storage.dialects import insert_if_absent

_table = crisis_templates.c
_OUR_OWN = (_table.number, _table.is_used, _table.is_system)
SORTABLE = {to_camel(one.name): one for one in _table if one not in _OUR_OWN and not isinstance(one.type, JSON)}
"""The fields that the list can be sorted by, with their columns."""
# Built once: building a statement takes as long as executing it.
_HAS_SYSTEM_TEMPLATE = select(exists().where(_table.organization_id == bindparam("organization_id"), _table.is_system))


def has_system_template(connection: Connection, organization_id: int) -> bool:
    """Return whether the organization has its system event template."""
    return connection.execute(_HAS_SYSTEM_TEMPLATE, {"organization_id": organization_id}).scalar_one()


def add_if_absent(connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
    """Store templates that do not exist."""
    insert_if_absent(connection, crisis_templates, rows)


def page(
    connection: Connection,
    organization_id: int,
    page: PageRequest,
    *,
    filtered: str,
    sort_by: str,
    descending: bool,
    folder_ids: Collection[str],
    with_used: bool,
) -> Found:
    """Return one page of templates, and the total. Empty parameters do not filter."""
    statement = select(crisis_templates).where(_table.organization_id == organization_id, _table.status == ACTIVE)
    if not with_used:
        statement = statement.where(_table.is_used.is_(False))
    if folder_ids:
        statement = statement.where(_table.folder_id.in_(folder_ids))
    if filtered:
        columns = (_table.name_lower_case, _table.title_lower_case)
        statement = statement.where(or_(*(one.contains(filtered.lower(), autoescape=True) for one in columns)))
    column = SORTABLE[sort_by]
    # An absent text sorts like an empty one, on every database.
    key = func.coalesce(column, "") if column.nullable else column
    order = (key.desc(), _table.number.desc()) if descending else (key, _table.number)
    return read_page(connection, statement.order_by(*order), page)
