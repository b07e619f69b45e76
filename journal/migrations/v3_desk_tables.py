"""Version 3: the tables of the versions before Alembic, 1 to 3. A journal of such a version may lack some of them."""

from alembic import op
from sqlalchemy import (
    BigInteger,
    Column,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

revision = "v3"
down_revision = None

Id = BigInteger().with_variant(Integer(), "sqlite")
Moment = DateTime(timezone=True)

metadata = MetaData()
Table(
    "audit_entries",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("at", Moment, nullable=False),
    Column("finished_at", Moment),
    Column("service", Text, nullable=False),
    Column("organization_id", BigInteger, nullable=False),
    Column("username", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("subject_kind", Text, nullable=False),
    Column("subject_id", Text),
    Column("subject_name", Text),
    Column("state", Text, nullable=False),
    Column("lease_until", Moment),
    Column("request", Text),
    Column("answer", Text),
    Column("message", Text),
    Column("search_text", Text, nullable=False),
    Index("audit_entries_by_organization", "service", "organization_id", "id"),
    Index("audit_entries_by_subject_id", "service", "organization_id", "subject_kind", "subject_id"),
    Index("audit_entries_by_subject_name", "service", "organization_id", "subject_kind", "subject_name"),
    sqlite_autoincrement=True,
)
Table(
    "rosters",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("service", Text, nullable=False),
    Column("organization_id", BigInteger, nullable=False),
    Column("name", Text, nullable=False),
    Column("name_key", Text, nullable=False),
    Column("created_by", Text, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("changed_at", Moment, nullable=False),
    Column("entry_count", Integer, nullable=False),
    UniqueConstraint("service", "organization_id", "name_key", name="rosters_name_is_unique"),
    sqlite_autoincrement=True,
)
Table(
    "roster_entries",
    metadata,
    Column("roster_id", ForeignKey("rosters.id", ondelete="CASCADE"), primary_key=True, type_=Id, autoincrement=False),
    Column("record_locator", Text, primary_key=True),
    Column("position", Integer, nullable=False),
    Column("travellers", Text, nullable=False),
    Column("itinerary_ids", Text, nullable=False),
    Column("looked_up_at", Moment),
)
Table(
    "roster_loads",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("roster_id", ForeignKey("rosters.id", ondelete="CASCADE"), nullable=False, type_=Id, index=True),
    Column("started_by", Text, nullable=False),
    Column("started_at", Moment, nullable=False),
    Column("finished_at", Moment),
    Column("total", Integer, nullable=False),
    Column("done", Integer, nullable=False),
    Column("found", Integer, nullable=False),
    Column("not_found", Integer, nullable=False),
    Column("failed", Integer, nullable=False),
    Column("state", Text, nullable=False),
    Column("lease_until", Moment),
    Column("message", Text),
    sqlite_autoincrement=True,
)
Table(
    "travellers",
    metadata,
    Column("service", Text, primary_key=True),
    Column("organization_id", BigInteger, primary_key=True, autoincrement=False),
    Column("external_id", Text, primary_key=True),
    Column("first_name", Text, nullable=False),
    Column("last_name", Text, nullable=False),
    Column("learnt_at", Moment, nullable=False),
)
Table(
    "drafts",
    metadata,
    Column("service", Text, primary_key=True),
    Column("organization_id", BigInteger, primary_key=True, autoincrement=False),
    Column("username", Text, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("payload", Text, nullable=False),
    Column("saved_at", Moment, nullable=False),
    Column("claimed_at", Moment),
    Column("claim", Text),
)
Table(
    "handovers",
    metadata,
    Column("id", Text, primary_key=True),
    Column("service", Text, nullable=False),
    Column("organization_id", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("payload", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("written_by", Text, nullable=False),
    Column("handed_at", Moment, nullable=False),
    Column("decided_by", Text),
    Column("decided_at", Moment),
    Column("note", Text),
    Index("handovers_by_organization", "service", "organization_id", "kind", "state"),
    Index("handovers_by_key", "service", "organization_id", "kind", "key"),
)
Table(
    "wordings",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("service", Text, nullable=False),
    Column("organization_id", BigInteger, nullable=False),
    Column("event", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("payload", Text, nullable=False),
    Column("saved_by", Text, nullable=False),
    Column("saved_at", Moment, nullable=False),
    UniqueConstraint("service", "organization_id", "event", "name", name="wordings_name_is_unique"),
    sqlite_autoincrement=True,
)
Table(
    "ledger_jobs",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("service", Text, nullable=False),
    Column("organization_id", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("settings", Text, nullable=False),
    Column("created_by", Text, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("state", Text, nullable=False),
    Column("message", Text),
    Column("owner", Text),
    Column("lease_until", Moment),
    Column("run_at", Moment),
    Column("run_from", Integer, nullable=False),
    Column("finished_at", Moment),
    Index("ledger_jobs_by_organization", "service", "organization_id", "kind", "id"),
    sqlite_autoincrement=True,
)
Table(
    "ledger_items",
    metadata,
    Column("job_id", ForeignKey("ledger_jobs.id", ondelete="CASCADE"), primary_key=True, type_=Id, autoincrement=False),
    Column("position", Integer, primary_key=True),
    Column("lot", Text, nullable=False),
    Column("label", Text, nullable=False),
    Column("payload", Text, nullable=False),
    Column("rows", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("result_id", Text),
    Column("reasons", Text),
    Column("at", Moment),
    Index("ledger_items_by_state", "job_id", "state", "position"),
)
Table(
    "column_matches",
    metadata,
    Column("service", Text, primary_key=True),
    Column("organization_id", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("columns", Text, nullable=False),
    Column("saved_by", Text, nullable=False),
    Column("saved_at", Moment, nullable=False),
)


def upgrade() -> None:
    """Create the missing tables."""
    metadata.create_all(op.get_bind())
