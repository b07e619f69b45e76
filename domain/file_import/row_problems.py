"""Rows of a file by column, and their problems."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, Final, Literal, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from domain.file_import.column_types import Mask, ParseOptions

T = TypeVar("T")
PROGRESS: Final = "progress"
"""The key in `Rows.memory` under which slow rules record their progress, from 0 to 1."""
Question = Literal["", "hidden", "country", "order", "year", "dates", "contacts"]
QUESTIONS: Mapping[Question, tuple[tuple[str, str], str]] = {
    "hidden": (
        ("row is hidden", "rows are hidden"),
        "in the sheet, for example by a filter. Muster skips hidden rows until you include them.",
    ),
    "order": (
        ("row has a date", "rows have dates"),
        "such as 03/04/2026. Muster cannot tell the day from the month.",
    ),
    "year": (
        ("row has a date", "rows have dates"),
        "without a year, such as 02DEC. Muster takes the year from the date of the report.",
    ),
    "dates": (
        ("row has a departure", "rows have departures"),
        "months or years before or after the others. The year or the month may be mistyped.",
    ),
    "country": (
        ("row has a phone number", "rows have phone numbers"),
        "without a country code. Muster sends these numbers as written.",
    ),
    "contacts": (
        ("row has an employee ID", "rows have employee IDs"),
        "without a name. The service rejects them unless these people are contacts already.",
    ),
}


@dataclass(frozen=True)
class Offer:
    """A fix for many rows: other texts by column and row. Without texts, the rows are skipped.

    "{}" in the label stands for the number of rows.
    """

    label: str
    cells: Mapping[str, pd.Series[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Problem:
    """A problem of a column in the rows of a mask. Errors block their rows; warnings and notes do not."""

    rows: Mask
    column: str
    """The name of the column; "" for the whole row."""
    message: str
    is_error: bool = True
    offer: Offer | None = None
    question: Question = ""
    row_message: Callable[[int], str] | None = None
    compared_rows: npt.NDArray[np.int64] | None = None
    summary: tuple[str, str] | None = None
    """What the check says about one row and about several, such as "row has a date in the past"."""
    is_note: bool = False
    """Whether it only says how Muster reads a cell. Rows with notes are not counted as rows with warnings."""


@dataclass(frozen=True)
class Rows:
    """Rows of a file by column: as texts ("" for empty cells) and as values (None or NA).

    `numbers` are the row numbers in the file.
    """

    texts: pd.DataFrame
    values: Mapping[str, pd.Series[Any]]
    numbers: npt.NDArray[np.int64]
    options: ParseOptions = field(default_factory=ParseOptions)
    headings: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The headings of each column."""
    keys: Mapping[str, Callable[[str], str]] = field(default_factory=dict)
    """`Column.key` by column name."""
    memory: dict[str, Any] = field(default_factory=dict)
    """A cache for rules, kept across corrections."""
    all_rows: Rows | None = None
    """All rows of the file, if these are some of them."""
    positions: npt.NDArray[np.intp] | None = None
    """The positions of these rows in the file."""

    def __len__(self) -> int:
        return len(self.texts)

    def comparison_keys(self, column: str) -> pd.Series[str]:
        """Return the texts of a column in the form in which they are compared."""
        texts = self.texts[column]
        if column not in self.keys:
            return texts
        return self.once(f"keys {column}", [column], partial(texts.map, self.keys[column]))

    def once(self, name: str, columns: Sequence[str], compute: Callable[[], T], *, key: object = None) -> T:
        """Return a result that is computed again only after one of these columns or the key has changed."""
        values = [self.values[column] for column in columns]
        old_values, old_key, result = self.memory.get(name, ((), None, None))
        if len(old_values) != len(values) or old_key != key or any(map(operator.is_not, old_values, values)):
            result = compute()
            self.memory[name] = values, key, result
        found: T = result
        return found

    def select(self, rows: Mask | npt.NDArray[np.intp]) -> Rows:
        """Return the rows of a mask or at these positions, in this order."""
        values = {name: series.iloc[rows].reset_index(drop=True) for name, series in self.values.items()}
        texts = self.texts.iloc[rows].reset_index(drop=True)
        positions = (np.arange(len(self)) if self.positions is None else self.positions)[rows]
        numbers = self.numbers[rows]
        return replace(
            self, texts=texts, values=values, numbers=numbers, all_rows=self.all_rows or self, positions=positions
        )

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield the values of each row, without empty cells."""
        plain = {
            name: series.astype(object).where(series.notna(), None).tolist()
            for name, series in self.values.items()
            if series.notna().any()
        }
        for row in zip(*plain.values(), strict=True):
            yield {name: value for name, value in zip(plain, row, strict=True) if value is not None}


Rule = Callable[[Rows], Iterable[Problem]]


def find_repeats(*columns: str, message: str, is_error: bool = True) -> Rule:
    """Return a rule that finds rows with the same texts in these columns as an earlier row. Empty rows are ignored."""

    def rule(rows: Rows) -> Iterator[Problem]:
        parts = pd.DataFrame({column: rows.comparison_keys(column) for column in columns})
        alike = parts.groupby(list(columns), sort=False).ngroup().to_numpy()
        first = np.unique(alike, return_index=True)[1][alike]
        again = (first != np.arange(len(rows))) & (parts != "").any(axis=1).to_numpy(dtype=bool)
        yield Problem(again, columns[0], message, is_error, compared_rows=rows.numbers[first])

    return rule
