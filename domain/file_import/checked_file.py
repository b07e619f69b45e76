"""What is wrong with the rows of a file, which of them are ready, and which are left."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, Literal, TypeVar

import numpy as np
import numpy.typing as npt
import pandas as pd

from domain.file_import.column_types import Mask, Moment
from domain.file_import.decisions import Decisions
from domain.file_import.import_declaration import Intake
from domain.file_import.matched_file import MatchedFile
from domain.file_import.row_problems import QUESTIONS, Asks, Offer, Problem, Rows
from domain.file_import.source_file import SourceFile
from domain.text.plain_text import count, names

T = TypeVar("T")
View = Literal["all", "errors", "warnings"]
MANY_ROWS: Final = 20
"""From so many rows on, what is wrong with most of a column is said once for all of it."""
MOST_CELLS: Final = 0.8


class CheckedFile(MatchedFile):
    """What is wrong with the cells and rows of a matched file."""

    def __init__(self, intake: Intake, source: SourceFile, decisions: Decisions | None = None) -> None:
        super().__init__(intake, source, decisions)
        self._computed: dict[str, Any] = {}
        """What was computed since the last decision."""
        self.memory: dict[str, Any] = {}
        """What rules keep of the rows from one decision to the next."""

    def offers(self) -> list[tuple[Offer, list[int]]]:
        """What can be done at once, and about which of the rows that are here."""
        found: dict[str, tuple[Offer, Mask]] = {}
        for problem in self.problems:
            if problem.offer is not None:
                _, rows = found.get(problem.offer.words, (problem.offer, np.zeros(self.source.rows, dtype=bool)))
                found[problem.offer.words] = problem.offer, rows | problem.rows
        here = [(offer, np.flatnonzero(rows & ~self._gone).tolist()) for offer, rows in found.values()]
        return [(offer, rows) for offer, rows in here if rows]

    @property
    def problems(self) -> list[Problem]:
        """Everything that is wrong; rows that were dropped judge no others, those that were sent stand first."""
        sent = np.flatnonzero(self._are(self.decisions.sent_in.keys() - self.decisions.dropped))
        places = np.concatenate([sent, np.flatnonzero(~self._gone)])
        return self._once("problems", lambda: self._found(places))

    def _found(self, places: npt.NDArray[np.intp]) -> list[Problem]:
        """What is wrong with cells, and what rules say where just the rows at these places are there, so ordered."""
        rows = self.rows if np.array_equal(places, np.arange(self.source.rows)) else self.rows.only(places)
        found = [problem for column in self.columns for problem in self.read_column(column).problems]
        position = self.intake.position
        for rule in (*([position.problems] if position else []), *self.intake.rules):
            said = [problem for problem in rule(rows) if problem.rows.any()]
            found += said if rows is self.rows else [_of_all(problem, places, self.source.rows) for problem in said]
        by_words: dict[tuple[str, str], Mask] = {}
        for (row, name), words in self.decisions.refused.items():
            by_words.setdefault((name, words), np.zeros(self.source.rows, dtype=bool))[row] = True
        found += [Problem(mask, name, words) for (name, words), mask in by_words.items()]
        return [*found, *self._held_back(self.rows, found)]

    @property
    def without_zone(self) -> int:
        """How many times or days of the rows that are ready say no zone.

        Of all that are here where none is ready: the zone may be what is wrong.
        """
        bare = [self.read_column(column).has_no_zone for column in self.columns if isinstance(column.kind, Moment)]
        ready, here = (sum(int((each & rows).sum()) for each in bare) for rows in (self.is_ready, ~self._gone))
        return ready or here

    @property
    def questions(self) -> dict[Asks, str]:
        """What one answer settles in many rows, each with how many they are."""
        numbers = {what: self.asking(what) for what in QUESTIONS}
        return {
            what: " ".join((count(numbers[what], *noun), words))
            for what, (noun, words) in QUESTIONS.items()
            if numbers[what]
        }

    @property
    def column_problems(self) -> list[str]:
        """What is wrong with most filled cells of a column, in one line each, where no one answer settles it."""
        lines = []
        for problem in self.problems:
            rows = int((problem.rows & self.in_play).sum())
            if (
                problem.column
                and not (problem.asks or problem.told or problem.against is not None)
                and rows >= MANY_ROWS
            ):
                column = next(each for each in self.columns if each.name == problem.column)
                filled = int(((self.read_column(column).texts != "").to_numpy(dtype=bool) & self.in_play).sum())
                if rows >= MOST_CELLS * filled:
                    words = problem.words.replace(" (“{}”)", "").replace("“{}”", "the cell")
                    lines.append(f"{column.label}, {count(rows, 'row', 'rows')}: {words}")
        return lines

    def asking(self, what: Asks) -> int:
        """How many rows hold what is settled once somebody says this for the whole file."""
        mask = np.zeros(self.source.rows, dtype=bool)
        for problem in self.problems:
            if problem.asks == what:
                mask |= problem.rows
        return int((mask & ~self._gone).sum())

    @property
    def rows(self) -> Rows:
        """All rows, whatever is wrong with them."""

        def work_out() -> Rows:
            read = {column.name: self.read_column(column) for column in self.columns}
            texts = pd.DataFrame({name: part.texts for name, part in read.items()}, index=range(self.source.rows))
            numbers = np.array(self.source.numbers[self.source.has_headings :], dtype=np.int64)
            headings = {name: match.headers for name, match in self.matches.items()}
            values = {name: part.values for name, part in read.items()}
            keys = {column.name: column.key for column in self.columns if column.key is not None}
            return Rows(texts, values, numbers, self.settled, headings, keys, self.memory)

        return self._once("rows", work_out)

    @property
    def with_errors(self) -> Mask:
        """Which rows cannot be taken as they are, without those that were dropped."""
        return self._any(is_error=True) & ~self._gone

    @property
    def with_warnings(self) -> Mask:
        """Which rows can be taken and should be looked at."""
        return self._any(is_error=False) & ~self._any(is_error=True) & ~self._gone

    @property
    def is_ready(self) -> Mask:
        """Which rows are taken; none while a column that is needed is missing."""
        if self.missing:
            return np.zeros(self.source.rows, dtype=bool)
        return ~self._any(is_error=True) & ~self._gone

    @property
    def ready(self) -> Rows:
        """The rows that are taken."""
        return self._once("ready", lambda: self.rows.only(self.is_ready))

    @property
    def in_play(self) -> Mask:
        """Which rows are here: neither dropped nor sent."""
        return ~self._gone

    @property
    def number(self) -> int:
        """How many of what is taken in are ready: rows, or as many as the rows make together."""
        ready = self.is_ready
        if not self.intake.together:
            return int(ready.sum())
        return int(self._compared_together[ready].nunique())

    @property
    def _compared_together(self) -> pd.Series[str]:
        return self._once("together", lambda: self.rows.compared(self.intake.together))

    def in_view(self, view: View) -> npt.NDArray[np.int64]:
        """The rows of a view, in the file's order; those that were dropped stand in none."""
        masks = {"errors": self.with_errors, "warnings": self.with_warnings, "all": ~self._gone}
        return np.flatnonzero(masks[view]).astype(np.int64)

    def at_cells(self, row: int) -> dict[str, list[tuple[str, bool]]]:
        """What is wrong with a row, by column: the words, and whether it is an error.

        A row that was dropped is told of as it stood among the others.
        """
        said: dict[str, list[tuple[str, bool]]] = {}
        problems = self.problems
        if row in self.decisions.dropped:
            problems = self._once("with dropped", lambda: self._found(np.arange(self.source.rows)))
        for problem in problems:
            if problem.rows[row] and not (problem.asks and not problem.is_error):
                text = self.texts_of(problem.column).iloc[row] if problem.column else ""
                words = problem.told(row) if problem.told is not None else problem.words.replace("{}", str(text))
                if problem.against is not None:
                    words += f" See row {problem.against[row]}."
                said.setdefault(problem.column, []).append((words, problem.is_error))
        return said

    @property
    def _gone(self) -> Mask:
        return self._are(self.decisions.dropped) | self._are(self.decisions.sent_in)

    def _are(self, rows: Collection[int]) -> Mask:
        mask = np.zeros(self.source.rows, dtype=bool)
        mask[list(rows)] = True
        return mask

    def _any(self, *, is_error: bool) -> Mask:
        mask = np.zeros(self.source.rows, dtype=bool)
        for problem in self.problems:
            if problem.is_error == is_error and (is_error or not problem.asks):
                mask |= problem.rows
        return mask

    def _held_back(self, rows: Rows, found: Sequence[Problem]) -> Iterator[Problem]:
        """Rows with nothing wrong that belong together with one that has an error, and is not dropped."""
        if not self.intake.together:
            return
        bad = np.zeros(len(rows), dtype=bool)
        for problem in found:
            if problem.is_error:
                bad |= problem.rows
        groups, _ = pd.factorize(self._compared_together)
        groups[(rows.texts[self.intake.together] == "").to_numpy()] = -1
        kept = bad & ~self._gone & (groups >= 0)
        if not kept.any():
            return
        noun = self.intake.noun[0]
        wrong: dict[int, dict[str, None]] = {}
        for row in np.flatnonzero(kept).tolist():
            wrong.setdefault(int(groups[row]), {})[str(self.source.row_number(row))] = None

        def told(row: int) -> str:
            numbers = list(wrong[int(groups[row])])
            if len(numbers) == 1:
                return f"Row {numbers[0]} of the same {noun} has an error."
            return f"Rows {names(numbers)} of the same {noun} have errors."

        message = f"Another row of the same {noun} has an error."
        yield Problem(np.isin(groups, groups[kept]) & ~bad, self.intake.together, message, told=told)

    def _once(self, name: str, work_out: Callable[[], T]) -> T:
        """What is worked out of everything here, once until something of it changes."""
        worked_out = self._computed  # another one after a change, also one that comes while this is worked out
        if name not in worked_out:
            worked_out[name] = work_out()
        found: T = worked_out[name]
        return found


def _of_all(problem: Problem, places: npt.NDArray[np.intp], number: int) -> Problem:
    """What is wrong with the rows at these places, as told of all."""
    offer, against, rows = problem.offer, None, np.zeros(number, dtype=bool)
    rows[places] = problem.rows
    if problem.against is not None:
        against = np.zeros(number, dtype=np.int64)
        against[places] = problem.against
    if offer is not None:
        cells = {name: texts.set_axis(places).reindex(range(number)) for name, texts in offer.cells.items()}
        offer = replace(offer, cells=cells)
    return replace(problem, rows=rows, offer=offer, against=against)
