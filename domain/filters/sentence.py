"""Describe a filter in plain English: as one sentence, and rule by rule."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, Final

from client.vocabulary.contact_filters import PATTERN_BETWEEN, PATTERN_NOW
from domain.filters import columns
from domain.filters.filter_draft import FilterDraft
from domain.filters.known_ids import value_kind
from domain.filters.names.id_names import NO_NAMES, IdNames
from domain.filters.values import (
    MILLISECONDS,
    custom_kind,
    editable_text,
    editor_kind,
    elements_of,
    format_moment,
    format_span,
    span_of,
)
from domain.geography.airports import airport
from domain.geography.countries import all_countries

MISSING: Final = "…"

_SHOWN_OF_LIST: Final = 2
_LONGEST_LIST: Final = 4
_LONGEST_TEXT: Final = 60


def describe_value(payload: Mapping[str, Any], zone: str = "UTC", names: IdNames = NO_NAMES) -> str:
    """Return the values of a rule as text; "…" if they are missing, "" if the operator needs none."""
    kind, joined_by = editor_kind(payload), "and" if columns.effective_operator(payload) == "BETWEEN" else "or"
    if kind == "none":
        return ""
    if kind == "custom":
        return (
            join_items([_attribute_words(payload, each, zone) for each in elements_of(payload)], joined_by) or MISSING
        )
    value = payload.get("columnValue")
    if value is None or value in ("", []):
        return MISSING
    if kind == "pattern":
        return _pattern_words(payload, value, zone)
    if kind == "moment range":
        return format_span(*span_of(payload), zone).removeprefix("between ")
    if kind == "moment":
        return format_moment(value, zone)
    if isinstance(value, list):
        return join_items([_one(payload, each, names) for each in value], joined_by)
    return _one(payload, value, names)


def join_items(items: Sequence[str], joined_by: str = "and", *, most: int = _LONGEST_LIST) -> str:
    """Join items; a long list is shortened: "France, Spain, and 38 others"."""
    if len(items) > most:
        items = [*items[:_SHOWN_OF_LIST], f"{len(items) - _SHOWN_OF_LIST:,} others"]
    if len(items) > 2:
        return f"{', '.join(items[:-1])}, {joined_by} {items[-1]}"
    return f" {joined_by} ".join(items)


def _pattern_words(payload: Mapping[str, Any], value: Any, zone: str) -> str:
    between = payload.get("operator") in (None, PATTERN_BETWEEN)
    if not isinstance(value, list) or not value or value[0] not in (PATTERN_NOW, PATTERN_BETWEEN):
        return _text(value)
    if value[0] == PATTERN_NOW:
        return "now"
    words = format_span(*span_of(payload), zone)
    return words if between else f"the time {words}"


def _attribute_words(payload: Mapping[str, Any], value: Any, zone: str) -> str:
    text = editable_text(value)
    kind = custom_kind(payload)
    if kind == "moment" and MILLISECONDS.fullmatch(text):
        return format_moment(int(text), zone)
    return text if kind == "number" and text else _text(text)


def _one(payload: Mapping[str, Any], value: Any, names: IdNames) -> str:
    kind = editor_kind(payload)
    id_kind = value_kind(payload)
    if id_kind is not None and isinstance(value, int) and not isinstance(value, bool):
        return names.label(id_kind, value)
    if isinstance(value, str):
        if kind == "country" and value in all_countries():
            return all_countries()[value]
        found = airport(value) if kind == "airport" else None
        return f"{found.name or found.city} ({found.iata})" if found else _text(value)
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else _text(value)


def _text(value: Any) -> str:
    text = " ".join(editable_text(value).split())
    return f"“{text}”" if len(text) <= _LONGEST_TEXT else f"“{text[: _LONGEST_TEXT - 1]}…”"


NO_RULES: Final = "No rules yet. Add a rule to select people."
NOTHING_CHOSEN: Final = "Select a column. This text then describes who matches."
ALL_MUTED: Final = "All rules are muted. Unmute a rule or add another."

# Matches one value, one of several, not one, none of several.
_MEMBERSHIP: Final[dict[str, tuple[str, str, str, str]]] = {
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
"""The operator of a list with one element."""
_NEGATED: Final = {"NE": "E", "NLIKE": "LIKE", "NIN": "IN"}
"""Negative operators, with the operator that each negates."""
_PATTERN_NOW_WORDS: Final = {"is before or during": "is now or before", "is during or after": "is now or after"}


def describe_filter(draft: FilterDraft, zone: str = "UTC", names: IdNames = NO_NAMES) -> str:
    """Return the filter as a sentence, without muted rules and rules without a column."""
    clauses = [
        describe_clause(rule.payload, zone, names)
        for rule in draft.active_rules
        if rule.payload.get("type") or rule.stored
    ]
    if not clauses:
        return NOTHING_CHOSEN if draft.active_rules else ALL_MUTED if draft.rules else NO_RULES
    # Clauses with "with" come last: after "with an address whose city is Berlin", "whose first name" would seem to be
    # about the address.
    words = join_items(sorted(clauses, key=lambda each: each.startswith("with")), most=len(clauses))
    return f"People {words}" if words.endswith(MISSING) else f"People {words}."


def describe_rule(payload: Mapping[str, Any], zone: str = "UTC", names: IdNames = NO_NAMES) -> str:
    """Describe one rule: "First name starts with “An”"."""
    key = columns.key_of_rule(payload)
    if key is None and not payload.get("columnName"):
        return "A rule without a column"
    value = describe_value(payload, zone, names)
    name = columns.column_label(key) if key else f"“{payload.get('columnName')}”"
    if columns.is_custom(payload):
        # In "Custom attribute with several values" the ID goes after "attribute".
        name = name.replace("attribute", f"attribute {_attribute(payload)}", 1)
        name = f"{own} ({name[0].lower()}{name[1:]})" if (own := _attribute_name(payload, names)) else name
    return f"{name} {_comparison(payload, value)}"


def describe_clause(payload: Mapping[str, Any], zone: str = "UTC", names: IdNames = NO_NAMES) -> str:
    """Return the clause of a rule, to follow "People": "whose first name starts with “An”"."""
    key = columns.key_of_rule(payload)
    value = describe_value(payload, zone, names)
    words = columns.labels_of(key) if key else None
    if key is None or words is None:
        field = (
            f"whose field “{payload['columnName']}”"
            if payload.get("columnName")
            else "who match a rule without a column:"
        )
        return " ".join(part for part in (field, _operator(payload), value) if part)
    if editor_kind(payload) == "none" and words.lead == "who have":
        noun = words.noun if columns.effective_operator(payload) == "NOTNULL" else f"no {_without_article(words.noun)}"
        return f"{words.lead} {noun}"
    if key in _MEMBERSHIP and columns.effective_operator(payload) in ("IN", "NIN"):
        return _membership(payload, key, value)
    if words.group == columns.SCHEDULE and words.noun and columns.effective_operator(payload) == "E":
        return f"{words.lead} {words.noun} {value}"
    phrase = columns.effective_operator(payload)
    if words.lead.startswith("with ") and phrase in _NEGATED:
        # A negative rule holds if no value matches (assumption A86), not if one of several differs.
        affirmed = describe_clause({**payload, "operator": _NEGATED[phrase]}, zone, names)
        return f"without {affirmed.removeprefix('with ')}"
    if columns.is_pattern(key):
        return f"{words.lead} {_pattern(payload, value)}".rstrip()
    if not words.noun:
        return f"{words.lead} {_comparison(payload, value).removeprefix('is ')}"
    if key in _MEMBERSHIP or words.group == columns.SCHEDULE or words.lead == "who have":
        # The operator is not in the table for this column, so the special wording would be wrong.
        return f"whose {_without_article(words.noun)} {_comparison(payload, value)}"
    noun = f"{words.noun} {_attribute(payload)}".rstrip()
    own = _attribute_name(payload, names)
    return f"{words.lead} {f'{own} ({noun})' if own else noun} {_comparison(payload, value)}"


_MULTIPLE: Final = {
    ("SYSTEM_EXPECTED_OBJECT", "address"): "expected locations",
    ("SYSTEM_OBJECT", "address"): "addresses",
    ("SYSTEM_OBJECT", "paths"): "delivery paths",
}
"""What a person may have several of, by rule type and embedded object."""


def find_separate_matches(draft: FilterDraft) -> list[str]:
    """Return notes on rules that two different locations, addresses, or delivery paths of a person may match."""
    over: defaultdict[str, list[str]] = defaultdict(list)
    for number, rule in enumerate(draft.rules, start=1):
        key, is_expected = columns.key_of_rule(rule.payload), rule.payload.get("type") == "SYSTEM_EXPECTED_OBJECT"
        embedded = "address" if is_expected else str(rule.payload.get("embeddedColumnName"))
        things = _MULTIPLE.get((str(rule.payload.get("type")), embedded))
        if things and key and not rule.muted and columns.effective_operator(rule.payload) not in (*_NEGATED, "ISNULL"):
            over[things].append(str(number))
    found = [
        f"Rules {join_items(numbers)} are checked separately: two different {things} of the same person may match them."
        for things, numbers in over.items()
        if len(numbers) > 1
    ]
    if found and len(over["expected locations"]) > 1:
        found.append("For example, “now” and “in France” also match a person who is in Spain now and in France later.")
    return found


def _pattern(payload: Mapping[str, Any], value: str) -> str:
    return _comparison(payload, value).removeprefix("is").strip()


def _membership(payload: Mapping[str, Any], key: str, value: str) -> str:
    place = (2 if columns.effective_operator(payload) == "NIN" else 0) + (1 if len(elements_of(payload)) > 1 else 0)
    return _MEMBERSHIP[key][place].format(value)


def _operator(payload: Mapping[str, Any]) -> str:
    phrase = columns.effective_operator(payload)
    return columns.operator_label(payload, phrase) if phrase else MISSING


def _comparison(payload: Mapping[str, Any], value: str) -> str:
    """Return operator and value. A span of a whole day is "on" that day, and a list of one element is not a list."""
    operator = _operator(payload)
    if value == "now" and operator in _PATTERN_NOW_WORDS:
        return _PATTERN_NOW_WORDS[operator]
    if operator == "is between" and value.startswith("on "):
        operator = "is"
    number = len(elements_of(payload))
    if number == 1:
        operator = _OF_ONE.get(operator, operator)
    elif number > 1 and columns.effective_operator(payload) == "NE":
        operator = "is none of"
    return f"{operator} {value}".strip()


def _attribute(payload: Mapping[str, Any]) -> str:
    if not columns.is_custom(payload):
        return ""
    return str(payload.get("attributeId") or MISSING)


def _attribute_name(payload: Mapping[str, Any], names: IdNames) -> str:
    number = payload.get("attributeId") if columns.is_custom(payload) else None
    return names.of_kind("custom attribute").get(number, "") if isinstance(number, int) else ""


def _without_article(noun: str) -> str:
    first, _, rest = noun.partition(" ")
    return rest if first in ("a", "an") else noun
