"""Incidents of an organization: area, period, history, and the marks of affected people."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, Literal, TypeAlias

from sqlalchemy import ColumnElement, Connection, Row, and_, func, select
from sqlalchemy.exc import IntegrityError

from journal.journal_database import Database, inserted_id, made_of, of_organization, utc_now
from journal.journal_errors import IncidentChanged, IncidentNotFound, JournalError
from journal.payload import storable
from journal.tables import incident_events, incident_looks, incident_marks, incidents
from journal.value_objects import Actor
from storage.dialects import upsert

IncidentState: TypeAlias = Literal["open", "closed"]
IncidentAction: TypeAlias = Literal["created", "changed", "closed", "reopened", "noted", "marked", "assigned"]
MarkStatus: TypeAlias = Literal["unanswered", "contacted", "safe", "needs help"]
MARKS: Final[tuple[MarkStatus, ...]] = ("unanswered", "contacted", "safe", "needs help")
MAX_NAME_LENGTH: Final = 100
MAX_NOTE_LENGTH: Final = 4_000
MAX_ASSIGNEE_LENGTH: Final = 200


@dataclass(frozen=True)
class IncidentContent:
    """The content of an incident. `area` is GeoJSON, times are aware, and `ends_at` is None while it continues."""

    name: str
    area: dict[str, Any]
    begins_at: datetime
    ends_at: datetime | None
    margin_km: float
    roster_ids: Sequence[int]


@dataclass(frozen=True)
class Incident:
    """A stored incident. An update names the `version` that it replaces."""

    id: int
    content: IncidentContent
    state: IncidentState
    version: int
    created_by: str
    created_at: datetime
    changed_by: str
    changed_at: datetime


@dataclass(frozen=True)
class IncidentEvent:
    """An event in the history of an incident.

    For a mark, `person` is set, and `note` has its status and note. For an assignment, `note` has the assignee.
    """

    id: int
    at: datetime
    username: str
    action: IncidentAction
    person: str | None
    note: str


@dataclass(frozen=True)
class Mark:
    """What is known of a person.

    Someone who is only assigned is unanswered, and marked by the user who assigned them.
    """

    person: str
    status: MarkStatus
    note: str
    version: int
    marked_by: str
    marked_at: datetime
    assigned_to: str = ""
    """The username of the colleague who calls the person; "" for no one."""


@dataclass(frozen=True)
class LastView:
    """The list as a user last saw it."""

    looked_at: datetime
    snapshot: dict[str, Any]


IncidentList: TypeAlias = list[Incident]


class Incidents:
    """The incidents of all organizations. Users see those of their own."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def list(self, actor: Actor, state: IncidentState | None = None) -> IncidentList:
        """List the incidents, open ones first, then latest first."""
        its = of_organization(incidents, actor.service, actor.organization_id)
        statement = incidents.select().where(its).order_by(incidents.c.state.desc(), incidents.c.id.desc())
        if state is not None:
            statement = statement.where(incidents.c.state == state)
        with self._database.reading() as connection:
            return [_incident(row) for row in connection.execute(statement)]

    def create(self, actor: Actor, content: IncidentContent) -> Incident:
        """Create an open incident. Raises JournalError if the name is empty or too long."""
        now, username = utc_now(), storable(actor.username)
        values = {
            "service": actor.service,
            "organization_id": actor.organization_id,
            **_values(content),
            "state": "open",
            "version": 1,
            "created_by": username,
            "created_at": now,
            "changed_by": username,
            "changed_at": now,
        }
        with self._database.writing() as connection:
            incident_id = inserted_id(connection, incidents, values)
            _add_event(connection, actor, incident_id, "created", note=content.name)
        return self.retrieve(actor, incident_id)

    def retrieve(self, actor: Actor, incident_id: int) -> Incident:
        """Return an incident. Raises IncidentNotFound."""
        with self._database.reading() as connection:
            return _incident(_row(connection, actor, incident_id))

    def update(self, actor: Actor, incident_id: int, content: IncidentContent, *, over: int) -> Incident:
        """Replace the content of version `over`. Raises IncidentChanged, IncidentNotFound."""
        return self._change(actor, incident_id, over, "changed", _values(content), note=content.name)

    def close_incident(self, actor: Actor, incident_id: int, *, over: int) -> Incident:
        """Close the incident at version `over`. Raises IncidentChanged, IncidentNotFound."""
        return self._change(actor, incident_id, over, "closed", {"state": "closed"})

    def reopen(self, actor: Actor, incident_id: int, *, over: int) -> Incident:
        """Reopen the incident at version `over`. Raises IncidentChanged, IncidentNotFound."""
        return self._change(actor, incident_id, over, "reopened", {"state": "open"})

    def add_note(self, actor: Actor, incident_id: int, note: str) -> None:
        """Add a note. Raises IncidentNotFound, and JournalError if the note is empty or too long."""
        text = _checked_note(note)
        if not text:
            raise JournalError("The note is empty.")
        with self._database.writing() as connection:
            _row(connection, actor, incident_id)
            _add_event(connection, actor, incident_id, "noted", note=text)

    def events(self, actor: Actor, incident_id: int, *, after_id: int = 0) -> Sequence[IncidentEvent]:
        """List the history, latest first, optionally only the events after the one with an ID."""
        of = incident_events.c
        statement = (
            incident_events.select().where(of.incident_id == incident_id, of.id > after_id).order_by(of.id.desc())
        )
        with self._database.reading() as connection:
            _row(connection, actor, incident_id)
            return [made_of(row, IncidentEvent) for row in connection.execute(statement)]

    def latest_event_id(self, actor: Actor, incident_id: int) -> int:
        """Return the ID of the latest event, which grows with each change, note, and mark."""
        of = incident_events.c
        with self._database.reading() as connection:
            _row(connection, actor, incident_id)
            return connection.execute(select(func.max(of.id)).where(of.incident_id == incident_id)).scalar() or 0

    def marks(self, actor: Actor, incident_id: int) -> dict[str, Mark]:
        """Read the marks by person; people whom no one has marked are not in it."""
        statement = incident_marks.select().where(incident_marks.c.incident_id == incident_id)
        with self._database.reading() as connection:
            _row(connection, actor, incident_id)
            return {row.person: made_of(row, Mark) for row in connection.execute(statement)}

    def mark(
        self, actor: Actor, incident_id: int, person: str, status: MarkStatus, note: str = "", *, over: int = 0
    ) -> Mark:
        """Mark a person whose mark is at version `over` (0 for none). Raises IncidentChanged."""
        text = _checked_note(note)
        values = {
            "status": status,
            "note": text,
            "marked_by": storable(actor.username) or "",
            "marked_at": utc_now(),
        }
        description = f"{status}: {text}" if text else status
        return self._write_mark(actor, incident_id, person, values, over, "marked", description)

    def assign(self, actor: Actor, incident_id: int, person: str, assignee: str, *, over: int = 0) -> Mark:
        """Assign a person, whose mark is at version `over` (0 for none), to a colleague; to no one if "".

        Raises IncidentChanged, and JournalError if the name is too long.
        """
        name = (storable(assignee) or "").strip()
        if len(name) > MAX_ASSIGNEE_LENGTH:
            raise JournalError(f"The name can have at most {MAX_ASSIGNEE_LENGTH:,} characters.")
        return self._write_mark(actor, incident_id, person, {"assigned_to": name}, over, "assigned", name or "no one")

    def _write_mark(
        self,
        actor: Actor,
        incident_id: int,
        person: str,
        values: dict[str, Any],
        over: int,
        action: IncidentAction,
        description: str,
    ) -> Mark:
        of = incident_marks.c
        its = and_(of.incident_id == incident_id, of.person == person)
        first = {"status": "unanswered", "note": "", "marked_by": storable(actor.username), "marked_at": utc_now()}
        try:
            with self._database.writing() as connection:
                _row(connection, actor, incident_id)
                if over:
                    update = incident_marks.update().where(its, of.version == over).values(**values, version=over + 1)
                    if not connection.execute(update).rowcount:
                        raise IncidentChanged("Someone else has marked this person since you opened the list.")
                else:
                    keys = {"incident_id": incident_id, "person": person, "version": 1}
                    connection.execute(incident_marks.insert().values({**first, **keys, **values}))
                _add_event(connection, actor, incident_id, action, person=person, note=description)
                return made_of(connection.execute(incident_marks.select().where(its)).one(), Mark)
        except IntegrityError as error:
            raise IncidentChanged("Someone else has marked this person since you opened the list.") from error

    def load_last_view(self, actor: Actor, incident_id: int) -> LastView | None:
        """Return the list as the user last saw it, or None."""
        of = incident_looks.c
        with self._database.reading() as connection:
            _row(connection, actor, incident_id)
            its = and_(of.incident_id == incident_id, of.username == storable(actor.username))
            row = connection.execute(incident_looks.select().where(its)).first()
        return None if row is None else LastView(row.looked_at, json.loads(row.snapshot))

    def save_last_view(self, actor: Actor, incident_id: int, snapshot: dict[str, Any], *, at: datetime) -> None:
        """Store the list as the user sees it at this time. Raises IncidentNotFound."""
        with self._database.writing() as connection:
            _row(connection, actor, incident_id)
            values = {"incident_id": incident_id, "username": storable(actor.username), "looked_at": at}
            upsert(connection, incident_looks, [{**values, "snapshot": json.dumps(snapshot)}])

    def _change(
        self,
        actor: Actor,
        incident_id: int,
        over: int,
        action: IncidentAction,
        values: dict[str, Any],
        *,
        note: str = "",
    ) -> Incident:
        changed = {**values, "version": over + 1, "changed_by": storable(actor.username), "changed_at": utc_now()}
        its = and_(_has_id(actor, incident_id), incidents.c.version == over)
        with self._database.writing() as connection:
            if not connection.execute(incidents.update().where(its).values(changed)).rowcount:
                _row(connection, actor, incident_id)
                raise IncidentChanged("Someone else has changed this incident since you opened it.")
            _add_event(connection, actor, incident_id, action, note=note)
        return self.retrieve(actor, incident_id)


