"""Version 10: travelers are spelled in American English, in tables, drafts of trips, and saved column matches."""

import json

from alembic import op
from sqlalchemy import BigInteger, Integer, Text, column, func, select, table

revision = "v10"
down_revision = "v9"

_DRAFTS = table("drafts", column("kind", Text), column("payload", Text))
_MATCHES = table(
    "kept_by_name",
    column("service", Text),
    column("organization_id", BigInteger),
    column("kind", Text),
    column("name_key", Text),
    column("version", Integer),
    column("payload", Text),
)


def upgrade() -> None:
    """Rename the table, its column in the rosters, and the keys of payloads. Texts that users typed do not change."""
    op.rename_table("travellers", "travelers")
    op.alter_column("roster_entries", "travellers", new_column_name="travelers")
    # The colon distinguishes a key from a text.
    payload = func.replace(_DRAFTS.c.payload, '"travellers": ', '"travelers": ')
    op.execute(_DRAFTS.update().where(_DRAFTS.c.kind == "trip").values(payload=payload))
    connection = op.get_bind()
    for row in connection.execute(select(_MATCHES).where(_MATCHES.c.kind.like("columns/%"))).all():
        match = json.loads(row.payload)
        match["columns"] = {
            name.replace("travellerName", "travelerName"): headings for name, headings in match["columns"].items()
        }
        is_row = [each == row._mapping[each.name] for each in _MATCHES.columns if each.name != "payload"]
        connection.execute(_MATCHES.update().where(*is_row).values(payload=json.dumps(match)))
