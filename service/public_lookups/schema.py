"""The table of event groups."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Identity, Index, String, Table, Text

from service.schema import ACTIVE_ONLY, KEY_LENGTH, LongId, metadata

GROUP_NAME_LENGTH = KEY_LENGTH

event_groups = Table(
    "event_groups",
    metadata,
    Column("id", LongId, Identity(), primary_key=True),
    Column("organization_id", BigInteger, ForeignKey("organizations.id"), nullable=False),
    Column("group_name", Text, nullable=False),
    Column("status", String(1), nullable=False),
    Index("event_groups_name", "organization_id", "group_name", unique=True, **ACTIVE_ONLY),
    sqlite_autoincrement=True,
)
