"""The steps that change a filter draft in the rule builder.

Each step takes a draft and returns another, so that it can be undone. The values of a rule are named by slot: "value",
"from", "until", "values" (of a custom attribute), "field_id", and "attribute_id".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any, Final

from client.vocabulary.contact_filters import PATTERN_BETWEEN, PATTERN_NOW
from domain.filters import columns, values
from domain.filters.filter_draft import FilterDraft, RuleDraft
from domain.filters.values import (
    ParsedValue,
    editor_kind,
    paste_list,
    quote_items,
    span_of,
    value_items,
    value_texts,
)
from domain.forms.form import new_uid

NO_IDS: Final[Mapping[str, int]] = {}

_COLUMN_PARTS: Final = (
    "contactFieldId",
    "columnName",
    "columnValue",
    "type",
    "dataType",
    "operator",
    "contactFilterOption",
    "embeddedColumnName",
    "attributeId",
    "attributeValues",
)
_VALUE_SLOTS: Final = ("value", "from", "until", "values")
_SLOT_OF_TEXT: Final[Mapping[str, str]] = {"custom": "values", "moment range": "from", "pattern": "from"}
"""The slot of an unreadable text after a change to this kind of value; "value" for all others."""
_AMONG_SEVERAL: Final[Mapping[str, str]] = {"E": "IN", "NE": "NIN"}
"""The operator for an attribute with several values, by the one for a single value."""


def new_filter() -> FilterDraft:
    """Create a filter draft with one rule that has no column yet."""
    return FilterDraft(rules=[RuleDraft()])


def rename(draft: FilterDraft, name: str) -> FilterDraft:
    """Set the name of the filter."""
    return draft if name == draft.name else draft.model_copy(update={"name": name, "refused": []})


def add_rule(draft: FilterDraft, key: str | None = None, field_ids: Mapping[str, int] = NO_IDS) -> FilterDraft:
    """Add a rule, over the column with this key if there is one."""
    rule = RuleDraft()
    return _with_rules(draft, [*draft.rules, rule if key is None else with_column(rule, key, field_ids)])


def duplicate(draft: FilterDraft, uid: str) -> FilterDraft:
    """Insert a copy of a rule after it, without the ID of the stored rule."""
    rules: list[RuleDraft] = []
    for rule in draft.rules:
        rules.append(rule)
        if rule.uid == uid:
            payload = {name: deepcopy(value) for name, value in rule.payload.items() if name != "id"}
            rules.append(rule.model_copy(deep=True, update={"uid": new_uid(), "payload": payload, "stored": None}))
    return _with_rules(draft, rules)


def move(draft: FilterDraft, uid: str, by: int) -> FilterDraft:
    """Move a rule up (negative) or down, at most to the end of the list."""
    here = next((number for number, rule in enumerate(draft.rules) if rule.uid == uid), None)
    if here is None:
        return draft
    rules = list(draft.rules)
    there = min(max(here + by, 0), len(rules) - 1)
    if there == here:
        return draft
    rules.insert(there, rules.pop(here))
    return _with_rules(draft, rules)


def mute(draft: FilterDraft, uid: str, on: bool = True) -> FilterDraft:
    """Mute a rule, which leaves it out of what is sent, or unmute it."""
    return _change(draft, uid, lambda rule: rule.model_copy(update={"muted": on}))


def remove(draft: FilterDraft, uid: str) -> FilterDraft:
    """Remove a rule."""
    return _with_rules(draft, [rule for rule in draft.rules if rule.uid != uid])


def set_column(
    draft: FilterDraft, uid: str, key: str, field_ids: Mapping[str, int] = NO_IDS, zone: str = "UTC"
) -> FilterDraft:
    """Change the column of a rule and keep its operator and value if they fit."""
    return _change(draft, uid, lambda rule: with_column(rule, key, field_ids, zone))


def set_attribute(draft: FilterDraft, uid: str, attribute_id: int, rule_type: str, data_type: str) -> FilterDraft:
    """Change a rule to one over this custom attribute."""
    key = next(key for key, each in columns.CUSTOM_TYPES.items() if each == rule_type)
    draft = set_value(set_column(draft, uid, key), uid, "attribute_id", str(attribute_id))
    return set_data_type(draft, uid, data_type)


def set_operator(draft: FilterDraft, uid: str, operator: str, zone: str = "UTC") -> FilterDraft:
    """Change the operator of a rule and keep its value if it fits."""
    return _change(draft, uid, lambda rule: with_operator(rule, operator, zone))


def set_operator_and_option(draft: FilterDraft, uid: str, operator: str, zone: str = "UTC") -> FilterDraft:
    """Set the operator and the option of a stored rule whose operator is missing or differs from its option."""
    return _change(draft, uid, lambda rule: _by_operator(rule, operator, zone))


def set_data_type(draft: FilterDraft, uid: str, data_type: str, zone: str = "UTC") -> FilterDraft:
    """Change the data type of a custom attribute, keep its operator if it fits, and read its values again."""
    return _change(draft, uid, lambda rule: with_data_type(rule, data_type, zone))


def set_value(draft: FilterDraft, uid: str, slot: str, text: str | Sequence[str], zone: str = "UTC") -> FilterDraft:
    """Set the value of a slot from its text, or from the texts of a list. See `with_value`."""
    return _change(draft, uid, lambda rule: with_value(rule, slot, text, zone))


def add_items(draft: FilterDraft, uid: str, slot: str, text: str, zone: str = "UTC") -> FilterDraft:
    """Add the items of a pasted text to the list of a rule, without duplicates."""

    def change(rule: RuleDraft) -> RuleDraft:
        items = paste_list(rule.typed[slot]) if slot in rule.typed else values.value_items(rule, zone)
        present = set(items)
        new_items = [item for item in paste_list(text) if item not in present]
        return with_value(rule, slot, [*items, *new_items], zone) if new_items else rule

    return _change(draft, uid, change)


def share_field_ids(draft: FilterDraft) -> FilterDraft:
    """Fill in missing contact field IDs of new rules from other rules of the filter over the same column."""
    field_ids = field_ids_in(draft)
    for rule in draft.rules:
        field_id = field_ids.get(columns.key_of_rule(rule.payload) or "")
        is_missing = rule.payload.get("contactFieldId") is None and "field_id" not in rule.typed
        if field_id is not None and is_missing and columns.needs_field_id(rule.payload) and rule.stored is None:
            draft = set_value(draft, rule.uid, "field_id", str(field_id))
    return draft


def with_operator(rule: RuleDraft, operator: str, zone: str = "UTC") -> RuleDraft:
    """Return the rule with another operator, and with its value if it fits."""
    return rule if rule.payload.get("operator") == operator else _by_operator(rule, operator, zone)


def with_data_type(rule: RuleDraft, data_type: str, zone: str = "UTC") -> RuleDraft:
    """Return the rule over a custom attribute with another data type; its values are read again."""
    if rule.payload.get("dataType") == data_type:
        return rule
    payload = {**rule.payload, "dataType": data_type}
    operators = columns.operators_of(payload)
    if payload.get("operator") not in operators:
        first = columns.first_operator(payload)
        payload |= {"operator": first, "contactFilterOption": first}
    changed, text = rule.model_copy(update={"payload": payload}), rule.typed.get("values") or value_items(rule, zone)
    if not text:
        return changed
    empty = {name: value for name, value in payload.items() if name != "attributeValues"}
    return _with_reading(changed, "values", "attributeValues", text, values.read_slot(empty, "values", text, zone))


def with_value(rule: RuleDraft, slot: str, text: str | Sequence[str], zone: str = "UTC") -> RuleDraft:
    """Return the rule with the value read from a text, or from the texts of a list.

    A text that cannot be read stays in `typed`. A text that equals the one shown changes nothing, so that a stored
    value in another notation stays as it is. Slot "value" of a pattern takes its first element.
    """
    if isinstance(text, str):
        if text == values.value_texts(rule, zone).get(slot, ""):
            return rule
    elif slot not in rule.typed and list(text) == values.value_items(rule, zone):
        return rule
    kind = editor_kind(rule.payload)
    if slot in values.ID_SLOTS:
        return _with_reading(rule, slot, values.ID_SLOTS[slot], text, values.read_slot(rule.payload, slot, text, zone))
    if kind in ("moment range", "pattern"):
        return _put_span(rule, kind, slot, text, zone)
    slot = "values" if kind == "custom" else slot if kind == "moment" else "value"
    name = "attributeValues" if kind == "custom" else "columnValue"
    return _with_reading(rule, slot, name, text, values.read_slot(rule.payload, slot, text, zone))


def _put_span(rule: RuleDraft, kind: str, slot: str, text: str | Sequence[str], zone: str) -> RuleDraft:
    first, last = span_of(rule.payload)
    if slot == "value":
        return _put_pattern(rule, text, first, last)
    read = values.read_slot(rule.payload, slot, text, zone)
    span = [read.value, last] if slot == "from" else [first, read.value]
    whole: list[Any] | None = [PATTERN_BETWEEN, *span] if kind == "pattern" else span if span != [None, None] else None
    return _with_reading(rule, slot, "columnValue", text, ParsedValue(whole, read.problem))


def _put_pattern(rule: RuleDraft, word: Any, first: Any, last: Any) -> RuleDraft:
    payload = dict(rule.payload)
    if word == PATTERN_NOW:
        payload["columnValue"] = [PATTERN_NOW, None, None]
    elif word == PATTERN_BETWEEN:
        payload["columnValue"] = [PATTERN_BETWEEN, first, last]
    else:
        payload.pop("columnValue", None)
    typed = {
        slot: text
        for slot, text in rule.typed.items()
        if slot in values.ID_SLOTS or (slot != "value" and word == PATTERN_BETWEEN)
    }
    return rule.model_copy(update={"payload": payload, "typed": typed})


def _with_reading(rule: RuleDraft, slot: str, name: str, text: str | Sequence[str], read: ParsedValue) -> RuleDraft:
    """Return the rule with the value that was read, or with the text if it could not be read."""
    typed = {name: typed for name, typed in rule.typed.items() if name != slot}
    if read.problem is not None:
        typed[slot] = text if isinstance(text, str) else quote_items(text)
    payload = {field: value for field, value in rule.payload.items() if field != name}
    if read.value is not None:
        # In its old position, so that a stored rule keeps the order of its fields.
        payload = {**rule.payload, name: read.value}
    return rule.model_copy(update={"payload": payload, "typed": typed})


def with_column(rule: RuleDraft, key: str, field_ids: Mapping[str, int] = NO_IDS, zone: str = "UTC") -> RuleDraft:
    """Return the rule over another column, with its operator and value if they fit."""
    before = rule.payload
    if columns.key_of_rule(before) == key:
        return rule
    payload: dict[str, Any] = {name: value for name, value in before.items() if name not in _COLUMN_PARTS}
    column = columns.find_column(key)
    if column is not None:
        if columns.needs_field_id({"type": column.rule_type}) and field_ids.get(key):
            payload["contactFieldId"] = field_ids[key]
        payload |= {"columnName": column.name, "type": column.rule_type, "dataType": column.data_type}
        if column.embedded:
            payload["embeddedColumnName"] = column.embedded
    elif key in columns.CUSTOM_TYPES:
        payload |= {"type": columns.CUSTOM_TYPES[key], "dataType": "STRING"}
        if columns.is_custom(before):
            parts = ("dataType", "attributeId", "attributeValues")
            payload |= {name: before[name] for name in parts if before.get(name) is not None}
    else:
        return rule
    operator = before.get("operator")
    if columns.is_custom_array(payload):
        operator = _AMONG_SEVERAL.get(str(operator), operator)
    if operator not in columns.operators_of(payload):
        operator = columns.first_operator(payload)
    payload |= {"operator": operator, "contactFilterOption": operator}
    dropped = {"field_id", "attribute_id"} if not columns.is_custom(payload) else {"field_id"}
    return _fitted(rule, before, payload, dropped, zone)


def _by_operator(rule: RuleDraft, operator: str, zone: str) -> RuleDraft:
    payload = {**rule.payload, "operator": operator, "contactFilterOption": operator}
    return _fitted(rule, rule.payload, payload, set(), zone)


def _fitted(
    rule: RuleDraft, before: Mapping[str, Any], payload: dict[str, Any], dropped: set[str], zone: str
) -> RuleDraft:
    """Return the rule with its new fields, and with its old value and texts as far as the new kind of value fits."""
    if columns.is_custom(payload) and columns.is_custom(before):
        if values.custom_kind(payload) == "moment" and "attributeValues" in payload:
            payload["attributeValues"] = _whole_days(before, payload, values.elements_of(payload), zone)
    else:
        name = "attributeValues" if columns.is_custom(payload) else "columnValue"
        value = _fitting_value(before, payload, zone)
        payload = {part: each for part, each in payload.items() if part != name or value is not None}
        payload |= {} if value is None else {name: value}
    typed = {slot: text for slot, text in rule.typed.items() if slot not in dropped}
    if editor_kind(before) == editor_kind(payload):
        return rule.model_copy(update={"payload": payload, "typed": typed})
    ids = {slot: text for slot, text in typed.items() if slot in values.ID_SLOTS}
    fitted = rule.model_copy(update={"payload": payload, "typed": ids})
    texts = {slot: text for slot, text in typed.items() if slot in _VALUE_SLOTS}
    kind, shown = editor_kind(payload), value_texts(rule, zone)
    if not texts or kind == "none":
        return fitted
    if "until" not in shown or kind not in ("moment range", "pattern"):
        # Both ends of a span go into the single field, even if only one of them cannot be read.
        ends = [shown[slot] for slot in ("from", "until") if shown.get(slot)]
        texts = {_SLOT_OF_TEXT.get(kind, "value"): "; ".join(ends or texts.values())}
    for slot, text in texts.items():
        fitted = with_value(fitted, slot, text, zone)
    return fitted


def _fitting_value(before: Mapping[str, Any], after: Mapping[str, Any], zone: str) -> Any:
    """Return the old value in the form of the new kind of value; None if nothing of it fits.

    If column and kind stay the same, a value that does not fit as a whole stays as it is.
    """
    value, elements, kind = before.get("columnValue"), values.elements_of(before), editor_kind(after)
    key, data_type = columns.key_of_rule(before), columns.data_type_of(before)
    if len(elements) == 3 and elements[0] in (PATTERN_NOW, PATTERN_BETWEEN):
        elements = elements[1:]
    elements = [
        each if isinstance(each, str | int | float) and not isinstance(each, bool) else None for each in elements
    ]
    is_span, is_list = kind in ("pattern", "moment range"), kind in ("text list", "number list")
    fits: list[Any]
    match kind:
        case "unknown":
            return value
        case "custom":
            # Values of an attribute are texts. Dates are not converted.
            is_text_like = data_type in ("STRING", "NUMBER") and not columns.is_pattern(key)
            return (
                [values.editable_text(each) for each in elements if each is not None] or None if is_text_like else None
            )
        case "none":
            return None
        case "pattern" if data_type == "DATE" and isinstance(value, list) and value[:1] == [PATTERN_NOW]:
            return value
        case "pattern" | "moment range" | "moment":
            moments = [_moment(each) if data_type == "DATE" else None for each in elements]
            fits = _whole_days(before, after, moments, zone)
        case "text" | "text list" | "country" | "airport":
            texts = (str, int, float) if data_type == "STRING" else str
            fits = [values.editable_text(each) if isinstance(each, texts) else None for each in elements]
        case _:
            fits = [values.read_value(kind, values.editable_text(each)).value for each in elements]
    present = [each for each in fits if each is not None]
    fits_whole = len(present) == len(elements) and (is_list or len(elements) <= (2 if is_span else 1))
    if not fits_whole and columns.key_of_rule(after) == key and editor_kind(before) == kind:
        return value
    if is_span and present:
        pair = [*fits, None][:2]
        return [PATTERN_BETWEEN, *pair] if kind == "pattern" else pair
    return (present or None) if is_list else next(iter(present), None)


def _whole_days(before: Mapping[str, Any], after: Mapping[str, Any], elements: Sequence[Any], zone: str) -> list[Any]:
    """Return moments, with days without a time moved to the end of the day that the new comparison means."""
    whole = []
    for number, each in enumerate(elements):
        moment, ends = _moment(each), values.means_day_end(after, number)
        if moment is not None and ends is not values.means_day_end(before, number):
            moment = values.move_to_day_end(moment, zone, end_of_day=ends)
            each = str(moment) if isinstance(each, str) else moment
        whole.append(each)
    return whole


def _moment(value: Any) -> int | None:
    """Return epoch milliseconds, which may be in a text."""
    if isinstance(value, str):
        return int(value) if values.PASTED_MILLISECONDS.fullmatch(value) else None
    return value if isinstance(value, int) else None


def _change(draft: FilterDraft, uid: str, change: Callable[[RuleDraft], RuleDraft]) -> FilterDraft:
    rules = [change(rule) if rule.uid == uid else rule for rule in draft.rules]
    return (
        draft if all(one is other for one, other in zip(rules, draft.rules, strict=True)) else _with_rules(draft, rules)
    )


def _with_rules(draft: FilterDraft, rules: list[RuleDraft]) -> FilterDraft:
    """Return the draft with other rules and without the errors of the service."""
    return draft.model_copy(update={"rules": rules, "refused": []})


def field_ids_in(draft: FilterDraft) -> dict[str, int]:
    """Return the contact field IDs in the rules of this filter, by column."""
    field_ids: dict[str, int] = {}
    for rule in draft.rules:
        key, field_id = columns.key_of_rule(rule.payload), rule.payload.get("contactFieldId")
        if key is not None and isinstance(field_id, int) and field_id > 0:
            field_ids.setdefault(key, field_id)
    return field_ids
