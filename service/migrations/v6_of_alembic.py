"""Version 6: Alembic stores the version from now on. An older service reads in its own table that it is too old."""

from alembic import op
from sqlalchemy import Column, Integer, MetaData, Table

revision = "v6"
down_revision = "v5"

hand_made = Table("schema_version", MetaData(), Column("version", Integer, nullable=False))


def upgrade() -> None:
    """Store a version that no older service knows."""
    hand_made.create(op.get_bind(), checkfirst=True)
    op.execute(hand_made.delete())
    op.execute(hand_made.insert().values(version=6))
