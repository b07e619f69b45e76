"""The progress of roster loads, visible to a refreshed tab and to other replicas."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import ColumnElement, Row, Select, and_, case, func, select

from journal.journal_database import Database, inserted_id, made_of, of_organization, utc_now
from journal.leases import LeaseKeeper
from journal.payload import Redact, redacted_message, storable
from journal.tables import roster_loads as loads
from journal.tables import rosters
from journal.value_objects import Actor, LoadState, RosterLoad

INTERRUPTED_MESSAGE: Final = "Muster stopped or lost its journal while it loaded this roster. Load it again."


class RosterLoads:
    """Loads of rosters. A load whose process died is "interrupted"."""

    def __init__(self, database: Database, leases: LeaseKeeper, redact: Redact) -> None:
        self._redact = redact
        self._database = database
        self._leases = leases

    def start(self, roster_id: int, actor: Actor, total: int) -> int:
        """Record the start of a load of `total` trips, and return its ID."""
        values = {
            "roster_id": roster_id,
            "started_by": storable(actor.username),
            "started_at": utc_now(),
            "total": total,
            **dict.fromkeys(("done", "found", "not_found", "failed"), 0),
            "state": "running",
            "lease_until": self._leases.until(),
        }
        with self._database.writing() as connection:
            load_id = inserted_id(connection, loads, values)
        self._leases.hold(loads, load_id)
        return load_id

    def progress(self, load_id: int, done: int, found_count: int, not_found: int, failed: int) -> None:
        """Record the progress of a load, unless it has ended or its roster was deleted."""
        values = {"done": done, "found": found_count, "not_found": not_found, "failed": failed}
        running = and_(loads.c.id == load_id, loads.c.state == "running")
        with self._database.writing() as connection:
            connection.execute(loads.update().where(running).values(**values, lease_until=self._leases.until()))

    def finish(self, load_id: int, state: LoadState, message: str | None = None) -> None:
        """Record the end of a load: "done", "stopped", or "failed"."""
        clean = redacted_message(message, self._redact)
        values = {"state": state, "message": clean, "finished_at": utc_now(), "lease_until": None}
        running = and_(loads.c.id == load_id, loads.c.state == "running")
        with self._leases.ending(loads, load_id), self._database.writing() as connection:
            connection.execute(loads.update().where(running).values(values))

    def retrieve(self, load_id: int) -> RosterLoad | None:
        """Return a load; None if its roster was deleted."""
        return self._first(loads.c.id == load_id)

    def latest(self, roster_id: int) -> RosterLoad | None:
        """Return the latest load of a roster."""
        return self._first(loads.c.roster_id == roster_id)

    def latest_of(self, service: str, organization_id: int) -> dict[int, RosterLoad]:
        """Return the latest load of each roster of an organization, by roster ID."""
        mine = of_organization(rosters, service, organization_id)
        newest = select(func.max(loads.c.id)).join(rosters).where(mine).group_by(loads.c.roster_id)
        with self._database.reading() as connection:
            rows = connection.execute(_selection().where(loads.c.id.in_(newest))).all()
        return {row.roster_id: _load(row) for row in rows}

    def _first(self, condition: ColumnElement[bool]) -> RosterLoad | None:
        with self._database.reading() as connection:
            row = connection.execute(_selection().where(condition).order_by(loads.c.id.desc()).limit(1)).first()
        return None if row is None else _load(row)


def _selection() -> Select[Any]:
    abandoned = and_(loads.c.state == "running", loads.c.lease_until < utc_now())
    return loads.select().add_columns(case((abandoned, "interrupted"), else_=loads.c.state).label("state_now"))


def _load(row: Row[Any]) -> RosterLoad:
    message = INTERRUPTED_MESSAGE if row.state_now == "interrupted" else row.message
    return made_of(row, RosterLoad, state=row.state_now, message=message)
