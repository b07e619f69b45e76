"""Version 11: entries say when they were resolved and which draft they sent, and jobs how often items were done.

Indexes find open and recent entries, and those of an action and a draft, so that no page reads the whole history.
"""

import json

from alembic import op
from sqlalchemy import BigInteger, Column, Integer, Text, column, func, select, table, text

from journal.audit import is_resolved_by_later_entry
from journal.tables import Moment, audit_entries

revision = "v11"
down_revision = "v10"

_BY_ORGANIZATION = ["service", "organization_id"]
_TIMES = (audit_entries.c.finished_at, audit_entries.c.at)
_PAGE = 1_000


def upgrade() -> None:
    """Add the columns and indexes, and fill the columns from what the journal says."""
    op.add_column("audit_entries", Column("draft", Text))
    op.add_column("audit_entries", Column("resolved_at", Moment))
    op.add_column("ledger_jobs", Column("done_writes", Integer, nullable=False, server_default="0"))
    op.create_index("audit_entries_by_action", "audit_entries", [*_BY_ORGANIZATION, "action", "id"])
    is_open = "state IN ('started', 'unknown') AND resolved_at IS NULL"
    for name, columns, where in (
        ("open", ["subject_kind", "id"], is_open),
        ("started", ["id"], "state = 'started'"),
        ("succeeded", ["subject_kind", "at"], "state = 'succeeded'"),
        ("by_draft", ["draft", "action"], "draft IS NOT NULL"),
    ):
        names, is_in = [*_BY_ORGANIZATION, *columns], text(where)
        op.create_index(f"audit_entries_{name}", "audit_entries", names, sqlite_where=is_in, postgresql_where=is_in)
    _fill_drafts()
    has_no_outcome, later = audit_entries.c.state.in_(("started", "unknown")), is_resolved_by_later_entry()
    op.execute(audit_entries.update().where(has_no_outcome, later).values(resolved_at=func.coalesce(*_TIMES)))
    jobs = table("ledger_jobs", column("id"), column("done_writes"))
    items = table("ledger_items", column("job_id"), column("state"))
    has_done = select(items.c.job_id).where(items.c.state == "done")
    op.execute(jobs.update().where(jobs.c.id.in_(has_done)).values(done_writes=1))


def _fill_drafts() -> None:
    entries = table("audit_entries", column("id", BigInteger), column("request", Text), column("draft", Text))
    connection, last = op.get_bind(), 0
    statement = select(entries.c.id, entries.c.request).where(entries.c.request.contains('"draft":'))
    while rows := connection.execute(statement.where(entries.c.id > last).order_by(entries.c.id).limit(_PAGE)).all():
        for row in rows:
            draft = json.loads(row.request).get("draft")
            if isinstance(draft, str):
                connection.execute(entries.update().where(entries.c.id == row.id).values(draft=draft))
        last = rows[-1].id
