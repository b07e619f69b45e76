"""Version 7: itineraries are found by record locator without regard to case."""

from alembic import op
from sqlalchemy import BigInteger, Column, Text, bindparam, column, select, table, text

revision = "v7"
down_revision = "v6"

_ITINERARIES = table("itineraries", column("id", BigInteger), column("pnr", Text), column("pnr_key", Text))


def upgrade() -> None:
    """Add, fill, and index the column that record locators are compared by."""
    op.add_column("itineraries", Column("pnr_key", Text, nullable=False, server_default=""))
    connection = op.get_bind()
    # Not with the database's function: that of SQLite handles ASCII only.
    keys = [
        {"its_id": row.id, "key": row.pnr.upper()}
        for row in connection.execute(select(_ITINERARIES.c.id, _ITINERARIES.c.pnr))
    ]
    if keys:
        its = _ITINERARIES.update().where(_ITINERARIES.c.id == bindparam("its_id"))
        connection.execute(its.values(pnr_key=bindparam("key")), keys)
    active = text("status = 'A'")
    op.create_index(
        "itineraries_pnr_key",
        "itineraries",
        ["organization_id", "pnr_key"],
        sqlite_where=active,
        postgresql_where=active,
    )
