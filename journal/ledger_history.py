"""The history of the ledger: what all jobs of an organization sent, and with what result."""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import datetime

from sqlalchemy import ColumnElement, and_, func, literal, or_, select

from journal.journal_database import Database
from journal.ledger_records import ENDED, MARKED_NOT_DONE, Done, ItemStatus, Sent
from journal.ledger_rows import is_abandoned, item_of, of_organization
from journal.tables import ledger_items as items
from journal.tables import ledger_jobs as jobs
from journal.value_objects import Actor


class LedgerHistory:
    """Reads items across jobs. An organization sees only its own."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def list_done(self, actor: Actor, kinds: Collection[str], *, since: datetime | None = None) -> list[Done]:
        """List the items that were done in jobs of some kinds, in that order, optionally `since` a time."""
        later: list[ColumnElement[bool]] = []
        if since is not None:
            later = [items.c.at >= since, or_(jobs.c.finished_at.is_(None), jobs.c.finished_at >= since)]
        query = (
            select(jobs.c.kind, jobs.c.created_by, items.c.payload, items.c.result_id, items.c.at)
            .join_from(items, jobs)
            .where(*_done_in(actor, kinds), *later)
            .order_by(items.c.at, items.c.job_id, items.c.position)
        )
        with self._database.reading() as connection:
            return [
                Done(row.kind, json.loads(row.payload), row.result_id, row.created_by, row.at)
                for row in connection.execute(query)
            ]

    def count_done_writes(self, actor: Actor, kinds: Collection[str]) -> int:
        """Return a number that grows whenever items of these kinds are done, for a reader of `list_done`."""
        query = select(func.coalesce(func.sum(jobs.c.done_writes), 0))
        with self._database.reading() as connection:
            return int(connection.execute(query.where(*of_organization(actor), jobs.c.kind.in_(kinds))).scalar_one())

    def count_done_in_group(self, job_ids: Collection[int], batch_group: str) -> dict[int, int]:
        """Count the items of a batch group that are done, by job."""
        query = (
            select(items.c.job_id, func.count())
            .where(items.c.job_id.in_(job_ids), items.c.state == "done", items.c.lot == batch_group)
            .group_by(items.c.job_id)
        )
        with self._database.reading() as connection:
            return dict(map(tuple, connection.execute(query)))

    def list_sent(
        self, actor: Actor, kinds: Collection[str], *, labels: Collection[str], result_id: str | None = None
    ) -> list[Sent]:
        """List what jobs of some kinds sent for one record, the latest first.

        The record has one of the labels, or this ID at the service. Items that wait, or that a running process has
        under way, are left out.
        """
        is_done = items.c.state == literal("done", literal_execute=True)
        by_id = [] if result_id is None else [and_(items.c.result_id == result_id, is_done)]
        query = (
            select(items, jobs.c.kind, jobs.c.created_by, jobs.c.owner, jobs.c.lease_until)
            .join_from(items, jobs)
            .where(
                or_(items.c.label.in_(labels), *by_id),
                *of_organization(actor),
                jobs.c.kind.in_(kinds),
                items.c.at.is_not(None),
            )
            .order_by(items.c.at.desc(), items.c.job_id.desc(), items.c.position.desc())
        )
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        sent = [Sent(row.kind, row.created_by, row.at, item_of(row, is_abandoned(row))) for row in rows]
        return [each for each in sent if each.item.status.state in ENDED]

    def find_lost_payloads(self, actor: Actor, kind: str, labels: Collection[str]) -> set[str]:
        """Return the payloads, among items of a kind with these labels, that were ever sent without a response.

        That includes items that a person marked as not made afterwards.
        """
        is_lost = or_(items.c.state == "unknown", items.c.reasons.contains(MARKED_NOT_DONE, autoescape=True))
        query = (
            select(items.c.payload)
            .join_from(items, jobs)
            .where(items.c.label.in_(labels), is_lost, *of_organization(actor), jobs.c.kind == kind)
        )
        with self._database.reading() as connection:
            return set(connection.execute(query).scalars())

    def last_results(self, actor: Actor, kind: str, *, job_count: int = 20) -> dict[str, ItemStatus]:
        """Return the last result, done or failed, of each label in the latest jobs of a kind."""
        latest = (
            select(jobs.c.id)
            .where(*of_organization(actor), jobs.c.kind == kind)
            .order_by(jobs.c.id.desc())
            .limit(job_count)
        )
        query = (
            select(items.c.label, items.c.state, items.c.result_id, items.c.reasons)
            .where(items.c.job_id.in_(latest), items.c.state.in_(("done", "failed")))
            .order_by(items.c.at, items.c.job_id, items.c.position)
        )
        with self._database.reading() as connection:
            return {
                row.label: ItemStatus(row.state, row.result_id, json.loads(row.reasons) if row.reasons else {})
                for row in connection.execute(query)
            }


def _done_in(actor: Actor, kinds: Collection[str]) -> list[ColumnElement[bool]]:
    return [*of_organization(actor), jobs.c.kind.in_(kinds), items.c.state == "done"]
