"""Version 10: the stored names of travelers and of approval requests follow the names on the screens."""

import json

from alembic import op
from sqlalchemy import BigInteger, Integer, Text, column, func, select, table

revision = "v10"
down_revision = "v9"

_ENTRIES = table("audit_entries", column("action", Text))
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
    """Rename tables, columns, keys of payloads, and an action. Texts that users typed do not change."""
    op.rename_table("handovers", "approval_requests")
    op.alter_column("approval_requests", "handed_at", new_column_name="requested_at")
    for name, columns in (("by_organization", ("kind", "state")), ("by_key", ("kind", "key"))):
        op.drop_index(f"handovers_{name}", "approval_requests")
        op.create_index(f"approval_requests_{name}", "approval_requests", ["service", "organization_id", *columns])
    renamed = {"action": "public_alert.request_approval"}
    op.execute(_ENTRIES.update().where(_ENTRIES.c.action == "public_alert.hand_over").values(renamed))
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
