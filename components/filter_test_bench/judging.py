"""What a rule asks, ready to be held against values; or why it cannot be judged here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo

from client.vocabulary.contact_filters import (
    COMPARED,
    DATED,
    LIST_VALUED,
    LISTED,
    PATTERN_BETWEEN,
    PATTERN_NOW,
    SET_OR_NOT,
    TEXT,
    VALUELESS,
)
from components.contact_filters.columns import data_type_of, is_custom, said_operator
from components.contact_filters.filter_draft import RuleDraft
from components.contact_filters.rule_moments import milliseconds_of
from components.contact_filters.values import elements_of, number_in
from components.filter_test_bench.subjects import Subject, subject_of
from components.intake.cell_times import DateOrder

Kind = Literal["text", "number", "moment", "span", "presence"]
"""How values are read to be compared; a span is a stretch of time that may be as short as a moment."""
Operand = str | int | float | tuple[int, int]

STARTS, ENDS, IS, IS_NOT, CONTAINS, CONTAINS_NOT = TEXT
_IS, _IS_NOT, BELOW, UP_TO, ABOVE, FROM_ON = COMPARED
WITHIN: Final = DATED[0]
ONE_OF, NONE_OF = LISTED
NOT_SET, IS_SET = SET_OR_NOT
OPPOSITES: Final = {IS_NOT: IS, CONTAINS_NOT: CONTAINS, NONE_OF: ONE_OF}
"""What says no, by what it says no to: nobody is in both, and everybody is in one of them."""
_KNOWN: Final = frozenset({*TEXT, *COMPARED, *DATED, *LISTED, *SET_OR_NOT})
_TEXT_ONLY: Final = frozenset({STARTS, ENDS, CONTAINS, CONTAINS_NOT})
"""Operators that look at the letters of a value, whatever its data type."""
_MILLISECONDS: Final = re.compile(r"-?\d{1,15}", re.ASCII)


@dataclass(frozen=True)
class Judging:
    """What the interface leaves open, as it is taken here: all of it can be changed on the screen.

    `at_ms` is the moment that NOW stands for, in epoch milliseconds; `zone` is where times without one belong.
    """

    at_ms: int = 0
    zone: str = "UTC"
    # ASSUMPTION A84: texts are compared to the letter, capitals included, as the embedded service compares ids and
    # names; values are compared without the blanks around them, and accents in whichever of their spellings.
    case_matters: bool = True
    # ASSUMPTION A85: what is not there is not equal to anything: "is not", "does not contain" and "is none of" hold
    # for somebody without a value, and are the exact opposites of "is", "contains" and "is one of".
    absent_is_other: bool = True
    date_order: DateOrder = "as the file shows"


@dataclass(frozen=True)
class Question:
    """A rule that can be judged: does the subject's value stand in this relation to any of the operands?"""

    subject: Subject
    operator: str
    kind: Kind
    operands: tuple[Operand, ...] = ()
    is_now: bool = False
    is_boolean: bool = False


@dataclass(frozen=True)
class NotJudged:
    """Why a rule cannot be judged here, in words that follow the rule's own; `is_missing` where a column would help."""

    words: str
    is_missing: bool = False


def question_of(rule: RuleDraft, judging: Judging) -> Question | NotJudged:
    """Read a rule; one that is not finished, or that nothing is known of, cannot be judged."""
    wire = rule.wire
    subject = subject_of(wire)
    operator = said_operator(wire) or ""
    if subject is None:
        return NotJudged("it does not say yet what it looks at")
    if rule.typed:
        return NotJudged("a value of it cannot be read yet")
    if not operator:
        return NotJudged("it does not say how to compare")
    if operator not in _KNOWN:
        return NotJudged("how it compares is not known here")
    if operator in VALUELESS:
        return Question(subject, operator, "presence", is_boolean=data_type_of(wire) == "BOOLEAN")
    values = elements_of(wire)
    if values in ([], [""]):
        return NotJudged("it has no value to compare with yet")
    if subject.is_span:
        return _span_question(subject, operator, values, judging)
    kinds: Mapping[str | None, Kind] = {"NUMBER": "number", "DATE": "moment"}
    kind = "text" if operator in _TEXT_ONLY else kinds.get(data_type_of(wire), "text")
    operands = [_operand(value, kind, judging.zone) for value in values]
    if any(operand is None for operand in operands):
        return NotJudged(f"a value of it is not {_KIND_WORDS[kind]}")
    if operator == WITHIN and len(operands) != 2:
        return NotJudged("it needs two values: from and until")
    if operator not in LIST_VALUED and not is_custom(wire) and len(operands) > 1:
        return NotJudged("it has several values where it compares with one")
    return Question(subject, operator, kind, tuple(operand for operand in operands if operand is not None))


_KIND_WORDS: Final = {"text": "a text", "number": "a number", "moment": "a moment"}


def _span_question(subject: Subject, operator: str, values: list[Any], judging: Judging) -> Question | NotJudged:
    """The pattern of `expectedDate` and `shiftDate`: now, or from one moment until another."""
    match values:
        case [str(word), None, None] if word == PATTERN_NOW:
            return Question(subject, operator, "span", ((judging.at_ms, judging.at_ms),), is_now=True)
        case [str(word), int(begin), int(end)] if word == PATTERN_BETWEEN and begin <= end:
            return Question(subject, operator, "span", ((begin, end),))
    return NotJudged("it does not say yet from when until when")


def _operand(value: Any, kind: Kind, zone: str) -> Operand | None:
    if isinstance(value, bool):
        return str(value).lower() if kind == "text" else None
    if kind == "text":
        return str(value)
    if isinstance(value, int):
        return value
    if kind == "number" or isinstance(value, float):
        number = number_in(str(value))
        return number if kind == "number" or isinstance(number, int) else None
    return _moment(str(value), zone)


def _moment(text: str, zone: str) -> int | None:
    """Values of custom attributes are texts, dates among them: epoch milliseconds, or ISO 8601."""
    if _MILLISECONDS.fullmatch(text.strip()):
        return int(text)
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return milliseconds_of(moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(zone)))
