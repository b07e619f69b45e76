"""What a check says about the dates of a whole file."""

from __future__ import annotations

from typing import Final

from domain.file_import.checked_file import CheckedFile
from domain.file_import.column_types import Mask
from domain.text.plain_text import count, names

MAX_PROOFS: Final = 5


def count_warnings(check: CheckedFile) -> list[str]:
    """Return what the check says about warnings that are easily missed, with the number of open rows."""
    found: dict[tuple[str, str], Mask] = {}
    for problem in check.problems:
        if problem.summary is not None:
            found[problem.summary] = found.get(problem.summary, False) | (problem.rows & check.is_open)
    return [f"{count(int(rows.sum()), *summary)}." for summary, rows in found.items() if rows.any()]


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
