"""What a rule asks of a value, in a form in which two rules can be held against each other."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from client.vocabulary.contact_filters import PATTERN_BETWEEN
from components.contact_filters import columns
from components.contact_filters.value_words import listed
from components.contact_filters.values import shown_text

_TEXT_TESTS: Final = frozenset({"STARTWITH", "ENDWITH", "LIKE", "NLIKE"})
_BOUNDS: Final = frozenset({"LT", "LTE", "GT", "GTE", "BETWEEN"})
_ONE_OF: Final = frozenset({"E", "IN"})
_NONE_OF: Final = frozenset({"NE", "NIN"})

Value = str | int | float


@dataclass(frozen=True, slots=True)
class Asked:
    """One of: to be among values, to be none of them, to stand a test of texts, to lie in a span, to be set or not."""

    operator: str
    among: tuple[Value, ...] | None = None
    none_of: tuple[Value, ...] | None = None
    part: str | None = None
    span: tuple[float, bool, float, bool] | None = None
    is_set: bool | None = None

    def shut_out_of(self, other: Asked) -> str:
        """The values that one looks for and the other shuts out, in words; empty for none."""
        for one, two in ((self, other), (other, self)):
            if one.among is not None and two.none_of is not None and {one.operator, two.operator} == {"IN", "NIN"}:
                return listed([_shown(value) for value in one.among if value in two.none_of])
        return ""


def asked_by(wire: Mapping[str, Any]) -> Asked | None:
    """What a rule asks; None where it is not complete, or is not of a kind that is held against others."""
    operator = wire.get("operator")
    key = columns.key_of_rule(wire)
    if not isinstance(operator, str) or columns.is_pattern(key):
        return None
    if operator in ("ISNULL", "NOTNULL"):
        return Asked(operator, is_set=operator == "NOTNULL")
    values = _values(wire)
    if not values:
        return None
    if operator in _ONE_OF:
        return Asked(operator, among=values)
    if operator in _NONE_OF:
        return Asked(operator, none_of=values)
    if operator in _TEXT_TESTS and len(values) == 1 and isinstance(values[0], str):
        return Asked(operator, part=values[0])
    numbers = [value for value in values if not isinstance(value, str)]
    if operator in _BOUNDS and len(numbers) == len(values) == (2 if operator == PATTERN_BETWEEN else 1):
        words = columns.words_of(key) if key else None
        whole = (words is not None and words.whole) or columns.data_type_of(wire) == "DATE"
        return Asked(operator, span=_span(operator, numbers, whole=whole))
    return None


def rule_each_other_out(one: Asked, other: Asked, *, single: bool) -> str | None:
    """Why no value can meet both, as a sentence; None where one can.

    Where a person may have several values only what is asked of all of them counts: being in a list and in none of it,
    and being set and not.
    """
    if one.is_set is not None and other.is_set is not None:
        return "the one asks for a value, the other for none." if one.is_set != other.is_set else None
    if one.is_set is False or other.is_set is False:
        return "the one asks for no value, the other compares it." if single else None
    for first, second in ((one, other), (other, one)):
        if first.among is None:
            continue
        if second.none_of is not None and (single or {one.operator, other.operator} == {"IN", "NIN"}):
            left = [value for value in first.among if value not in second.none_of]
            if not left:
                return f"the one looks for {_named(first.among)}, the other shuts that out."
        elif single and second.none_of is None and not any(_meets(value, second) for value in first.among):
            return f"{_named(first.among)} cannot be {_wish(second)}."
    if not single:
        return None
    if one.span is not None and other.span is not None and _is_empty(_both(one.span, other.span)):
        return "what the one allows ends before what the other allows begins."
    return _texts_clash(one, other) or _texts_clash(other, one)


def says_less(one: Asked, other: Asked) -> bool:
    """Whether every value that meets the other meets this one too, so that this one adds nothing."""
    if other.among is not None:
        return all(_meets(value, one) for value in other.among)
    if one.span is not None and other.span is not None:
        return _both(one.span, other.span) == other.span
    if one.none_of is not None and other.none_of is not None:
        return set(one.none_of) <= set(other.none_of)
    if one.part is None or other.part is None:
        return False
    match one.operator, other.operator:
        case "STARTWITH", "STARTWITH":
            return other.part.startswith(one.part)
        case "ENDWITH", "ENDWITH":
            return other.part.endswith(one.part)
        case "LIKE", "LIKE" | "STARTWITH" | "ENDWITH":
            return one.part in other.part
        case "NLIKE", "NLIKE":
            return other.part in one.part
    return False


def _texts_clash(one: Asked, other: Asked) -> str | None:
    if one.part is None or other.part is None:
        return None
    match one.operator, other.operator:
        case "STARTWITH", "STARTWITH":
            longer, shorter = sorted((one.part, other.part), key=len, reverse=True)
            return None if longer.startswith(shorter) else "a text cannot start with both."
        case "ENDWITH", "ENDWITH":
            longer, shorter = sorted((one.part, other.part), key=len, reverse=True)
            return None if longer.endswith(shorter) else "a text cannot end with both."
        case "STARTWITH" | "ENDWITH" | "LIKE", "NLIKE" if other.part in one.part:
            return f"what holds “{one.part}” holds “{other.part}” too."
    return None


def _meets(value: Value, asked: Asked) -> bool:
    if asked.among is not None:
        return value in asked.among
    if asked.none_of is not None:
        return value not in asked.none_of
    if asked.span is not None:
        return isinstance(value, str) or not _is_empty(_both(asked.span, (value, True, value, True)))
    if asked.part is None:
        return True
    text = _shown(value)
    match asked.operator:
        case "STARTWITH":
            return text.startswith(asked.part)
        case "ENDWITH":
            return text.endswith(asked.part)
        case "NLIKE":
            return asked.part not in text
    return asked.part in text


def _values(wire: Mapping[str, Any]) -> tuple[Value, ...]:
    """The values that a rule holds; texts without case, since services may set it aside."""
    given = wire.get("attributeValues") if columns.is_custom(wire) else wire.get("columnValue")
    values = given if isinstance(given, list) else [given]
    data_type = columns.data_type_of(wire)
    found = [_value(each, data_type) for each in values]
    return tuple(each for each in found if each is not None) if None not in found else ()


def _value(value: Any, data_type: str | None) -> Value | None:
    if isinstance(value, bool) or value is None:
        return None
    if data_type in ("NUMBER", "DATE"):
        return _number(value)
    return value.casefold() if isinstance(value, str) and value.strip() else None


def _number(value: Any) -> Value | None:
    if isinstance(value, str):
        try:
            return int(value) if value.strip().lstrip("+-").isdecimal() and len(value) < 40 else _finite(float(value))
        except ValueError:
            return None
    return value if isinstance(value, int) else _finite(value) if isinstance(value, float) else None


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _span(operator: str, numbers: list[int | float], *, whole: bool) -> tuple[float, bool, float, bool]:
    """From, whether that counts, until, whether that counts; whole numbers have neighbours, others do not."""
    first, last = numbers[0], numbers[-1]
    step = 1 if whole and isinstance(first, int) else 0
    match operator:
        case "LT":
            return (-math.inf, False, first - step, bool(step))
        case "LTE":
            return (-math.inf, False, first, True)
        case "GT":
            return (first + step, bool(step), math.inf, False)
        case "GTE":
            return (first, True, math.inf, False)
    return (first, True, last, True)


def _both(
    one: tuple[float, bool, float, bool], other: tuple[float, bool, float, bool]
) -> tuple[float, bool, float, bool]:
    first = max((one[0], not one[1]), (other[0], not other[1]))
    last = min((one[2], one[3]), (other[2], other[3]))
    return (first[0], not first[1], last[0], last[1])


def _is_empty(span: tuple[float, bool, float, bool]) -> bool:
    return span[0] > span[2] or (span[0] == span[2] and not (span[1] and span[3]))


def _wish(asked: Asked) -> str:
    if asked.among is not None:
        return _named(asked.among)
    if asked.part is not None:
        verb = {"STARTWITH": "start with", "ENDWITH": "end with", "LIKE": "contain"}.get(asked.operator, "leave out")
        return f"a text to {verb} “{asked.part}”"
    return "within what the other allows"


def _named(values: tuple[Value, ...]) -> str:
    return listed([_shown(value) for value in values], "or")


def _shown(value: Value) -> str:
    return shown_text(value)
