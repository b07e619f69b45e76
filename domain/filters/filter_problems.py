"""The errors that prevent a filter from being saved, by rule and field, in the words of the screen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from client import FieldError
from client.models.contact_filter_rules import contact_filter_problems
from client.vocabulary.contact_filters import COLUMNS, PATTERN_BETWEEN
from domain.filters import columns
from domain.filters.columns import column_key
from domain.filters.filter_draft import FilterDraft, RuleDraft, base_filter, to_filter
from domain.filters.filter_form import FILTER_FORM, RULE_ERROR_PLACES, RULES
from domain.filters.values import editable_text, editor_kind, read_slot, span_of, value_texts
from domain.forms.form import Place, Problems

_SLOT_WORDS: Final = {
    "field_id": "the contact field ID",
    "column": "the column",
    "operator": "the comparison",
    "value": "the value",
    "attribute_id": "the attribute ID",
    "values": "the values",
    "data_type": "the data type",
}
_MISSING: Final[dict[str, str]] = {
    "text": "Enter the text to compare with.",
    "number": "Enter the number to compare with.",
    "whole number": "Enter the whole number to compare with.",
    "moment": "Enter the date and time to compare with.",
    "text list": "Enter at least one value.",
    "number list": "Enter at least one whole number.",
    "pattern": "Select “now” or “between”.",
    "country": "Select a country.",
    "airport": "Select an airport.",
    "unknown": "Enter the value to compare with.",
}


def find_problems(draft: FilterDraft) -> Problems:
    """Return all errors that prevent saving, and those that the service returned last.

    Places in a rule are "column", "operator", "data_type" and those of `RuleDraft.typed`; the filter itself has "name".
    """
    found = Problems()
    own = FILTER_FORM.place_errors(draft, contact_filter_problems(to_filter(draft), stored=base_filter(draft)))
    refused = FILTER_FORM.place_errors(draft, [FieldError(*each) for each in draft.refused])
    for rule in draft.active_rules:
        for slot, text in rule.typed.items():
            found.add(rule.uid, slot, _typed_problem(rule, slot, text))
        for place, message in own.of(rule.uid):
            for slot, words in _messages_at(rule, place, message):
                if slot not in rule.typed:
                    found.add(rule.uid, slot, words)
        for slot, message in refused.of(rule.uid):
            rejected = _SLOT_WORDS[slot] if slot else "the rule"
            found.add(rule.uid, slot or "column", f"The service rejected {rejected}: {message}")
    for uid, path in ((draft.uid, "name"), (draft.uid, ""), (RULES, "")):
        for message in (*own.at(uid, path), *refused.at(uid, path)):
            all_muted = uid == RULES and draft.rules and not draft.active_rules
            found.add(uid, path, "All rules are muted. Unmute at least one." if all_muted else message)
    return found


def find_stored_rule_errors(rule: RuleDraft) -> list[str]:
    """Return the errors that a stored rule would have if it were new. A service may keep rules that are no longer
    valid.
    """
    alone = FilterDraft(name="-", rules=[rule.model_copy(update={"typed": {}, "muted": False})])
    return [words for _, words in find_problems(alone).of(rule.uid)]


def problems_to_show(draft: FilterDraft, problems: Problems) -> Problems:
    """Return the problems to show: all after an attempt to save; before that, only those of fields with a value."""
    if draft.checked or draft.refused:
        return problems
    rules = {rule.uid: rule for rule in draft.active_rules}

    def is_started(place: Place, _unfinished: bool) -> bool:
        uid, slot = place
        if uid not in rules:
            return slot == "name" and bool(draft.name.strip())
        values = [rules[uid].payload.get(name) for name, at in RULE_ERROR_PLACES.items() if at == slot != "value"]
        return slot in rules[uid].typed or any(values) or bool(value_texts(rules[uid]).get(slot))

    return problems.filter(is_started)


def _typed_problem(rule: RuleDraft, slot: str, text: str) -> str:
    """Return why the text of a field cannot be read."""
    # If the column is unknown, only the type of the old value shows what is expected.
    payload = {**rule.payload, "columnValue": {}} if editor_kind(rule.payload) == "unknown" else rule.payload
    problem = read_slot(payload, slot, text).problem or "Muster cannot read this value. Enter it again."
    words = columns.labels_of(columns.key_of_rule(rule.payload) or "")
    # Users type the name, but the filter needs the ID.
    by_id = words is not None and words.is_id and slot == "value" and any(map(str.isalpha, text))
    return f"{problem} Enter the ID, or add its name in IDs and names." if by_id else problem


def _messages_at(rule: RuleDraft, slot: str, message: str) -> Iterator[tuple[str, str]]:
    """Yield the field and the message on the screen for a problem found by the client."""
    payload, is_custom = rule.payload, columns.is_custom(rule.payload)
    match slot:
        case "column" | "" | "data_type" if not (is_custom and slot == "data_type"):
            yield "column", _column_message(rule)
        case "operator":
            yield slot, _operator_message(rule)
        case "data_type":
            yield slot, "Select the data type of the attribute."
        case "field_id":
            yield slot, _id_message(payload.get("contactFieldId"), "contact field")
        case "attribute_id":
            yield slot, _id_message(payload.get("attributeId"), "attribute")
        case "values" if payload.get("attributeValues"):
            yield slot, "Each value must be text that is not blank. Enter the values again."
        case "value":
            yield from _value_messages(rule, message)
        case _:
            yield slot, message


def _column_message(rule: RuleDraft) -> str:
    name = rule.payload.get("columnName")
    if columns.key_of_rule(rule.payload) is not None:
        return "The data type of the rule differs from that of the column. Select the column again."
    if not name:
        return "Select a column."
    alike = [columns.column_label(column_key(column)) for column in COLUMNS if column.name == name]
    if alike:
        return f"“{name}” is not a column of this type. Select {' or '.join(alike)}."
    return f"“{name}” is not a column that a filter can use. Select another column."


def _operator_message(rule: RuleDraft) -> str:
    payload, option = rule.payload, rule.payload.get("contactFilterOption")
    if not payload.get("operator"):
        message = (
            f" The option of the rule is “{columns.operator_label(payload, option)}”."
            if isinstance(option, str)
            else ""
        )
        return f"Select a comparison.{message}"
    one = columns.operator_label(payload, editable_text(payload["operator"]))
    if payload["operator"] not in columns.operators_of(payload):
        return f"The column has no comparison “{one.strip('“”')}”. Select another comparison."
    other = columns.operator_label(payload, editable_text(option))
    return f"The rule has two comparisons, “{one}” and “{other}”. Select one."


def _id_message(value: Any, what: str) -> str:
    if value is None:
        return f"Enter the ID of the {what}."
    return f"The ID of the {what} must be a whole number above 0."


def _value_messages(rule: RuleDraft, message: str) -> Iterator[tuple[str, str]]:
    kind, value = editor_kind(rule.payload), rule.payload.get("columnValue")
    ends = {"from": "Enter the beginning.", "until": "Enter the end."}
    if value is None or value in ("", []) or (isinstance(value, str) and not value.strip()):
        yield from ends.items() if kind == "moment range" else [("value", _MISSING.get(kind, message))]
        return
    is_span = isinstance(value, list) and kind in ("moment range", "pattern")
    if not is_span or (value[0] != PATTERN_BETWEEN if kind == "pattern" else len(value) != 2):
        yield ("from" if kind == "moment range" else "value"), message
        return
    moments = dict(zip(ends, span_of(rule.payload), strict=True))
    odd = [slot for slot, each in moments.items() if not isinstance(each, int) or isinstance(each, bool)]
    for slot in odd:
        yield slot, ends[slot] if moments[slot] is None else "The date and time aren’t valid. Enter them again."
    if not odd:
        yield "until", "The end is before the beginning."
