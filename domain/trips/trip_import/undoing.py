"""What can be undone of an import, and what was undone before."""

from __future__ import annotations

from collections.abc import Sequence

from domain.file_import.job_undo import Undo, UndoSummary, find_undos, summarize_undos
from domain.file_import.row_sending import JournalContext
from domain.text.plain_text import count, names
from domain.trips.trip_import.canceling import CANCELING, NAMED, describe_travelers, trip_title
from domain.trips.trip_import.trip_sending import MATCH_NOT_PROVEN, REMOVED, REPLACED_TRIP, is_canceled, is_proven
from journal import Item, Job


def summarize_undone(context: JournalContext, jobs: Sequence[Job]) -> dict[int, UndoSummary]:
    """Summarize what was undone of imports, by job ID. Imports that were not undone are left out. Raises
    JournalError.
    """
    undos = find_undos(context, CANCELING.kind, jobs)
    those = [job for job in jobs if job.id in undos]
    by_file = count_canceled_by_file(context, those)
    return {
        job.id: summarize_undos(job, undos[job.id], verb="canceled", not_undoable=by_file.get(job.id, 0))
        for job in those
    }


def count_canceled_by_file(context: JournalContext, jobs: Sequence[Job]) -> dict[int, int]:
    """Count the trips that each import canceled because its file says so, by job ID. Raises JournalError."""
    mixed = [job.id for job in jobs if REMOVED in job.batch_groups]
    return context.journal.ledger_history.count_done_in_group(mixed, REMOVED) if mixed else {}


def plan_undo(context: JournalContext, items: Sequence[Item]) -> Undo:
    """Return what can be undone of these items of an import. Raises JournalError."""
    canceled = find_canceled_ids(context)
    made = [item for item in items if is_proven(item)]
    left = [item for item in made if item.status.result_id not in canceled]
    exceptions = {
        "already canceled from Muster": len(made) - len(left),
        "with status Unknown. Check them first": _number(items, "unknown"),
        "that may not come from this import": sum(_says(item, MATCH_NOT_PROVEN) for item in items),
        "that replaced earlier trips, which will not be restored": sum(_says(item, REPLACED_TRIP) for item in left),
        "that this import canceled": sum(item.status.state == "done" and is_canceled(item.payload) for item in items),
        "not sent yet": _number(items, "waiting") + _number(items, "under way"),
    }
    rows = [
        {"id": str(item.status.result_id), "locator": item.label, "who": describe_travelers(item.payload)}
        for item in left
    ]
    named = names([trip_title(row) for row in rows], at_most=NAMED)
    return Undo(
        rows, named, [f"{count(number, 'trip', 'trips')} {what}." for what, number in exceptions.items() if number]
    )


def find_canceled_ids(context: JournalContext) -> set[str]:
    """Return the IDs of the trips that were canceled in bulk from Muster. Raises JournalError."""
    return {each.payload["id"] for each in context.journal.ledger_history.list_done(context.actor, [CANCELING.kind])}


def _number(items: Sequence[Item], state: str) -> int:
    return sum(item.status.state == state for item in items)


def _says(item: Item, message: str) -> bool:
    return item.status.state == "done" and item.status.reasons.get("") == message
