"""Why a person is in or out: each rule, the person's own values, and whether it holds, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from components.filter_test_bench.bench import BenchResult, ContactBench, RuleResult
from components.filter_test_bench.bench_words import compared_with, moment_words, rule_list
from components.filter_test_bench.cell_values import CellValues
from components.filter_test_bench.column_matching import person_columns
from components.filter_test_bench.contact_file import ContactFile
from components.filter_test_bench.judging import Question
from components.filter_test_bench.moments import EARLIEST, LATEST
from components.filter_test_bench.operators import NOT_SET, OPPOSITES
from components.filter_test_bench.rule_masks import unread, value_hits
from components.widgets.number_text import names

MOST_FOUND: Final = 20
MOST_VALUES: Final = 8


@dataclass(frozen=True)
class WhyLine:
    """One rule for one person; `holds` is None where it was not judged. `because` names what the person has."""

    number: int
    words: str
    holds: bool | None
    because: str
    is_muted: bool


@dataclass(frozen=True)
class Why:
    """A person, whether in or out (None where no rule was judged), and what each rule says of them."""

    row: int
    who: str
    is_in: bool | None
    summary: str
    lines: tuple[WhyLine, ...]


def find_people(file: ContactFile, text: str, *, at_most: int = MOST_FOUND) -> list[int]:
    """Rows in which every word of the text stands, in whichever column and case; in the file's order."""
    words = text.lower().split()
    if not words:
        return []
    found = np.ones(file.rows, dtype=bool)
    for word in words:
        found &= file.search_text.str.contains(word, regex=False).to_numpy(dtype=bool)
    return [int(row) for row in np.flatnonzero(found)[:at_most]]


def who_is(file: ContactFile, row: int) -> str:
    """What to call a person of the file: names and external id, and the row where there is neither."""
    parts = [str(file.frame[header].iloc[row]) for header in person_columns(file.headers)]
    named = " · ".join(part for part in parts if part)
    return named or f"The contact in row {file.row_number(row)}"


def explain(bench: ContactBench, result: BenchResult, row: int) -> Why:
    """Say of every rule whether it holds for the person in this row, and because of what."""
    lines = tuple(_line(bench, result, rule, row) for rule in result.rules)
    who = who_is(result.file, row)
    is_in = bool(result.mask[row]) if result.judged else None
    out = [rule for rule in result.judged if rule.mask is not None and not rule.mask[row]]
    return Why(row, who, is_in, _summary(result, out), lines)


def _summary(result: BenchResult, out: Sequence[RuleResult]) -> str:
    if out:
        return f"Out: {rule_list(out)} {'does' if len(out) == 1 else 'do'} not hold."
    if not result.judged:
        return "Neither in nor out: no rule was judged."
    if result.set_aside:
        return f"In, as far as can be told here: every judged rule holds, {rule_list(result.set_aside)} set aside."
    return "In: every rule holds."


def _line(bench: ContactBench, result: BenchResult, rule: RuleResult, row: int) -> WhyLine:
    question, mask = rule.question, rule.mask
    if mask is None or question is None:
        because = f"Not judged: {rule.not_judged.words}." if rule.not_judged else ""
        return WhyLine(rule.number, rule.words, None, because, rule.is_muted)
    values = bench.values(question.subject, result.matches)
    because = _because(values, question, result, row, bool(mask[row]))
    hidden = compared_with(rule)
    if hidden and not mask[row]:
        because += f" The rule compares with {hidden}."
    if not mask[row] and question.kind == "text" and result.judging.case_matters:
        otherwise = bench.mask_of(question, result.judging.but(case_matters=False), result.matches)
        if otherwise[row]:
            because += " It would hold if capitals made no difference."
    return WhyLine(rule.number, rule.words, bool(mask[row]), because, rule.is_muted)


def _because(values: CellValues, question: Question, result: BenchResult, row: int, is_held: bool) -> str:
    of_row = np.flatnonzero(values.owner == row)
    if question.kind == "presence":
        if not len(of_row):
            return "There is no value."
        shown = names([f"“{values.texts.iloc[place]}”" for place in of_row], at_most=MOST_VALUES)
        counts_as_none = is_held == (question.operator == NOT_SET)
        return f"There is {shown}, which says that there is none." if counts_as_none else f"There is {shown}."
    if not len(of_row):
        if question.operator not in OPPOSITES:
            return "There is no value, so nothing fits."
        return "There is no value, and that is taken as different." if is_held else "There is no value to be different."
    fits = value_hits(values, question, result.judging)[of_row]
    not_read = unread(values, question, result.judging)[of_row]
    said = [_value_words(values, question, result, int(place)) for place in of_row]
    shown = names(said, at_most=MOST_VALUES)
    words = f"The file says {shown}."
    if fits.any() and len(said) > 1:
        words += f" {names([s for s, fit in zip(said, fits, strict=True) if fit], at_most=MOST_VALUES)} fits."
    if not_read.any():
        kind = "number" if question.kind == "number" else "time"
        words += f" {names([s for s, bad in zip(said, not_read, strict=True) if bad])} is no {kind} and fits nothing."
    return words


def _value_words(values: CellValues, question: Question, result: BenchResult, place: int) -> str:
    text = f"“{values.texts.iloc[place]}”"
    if question.kind not in ("moment", "span"):
        return text
    spans = values.spans(result.judging.zone, result.judging.date_order)
    if not spans.is_read[place]:
        return text
    zone = result.judging.zone
    begin, end = int(spans.begin[place]), int(spans.end[place])
    if begin == end:
        return f"{text} ({moment_words(begin, zone)})"
    since = "no known begin" if begin == EARLIEST else moment_words(begin, zone)
    until = "no known end" if end == LATEST else moment_words(end, zone)
    return f"{text} ({since} – {until})"
