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
from journal.tables import approval_requests
from journal.value_objects import Actor

ApprovalRequestState: TypeAlias = Literal["waiting", "approved", "declined", "void", "used"]


@dataclass(frozen=True)
class ApprovalRequest:
    """A text that waits for approval. `key` names its draft, and `digest` changes with every letter of `payload`.

    It waits, is approved or rejected by `decided_by`, becomes void when the draft changes, and is used by the sending.
    """

    id: str
    kind: str
    key: str
    payload: dict[str, Any]
    digest: str
    state: ApprovalRequestState
    written_by: str
    requested_at: datetime
    decided_by: str | None
    decided_at: datetime | None
    note: str | None


class ApprovalRequests:
    """The approvals of all organizations. Users see those of their own."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def create(self, actor: Actor, kind: str, key: str, payload: Mapping[str, Any]) -> ApprovalRequest:
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
            "requested_at": utc_now(),
        }
        with self._database.writing() as connection:
            connection.execute(approval_requests.update().where(_open_of(actor, kind, key)).values(state="void"))
            connection.execute(approval_requests.insert().values(values))
            row = connection.execute(approval_requests.select().where(approval_requests.c.id == values["id"])).one()
        return _approval_request(row)

    def load(self, service: str, organization_id: int, request_id: str) -> ApprovalRequest | None:
        """Return an approval by its ID, or None."""
        statement = approval_requests.select().where(
            of_organization(approval_requests, service, organization_id), approval_requests.c.id == storable(request_id)
        )
        with self._database.reading() as connection:
            row = connection.execute(statement).first()
        return None if row is None else _approval_request(row)

    def waiting(self, service: str, organization_id: int, kind: str) -> list[ApprovalRequest]:
        """List the approvals that wait, oldest first."""
        statement = (
            approval_requests.select()
            .where(
                of_organization(approval_requests, service, organization_id),
                approval_requests.c.kind == kind,
                approval_requests.c.state == "waiting",
            )
            .order_by(approval_requests.c.requested_at, approval_requests.c.id)
        )
        with self._database.reading() as connection:
            return [_approval_request(row) for row in connection.execute(statement)]

    def latest(self, actor: Actor, kind: str, key: str) -> ApprovalRequest | None:
        """Return the last approval of a draft, or None."""
        statement = (
            approval_requests.select()
            .where(_of_draft(actor, kind, key))
            .order_by(approval_requests.c.requested_at.desc())
            .limit(1)
        )
        with self._database.reading() as connection:
            row = connection.execute(statement).first()
        return None if row is None else _approval_request(row)

    def decided_before(self, actor: Actor, approval_request: ApprovalRequest) -> ApprovalRequest | None:
        """Return the last decided approval of the same draft before this one, or None."""
        statement = (
            approval_requests.select()
            .where(
                _of_draft(actor, approval_request.kind, approval_request.key),
                approval_requests.c.requested_at < approval_request.requested_at,
                approval_requests.c.decided_at.is_not(None),
            )
            .order_by(approval_requests.c.requested_at.desc())
            .limit(1)
        )
        with self._database.reading() as connection:
            row = connection.execute(statement).first()
        return None if row is None else _approval_request(row)

    def approve(self, actor: Actor, request_id: str, digest: str) -> bool:
        """Approve exactly the text with this digest. Returns False unless it waits and another user wrote it."""
        return self._decide(actor, request_id, "approved", approval_requests.c.digest == digest)

    def decline(self, actor: Actor, request_id: str, note: str) -> bool:
        """Reject the text with a note for its author. Returns False unless it waits and another user wrote it."""
        return self._decide(actor, request_id, "declined", note=note)

    def void(self, actor: Actor, kind: str, key: str) -> bool:
        """Withdraw the approvals of a draft that has changed, and return whether there were any."""
        statement = approval_requests.update().where(_open_of(actor, kind, key)).values(state="void")
        with self._database.writing() as connection:
            return bool(connection.execute(statement).rowcount)

    def use(self, actor: Actor, request_id: str, digest: str) -> bool:
        """Use an approval for sending. Returns True once, and only for the approved text."""
        approved = and_(
            of_organization(approval_requests, actor.service, actor.organization_id),
            approval_requests.c.id == request_id,
            approval_requests.c.state == "approved",
            approval_requests.c.digest == digest,
        )
        with self._database.writing() as connection:
            return bool(connection.execute(approval_requests.update().where(approved).values(state="used")).rowcount)

    def _decide(
        self,
        actor: Actor,
        request_id: str,
        state: ApprovalRequestState,
        *conditions: ColumnElement[bool],
        note: str | None = None,
    ) -> bool:
        username = storable(actor.username)
        undecided = and_(
            of_organization(approval_requests, actor.service, actor.organization_id),
            approval_requests.c.id == storable(request_id),
            approval_requests.c.state == "waiting",
            approval_requests.c.written_by != username,
            *conditions,
        )
        values = {"state": state, "decided_by": username, "decided_at": utc_now(), "note": storable(note)}
        with self._database.writing() as connection:
            return bool(connection.execute(approval_requests.update().where(undecided).values(values)).rowcount)


def digest_of(payload: Mapping[str, Any]) -> str:
    """Return the digest of a payload, whatever the order of its names."""
    return hashlib.sha256(json.dumps(dict(payload), sort_keys=True).encode()).hexdigest()


def _of_draft(actor: Actor, kind: str, key: str) -> ColumnElement[bool]:
    mine = of_organization(approval_requests, actor.service, actor.organization_id)
    return and_(mine, approval_requests.c.kind == kind, approval_requests.c.key == key)


def _open_of(actor: Actor, kind: str, key: str) -> ColumnElement[bool]:
    return and_(_of_draft(actor, kind, key), approval_requests.c.state.in_(("waiting", "approved")))


def _approval_request(row: Row[Any]) -> ApprovalRequest:
    return made_of(row, ApprovalRequest, payload=json.loads(row.payload))
