"""Which contacts a rule holds for: a question held against all values at once."""

from __future__ import annotations

import operator as compare
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from components.filter_test_bench.cell_values import CellValues, Mask
from components.filter_test_bench.judging import (
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
    UP_TO,
    WITHIN,
    Judging,
    Operand,
    Question,
)
from components.intake.cell_times import Spans

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


def holds(values: CellValues, question: Question, judging: Judging) -> Mask:
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
    fits = values.rows_of(value_hits(values, question, judging))
    if question.operator not in OPPOSITES:
        return fits
    return ~fits if judging.absent_is_other else values.present & ~fits


def unread(values: CellValues, question: Question, judging: Judging) -> Mask:
    """Which values are no numbers, or no times, where the rule compares such: they fit nothing."""
    match question.kind:
        case "number":
            return ~values.numbers[0]
        case "moment" | "span":
            return ~values.spans(judging.zone, judging.date_order).is_read
    return np.zeros(len(values.owner), dtype=bool)


def value_hits(values: CellValues, question: Question, judging: Judging) -> Mask:
    """For each value, whether it fits what is asked; of a rule that says no, what it says no to."""
    asked = OPPOSITES.get(question.operator, question.operator)
    match question.kind:
        case "presence":
            return np.ones(len(values.owner), dtype=bool)
        case "text":
            return _text_hits(values, asked, question.operands, judging.case_matters)
        case "number":
            return _number_hits(values, asked, question.operands)
    spans = values.spans(judging.zone, judging.date_order)
    hits = _span_hits if question.kind == "span" else _moment_hits
    return np.asarray(spans.is_read & hits(spans, asked, question.operands), dtype=bool)


def _text_hits(values: CellValues, asked: str, operands: tuple[Operand, ...], case_matters: bool) -> Mask:
    texts = values.texts if case_matters else values.folded
    wanted = [unicodedata.normalize("NFC", str(operand)) for operand in operands]
    if not case_matters:
        wanted = [text.casefold() for text in wanted]
    if asked in (IS, ONE_OF):
        return np.asarray(texts.isin(wanted), dtype=bool)
    if asked == WITHIN:
        return np.asarray((texts >= wanted[0]) & (texts <= wanted[1]), dtype=bool)
    hits = [np.asarray(_COMPARISONS[asked](texts, text), dtype=bool) for text in wanted]
    return np.asarray(np.logical_or.reduce(hits), dtype=bool)


def _number_hits(values: CellValues, asked: str, operands: tuple[Any, ...]) -> Mask:
    """Python compares whole numbers of any length and decimals exactly, numpy does not."""
    test: Callable[[Any], bool]
    if asked in (IS, ONE_OF):
        test = frozenset(operands).__contains__
    elif asked == WITHIN:
        low, high = operands
        test = lambda number: low <= number <= high  # noqa: E731
    else:
        # One that fits is enough: the farthest of them decides.
        bound, fits = (max if asked in (BELOW, UP_TO) else min)(operands), _COMPARISONS[asked]
        test = lambda number: fits(number, bound)  # noqa: E731
    is_number, numbers = values.numbers
    hits = np.zeros(len(is_number), dtype=bool)
    hits[is_number] = np.fromiter(map(test, numbers), bool, len(numbers))
    return hits


def _moment_hits(spans: Spans, asked: str, operands: tuple[Any, ...]) -> Any:
    """Compare moments by when they begin; "is" holds for a date alone at any time of its day."""
    if asked == WITHIN:
        return (spans.begin >= operands[0]) & (spans.begin <= operands[1])
    if asked in (IS, ONE_OF):
        return np.logical_or.reduce([(spans.begin <= each) & (spans.end >= each) for each in operands])
    return np.logical_or.reduce([_COMPARISONS[asked](spans.begin, each) for each in operands])


def _span_hits(spans: Spans, asked: str, operands: tuple[Any, ...]) -> Any:
    """Compare stretches of time as the builder words it: is, is before, is before or during, …"""
    ((begin, end),) = operands
    match asked:
        case "LT":
            return spans.end < begin
        case "LTE":
            return spans.begin <= end
        case "GT":
            return spans.begin > end
        case "GTE":
            return spans.end >= begin
    return (spans.begin <= end) & (spans.end >= begin)
