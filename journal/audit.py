"""The audit trail: an entry before every call that changes something, and its outcome afterwards. It is append-only."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, TypeAlias

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    String,
    and_,
    bindparam,
    case,
    cast,
    exists,
    func,
    literal,
    literal_column,
    or_,
    select,
)

from journal.journal_database import Database, inserted_id, made_of, of_organization, utc_now
from journal.journal_errors import AlreadyFinished, EntryNotFound, JournalError
from journal.leases import LeaseKeeper
from journal.payload import Redact, decode, encode, redacted_message, search_text, storable
from journal.tables import Moment
from journal.tables import audit_entries as entries
from journal.tables import ledger_items as items
from journal.value_objects import FINISHED_STATES, Actor, Entry, EntryFilters, EntryState

ABANDONED_MESSAGE = (
    "Muster stopped or lost its journal before it recorded the outcome. The change may or may not have been made. "
    "Check the service before you try again."
)
PAGE_SIZE = 50
JOB = ".import"
"""The suffix of the actions of jobs. The subject ID of such an entry is the ID of a job."""

# Inside the class, `list` is its method.
Entries: TypeAlias = list[Entry]
Names: TypeAlias = list[str]
Conditions: TypeAlias = list[ColumnElement[bool]]

_HAS_NO_KNOWN_OUTCOME = entries.c.state.in_([literal_column("'started'"), literal_column("'unknown'")])
"""Literal, so that both databases see that an index of few rows serves it."""

_IS_ABANDONED = and_(
    entries.c.state == literal_column("'started'"),
    entries.c.lease_until < bindparam("now", callable_=utc_now, type_=Moment()),
)
_STATE = case((_IS_ABANDONED, "unknown"), else_=entries.c.state)


class AuditTrail:
    """Who did what for which organization, with the request and the response."""

    def __init__(self, database: Database, leases: LeaseKeeper, redact: Redact) -> None:
        self._redact = redact
        self._database = database
        self._leases = leases

    def begin(
        self,
        actor: Actor,
        action: str,
        *,
        subject_kind: str,
        subject_id: str | None = None,
        subject_name: str | None = None,
        request: Mapping[str, Any] | None = None,
    ) -> int:
        """Record that a call is about to be made, and return the ID of the entry. Secrets in `request` are removed."""
        values = {
            "at": utc_now(),
            "service": actor.service,
            "organization_id": actor.organization_id,
            "username": storable(actor.username),
            "action": action,
            "subject_kind": subject_kind,
            "subject_id": storable(subject_id),
            "subject_name": storable(subject_name),
            "state": "started",
            "lease_until": self._leases.until(),
            "request": encode(request, self._redact),
            "draft": None if request is None else request.get("draft"),
            "search_text": search_text(subject_name, subject_id, actor.username, self._redact(request)),
        }
        with self._database.writing() as connection:
            entry_id = inserted_id(connection, entries, values)
        self._leases.hold(entries, entry_id)
        return entry_id

    def finish(
        self,
        entry_id: int,
        *,
        state: EntryState,
        answer: Mapping[str, Any] | None = None,
        message: str | None = None,
        subject_id: str | None = None,
    ) -> None:
        """Record the outcome of a call, once.

        `subject_id` is the ID of what the call created. Raises AlreadyFinished, EntryNotFound.
        """
        if state not in FINISHED_STATES:
            raise JournalError(f"An entry cannot end as “{state}”.")
        clean = redacted_message(message, self._redact)
        found = search_text(subject_id, clean)
        values: dict[str, Any] = {
            "state": state,
            "finished_at": utc_now(),
            "lease_until": None,
            "answer": encode(answer, self._redact),
            "message": clean,
            "search_text": entries.c.search_text + literal(f" {found}"),
        }
        if subject_id is not None:
            values["subject_id"] = storable(subject_id)
        of_entry = entries.c.id == entry_id
        with self._leases.ending(entries, entry_id), self._database.writing() as connection:
            statement = entries.update().where(of_entry, entries.c.state == "started").values(values)
            written = connection.execute(statement).rowcount
            if written:
                _mark_resolved(connection, entry_id)
            exists = written or connection.execute(select(entries.c.id).where(of_entry)).first()
        if not exists:
            raise EntryNotFound(f"The journal has no entry {entry_id}.")
        if not written:
            raise AlreadyFinished(f"The outcome of entry {entry_id} is already written.")

    def list(
        self,
        service: str,
        organization_id: int,
        *,
        filters: EntryFilters | None = None,
        page: int = 1,
        page_size: int = PAGE_SIZE,
        payloads_of: Collection[str] | None = None,
    ) -> Entries:
        """List entries of an organization, newest first.

        `request` and `answer` are read only for subjects of the kinds in `payloads_of`; by default for all.
        """
        statement = _narrowed(
            _selection(None if payloads_of is None else frozenset(payloads_of)), service, organization_id, filters
        )
        statement = statement.order_by(entries.c.id.desc()).limit(page_size).offset((max(page, 1) - 1) * page_size)
        with self._database.reading() as connection:
            return [_entry(row) for row in connection.execute(statement)]

    def count(self, service: str, organization_id: int, *, filters: EntryFilters | None = None) -> int:
        """Count the entries that `list` would list."""
        statement = _narrowed(select(func.count()).select_from(entries), service, organization_id, filters)
        with self._database.reading() as connection:
            return int(connection.execute(statement).scalar_one())

    def usernames(self, service: str, organization_id: int) -> Names:
        """List the users with entries in an organization, by name."""
        return self._distinct(entries.c.username, service, organization_id)

    def actions(self, service: str, organization_id: int) -> Names:
        """List the actions with entries in an organization, by name."""
        return self._distinct(entries.c.action, service, organization_id)

    def retrieve(self, entry_id: int, *, actor: Actor | None = None) -> Entry:
        """Return an entry; with `actor`, only one of that user's organization. Raises EntryNotFound."""
        with self._database.reading() as connection:
            row = connection.execute(_selection().where(entries.c.id == entry_id)).first()
        entry = None if row is None else _entry(row)
        if entry is None or not _may_see(actor, entry.actor):
            raise EntryNotFound(f"The journal has no entry {entry_id}.")
        return entry

    def history(
        self,
        service: str,
        organization_id: int,
        *,
        subject_kind: str = "itinerary",
        subject_id: str | None = None,
        subject_names: Collection[str] = (),
        at_most: int | None = None,
    ) -> Entries:
        """List the entries of one subject, by its ID or one of its names, newest first."""
        matches: Conditions = []
        if subject_id is not None:
            matches.append(entries.c.subject_id == storable(subject_id))
        if subject_names:
            matches.append(entries.c.subject_name.in_([storable(name) for name in subject_names]))
        if not matches:
            return []
        statement = _narrowed(_selection(), service, organization_id, None)
        statement = statement.where(entries.c.subject_kind == subject_kind, or_(*matches)).order_by(entries.c.id.desc())
        statement = statement.limit(at_most)
        with self._database.reading() as connection:
            return [_entry(row) for row in connection.execute(statement)]

    def succeeded(
        self, service: str, organization_id: int, subject_kind: str, actions: Collection[str]
    ) -> Sequence[tuple[datetime, str, str | None]]:
        """List the successful actions on subjects of a kind, as (time, action, name), in the order they began."""
        statement = (
            select(entries.c.at, entries.c.action, entries.c.subject_name)
            .where(
                of_organization(entries, service, organization_id),
                entries.c.subject_kind == subject_kind,
                entries.c.action.in_(actions),
                entries.c.state == "succeeded",
            )
            .order_by(entries.c.id)
        )
        with self._database.reading() as connection:
            return [(row.at, row.action, row.subject_name) for row in connection.execute(statement)]

    def _distinct(self, column: ColumnElement[str], service: str, organization_id: int) -> Names:
        statement = _narrowed(select(column).distinct(), service, organization_id, None)
        with self._database.reading() as connection:
            return sorted((str(value) for value in connection.execute(statement).scalars()), key=str.casefold)


