"""Evaluate a filter on a file of contacts: who matches, how many each rule leaves, and what muting it would change.

Values and results are cached by rule and columns, so that a change of one rule evaluates only that rule. Empty cells
are not values. A row has several values if a cell contains a list or several columns belong to one subject.
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
    subject_of,
)
from domain.filters.filter_draft import FilterDraft, RuleDraft
from domain.filters.sentence import describe_rule
from domain.filters.suggestions import MOST_VALUES
from domain.filters.values import parse_number

Mask = npt.NDArray[np.bool_]


class CellValues:
    """All values of one subject in a file. `owner` is the row of each value in `texts`.

    `ends` are the beginnings and ends of time spans in two columns. An empty text leaves that side open.
    """

    def __init__(
        self,
        rows: int,
        owner: npt.NDArray[np.int64],
        texts: pd.Series[str],
        *,
        ends: tuple[pd.Series[str], pd.Series[str]] | None = None,
        spans: Spans | None = None,
    ) -> None:
        """Store values that were split; `split_values` creates them. `spans` are times that need not be read."""
        self.rows = rows
        self.owner = owner
        self.texts = texts
        self._ends = ends
        self._known_spans = spans
        self._spans: dict[tuple[str, DateOrder], Spans] = {}

    @cached_property
    def present(self) -> Mask:
        """The rows with any value."""
        return self.rows_of(np.ones(len(self.owner), dtype=bool))

    @cached_property
    def folded(self) -> pd.Series[str]:
        """The texts for comparison without case."""
        folded = self.texts.str.lower()
        # `lower` is fast, and equals `casefold` for ASCII. The other texts are detected before lowering, because "İ"
        # becomes
        # ASCII.
        special = self.texts.str.contains(r"[^\x00-\x7f]", regex=True)
        return folded.where(~special, self.texts.str.casefold()) if special.any() else folded

    @cached_property
    def numbers(self) -> tuple[Mask, list[int | float]]:
        """Which values are numbers, and these numbers; whole numbers are exact."""
        with_marks = dict(zip(self.texts, read_numbers(self.texts)[0], strict=True))
        read = [
            int(text) if len(text) < 20 and text.isascii() and text.isdigit() else _number(text, with_marks[text])
            for text in self.texts.tolist()
        ]
        is_number = np.fromiter((each is not None for each in read), bool, len(read))
        return is_number, [each for each in read if each is not None]

    def spans(self, zone: str, order: DateOrder) -> Spans:
        """Return the values as time spans. A moment starts and ends at once; a date alone is its whole day in the
        zone.
        """
        if self._known_spans is not None:
            return self._known_spans
        if (zone, order) not in self._spans:
            if self._ends is None:
                read = read_spans(self.texts, zone, order)
            else:
                begins, ends = (read_spans(texts, zone, order) for texts in self._ends)
                read = join_spans(begins, ends, *self._ends)
            self._spans[zone, order] = read
        return self._spans[zone, order]

    def rows_of(self, hits: Mask) -> Mask:
        """Return the rows with a value among these."""
        rows = np.zeros(self.rows, dtype=bool)
        rows[self.owner[hits]] = True
        return rows


def _number(text: str, read: float) -> int | float | None:
    """Parse a number. If it has a comma or point, use `read`, the value as its column shows; None if that is
    ambiguous.
    """
    if "," not in text and "." not in text:
        return parse_number(text)
    return None if math.isnan(read) else int(read) if read.is_integer() else read


def split_values(
    frame: pd.DataFrame,
    headers: Sequence[str],
    separators: str,
    *,
    ends: str | None = None,
) -> CellValues:
    """Read the values in these columns. `separators` split a cell; `ends` is the column with the ends of time spans."""
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
    # Only cells with several values are split, because this is slow.
    lists = values[parted].str.replace(f"[{separators}]", "\n", regex=True).str.split("\n")
    pieces = lists.explode().astype("str").str.strip()
    piece_owner = np.repeat(owner[parted], lists.map(len).to_numpy(dtype=np.int64))
    remaining = (pieces != "").to_numpy(dtype=bool)
    owners = np.concatenate([owner[~parted], piece_owner[remaining]])
    return owners, pd.concat([values[~parted], pieces[remaining]], ignore_index=True)


FALSE_WORDS: Final = ("false", "no", "n", "0")
"""In a column with yes or no, these mean no."""

_COMPARISONS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    BELOW: compare.lt,
    UP_TO: compare.le,
    ABOVE: compare.gt,
    FROM_ON: compare.ge,
    STARTS: lambda texts, text: texts.str.startswith(text),
    ENDS: lambda texts, text: texts.str.endswith(text),
    CONTAINS: lambda texts, text: texts.str.contains(text, regex=False),
}


def find_matching_rows(values: CellValues, question: Question, options: EstimateOptions) -> Mask:
    """Return for each row whether the rule holds.

    One matching value of a row is enough. A negative rule holds if no value matches.
    """
    # ASSUMPTION A86: each rule is judged for itself: with several values, any one may fit, and two rules may be met
    # by
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


def find_unreadable(values: CellValues, question: Question, options: EstimateOptions) -> Mask:
    """Return which values are not numbers or times although the rule compares these. They never match."""
    match question.kind:
        case "number":
            return ~values.numbers[0]
        case "moment" | "span":
            return ~values.spans(options.zone, options.date_order).is_read
    return np.zeros(len(values.owner), dtype=bool)


def value_hits(values: CellValues, question: Question, options: EstimateOptions) -> Mask:
    """Return for each value whether it matches; for a negative rule, whether it matches the opposite."""
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
    """Compare in Python, which is exact for long whole numbers and decimals; numpy is not."""
    test: Callable[[Any], bool]
    if operator in (IS, ONE_OF):
        test = frozenset(operands).__contains__
    elif operator == WITHIN:
        low, high = operands
        test = lambda number: low <= number <= high  # noqa: E731
    else:
        # One match is enough: the farthest operand decides.
        bound, fits = (max if operator in (BELOW, UP_TO) else min)(operands), _COMPARISONS[operator]
        test = lambda number: fits(number, bound)  # noqa: E731
    is_number, numbers = values.numbers
    hits = np.zeros(len(is_number), dtype=bool)
    hits[is_number] = np.fromiter(map(test, numbers), bool, len(numbers))
    return hits


def _moment_hits(spans: Spans, operator: str, operands: tuple[Any, ...]) -> Any:
    """Compare the beginnings of moments. "is" also holds for a date alone at any time of that day."""
    if operator == WITHIN:
        return (spans.begin >= operands[0]) & (spans.begin <= operands[1])
    if operator in (IS, ONE_OF):
        return np.logical_or.reduce([(spans.begin <= each) & (spans.end >= each) for each in operands])
    return np.logical_or.reduce([_COMPARISONS[operator](spans.begin, each) for each in operands])


def _span_hits(spans: Spans, operator: str, operands: tuple[Any, ...]) -> Any:
    """Compare time spans with the operators of the builder: is, is before, is before or during, …"""
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


CACHE_SIZE: Final = 64
"""How many masks, and values of how many columns, are cached. The least recently used go first."""
EXAMPLES: Final = 3


@dataclass(frozen=True)
class RuleResult:
    """The result of one rule for all contacts."""

    number: int
    text: str
    is_muted: bool
    question: Question | None = None
    not_evaluated: NotEvaluated | None = None
    mask: Mask | None = None
    """The contacts that match; None if the rule cannot be evaluated."""
    match_count: int = 0
    """How many contacts match this rule, whatever the others say."""
    remaining_count: int | None = None
    """How many contacts match this rule and those before it; None for a muted rule."""
    mute_effect: int = 0
    """How many more contacts would match if it were muted, or, as a negative number, fewer if it were unmuted."""
    absent_count: int = 0
    """How many contacts have no value."""
    unreadable_count: int = 0
    """How many values are not a number or a time although the rule compares these."""
    unreadable_examples: tuple[str, ...] = ()

    @property
    def is_counted(self) -> bool:
        """Whether the rule is part of the result: evaluated and not muted."""
        return self.mask is not None and not self.is_muted


@dataclass(frozen=True)
class EstimateResult:
    """The result of a filter on a file. `failed_counts` counts for each contact the rules that do not hold."""

    file: SourceFile
    options: EstimateOptions
    rules: tuple[RuleResult, ...]
    matches: Mapping[str, Match]
    failed_counts: npt.NDArray[np.int64]

    @property
    def total(self) -> int:
        """The number of contacts."""
        return self.file.rows

    @property
    def evaluated_rules(self) -> list[RuleResult]:
        """The rules that are part of the result."""
        return [rule for rule in self.rules if rule.is_counted]

    @property
    def unevaluated_rules(self) -> list[RuleResult]:
        """The unmuted rules that cannot be evaluated."""
        return [rule for rule in self.rules if rule.mask is None and not rule.is_muted]

    @property
    def match_count(self) -> int:
        """The number of contacts for whom every evaluated rule holds."""
        return int((self.failed_counts == 0).sum())


class FilterEstimate:
    """One file with cached values and results."""

    def __init__(self, file: SourceFile) -> None:
        """Store the file. Nothing is computed yet."""
        self.file = file
        self._values: LRUCache[Hashable, CellValues] = LRUCache(CACHE_SIZE)
        self._masks: LRUCache[Hashable, Mask] = LRUCache(CACHE_SIZE)
        self.computed_masks = 0
        """How many masks have been computed so far."""
        self._matches: Mapping[str, Match] = {}
        self._frequent: LRUCache[Hashable, list[str]] = LRUCache(CACHE_SIZE)

    @cached_property
    def search_text(self) -> pd.Series[str]:
        """The cells of each row as one lowercase text, for the search."""
        first, *others = self.file.headers
        return self.file.frame[first].str.cat(self.file.frame[others], sep="\n").str.lower()

    def evaluate(
        self, draft: FilterDraft, options: EstimateOptions, selected_headers: Mapping[str, Sequence[str]] | None = None
    ) -> EstimateResult:
        """Evaluate every rule for every contact. `selected_headers` are the choices of the user, by column."""
        matches = self._matches = match_columns(self.file.headers, columns_of_draft(draft), selected_headers)
        evaluated = [
            self._evaluated(number, rule, options, matches) for number, rule in enumerate(draft.rules, start=1)
        ]
        failed_counts = np.zeros(self.file.rows, dtype=np.int64)
        for result in evaluated:
            if result.is_counted and result.mask is not None:
                failed_counts += ~result.mask
        return EstimateResult(
            file=self.file,
            options=options,
            rules=tuple(_in_sequence(evaluated, failed_counts)),
            matches=matches,
            failed_counts=failed_counts,
        )

    def values(self, subject: Subject, matches: Mapping[str, Match]) -> CellValues:
        """Return the values of a subject from the columns that match it."""
        headers = matches[subject.key].headers
        ends = matches[subject.key + UNTIL].headers if subject.is_span else ()
        key = (headers, ends, subject.separators)
        if key not in self._values:
            self._values[key] = split_values(
                self.file.frame,
                headers,
                subject.separators,
                ends=ends[0] if ends else None,
            )
        return self._values[key]

    def frequent_values(self, payload: Mapping[str, Any]) -> list[str]:
        """Return the values of the column that a rule compares, the most frequent first, as far as it was evaluated."""
        subject = subject_of(payload)
        match = self._matches.get(subject.key) if subject is not None else None
        if subject is None or subject.is_span or match is None or not match.headers:
            return []
        key = (match.headers, subject.separators)
        if key not in self._frequent:
            texts = self.values(subject, self._matches).texts
            self._frequent[key] = [str(text) for text in texts.value_counts().index[:MOST_VALUES]]
        return self._frequent[key]

    def _evaluated(
        self, number: int, rule: RuleDraft, options: EstimateOptions, matches: Mapping[str, Match]
    ) -> RuleResult:
        question = build_question(rule, options)
        of = RuleResult(number, describe_rule(rule.payload, options.zone), rule.muted)
        if isinstance(question, NotEvaluated):
            return replace(of, not_evaluated=question)
        if not any(matches[column.name].headers for column in question.subject.columns):
            missing = NotEvaluated(f"no column of the file matches “{question.subject.label}”", is_missing=True)
            return replace(of, question=question, not_evaluated=missing)
        values, mask = self.values(question.subject, matches), self.mask_of(question, options, matches)
        not_read = find_unreadable(values, question, options)
        examples = values.texts[not_read].iloc[:20] if not_read.any() else ()
        return replace(
            of,
            question=question,
            mask=mask,
            match_count=int(mask.sum()),
            absent_count=self.file.rows - int(values.present.sum()),
            unreadable_count=int(not_read.sum()),
            unreadable_examples=tuple(dict.fromkeys(examples))[:EXAMPLES],
        )

    def mask_of(self, question: Question, options: EstimateOptions, matches: Mapping[str, Match]) -> Mask:
        """Return for whom a question holds; cached by columns and the options that matter."""
        used = tuple(matches[column.name].headers for column in question.subject.columns)
        taken = (
            options.case_matters if question.kind == "text" else None,
            options.absent_is_other if question.operator in OPPOSITES else None,
            (options.zone, options.date_order) if question.kind in ("moment", "span") else None,
        )
        key = (question, used, taken)
        if key not in self._masks:
            self.computed_masks += 1
            self._masks[key] = find_matching_rows(self.values(question.subject, matches), question, options)
        return self._masks[key]


def _in_sequence(evaluated: Sequence[RuleResult], failed_counts: npt.NDArray[np.int64]) -> list[RuleResult]:
    """Add to each rule how many contacts remain after it, and the effect of muting or unmuting it."""
    left = np.ones(len(failed_counts), dtype=bool)
    matching = failed_counts == 0
    results = []
    for result in evaluated:
        if result.mask is None:
            results.append(result)
        elif result.is_muted:
            results.append(replace(result, remaining_count=None, mute_effect=-int((matching & ~result.mask).sum())))
        else:
            left = left & result.mask
            only_this = (failed_counts == 1) & ~result.mask
            results.append(replace(result, remaining_count=int(left.sum()), mute_effect=int(only_this.sum())))
    return results
