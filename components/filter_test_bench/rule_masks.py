"""Which contacts a rule holds for: a question held against all values at once."""

from __future__ import annotations

import math
import operator as compare
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np
import pandas as pd

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
    IS: compare.eq,
    ONE_OF: compare.eq,
    BELOW: compare.lt,
    UP_TO: compare.le,
    ABOVE: compare.gt,
    FROM_ON: compare.ge,
}


def holds(values: CellValues, question: Question, judging: Judging) -> Mask:
    """For each row, whether the rule holds.

    Of several values of a row, one that fits is enough; what says no holds where none fits.
    """
    # ASSUMPTION A86: each rule is judged for itself: with several values, any one may fit, and two rules may be met by
    # two different addresses; what says no ("is none of") holds where no value fits.
    if question.kind == "presence":
        there = _present(values, question)
        return ~there if question.operator == NOT_SET else there
    asked = OPPOSITES.get(question.operator, question.operator)
    fits = values.rows_of(value_hits(values, question, judging))
    if asked == question.operator:
        return fits
    return ~fits if judging.absent_is_other else values.present & ~fits


def unread(values: CellValues, question: Question, judging: Judging) -> Mask:
    """Which values are no numbers, or no times, where the rule compares such: they fit nothing."""
    match question.kind:
        case "number":
            return ~values.numbers.is_read
        case "moment" | "span":
            return ~values.spans(judging.zone, judging.date_order).is_read
        case _:
            return np.zeros(len(values.owner), dtype=bool)


def value_hits(values: CellValues, question: Question, judging: Judging) -> Mask:
    """For each value, whether it fits what is asked; of a rule that says no, what it says no to."""
    asked = OPPOSITES.get(question.operator, question.operator)
    if question.kind == "presence":
        return np.ones(len(values.owner), dtype=bool)
    if question.kind == "text":
        return _text_hits(values, asked, question.operands, judging.case_matters)
    if question.kind == "number":
        return _number_hits(values, asked, question.operands)
    spans = values.spans(judging.zone, judging.date_order)
    if question.kind == "span":
        (asked_span,) = question.operands
        return _span_hits(spans, asked, asked_span)
    return _moment_hits(spans, asked, question.operands)


def _present(values: CellValues, question: Question) -> Mask:
    if not question.is_boolean:
        return values.present
    return values.rows_of(~values.folded.isin(FALSE_WORDS).to_numpy(dtype=bool))


def _text_hits(values: CellValues, asked: str, operands: tuple[Operand, ...], case_matters: bool) -> Mask:
    texts = values.texts if case_matters else values.folded
    wanted = [unicodedata.normalize("NFC", str(operand)) for operand in operands]
    if not case_matters:
        wanted = [text.casefold() for text in wanted]
    if asked in (IS, ONE_OF):
        return _array(texts.isin(wanted))
    if asked == WITHIN:
        low, high = wanted
        return _array(texts >= low) & _array(texts <= high)
    hits = np.zeros(len(texts), dtype=bool)
    for text in wanted:
        if asked == STARTS:
            hits |= _array(texts.str.startswith(text))
        elif asked == ENDS:
            hits |= _array(texts.str.endswith(text))
        elif asked == CONTAINS:
            hits |= _array(texts.str.contains(text, regex=False))
        else:
            hits |= _array(_COMPARISONS[asked](texts, text))
    return hits


def _number_hits(values: CellValues, asked: str, operands: tuple[Operand, ...]) -> Mask:
    if asked == WITHIN:
        low, high = operands
        return _number_hits(values, FROM_ON, (low,)) & _number_hits(values, UP_TO, (high,))
    numbers = values.numbers
    hits = np.zeros(len(values.owner), dtype=bool)
    for operand in operands:
        number = operand if isinstance(operand, int | float) else math.nan
        hits |= numbers.is_whole & _whole_compare(numbers.whole, asked, number)
        if numbers.is_decimal.any():
            hits |= numbers.is_decimal & _decimal_compare(numbers.decimal, asked, number)
        for position, value in numbers.long:
            hits[position] |= bool(_COMPARISONS[asked](value, number))
    return hits


def _whole_compare(whole: Any, asked: str, number: int | float) -> Mask:
    """Compare whole numbers exactly: against a decimal by the whole number below it, never through a float."""
    if isinstance(number, float):
        if asked in (IS, ONE_OF) or math.isnan(number):
            return np.zeros(len(whole), dtype=bool)
        number, asked = math.floor(number), UP_TO if asked in (BELOW, UP_TO) else ABOVE
    if not -(2**63) <= number < 2**63:
        # Beyond what 64 bits hold, all of them lie on one side of it.
        return np.full(len(whole), bool(_COMPARISONS[asked](0, number)))
    return np.asarray(_COMPARISONS[asked](whole, np.int64(number)), dtype=bool)


def _decimal_compare(decimal: Any, asked: str, number: int | float) -> Mask:
    if abs(number) <= 2**53:
        return np.asarray(_COMPARISONS[asked](decimal, float(number)), dtype=bool)
    # Python compares a float and a long whole number exactly, numpy does not.
    return np.fromiter((_COMPARISONS[asked](value, number) for value in decimal.tolist()), bool, len(decimal))


def _moment_hits(spans: Spans, asked: str, operands: tuple[Any, ...]) -> Mask:
    """Compare moments by when they begin; "is" holds for a date alone at any time of its day."""
    hits = np.zeros(len(spans.begin), dtype=bool)
    if asked == WITHIN:
        low, high = operands
        return np.asarray(spans.is_read & (spans.begin >= low) & (spans.begin <= high), dtype=bool)
    for operand in operands:
        if asked in (IS, ONE_OF):
            hits |= (spans.begin <= operand) & (spans.end >= operand)
        else:
            hits |= _COMPARISONS[asked](spans.begin, operand)
    return np.asarray(spans.is_read & hits, dtype=bool)


def _span_hits(spans: Spans, asked: str, span: Any) -> Mask:
    """Compare stretches of time as the builder words it: is, is before, is before or during, …"""
    begin, end = span
    if asked == BELOW:
        hits = spans.end < begin
    elif asked == UP_TO:
        hits = spans.begin <= end
    elif asked == ABOVE:
        hits = spans.begin > end
    elif asked == FROM_ON:
        hits = spans.end >= begin
    else:
        hits = (spans.begin <= end) & (spans.end >= begin)
    return np.asarray(spans.is_read & hits, dtype=bool)


def _array(series: pd.Series[bool]) -> Mask:
    return series.to_numpy(dtype=bool)
