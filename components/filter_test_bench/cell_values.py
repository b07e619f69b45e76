"""The values of a file's columns, ready to be compared: each with the row it belongs to, read once and kept.

Empty cells are no values. Where a cell holds several, or several columns feed one thing, a row has several values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from components.filter_test_bench.judging import whole_or_decimal
from components.intake.cell_times import DateOrder, Spans, read_spans, with_ends

Mask = npt.NDArray[np.bool_]
_EXACT_DIGITS = 18
"""Whole numbers of up to so many digits fit 64 bits."""


@dataclass(frozen=True)
class Numbers:
    """Values read as numbers: `whole` where they fit 64 bits, `others` (long or with decimals) by their position."""

    whole: npt.NDArray[np.int64]
    is_whole: Mask
    decimal: npt.NDArray[np.float64]
    is_decimal: Mask
    long: tuple[tuple[int, int], ...]

    @property
    def is_read(self) -> Mask:
        """Which values are numbers."""
        read = self.is_whole | self.is_decimal
        for position, _ in self.long:
            read[position] = True
        return read


class CellValues:
    """All values of one subject in a file: `owner` tells the row of each of `texts`."""

    def __init__(self, rows: int, owner: npt.NDArray[np.int64], texts: pd.Series[str], decimal_comma: bool) -> None:
        """Hold values that were taken apart already; `take_apart` makes them."""
        self.rows = rows
        self.owner = owner
        self.texts = texts
        self._decimal_comma = decimal_comma
        self._spans: dict[tuple[str, DateOrder], Spans] = {}

    @cached_property
    def present(self) -> Mask:
        """Which rows have any value."""
        return self.rows_of(np.ones(len(self.owner), dtype=bool))

    @cached_property
    def folded(self) -> pd.Series[str]:
        """The texts with their capitals set aside."""
        folded = self.texts.str.lower()
        # Lower case is quick, and the same as folding for plain letters; the others are few. They are told by the text
        # as it is: the lower case of one of them ("İ") is made a plain letter here.
        special = self.texts.str.contains(r"[^\x00-\x7f]", regex=True)
        if special.any():
            folded = folded.where(~special, self.texts.str.casefold())
        return folded

    @cached_property
    def numbers(self) -> Numbers:
        """The values as numbers, whole ones exact to the last digit."""
        texts = self.texts
        is_whole = np.array(texts.str.fullmatch(rf"[+-]?[0-9]{{1,{_EXACT_DIGITS}}}"), dtype=bool)
        whole = np.zeros(len(texts), dtype=np.int64)
        whole[is_whole] = texts[is_whole].str.lstrip("+").astype("int64").to_numpy()
        decimal = np.zeros(len(texts), dtype=np.float64)
        is_decimal = np.zeros(len(texts), dtype=bool)
        long: list[tuple[int, int]] = []
        for position in np.flatnonzero(~is_whole).tolist():
            text = self._plain[position]
            number = whole_or_decimal(text)
            if number is None and self._decimal_comma and text.count(",") == 1 and "." not in text:
                number = whole_or_decimal(text.replace(",", "."))
            if isinstance(number, int) and abs(number) < 2**63:
                whole[position], is_whole[position] = number, True
            elif isinstance(number, int):
                long.append((position, number))
            elif number is not None:
                decimal[position], is_decimal[position] = number, True
        return Numbers(whole, is_whole, decimal, is_decimal, tuple(long))

    @cached_property
    def _plain(self) -> list[str]:
        plain: list[str] = self.texts.tolist()
        return plain

    def spans(self, zone: str, order: DateOrder) -> Spans:
        """The values as stretches of time; a moment begins where it ends, a date alone lasts its day in the zone."""
        if (zone, order) not in self._spans:
            self._spans[zone, order] = read_spans(self.texts, zone, order)
        return self._spans[zone, order]

    def rows_of(self, hits: Mask) -> Mask:
        """Which rows have a value among these."""
        rows = np.zeros(self.rows, dtype=bool)
        rows[self.owner[hits]] = True
        return rows

    def of_row(self, row: int) -> list[str]:
        """The values of one row, in the file's order."""
        values: list[str] = self.texts[self.owner == row].tolist()
        return values


class SpanValues(CellValues):
    """Values whose ends stand in a column of their own: one a row, open on the side where nothing stands."""

    def __init__(self, begins: pd.Series[str], ends: pd.Series[str]) -> None:
        """Hold the two columns side by side; a row with neither has no value."""
        there = ((begins != "") | (ends != "")).to_numpy(dtype=bool)
        self._begins = begins[there].reset_index(drop=True)
        self._ends = ends[there].reset_index(drop=True)
        shown = (self._begins + " – " + self._ends).str.strip()
        super().__init__(len(begins), np.flatnonzero(there), shown, decimal_comma=False)

    def spans(self, zone: str, order: DateOrder) -> Spans:
        """The stretches from one column's moment until the other's."""
        if (zone, order) not in self._spans:
            begins, ends = (read_spans(texts, zone, order) for texts in (self._begins, self._ends))
            self._spans[zone, order] = with_ends(begins, ends, self._begins, self._ends)
        return self._spans[zone, order]


def take_apart(
    frame: pd.DataFrame,
    headers: Sequence[str],
    separators: str,
    *,
    ends: str | None = None,
    decimal_comma: bool = False,
) -> CellValues:
    """The values of these columns; `separators` part several in one cell, `ends` is the column where spans end."""
    rows = len(frame)
    if ends is not None:
        begins = frame[headers[0]] if headers else pd.Series("", index=frame.index, dtype="str")
        return SpanValues(begins, frame[ends])
    owners: list[npt.NDArray[np.int64]] = []
    texts: list[pd.Series[str]] = []
    for header in headers:
        owner, values = _of_column(frame[header], separators)
        owners.append(owner)
        texts.append(values)
    if not owners:
        return CellValues(rows, np.zeros(0, dtype=np.int64), pd.Series([], dtype="str"), decimal_comma)
    return CellValues(rows, np.concatenate(owners), pd.concat(texts, ignore_index=True), decimal_comma)


def _of_column(column: pd.Series[str], separators: str) -> tuple[npt.NDArray[np.int64], pd.Series[str]]:
    filled = column != ""
    owner = np.flatnonzero(filled.to_numpy(dtype=bool))
    values = column[filled]
    parted = np.zeros(len(values), dtype=bool)
    for separator in separators:
        parted |= values.str.contains(separator, regex=False).to_numpy(dtype=bool)
    if not parted.any():
        return owner, values.reset_index(drop=True)
    # Only the cells that hold several values are taken apart: it is the slow part.
    lists = values[parted].str.replace(f"[{separators}]", "\n", regex=True).str.split("\n")
    pieces = lists.explode().astype("str").str.strip()
    counts = lists.map(len).to_numpy(dtype=np.int64)
    piece_owner = np.repeat(owner[parted], counts)
    kept = (pieces != "").to_numpy(dtype=bool)
    owners = np.concatenate([owner[~parted], piece_owner[kept]])
    texts = pd.concat([values[~parted], pieces[kept]], ignore_index=True)
    return owners, texts
