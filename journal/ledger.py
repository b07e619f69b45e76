"""The ledger of batches: every item of every job, its status, and the process that works on it.

An item waits, is under way, and then is done, failed, or unknown. It is recorded as under way before the call that
sends it, so that an item that was being sent when a process died is unknown and is never sent again automatically. A
job has one owner at a time, which holds a lease. A new owner makes the claims of the last one void. An item that is
under way stores its owner as its result: a late response counts unless the item has another status by then.
"""

from __future__ import annotations

import json
import secrets
import zlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final, Literal

from pydantic_core import PydanticSerializationError, to_json
from sqlalchemy import ColumnElement, Connection, Row, and_, func, select

from journal.journal_database import Database, utc_now
from journal.leases import LEASE, RENEW_EVERY, LeaseKeeper
from journal.ledger_records import (
    ENDED,
    NOT_SENT,
    NOTE,
    Item,
    ItemState,
    ItemStatus,
    Job,
    LedgerChanged,
    NewItem,
    Run,
)
from journal.ledger_rows import ITEM_COLUMNS, is_abandoned, item_of, of_organization
from journal.payload import Redact, redacted_message, storable
from journal.tables import ledger_items as items
from journal.tables import ledger_jobs as jobs
from journal.value_objects import Actor
from storage.dialects import advisory_lock, chunks, insert_many, rows_as_table

_NOT_DONE: Final[tuple[ItemState, ...]] = ("failed", "not sent")
MAX_NAME_LENGTH: Final = 100
_GROUPS_KEY: Final = "lots"
_in_ascii: Final = json.JSONEncoder(allow_nan=False, separators=(",", ":")).encode


