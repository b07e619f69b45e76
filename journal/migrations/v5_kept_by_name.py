"""Version 5: records that an organization stores by name, with all their versions."""

from alembic import op
from sqlalchemy import BigInteger, Column, Integer, Text

from journal.tables import Moment

revision = "v5"
down_revision = "v4"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "kept_by_name",
        Column("service", Text, primary_key=True),
        Column("organization_id", BigInteger, primary_key=True, autoincrement=False),
        Column("kind", Text, primary_key=True),
        Column("name_key", Text, primary_key=True),
        Column("version", Integer, primary_key=True, autoincrement=False),
        Column("name", Text, nullable=False),
        Column("payload", Text, nullable=False),
        Column("saved_by", Text, nullable=False),
        Column("saved_at", Moment, nullable=False),
    )
