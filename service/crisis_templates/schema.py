"""The table of crisis task list templates."""

from __future__ import annotations

from sqlalchemy import JSON, BigInteger, Boolean, Column, ForeignKey, Identity, Index, String, Table, Text, column

from service.schema import LongId, metadata

crisis_templates = Table(
    "crisis_templates",
    metadata,
    Column("number", LongId, Identity(), primary_key=True),
    Column("id", String(64), nullable=False, unique=True),
    Column("organization_id", BigInteger, ForeignKey("organizations.id"), nullable=False),
    Column("status", String(1), nullable=False),
    Column("name", Text, nullable=False),
    Column("name_lower_case", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("title_lower_case", Text, nullable=False),
    Column("description", Text, nullable=False),
    Column("local_description", Text, nullable=False),
    Column("event_type", Text, nullable=False),
    Column("folder_id", Text, nullable=False),
    Column("folder_name", Text),
    Column("created_name", Text, nullable=False),
    Column("created_id", BigInteger, nullable=False),
    Column("created_date", BigInteger, nullable=False),
    Column("last_modified_name", Text, nullable=False),
    Column("last_modified_id", BigInteger, nullable=False),
    Column("last_modified_date", BigInteger, nullable=False),
    Column("enable_notification", Boolean, nullable=False),
    Column("enable_auto_launch", Boolean, nullable=False),
    Column("delete_flag", Text, nullable=False),
    Column("bulk_ops_time", BigInteger, nullable=False),
    Column("owner_id", BigInteger, nullable=False),
    Column("owner_name", Text),
    Column("file_ids", JSON, nullable=False),
    Column("task_list_templates", JSON, nullable=False),
    Column("task_list_temp_ids", JSON),
    Column("dashboard_template_ids", JSON),
    Column("crisis_incidents", JSON, nullable=False),
    # Whether a crisis incident has used it.
    Column("is_used", Boolean, nullable=False),
    # The template that the service creates itself, one per organization.
    Column("is_system", Boolean, nullable=False),
    Index("crisis_templates_organization", "organization_id"),
    Index(
        "crisis_templates_system",
        "organization_id",
        unique=True,
        sqlite_where=column("is_system", Boolean),
        postgresql_where=column("is_system", Boolean),
    ),
    sqlite_autoincrement=True,
)
