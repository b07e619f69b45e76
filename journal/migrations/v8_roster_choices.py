"""Version 8: the default roster, the roster of imported trips, and the last choice of each user."""

from alembic import op
from sqlalchemy import BigInteger, Boolean, Column, Text, false

from journal.tables import Moment

revision = "v8"
down_revision = "v7"


def upgrade() -> None:
    """Add the columns and the table of choices."""
    for name in ("is_default", "takes_imports"):
        op.add_column("rosters", Column(name, Boolean, nullable=False, server_default=false()))
    op.add_column("roster_entries", Column("keep_until", Moment))
    op.create_table(
        "roster_choices",
        Column("service", Text, primary_key=True),
        Column("organization_id", BigInteger, primary_key=True, autoincrement=False),
        Column("username", Text, primary_key=True),
        Column("choice", Text, nullable=False),
    )
