"""The tables of contact filters and their rules."""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, Column, ForeignKey, Identity, Index, Integer, String, Table

from client.vocabulary.contact_filters import NAME_LENGTH
from service.records_by_name import named_table
from service.schema import LongId, metadata

contact_filters = named_table("contact_filters", Column("name", String(NAME_LENGTH), nullable=False))

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
