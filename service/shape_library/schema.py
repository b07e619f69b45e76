"""Tables of the shape library: folders and regions."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Float, ForeignKey, Identity, Index, Integer, Table, Text

from service.schema import LongId, metadata

shape_folders = Table(
    "shape_folders",
    metadata,
    Column("id", LongId, Identity(), primary_key=True),
    Column("organization_id", BigInteger, ForeignKey("organizations.id"), nullable=False),
    Column("name", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("created_by", BigInteger, nullable=False),
    Index("shape_folders_name", "organization_id", "name", unique=True),
    sqlite_autoincrement=True,
)

shape_regions = Table(
    "shape_regions",
    metadata,
    Column("id", LongId, Identity(), primary_key=True),
    Column("organization_id", BigInteger, ForeignKey("organizations.id"), nullable=False),
    # None is the root.
    Column("folder_id", BigInteger, ForeignKey("shape_folders.id")),
    Column("name", Text, nullable=False),
    Column("file_name", Text, nullable=False),
    # A GeoJSON FeatureCollection in WGS 84, longitude before latitude.
    Column("geometry", Text, nullable=False),
    Column("feature_count", Integer, nullable=False),
    Column("west", Float(53), nullable=False),
    Column("south", Float(53), nullable=False),
    Column("east", Float(53), nullable=False),
    Column("north", Float(53), nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("created_by", BigInteger, nullable=False),
    Index("shape_regions_name", "organization_id", "name", unique=True),
    Index("shape_regions_folder", "folder_id"),
    sqlite_autoincrement=True,
)
