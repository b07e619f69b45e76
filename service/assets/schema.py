"""The table of assets."""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, Column, Float, ForeignKey, Identity, Index, String, Table, Text

from service.schema import ACTIVE_ONLY, LongId, metadata

assets = Table(
    "assets",
    metadata,
    Column("number", LongId, Identity(), primary_key=True),
    Column("id", String(64), nullable=False, unique=True),
    Column("organization_id", BigInteger, ForeignKey("organizations.id"), nullable=False),
    Column("status", String(1), nullable=False),
    Column("external_id", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("asset_type_id", Text, nullable=False),
    Column("document", JSON, nullable=False),
    # The center of the geometry's bounds in decimal degrees: where a person at the asset is.
    Column("latitude", Float(53)),
    Column("longitude", Float(53)),
    Column("created_at", BigInteger, nullable=False),
    Column("created_by", BigInteger, nullable=False),
    Column("modified_at", BigInteger, nullable=False),
    Column("modified_by", BigInteger, nullable=False),
    Index("assets_external_id", "organization_id", "external_id", unique=True, **ACTIVE_ONLY),
    sqlite_autoincrement=True,
)
