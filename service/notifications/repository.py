"""SQL of notifications."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select

from service.notifications.schema import notifications
from service.schema import ACTIVE
from service.statements import PreparedPage, Row


def add(connection: Connection, values: Mapping[str, Any]) -> int:
    """Store a notification."""
    statement = insert(notifications).values(**values).returning(notifications.c.id)
    return int(connection.execute(statement).scalar_one())


def page(
    connection: Connection,
    organization_id: int,
    *,
    running_at: int | None,
    notification_event_id: int | None,
    start: int,
    size: int,
) -> tuple[list[Row], int]:
    """A page of notifications, the newest first, and how many there are in all; None sets a filter aside."""
    values = {
        "organization_id": organization_id,
        "running_at": running_at,
        "notification_event_id": notification_event_id,
    }
    found = _found(running_at is not None, notification_event_id is not None)
    return found.read(connection, values, start=start, size=size)


@cache
def _found(only_running: bool, only_of_event: bool) -> PreparedPage:
    statement = select(notifications).where(
        notifications.c.organization_id == bindparam("organization_id"), notifications.c.status == ACTIVE
    )
    if only_running:
        statement = statement.where(
            notifications.c.ends_at > bindparam("running_at"), notifications.c.stopped.is_(False)
        )
    if only_of_event:
        statement = statement.where(notifications.c.notification_event_id == bindparam("notification_event_id"))
    return PreparedPage(statement.order_by(notifications.c.created_at.desc(), notifications.c.id.desc()))
