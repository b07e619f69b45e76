"""What can be undone of an import, and what was: by whom, when, and how many of its trips. No drawing."""

from __future__ import annotations

from collections.abc import Sequence

from domain.file_import.job_undo import Undo, UndoSummary, find_undos, summarize_undos
from domain.file_import.row_sending import JournalContext
from domain.text.plain_text import count, names
from domain.trips.trip_import.canceling import CANCELING, NAMED, title_of, who_of
from domain.trips.trip_import.trip_sending import FOUND_SO, REMOVED, TOOK_ITS_PLACE, is_canceled, is_proven
from journal import Item, Job


def undone(desk: JournalContext, jobs: Sequence[Job]) -> dict[int, UndoSummary]:
    """What was undone of imports, by their ids; of others nothing was. Raises JournalError."""
    undos = find_undos(desk, CANCELING.kind, jobs)
    those = [job for job in jobs if job.id in undos]
    by_file = canceled_by_file(desk, those)
    return {
        job.id: summarize_undos(job, undos[job.id], verb="canceled", not_undoable=by_file.get(job.id, 0))
        for job in those
    }


def canceled_by_file(desk: JournalContext, jobs: Sequence[Job]) -> dict[int, int]:
    """How many trips imports canceled because their file says so, by their ids; none of others. Raises JournalError."""
    mixed = [job.id for job in jobs if REMOVED in job.lots]
    return desk.journal.ledger_history.count_done_of_lot(mixed, REMOVED) if mixed else {}


def undo_of(desk: JournalContext, items: Sequence[Item]) -> Undo:
    """Work out what can be undone of these items of an import. Raises JournalError."""
    gone = canceled_from(desk)
    made = [item for item in items if is_proven(item)]
    left = [item for item in made if item.fate.result_id not in gone]
    said = {
        "canceled here or undone before": len(made) - len(left),
        "of unknown fate: look for them first": _number(items, "unknown"),
        "at the service, and nothing proves that this import made them": sum(_says(item, FOUND_SO) for item in items),
        "in the place of others that stood before, which do not come back": sum(
            _says(item, TOOK_ITS_PLACE) for item in left
        ),
        "canceled by this import, which stays so": sum(
            item.fate.state == "done" and is_canceled(item.payload) for item in items
        ),
        "still waiting or under way": _number(items, "waiting") + _number(items, "under way"),
    }
    rows = [{"id": str(item.fate.result_id), "locator": item.label, "who": who_of(item.payload)} for item in left]
    named = names([title_of(row) for row in rows], at_most=NAMED)
    return Undo(rows, named, [f"{count(number, 'trip', 'trips')} {what}." for what, number in said.items() if number])


def canceled_from(desk: JournalContext) -> set[str]:
    """The ids of the trips that were canceled from this desk among many. Raises JournalError."""
    return {each.payload["id"] for each in desk.journal.ledger_history.list_done(desk.actor, [CANCELING.kind])}


def _number(items: Sequence[Item], state: str) -> int:
    return sum(item.fate.state == state for item in items)


def _says(item: Item, words: str) -> bool:
    return item.fate.state == "done" and item.fate.reasons.get("") == words
