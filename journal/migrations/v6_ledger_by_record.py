"""Version 6: what was sent in batches is found by the record it is of, by its name and by the service's id of it."""

from alembic import op
from sqlalchemy import text

revision = "v6"
down_revision = "v5"


def upgrade() -> None:
    """Make its indexes."""
    done = text("state = 'done'")
    op.create_index("ledger_items_by_label", "ledger_items", ["label"])
    op.create_index("ledger_items_by_result", "ledger_items", ["result_id"], sqlite_where=done, postgresql_where=done)
