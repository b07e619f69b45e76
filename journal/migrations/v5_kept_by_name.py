"""Version 5: what an organization keeps by name, with all its versions."""

from alembic import op
from sqlalchemy import BigInteger, Column, Integer, Text

from journal.tables import Moment

revision = "v5"
down_revision = "v4"


def upgrade() -> None:
    """Make its table."""
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
