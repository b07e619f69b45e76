"""Version 5: the tables and indexes of services with the handwritten versions 1 to 5."""

from typing import Any

from alembic import op
from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    text,
)

revision = "v5"
down_revision = None

LongId = BigInteger().with_variant(Integer, "sqlite")
active: dict[str, Any] = {"sqlite_where": text("status = 'A'"), "postgresql_where": text("status = 'A'")}

metadata = MetaData()


def filled(type_: Any, *names: str) -> list[Column[Any]]:
    """Return columns that always have a value."""
    return [Column(name, type_, nullable=False) for name in names]


def optional(type_: Any, *names: str) -> list[Column[Any]]:
    """Return columns that may be empty."""
    return [Column(name, type_) for name in names]


Table(
    "facts",
    metadata,
    Column("name", String(100), primary_key=True),
    Column("value", Text, nullable=False),
)
Table(
    "organizations",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
)
Table(
    "users",
    metadata,
    Column("id", LongId, Identity(), primary_key=True),
    Column("username", String(200), unique=True, nullable=False),
    *filled(Text, "password_hash", "display_name"),
    Column("created_at", BigInteger, nullable=False),
    sqlite_autoincrement=True,
)
Table(
    "assets",
    metadata,
    Column("number", LongId, Identity(), primary_key=True),
    Column("id", String(64), unique=True, nullable=False),
    Column("organization_id", BigInteger, ForeignKey("organizations.id"), nullable=False),
    Column("status", String(1), nullable=False),
    *filled(Text, "external_id", "name", "asset_type_id"),
    Column("document", JSON, nullable=False),
    *optional(Float(53), "latitude", "longitude"),
    *filled(BigInteger, "created_at", "created_by", "modified_at", "modified_by"),
    Index("assets_external_id", "organization_id", "external_id", unique=True, **active),
    sqlite_autoincrement=True,
)
Table(
    "contact_filters",
    metadata,
    Column("id", LongId, Identity(), primary_key=True),
    Column("organization_id", BigInteger, ForeignKey("organizations.id"), nullable=False),
    Column("status", String(1), nullable=False),
    *filled(BigInteger, "created_at", "created_by"),
    Column("created_name", Text, nullable=False),
    *filled(BigInteger, "modified_at", "modified_by"),
    Column("modified_name", Text, nullable=False),
    Column("name", String(100), nullable=False),
    Index("contact_filters_in_order", "organization_id", "id", **active),
    Index("contact_filters_name", "organization_id", "name", unique=True, **active),
    sqlite_autoincrement=True,
)
Table(
    "contacts",
    metadata,
    Column("id", LongId, Identity(), primary_key=True),
    Column("organization_id", BigInteger, ForeignKey("organizations.id"), nullable=False),
    *filled(Text, "external_id", "external_id_folded"),
    Column("record_type_id", BigInteger, nullable=False),
    Column("first_name", Text, nullable=False),
    Column("middle_name", Text),
    Column("last_name", Text, nullable=False),
    *filled(JSON, "email_addresses", "phone_numbers"),
    Column("status", String(1), nullable=False),
    *filled(BigInteger, "created_at", "created_by"),
    Index("contacts_external_id", "organization_id", "external_id", unique=True, **active),
    Index("contacts_external_id_folded", "organization_id", "external_id_folded"),
    sqlite_autoincrement=True,
)
Table(
    "crisis_templates",
    metadata,
    Column("number", LongId, Identity(), primary_key=True),
    Column("id", String(64), unique=True, nullable=False),
    Column("organization_id", BigInteger, ForeignKey("organizations.id"), nullable=False),
    Column("status", String(1), nullable=False),
    *filled(
        Text,
        "name",
        "name_lower_case",
        "title",
        "title_lower_case",
        "description",
        "local_description",
        "event_type",
        "folder_id",
    ),
    Column("folder_name", Text),
    Column("created_name", Text, nullable=False),
    *filled(BigInteger, "created_id", "created_date"),
    Column("last_modified_name", Text, nullable=False),
    *filled(BigInteger, "last_modified_id", "last_modified_date"),
    *filled(Boolean, "enable_notification", "enable_auto_launch"),
    Column("delete_flag", Text, nullable=False),
    *filled(BigInteger, "bulk_ops_time", "owner_id"),
    Column("owner_name", Text),
    *filled(JSON, "file_ids", "task_list_templates"),
    *optional(JSON, "task_list_temp_ids", "dashboard_template_ids"),
    Column("crisis_incidents", JSON, nullable=False),
    *filled(Boolean, "is_used", "is_system"),
    Index("crisis_templates_organization", "organization_id"),
    Index(
        "crisis_templates_system",
        "organization_id",
        unique=True,
        sqlite_where=text("is_system"),
        postgresql_where=text("is_system"),
    ),
    sqlite_autoincrement=True,
)
Table(
    "event_groups",
    metadata,
    Column("id", LongId, Identity(), primary_key=True),
    Column("organization_id", BigInteger, ForeignKey("organizations.id"), nullable=False),
    Column("group_name", Text, nullable=False),
    Column("status", String(1), nullable=False),
    Index("event_groups_name", "organization_id", "group_name", unique=True, **active),
    sqlite_autoincrement=True,
)
Table(
    "itineraries",
    metadata,
    Column("id", LongId, Identity(), primary_key=True),
    Column("organization_id", BigInteger, ForeignKey("organizations.id"), nullable=False),
    Column("pnr", Text, nullable=False),
    Column("external_itinerary_id", Text),
    Column("document", JSON, nullable=False),
    Column("status", String(1), nullable=False),
    Column("generated", Boolean, nullable=False),
    *filled(BigInteger, "created_at", "created_by", "modified_at", "modified_by"),
    Index("itineraries_external_itinerary_id", "organization_id", "external_itinerary_id", **active),
    Index("itineraries_pnr", "organization_id", "pnr", unique=True, **active),
    sqlite_autoincrement=True,
)
Table(
    "lookup_mappings",
    metadata,
    Column("number", LongId, Identity(), primary_key=True),
    Column("id", String(64), unique=True, nullable=False),
    Column("organization_id", BigInteger, ForeignKey("organizations.id"), nullable=False),
    Column("status", String(1), nullable=False),
    Column("fingerprint", String(64), nullable=False),
    *filled(JSON, "target_groups", "attributes"),
    *filled(Text, "created_by", "modified_by"),
    Column("modified_at", BigInteger, nullable=False),
    Index("lookup_mappings_fingerprint", "organization_id", "fingerprint", unique=True, **active),
    Index("lookup_mappings_modified_at", "organization_id", "modified_at"),
    sqlite_autoincrement=True,
)
Table(
    "notification_categories",
    metadata,
    Column("id", LongId, Identity(), primary_key=True),
    Column("organization_id", BigInteger, ForeignKey("organizations.id"), nullable=False),
    Column("status", String(1), nullable=False),
    *filled(BigInteger, "created_at", "created_by"),
    Column("created_name", Text, nullable=False),
    *filled(BigInteger, "modified_at", "modified_by"),
    Column("modified_name", Text, nullable=False),
    Column("name", String(255)),
    Index("notification_categories_in_order", "organization_id", "id", **active),
    Index("notification_categories_name", "organization_id", "name", unique=True, **active),
    sqlite_autoincrement=True,
)
Table(
    "notification_events",
    metadata,
    Column("id", LongId, Identity(), primary_key=True),
    Column("organization_id", BigInteger, ForeignKey("organizations.id"), nullable=False),
    Column("status", String(1), nullable=False),
    *filled(BigInteger, "created_at", "created_by"),
    Column("created_name", Text, nullable=False),
    *filled(BigInteger, "modified_at", "modified_by"),
    Column("modified_name", Text, nullable=False),
    Column("name", String(255)),
    Index("notification_events_in_order", "organization_id", "id", **active),
    Index("notification_events_name", "organization_id", "name", unique=True, **active),
    sqlite_autoincrement=True,
)
Table(
    "notifications",
    metadata,
    Column("id", LongId, Identity(), primary_key=True),
    Column("organization_id", BigInteger, ForeignKey("organizations.id"), nullable=False),
    Column("status", String(1), nullable=False),
    *filled(BigInteger, "created_at", "created_by"),
    Column("created_name", Text, nullable=False),
    *filled(BigInteger, "modified_at", "modified_by"),
    Column("modified_name", Text, nullable=False),
    Column("document", JSON, nullable=False),
    Column("notification_event_id", BigInteger),
    Column("ends_at", BigInteger, nullable=False),
    Column("stopped", Boolean, nullable=False),
    Column("demo_number", Integer),
    Index("notifications_newest", "organization_id", "created_at", "id"),
    sqlite_autoincrement=True,
)
Table(
    "organization_access",
    metadata,
    Column("user_id", BigInteger, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("organization_id", BigInteger, ForeignKey("organizations.id", ondelete="CASCADE"), primary_key=True),
)
Table(
    "shape_folders",
    metadata,
    Column("id", LongId, Identity(), primary_key=True),
    Column("organization_id", BigInteger, ForeignKey("organizations.id"), nullable=False),
    Column("name", Text, nullable=False),
    *filled(BigInteger, "created_at", "created_by"),
    Index("shape_folders_name", "organization_id", "name", unique=True),
    sqlite_autoincrement=True,
)
Table(
    "upload_batches",
    metadata,
    Column("id", LongId, Identity(), primary_key=True),
    Column("organization_id", BigInteger, ForeignKey("organizations.id"), nullable=False),
    Column("upload_batch_type", String(40), nullable=False),
    Column("file_name", Text, nullable=False),
    Column("file_size", BigInteger, nullable=False),
    Column("content", LargeBinary),
    Column("upload_status", String(20), nullable=False),
    *filled(
        Integer,
        "rows_done",
        "row_count",
        "success_num",
        "with_error_num",
        "critical_num",
        "geo_success_num",
        "geo_fail_num",
    ),
    *filled(BigInteger, "created_at", "created_by"),
    Column("created_name", Text, nullable=False),
    Column("modified_at", BigInteger, nullable=False),
    Column("claimed_by", String(64)),
    Column("claimed_until", BigInteger),
    Index("upload_batches_status", "upload_status", "organization_id"),
    sqlite_autoincrement=True,
)
Table(
    "withheld_features",
    metadata,
    Column("user_id", BigInteger, ForeignKey("users.id", ondelete="CASCADE"), primary_key=True),
    Column("feature", String(50), primary_key=True),
)
Table(
    "contact_filter_rules",
    metadata,
    Column("id", LongId, Identity(), primary_key=True),
    Column("filter_id", BigInteger, ForeignKey("contact_filters.id", ondelete="CASCADE"), nullable=False),
    Column("position", Integer, nullable=False),
    Column("document", JSON, nullable=False),
    Index("contact_filter_rules_filter", "filter_id", "position", unique=True),
    sqlite_autoincrement=True,
)
Table(
    "contact_keys",
    metadata,
    Column("organization_id", BigInteger, ForeignKey("organizations.id"), primary_key=True, autoincrement=False),
    Column("key", String(64), primary_key=True),
    Column("contact_id", BigInteger, ForeignKey("contacts.id"), nullable=False),
)
Table(
    "dynamic_locations",
    metadata,
    Column("id", LongId, Identity(), primary_key=True),
    Column("organization_id", BigInteger, ForeignKey("organizations.id"), nullable=False),
    Column("contact_id", BigInteger, ForeignKey("contacts.id"), nullable=False),
    Column("source", Text, nullable=False),
    Column("arrive_at", BigInteger, nullable=False),
    Column("expire_at", BigInteger),
    Column("location_id", Text),
    *optional(Float(53), "latitude", "longitude"),
    *optional(
        Text, "street", "suite", "city", "state", "postal_code", "country", "floor_no", "room_no", "reference_id"
    ),
    Column("batch_id", BigInteger, ForeignKey("upload_batches.id"), nullable=False),
    Column("modified_at", BigInteger, nullable=False),
    Index("dynamic_locations_person", "organization_id", "contact_id", "source", unique=True),
    sqlite_autoincrement=True,
)
Table(
    "expected_locations",
    metadata,
    Column("id", LongId, Identity(), primary_key=True),
    Column("organization_id", BigInteger, nullable=False),
    Column("itinerary_id", BigInteger, ForeignKey("itineraries.id"), nullable=False),
    Column("contact_id", BigInteger, ForeignKey("contacts.id"), nullable=False),
    Column("contact_external_id", Text, nullable=False),
    *filled(String(10), "travel_category", "travel_type"),
    *filled(Boolean, "is_international_travel", "is_local_travel"),
    *filled(BigInteger, "arrive_at", "expire_at"),
    *optional(Text, "location_name", "street_address", "city", "state", "postal_code", "country", "iata"),
    *optional(Float(53), "latitude", "longitude"),
    *filled(BigInteger, "created_at", "created_by"),
    Column("created_name", Text, nullable=False),
    *filled(BigInteger, "modified_at", "modified_by"),
    Column("modified_name", Text, nullable=False),
    Index("expected_locations_itinerary", "itinerary_id"),
    sqlite_autoincrement=True,
)
Table(
    "lookup_mapping_groups",
    metadata,
    Column("mapping_number", BigInteger, ForeignKey("lookup_mappings.number"), primary_key=True),
    Column("group_id", BigInteger, primary_key=True),
)
Table(
    "lookup_mapping_values",
    metadata,
    Column("mapping_number", BigInteger, ForeignKey("lookup_mappings.number"), primary_key=True),
    Column("name", Text, primary_key=True),
    Column("value", Text, primary_key=True),
)
Table(
    "shape_regions",
    metadata,
    Column("id", LongId, Identity(), primary_key=True),
    Column("organization_id", BigInteger, ForeignKey("organizations.id"), nullable=False),
    Column("folder_id", BigInteger, ForeignKey("shape_folders.id")),
    *filled(Text, "name", "file_name", "geometry"),
    Column("feature_count", Integer, nullable=False),
    *filled(Float(53), "west", "south", "east", "north"),
    *filled(BigInteger, "created_at", "created_by"),
    Index("shape_regions_folder", "folder_id"),
    Index("shape_regions_name", "organization_id", "name", unique=True),
    sqlite_autoincrement=True,
)
Table(
    "upload_errors",
    metadata,
    Column("id", LongId, Identity(), primary_key=True),
    Column("batch_id", BigInteger, ForeignKey("upload_batches.id"), nullable=False),
    Column("row_number", Integer, nullable=False),
    *filled(Text, "column_name", "column_value"),
    Column("code", String(60), nullable=False),
    Index("upload_errors_batch", "batch_id", "id"),
    sqlite_autoincrement=True,
)


def upgrade() -> None:
    """Create the tables and indexes that do not exist."""
    connection = op.get_bind()
    metadata.create_all(connection)
    # A table that exists may lack an index.
    for table in metadata.sorted_tables:
        for index in table.indexes:
            index.create(connection, checkfirst=True)
