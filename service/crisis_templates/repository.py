"""SQL of crisis task list templates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, RowMapping, exists, func, or_, select

from service.crisis_templates.models import COLUMNS, ListRequest
from service.crisis_templates.schema import crisis_templates
from service.schema import ACTIVE
from service.upserts import insert_if_absent

_table = crisis_templates.c


def has_system_template(connection: Connection, organization_id: int) -> bool:
    """Whether the system event template of an organization is there."""
    statement = select(exists().where(_table.organization_id == organization_id, _table.is_system))
    return bool(connection.execute(statement).scalar_one())


def add_if_absent(connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
    """Store templates that are not there yet."""
    insert_if_absent(connection, crisis_templates, rows)


def page(connection: Connection, organization_id: int, request: ListRequest) -> tuple[list[RowMapping], int]:
    """One page of templates, and how many there are in all."""
    conditions: list[ColumnElement[bool]] = [_table.organization_id == organization_id, _table.status == ACTIVE]
    if not request.with_used:
        conditions.append(_table.is_used.is_(False))
    if request.folder_ids:
        conditions.append(_table.folder_id.in_(sorted(request.folder_ids)))
    if request.filtered is not None:
        text = request.filtered.lower()
        columns = (_table.name_lower_case, _table.title_lower_case)
        conditions.append(or_(*(column.contains(text, autoescape=True) for column in columns)))
    total = connection.execute(select(func.count()).select_from(crisis_templates).where(*conditions)).scalar_one()
    column = crisis_templates.c[COLUMNS[request.column]]
    # Where a text is absent, it sorts as the empty one, on every database alike.
    key = func.coalesce(column, "") if column.nullable else column
    order = (key.desc(), _table.number.desc()) if request.descending else (key, _table.number)
    statement = select(crisis_templates).where(*conditions).order_by(*order)
    if request.page_size is not None:
        statement = statement.limit(request.page_size).offset(request.start)
    elif request.page_number > 1:
        return [], int(total)
    return list(connection.execute(statement).mappings()), int(total)
