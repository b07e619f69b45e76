"""Version 9: incidents with their history, their marks, and the list that each user last saw."""

from alembic import op
from sqlalchemy import BigInteger, Column, Float, ForeignKey, Integer, Text

from journal.tables import Id, Moment

revision = "v9"
down_revision = "v8"


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "incidents",
        Column("id", Id, primary_key=True, autoincrement=True),
        Column("service", Text, nullable=False),
        Column("organization_id", BigInteger, nullable=False),
        Column("name", Text, nullable=False),
        Column("area", Text, nullable=False),
        Column("begins_at", Moment, nullable=False),
        Column("ends_at", Moment),
        Column("margin_km", Float, nullable=False),
        Column("roster_ids", Text, nullable=False),
        Column("state", Text, nullable=False),
        Column("version", Integer, nullable=False),
        Column("created_by", Text, nullable=False),
        Column("created_at", Moment, nullable=False),
        Column("changed_by", Text, nullable=False),
        Column("changed_at", Moment, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("incidents_by_organization", "incidents", ["service", "organization_id", "state", "id"])
    op.create_table(
        "incident_events",
        Column("id", Id, primary_key=True, autoincrement=True),
        Column("incident_id", ForeignKey("incidents.id", ondelete="CASCADE"), nullable=False, type_=Id),
        Column("at", Moment, nullable=False),
        Column("username", Text, nullable=False),
        Column("action", Text, nullable=False),
        Column("person", Text),
        Column("note", Text, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("incident_events_by_incident", "incident_events", ["incident_id", "id"])
    op.create_table(
        "incident_marks",
        Column(
            "incident_id",
            ForeignKey("incidents.id", ondelete="CASCADE"),
            primary_key=True,
            type_=Id,
            autoincrement=False,
        ),
        Column("person", Text, primary_key=True),
        Column("status", Text, nullable=False),
        Column("note", Text, nullable=False),
        Column("version", Integer, nullable=False),
        Column("marked_by", Text, nullable=False),
        Column("marked_at", Moment, nullable=False),
    )
    op.create_table(
        "incident_looks",
        Column(
            "incident_id",
            ForeignKey("incidents.id", ondelete="CASCADE"),
            primary_key=True,
            type_=Id,
            autoincrement=False,
        ),
        Column("username", Text, primary_key=True),
        Column("looked_at", Moment, nullable=False),
        Column("snapshot", Text, nullable=False),
    )
