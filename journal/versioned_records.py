"""Records that an organization stores by name, of several kinds, with all their versions. The latest version counts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypeAlias

from sqlalchemy import ColumnElement, Row, and_, func, select
from sqlalchemy.exc import IntegrityError

from journal.journal_database import Database, made_of, of_organization, utc_now
from journal.journal_errors import JournalError, NameTaken
from journal.payload import storable
from journal.rosters import checked_name, name_key
from journal.tables import kept_by_name
from journal.value_objects import Actor

_TRIES: Final = 20
"""How often to try to store a record without a known version, in case others store it at the same time."""


@dataclass(frozen=True)
class RecordVersion:
    """One version of a record, from 1."""

    name: str
    version: int
    payload: dict[str, Any]
    saved_by: str
    saved_at: datetime


KeptVersions: TypeAlias = list[RecordVersion]


class VersionedRecords:
    """The named records of all organizations. Users see those of their own. `kind` says what a record is."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def list(self, actor: Actor, kind: str) -> KeptVersions:
        """List the latest version of each record, by name."""
        mine = _of(actor, kind)
        latest = (
            select(kept_by_name.c.name_key, func.max(kept_by_name.c.version).label("version"))
            .where(mine)
            .group_by(kept_by_name.c.name_key)
            .subquery()
        )
        is_latest = and_(kept_by_name.c.name_key == latest.c.name_key, kept_by_name.c.version == latest.c.version, mine)
        statement = select(kept_by_name).join(latest, is_latest).order_by(kept_by_name.c.name_key)
        with self._database.reading() as connection:
            return [_version(row) for row in connection.execute(statement)]

    def versions(self, actor: Actor, kind: str, name: str) -> KeptVersions:
        """List the versions of a record, latest first."""
        statement = kept_by_name.select().where(_is_named(actor, kind, name)).order_by(kept_by_name.c.version.desc())
        with self._database.reading() as connection:
            return [_version(row) for row in connection.execute(statement)]

    def save(self, actor: Actor, kind: str, name: str, payload: Mapping[str, Any], *, over: int | None = 0) -> int:
        """Store the version after `over`, the latest when it was read; 0 for a new record.

        Without `over` it replaces any latest version. Returns the new version. Raises NameTaken if another record has
        the name, or if someone has stored a version since.
        """
        tidy = checked_name(name)
        row = {
            "service": actor.service,
            "organization_id": actor.organization_id,
            "kind": kind,
            "name": tidy,
            "name_key": name_key(tidy),
            "payload": json.dumps(dict(payload)),
            "saved_by": storable(actor.username),
            "saved_at": utc_now(),
        }
        latest = select(func.max(kept_by_name.c.version)).where(_is_named(actor, kind, tidy))
        for _ in range(_TRIES if over is None else 1):
            try:
                with self._database.writing() as connection:
                    version = 1 + (over if over is not None else connection.execute(latest).scalar() or 0)
                    connection.execute(kept_by_name.insert().values({**row, "version": version}))
            except IntegrityError as error:
                refused = error
            else:
                return version
        raise NameTaken(tidy) from refused

    def delete(self, actor: Actor, kind: str, name: str, *, over: int | None = None) -> None:
        """Delete a record with all its versions, if it exists.

        Raises JournalError if someone has stored a version after `over`, the latest when it was read.
        """
        is_named = _is_named(actor, kind, name)
        with self._database.writing() as connection:
            latest = connection.execute(select(func.max(kept_by_name.c.version)).where(is_named)).scalar() or 0
            if over is not None and latest > over:
                raise JournalError(f"“{name}” has changed since you opened it. Nothing was deleted. Check it again.")
            connection.execute(kept_by_name.delete().where(is_named))


def _of(actor: Actor, kind: str) -> ColumnElement[bool]:
    return and_(of_organization(kept_by_name, actor.service, actor.organization_id), kept_by_name.c.kind == kind)


def _is_named(actor: Actor, kind: str, name: str) -> ColumnElement[bool]:
    return and_(_of(actor, kind), kept_by_name.c.name_key == name_key(name))


def _version(row: Row[Any]) -> RecordVersion:
    return made_of(row, RecordVersion, payload=json.loads(row.payload))
