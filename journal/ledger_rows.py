"""Rows of the ledger's tables: which ones belong to an organization, and what they say."""

from __future__ import annotations

import json
from typing import Any, Final

from sqlalchemy import ColumnElement, Row

from journal.journal_database import utc_now
from journal.ledger_records import Item, ItemState, ItemStatus
from journal.tables import ledger_items as items
from journal.tables import ledger_jobs as jobs
from journal.value_objects import Actor

ITEM_COLUMNS: Final = [
    items.c[name] for name in ("position", "lot", "label", "payload", "rows", "state", "result_id", "reasons", "at")
]


def of_organization(actor: Actor) -> list[ColumnElement[bool]]:
    """Return the conditions that select the jobs of a user's organization."""
    return [jobs.c.service == actor.service, jobs.c.organization_id == actor.organization_id]


def is_abandoned(job: Row[Any]) -> bool:
    """Return whether the process that works on a job has stopped renewing its lease."""
    return job.owner is not None and job.lease_until < utc_now()


def item_of(row: Row[Any], is_cut_off: bool = False) -> Item:
    """Return the item in a row. If its job `is_cut_off`, an item under way is unknown."""
    state: ItemState = "unknown" if is_cut_off and row.state == "under way" else row.state
    result_id = row.result_id if state == "done" else None
    status = ItemStatus(state, result_id, json.loads(row.reasons) if row.reasons else {})
    return Item(row.position, row.lot, row.label, row.payload, row.rows, status, row.at)
