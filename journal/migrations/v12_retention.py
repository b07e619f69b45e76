"""Version 12: indexes find old data, so that its removal does not read the whole journal."""

from alembic import op
from sqlalchemy import text

revision = "v12"
down_revision = "v11"


def upgrade() -> None:
    """Add the indexes."""
    has_content = text("search_text <> ''")
    names = ["service", "organization_id", "at"]
    op.create_index(
        "audit_entries_with_content",
        "audit_entries",
        names,
        sqlite_where=has_content,
        postgresql_where=has_content,
    )
    op.create_index("drafts_by_age", "drafts", ["service", "organization_id", "saved_at"])
    op.create_index("ledger_jobs_by_age", "ledger_jobs", ["service", "organization_id", "created_at"])
