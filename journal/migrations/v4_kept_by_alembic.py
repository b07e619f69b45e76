"""Version 4: Alembic stores the version from now on. An older Muster reads in its own table that it is too old."""

from alembic import op
from sqlalchemy import Column, Integer, MetaData, Table

revision = "v4"
down_revision = "v3"

hand_made = Table("journal_schema", MetaData(), Column("version", Integer, primary_key=True))


def upgrade() -> None:
    """Write a version that is newer than all of those."""
    hand_made.create(op.get_bind(), checkfirst=True)
    op.execute(hand_made.delete())
    op.execute(hand_made.insert().values(version=4))
