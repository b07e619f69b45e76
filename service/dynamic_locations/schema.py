"""Tables of dynamic locations: uploads, row errors, and current locations."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Float, ForeignKey, Identity, Index, Integer, LargeBinary, String, Table, Text

from service.schema import LongId, metadata

upload_batches = Table(
    "upload_batches",
    metadata,
    Column("id", LongId, Identity(), primary_key=True),
    Column("organization_id", BigInteger, ForeignKey("organizations.id"), nullable=False),
    Column("upload_batch_type", String(40), nullable=False),
    Column("file_name", Text, nullable=False),
    Column("file_size", BigInteger, nullable=False),
    # Deleted as soon as the upload has ended.
    Column("content", LargeBinary),
    Column("upload_status", String(20), nullable=False),
    Column("rows_done", Integer, nullable=False),
    Column("row_count", Integer, nullable=False),
    Column("success_num", Integer, nullable=False),
    Column("with_error_num", Integer, nullable=False),
    Column("critical_num", Integer, nullable=False),
    Column("geo_success_num", Integer, nullable=False),
    Column("geo_fail_num", Integer, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("created_by", BigInteger, nullable=False),
    Column("created_name", Text, nullable=False),
    Column("modified_at", BigInteger, nullable=False),
    # The process that works on it, and when its claim expires without renewal.
    Column("claimed_by", String(64)),
    Column("claimed_until", BigInteger),
    Index("upload_batches_status", "upload_status", "organization_id"),
    sqlite_autoincrement=True,
)

upload_errors = Table(
    "upload_errors",
    metadata,
    Column("id", LongId, Identity(), primary_key=True),
    Column("batch_id", BigInteger, ForeignKey("upload_batches.id"), nullable=False),
    Column("row_number", Integer, nullable=False),
    Column("column_name", Text, nullable=False),
    Column("column_value", Text, nullable=False),
    Column("code", String(60), nullable=False),
    Index("upload_errors_batch", "batch_id", "id"),
    sqlite_autoincrement=True,
)

dynamic_locations = Table(
    "dynamic_locations",
    metadata,
    Column("id", LongId, Identity(), primary_key=True),
    Column("organization_id", BigInteger, ForeignKey("organizations.id"), nullable=False),
    Column("contact_id", BigInteger, ForeignKey("contacts.id"), nullable=False),
    Column("source", Text, nullable=False),
    Column("arrive_at", BigInteger, nullable=False),
    Column("expire_at", BigInteger),
    Column("location_id", Text),
    Column("latitude", Float(53)),
    Column("longitude", Float(53)),
    Column("street", Text),
    Column("suite", Text),
    Column("city", Text),
    Column("state", Text),
    Column("postal_code", Text),
    Column("country", Text),
    Column("floor_no", Text),
    Column("room_no", Text),
    Column("reference_id", Text),
    Column("batch_id", BigInteger, ForeignKey("upload_batches.id"), nullable=False),
    Column("modified_at", BigInteger, nullable=False),
    # One current location per person and source.
    Index("dynamic_locations_person", "organization_id", "contact_id", "source", unique=True),
    sqlite_autoincrement=True,
)
