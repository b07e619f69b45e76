"""SQL of notifications."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from service.notifications.schema import notifications
from service.pages import Found, PageRequest, read_page
from service.schema import ACTIVE

_table = notifications.c


def add(connection: Connection, values: Mapping[str, Any]) -> int:
    """Store a notification. Returns the ID."""
    statement = insert(notifications).values(**values).returning(_table.id)
    record_id: int = connection.execute(statement).scalar_one()
    return record_id


def list_of_demo(connection: Connection, organization_id: int) -> Sequence[Row[Any]]:
    """Return the initial notifications of a demo organization."""
    of_demo = _table.demo_number.is_not(None)
    return connection.execute(select(notifications).where(_table.organization_id == organization_id, of_demo)).all()


def change(connection: Connection, notification_id: int, values: Mapping[str, Any]) -> None:
    """Update columns of a notification."""
    connection.execute(update(notifications).where(_table.id == notification_id).values(**values))


def page(
    connection: Connection,
    organization_id: int,
    page: PageRequest,
    *,
    running_at: int | None,
    notification_event_id: int | None,
) -> Found:
    """Return a page of notifications, the newest first, and their total. A filter of None is ignored."""
    statement = select(notifications).where(_table.organization_id == organization_id, _table.status == ACTIVE)
    if running_at is not None:
        statement = statement.where(_table.ends_at > running_at, _table.stopped.is_(False))
    if notification_event_id is not None:
        statement = statement.where(_table.notification_event_id == notification_event_id)
    return read_page(connection, statement.order_by(_table.created_at.desc(), _table.id.desc()), page)
