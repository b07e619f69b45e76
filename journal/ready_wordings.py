"""Wordings: texts that an organization keeps for an event, to start from when it happens."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeAlias

from sqlalchemy import and_, select

from journal.journal_database import Database, utc_now
from journal.journal_errors import JournalError
from journal.payload import storable
from journal.tables import wordings
from journal.value_objects import Actor
from storage.dialects import upsert

MAX_NAME_LENGTH: Final = 100


@dataclass(frozen=True)
class Wording:
    """One kept text; `name` is its own among those of the event."""

    id: int
    event: str
    name: str
    payload: dict[str, Any]
    saved_by: str
    saved_at: datetime


WordingList: TypeAlias = list[Wording]


class Wordings:
    """The wordings of all organizations; each is seen only by the organization it belongs to."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def list(self, service: str, organization_id: int, *, event: str | None = None) -> WordingList:
        """List the wordings by name, of one event or of all."""
        where = [wordings.c.service == service, wordings.c.organization_id == organization_id]
        if event is not None:
            where.append(wordings.c.event == storable(event))
        statement = wordings.select().where(and_(*where)).order_by(wordings.c.event, wordings.c.name, wordings.c.id)
        with self._database.reading() as connection:
            return [
                Wording(row.id, row.event, row.name, json.loads(row.payload), row.saved_by, row.saved_at)
                for row in connection.execute(statement)
            ]

    def save(self, actor: Actor, event: str, name: str, payload: Mapping[str, Any]) -> int:
        """Keep a text under a name, over what the event had under it; give back its id. Raises JournalError."""
        name = (storable(name) or "").strip()
        if not name:
            raise JournalError("Give the wording a name.")
        if len(name) > MAX_NAME_LENGTH:
            raise JournalError(f"The name has {len(name)} characters; at most {MAX_NAME_LENGTH} are allowed.")
        names = {
            "service": actor.service,
            "organization_id": actor.organization_id,
            "event": storable(event),
            "name": name,
        }
        values = {"payload": json.dumps(dict(payload)), "saved_by": storable(actor.username), "saved_at": utc_now()}
        same = and_(*(wordings.c[column] == value for column, value in names.items()))
        with self._database.writing() as connection:
            upsert(connection, wordings, [{**names, **values}], key=list(names))
            return int(connection.execute(select(wordings.c.id).where(same)).scalar_one())

    def delete(self, actor: Actor, wording_id: int) -> None:
        """Forget a wording of the organization; nothing happens where there is none."""
        its = and_(
            wordings.c.service == actor.service,
            wordings.c.organization_id == actor.organization_id,
            wordings.c.id == wording_id,
        )
        with self._database.writing() as connection:
            connection.execute(wordings.delete().where(its))
