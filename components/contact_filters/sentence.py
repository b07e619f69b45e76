"""A filter read back in plain English, as one sentence and rule by rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from components.contact_filters import columns
from components.contact_filters.draft import FilterDraft
from components.contact_filters.value_words import MISSING, NO_NAMES, Names, value_words
from components.contact_filters.values import editor_kind

NO_RULES: Final = "No rules yet: add one to say who is meant."
ALL_MUTED: Final = "All rules are muted: let one count again, or add another."

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
_PATTERN_NOW_WORDS: Final = {"is before or during": "now or before", "is during or after": "now or after"}


def sentence(draft: FilterDraft, zone: str = "UTC", names: Names = NO_NAMES) -> str:
    """The whole filter as a sentence; muted rules, and those whose column is not chosen yet, are left out of it."""
    clauses = [clause(rule.wire, zone, names) for rule in draft.live_rules if rule.wire.get("type") or rule.stored]
    if not clauses:
        return ALL_MUTED if draft.rules and not draft.live_rules else NO_RULES
    words = " and ".join(clauses) if len(clauses) < 3 else f"{', '.join(clauses[:-1])}, and {clauses[-1]}"
    return f"People {words}" if words.endswith(MISSING) else f"People {words}."


def rule_words(wire: Mapping[str, Any], zone: str = "UTC", names: Names = NO_NAMES) -> str:
    """One rule for itself: "First name starts with “An”"."""
    key = columns.key_of_rule(wire)
    if key is None and not wire.get("columnName"):
        return "A rule whose column is not chosen yet"
    value = value_words(wire, zone, names, joined_by=_joined_by(wire))
    name = f"{columns.label(key)} {_attribute(wire)}".strip() if key else f"“{wire.get('columnName')}”"
    return " ".join(part for part in (name, _comparison(wire, value)) if part)


def clause(wire: Mapping[str, Any], zone: str = "UTC", names: Names = NO_NAMES) -> str:
    """What the rule asks of people, to stand after "People": "whose first name starts with “An”"."""
    key = columns.key_of_rule(wire)
    value = value_words(wire, zone, names, joined_by=_joined_by(wire))
    words = columns.words_of(key) if key else None
    if key is None or words is None:
        field = f"whose field “{wire['columnName']}”" if wire.get("columnName") else "who fit a rule without a column:"
        return " ".join(part for part in (field, _operator(wire), value) if part)
    if editor_kind(wire) == "none" and words.lead == "who have":
        noun = words.noun if columns.said_operator(wire) == "NOTNULL" else f"no {_without_article(words.noun)}"
        return f"{words.lead} {noun}"
    if key in _BELONGING and columns.said_operator(wire) in ("IN", "NIN"):
        return _belonging(wire, key, value)
    if words.group == columns.SCHEDULE and words.noun and columns.said_operator(wire) == "E":
        return f"{words.lead} {words.noun} {value}"
    if columns.is_pattern(key):
        return f"{words.lead} {_pattern(wire, value)}".rstrip()
    if not words.noun:
        return f"{words.lead} {_comparison(wire, value).removeprefix('is ')}"
    if key in _BELONGING or words.group == columns.SCHEDULE or words.lead == "who have":
        # Compared as the table does not have it: said as it stands, for its own way of speaking would not be true.
        return f"whose {_without_article(words.noun)} {_comparison(wire, value)}"
    parts = (words.lead, words.noun, _attribute(wire), _comparison(wire, value))
    return " ".join(part for part in parts if part)


def _pattern(wire: Mapping[str, Any], value: str) -> str:
    operator = _operator(wire)
    if value == "now" and operator in _PATTERN_NOW_WORDS:
        return _PATTERN_NOW_WORDS[operator]
    return f"{operator.removeprefix('is').strip()} {value}".strip()


def _belonging(wire: Mapping[str, Any], key: str, value: str) -> str:
    given = wire.get("columnValue")
    several = isinstance(given, list) and len(given) > 1
    place = (2 if columns.said_operator(wire) == "NIN" else 0) + (1 if several else 0)
    return _BELONGING[key][place].format(value)


def _operator(wire: Mapping[str, Any]) -> str:
    said = columns.said_operator(wire)
    return columns.operator_words(wire, said) if said else MISSING


def _comparison(wire: Mapping[str, Any], value: str) -> str:
    """Operator and value; a span of one whole day is "on" that day, and not between anything."""
    operator = _operator(wire)
    if operator == "is between" and value.startswith("on "):
        operator = "is"
    return f"{operator} {value}".strip()


def _attribute(wire: Mapping[str, Any]) -> str:
    if not columns.is_custom(wire):
        return ""
    return str(wire.get("attributeId") or MISSING)


def _joined_by(wire: Mapping[str, Any]) -> str:
    """One of several values of an attribute is enough; after "one of" and "none of" they are added up."""
    return "or" if columns.is_custom(wire) and columns.said_operator(wire) not in ("IN", "NIN", "BETWEEN") else "and"


def _without_article(noun: str) -> str:
    first, _, rest = noun.partition(" ")
    return rest if first in ("a", "an") else noun
