"""A filter read back in plain English, as one sentence and rule by rule."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from client.vocabulary.contact_filters import PATTERN_BETWEEN, PATTERN_NOW
from domain.filters import columns
from domain.filters.filter_draft import FilterDraft
from domain.filters.values import (
    MILLISECONDS,
    custom_kind,
    editor_kind,
    elements_of,
    moment_words,
    shown_text,
    span_of,
    span_words,
)
from domain.geography.airports import airport
from domain.geography.countries import all_countries

MISSING: Final = "…"

_SHOWN_OF_LIST: Final = 2
_LONGEST_LIST: Final = 4
_LONGEST_TEXT: Final = 60


def value_words(wire: Mapping[str, Any], zone: str = "UTC") -> str:
    """What the rule compares with; "…" where it is not given yet, nothing where none is needed."""
    kind, joined_by = editor_kind(wire), "and" if columns.said_operator(wire) == "BETWEEN" else "or"
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


def listed(items: Sequence[str], joined_by: str = "and", *, most: int = _LONGEST_LIST) -> str:
    """Items as in speech, many of them cut short: "France, Spain, and 38 others"."""
    if len(items) > most:
        items = [*items[:_SHOWN_OF_LIST], f"{len(items) - _SHOWN_OF_LIST:,} others"]
    if len(items) > 2:
        return f"{', '.join(items[:-1])}, {joined_by} {items[-1]}"
    return f" {joined_by} ".join(items)


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


NO_RULES: Final = "No rules yet. Add a rule to select people."
NOTHING_CHOSEN: Final = "Select a column. This text then describes who matches."
ALL_MUTED: Final = "All rules are muted. Unmute a rule or add another."

# One value, several, not one, none of several.
_BELONGING: Final[dict[str, tuple[str, str, str, str]]] = {
    "groups|SYSTEM_ARRAY|": (
        "who belong to group {}",
        "who belong to any of the groups {}",
        "who do not belong to group {}",
        "who belong to none of the groups {}",
    ),
    "topics|SYSTEM|": (
        "who follow topic {}",
        "who follow any of the topics {}",
        "who do not follow topic {}",
        "who follow none of the topics {}",
    ),
    "pathId|SYSTEM_OBJECT|paths": (
        "with a delivery path of kind {}",
        "with a delivery path of any of the kinds {}",
        "without a delivery path of kind {}",
        "without a delivery path of any of the kinds {}",
    ),
}
_OF_ONE: Final = {
    "is one of": "is",
    "is none of": "is not",
    "has any of": "has",
    "has none of": "does not have",
    "include any of": "include",
    "include none of": "do not include",
}
"""How a comparison with a list is said where the list has one element."""
_AFFIRMED: Final = {"NE": "E", "NLIKE": "LIKE", "NIN": "IN"}
"""What says no, by what it says no to."""
_PATTERN_NOW_WORDS: Final = {"is before or during": "now or before", "is during or after": "now or after"}


def sentence(draft: FilterDraft, zone: str = "UTC") -> str:
    """The whole filter as a sentence; muted rules, and those whose column is not chosen yet, are left out of it."""
    clauses = [clause(rule.wire, zone) for rule in draft.live_rules if rule.wire.get("type") or rule.stored]
    if not clauses:
        return NOTHING_CHOSEN if draft.live_rules else ALL_MUTED if draft.rules else NO_RULES
    # What a person has comes last: after "with an address whose city is Berlin", "whose first name" would be read as
    # that of the address.
    words = listed(sorted(clauses, key=lambda each: each.startswith("with")), most=len(clauses))
    return f"People {words}" if words.endswith(MISSING) else f"People {words}."


def rule_words(wire: Mapping[str, Any], zone: str = "UTC") -> str:
    """One rule for itself: "First name starts with “An”"."""
    key = columns.key_of_rule(wire)
    if key is None and not wire.get("columnName"):
        return "A rule without a column"
    value = value_words(wire, zone)
    name = columns.label(key) if key else f"“{wire.get('columnName')}”"
    if columns.is_custom(wire):
        # Of "Custom attribute with several values" too the id stands where it is looked for.
        name = name.replace("attribute", f"attribute {_attribute(wire)}", 1)
    return f"{name} {_comparison(wire, value)}"


def clause(wire: Mapping[str, Any], zone: str = "UTC") -> str:
    """What the rule asks of people, to stand after "People": "whose first name starts with “An”"."""
    key = columns.key_of_rule(wire)
    value = value_words(wire, zone)
    words = columns.words_of(key) if key else None
    if key is None or words is None:
        field = (
            f"whose field “{wire['columnName']}”" if wire.get("columnName") else "who match a rule without a column:"
        )
        return " ".join(part for part in (field, _operator(wire), value) if part)
    if editor_kind(wire) == "none" and words.lead == "who have":
        noun = words.noun if columns.said_operator(wire) == "NOTNULL" else f"no {_without_article(words.noun)}"
        return f"{words.lead} {noun}"
    if key in _BELONGING and columns.said_operator(wire) in ("IN", "NIN"):
        return _belonging(wire, key, value)
    if words.group == columns.SCHEDULE and words.noun and columns.said_operator(wire) == "E":
        return f"{words.lead} {words.noun} {value}"
    said = columns.said_operator(wire)
    if words.lead.startswith("with ") and said in _AFFIRMED:
        # What says no holds where no value fits (assumption A86), not where one of them is another.
        affirmed = clause({**wire, "operator": _AFFIRMED[said]}, zone)
        return f"without {affirmed.removeprefix('with ')}"
    if columns.is_pattern(key):
        return f"{words.lead} {_pattern(wire, value)}".rstrip()
    if not words.noun:
        return f"{words.lead} {_comparison(wire, value).removeprefix('is ')}"
    if key in _BELONGING or words.group == columns.SCHEDULE or words.lead == "who have":
        # Compared as the table does not have it: said as it stands, for its own way of speaking would not be true.
        return f"whose {_without_article(words.noun)} {_comparison(wire, value)}"
    parts = (words.lead, words.noun, _attribute(wire), _comparison(wire, value))
    return " ".join(part for part in parts if part)


_SEVERAL: Final = {
    ("SYSTEM_EXPECTED_OBJECT", "address"): "expected locations",
    ("SYSTEM_OBJECT", "address"): "addresses",
    ("SYSTEM_OBJECT", "paths"): "delivery paths",
}
"""What a person may have several of, by the type of the rules over it and what its columns are embedded in."""


def separate_matches(draft: FilterDraft) -> list[str]:
    """Say which rules one person may meet with two different locations, addresses or delivery paths."""
    over: defaultdict[str, list[str]] = defaultdict(list)
    for number, rule in enumerate(draft.rules, start=1):
        key, is_expected = columns.key_of_rule(rule.wire), rule.wire.get("type") == "SYSTEM_EXPECTED_OBJECT"
        embedded = "address" if is_expected else str(rule.wire.get("embeddedColumnName"))
        things = _SEVERAL.get((str(rule.wire.get("type")), embedded))
        if things and key and not rule.muted and columns.said_operator(rule.wire) not in (*_AFFIRMED, "ISNULL"):
            over[things].append(str(number))
    found = [
        f"Rules {listed(numbers)} are checked separately: two different {things} of the same person may match them."
        for things, numbers in over.items()
        if len(numbers) > 1
    ]
    if found and len(over["expected locations"]) > 1:
        found.append("For example, “now” and “in France” also match a person who is in Spain now and in France later.")
    return found


def _pattern(wire: Mapping[str, Any], value: str) -> str:
    operator = _operator(wire)
    if value == "now" and operator in _PATTERN_NOW_WORDS:
        return _PATTERN_NOW_WORDS[operator]
    return f"{operator.removeprefix('is').strip()} {value}".strip()


def _belonging(wire: Mapping[str, Any], key: str, value: str) -> str:
    place = (2 if columns.said_operator(wire) == "NIN" else 0) + (1 if len(elements_of(wire)) > 1 else 0)
    return _BELONGING[key][place].format(value)


def _operator(wire: Mapping[str, Any]) -> str:
    said = columns.said_operator(wire)
    return columns.operator_words(wire, said) if said else MISSING


def _comparison(wire: Mapping[str, Any], value: str) -> str:
    """Operator and value; a span of one whole day is "on" that day, and a list of one is no list."""
    operator = _operator(wire)
    if operator == "is between" and value.startswith("on "):
        operator = "is"
    number = len(elements_of(wire))
    if number == 1:
        operator = _OF_ONE.get(operator, operator)
    elif number > 1 and columns.said_operator(wire) == "NE":
        operator = "is none of"
    return f"{operator} {value}".strip()


def _attribute(wire: Mapping[str, Any]) -> str:
    if not columns.is_custom(wire):
        return ""
    return str(wire.get("attributeId") or MISSING)


def _without_article(noun: str) -> str:
    first, _, rest = noun.partition(" ")
    return rest if first in ("a", "an") else noun
