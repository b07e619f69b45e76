"""The value of a rule in words: texts in quotes, countries and airports by name, moments in a zone, long lists cut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from client.vocabulary.contact_filters import PATTERN_BETWEEN, PATTERN_NOW
from components.contact_filters.rule_moments import MILLISECONDS, moment_words, span_words
from components.contact_filters.values import custom_kind, editor_kind, elements_of, shown_text, span_of
from components.geography.airports import airport
from components.geography.countries import all_countries

MISSING: Final = "…"

_SHOWN_OF_LIST: Final = 2
_LONGEST_LIST: Final = 4
_LONGEST_TEXT: Final = 60


def value_words(wire: Mapping[str, Any], zone: str = "UTC", *, joined_by: str = "and") -> str:
    """What the rule compares with; "…" where it is not given yet, nothing where none is needed."""
    kind = editor_kind(wire)
    if kind == "none":
        return ""
    if kind == "custom":
        return listed([_attribute_words(wire, each, zone) for each in elements_of(wire)], joined_by) or MISSING
    value = wire.get("columnValue")
    if value is None or value in ("", []):
        return MISSING
    if kind == "pattern":
        return _pattern_words(wire, value, zone)
    if kind == "moment range":
        return span_words(*span_of(wire), zone).removeprefix("between ")
    if kind == "moment":
        return moment_words(value, zone)
    if isinstance(value, list):
        return listed([_one(wire, each) for each in value], joined_by)
    return _one(wire, value)


def listed(items: Sequence[str], joined_by: str = "and") -> str:
    """Items as in speech, many of them cut short: "France, Spain and 38 others"."""
    if len(items) > _LONGEST_LIST:
        return f"{', '.join(items[:_SHOWN_OF_LIST])} and {len(items) - _SHOWN_OF_LIST:,} others"
    return f" {joined_by} ".join(part for part in (", ".join(items[:-1]), *items[-1:]) if part)


def _pattern_words(wire: Mapping[str, Any], value: Any, zone: str) -> str:
    between = wire.get("operator") in (None, PATTERN_BETWEEN)
    if not isinstance(value, list) or not value or value[0] not in (PATTERN_NOW, PATTERN_BETWEEN):
        return _text(value)
    if value[0] == PATTERN_NOW:
        return "now"
    words = span_words(*span_of(wire), zone)
    return words if between else f"the time {words}"


def _attribute_words(wire: Mapping[str, Any], value: Any, zone: str) -> str:
    text = shown_text(value)
    kind = custom_kind(wire)
    if kind == "moment" and MILLISECONDS.fullmatch(text):
        return moment_words(int(text), zone)
    return text if kind == "number" and text else _text(text)


def _one(wire: Mapping[str, Any], value: Any) -> str:
    kind = editor_kind(wire)
    if isinstance(value, str):
        if kind == "country" and value in all_countries():
            return all_countries()[value]
        found = airport(value) if kind == "airport" else None
        return f"{found.name or found.city} ({found.iata})" if found else _text(value)
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else _text(value)


def _text(value: Any) -> str:
    text = " ".join(shown_text(value).split())
    return f"“{text}”" if len(text) <= _LONGEST_TEXT else f"“{text[: _LONGEST_TEXT - 1]}…”"
