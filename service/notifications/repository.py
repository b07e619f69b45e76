"""SQL of notifications."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, func, insert, select

from service.notifications.schema import notifications
from service.schema import ACTIVE


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
) -> tuple[Sequence[RowMapping], int]:
    """A page of notifications, the newest first, and how many there are in all; None sets a filter aside."""
    where = [notifications.c.organization_id == organization_id, notifications.c.status == ACTIVE]
    if running_at is not None:
        where += [notifications.c.ends_at > running_at, notifications.c.stopped.is_(False)]
    if notification_event_id is not None:
        where.append(notifications.c.notification_event_id == notification_event_id)
    statement = (
        select(notifications)
        .where(*where)
        .order_by(notifications.c.created_at.desc(), notifications.c.id.desc())
        .limit(size)
        .offset(start)
    )
    total = connection.execute(select(func.count()).select_from(notifications).where(*where)).scalar_one()
    return connection.execute(statement).mappings().all(), int(total)
