"""Version 13: an index finds the recent alerts, which every page counts."""

from alembic import op
from sqlalchemy import text

revision = "v13"
down_revision = "v12"


def upgrade() -> None:
    """Add the index."""
    is_alert = text("subject_kind = 'public_alert'")
    op.create_index(
        "audit_entries_of_alerts",
        "audit_entries",
        ["service", "organization_id", "action", "at"],
        sqlite_where=is_alert,
        postgresql_where=is_alert,
    )