def _may_see(within: Actor | None, actor: Actor) -> bool:
    return within is None or (within.service, within.organization_id) == (actor.service, actor.organization_id)


def _mark_resolved(connection: Connection, entry_id: int) -> None:
    """Mark the open entries, with the subject of an entry that has ended, that later entries resolve."""
    ended = connection.execute(entries.select().where(entries.c.id == entry_id)).one()
    has_subject = or_(
        entries.c.subject_id == ended.subject_id, entries.c.subject_name.is_not_distinct_from(ended.subject_name)
    )
    is_open = (
        of_organization(entries, ended.service, ended.organization_id),
        entries.c.subject_kind == ended.subject_kind,
        _HAS_NO_KNOWN_OUTCOME,
        entries.c.resolved_at.is_(None),
    )
    resolved = select(entries.c.id).where(*is_open, has_subject, is_resolved_by_later_entry())
    # A row that another transaction ends just now stays open, which is safe; waiting for it could end in a deadlock.
    free = resolved.with_for_update(skip_locked=True)
    connection.execute(entries.update().where(entries.c.id.in_(free)).values(resolved_at=utc_now()))


def is_resolved_by_later_entry() -> ColumnElement[bool]:
    """Return the condition that an entry's outcome is known by now: a user resolved it, or its subject was changed
    later.

    The resolving entry names the entry and has the same subject. Only a user resolves an alert: alerts often have the
    same name, and none is sent again before. A job is resolved when it has continued and no item is unknown.
    """
    later = entries.alias()
    is_alert = entries.c.subject_kind == "public_alert"
    decision = literal('"settles":') + cast(entries.c.id, String)
    names_it = or_(later.c.request.contains(decision + ","), later.c.request.contains(decision + "}"))
    decided = and_(later.c.state.in_(("succeeded", "not sent")), names_it)
    is_job = and_(entries.c.action.endswith(JOB), entries.c.subject_id.is_not(None))
    gone_on = and_(is_job, later.c.state.in_(("succeeded", "partly done", "refused", "not sent")))
    changed = and_(~is_alert, ~is_job, later.c.state == "succeeded")
    here = [later.c[name] == entries.c[name] for name in ("service", "organization_id", "subject_kind")]
    after = exists().where(*here, later.c.id > entries.c.id)
    is_named = later.c.subject_name.is_not_distinct_from(entries.c.subject_name)
    # Two questions, each with an index of its own: as one, every later entry would be read for each.
    return or_(
        after.where(later.c.subject_id == entries.c.subject_id, or_(gone_on, changed, decided)),
        after.where(is_named, or_(and_(later.c.subject_name.is_not(None), changed), decided)),
    )


