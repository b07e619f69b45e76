"""The table of notifications."""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, Boolean, Column, Index, Integer, Table

from service.records import record_columns
from service.schema import metadata

notifications = Table(
    "notifications",
    metadata,
    *record_columns(),
    Column("document", JSON, nullable=False),
    Column("notification_event_id", BigInteger),
    # Epoch milliseconds after which it is completed, unless it was stopped.
    Column("ends_at", BigInteger, nullable=False),
    Column("stopped", Boolean, nullable=False),
    # The number of a notification of the demo organization. Only these rows get new dates.
    Column("demo_number", Integer),
    Index("notifications_newest", "organization_id", "created_at", "id"),
    sqlite_autoincrement=True,
)
