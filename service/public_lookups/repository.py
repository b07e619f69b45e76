"""SQL of event groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, select

from service.public_lookups.schema import event_groups
from service.schema import ACTIVE
from service.statements import PreparedSelect
from service.upserts import insert_if_absent

_GROUPS = PreparedSelect(
    select(event_groups.c.id, event_groups.c.group_name)
    .where(event_groups.c.organization_id == bindparam("organization_id"), event_groups.c.status == ACTIVE)
    .order_by(event_groups.c.id)
)


def list_groups(connection: Connection, organization_id: int) -> list[dict[str, Any]]:
    """The event groups of an organization as they are answered, by id."""
    rows = _GROUPS.all(connection, {"organization_id": organization_id})
    return [{"id": row.id, "groupName": row.group_name} for row in rows]


def add_groups(connection: Connection, organization_id: int, names: Sequence[str]) -> None:
    """Make sure of event groups by name."""
    for name in names:
        # One by one: their ids are in the order of the names.
        row = {"organization_id": organization_id, "group_name": name, "status": ACTIVE}
        insert_if_absent(connection, event_groups, [row])