def _in_state(state: EntryState, *, is_resolved: bool) -> Conditions:
    if state == "unknown":
        resolved_at = entries.c.resolved_at
        is_wanted = resolved_at.is_not(None) if is_resolved else resolved_at.is_(None)
        return [_HAS_NO_KNOWN_OUTCOME, is_wanted, or_(entries.c.state == "unknown", _IS_ABANDONED)]
    in_state = entries.c.state == literal(storable(state), literal_execute=True)
    return [in_state, ~_IS_ABANDONED] if state == "started" else [in_state]


@lru_cache(maxsize=16)
def _selection(payloads_of: frozenset[str] | None = None) -> Select[Any]:
    """Select the columns of entries. Built once for each set of kinds, since pages draw them all the time."""
    names = (
        *("id", "at", "finished_at", "service", "organization_id", "username", "action"),
        *("subject_kind", "subject_id", "subject_name", "message"),
    )
    payloads: list[ColumnElement[Any]] = [entries.c.request, entries.c.answer]
    if payloads_of is not None:
        is_read = entries.c.subject_kind.in_(payloads_of)
        payloads = [case((is_read, entries.c[name])).label(name) for name in ("request", "answer")]
    columns = [entries.c[name] for name in names]
    return select(
        *columns,
        *payloads,
        entries.c.resolved_at,
        _STATE.label("state"),
        _IS_ABANDONED.label("abandoned"),
    )


def _narrowed(statement: Select[Any], service: str, organization_id: int, filters: EntryFilters | None) -> Select[Any]:
    statement = statement.where(of_organization(entries, service, organization_id))
    if filters is None:
        return statement
    if filters.username:
        statement = statement.where(entries.c.username == storable(filters.username))
    if filters.action:
        statement = statement.where(entries.c.action == storable(filters.action))
    if filters.subject_kind:
        # Literal, so that an index of one kind serves it.
        kind = literal(storable(filters.subject_kind), literal_execute=True)
        statement = statement.where(entries.c.subject_kind == kind)
    if filters.draft:
        statement = statement.where(entries.c.draft == storable(filters.draft))
    if filters.state:
        statement = statement.where(*_in_state(filters.state, is_resolved=filters.is_resolved))
    if filters.since:
        statement = statement.where(entries.c.at >= filters.since)
    if filters.until:
        statement = statement.where(entries.c.at < filters.until)
    for word in filters.text.split():
        is_found = entries.c.search_text.contains(search_text(word), autoescape=True)
        if filters.action is None or filters.action.endswith(JOB):
            is_found = or_(is_found, _is_of_job_with(storable(word) or ""))
        statement = statement.where(is_found)
    return statement


def _is_of_job_with(word: str) -> ColumnElement[bool]:
    """Return the condition that an entry belongs to a job that sent something with this word in its name or values."""
    # SQLite compares letters beyond ASCII to the case: the usual spellings are looked for.
    spellings = {word, word.lower(), word.upper(), word.title()}
    parts = [part for column in (items.c.label, items.c.payload) for part in (column, func.lower(column))]
    has_word = or_(*(part.contains(spelling, autoescape=True) for part in parts for spelling in spellings))
    found = select(cast(items.c.job_id, String)).where(has_word)
    return and_(entries.c.action.endswith(JOB), entries.c.subject_id.in_(found))


def _entry(row: Row[Any]) -> Entry:
    return made_of(
        row,
        Entry,
        actor=made_of(row, Actor),
        request=decode(row.request),
        answer=decode(row.answer),
        message=ABANDONED_MESSAGE if row.abandoned else row.message,
        abandoned=bool(row.abandoned),
        is_resolved=row.state == "unknown" and row.resolved_at is not None,
    )
