"""A file of contacts held against a filter: who matches, what each rule keeps, and what muting one would change.

The values of a file are read once, and what was worked out is kept by rule and columns: the change of one rule works
out one rule. Empty cells are no values; where a cell holds several, or several columns feed one thing, a row has more.
"""

from __future__ import annotations

import math
import operator as compare
import unicodedata
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd
from cachetools import LRUCache

from domain.file_import.cell_numbers import read_numbers
from domain.file_import.cell_times import DateOrder, Spans, join_spans, read_spans
from domain.file_import.column_matching import Match, match_columns
from domain.file_import.source_file import SourceFile
from domain.filters.estimate.rule_questions import (
    ABOVE,
    BELOW,
    CONTAINS,
    ENDS,
    FROM_ON,
    IS,
    NOT_SET,
    ONE_OF,
    OPPOSITES,
    STARTS,
    UNTIL,
    UP_TO,
    WITHIN,
    EstimateOptions,
    NotEvaluated,
    Operand,
    Question,
    Subject,
    build_question,
    columns_of_draft,
)
from domain.filters.filter_draft import FilterDraft, RuleDraft
from domain.filters.sentence import rule_words
from domain.filters.values import number_in

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
        ends: tuple[pd.Series[str], pd.Series[str]] | None = None,
    ) -> None:
        """Hold values that were taken apart already; `take_apart` makes them."""
        self.rows = rows
        self.owner = owner
        self.texts = texts
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
        with_marks = dict(zip(self.texts, read_numbers(self.texts)[0], strict=True))
        read = [
            int(text) if len(text) < 20 and text.isascii() and text.isdigit() else _number(text, with_marks[text])
            for text in self.texts.tolist()
        ]
        is_number = np.fromiter((each is not None for each in read), bool, len(read))
        return is_number, [each for each in read if each is not None]

    def spans(self, zone: str, order: DateOrder) -> Spans:
        """The values as stretches of time; a moment begins where it ends, a date alone lasts its day in the zone."""
        if (zone, order) not in self._spans:
            if self._ends is None:
                read = read_spans(self.texts, zone, order)
            else:
                begins, ends = (read_spans(texts, zone, order) for texts in self._ends)
                read = join_spans(begins, ends, *self._ends)
            self._spans[zone, order] = read
        return self._spans[zone, order]

    def rows_of(self, hits: Mask) -> Mask:
        """Which rows have a value among these."""
        rows = np.zeros(self.rows, dtype=bool)
        rows[self.owner[hits]] = True
        return rows


def _number(text: str, read: float) -> int | float | None:
    """A number by itself or, where it has a mark, as its column shows: what could be either is none."""
    if "," not in text and "." not in text:
        return number_in(text)
    return None if math.isnan(read) else int(read) if read.is_integer() else read


def take_apart(
    frame: pd.DataFrame,
    headers: Sequence[str],
    separators: str,
    *,
    ends: str | None = None,
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
    return CellValues(rows, np.concatenate(owners), pd.concat(texts, ignore_index=True))


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
    remaining = (pieces != "").to_numpy(dtype=bool)
    owners = np.concatenate([owner[~parted], piece_owner[remaining]])
    return owners, pd.concat([values[~parted], pieces[remaining]], ignore_index=True)


FALSE_WORDS: Final = ("false", "no", "n", "0")
"""Where a column tells yes or no, these say that it is not there."""

_COMPARISONS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    BELOW: compare.lt,
    UP_TO: compare.le,
    ABOVE: compare.gt,
    FROM_ON: compare.ge,
    STARTS: lambda texts, text: texts.str.startswith(text),
    ENDS: lambda texts, text: texts.str.endswith(text),
    CONTAINS: lambda texts, text: texts.str.contains(text, regex=False),
}


def holds(values: CellValues, question: Question, options: EstimateOptions) -> Mask:
    """For each row, whether the rule holds.

    Of several values of a row, one that fits is enough; what says no holds where none fits.
    """
    # ASSUMPTION A86: each rule is judged for itself: with several values, any one may fit, and two rules may be met by
    # two different addresses; what says no ("is none of") holds where no value fits.
    if question.kind == "presence":
        there = values.present
        if question.is_boolean:
            there = values.rows_of(~values.folded.isin(FALSE_WORDS).to_numpy(dtype=bool))
        return ~there if question.operator == NOT_SET else there
    fits = values.rows_of(value_hits(values, question, options))
    if question.operator not in OPPOSITES:
        return fits
    return ~fits if options.absent_is_other else values.present & ~fits


def unread(values: CellValues, question: Question, options: EstimateOptions) -> Mask:
    """Which values are no numbers, or no times, where the rule compares such: they fit nothing."""
    match question.kind:
        case "number":
            return ~values.numbers[0]
        case "moment" | "span":
            return ~values.spans(options.zone, options.date_order).is_read
    return np.zeros(len(values.owner), dtype=bool)