def _values(content: IncidentContent) -> dict[str, Any]:
    name = " ".join((storable(content.name) or "").split())
    if not name or len(name) > MAX_NAME_LENGTH:
        raise JournalError(f"The name must have 1 to {MAX_NAME_LENGTH} characters.")
    return {
        **vars(replace(content, name=name)),
        "area": json.dumps(content.area),
        "roster_ids": json.dumps(list(content.roster_ids)),
    }


def _checked_note(note: str) -> str:
    text = (storable(note) or "").strip()
    if len(text) > MAX_NOTE_LENGTH:
        raise JournalError(f"The note can have at most {MAX_NOTE_LENGTH:,} characters.")
    return text


def _add_event(
    connection: Connection,
    actor: Actor,
    incident_id: int,
    action: IncidentAction,
    *,
    person: str | None = None,
    note: str = "",
) -> None:
    values = {
        "incident_id": incident_id,
        "at": utc_now(),
        "username": storable(actor.username),
        "action": action,
        "person": person,
        "note": note,
    }
    connection.execute(incident_events.insert().values(values))


def _has_id(actor: Actor, incident_id: int) -> ColumnElement[bool]:
    return and_(of_organization(incidents, actor.service, actor.organization_id), incidents.c.id == incident_id)


def _row(connection: Connection, actor: Actor, incident_id: int) -> Row[Any]:
    row = connection.execute(incidents.select().where(_has_id(actor, incident_id))).first()
    if row is None:
        raise IncidentNotFound("The incident does not exist.")
    return row


def _incident(row: Row[Any]) -> Incident:
    content = made_of(row, IncidentContent, area=json.loads(row.area), roster_ids=json.loads(row.roster_ids))
    return made_of(row, Incident, content=content)
