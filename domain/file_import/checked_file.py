"""The problems of a file's rows, and which rows are ready."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final, Literal, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from domain.file_import.column_types import Mask, Moment
from domain.file_import.decisions import Decisions
from domain.file_import.import_declaration import ImportDeclaration
from domain.file_import.matched_file import MatchedFile
from domain.file_import.row_problems import QUESTIONS, Offer, Problem, Question, Rows
from domain.file_import.source_file import SourceFile
from domain.text.plain_text import count, names

T = TypeVar("T")
View = Literal["all", "errors", "warnings"]
MANY_ROWS: Final = 20
"""From this number of rows on, a problem of most cells of a column is shown once for the column."""
MIN_SHARE: Final = 0.8
HIDDEN_ROW: Final = "The row is hidden in the sheet. Skip or include hidden rows."


class CheckedFile(MatchedFile):
    """A matched file with the problems of its cells and rows."""

    def __init__(self, declaration: ImportDeclaration, source: SourceFile, decisions: Decisions | None = None) -> None:
        super().__init__(declaration, source, decisions)
        self._computed: dict[str, Any] = {}
        """Results since the last decision, by name."""
        self.memory: dict[str, Any] = {}
        """A cache for rules, kept across decisions."""

    def offers(self) -> list[tuple[Offer, list[int]]]:
        """Return the available fixes for many rows, each with its rows."""
        found: dict[str, tuple[Offer, Mask]] = {}
        for problem in self.problems:
            if problem.offer is not None:
                _, rows = found.get(problem.offer.label, (problem.offer, np.zeros(self.source.rows, dtype=bool)))
                found[problem.offer.label] = problem.offer, rows | problem.rows
        here = [(offer, np.flatnonzero(rows & ~self._is_closed).tolist()) for offer, rows in found.values()]
        return [(offer, rows) for offer, rows in here if rows]

    @property
    def problems(self) -> list[Problem]:
        """All problems. Skipped rows are not compared with others, and sent rows come first."""
        sent = np.flatnonzero(self._mask_of(self.decisions.job_of_row.keys() - self.decisions.skipped_rows))
        places = np.concatenate([sent, np.flatnonzero(~self._is_closed)])
        return self._once("problems", lambda: self._find_problems(places))

    def _find_problems(self, places: npt.NDArray[np.intp]) -> list[Problem]:
        """Return the problems of all cells, and of rules applied to the rows at these positions, in this order."""
        rows = self.rows if np.array_equal(places, np.arange(self.source.rows)) else self.rows.select(places)
        found = [problem for column in self.columns for problem in self.read_column(column).problems]
        if self.source.hidden_rows and not self.options.includes_hidden:
            found.append(Problem(self._mask_of(self.source.hidden_rows), "", HIDDEN_ROW, question="hidden"))
        position = self.declaration.position
        for rule in (*([position.problems] if position else []), *self.declaration.rules):
            rule_problems = [problem for problem in rule(rows) if problem.rows.any()]
            found += (
                rule_problems
                if rows is self.rows
                else [_spread_problem(problem, places, self.source.rows) for problem in rule_problems]
            )
        by_message: dict[tuple[str, str], Mask] = {}
        for (row, name), message in self.decisions.service_messages.items():
            by_message.setdefault((name, message), np.zeros(self.source.rows, dtype=bool))[row] = True
        found += [Problem(mask, name, message) for (name, message), mask in by_message.items()]
        return [*found, *self._find_blocked_rows(self.rows, found)]

    @property
    def open_hidden_rows(self) -> list[int]:
        """The rows that the workbook hides and that were neither skipped nor sent."""
        return [row for row in self.source.hidden_rows if not self._is_closed[row]]

    @property
    def included_source(self) -> SourceFile:
        """The file without skipped rows, and without hidden rows until they are included."""
        left_out = self.decisions.skipped_rows
        if not self.decisions.options.includes_hidden:
            left_out |= {*self.source.hidden_rows}
        compute = partial(self.source.without_rows, left_out)
        return self._cache_by_key("included", left_out, compute) if left_out else self.source

    @property
    def count_without_zone(self) -> int:
        """The number of times without a zone in ready rows, or in all open rows if no row is ready.

        If no row is ready, the zone may be the reason.
        """
        bare = [self.read_column(column).lacks_zone for column in self.columns if isinstance(column.kind, Moment)]
        ready, here = (sum(int((each & rows).sum()) for each in bare) for rows in (self.is_ready, ~self._is_closed))
        return ready or here

    @property
    def questions(self) -> dict[Question, str]:
        """The questions that one answer settles for many rows, with the number of rows."""
        numbers = {what: self.count_question_rows(what) for what in QUESTIONS}
        return {
            what: " ".join((count(numbers[what], *noun), message))
            for what, (noun, message) in QUESTIONS.items()
            if numbers[what]
        }

    @property
    def column_problems(self) -> list[str]:
        """Problems that most filled cells of a column share and that no question settles, one line each."""
        lines = []
        for problem in self.problems:
            rows = int((problem.rows & self.is_open).sum())
            if (
                problem.column
                and not (problem.question or problem.row_message or problem.compared_rows is not None)
                and rows >= MANY_ROWS
            ):
                column = next(each for each in self.columns if each.name == problem.column)
                filled = int(((self.read_column(column).texts != "").to_numpy(dtype=bool) & self.is_open).sum())
                if rows >= MIN_SHARE * filled:
                    message = problem.message.replace(" (“{}”)", "").replace("“{}”", "the cell")
                    lines.append(f"{column.label}, {count(rows, 'row', 'rows')}: {message}")
        return lines

    def count_question_rows(self, question: Question) -> int:
        """Return how many open rows the answer to this question would settle."""
        mask = np.zeros(self.source.rows, dtype=bool)
        for problem in self.problems:
            if problem.question == question:
                mask |= problem.rows
        return int((mask & ~self._is_closed).sum())

    @property
    def rows(self) -> Rows:
        """All rows, with or without problems."""

        def compute() -> Rows:
            columns = {column.name: self.read_column(column) for column in self.columns}
            texts = pd.DataFrame({name: part.texts for name, part in columns.items()}, index=range(self.source.rows))
            numbers = np.array(self.source.numbers[self.source.has_headings :], dtype=np.int64)
            headings = {name: match.headers for name, match in self.matches.items()}
            values = {name: part.values for name, part in columns.items()}
            keys = {column.name: column.key for column in self.columns if column.key is not None}
            return Rows(texts, values, numbers, self.options, headings, keys, self.memory)

        return self._once("rows", compute)

    @property
    def with_errors(self) -> Mask:
        """A mask of the open rows with errors."""
        return self._has_problem(is_error=True) & ~self._is_closed

    @property
    def with_warnings(self) -> Mask:
        """A mask of the open rows with warnings but without errors."""
        return self._has_problem(is_error=False) & ~self._has_problem(is_error=True) & ~self._is_closed

    @property
    def is_ready(self) -> Mask:
        """A mask of the rows without errors. None are ready while a required column is missing."""
        if self.missing:
            return np.zeros(self.source.rows, dtype=bool)
        return ~self._has_problem(is_error=True) & ~self._is_closed

    @property
    def ready(self) -> Rows:
        """The rows that are ready."""
        return self._once("ready", lambda: self.rows.select(self.is_ready))

    @property
    def is_open(self) -> Mask:
        """A mask of the rows that were neither skipped nor sent."""
        return ~self._is_closed

    @property
    def ready_count(self) -> int:
        """The number of ready records: rows, or groups of rows."""
        ready = self.is_ready
        if not self.declaration.group_by:
            return int(ready.sum())
        return int(self._group_keys[ready].nunique())

    @property
    def _group_keys(self) -> pd.Series[str]:
        return self._once("together", lambda: self.rows.comparison_keys(self.declaration.group_by))

    def in_view(self, view: View) -> npt.NDArray[np.int64]:
        """Return the open rows of a view, in the order of the file."""
        masks = {"errors": self.with_errors, "warnings": self.with_warnings, "all": ~self._is_closed}
        return np.flatnonzero(masks[view]).astype(np.int64)

    def cell_messages(self, row: int, *, are_notes: bool = False) -> dict[str, list[tuple[str, bool]]]:
        """Return the errors and warnings of a row by column, each with whether it is an error, or its notes.

        A skipped row has the messages it had among the others.
        """
        messages: dict[str, list[tuple[str, bool]]] = {}
        problems = self.problems
        if row in self.decisions.skipped_rows:
            problems = self._once("with dropped", lambda: self._find_problems(np.arange(self.source.rows)))
        for problem in problems:
            is_answerable = bool(problem.question) and not problem.is_error
            if problem.rows[row] and problem.is_note == are_notes and not is_answerable:
                cell = self.texts_of(problem.column).iloc[row] if problem.column else ""
                text = (
                    problem.row_message(row)
                    if problem.row_message is not None
                    else problem.message.replace("{}", str(cell))
                )
                if problem.compared_rows is not None:
                    text += f" See row {problem.compared_rows[row]}."
                messages.setdefault(problem.column, []).append((text, problem.is_error))
        return messages

    @property
    def _is_closed(self) -> Mask:
        return self._mask_of(self.decisions.skipped_rows) | self._mask_of(self.decisions.job_of_row)

    def _mask_of(self, rows: Collection[int]) -> Mask:
        mask = np.zeros(self.source.rows, dtype=bool)
        mask[list(rows)] = True
        return mask

    def _has_problem(self, *, is_error: bool) -> Mask:
        mask = np.zeros(self.source.rows, dtype=bool)
        for problem in self.problems:
            if problem.is_error == is_error and (is_error or not (problem.question or problem.is_note)):
                mask |= problem.rows
        return mask

    def _find_blocked_rows(self, rows: Rows, problems: Sequence[Problem]) -> Iterator[Problem]:
        """Yield a problem for rows without errors whose group has a row with an error."""
        if not self.declaration.group_by:
            return
        bad = np.zeros(len(rows), dtype=bool)
        for problem in problems:
            if problem.is_error:
                bad |= problem.rows
        groups, _ = pd.factorize(self._group_keys)
        groups[(rows.texts[self.declaration.group_by] == "").to_numpy()] = -1
        has_error = bad & ~self._is_closed & (groups >= 0)
        if not has_error.any():
            return
        noun = self.declaration.noun[0]
        error_rows: dict[int, dict[str, None]] = {}
        for row in np.flatnonzero(has_error).tolist():
            error_rows.setdefault(int(groups[row]), {})[str(self.source.row_number(row))] = None

        def describe(row: int) -> str:
            numbers = list(error_rows[int(groups[row])])
            if len(numbers) == 1:
                return f"Row {numbers[0]} of the same {noun} has an error."
            return f"Rows {names(numbers)} of the same {noun} have errors."

        message = f"Another row of the same {noun} has an error."
        yield Problem(
            np.isin(groups, groups[has_error]) & ~bad, self.declaration.group_by, message, row_message=describe
        )

    def _once(self, name: str, compute: Callable[[], T]) -> T:
        """Return a result that is computed once per decision."""
        results = self._computed  # A local name, because a decision during the computation replaces the cache.
        if name not in results:
            results[name] = compute()
        found: T = results[name]
        return found


def _spread_problem(problem: Problem, places: npt.NDArray[np.intp], number: int) -> Problem:
    """Return a problem of the rows at these positions as a problem of all rows."""
    offer, against, rows = problem.offer, None, np.zeros(number, dtype=bool)
    rows[places] = problem.rows
    if problem.compared_rows is not None:
        against = np.zeros(number, dtype=np.int64)
        against[places] = problem.compared_rows
    if offer is not None:
        cells = {name: texts.set_axis(places).reindex(range(number)) for name, texts in offer.cells.items()}
        offer = replace(offer, cells=cells)
    describe = problem.row_message
    if describe is not None:
        describe = partial(_describe_at, describe, {place: row for row, place in enumerate(places.tolist())})
    return replace(problem, rows=rows, offer=offer, compared_rows=against, row_message=describe)


def _describe_at(describe: Callable[[int], str], row_of_place: Mapping[int, int], place: int) -> str:
    return describe(row_of_place[place])