def value_hits(values: CellValues, question: Question, options: EstimateOptions) -> Mask:
    """For each value, whether it fits what is asked; of a rule that says no, what it says no to."""
    operator = OPPOSITES.get(question.operator, question.operator)
    match question.kind:
        case "presence":
            return np.ones(len(values.owner), dtype=bool)
        case "text":
            return _text_hits(values, operator, question.operands, options.case_matters)
        case "number":
            return _number_hits(values, operator, question.operands)
    spans = values.spans(options.zone, options.date_order)
    hits = _span_hits if question.kind == "span" else _moment_hits
    return np.asarray(spans.is_read & hits(spans, operator, question.operands), dtype=bool)


def _text_hits(values: CellValues, operator: str, operands: tuple[Operand, ...], case_matters: bool) -> Mask:
    texts = values.texts if case_matters else values.folded
    wanted = [unicodedata.normalize("NFC", str(operand)) for operand in operands]
    if not case_matters:
        wanted = [text.casefold() for text in wanted]
    if operator in (IS, ONE_OF):
        return np.asarray(texts.isin(wanted), dtype=bool)
    if operator == WITHIN:
        return np.asarray((texts >= wanted[0]) & (texts <= wanted[1]), dtype=bool)
    hits = [np.asarray(_COMPARISONS[operator](texts, text), dtype=bool) for text in wanted]
    return np.asarray(np.logical_or.reduce(hits), dtype=bool)


def _number_hits(values: CellValues, operator: str, operands: tuple[Any, ...]) -> Mask:
    """Python compares whole numbers of any length and decimals exactly, numpy does not."""
    test: Callable[[Any], bool]
    if operator in (IS, ONE_OF):
        test = frozenset(operands).__contains__
    elif operator == WITHIN:
        low, high = operands
        test = lambda number: low <= number <= high  # noqa: E731
    else:
        # One that fits is enough: the farthest of them decides.
        bound, fits = (max if operator in (BELOW, UP_TO) else min)(operands), _COMPARISONS[operator]
        test = lambda number: fits(number, bound)  # noqa: E731
    is_number, numbers = values.numbers
    hits = np.zeros(len(is_number), dtype=bool)
    hits[is_number] = np.fromiter(map(test, numbers), bool, len(numbers))
    return hits


def _moment_hits(spans: Spans, operator: str, operands: tuple[Any, ...]) -> Any:
    """Compare moments by when they begin; "is" holds for a date alone at any time of its day."""
    if operator == WITHIN:
        return (spans.begin >= operands[0]) & (spans.begin <= operands[1])
    if operator in (IS, ONE_OF):
        return np.logical_or.reduce([(spans.begin <= each) & (spans.end >= each) for each in operands])
    return np.logical_or.reduce([_COMPARISONS[operator](spans.begin, each) for each in operands])


def _span_hits(spans: Spans, operator: str, operands: tuple[Any, ...]) -> Any:
    """Compare stretches of time as the builder words it: is, is before, is before or during, …"""
    ((begin, end),) = operands
    match operator:
        case "LT":
            return spans.end < begin
        case "LTE":
            return spans.begin <= end
        case "GT":
            return spans.begin > end
        case "GTE":
            return spans.end >= begin
    return (spans.begin <= end) & (spans.end >= begin)


KEPT: Final = 64
"""So many masks, and values of as many columns, are kept; those not used for longest go first."""
EXAMPLES: Final = 3


@dataclass(frozen=True)
class RuleResult:
    """What a rule does to the contacts; `mask` is None where it cannot be judged, and then it is set aside.

    `alone` counts whom it holds for by itself; `kept` whom it and the rules before it leave, None for a muted rule;
    `change` how many more would match if it were muted, or how many fewer if a muted one were switched on.
    `absent` counts contacts without a value, `unread` values that are no number or no time.
    """

    number: int
    words: str
    is_muted: bool
    question: Question | None = None
    not_evaluated: NotEvaluated | None = None
    mask: Mask | None = None
    alone: int = 0
    remaining: int | None = None
    change: int = 0
    absent: int = 0
    unread: int = 0
    unread_examples: tuple[str, ...] = ()

    @property
    def counts(self) -> bool:
        """Whether it takes part: neither muted nor set aside."""
        return self.mask is not None and not self.is_muted


@dataclass(frozen=True)
class EstimateResult:
    """A filter held against a file. `missed` counts, for each contact, the rules that do not hold."""

    file: SourceFile
    options: EstimateOptions
    rules: tuple[RuleResult, ...]
    matches: Mapping[str, Match]
    missed: npt.NDArray[np.int64]

    @property
    def total(self) -> int:
        """How many contacts there are."""
        return self.file.rows

    @property
    def evaluated(self) -> list[RuleResult]:
        """The rules that take part."""
        return [rule for rule in self.rules if rule.counts]

    @property
    def set_aside(self) -> list[RuleResult]:
        """The rules that would be sent and cannot be evaluated."""
        return [rule for rule in self.rules if rule.mask is None and not rule.is_muted]

    @property
    def matching(self) -> int:
        """How many match: those for whom every judged rule holds."""
        return int((self.missed == 0).sum())


