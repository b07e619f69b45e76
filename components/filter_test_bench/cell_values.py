"""The values of a file's columns, ready to be compared: each with the row it belongs to, read once and kept.

Empty cells are no values. Where a cell holds several, or several columns feed one thing, a row has several values.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt
import pandas as pd

from components.contact_filters.values import number_in
from components.intake.cell_times import DateOrder, Spans, read_spans, with_ends

Mask = npt.NDArray[np.bool_]


class CellValues:
    """All values of one subject in a file: `owner` tells the row of each of `texts`.

    `ends` are the two columns of spans whose begin and end stand apart, one a row, open where a text is empty.
    """

    def __init__(
        self,
        rows: int,
        owner: npt.NDArray[np.int64],
        texts: pd.Series[str],
        *,
        decimal_comma: bool = False,
        ends: tuple[pd.Series[str], pd.Series[str]] | None = None,
    ) -> None:
        """Hold values that were taken apart already; `take_apart` makes them."""
        self.rows = rows
        self.owner = owner
        self.texts = texts
        self._decimal_comma = decimal_comma
        self._ends = ends
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
        return folded.where(~special, self.texts.str.casefold()) if special.any() else folded

    @cached_property
    def numbers(self) -> tuple[Mask, list[int | float]]:
        """Which values are numbers, and those numbers, whole ones exact to the last digit."""
        read = [
            int(text) if len(text) < 20 and text.isascii() and text.isdigit() else self._number(text)
            for text in self.texts.tolist()
        ]
        is_number = np.fromiter((each is not None for each in read), bool, len(read))
        return is_number, [each for each in read if each is not None]

    def _number(self, text: str) -> int | float | None:
        is_decimal = self._decimal_comma and text.count(",") == 1 and "." not in text
        return number_in(text.replace(",", ".") if is_decimal else text)

    def spans(self, zone: str, order: DateOrder) -> Spans:
        """The values as stretches of time; a moment begins where it ends, a date alone lasts its day in the zone."""
        if (zone, order) not in self._spans:
            if self._ends is None:
                read = read_spans(self.texts, zone, order)
            else:
                begins, ends = (read_spans(texts, zone, order) for texts in self._ends)
                read = with_ends(begins, ends, *self._ends)
            self._spans[zone, order] = read
        return self._spans[zone, order]

    def rows_of(self, hits: Mask) -> Mask:
        """Which rows have a value among these."""
        rows = np.zeros(self.rows, dtype=bool)
        rows[self.owner[hits]] = True
        return rows


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
        both = (frame[headers[0]] if headers else pd.Series("", index=frame.index, dtype="str"), frame[ends])
        there = ((both[0] != "") | (both[1] != "")).to_numpy(dtype=bool)
        begin, end = (texts[there].reset_index(drop=True) for texts in both)
        return CellValues(rows, np.flatnonzero(there), (begin + " – " + end).str.strip(), ends=(begin, end))
    apart = [_of_column(frame[header], separators) for header in headers]
    if not apart:
        return CellValues(rows, np.zeros(0, dtype=np.int64), pd.Series([], dtype="str"))
    owners, texts = zip(*apart, strict=True)
    return CellValues(rows, np.concatenate(owners), pd.concat(texts, ignore_index=True), decimal_comma=decimal_comma)


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
    piece_owner = np.repeat(owner[parted], lists.map(len).to_numpy(dtype=np.int64))
    kept = (pieces != "").to_numpy(dtype=bool)
    owners = np.concatenate([owner[~parted], piece_owner[kept]])
    return owners, pd.concat([values[~parted], pieces[kept]], ignore_index=True)
