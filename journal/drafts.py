"""Drafts: unfinished work of a user, stored until it is sent or discarded, and sent by one process only."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from sqlalchemy import ColumnElement, Row, and_
from sqlalchemy.exc import IntegrityError

from journal.journal_database import Database, made_of, utc_now
from journal.payload import storable
from journal.tables import drafts
from journal.value_objects import Actor
from storage.dialects import upsert


@dataclass(frozen=True)
class Draft:
    """A stored draft. `claimed_at` and `claim` are set once its sending has begun.

    `saved_at` is also its version.
    """

    key: str
    payload: dict[str, Any]
    saved_at: datetime
    claimed_at: datetime | None
    claim: dict[str, Any] | None
    username: str
    """The user whose draft it is."""
    is_unedited: bool = False
    """Whether Muster prepared it, and no one has edited it since."""


DraftList: TypeAlias = list[Draft]


class Drafts:
    """The drafts of all users. Users change only their own. `kind` says what a draft is for."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, actor: Actor, kind: str, key: str, payload: Mapping[str, Any]) -> None:
        """Store the draft under its key. Its claim does not change."""
        row = {**_names(actor, kind, key), "payload": json.dumps(dict(payload)), "saved_at": utc_now()}
        with self._database.writing() as connection:
            upsert(connection, drafts, [row])

    def replace(
        self, actor: Actor, kind: str, key: str, payload: Mapping[str, Any], *, seen: datetime | None
    ) -> datetime | None:
        """Store the draft if its version is still `seen` (None: not stored) and it is not claimed. Return the new
        version.

        Returns None, and stores nothing, if another tab has stored, discarded, or claimed it since.
        """
        if seen is None:
            return self._insert(actor, kind, key, payload, is_unedited=False)
        now = utc_now()
        row = {"payload": json.dumps(dict(payload)), "saved_at": now, "is_unedited": False}
        as_seen = and_(_is(actor, kind, key), drafts.c.saved_at == seen, drafts.c.claimed_at.is_(None))
        with self._database.writing() as connection:
            return now if connection.execute(drafts.update().where(as_seen).values(row)).rowcount else None

    def begin(self, actor: Actor, kind: str, key: str, payload: Mapping[str, Any]) -> datetime | None:
        """Store a draft that Muster prepared, such as a copy. Return its version, or None if the key is in use.

        If no one edits it, it is removed after some time.
        """
        return self._insert(actor, kind, key, payload, is_unedited=True)

    def _insert(
        self, actor: Actor, kind: str, key: str, payload: Mapping[str, Any], *, is_unedited: bool
    ) -> datetime | None:
        now = utc_now()
        row = {"payload": json.dumps(dict(payload)), "saved_at": now, "is_unedited": is_unedited}
        try:
            with self._database.writing() as connection:
                connection.execute(drafts.insert().values({**_names(actor, kind, key), **row}))
        except IntegrityError:
            return None
        return now

    def load(self, actor: Actor, kind: str, key: str) -> Draft | None:
        """Return a draft, or None."""
        with self._database.reading() as connection:
            row = connection.execute(drafts.select().where(_is(actor, kind, key))).first()
        return None if row is None else _draft(row)

    def list(self, actor: Actor, kind: str) -> DraftList:
        """List the user's drafts of a kind, newest first."""
        statement = drafts.select().where(_is(actor, kind)).order_by(drafts.c.saved_at.desc(), drafts.c.key)
        with self._database.reading() as connection:
            return [_draft(row) for row in connection.execute(statement)]

    def list_of_colleagues(self, actor: Actor, kind: str, *, since: datetime) -> DraftList:
        """List the drafts of other users of the organization that were stored since a time and are not claimed."""
        names = _names(actor, kind, "")
        statement = drafts.select().where(
            *(drafts.c[name] == names[name] for name in ("service", "organization_id", "kind")),
            drafts.c.username != actor.username,
            drafts.c.saved_at >= since,
            drafts.c.claimed_at.is_(None),
        )
        with self._database.reading() as connection:
            return [_draft(row) for row in connection.execute(statement.order_by(drafts.c.saved_at.desc()))]

    def delete(self, actor: Actor, kind: str, key: str, *, if_free: bool = False) -> None:
        """Delete a draft if it exists; with `if_free`, only if it is not claimed."""
        statement = drafts.delete().where(_is(actor, kind, key))
        if if_free:
            statement = statement.where(drafts.c.claimed_at.is_(None))
        with self._database.writing() as connection:
            connection.execute(statement)

    def claim(
        self, actor: Actor, kind: str, key: str, note: Mapping[str, Any], *, seen: datetime | None = None
    ) -> bool:
        """Claim the draft for sending. Returns True to one caller, and False to others until it is released.

        With `seen`, only that version can be claimed.
        """
        free = and_(_is(actor, kind, key), drafts.c.claimed_at.is_(None))
        if seen is not None:
            free = and_(free, drafts.c.saved_at == seen)
        values = {"claimed_at": utc_now(), "claim": json.dumps(dict(note))}
        with self._database.writing() as connection:
            return bool(connection.execute(drafts.update().where(free).values(values)).rowcount)

    def note(
        self, actor: Actor, kind: str, key: str, note: Mapping[str, Any], *, instead_of: Mapping[str, Any] | None
    ) -> bool:
        """Replace the note of a claim. Returns False, and changes nothing, if the claim is no longer the given one."""
        values = {"claim": json.dumps(dict(note))}
        return self._change_claim(actor, kind, key, values, instead_of)

    def release(self, actor: Actor, kind: str, key: str, *, claim: Mapping[str, Any] | None = None) -> bool:
        """Release a claimed draft, so that it can be sent; with `claim`, only if that is its claim."""
        return self._change_claim(actor, kind, key, {"claimed_at": None, "claim": None}, claim)

    def _change_claim(
        self, actor: Actor, kind: str, key: str, values: Mapping[str, Any], was: Mapping[str, Any] | None
    ) -> bool:
        where = and_(_is(actor, kind, key), drafts.c.claimed_at.is_not(None))
        if was is not None:
            where = and_(where, drafts.c.claim == json.dumps(dict(was)))
        with self._database.writing() as connection:
            return bool(connection.execute(drafts.update().where(where).values(values)).rowcount)


def _names(actor: Actor, kind: str, key: str) -> dict[str, Any]:
    return {
        "service": actor.service,
        "organization_id": actor.organization_id,
        "username": actor.username,
        "kind": kind,
        "key": storable(key),
    }


def _is(actor: Actor, kind: str, key: str | None = None) -> ColumnElement[bool]:
    names = _names(actor, kind, key or "")
    if key is None:
        del names["key"]
    return and_(*(drafts.c[name] == value for name, value in names.items()))


def _draft(row: Row[Any]) -> Draft:
    claim = None if row.claim is None else json.loads(row.claim)
    return made_of(row, Draft, payload=json.loads(row.payload), claim=claim)
