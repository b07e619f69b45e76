"""Drafts: what a person has begun to fill in and not finished, kept until sent or discarded, and sent by one only."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Row, and_

from journal.database import Database, utc_now
from journal.records import Actor
from journal.schema import drafts
from storage.dialects import upsert


@dataclass(frozen=True)
class Draft:
    """One kept draft; `claimed_at` and `claim` are set from the moment somebody began to send it."""

    key: str
    payload: dict[str, Any]
    saved_at: datetime
    claimed_at: datetime | None
    claim: dict[str, Any] | None


DraftList: TypeAlias = list[Draft]


class Drafts:
    """The drafts of every person, seen by that person only; `kind` says of what."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, actor: Actor, kind: str, key: str, payload: Mapping[str, Any]) -> None:
        """Keep the draft as it is now, over what was kept under this key; its claim is left alone."""
        row = {**_names(actor, kind, key), "payload": json.dumps(dict(payload)), "saved_at": utc_now()}
        with self._database.writing() as connection:
            upsert(connection, drafts, [row])

    def load(self, actor: Actor, kind: str, key: str) -> Draft | None:
        """Read one draft; None where there is none."""
        with self._database.reading() as connection:
            row = connection.execute(drafts.select().where(_is(actor, kind, key))).first()
        return None if row is None else _draft(row)

    def list(self, actor: Actor, kind: str) -> DraftList:
        """List the person's drafts of a kind, the latest first."""
        statement = drafts.select().where(_is(actor, kind)).order_by(drafts.c.saved_at.desc(), drafts.c.key)
        with self._database.reading() as connection:
            return [_draft(row) for row in connection.execute(statement)]

    def delete(self, actor: Actor, kind: str, key: str) -> None:
        """Forget a draft; nothing happens where there is none."""
        with self._database.writing() as connection:
            connection.execute(drafts.delete().where(_is(actor, kind, key)))

    def claim(self, actor: Actor, kind: str, key: str, note: Mapping[str, Any]) -> bool:
        """Take the draft for sending: True for the one caller who gets it, False for others until it is released."""
        free = and_(_is(actor, kind, key), drafts.c.claimed_at.is_(None))
        values = {"claimed_at": utc_now(), "claim": json.dumps(dict(note))}
        with self._database.writing() as connection:
            return bool(connection.execute(drafts.update().where(free).values(values)).rowcount)

    def release(self, actor: Actor, kind: str, key: str) -> None:
        """Give a claimed draft back, so that it can be sent (again)."""
        with self._database.writing() as connection:
            connection.execute(drafts.update().where(_is(actor, kind, key)).values(claimed_at=None, claim=None))


def _names(actor: Actor, kind: str, key: str) -> dict[str, Any]:
    return {
        "service": actor.service,
        "organization_id": actor.organization_id,
        "username": actor.username,
        "kind": kind,
        "key": key,
    }


def _is(actor: Actor, kind: str, key: str | None = None) -> ColumnElement[bool]:
    names = _names(actor, kind, key or "")
    if key is None:
        del names["key"]
    return and_(*(drafts.c[name] == value for name, value in names.items()))


def _draft(row: Row[Any]) -> Draft:
    return Draft(
        key=row.key,
        payload=json.loads(row.payload),
        saved_at=row.saved_at,
        claimed_at=row.claimed_at,
        claim=None if row.claim is None else json.loads(row.claim),
    )
