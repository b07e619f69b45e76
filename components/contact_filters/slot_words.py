"""What is wrong with one field of a rule, in the words of the screen and not in those of the interface."""

from __future__ import annotations

from typing import Any, Final

from client.vocabulary.contact_filters import PATTERN_BETWEEN, PATTERN_NOW
from components.contact_filters import columns
from components.contact_filters.departures import same_named
from components.contact_filters.draft import RuleDraft
from components.contact_filters.pasted import paste_list
from components.contact_filters.values import (
    custom_kind,
    editor_kind,
    read_attribute_values,
    read_id,
    read_like,
    read_list,
    read_value,
    span_of,
)

_MISSING: Final[dict[str, str]] = {
    "text": "Give the text to compare with.",
    "number": "Give the number to compare with.",
    "whole number": "Give the whole number to compare with.",
    "moment": "Give the date and time to compare with.",
    "text list": "Give at least one value.",
    "number list": "Give at least one whole number.",
    "moment range": "Give the beginning and the end.",
    "pattern": "Choose now, or between two moments.",
    "country": "Choose a country.",
    "airport": "Choose an airport.",
    "unknown": "Give the value to compare with.",
}
_BY_ID: Final = "The service knows it by its id, not by its name."


def typed_problem(rule: RuleDraft, slot: str, text: str) -> str:
    """Why the text of a field cannot be read."""
    kind = editor_kind(rule.wire)
    if slot in ("field_id", "attribute_id"):
        read = read_id(text)
    elif kind == "custom":
        read = read_attribute_values(custom_kind(rule.wire), paste_list(text))
    elif kind in ("text list", "number list"):
        read = read_list(kind, paste_list(text))
    elif kind == "unknown":
        read = read_like({}, text)
    else:
        read = read_value(kind, text)
    problem = read.problem or "This cannot be read. Type it again."
    words = columns.words_of(columns.key_of_rule(rule.wire) or "")
    if words is not None and words.whole and slot == "value":
        # People type what it is called: the filter knows it by number only.
        problem += f" {_BY_ID}"
    return problem


def words_at(rule: RuleDraft, slot: str, said: str) -> list[tuple[str, str]]:
    """Where a problem that the interface's rules find stands on the screen, and how it is said there."""
    match slot:
        case "column":
            return [("column", _column_words(rule))]
        case "operator":
            return [("operator", _operator_words(rule))]
        case "data_type":
            return [("data_type", "Choose what the attribute holds.")]
        case "field_id":
            return [("field_id", _id_words(rule.wire.get("contactFieldId"), "contact field"))]
        case "attribute_id":
            return [("attribute_id", _id_words(rule.wire.get("attributeId"), "attribute"))]
        case "values":
            return [("values", _attribute_value_words(rule))]
        case "value":
            return _value_words(rule, said)
    return [(slot, said)]


def _column_words(rule: RuleDraft) -> str:
    name = rule.wire.get("columnName")
    if columns.key_of_rule(rule.wire) is not None:
        return "What kind of value it holds is not what the column holds. Choose the column again."
    if not name:
        return "Choose what the rule looks at."
    alike = same_named(rule.wire)
    if alike:
        return f"There is no “{name}” like this. Choose {' or '.join(alike)}."
    return f"“{name}” is not a column that a filter can use. Choose another."


def _operator_words(rule: RuleDraft) -> str:
    operator, option = rule.wire.get("operator"), rule.wire.get("contactFilterOption")
    if not operator:
        return "Choose how to compare."
    if operator not in columns.operators_of(rule.wire):
        return "This cannot be compared so. Choose another comparison."
    one, other = columns.operator_words(rule.wire, str(operator)), columns.operator_words(rule.wire, str(option))
    return f"It says both “{one}” and “{other}”. Choose one of them."


def _id_words(value: Any, what: str) -> str:
    if value is None:
        return f"Give the id of the {what}."
    return f"This cannot be the id of the {what}: an id is a whole number above 0."


def _attribute_value_words(rule: RuleDraft) -> str:
    if not rule.wire.get("attributeValues"):
        return "Give at least one value to look for."
    return "Each value to look for has to be a text that is not blank. Type them again."


def _value_words(rule: RuleDraft, said: str) -> list[tuple[str, str]]:
    kind = editor_kind(rule.wire)
    value = rule.wire.get("columnValue")
    if kind in ("moment range", "pattern") and value is not None:
        return _span_words(rule, kind, said)
    if value is None or value in ("", []) or (isinstance(value, str) and not value.strip()):
        if kind == "moment range":
            return [("from", "Give the beginning."), ("until", "Give the end.")]
        return [("value", _MISSING.get(kind, said))]
    return [("value", said)]


def _span_words(rule: RuleDraft, kind: str, said: str) -> list[tuple[str, str]]:
    value = rule.wire.get("columnValue")
    if kind == "pattern" and isinstance(value, list) and value[:1] not in ([PATTERN_NOW], [PATTERN_BETWEEN]):
        return [("value", said)]
    first, last = span_of(rule.wire)
    whole = [isinstance(each, int) and not isinstance(each, bool) for each in (first, last)]
    if not isinstance(value, list) or len(value) != (3 if kind == "pattern" else 2) or value[0] == PATTERN_NOW:
        return [("value" if kind == "pattern" else "from", said)]
    if all(whole):
        return [("until", "The end is before the beginning.")]
    words = []
    if not whole[0]:
        words.append(("from", "Give the beginning." if first is None else "This is not a moment. Type it again."))
    if not whole[1]:
        words.append(("until", "Give the end." if last is None else "This is not a moment. Type it again."))
    return words
