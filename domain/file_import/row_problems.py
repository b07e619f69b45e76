"""Rows of a file by the columns of a declaration, and what is wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd

from domain.file_import.column_types import Mask, Reading

PROGRESS: Final = "progress"
"""Under what name long rules note in `Rows.memory` how much of the work is done, from 0 to 1."""
Asks = Literal["", "country", "order", "contacts"]
QUESTIONS: Mapping[Asks, tuple[tuple[str, str], str]] = {
    "order": (
        ("row has a date", "rows have dates"),
        "such as 03/04/2026. Muster cannot tell the day from the month.",
    ),
    "country": (
        ("row has a phone number", "rows have phone numbers"),
        "without a country code. Muster sends such numbers as written.",
    ),
    "contacts": (
        ("row has an employee ID", "rows have employee IDs"),
        "without a name. The service refuses them unless these people are contacts already.",
    ),
}


@dataclass(frozen=True)
class Offer:
    """What can be done about problems in all rows at once: other texts by column, row by row; none drops the rows.

    "{}" in the words stands for how many rows.
    """

    words: str
    cells: Mapping[str, pd.Series[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Problem:
    """What is wrong with a column ("" for the row as a whole) in the rows of a mask; "{}" stands for the cell.

    An error keeps its rows from being taken, a warning does not. `told` gives the words of a row where each has its
    own; `against` gives the number in the file of the row that each is compared with. What `asks` is a question about
    the whole file: one answer settles it in all rows, and as a warning it stands above them and not at each.
    """

    rows: Mask
    column: str
    words: str
    is_error: bool = True
    offer: Offer | None = None
    asks: Asks = ""
    told: Callable[[int], str] | None = None
    against: npt.NDArray[np.int64] | None = None


@dataclass(frozen=True)
class Rows:
    """Rows of a file by the columns of the declaration: as texts, "" where nothing is, and as values.

    `numbers` are the rows' in the file. A value that is not there is None or NA.
    """

    texts: pd.DataFrame
    values: Mapping[str, pd.Series[Any]]
    numbers: npt.NDArray[np.int64]
    reading: Reading = field(default_factory=Reading)
    headings: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The columns of the file that stand for each."""
    keys: Mapping[str, Callable[[str], str]] = field(default_factory=dict)
    """`Column.key` of the columns that have one."""
    memory: dict[str, Any] = field(default_factory=dict)
    """What rules keep of the file from one correction to the next."""
    whole: Rows | None = None
    """All rows of the file, where these are some of them."""
    places: npt.NDArray[np.intp] | None = None
    """The places of these rows among all of the file."""

    def __len__(self) -> int:
        return len(self.texts)

    def compared(self, column: str) -> pd.Series[str]:
        """The texts of a column as cells are compared."""
        texts = self.texts[column]
        return texts.map(self.keys[column]) if column in self.keys else texts

    def only(self, rows: Mask | npt.NDArray[np.intp]) -> Rows:
        """Some of the rows, in the order of their places where those are given."""
        values = {name: series.iloc[rows].reset_index(drop=True) for name, series in self.values.items()}
        texts = self.texts.iloc[rows].reset_index(drop=True)
        places = (np.arange(len(self)) if self.places is None else self.places)[rows]
        numbers = self.numbers[rows]
        return replace(self, texts=texts, values=values, numbers=numbers, whole=self.whole or self, places=places)

    def records(self) -> Iterator[dict[str, Any]]:
        """Row by row, the values that are there."""
        plain = {
            name: series.astype(object).where(series.notna(), None).tolist()
            for name, series in self.values.items()
            if series.notna().any()
        }
        for row in zip(*plain.values(), strict=True):
            yield {name: value for name, value in zip(plain, row, strict=True) if value is not None}


Rule = Callable[[Rows], Iterable[Problem]]


def repeated(*columns: str, words: str, is_error: bool = True) -> Rule:
    """Rows that say in these columns what a row before them says; rows with nothing in them repeat nothing."""

    def rule(rows: Rows) -> Iterator[Problem]:
        parts = pd.DataFrame({column: rows.compared(column) for column in columns})
        alike = parts.groupby(list(columns), sort=False).ngroup().to_numpy()
        first = np.unique(alike, return_index=True)[1][alike]
        again = (first != np.arange(len(rows))) & (parts != "").any(axis=1).to_numpy(dtype=bool)
        yield Problem(again, columns[0], words, is_error, against=rows.numbers[first])

    return rule
