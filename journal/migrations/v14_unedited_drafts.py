"""Version 14: drafts that Muster stored, and that no one has edited since."""

from alembic import op
from sqlalchemy import Boolean, Column, false

revision = "v14"
down_revision = "v13"


def upgrade() -> None:
    """Add the column. Drafts from before count as edited."""
    op.add_column("drafts", Column("is_unedited", Boolean, nullable=False, server_default=false()))
