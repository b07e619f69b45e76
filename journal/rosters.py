"""Rosters: named lists of record locators, with the itinerary IDs found for them."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeAlias

from sqlalchemy import Connection, Row, bindparam, func, or_, select
from sqlalchemy.exc import IntegrityError

from journal.journal_database import Database, inserted_id, made_of, of_organization, utc_now
from journal.journal_errors import JournalError, RosterNameTaken, RosterNotFound
from journal.payload import storable
from journal.record_locators import locator_spellings, normalize_locator
from journal.tables import roster_choices, roster_entries, rosters
from journal.value_objects import Actor, ImportedTrip, LearntEntry, Roster, RosterEntry, Traveler
from storage.dialects import chunks, rows_with, upsert

MAX_NAME_LENGTH = 100
IMPORTED_TRIPS = "Imported trips"
"""The initial name of the roster of imported trips."""

# Inside the class, `list` is its method.
LearntEntries: TypeAlias = list[LearntEntry]


class Rosters:
    """The rosters of all organizations. Users see those of their own."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def list(self, service: str, organization_id: int) -> list[Roster]:
        """List the rosters of an organization by name."""
        statement = rosters.select().where(of_organization(rosters, service, organization_id))
        with self._database.reading() as connection:
            rows = connection.execute(statement.order_by(rosters.c.name_key)).all()
        return [self._roster(row) for row in rows]

    def create(self, actor: Actor, name: str, entries: Iterable[RosterEntry]) -> Roster:
        """Create a roster. Entries with the same record locator are merged. Raises RosterNameTaken, JournalError."""
        name, merged, now = checked_name(name), _merged(entries), utc_now()
        values = {
            "service": actor.service,
            "organization_id": actor.organization_id,
            "name": name,
            "name_key": name_key(name),
            "created_by": storable(actor.username),
            "created_at": now,
            "changed_at": now,
            "entry_count": len(merged),
        }
        try:
            with self._database.writing() as connection:
                roster_id = inserted_id(connection, rosters, values)
                _write_entries(connection, roster_id, merged, {})
        except IntegrityError as error:
            raise RosterNameTaken(name) from error
        return self.retrieve(roster_id)

    def ensure(self, actor: Actor, name: str, entries: Iterable[RosterEntry]) -> Roster:
        """Return the roster with this name, or create it. Replicas can do so at the same time."""
        found = self._named(actor, name)
        if found is not None:
            return found
        try:
            return self.create(actor, name, entries)
        except RosterNameTaken:
            found = self._named(actor, name)
            if found is None:
                raise
            return found

    def retrieve(self, roster_id: int, *, actor: Actor | None = None) -> Roster:
        """Return a roster; with `actor`, only one of that user's organization. Raises RosterNotFound."""
        with self._database.reading() as connection:
            return self._roster(_row(connection, roster_id, actor))

    def rename(self, roster_id: int, name: str, *, actor: Actor | None = None) -> Roster:
        """Rename a roster. Raises RosterNameTaken, RosterNotFound."""
        name = checked_name(name)
        values = {"name": name, "name_key": name_key(name), "changed_at": utc_now()}
        try:
            with self._database.writing() as connection:
                _row(connection, roster_id, actor)
                connection.execute(rosters.update().where(rosters.c.id == roster_id).values(values))
        except IntegrityError as error:
            raise RosterNameTaken(name) from error
        return self.retrieve(roster_id)

    def replace_entries(
        self,
        roster_id: int,
        entries: Iterable[RosterEntry],
        *,
        actor: Actor | None = None,
        over: datetime | None = None,
    ) -> Roster:
        """Replace the trips of a roster. The itinerary IDs of remaining trips are kept.

        Raises RosterNotFound, and JournalError if the roster has changed since `over`.
        """
        with self._database.writing() as connection:
            row = _row(connection, roster_id, actor, for_update=True)
            if over is not None and row.changed_at != over:
                raise JournalError(f"“{row.name}” has changed since you opened it. Nothing was saved. Check it again.")
            _put(connection, roster_id, _merged(entries), _learnt(connection, roster_id))
        return self.retrieve(roster_id)

    def put_entry(
        self, roster_id: int, entry: RosterEntry, *, itinerary_id: int | None = None, actor: Actor | None = None
    ) -> Roster:
        """Add a trip to a roster. A trip that is there keeps its place, and its travelers if none are given.

        Its ID is added to the known ones. Trips that others add at the same time, and other IDs of this one, are kept
        too. Raises RosterNotFound.
        """
        with self._database.writing() as connection:
            _row(connection, roster_id, actor, for_update=True)
            learnt = _learnt(connection, roster_id)
            entries = {key: RosterEntry(row.record_locator, _travelers(row)) for key, row in learnt.items()}
            [(key, put)] = _merged([entry]).items()
            if key in entries:
                put = replace(entries[key], travelers=put.travelers or entries[key].travelers)
            _put(connection, roster_id, {**entries, key: put}, learnt)
            if itinerary_id is not None:
                known = learnt.get(key)
                ids = {itinerary_id, *(json.loads(known.itinerary_ids) if known is not None else ())}
                _learn(connection, roster_id, {put.record_locator: sorted(ids)}, utc_now())
        return self.retrieve(roster_id)

    def add_imported(self, actor: Actor, trips: Iterable[ImportedTrip]) -> None:
        """Add trips to the organization's roster of imported trips, and remove those that are over.

        The roster is created if necessary. A trip that is already there gets the new ID.
        """
        by_key = {normalize_locator(trip.entry.record_locator): trip for trip in trips}
        roster_id = self._imports(actor, create=True)
        if not by_key or roster_id is None:
            return
        now = utc_now()
        with self._database.writing() as connection:
            _row(connection, roster_id, actor, for_update=True)
            of = roster_entries.c
            connection.execute(roster_entries.delete().where(of.roster_id == roster_id, of.keep_until < now))
            spellings = [each for trip in by_key.values() for each in locator_spellings(trip.entry.record_locator)]
            of_roster = roster_entries.select().where(of.roster_id == roster_id)
            rows = rows_with(connection, of_roster, of.record_locator, spellings)
            known = {normalize_locator(row.record_locator): row for row in rows}
            last = connection.execute(select(func.max(of.position)).where(of.roster_id == roster_id)).scalar()
            start = 0 if last is None else last + 1
            entries = [
                {
                    "roster_id": roster_id,
                    "record_locator": known[key].record_locator if key in known else trip.entry.record_locator,
                    "position": known[key].position if key in known else start + place,
                    "travelers": _travelers_text(trip.entry)
                    if trip.entry.travelers or key not in known
                    else known[key].travelers,
                    "itinerary_ids": json.dumps([] if trip.itinerary_id is None else [trip.itinerary_id]),
                    "looked_up_at": None if trip.itinerary_id is None else now,
                    "keep_until": trip.keep_until,
                }
                for place, (key, trip) in enumerate(by_key.items())
            ]
            upsert(connection, roster_entries, entries)
            _recount(connection, roster_id)

    def remove_imported(self, actor: Actor, itinerary_ids: Collection[int], record_locators: Collection[str]) -> None:
        """Remove trips from the organization's roster of imported trips, by locator, or if only these IDs are known for
        them.
        """
        roster_id = self._imports(actor, create=False)
        if roster_id is None:
            return
        ids, keys = set(itinerary_ids), set(map(normalize_locator, record_locators))
        of = roster_entries.c
        with self._database.writing() as connection:
            _row(connection, roster_id, actor, for_update=True)
            entries = connection.execute(select(of.record_locator, of.itinerary_ids).where(of.roster_id == roster_id))
            gone = [
                row.record_locator
                for row in entries
                if normalize_locator(row.record_locator) in keys
                or (row.itinerary_ids != "[]" and ids.issuperset(json.loads(row.itinerary_ids)))
            ]
            for some in chunks(gone):
                its = roster_entries.delete().where(of.roster_id == roster_id, of.record_locator.in_(some))
                connection.execute(its)
            if gone:
                _recount(connection, roster_id)

    def set_default(self, actor: Actor, roster_id: int | None) -> None:
        """Make this the roster that the map opens with; None for no roster."""
        its = of_organization(rosters, actor.service, actor.organization_id)
        with self._database.writing() as connection:
            if roster_id is not None:
                _row(connection, roster_id, actor)
            connection.execute(rosters.update().where(its).values(is_default=rosters.c.id == (roster_id or 0)))

    def last_choice(self, actor: Actor) -> str | None:
        """Return what a user had on the map last, as given to `remember_choice`."""
        of = roster_choices.c
        mine = of_organization(roster_choices, actor.service, actor.organization_id)
        with self._database.reading() as connection:
            statement = select(of.choice).where(mine, of.username == storable(actor.username))
            return connection.execute(statement).scalar()

    def remember_choice(self, actor: Actor, choice: str) -> None:
        """Store what a user has on the map: the ID of a roster, or a word for several."""
        row = {
            "service": actor.service,
            "organization_id": actor.organization_id,
            "username": storable(actor.username),
            "choice": choice,
        }
        with self._database.writing() as connection:
            upsert(connection, roster_choices, [row])

    def delete(self, roster_id: int, *, actor: Actor | None = None) -> None:
        """Delete a roster with its entries and loads. Trips at the service stay. Raises RosterNotFound."""
        with self._database.writing() as connection:
            _row(connection, roster_id, actor)
            connection.execute(rosters.delete().where(rosters.c.id == roster_id))

    def entries(self, roster_id: int) -> LearntEntries:
        """Return the trips of a roster in their order."""
        with self._database.reading() as connection:
            rows = _learnt(connection, roster_id).values()
        return [
            made_of(row, LearntEntry, travelers=_travelers(row), itinerary_ids=json.loads(row.itinerary_ids))
            for row in rows
        ]

    def learn(self, roster_id: int, itinerary_ids: Mapping[str, Sequence[int]], at: datetime) -> None:
        """Store the itinerary IDs that a search at time `at` found for record locators; an empty list if it found none.

        Locators that are not in the roster, or that a later search has found, are ignored.
        """
        with self._database.writing() as connection:
            _learn(connection, roster_id, itinerary_ids, at)

    def _imports(self, actor: Actor, *, create: bool) -> int | None:
        mine = of_organization(rosters, actor.service, actor.organization_id)
        with self._database.reading() as connection:
            found = connection.execute(select(rosters.c.id).where(mine, rosters.c.takes_imports)).scalar()
        if found is not None or not create:
            return found
        made = self.ensure(actor, IMPORTED_TRIPS, [])
        with self._database.writing() as connection:
            connection.execute(rosters.update().where(rosters.c.id == made.id).values(takes_imports=True))
        return made.id

    def _named(self, actor: Actor, name: str) -> Roster | None:
        mine = of_organization(rosters, actor.service, actor.organization_id)
        statement = rosters.select().where(mine, rosters.c.name_key == name_key(name))
        with self._database.reading() as connection:
            row = connection.execute(statement).first()
        return None if row is None else self._roster(row)

    def _roster(self, row: Row[Any]) -> Roster:
        return made_of(row, Roster, _read_entries=self.entries)