class Ledger:
    """The jobs of all organizations. Users see those of their own."""

    def __init__(
        self, database: Database, redact: Redact, *, lease: timedelta = LEASE, renew_every: timedelta = RENEW_EVERY
    ) -> None:
        self._redact = redact
        self._database = database
        self._leases = LeaseKeeper(database, renew_every=renew_every, lease=lease)

    def begin(
        self,
        actor: Actor,
        kind: str,
        name: str,
        new: Iterable[NewItem],
        *,
        digest: str = "",
        settings: Mapping[str, Any] | None = None,
        instead_of: Mapping[int, Collection[int]] | None = None,
        known_ids: Collection[int] | None = None,
    ) -> Run:
        """Store a job with all of its items, and become its owner, in one transaction.

        `instead_of` has the positions of failed items that these replace, by job. `known_ids` are the jobs of the same
        file that the user has seen. Raises LedgerChanged if the items have not failed any more, or if there is another
        job of the file.
        """
        # Before the database is locked, since this takes as long as writing the rows.
        rows = [
            (position, item.batch_group, storable(item.label), _compact(dict(item.payload)), _compact(item.rows))
            for position, item in enumerate(new)
        ]
        owner = secrets.token_urlsafe(12)
        now = utc_now()
        values = {
            "service": actor.service,
            "organization_id": actor.organization_id,
            "kind": kind,
            "name": storable(name),
            "digest": digest,
            "settings": json.dumps({**(settings or {}), _GROUPS_KEY: Counter(group for _, group, *_ in rows)}),
            "created_by": storable(actor.username),
            "created_at": now,
            "state": "running",
            "owner": owner,
            "lease_until": self._leases.until(),
            "run_at": now,
            "run_from": 0,
        }
        with self._database.writing() as connection:
            for job_id, positions in (instead_of or {}).items():
                self._replace(connection, actor, job_id, positions)
            if known_ids is not None and digest:
                self._hold_against(connection, actor, kind, digest, known_ids)
            key = connection.execute(jobs.insert().values(values)).inserted_primary_key
            assert key is not None  # noqa: S101 — both databases give the key of a single insert back
            run = Run(int(key[0]), owner)
            columns = [items.c[name] for name in ("job_id", "state", "position", "lot", "label", "payload", "rows")]
            insert_many(connection, columns, [(run.job_id, "waiting", *row) for row in rows])
        self._leases.hold(jobs, run.job_id)
        return run

    def resume(self, actor: Actor, job_id: int, *, retry: bool | Sequence[int] = False) -> Run | None:
        """Become the owner of a job without one, or make its owner continue. Items of a dead owner become unknown.

        With `retry`, items that failed or were not sent wait again, all or those at some positions. Their reasons stay
        until they are sent. Returns None if the job has a living owner, which continues, or if nothing is left: no item
        that waits or, in a job that was cut off, is unknown.
        """
        with self._database.writing() as connection:
            job = self._locked(connection, actor, job_id)
            if job is None:
                return None
            if is_abandoned(job):
                _set(connection, job_id, "under way", state="unknown")
            if retry:
                for some in [None] if isinstance(retry, bool) else chunks(retry):
                    for state in _NOT_DONE:
                        _set(connection, job_id, state, some, state="waiting", result_id=None, at=utc_now())
            is_worked_on = job.owner is not None and not is_abandoned(job)
            open_states: tuple[ItemState, ...] = ("waiting", "unknown") if _is_cut_off(job) else ("waiting",)
            is_open = any(_count(connection, job_id, state) for state in open_states)
            if not is_open or (job.state in ("stopped", "done") and not retry):
                if job.state in ("running", "paused") and not is_worked_on:
                    ended = {"state": "done", "message": None, "owner": None, "finished_at": utc_now()}
                    connection.execute(jobs.update().where(jobs.c.id == job_id).values(ended))
                return None
            owner = job.owner if is_worked_on else secrets.token_urlsafe(12)
            settled = self._counts(connection, [job_id])[job_id]
            values = {"state": "running", "message": None, "finished_at": None, "owner": owner, "run_at": utc_now()}
            values |= {"run_from": sum(settled.get(state, 0) for state in ENDED)}
            values |= {"lease_until": self._leases.until()}
            connection.execute(jobs.update().where(jobs.c.id == job_id).values(values))
            if owner == job.owner:
                return None
        self._leases.hold(jobs, job_id)
        return Run(job_id, owner)

    def ask(self, actor: Actor, job_id: int, state: Literal["paused", "stopped"], message: str | None = None) -> None:
        """Make the owner of a job claim no more items. Waiting items of a stopped job are not sent."""
        text = redacted_message(message, self._redact)
        with self._database.writing() as connection:
            job = self._locked(connection, actor, job_id)
            if job is None or job.state not in ("running", "paused"):
                return
            if is_abandoned(job):
                _set(connection, job_id, "under way", state="unknown")
            if state == "stopped":
                _set(connection, job_id, "waiting", state="not sent", reasons=json.dumps({"": NOT_SENT}), at=utc_now())
            is_over = state == "stopped" and (job.owner is None or is_abandoned(job))
            values = {"state": state, "message": text, "finished_at": utc_now() if is_over else None}
            connection.execute(jobs.update().where(jobs.c.id == job_id).values(values))

    def end(self, run: Run, *, is_cut_off: bool = False) -> bool:
        """Give up a job, and return True; False if items wait again, so that the run must continue.

        With `is_cut_off`, the job is given up even if items wait, as when the process stops.
        """
        with self._database.writing() as connection:
            job = self._owned(connection, run)
            if job is None:
                self._leases.release(jobs, run.job_id)
                return True
            is_waiting = _count(connection, run.job_id, "waiting") > 0
            if job.state == "running" and is_waiting and not is_cut_off:
                return False
            has_unsent = is_waiting or _count(connection, run.job_id, "not sent") > 0
            # A pause or stop after the last call left nothing unsent.
            state = job.state if has_unsent else "done"
            finished = utc_now() if state in ("done", "stopped") else None
            values = {"state": state, "owner": None, "lease_until": None, "finished_at": finished}
            connection.execute(jobs.update().where(jobs.c.id == run.job_id).values(values))
        self._leases.release(jobs, run.job_id)
        return True

    def claim(self, run: Run, most: Callable[[str], int]) -> list[Item]:
        """Record the next items of one batch group, up to `most`, as under way, and return them.

        Returns none if the job has ended, is paused, or has another owner.
        """
        with self._database.writing() as connection:
            mine = and_(jobs.c.id == run.job_id, jobs.c.owner == run.owner, jobs.c.state == "running")
            if not connection.execute(jobs.update().where(mine).values(lease_until=self._leases.until())).rowcount:
                return []
            waits = and_(items.c.job_id == run.job_id, items.c.state == "waiting")
            group = connection.execute(select(items.c.lot).where(waits).order_by(items.c.position).limit(1)).scalar()
            if group is None:
                return []
            waits = and_(waits, items.c.lot == group)
            chosen = select(*ITEM_COLUMNS).where(waits).order_by(items.c.position).limit(most(group))
            found = [item_of(row) for row in connection.execute(chosen).all()]
            taken = and_(waits, items.c.position <= found[-1].position)
            claim = {"state": "under way", "result_id": run.owner, "reasons": None, "at": utc_now()}
            connection.execute(items.update().where(taken).values(claim))
        return found

    def write(self, run: Run, statuses: Mapping[int, ItemStatus]) -> None:
        """Store the status of items that this run claimed, even if another run owns the job by now."""
        with self._database.writing() as connection:
            state = select(jobs.c.state).where(jobs.c.id == run.job_id).with_for_update()
            if connection.execute(state).scalar_one() == "stopped":
                stopped = ItemStatus("not sent", reasons={"": NOT_SENT})
                statuses = {
                    position: stopped if status.state == "waiting" else status for position, status in statuses.items()
                }
            self._put(connection, run.job_id, statuses, only=("under way", "unknown"), claimed_by=run.owner)

    def note(self, run: Run, notes: Mapping[int, str]) -> None:
        """Store a note about items that this run is sending, for a later check of their status."""
        with self._database.writing() as connection:
            reasons = {note: _compact({NOTE: note}) for note in set(notes.values())}
            rows = [(position, reasons[note]) for position, note in notes.items()]
            noted = rows_as_table(connection, [items.c.position, items.c.reasons], rows)
            its = and_(items.c.job_id == run.job_id, items.c.position == noted.c.position)
            mine = and_(its, items.c.result_id == run.owner, items.c.state == "under way")
            connection.execute(items.update().where(mine).values(reasons=noted.c.reasons))

    def resolve(self, actor: Actor, job_id: int, statuses: Mapping[int, ItemStatus]) -> int:
        """Store the status of unknown items, as found by a check or a person. Return how many were still unknown."""
        with self._database.writing() as connection:
            job = self._locked(connection, actor, job_id)
            if job is None:
                return 0
            if is_abandoned(job):
                _set(connection, job_id, "under way", state="unknown")
            return self._put(connection, job_id, statuses, only=("unknown",))

    def job(self, actor: Actor, job_id: int) -> Job | None:
        """Return a job of the organization, or None."""
        found = self._jobs(actor, jobs.c.id == job_id, 1)
        return found[0] if found else None

    def jobs(self, actor: Actor, kind: str, *, at_most: int = 50) -> list[Job]:
        """List the jobs of a kind, latest first."""
        return self._jobs(actor, jobs.c.kind == kind, at_most)

    def same_file(self, actor: Actor, kind: str, digest: str) -> list[Job]:
        """List the jobs of a kind for the file with this digest, latest first; none for ""."""
        return self._jobs(actor, and_(jobs.c.kind == kind, jobs.c.digest == digest), 50) if digest else []

    def items(
        self, job_id: int, states: Collection[ItemState] = (), *, start: int = 0, at_most: int | None = None
    ) -> list[Item]:
        """List the items of a job in order, optionally only those with certain states."""
        of_job = [items.c.job_id == job_id]
        with self._database.reading() as connection:
            job = connection.execute(jobs.select().where(jobs.c.id == job_id)).first()
            is_cut_off = job is not None and is_abandoned(job)
            if states:
                wanted = {*states, *(("under way",) if is_cut_off and "unknown" in states else ())}
                of_job.append(items.c.state.in_(wanted))
            chosen = select(*ITEM_COLUMNS).where(*of_job).order_by(items.c.position).offset(start).limit(at_most)
            return [item_of(row, is_cut_off) for row in connection.execute(chosen).all()]

    def close(self) -> None:
        """End the thread that renews leases."""
        self._leases.close()

    def _locked(self, connection: Connection, actor: Actor, job_id: int) -> Row[Any] | None:
        return connection.execute(
            jobs.select().where(jobs.c.id == job_id, *of_organization(actor)).with_for_update()
        ).first()

    def _owned(self, connection: Connection, run: Run) -> Row[Any] | None:
        mine = and_(jobs.c.id == run.job_id, jobs.c.owner == run.owner)
        return connection.execute(jobs.select().where(mine).with_for_update()).first()

    def _replace(self, connection: Connection, actor: Actor, job_id: int, positions: Collection[int]) -> None:
        if self._locked(connection, actor, job_id) is None:
            raise LedgerChanged("The job of these rows no longer exists.")
        # Their reasons stay, since they show whether a response was lost before.
        replaced = sum(
            _set(connection, job_id, state, some, state="replaced", at=utc_now())
            for some in chunks(sorted(positions))
            for state in _NOT_DONE
        )
        if replaced != len(set(positions)):
            raise LedgerChanged("You or someone else has already sent some of these rows again.")

    def _hold_against(
        self, connection: Connection, actor: Actor, kind: str, digest: str, known: Collection[int]
    ) -> None:
        # Without the lock, two jobs that begin within milliseconds would not see each other.
        advisory_lock(connection, zlib.crc32(digest.encode()))
        of_file = [*of_organization(actor), jobs.c.kind == kind, jobs.c.digest == digest]
        if connection.execute(select(jobs.c.id).where(*of_file, jobs.c.id > max(known, default=0)).limit(1)).first():
            raise LedgerChanged("This file has been sent in another tab or by someone else.")

    def _put(
        self,
        connection: Connection,
        job_id: int,
        statuses: Mapping[int, ItemStatus],
        *,
        only: Sequence[ItemState] = ("waiting",),
        claimed_by: str | None = None,
    ) -> int:
        rows = [
            (
                position,
                status.state,
                storable(status.result_id),
                _compact(dict(status.reasons)) if status.reasons else None,
            )
            for position, status in statuses.items()
        ]
        columns = [items.c[name] for name in ("position", "state", "result_id", "reasons")]
        new = rows_as_table(connection, columns, rows)
        its = and_(
            items.c.job_id == job_id,
            items.c.position == new.c.position,
            items.c.state.in_(only),
            *([] if claimed_by is None else [items.c.result_id == claimed_by]),
        )
        changes = {name: new.c[name] for name in ("state", "result_id", "reasons")}
        written = int(connection.execute(items.update().where(its).values({**changes, "at": utc_now()})).rowcount)
        if written and any(status.state == "done" for status in statuses.values()):
            connection.execute(jobs.update().where(jobs.c.id == job_id).values(done_writes=jobs.c.done_writes + 1))
        return written

    def _jobs(self, actor: Actor, condition: ColumnElement[bool], at_most: int) -> list[Job]:
        chosen = jobs.select().where(*of_organization(actor), condition).order_by(jobs.c.id.desc()).limit(at_most)
        with self._database.reading() as connection:
            found = connection.execute(chosen).all()
            counts = self._counts(connection, [row.id for row in found])
        return [_job(row, counts[row.id]) for row in found]

    def _counts(self, connection: Connection, job_ids: Sequence[int]) -> dict[int, dict[ItemState, int]]:
        grouped = (
            select(items.c.job_id, items.c.state, func.count())
            .where(items.c.job_id.in_(job_ids))
            .group_by(items.c.job_id, items.c.state)
        )
        counts: dict[int, dict[ItemState, int]] = {job_id: {} for job_id in job_ids}
        for job_id, state, number in connection.execute(grouped):
            counts[job_id][state] = number
        return counts


