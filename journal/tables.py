"""The journal's tables after the last step in `journal/migrations`."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    false,
    text,
)


class Moment(TypeDecorator[datetime]):
    """An aware time in UTC, which SQLite would return without its zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert a time to UTC. SQLite stores it without a zone."""
        if value is None:
            return None
        moment = value.astimezone(UTC)
        return moment.replace(tzinfo=None) if dialect.name == "sqlite" else moment

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """Return a time with the zone UTC."""
        if value is None:
            return None
        moment: datetime = value
        return moment.replace(tzinfo=UTC) if dialect.name == "sqlite" else moment.astimezone(UTC)


Id: Final = BigInteger().with_variant(Integer(), "sqlite")

metadata = MetaData()


def _partial_index(name: str, *columns: str, where: str) -> Index:
    return Index(name, "service", "organization_id", *columns, sqlite_where=text(where), postgresql_where=text(where))


audit_entries = Table(
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
    # The ID of the draft that the request sent.
    Column("draft", Text),
    # When a later entry, or a person, resolved an outcome that was not known.
    Column("resolved_at", Moment),
    Index("audit_entries_by_organization", "service", "organization_id", "id"),
    Index("audit_entries_by_action", "service", "organization_id", "action", "id"),
    # Pages ask for these all the time; the journal has few of them however long it is.
    _partial_index(
        "audit_entries_open", "subject_kind", "id", where="state IN ('started', 'unknown') AND resolved_at IS NULL"
    ),
    _partial_index("audit_entries_started", "id", where="state = 'started'"),
    # Those whose personal data has not been removed yet.
    _partial_index("audit_entries_with_content", "at", where="search_text <> ''"),
    _partial_index("audit_entries_succeeded", "subject_kind", "at", where="state = 'succeeded'"),
    _partial_index("audit_entries_of_alerts", "action", "at", where="subject_kind = 'public_alert'"),
    _partial_index("audit_entries_by_draft", "draft", "action", where="draft IS NOT NULL"),
    Index("audit_entries_by_subject_id", "service", "organization_id", "subject_kind", "subject_id"),
    Index("audit_entries_by_subject_name", "service", "organization_id", "subject_kind", "subject_name"),
    sqlite_autoincrement=True,
)

rosters = Table(
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
    # The roster that the map shows to users without a choice; at most one per organization.
    Column("is_default", Boolean, nullable=False, server_default=false()),
    # The roster that imported trips are added to; at most one per organization.
    Column("takes_imports", Boolean, nullable=False, server_default=false()),
    UniqueConstraint("service", "organization_id", "name_key", name="rosters_name_is_unique"),
    sqlite_autoincrement=True,
)

roster_entries = Table(
    "roster_entries",
    metadata,
    Column("roster_id", ForeignKey("rosters.id", ondelete="CASCADE"), primary_key=True, type_=Id, autoincrement=False),
    Column("record_locator", Text, primary_key=True),
    Column("position", Integer, nullable=False),
    Column("travelers", Text, nullable=False),
    # JSON text, since an itinerary ID can exceed a 64-bit integer.
    Column("itinerary_ids", Text, nullable=False),
    Column("looked_up_at", Moment),
    # When the next import removes the trip; null if a user added it.
    Column("keep_until", Moment),
)

roster_choices = Table(
    "roster_choices",
    metadata,
    Column("service", Text, primary_key=True),
    Column("organization_id", BigInteger, primary_key=True, autoincrement=False),
    Column("username", Text, primary_key=True),
    # The ID of a roster, or a word of the screen for several.
    Column("choice", Text, nullable=False),
)

roster_loads = Table(
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

travelers = Table(
    "travelers",
    metadata,
    Column("service", Text, primary_key=True),
    Column("organization_id", BigInteger, primary_key=True, autoincrement=False),
    Column("external_id", Text, primary_key=True),
    Column("first_name", Text, nullable=False),
    Column("last_name", Text, nullable=False),
    Column("learnt_at", Moment, nullable=False),
)

drafts = Table(
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
    Column("is_unedited", Boolean, nullable=False, server_default=false()),
    Index("drafts_by_age", "service", "organization_id", "saved_at"),
)

approval_requests = Table(
    "approval_requests",
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
    Column("requested_at", Moment, nullable=False),
    Column("decided_by", Text),
    Column("decided_at", Moment),
    Column("note", Text),
    Index("approval_requests_by_organization", "service", "organization_id", "kind", "state"),
    Index("approval_requests_by_key", "service", "organization_id", "kind", "key"),
)

kept_by_name = Table(
    "kept_by_name",
    metadata,
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

ledger_jobs = Table(
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
    # Grows whenever items are done, so that readers notice new ones without counting them.
    Column("done_writes", Integer, nullable=False, server_default="0"),
    Index("ledger_jobs_by_organization", "service", "organization_id", "kind", "id"),
    Index("ledger_jobs_by_age", "service", "organization_id", "created_at"),
    sqlite_autoincrement=True,
)

_DONE = "state = 'done'"

ledger_items = Table(
    "ledger_items",
    metadata,
    Column("job_id", ForeignKey("ledger_jobs.id", ondelete="CASCADE"), primary_key=True, type_=Id, autoincrement=False),
    Column("position", Integer, primary_key=True),
    Column("lot", Text, nullable=False),
    Column("label", Text, nullable=False),
    Column("payload", Text, nullable=False),
    # The numbers and cells of its rows in the file, as they were sent.
    Column("rows", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("result_id", Text),
    Column("reasons", Text),
    Column("at", Moment),
    Index("ledger_items_by_state", "job_id", "state", "position"),
    # The items of one record are found by its name, and by its ID at the service.
    Index("ledger_items_by_label", "label"),
    Index("ledger_items_by_result", "result_id", sqlite_where=text(_DONE), postgresql_where=text(_DONE)),
)

incidents = Table(
    "incidents",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("service", Text, nullable=False),
    Column("organization_id", BigInteger, nullable=False),
    Column("name", Text, nullable=False),
    # GeoJSON.
    Column("area", Text, nullable=False),
    Column("begins_at", Moment, nullable=False),
    # Null while the incident continues.
    Column("ends_at", Moment),
    Column("margin_km", Float, nullable=False),
    # A JSON list of roster IDs.
    Column("roster_ids", Text, nullable=False),
    Column("state", Text, nullable=False),
    # Grows with each change of the incident, but not with its notes and marks.
    Column("version", Integer, nullable=False),
    Column("created_by", Text, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("changed_by", Text, nullable=False),
    Column("changed_at", Moment, nullable=False),
    Index("incidents_by_organization", "service", "organization_id", "state", "id"),
    sqlite_autoincrement=True,
)

incident_events = Table(
    "incident_events",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("incident_id", ForeignKey("incidents.id", ondelete="CASCADE"), nullable=False, type_=Id),
    Column("at", Moment, nullable=False),
    Column("username", Text, nullable=False),
    Column("action", Text, nullable=False),
    # The key of the marked person in the list of the incident.
    Column("person", Text),
    Column("note", Text, nullable=False),
    Index("incident_events_by_incident", "incident_id", "id"),
    sqlite_autoincrement=True,
)

incident_marks = Table(
    "incident_marks",
    metadata,
    Column(
        "incident_id", ForeignKey("incidents.id", ondelete="CASCADE"), primary_key=True, type_=Id, autoincrement=False
    ),
    Column("person", Text, primary_key=True),
    Column("status", Text, nullable=False),
    Column("note", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("marked_by", Text, nullable=False),
    Column("marked_at", Moment, nullable=False),
    # The username of the colleague who calls the person; "" for no one.
    Column("assigned_to", Text, nullable=False, server_default=""),
)

incident_looks = Table(
    "incident_looks",
    metadata,
    Column(
        "incident_id", ForeignKey("incidents.id", ondelete="CASCADE"), primary_key=True, type_=Id, autoincrement=False
    ),
    Column("username", Text, primary_key=True),
    Column("looked_at", Moment, nullable=False),
    # The list as the user last saw it, as JSON.
    Column("snapshot", Text, nullable=False),
)