def name_key(name: str) -> str:
    """Return a name without case, encoding of accents, and repeated spaces, for comparison."""
    return " ".join(unicodedata.normalize("NFKC", storable(name) or "").casefold().split())


def checked_name(name: str) -> str:
    """Return a name without repeated spaces. Raises JournalError if it is empty or too long."""
    tidy = " ".join((storable(name) or "").split())
    if not tidy:
        raise JournalError("Enter a name.")
    if len(tidy) > MAX_NAME_LENGTH:
        raise JournalError(f"The name has {len(tidy)} characters. The limit is {MAX_NAME_LENGTH}.")
    return tidy


def _merged(entries: Iterable[RosterEntry]) -> dict[str, RosterEntry]:
    """Return the trips by normalized record locator, each as written first, with the travelers of all its entries."""
    written: dict[str, str] = {}
    people: dict[str, dict[str, Traveler]] = {}
    for entry in entries:
        locator = storable(entry.record_locator) or ""
        key = normalize_locator(locator)
        written.setdefault(key, locator)
        known = people.setdefault(key, {})
        for traveler in entry.travelers:
            known.setdefault(traveler.external_id, traveler)
    return {key: RosterEntry(locator, list(people[key].values())) for key, locator in written.items()}


def _travelers_text(entry: RosterEntry) -> str:
    return json.dumps([(each.external_id, each.first_name, each.last_name) for each in entry.travelers])


