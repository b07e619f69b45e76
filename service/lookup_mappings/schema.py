"""Tables of lookup mappings: the record, and its search values."""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, Column, ForeignKey, Identity, Index, String, Table, Text

from service.schema import ACTIVE_ONLY, LongId, metadata

lookup_mappings = Table(
    "lookup_mappings",
    metadata,
    Column("number", LongId, Identity(), primary_key=True),
    Column("id", String(64), nullable=False, unique=True),
    Column("organization_id", BigInteger, ForeignKey("organizations.id"), nullable=False),
    Column("status", String(1), nullable=False),
    # Equal for mappings with the same attributes in any order.
    Column("fingerprint", String(64), nullable=False),
    Column("target_groups", JSON, nullable=False),
    Column("attributes", JSON, nullable=False),
    Column("created_by", Text, nullable=False),
    Column("modified_by", Text, nullable=False),
    Column("modified_at", BigInteger, nullable=False),
    Index("lookup_mappings_fingerprint", "organization_id", "fingerprint", unique=True, **ACTIVE_ONLY),
    Index("lookup_mappings_modified_at", "organization_id", "modified_at"),
    sqlite_autoincrement=True,
)

lookup_mapping_values = Table(
    "lookup_mapping_values",
    metadata,
    Column("mapping_number", BigInteger, ForeignKey("lookup_mappings.number"), primary_key=True),
    Column("name", Text, primary_key=True),
    Column("value", Text, primary_key=True),
)

lookup_mapping_groups = Table(
    "lookup_mapping_groups",
    metadata,
    Column("mapping_number", BigInteger, ForeignKey("lookup_mappings.number"), primary_key=True),
    Column("group_id", BigInteger, primary_key=True),
)
