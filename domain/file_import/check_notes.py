"""What a check says about the dates of a whole file."""

from __future__ import annotations

from itertools import chain
from typing import Final

import numpy as np

from domain.file_import.checked_file import CheckedFile
from domain.file_import.column_types import Mask
from domain.text.plain_text import count, names

MAX_PROOFS: Final = 5
MAX_NOTES: Final = 3


def count_warnings(check: CheckedFile) -> list[str]:
    """Return what the check says about warnings that are easily missed, with the number of open rows."""
    found: dict[tuple[str, str], Mask] = {}
    for problem in check.problems:
        if problem.summary is not None and not problem.is_note:
            found[problem.summary] = found.get(problem.summary, False) | (problem.rows & check.is_open)
    return [f"{count(int(rows.sum()), *summary)}." for summary, rows in found.items() if rows.any()]


def list_note_rows(check: CheckedFile) -> list[int]:
    """Return the ready rows with notes."""
    mask = np.zeros(check.source.rows, dtype=bool)
    for problem in check.problems:
        if problem.is_note:
            mask |= problem.rows
    return np.flatnonzero(mask & check.is_ready).tolist()


def cell_notes(check: CheckedFile, row: int) -> dict[str, list[str]]:
    """Return the notes of a row by column."""
    messages = check.cell_messages(row, are_notes=True)
    return {column: [note for note, _ in notes] for column, notes in messages.items()}


def describe_notes(check: CheckedFile) -> str:
    """Return the notes of the first ready rows that have some, and the number of the others; "" for none."""
    rows = list_note_rows(check)
    lines = [
        f"Row {check.source.row_number(row)}: {' '.join(chain.from_iterable(cell_notes(check, row).values()))}"
        for row in rows[:MAX_NOTES]
    ]
    more = [f"{count(len(rows) - MAX_NOTES, 'more row', 'more rows')}."] if len(rows) > MAX_NOTES else []
    return " ".join([*lines, *more])


def describe_date_order(check: CheckedFile) -> str | None:
    """Return what contradicts the order of day and month, with the rows that show each order."""
    dates = check.dates
    if dates.is_mixed:
        day, month = (
            f"row{'s' if len(proof) > 1 else ''} {names(proof, at_most=MAX_PROOFS)}"
            for order in ("day first", "month first")
            for proof in [[str(check.source.row_number(row)) for row in dates.proof_rows(order)]]
        )
        return (
            f"The file has dates in both orders. The day comes first in {day}. The month comes first in "
            f"{month}. If a date fits both orders, Muster uses the order of the rows around it. Check these dates."
        )
    if dates.is_contradicted:
        shown = "day" if dates.shown_order == "day first" else "month"
        return f"Dates in the file show that the {shown} comes first. You selected the opposite."
    return None