def _recount(connection: Connection, roster_id: int) -> None:
    """Store the number of trips of a roster, and that it changed."""
    of_roster = select(func.count()).select_from(roster_entries).where(roster_entries.c.roster_id == roster_id)
    values = {"entry_count": of_roster.scalar_subquery(), "changed_at": utc_now()}
    connection.execute(rosters.update().where(rosters.c.id == roster_id).values(values))


def _travelers(row: Row[Any]) -> list[Traveler]:
    return [Traveler(*fields) for fields in json.loads(row.travelers)]


def _learnt(connection: Connection, roster_id: int) -> dict[str, Row[Any]]:
    """Return the trips of a roster by normalized record locator, in order."""
    statement = roster_entries.select().where(roster_entries.c.roster_id == roster_id)
    rows = connection.execute(statement.order_by(roster_entries.c.position))
    return {normalize_locator(row.record_locator): row for row in rows}


def _put(
    connection: Connection, roster_id: int, merged: Mapping[str, RosterEntry], learnt: Mapping[str, Row[Any]]
) -> None:
    connection.execute(roster_entries.delete().where(roster_entries.c.roster_id == roster_id))
    _write_entries(connection, roster_id, merged, learnt)
    values = {"entry_count": len(merged), "changed_at": utc_now()}
    connection.execute(rosters.update().where(rosters.c.id == roster_id).values(values))


