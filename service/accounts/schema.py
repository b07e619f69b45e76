"""The table of features that are disallowed for users."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, String, Table

from service.schema import metadata

withheld_features = Table(
    "withheld_features",
    metadata,
    Column("user_id", BigInteger, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("feature", String(50), primary_key=True),
)
