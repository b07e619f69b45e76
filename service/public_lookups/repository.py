"""SQL of event groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, select

from service.public_lookups.schema import event_groups
from service.schema import ACTIVE
from storage.dialects import insert_if_absent


def list_groups(connection: Connection, organization_id: int) -> Sequence[Row[Any, Any]]:
    """Return the event groups of an organization, by ID."""
    groups = event_groups.c
    statement = select(groups.id, groups.group_name).order_by(groups.id)
    statement = statement.where(groups.organization_id == organization_id, groups.status == ACTIVE)
    return connection.execute(statement).all()


def add_groups(connection: Connection, organization_id: int, names: Sequence[str]) -> None:
    """Ensure that event groups with these names exist."""
    for name in names:
        # One by one: their IDs follow the order of the names.
        row = {"organization_id": organization_id, "group_name": name, "status": ACTIVE}
        insert_if_absent(connection, event_groups, [row])
