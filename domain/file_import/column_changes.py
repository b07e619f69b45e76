"""Changes to a whole column of a file: replace a value, separate people, set a time zone, add a year, or skip rows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal, NamedTuple

import numpy as np
import pandas as pd

from domain.file_import.cell_times import DateOrder, add_year, is_without_year, is_without_zone, read_spans
from domain.file_import.column_matching import Column
from domain.file_import.column_types import Clock, Moment, WallClock

ChangeKind = Literal["replace", "separate", "zone", "year", "skip"]
LEARNED: Final[frozenset[ChangeKind]] = frozenset(("replace", "separate", "zone", "skip"))
"""The kinds that apply to later files. The year of one file is not that of the next."""
MOST_PARTS: Final = 6
SEPARATOR: Final = "; "
"""What a cell with several values is read with."""


@dataclass(frozen=True)
class ColumnChange:
    """A change to every cell of a column. The names of the fields are stored."""

    kind: ChangeKind
    text: str
    """The value to replace or skip ("" for empty cells), the separator, the time zone, or the year."""
    new_text: str = ""

    @property
    def is_learned(self) -> bool:
        """Whether the change applies to later files. Values in empty cells are those of one file."""
        return self.kind in LEARNED and bool(self.text)

    @property
    def summary(self) -> str:
        """What the change does: "“Cracovie” → “Kraków”"."""
        old = f"“{self.text}”" if self.text else "empty cells"
        return {
            "replace": f"{old} → “{self.new_text}”",
            "separate": f"separate at “{self.text}”",
            "zone": f"times are in {self.text}",
            "year": f"dates without a year are in {self.text}",
            "skip": f"skip rows with {old}",
        }[self.kind]


@dataclass(frozen=True)
class HeadingSplit:
    """A column of the file that is split into several. The names of the fields are stored."""

    separator: str
    parts: int

    @property
    def summary(self) -> str:
        """What the split does."""
        return f"split at “{self.separator}” into {self.parts} columns"


class ChangedValue(NamedTuple):
    """A value before and after a change, and the number of rows with it."""

    old: str
    new: str
    rows: int


def change_texts(change: ColumnChange, column: Column, texts: pd.Series[str], order: DateOrder) -> pd.Series[str]:
    """Return the texts of a column after a change. Equal texts are changed once."""
    if change.kind == "skip":
        return texts
    if change.kind == "replace":
        return texts.mask(texts == change.text, change.new_text)
    codes, uniques = pd.factorize(texts)
    old = pd.Series(uniques, dtype="str")
    if change.kind == "separate":
        parts = [[part.strip() for part in text.split(change.text)] for text in old]
        new = pd.Series([SEPARATOR.join(filter(None, each)) for each in parts], dtype="str")
    elif change.kind == "zone":
        new = _add_zone(old, change.text, column, order)
    else:
        new = _add_year(old, int(change.text), order)
    return new.take(codes).set_axis(texts.index)


def list_changed(old: pd.Series[str], new: pd.Series[str]) -> list[ChangedValue]:
    """Return the values that differ, the most common first."""
    is_changed = (old != new).to_numpy(dtype=bool)
    pairs = Counter(zip(old[is_changed], new[is_changed], strict=True))
    return [ChangedValue(before, after, rows) for (before, after), rows in pairs.most_common()]


def split_at(texts: pd.Series[str], separator: str) -> HeadingSplit | None:
    """Return how a column is split at a separator, or None if no cell has it."""
    parts = int(texts.str.count(re.escape(separator)).max()) + 1 if separator and len(texts) else 1
    return HeadingSplit(separator, min(parts, MOST_PARTS)) if parts > 1 else None


def possible_kinds(column: Column) -> Sequence[ChangeKind]:
    """Return the kinds of changes that make sense for a column."""
    kinds: list[ChangeKind] = ["replace"]
    if column.holds_several:
        kinds.append("separate")
    if isinstance(column.kind, Moment) or column.zone_column:
        kinds.append("zone")
    if isinstance(column.kind, Moment | WallClock | Clock):
        kinds.append("year")
    return kinds


def _add_zone(texts: pd.Series[str], zone: str, column: Column, order: DateOrder) -> pd.Series[str]:
    """Write times without a zone with their offset. In a column of time zones, fill the empty cells."""
    if not isinstance(column.kind, Moment):
        return texts.mask(texts == "", zone)
    spans = read_spans(texts, zone, order)
    is_bare = is_without_zone(texts) & spans.is_read
    ends = spans.end if column.kind.is_end else spans.begin
    moments = pd.to_datetime(pd.Series(ends[is_bare]), unit="ms", utc=True).dt.tz_convert(zone)
    written = [each.isoformat(" ", "milliseconds").replace(":00.000", "").replace(".000", "") for each in moments]
    new = texts.tolist()
    for place, text in zip(np.flatnonzero(is_bare).tolist(), written, strict=True):
        new[place] = text
    return pd.Series(new, dtype="str")


def _add_year(texts: pd.Series[str], year: int, order: DateOrder) -> pd.Series[str]:
    """Write dates without a year in a year. Dates that it does not have stay, such as Feb 29."""
    new = texts.tolist()
    for place in np.flatnonzero(is_without_year(texts)).tolist():
        text = add_year(new[place], date(year, 1, 1), order, is_past=False)
        if text.startswith(str(year)):
            new[place] = text
    return pd.Series(new, dtype="str")
