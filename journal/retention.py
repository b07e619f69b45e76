"""Removal of old personal data in small steps, with an entry in the audit trail.

The audit trail keeps who did what to which kind of record, when, and how it ended, without names, IDs, and contents.
What is still open stays: changes with an unknown outcome and their drafts, imports that can continue, and incidents
that are not closed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Select, Table, and_, delete, func, select, tuple_, union

from journal.audit import AuditTrail
from journal.journal_database import Database, of_organization
from journal.tables import (
    approval_requests,
    audit_entries,
    drafts,
    incidents,
    kept_by_name,
    ledger_items,
    ledger_jobs,
    travelers,
)
from journal.value_objects import Actor

ACTION: Final = "data.remove"
SYSTEM: Final = "Muster"
"""The user of entries about what no person did."""
STEP: Final = 500
"""The maximum number of rows of a table that one step removes."""
REMOVED: Final = "The retention period of this entry has ended. Names, IDs, and contents were removed."
UNUSED_AGE: Final = timedelta(days=30)
"""How long a link opens an area that no incident uses, and a draft that no one has edited."""
AREA_KIND: Final = "incident_area"
LEFTOVER_KIND: Final = "leftover_file"
"""The kind of files that a watched folder left over."""


@dataclass(frozen=True)
class OldData:
    """How many rows of each kind of an organization are older than a time, such as `{"drafts": 3}`."""

    service: str
    organization_id: int
    counts: Counter[str]


class Retention:
    """Finds and removes old data of all organizations."""

    def __init__(self, database: Database, audit: AuditTrail) -> None:
        self._database = database
        self._audit = audit

    def find(self, cutoff: datetime) -> list[OldData]:
        """Return what `remove` would remove."""
        found = []
        with self._database.reading() as connection:
            for service, organization_id in _organizations(connection):
                counts = Counter[str]()
                for part in _parts(service, organization_id, cutoff):
                    statement = select(func.count()).select_from(part.table).where(part.is_old)
                    counts[part.name] += connection.execute(statement).scalar_one()
                if +counts:
                    found.append(OldData(service, organization_id, +counts))
        return found

    def remove(self, cutoff: datetime, *, step: int = STEP) -> list[OldData]:
        """Remove what is older, `step` rows per table and transaction, with one audit entry per organization.

        Another replica may do the same at the same time. Each row is removed, and counted, once.
        """
        removed = []
        with self._database.reading() as connection:
            organizations = _organizations(connection)
        for service, organization_id in organizations:
            counts = Counter[str]()
            for part in _parts(service, organization_id, cutoff):
                counts[part.name] += self._remove_all(part, step)
            counts = +counts
            if counts:
                self._record(Actor(service, organization_id, SYSTEM), cutoff, counts)
                removed.append(OldData(service, organization_id, counts))
        return removed

    def remove_unused(self, now: datetime) -> int:
        """Remove old areas that no incident uses, and old drafts that no one has edited. Returns their number."""
        oldest = now - UNUSED_AGE
        is_old_area = and_(kept_by_name.c.kind == AREA_KIND, kept_by_name.c.saved_at < oldest)
        is_old_draft = and_(drafts.c.is_unedited, drafts.c.saved_at < oldest, drafts.c.claimed_at.is_(None))
        areas = _Part("stored areas", kept_by_name, and_(is_old_area, ~_is_in_use()))
        return self._remove_all(areas, STEP) + self._remove_all(_Part("drafts", drafts, is_old_draft), STEP)

    def _remove_all(self, part: _Part, step: int) -> int:
        removed = 0
        while count := self._remove_step(part, step):
            removed += count
        return removed

    def _remove_step(self, part: _Part, step: int) -> int:
        with self._database.writing() as connection:
            # A row that another replica removes right now is left to it.
            chosen = select(*_key(part.table)).where(part.is_old).limit(step).with_for_update(skip_locked=True)
            keys = [tuple(key) for key in connection.execute(chosen)]
            if keys:
                statement = part.table.update().values(part.blanks) if part.blanks else delete(part.table)
                connection.execute(statement.where(tuple_(*_key(part.table)).in_(keys)))
        return len(keys)

    def _record(self, actor: Actor, cutoff: datetime, counts: Counter[str]) -> None:
        request = {"before": cutoff.isoformat(), **counts}
        entry = self._audit.begin(actor, ACTION, subject_kind="retention", request=request)
        self._audit.finish(entry, state="succeeded")


@dataclass(frozen=True)
class _Part:
    """Rows of a table that are removed; with `blanks`, they are kept with these values."""

    name: str
    table: Table
    is_old: ColumnElement[bool]
    blanks: dict[str, Any] | None = None


def _parts(service: str, organization_id: int, cutoff: datetime) -> Sequence[_Part]:
    """Return the parts in the order of their removal. Items go before their job, so that no step is large."""

    def older(table: Table, column: str, *conditions: ColumnElement[bool]) -> ColumnElement[bool]:
        return and_(of_organization(table, service, organization_id), table.c[column] < cutoff, *conditions)

    is_open = and_(audit_entries.c.state.in_(("started", "unknown")), audit_entries.c.resolved_at.is_(None))
    open_drafts = select(audit_entries.c.draft).where(
        of_organization(audit_entries, service, organization_id), is_open, audit_entries.c.draft.is_not(None)
    )
    is_unknown = and_(ledger_items.c.job_id == ledger_jobs.c.id, ledger_items.c.state == "unknown")
    has_unknown = select(ledger_items.c.position).where(is_unknown).exists()
    old_jobs = older(ledger_jobs, "created_at", ledger_jobs.c.finished_at < cutoff, ~has_unknown)
    of_old_jobs = ledger_items.c.job_id.in_(select(ledger_jobs.c.id).where(old_jobs))
    return (
        _Part("drafts", drafts, older(drafts, "saved_at", drafts.c.key.not_in(open_drafts))),
        _Part("imported rows", ledger_items, of_old_jobs),
        _Part("imports", ledger_jobs, old_jobs),
        _Part("incidents", incidents, older(incidents, "changed_at", incidents.c.state == "closed")),
        _Part(
            "stored areas",
            kept_by_name,
            older(kept_by_name, "saved_at", kept_by_name.c.kind == AREA_KIND, ~_is_in_use()),
        ),
        _Part(
            "files of watched folders",
            kept_by_name,
            older(kept_by_name, "saved_at", kept_by_name.c.kind == LEFTOVER_KIND),
        ),
        _Part("approval requests", approval_requests, older(approval_requests, "requested_at")),
        _Part("names of travelers", travelers, older(travelers, "learnt_at")),
        _Part(
            "entries",
            audit_entries,
            older(audit_entries, "at", audit_entries.c.search_text != "", ~is_open),
            blanks={
                "subject_id": None,
                "subject_name": None,
                "request": None,
                "answer": None,
                "draft": None,
                "message": REMOVED,
                "search_text": "",
            },
        ),
    )


def _is_in_use() -> ColumnElement[bool]:
    is_here = of_organization(incidents, kept_by_name.c.service, kept_by_name.c.organization_id)  # type: ignore[arg-type]
    return select(incidents.c.id).where(is_here, incidents.c.area.contains(kept_by_name.c.name)).exists()


def _organizations(connection: Connection) -> list[tuple[str, int]]:
    tables = (audit_entries, drafts, ledger_jobs, incidents, travelers)
    names: list[Select[Any]] = [select(table.c.service, table.c.organization_id).distinct() for table in tables]
    return sorted((row.service, row.organization_id) for row in connection.execute(union(*names)))


def _key(table: Table) -> list[ColumnElement[Any]]:
    return list(table.primary_key.columns)
