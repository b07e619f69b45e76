"""A file against a declaration: which of its columns stand for which, and how their cells are read."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
import pandas as pd

from domain.file_import.cell_times import DateOrder, order_shown, without_zone
from domain.file_import.column_matching import Column, Group, Match, match_columns
from domain.file_import.column_types import SAY_THE_ORDER, Clock, Mask, Moment, Reading, WallClock
from domain.file_import.decisions import Decisions
from domain.file_import.import_declaration import Intake
from domain.file_import.row_problems import Problem
from domain.file_import.source_file import SourceFile

T = TypeVar("T")
NOTHING_GIVEN: Final = "A value is required."
NOT_WORKED_OUT: Final = "The cell has a spreadsheet error (“{}”). Enter a value."
_LATER_ERRORS: Final = ("#SPILL!", "#CALC!", "#FIELD!", "#GETTING_DATA")
SHEET_ERRORS: Final = frozenset(("#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!", *_LATER_ERRORS))
FILLED_WHERE_TOLD: Final = 0.9


class ReadColumn(NamedTuple):
    """A column as it is read: texts, values, what is wrong with cells, and which times say no zone."""

    texts: pd.Series[str]
    values: pd.Series[Any]
    problems: list[Problem]
    has_no_zone: Mask


class MatchedFile:
    """A pure function of declaration, source, and decisions: all else is computed from these, once for each.

    Columns are read as a whole, and only those again that a decision is about.
    """

    def __init__(self, intake: Intake, source: SourceFile, decisions: Decisions | None = None) -> None:
        self.intake = intake
        self.source = source
        self.decisions = decisions or Decisions()
        self._results: dict[str, tuple[object, Any]] = {}
        """What was computed of this source, with what it depends on."""

    def times(self, group: Group) -> int:
        """How many times a row has the columns of a group: as a person said, else as the headings are numbered."""
        return self.decisions.repeats.get(group.name) or group.found_in(self.source.headers)

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns that are looked for in this file: those declared, and those of groups as often as they stand."""
        times = tuple(self.times(group) for group in self.intake.groups)

        def compute() -> tuple[Column, ...]:
            more = [
                column
                for group, most in zip(self.intake.groups, times, strict=True)
                for number in range(2, most + 1)
                for column in group.of(number)
            ]
            return (*self.intake.columns, *more)

        return self._once_for("columns", times, compute)

    @property
    def settled(self) -> Reading:
        """How cells are read: as a person said, and what they left open as the whole file shows."""

        def compute() -> Reading:
            return replace(self.decisions.reading, date_order=self._order(), carries=self._carries())

        return self._once_for("settled", (self.decisions.reading, self.matches), compute)

    def _order(self) -> DateOrder:
        if self.decisions.reading.date_order != "as the file shows":
            return self.decisions.reading.date_order
        dates = [column for column in self.columns if isinstance(column.kind, Moment | WallClock | Clock)]
        headers = [header for column in dates for header in self.matches[column.name].headers]
        return order_shown(self.source.frame[header] for header in headers)

    def _carries(self) -> bool:
        """Whether columns are told once for the rows below: where they are empty, others that are filled are, too."""
        carried, said = self.carried, self.decisions.reading.carries
        if said is not None or not carried or not self.source.is_told_once:
            return bool(said)
        filled = (self.source.frame != "").to_numpy(dtype=bool)
        is_told = filled[:, self.source.headers.index(carried[0])]
        if not is_told.size or not is_told[0]:
            return False
        in_step = ~filled[~is_told].any(axis=0) & (filled[is_told].mean(axis=0) > FILLED_WHERE_TOLD)
        return int(in_step.sum()) > 1

    @property
    def carried(self) -> list[str]:
        """The columns of the file that may be told once for the rows below, and have empty cells."""
        headers = [header for each in self.columns if each.carried for header in self.matches[each.name].headers]
        return [header for header in headers if (self.source.frame[header] == "").any()]

    @property
    def matches(self) -> dict[str, Match]:
        """Which columns of the file stand for each column of the declaration."""
        columns, passed_over = self.columns, self.decisions.passed_over
        chosen = {name: tuple(found) for name, found in self.decisions.chosen.items()}

        def compute() -> dict[str, Match]:
            headers = [header for header in self.source.headers if header not in passed_over]
            return match_columns(headers, columns, self.decisions.chosen, self.source.frame)

        return self._once_for("matches", (columns, chosen, passed_over), compute)

    @property
    def missing(self) -> list[Column]:
        """The columns that are needed and that no column of the file stands for."""
        return [column for column in self.columns if column.required and not self.matches[column.name].headers]

    @property
    def wanted(self) -> Column | None:
        """The first of the columns of which a file needs one, where it has none."""
        if not self.intake.one_of or any(self.matches[name].headers for name in self.intake.one_of):
            return None
        return next(column for column in self.columns if column.name == self.intake.one_of[0])

    @property
    def unread(self) -> list[str]:
        """The columns of the file that stand for nothing."""
        used = {header for match in self.matches.values() for header in match.headers}
        return [header for header in self.source.headers if header not in used]

    @property
    def headings_of(self) -> dict[str, list[str]]:
        """The headings under which each column is given; one that something was written into has one of its own."""
        headers, corrected = self.source.headers, self.decisions.corrected
        own = {each.name: [free_heading(each.label, headers)] for each in self.columns if each.name in corrected}
        return {name: list(match.headers) or own.get(name, []) for name, match in self.matches.items()}

    def texts_of(self, name: str) -> pd.Series[str]:
        """The texts of a column, with what was corrected and what the rows above say for them."""
        return self.read_column(next(column for column in self.columns if column.name == name)).texts

    def read_column(self, column: Column) -> ReadColumn:
        """A column as it is read, once for what it depends on."""
        headers, corrected = self.matches[column.name].headers, dict(self.decisions.corrected.get(column.name, {}))
        reading = self.settled

        def compute() -> ReadColumn:
            return self._read(column, headers, corrected, reading)

        return self._once_for(f"column {column.name}", (headers, reading, corrected), compute)

    def _read(self, column: Column, headers: Sequence[str], corrected: dict[int, str], reading: Reading) -> ReadColumn:
        texts = self.join(headers)
        if corrected:
            cells = texts.tolist()
            for row, text in corrected.items():
                cells[row] = text
            texts = pd.Series(cells, dtype="str")
        if (respell := getattr(column.kind, "respell", None)) is not None:
            texts = respell(texts)
        if column.carried and reading.carries:
            texts = texts.where(texts != "").ffill().fillna("")
        filled, is_broken = (texts != "").to_numpy(dtype=bool), texts.isin(SHEET_ERRORS).to_numpy(dtype=bool)
        is_empty = ~filled
        filled = filled & ~is_broken
        some = texts if filled.all() else texts[filled]
        values, wrong = column.kind.read(some, reading) if len(some) else (column.unfilled, [])
        if values.dtype == np.int64:
            values = values.astype("Int64")
        if len(values) < len(texts):
            values = values.reindex(texts.index)
        problems = [
            Problem(_spread(mask, filled), column.name, words, asks="order" if words == SAY_THE_ORDER else "")
            for mask, words in wrong
            if mask.any()
        ]
        if is_broken.any():
            problems.append(Problem(is_broken, column.name, NOT_WORKED_OUT))
        if column.required and headers and is_empty.any():
            problems.append(Problem(is_empty, column.name, NOTHING_GIVEN))
        bare = isinstance(column.kind, Moment) and without_zone(some)
        return ReadColumn(texts, values, problems, _spread(bare, filled))

    def join(self, headers: Sequence[str]) -> pd.Series[str]:
        """The cells of several columns of the file as one text each."""
        if not headers:
            return pd.Series("", index=range(self.source.rows), dtype="str")
        first, *others = (self.source.frame[header] for header in headers)
        for other in others:
            between = pd.Series(np.where((first != "") & (other != ""), " | ", ""), dtype="str")
            first = first + between + other
        return first

    def _once_for(self, name: str, key: object, compute: Callable[[], T]) -> T:
        """What is computed under a name, once for what it depends on besides the source."""
        held = self._results.get(name)
        if held is None or held[0] != key:
            held = self._results[name] = key, compute()
        found: T = held[1]
        return found


def free_heading(heading: str, taken: Collection[str]) -> str:
    """A heading that no other column has."""
    while heading in taken:
        heading += " *"
    return heading


def _spread(mask: Mask | bool, filled: Mask) -> Mask:
    whole = np.zeros(len(filled), dtype=bool)
    whole[np.flatnonzero(filled)] = mask
    return whole
