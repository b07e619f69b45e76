"""The table of event groups."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Identity, Index, String, Table, Text

from service.schema import ACTIVE, KEY_LENGTH, LongId, metadata

GROUP_NAME_LENGTH = KEY_LENGTH

event_groups = Table(
    "event_groups",
    metadata,
    Column("id", LongId, Identity(), primary_key=True),
    Column("organization_id", BigInteger, ForeignKey("organizations.id"), nullable=False),
    Column("group_name", Text, nullable=False),
    Column("status", String(1), nullable=False),
    sqlite_autoincrement=True,
)
Index(
    "event_groups_name",
    event_groups.c.organization_id,
    event_groups.c.group_name,
    unique=True,
    sqlite_where=event_groups.c.status == ACTIVE,
    postgresql_where=event_groups.c.status == ACTIVE,
)
