"""Version 6: indexes that find the items of a record by its name and by its ID at the service."""

from alembic import op
from sqlalchemy import text

revision = "v6"
down_revision = "v5"


def upgrade() -> None:
    """Create the indexes."""
    done = text("state = 'done'")
    op.create_index("ledger_items_by_label", "ledger_items", ["label"])
    op.create_index("ledger_items_by_result", "ledger_items", ["result_id"], sqlite_where=done, postgresql_where=done)