def _compact(value: object) -> str:
    try:
        return to_json(value).decode()  # in a third of the time that the standard library takes
    except PydanticSerializationError:  # half a surrogate pair, which UTF-8 cannot hold
        return _in_ascii(value)


def _job(row: Row[Any], counts: dict[ItemState, int]) -> Job:
    is_cut_off = is_abandoned(row)
    if is_cut_off and "under way" in counts:
        lost = counts.pop("under way")
        counts["unknown"] = counts.get("unknown", 0) + lost
    is_over = row.state == "paused" and row.owner is None and not counts.get("waiting")
    settings = json.loads(row.settings)
    batch_groups = settings.pop(_GROUPS_KEY, {})
    return Job(
        id=row.id,
        kind=row.kind,
        name=row.name,
        digest=row.digest,
        settings=settings,
        created_by=row.created_by,
        created_at=row.created_at,
        finished_at=row.finished_at,
        state="cut off" if _is_cut_off(row) else "done" if is_over else row.state,
        is_owned=row.owner is not None and not is_cut_off,
        message=row.message,
        run_at=row.run_at,
        run_from=row.run_from,
        counts=counts,
        batch_groups=batch_groups,
    )


def _is_cut_off(job: Row[Any]) -> bool:
    return job.state == "running" and (job.owner is None or is_abandoned(job))


def _count(connection: Connection, job_id: int, state: ItemState) -> int:
    its = and_(items.c.job_id == job_id, items.c.state == state)
    return int(connection.execute(select(func.count()).select_from(items).where(its)).scalar_one())


def _set(
    connection: Connection, job_id: int, before: ItemState, positions: Collection[int] | None = None, **values: Any
) -> int:
    its = and_(items.c.job_id == job_id, items.c.state == before)
    if positions is not None:
        its = and_(its, items.c.position.in_(positions))
    return int(connection.execute(items.update().where(its).values(values)).rowcount)
