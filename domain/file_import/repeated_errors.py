"""Values with an error in many rows, which one change of their column corrects."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import pandas as pd

from domain.file_import.checked_file import CheckedFile
from domain.file_import.column_matching import Column
from domain.file_import.column_types import Mask
from domain.file_import.row_problems import Problem

MIN_ROWS: Final = 2
MOST_VALUES: Final = 5
_MOST_CORRECTIONS: Final = 50
"""How many of the last corrections are searched for one of the same value."""


class RepeatedError(NamedTuple):
    """A value that is wrong in every open row that has it."""

    column: Column
    text: str
    rows: int
    message: str
    suggestion: str
    """The text that a person wrote into another cell with this value, or ""."""


def find_repeated_errors(check: CheckedFile) -> tuple[list[RepeatedError], int]:
    """Return the values that are wrong in the most rows, and the number of all such values.

    A value that is right in another row is left out, since the value is not the reason. Times are left out unless they
    cannot be read, for the same reason.
    """
    found: list[tuple[int, int, Column, str]] = []
    is_open = check.is_open
    for place, column in enumerate(check.columns):
        problems = _value_problems(check, column)
        if not problems:
            continue
        is_wrong = np.logical_or.reduce([problem.rows for problem in problems]) & is_open
        codes, texts = pd.factorize(check.texts_of(column.name))
        wrong = np.bincount(codes[is_wrong], minlength=len(texts))
        everywhere = np.bincount(codes[is_open], minlength=len(texts))
        is_repeated = (wrong >= MIN_ROWS) & (wrong == everywhere) & np.asarray(texts != "", dtype=bool)
        found += [(int(wrong[code]), -place, column, str(texts[code])) for code in np.flatnonzero(is_repeated).tolist()]
    found.sort(key=lambda each: each[:2], reverse=True)
    return [
        RepeatedError(column, text, rows, _message(check, column, text), _find_suggestion(check, column, text))
        for rows, _, column, text in found[:MOST_VALUES]
    ], len(found)


def _value_problems(check: CheckedFile, column: Column) -> list[Problem]:
    problems = check.read_column(column).problems if column.reads_times else check.problems
    return [
        each
        for each in problems
        if each.is_error and each.column == column.name and not each.question and each.compared_rows is None
    ]


def _message(check: CheckedFile, column: Column, text: str) -> str:
    row = int(np.flatnonzero(_has_text(check, column, text))[0])
    return next(message for message, is_error in check.cell_messages(row)[column.name] if is_error)


def _has_text(check: CheckedFile, column: Column, text: str) -> Mask:
    return (check.texts_of(column.name) == text).to_numpy(dtype=bool) & check.is_open


def _find_suggestion(check: CheckedFile, column: Column, text: str) -> str:
    corrections = check.decisions.corrections.get(column.name, {})
    original = check.original_texts(column)
    for row, corrected in [*corrections.items()][-_MOST_CORRECTIONS:][::-1]:
        if original.iloc[row] == text and corrected not in ("", text):
            return corrected
    return ""