def _learn(connection: Connection, roster_id: int, found: Mapping[str, Sequence[int]], at: datetime) -> None:
    if not found:
        return
    of = roster_entries.c
    statement = (
        roster_entries.update()
        .where(of.roster_id == roster_id, of.record_locator == bindparam("locator"))
        .where(or_(of.looked_up_at.is_(None), of.looked_up_at <= at))
        .values(itinerary_ids=bindparam("ids"), looked_up_at=at)
    )
    rows = [{"locator": locator, "ids": json.dumps(list(ids))} for locator, ids in found.items()]
    connection.execute(statement, rows)


def _write_entries(
    connection: Connection, roster_id: int, merged: Mapping[str, RosterEntry], learnt: Mapping[str, Row[Any]]
) -> None:
    rows = [
        {
            "roster_id": roster_id,
            "record_locator": entry.record_locator,
            "position": position,
            "travelers": _travelers_text(entry),
            "itinerary_ids": learnt[key].itinerary_ids if key in learnt else "[]",
            "looked_up_at": learnt[key].looked_up_at if key in learnt else None,
            "keep_until": learnt[key].keep_until if key in learnt else None,
        }
        for position, (key, entry) in enumerate(merged.items())
    ]
    if rows:
        connection.execute(roster_entries.insert(), rows)


def _row(connection: Connection, roster_id: int, within: Actor | None, *, for_update: bool = False) -> Row[Any]:
    statement = select(rosters).where(rosters.c.id == roster_id)
    row = connection.execute(statement.with_for_update() if for_update else statement).first()
    if row is None or (
        within is not None and (within.service, within.organization_id) != (row.service, row.organization_id)
    ):
        raise RosterNotFound(f"There is no roster {roster_id} in this organization.")
    return row
