"""A file matched to a declaration: its columns and their values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
import pandas as pd

from domain.file_import.cell_times import is_without_zone, strip_weekdays
from domain.file_import.changed_codes import CHANGED_CODE, find_changed_codes
from domain.file_import.column_changes import ColumnChange, change_texts
from domain.file_import.column_matching import Column, Group, Match, match_columns
from domain.file_import.column_types import (
    AMBIGUOUS_DATE,
    NO_YEAR,
    CellIssue,
    Clock,
    Mask,
    Moment,
    Parsed,
    ParseOptions,
    WallClock,
)
from domain.file_import.decisions import Decisions
from domain.file_import.file_dates import FileDates, find_report_date
from domain.file_import.import_declaration import ImportDeclaration
from domain.file_import.row_problems import Problem, Question
from domain.file_import.source_file import SHEET_ERRORS, SourceFile
from domain.file_import.workbook_process import UNCALCULATED

T = TypeVar("T")
VALUE_REQUIRED: Final = "A value is required."
SPREADSHEET_ERROR: Final = "The cell has a spreadsheet error (“{}”). Enter a value."
NO_FORMULA_VALUE: Final = (
    "The formula in this cell has no stored value. Enter the value, or open the workbook in a spreadsheet program, "
    "save it, and upload it again."
)
MIN_FILLED: Final = 0.9
ORDER_OF_BLOCK: Final = (
    "The file has dates in both orders. Muster reads this date as {}, in the order of the rows around it."
)
RARE_ORDER: Final = (
    "Muster reads this date as {}, because no other date is possible. Most dates in the file have the day and the "
    "month in the other order. Check the date."
)
_RARE_SUMMARY: Final = (
    "row has a date in a different order from most rows",
    "rows have dates in a different order from most rows",
)
_BLOCK_SUMMARY: Final = (
    "row has a date that Muster read in the same order as the rows around it",
    "rows have dates that Muster read in the same order as the rows around them",
)
_QUESTIONS: Final[dict[str, Question]] = {AMBIGUOUS_DATE: "order", NO_YEAR: "year"}


class ReadColumn(NamedTuple):
    """A parsed column: texts, values, problems, and a mask of the times without a zone."""

    texts: pd.Series[str]
    values: pd.Series[Any]
    problems: list[Problem]
    lacks_zone: Mask


class MatchedFile:
    """A pure function of declaration, source, and decisions, with cached results.

    A decision about a column only parses that column again.
    """

    def __init__(self, declaration: ImportDeclaration, source: SourceFile, decisions: Decisions | None = None) -> None:
        self.declaration = declaration
        self.source = source
        self.decisions = decisions or Decisions()
        self._results: dict[str, tuple[object, Any]] = {}
        """Results by name, each with the values it depends on."""

    def group_count(self, group: Group) -> int:
        """Return how many times a row has the columns of a group: as selected, or as the headings are numbered."""
        headers = self.source.headers
        counted = self._cache_by_key(f"group {group.name}", headers, lambda: group.count_in_headings(headers))
        return self.decisions.group_counts.get(group.name) or counted

    @property
    def columns(self) -> tuple[Column, ...]:
        """The declared columns, with the columns of groups as often as they occur."""
        counts = tuple(self.group_count(group) for group in self.declaration.groups)

        def compute() -> tuple[Column, ...]:
            more = [
                column
                for group, most in zip(self.declaration.groups, counts, strict=True)
                for number in range(2, most + 1)
                for column in group.of(number)
            ]
            return (*self.declaration.columns, *more)

        return self._cache_by_key("columns", (self.declaration.columns, counts), compute)

    @property
    def options(self) -> ParseOptions:
        """The parse options: as selected, or as the whole file shows."""

        def compute() -> ParseOptions:
            return replace(
                self.decisions.options,
                date_order=self.dates.order,
                reported_on=self.dates.reported_on.isoformat() if self.dates.reported_on else "",
                carries=self._detect_forward_fill(),
            )

        return self._cache_by_key("settled", (self.decisions.options, self.matches), compute)

    @property
    def dates(self) -> FileDates:
        """What the date columns of the file show together."""
        options = self.decisions.options
        columns = [column for column in self.columns if isinstance(column.kind, Moment | WallClock | Clock)]
        headers = tuple(header for column in columns for header in self.matches[column.name].headers)

        def compute() -> FileDates:
            cells = [strip_weekdays(self.source.frame[header]) for header in headers]
            dates = FileDates(cells, options.date_order, None)
            if options.reported_on:
                return replace(dates, reported_on=date.fromisoformat(options.reported_on))
            return replace(dates, reported_on=find_report_date(self.source.titles, dates.order))

        return self._cache_by_key("dates", (headers, options.date_order, options.reported_on), compute)

    def _detect_forward_fill(self) -> bool:
        """Return whether empty cells repeat the row above: other columns are then empty in the same rows."""
        headings, selected = self.fillable_headings, self.decisions.options.carries
        if selected is not None or not headings or not self.source.allows_forward_fill:
            return bool(selected)
        filled = (self.source.frame != "").to_numpy(dtype=bool)
        is_filled = filled[:, self.source.headers.index(headings[0])]
        if not is_filled.size or not is_filled[0]:
            return False
        in_step = ~filled[~is_filled].any(axis=0) & (filled[is_filled].mean(axis=0) > MIN_FILLED)
        return int(in_step.sum()) > 1

    @property
    def fillable_headings(self) -> list[str]:
        """The headings of columns that may be filled from the row above and have empty cells."""
        headers = [header for each in self.columns if each.forward_fill for header in self.matches[each.name].headers]
        return [header for header in headers if (self.source.frame[header] == "").any()]

    @property
    def matches(self) -> dict[str, Match]:
        """The match of each column."""
        columns, ignored = self.columns, self.decisions.ignored_headings
        selected = {name: tuple(found) for name, found in self.decisions.selected_headings.items()}

        def compute() -> dict[str, Match]:
            hidden = set(self.source.hidden_headings)
            # A visible column comes before a hidden one that is called alike.
            headers = [each for each in sorted(self.source.headers, key=hidden.__contains__) if each not in ignored]
            return match_columns(headers, columns, self.decisions.selected_headings, self.source.frame)

        return self._cache_by_key("matches", (columns, selected, ignored), compute)

    @property
    def missing(self) -> list[Column]:
        """The required columns without a match."""
        return [column for column in self.columns if column.required and not self.matches[column.name].headers]

    @property
    def missing_alternative(self) -> Column | None:
        """The first of the columns of which a file needs one, if it has none."""
        if not self.declaration.one_of or any(self.matches[name].headers for name in self.declaration.one_of):
            return None
        return next(column for column in self.columns if column.name == self.declaration.one_of[0])

    @property
    def unmatched_headings(self) -> list[str]:
        """The headings that match no column."""
        used = {header for match in self.matches.values() for header in match.headers}
        return [header for header in self.source.headers if header not in used]

    @property
    def matched_hidden_headings(self) -> list[str]:
        """The headings that the workbook hides and that match a column."""
        unmatched = set(self.unmatched_headings)
        return [header for header in self.source.hidden_headings if header not in unmatched]

    @property
    def headings_of(self) -> dict[str, list[str]]:
        """The headings of each column. A corrected column without a match has its own heading."""
        headers, corrected = self.source.headers, {*self.decisions.corrections, *self.decisions.column_changes}
        own = {each.name: [unique_heading(each.label, headers)] for each in self.columns if each.name in corrected}
        return {name: list(match.headers) or own.get(name, []) for name, match in self.matches.items()}

    def texts_of(self, name: str) -> pd.Series[str]:
        """Return the texts of a column, with corrections and values from the row above."""
        return self.read_column(next(column for column in self.columns if column.name == name)).texts

    def original_texts(self, column: Column) -> pd.Series[str]:
        """Return the texts of a column as the file has them, in their common form."""
        headers = self.matches[column.name].headers
        pattern = column.from_titles if not headers else None
        titles = map(pattern.fullmatch, self.source.titles) if pattern is not None else ()
        of_all = next((found[1].strip() for found in titles if found), "")
        return self._cache_by_key(
            f"original {column.name}", headers, lambda: _normalize(column, self.join(headers, otherwise=of_all))
        )

    def read_column(self, column: Column) -> ReadColumn:
        """Parse a column. The result is cached."""
        headers, corrections = self.matches[column.name].headers, dict(self.decisions.corrections.get(column.name, {}))
        options, changes = self.options, tuple(self.decisions.column_changes.get(column.name, ()))

        def compute() -> ReadColumn:
            return self._parse(column, corrections, changes, options)

        return self._cache_by_key(
            f"column {column.name}", (headers, options, self.decisions.options, changes, corrections), compute
        )

    def _parse(
        self,
        column: Column,
        corrections: dict[int, str],
        changes: Sequence[ColumnChange],
        options: ParseOptions,
    ) -> ReadColumn:
        texts = self.original_texts(column)
        for change in changes:
            texts = change_texts(change, column, texts, options.date_order)
        if corrections:
            cells = texts.tolist()
            for row, text in corrections.items():
                cells[row] = text
            texts = pd.Series(cells, dtype="str")
        if changes or corrections:
            texts = _normalize(column, texts)
        follows_block, is_rare = np.zeros((2, len(texts)), dtype=bool)
        if isinstance(column.kind, Moment | WallClock | Clock):
            is_past = isinstance(column.kind, Moment) and column.kind.is_past
            texts, follows_block, is_rare = self.dates.complete(
                texts, is_clock=isinstance(column.kind, Clock), is_past=is_past
            )
        if column.forward_fill and options.carries:
            texts = texts.where(texts != "").ffill().fillna("")
        filled = (texts != "").to_numpy(dtype=bool)
        is_empty, broken_cells = ~filled, _find_broken_cells(texts, is_code=column.is_code)
        for is_broken, _ in broken_cells:
            filled = filled & ~is_broken
        filled_texts = texts if filled.all() else texts[filled]
        headings, kind = self.matches[column.name].headers, column.kind
        if headings and isinstance(kind, Parsed):
            kind = kind.under(headings[0])
        values, issues = kind.read(filled_texts, options) if len(filled_texts) else (column.empty_values, [])
        if values.dtype == np.int64:
            values = values.astype("Int64")
        if len(values) < len(texts):
            values = values.reindex(texts.index)
        problems = [
            Problem(_spread(mask, filled), column.name, message, question=_QUESTIONS.get(message, ""))
            for mask, message in issues
            if mask.any()
        ]
        problems += [Problem(mask, column.name, message) for mask, message in broken_cells if mask.any()]
        if follows_block.any():
            problems.append(Problem(follows_block, column.name, ORDER_OF_BLOCK, is_error=False, summary=_BLOCK_SUMMARY))
        if is_rare.any():
            problems.append(Problem(is_rare, column.name, RARE_ORDER, is_error=False, summary=_RARE_SUMMARY))
        if column.required and self.matches[column.name].headers and is_empty.any():
            problems.append(Problem(is_empty, column.name, VALUE_REQUIRED))
        lacks_zone = isinstance(column.kind, Moment) and is_without_zone(filled_texts)
        return ReadColumn(texts, values, problems, _spread(lacks_zone, filled))

    def join(self, headers: Sequence[str], *, otherwise: str = "") -> pd.Series[str]:
        """Join the cells of several headings. Without headings, all rows have the other text."""
        if not headers:
            return pd.Series(otherwise, index=range(self.source.rows), dtype="str")
        first, *others = (self.source.frame[header] for header in headers)
        for other in others:
            between = pd.Series(np.where((first != "") & (other != ""), " | ", ""), dtype="str")
            first = first + between + other
        return first

    def _cache_by_key(self, name: str, key: object, compute: Callable[[], T]) -> T:
        """Return a result that is computed once per key."""
        cached = self._results.get(name)
        if cached is None or cached[0] != key:
            cached = self._results[name] = key, compute()
        result: T = cached[1]
        return result


def _normalize(column: Column, texts: pd.Series[str]) -> pd.Series[str]:
    normalize: Callable[[pd.Series[str]], pd.Series[str]] | None = getattr(column.kind, "normalize", None)
    return texts if normalize is None else normalize(texts)


def _find_broken_cells(texts: pd.Series[str], *, is_code: bool) -> list[CellIssue]:
    """Return the cells that a spreadsheet did not compute, or changed."""
    issues = [
        (texts.isin(SHEET_ERRORS).to_numpy(dtype=bool), SPREADSHEET_ERROR),
        ((texts == UNCALCULATED).to_numpy(dtype=bool), NO_FORMULA_VALUE),
    ]
    return [*issues, (find_changed_codes(texts), CHANGED_CODE)] if is_code else issues


def unique_heading(heading: str, used_headings: Collection[str]) -> str:
    """Return the heading, with asterisks if another column has it."""
    while heading in used_headings:
        heading += " *"
    return heading


def _spread(mask: Mask | bool, filled: Mask) -> Mask:
    whole = np.zeros(len(filled), dtype=bool)
    whole[np.flatnonzero(filled)] = mask
    return whole
