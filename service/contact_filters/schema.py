"""The tables of contact filters and their rules."""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, Column, ForeignKey, Identity, Index, Integer, String, Table

from client.vocabulary.contact_filters import NAME_LENGTH
from service.records import record_columns
from service.schema import ACTIVE, LongId, metadata

contact_filters = Table(
    "contact_filters",
    metadata,
    *record_columns(),
    Column("name", String(NAME_LENGTH), nullable=False),
    sqlite_autoincrement=True,
)
Index(
    "contact_filters_name",
    contact_filters.c.organization_id,
    contact_filters.c.name,
    unique=True,
    sqlite_where=contact_filters.c.status == ACTIVE,
    postgresql_where=contact_filters.c.status == ACTIVE,
)
# Lists are in the order of ids.
Index(
    "contact_filters_in_order",
    contact_filters.c.organization_id,
    contact_filters.c.id,
    sqlite_where=contact_filters.c.status == ACTIVE,
    postgresql_where=contact_filters.c.status == ACTIVE,
)

contact_filter_rules = Table(
    "contact_filter_rules",
    metadata,
    Column("id", LongId, Identity(), primary_key=True),
    Column("filter_id", BigInteger, ForeignKey("contact_filters.id", ondelete="CASCADE"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("document", JSON, nullable=False),
    Index("contact_filter_rules_filter", "filter_id", "position", unique=True),
    sqlite_autoincrement=True,
)
