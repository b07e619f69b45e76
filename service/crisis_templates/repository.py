"""SQL of crisis task list templates."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, exists, func, or_, select

from service.crisis_templates.models import COLUMNS, ListRequest
from service.crisis_templates.schema import crisis_templates
from service.schema import ACTIVE
from service.statements import PreparedPage, PreparedSelect, Row, numbered, one_of
from service.upserts import insert_if_absent

_table = crisis_templates.c
# More than any organization has.
_ALL = 2**31 - 1

_of_system = PreparedSelect(
    select(exists().where(_table.organization_id == bindparam("organization_id"), _table.is_system))
)


def has_system_template(connection: Connection, organization_id: int) -> bool:
    """Whether the system event template of an organization is there."""
    return bool(_of_system.scalar(connection, {"organization_id": organization_id}))


def add_if_absent(connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
    """Store templates that are not there yet."""
    insert_if_absent(connection, crisis_templates, rows)


def page(connection: Connection, organization_id: int, request: ListRequest) -> tuple[list[Row], int]:
    """One page of templates, and how many there are in all."""
    folders = sorted(request.folder_ids)
    values: dict[str, object] = {"organization_id": organization_id, **numbered("folder", folders)}
    if request.filtered is not None:
        text = request.filtered.lower().replace("/", "//").replace("%", "/%").replace("_", "/_")
        values["pattern"] = f"%{text}%"
    found = _found(request.column, request.descending, request.with_used, len(folders), request.filtered is not None)
    if request.page_size is not None:
        return found.read(connection, values, start=request.start, size=request.page_size)
    rows, total = found.read(connection, values, start=0, size=_ALL)
    return rows if request.page_number == 1 else [], total


@lru_cache(maxsize=200)
def _found(column: str, descending: bool, with_used: bool, folder_count: int, filtered: bool) -> PreparedPage:
    conditions: list[ColumnElement[bool]] = [
        _table.organization_id == bindparam("organization_id"),
        _table.status == ACTIVE,
    ]
    if not with_used:
        conditions.append(_table.is_used.is_(False))
    if folder_count:
        conditions.append(one_of(_table.folder_id, "folder", folder_count))
    if filtered:
        columns = (_table.name_lower_case, _table.title_lower_case)
        conditions.append(or_(*(column.like(bindparam("pattern"), escape="/") for column in columns)))
    sorted_by = crisis_templates.c[COLUMNS[column]]
    # Where a text is absent, it sorts as the empty one, on every database alike.
    key = func.coalesce(sorted_by, "") if sorted_by.nullable else sorted_by
    order = (key.desc(), _table.number.desc()) if descending else (key, _table.number)
    return PreparedPage(select(crisis_templates).where(*conditions).order_by(*order))
