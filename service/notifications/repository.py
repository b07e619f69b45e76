"""SQL of notifications."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, insert, select

from service.notifications.schema import notifications
from service.pages import Found, PageRequest, read_page
from service.schema import ACTIVE


def add(connection: Connection, values: Mapping[str, Any]) -> int:
    """Store a notification; the id."""
    statement = insert(notifications).values(**values).returning(notifications.c.id)
    record_id: int = connection.execute(statement).scalar_one()
    return record_id


def page(
    connection: Connection,
    organization_id: int,
    page: PageRequest,
    *,
    running_at: int | None,
    notification_event_id: int | None,
) -> Found:
    """A page of notifications, the newest first, and how many there are in all; None sets a filter aside."""
    table = notifications.c
    statement = select(notifications).where(table.organization_id == organization_id, table.status == ACTIVE)
    if running_at is not None:
        statement = statement.where(table.ends_at > running_at, table.stopped.is_(False))
    if notification_event_id is not None:
        statement = statement.where(table.notification_event_id == notification_event_id)
    return read_page(connection, statement.order_by(table.created_at.desc(), table.id.desc()), page)
