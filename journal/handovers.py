"""Approvals: texts of one user that another user must approve, word for word, before they can be sent."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias

from sqlalchemy import ColumnElement, Row, and_

from journal.journal_database import Database, made_of, of_organization, utc_now
from journal.payload import storable
from journal.tables import handovers
from journal.value_objects import Actor

HandoverState: TypeAlias = Literal["waiting", "approved", "declined", "void", "used"]


@dataclass(frozen=True)
class Handover:
    """A text that waits for approval. `key` names its draft, and `digest` changes with every letter of `payload`.

    It waits, is approved or rejected by `decided_by`, becomes void when the draft changes, and is used by the sending.
    """

    id: str
    kind: str
    key: str
    payload: dict[str, Any]
    digest: str
    state: HandoverState
    written_by: str
    handed_at: datetime
    decided_by: str | None
    decided_at: datetime | None
    note: str | None


class Handovers:
    """The approvals of all organizations. Users see those of their own."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, actor: Actor, kind: str, key: str, payload: Mapping[str, Any]) -> Handover:
        """Submit a text for approval. An earlier text of the same draft becomes void."""
        text = json.dumps(dict(payload))
        values = {
            "id": secrets.token_urlsafe(16),
            "service": actor.service,
            "organization_id": actor.organization_id,
            "kind": kind,
            "key": key,
            "payload": text,
            "digest": digest_of(payload),
            "state": "waiting",
            "written_by": storable(actor.username),
            "handed_at": utc_now(),
        }
        with self._database.writing() as connection:
            connection.execute(handovers.update().where(_open_of(actor, kind, key)).values(state="void"))
            connection.execute(handovers.insert().values(values))
            row = connection.execute(handovers.select().where(handovers.c.id == values["id"])).one()
        return _handover(row)

    def load(self, service: str, organization_id: int, handover_id: str) -> Handover | None:
        """Return an approval by its ID, or None."""
        statement = handovers.select().where(
            of_organization(handovers, service, organization_id), handovers.c.id == storable(handover_id)
        )
        with self._database.reading() as connection:
            row = connection.execute(statement).first()
        return None if row is None else _handover(row)

    def waiting(self, service: str, organization_id: int, kind: str) -> list[Handover]:
        """List the approvals that wait, oldest first."""
        statement = (
            handovers.select()
            .where(
                of_organization(handovers, service, organization_id),
                handovers.c.kind == kind,
                handovers.c.state == "waiting",
            )
            .order_by(handovers.c.handed_at, handovers.c.id)
        )
        with self._database.reading() as connection:
            return [_handover(row) for row in connection.execute(statement)]

    def latest(self, actor: Actor, kind: str, key: str) -> Handover | None:
        """Return the last approval of a draft, or None."""
        statement = (
            handovers.select().where(_of_draft(actor, kind, key)).order_by(handovers.c.handed_at.desc()).limit(1)
        )
        with self._database.reading() as connection:
            row = connection.execute(statement).first()
        return None if row is None else _handover(row)

    def decided_before(self, actor: Actor, handover: Handover) -> Handover | None:
        """Return the last decided approval of the same draft before this one, or None."""
        statement = (
            handovers.select()
            .where(
                _of_draft(actor, handover.kind, handover.key),
                handovers.c.handed_at < handover.handed_at,
                handovers.c.decided_at.is_not(None),
            )
            .order_by(handovers.c.handed_at.desc())
            .limit(1)
        )
        with self._database.reading() as connection:
            row = connection.execute(statement).first()
        return None if row is None else _handover(row)

    def approve(self, actor: Actor, handover_id: str, digest: str) -> bool:
        """Approve exactly the text with this digest. Returns False unless it waits and another user wrote it."""
        return self._decide(actor, handover_id, "approved", handovers.c.digest == digest)

    def decline(self, actor: Actor, handover_id: str, note: str) -> bool:
        """Reject the text with a note for its author. Returns False unless it waits and another user wrote it."""
        return self._decide(actor, handover_id, "declined", note=note)

    def void(self, actor: Actor, kind: str, key: str) -> bool:
        """Withdraw the approvals of a draft that has changed, and return whether there were any."""
        statement = handovers.update().where(_open_of(actor, kind, key)).values(state="void")
        with self._database.writing() as connection:
            return bool(connection.execute(statement).rowcount)

    def use(self, actor: Actor, handover_id: str, digest: str) -> bool:
        """Use an approval for sending. Returns True once, and only for the approved text."""
        approved = and_(
            of_organization(handovers, actor.service, actor.organization_id),
            handovers.c.id == handover_id,
            handovers.c.state == "approved",
            handovers.c.digest == digest,
        )
        with self._database.writing() as connection:
            return bool(connection.execute(handovers.update().where(approved).values(state="used")).rowcount)

    def _decide(
        self,
        actor: Actor,
        handover_id: str,
        state: HandoverState,
        *conditions: ColumnElement[bool],
        note: str | None = None,
    ) -> bool:
        username = storable(actor.username)
        undecided = and_(
            of_organization(handovers, actor.service, actor.organization_id),
            handovers.c.id == storable(handover_id),
            handovers.c.state == "waiting",
            handovers.c.written_by != username,
            *conditions,
        )
        values = {"state": state, "decided_by": username, "decided_at": utc_now(), "note": storable(note)}
        with self._database.writing() as connection:
            return bool(connection.execute(handovers.update().where(undecided).values(values)).rowcount)


def digest_of(payload: Mapping[str, Any]) -> str:
    """Return the digest of a payload, whatever the order of its names."""
    return hashlib.sha256(json.dumps(dict(payload), sort_keys=True).encode()).hexdigest()


def _of_draft(actor: Actor, kind: str, key: str) -> ColumnElement[bool]:
    mine = of_organization(handovers, actor.service, actor.organization_id)
    return and_(mine, handovers.c.kind == kind, handovers.c.key == key)


def _open_of(actor: Actor, kind: str, key: str) -> ColumnElement[bool]:
    return and_(_of_draft(actor, kind, key), handovers.c.state.in_(("waiting", "approved")))


def _handover(row: Row[Any]) -> Handover:
    return made_of(row, Handover, payload=json.loads(row.payload))
