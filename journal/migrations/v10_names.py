"""Version 10: stored names of travelers, approval requests, and fields of alerts follow the names in the code."""

import json

from alembic import op
from sqlalchemy import BigInteger, ColumnElement, Integer, Text, column, func, select, table

revision = "v10"
down_revision = "v9"

_ENTRIES = table("audit_entries", column("action", Text))
_DRAFTS = table("drafts", column("kind", Text), column("payload", Text))
_REQUESTS = table("approval_requests", column("kind", Text), column("payload", Text))
_MATCHES = table(
    "kept_by_name",
    column("service", Text),
    column("organization_id", BigInteger),
    column("kind", Text),
    column("name_key", Text),
    column("version", Integer),
    column("payload", Text),
)


_FIELDS = {
    "trip": {"travellers": "travelers"},
    "public_alert": {
        "beside": "translation_of",
        "blanks": "placeholders",
        "place_said": "inserted_place",
        "place_before": "words_after_place",
        "lost": "not_imported",
        "ready": "template",
        "ready_at": "template_saved_at",
    },
}


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
    for kind, names in _FIELDS.items():
        for stored in (_DRAFTS, _REQUESTS):
            payload: ColumnElement[str] = stored.c.payload
            for before, now in names.items():
                # The colon distinguishes a key from a text, in which each quotation mark is escaped.
                payload = func.replace(payload, f'"{before}": ', f'"{now}": ')
            op.execute(stored.update().where(stored.c.kind == kind).values(payload=payload))
    connection = op.get_bind()
    for row in connection.execute(select(_MATCHES).where(_MATCHES.c.kind.like("columns/%"))).all():
        match = json.loads(row.payload)
        match["columns"] = {
            name.replace("travellerName", "travelerName"): headings for name, headings in match["columns"].items()
        }
        is_row = [each == row._mapping[each.name] for each in _MATCHES.columns if each.name != "payload"]
        connection.execute(_MATCHES.update().where(*is_row).values(payload=json.dumps(match)))
