"""Evaluate a contact filter in plain Python: row by row, rule by rule, value by value.

Written from the interface's operators (starts with, is, contains, before, after, between, in, is null) and the
assumptions A84 to A86, without any code of the filter test. The tests and the benchmark compare the filter test with
it.
"""

import math
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

Span = tuple[float, float]

_NEGATIVE = {"NE": "E", "NLIKE": "LIKE", "NIN": "IN"}
_APART = "\0"
"""Separates the start and the end of a span in two columns. No text of a file contains it."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_ISO = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?")


@dataclass(frozen=True)
class Place:
    """Where a row has the values of a rule: the columns, what separates several values in a cell, and the ends of
    spans.
    """

    headers: Sequence[str]
    separators: str = ""
    ends: str | None = None


@dataclass(frozen=True)
class Terms:
    """The choices where the interface leaves something open."""

    now_ms: int = 0
    zone: str = "UTC"
    case_matters: bool = True
    absent_is_other: bool = True


def all_hold(rules: Sequence[Mapping[str, Any]], row: Mapping[str, str], places: Sequence[Place], terms: Terms) -> bool:
    """Return whether every rule matches a row."""
    return all(rule_holds(rule, row, place, terms) for rule, place in zip(rules, places, strict=True))


def rule_holds(rule: Mapping[str, Any], row: Mapping[str, str], place: Place, terms: Terms) -> bool:
    """Return whether a rule matches a row."""
    if place.ends is not None:
        begin, end = row[place.headers[0]].strip(), row[place.ends].strip()
        values = [begin + _APART + end] if begin or end else []
    else:
        values = [value for header in place.headers for value in _parts(row[header], place.separators)]
    operator = rule["operator"]
    if operator in ("ISNULL", "NOTNULL"):
        if rule.get("dataType") == "BOOLEAN":
            values = [value for value in values if value.lower() not in ("false", "no", "n", "0")]
        return not values if operator == "ISNULL" else bool(values)
    if operator in _NEGATIVE:
        if not values:
            return terms.absent_is_other
        return not any(_fits(_NEGATIVE[operator], value, rule, terms) for value in values)
    return any(_fits(operator, value, rule, terms) for value in values)


def _parts(cell: str, separators: str) -> list[str]:
    pieces = re.split(f"[{re.escape(separators)}]", cell) if separators else [cell]
    return [piece.strip() for piece in pieces if piece.strip()]


def _fits(operator: str, value: str, rule: Mapping[str, Any], terms: Terms) -> bool:
    wanted = rule["attributeValues"] if "attributeValues" in rule else rule["columnValue"]
    wanted = wanted if isinstance(wanted, list) else [wanted]
    if rule.get("columnName") in ("expectedDate", "shiftDate"):
        return _span_fits(operator, value, wanted, terms)
    if operator in ("STARTWITH", "ENDWITH", "LIKE") or rule["dataType"] not in ("NUMBER", "DATE"):
        return _text_fits(operator, value, [str(one) for one in wanted], terms)
    if rule["dataType"] == "NUMBER":
        number = _number(value)
        values = [_number(str(one)) for one in wanted]
        return number is not None and _compare(operator, number, values)
    span = _span(value, terms.zone)
    if span is None:
        return False
    moments = [int(one) for one in wanted]
    if operator in ("E", "IN"):
        return any(span[0] <= one <= span[1] for one in moments)
    return _compare(operator, span[0], moments)


def _text_fits(operator: str, value: str, wanted: Sequence[str], terms: Terms) -> bool:
    def read(text: str) -> str:
        text = unicodedata.normalize("NFC", text)
        return text if terms.case_matters else text.casefold()

    text, values = read(value), [read(one) for one in wanted]
    match operator:
        case "STARTWITH":
            return any(text[: len(one)] == one for one in values)
        case "ENDWITH":
            return any(text[len(text) - len(one) :] == one for one in values if len(one) <= len(text))
        case "LIKE":
            return any(one in text for one in values)
    return _compare(operator, text, values)


def _compare(operator: str, value: Any, wanted: Sequence[Any]) -> bool:
    if operator == "BETWEEN":
        return bool(wanted[0] <= value <= wanted[1])
    tests: Mapping[str, Callable[[Any], bool]] = {
        "E": lambda one: value == one,
        "IN": lambda one: value == one,
        "LT": lambda one: value < one,
        "LTE": lambda one: value <= one,
        "GT": lambda one: value > one,
        "GTE": lambda one: value >= one,
    }
    return any(tests[operator](one) for one in wanted)


def _number(text: str) -> Fraction | None:
    """Return an exact number. A decimal has the value that a computer stores, like the decimals in a filter."""
    if re.fullmatch(r"[+-]?[0-9]+", text):
        return Fraction(int(text))
    if re.fullmatch(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]{1,3})?", text):
        number = float(text)
        return Fraction(number) if math.isfinite(number) else None
    return None


def _span_fits(operator: str, value: str, wanted: Sequence[Any], terms: Terms) -> bool:
    span = _span(value, terms.zone)
    if span is None:
        return False
    since, until = (terms.now_ms, terms.now_ms) if wanted[0] == "NOW" else (wanted[1], wanted[2])
    before, after = span[1] < since, span[0] > until
    during = not before and not after
    return {
        "BETWEEN": during,
        "LT": before,
        "LTE": before or during,
        "GT": after,
        "GTE": after or during,
    }[operator]


def _span(text: str, zone: str) -> Span | None:
    if _APART in text:
        begin, end = (part.strip() for part in text.split(_APART))
        first = _span(begin, zone) if begin else (float("-inf"), float("-inf"))
        last = _span(end, zone) if end else (float("inf"), float("inf"))
    elif "/" in text:
        begin, end = (part.strip() for part in text.split("/", 1))
        first, last = _span(begin, zone), _span(end, zone)
    else:
        return _moment(text, zone)
    if first is None or last is None or first[0] > last[1]:
        return None
    return first[0], last[1]


def _moment(text: str, zone: str) -> Span | None:
    if re.fullmatch(r"-?[0-9]{9,15}", text):
        number = int(text) * (1000 if len(text.lstrip("-")) <= 10 else 1)
        return number, number
    if not _ISO.fullmatch(text):
        return None
    try:
        if len(text) == 10:
            day = date.fromisoformat(text)
            return _ms(_midnight(day, zone)), _ms(_midnight(day + timedelta(days=1), zone)) - 1
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    at = _ms(moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(zone)))
    return at, at


def _midnight(day: date, zone: str) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(zone))


def _ms(moment: datetime) -> int:
    return (moment - _EPOCH) // timedelta(milliseconds=1)