class FilterEstimate:
    """One file, and what has been worked out of it."""

    def __init__(self, file: SourceFile) -> None:
        """Take the file; nothing is worked out before it is asked for."""
        self.file = file
        self._values: LRUCache[Hashable, CellValues] = LRUCache(KEPT)
        self._masks: LRUCache[Hashable, Mask] = LRUCache(KEPT)
        self.worked_out = 0
        """How many masks had to be worked out so far."""

    @cached_property
    def search_text(self) -> pd.Series[str]:
        """All cells of a row as one text without regard to case, to find a person by any of them."""
        first, *others = self.file.headers
        return self.file.frame[first].str.cat(self.file.frame[others], sep="\n").str.lower()

    def evaluate(
        self, draft: FilterDraft, options: EstimateOptions, chosen: Mapping[str, Sequence[str]] | None = None
    ) -> EstimateResult:
        """Judge every rule for every contact; `chosen` names columns by slot where a person said which ones."""
        matches = match_columns(self.file.headers, columns_of_draft(draft), chosen)
        evaluated = [
            self._evaluated(number, rule, options, matches) for number, rule in enumerate(draft.rules, start=1)
        ]
        missed = np.zeros(self.file.rows, dtype=np.int64)
        for result in evaluated:
            if result.counts and result.mask is not None:
                missed += ~result.mask
        return EstimateResult(
            file=self.file,
            options=options,
            rules=tuple(_in_sequence(evaluated, missed)),
            matches=matches,
            missed=missed,
        )

    def values(self, subject: Subject, matches: Mapping[str, Match]) -> CellValues:
        """The values of a subject, out of the columns that stand for it."""
        headers = matches[subject.key].headers
        ends = matches[subject.key + UNTIL].headers if subject.is_span else ()
        key = (headers, ends, subject.separators)
        if key not in self._values:
            self._values[key] = take_apart(
                self.file.frame,
                headers,
                subject.separators,
                ends=ends[0] if ends else None,
            )
        return self._values[key]

    def _evaluated(
        self, number: int, rule: RuleDraft, options: EstimateOptions, matches: Mapping[str, Match]
    ) -> RuleResult:
        question = build_question(rule, options)
        of = RuleResult(number, rule_words(rule.payload, options.zone), rule.muted)
        if isinstance(question, NotEvaluated):
            return replace(of, not_evaluated=question)
        if not any(matches[column.name].headers for column in question.subject.columns):
            missing = NotEvaluated(f"no column of the file matches “{question.subject.label}”", is_missing=True)
            return replace(of, question=question, not_evaluated=missing)
        values, mask = self.values(question.subject, matches), self.mask_of(question, options, matches)
        not_read = unread(values, question, options)
        examples = values.texts[not_read].iloc[:20] if not_read.any() else ()
        return replace(
            of,
            question=question,
            mask=mask,
            alone=int(mask.sum()),
            absent=self.file.rows - int(values.present.sum()),
            unread=int(not_read.sum()),
            unread_examples=tuple(dict.fromkeys(examples))[:EXAMPLES],
        )

    def mask_of(self, question: Question, options: EstimateOptions, matches: Mapping[str, Match]) -> Mask:
        """Whom a question holds for: worked out once for the columns and what was taken of the judging."""
        used = tuple(matches[column.name].headers for column in question.subject.columns)
        taken = (
            options.case_matters if question.kind == "text" else None,
            options.absent_is_other if question.operator in OPPOSITES else None,
            (options.zone, options.date_order) if question.kind in ("moment", "span") else None,
        )
        key = (question, used, taken)
        if key not in self._masks:
            self.worked_out += 1
            self._masks[key] = holds(self.values(question.subject, matches), question, options)
        return self._masks[key]


def _in_sequence(evaluated: Sequence[RuleResult], missed: npt.NDArray[np.int64]) -> list[RuleResult]:
    """Add to each rule what it leaves of those before it, and what muting or switching it on would change."""
    left = np.ones(len(missed), dtype=bool)
    matching = missed == 0
    results = []
    for result in evaluated:
        if result.mask is None:
            results.append(result)
        elif result.is_muted:
            results.append(replace(result, remaining=None, change=-int((matching & ~result.mask).sum())))
        else:
            left = left & result.mask
            only_this = (missed == 1) & ~result.mask
            results.append(replace(result, remaining=int(left.sum()), change=int(only_this.sum())))
    return results
