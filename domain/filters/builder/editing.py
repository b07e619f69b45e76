"""What can be done to a filter being built, and what its fields show and take.

Each step takes a draft and gives another, so that it can be undone. A field is called by the slot of the rule that it
fills and how it edits that: "value/text", "until/day".
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any, Final

from client.models.contact_filters import ContactFilter
from client.vocabulary.contact_filters import PATTERN_BETWEEN, PATTERN_NOW
from client.vocabulary.limits import LONG_MAX
from domain.filters import columns, values
from domain.filters.filter_draft import FilterDraft, RuleDraft
from domain.filters.values import (
    Reading,
    editor_kind,
    joined_parts,
    local_moment,
    moment_parts,
    paste_list,
    quoted,
    span_of,
    value_items,
    value_texts,
)
from domain.forms.form import Place, new_uid

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
"""Where a text that could not be read goes on to stand, when another kind of value is asked for; else in "value"."""
_AMONG_SEVERAL: Final[Mapping[str, str]] = {"E": "IN", "NE": "NIN"}
"""What is meant by a comparison with one value where a person has several."""


def new_filter() -> FilterDraft:
    """A new filter to begin with: no name, and one rule whose column is still to be chosen."""
    return FilterDraft(rules=[RuleDraft()])


def rename(draft: FilterDraft, name: str) -> FilterDraft:
    """Give the filter a name."""
    return draft if name == draft.name else draft.model_copy(update={"name": name, "refused": []})


def add_rule(draft: FilterDraft, key: str | None = None, field_ids: Mapping[str, int] = NO_IDS) -> FilterDraft:
    """Add a rule over a column, or one whose column is still to be chosen."""
    rule = RuleDraft()
    return _with(draft, [*draft.rules, rule if key is None else _over_column(rule, key, field_ids, "UTC")])


def duplicate(draft: FilterDraft, uid: str) -> FilterDraft:
    """Put a copy of a rule right after it; the copy is a rule of its own, without the id the stored one has."""
    rules: list[RuleDraft] = []
    for rule in draft.rules:
        rules.append(rule)
        if rule.uid == uid:
            wire = {name: deepcopy(value) for name, value in rule.wire.items() if name != "id"}
            rules.append(rule.model_copy(deep=True, update={"uid": new_uid(), "wire": wire, "stored": None}))
    return _with(draft, rules)


def move(draft: FilterDraft, uid: str, by: int) -> FilterDraft:
    """Move a rule up (negative) or down; it stops at either end."""
    here = next((number for number, rule in enumerate(draft.rules) if rule.uid == uid), None)
    if here is None:
        return draft
    rules = list(draft.rules)
    there = min(max(here + by, 0), len(rules) - 1)
    if there == here:
        return draft
    rules.insert(there, rules.pop(here))
    return _with(draft, rules)


def mute(draft: FilterDraft, uid: str, on: bool = True) -> FilterDraft:
    """Mute a rule, so that it stays here and is not sent; or let it count again."""
    return _change(draft, uid, lambda rule: rule.model_copy(update={"muted": on}))


def remove(draft: FilterDraft, uid: str) -> FilterDraft:
    """Take a rule out."""
    return _with(draft, [rule for rule in draft.rules if rule.uid != uid])


def set_column(
    draft: FilterDraft, uid: str, key: str, field_ids: Mapping[str, int] = NO_IDS, zone: str = "UTC"
) -> FilterDraft:
    """Let a rule look at another column; operator and value stay where they fit it."""
    return _change(draft, uid, lambda rule: _over_column(rule, key, field_ids, zone))


def set_operator(draft: FilterDraft, uid: str, operator: str, zone: str = "UTC") -> FilterDraft:
    """Compare by another operator; the value stays where it fits. The same operator changes nothing."""

    def change(rule: RuleDraft) -> RuleDraft:
        return rule if rule.wire.get("operator") == operator else _by_operator(rule, operator, zone)

    return _change(draft, uid, change)


def agree(draft: FilterDraft, uid: str, operator: str, zone: str = "UTC") -> FilterDraft:
    """Mend a stored rule whose operator is missing or not the same as its option: both become this one."""
    return _change(draft, uid, lambda rule: _by_operator(rule, operator, zone))


def set_data_type(draft: FilterDraft, uid: str, data_type: str, zone: str = "UTC") -> FilterDraft:
    """Say what a custom attribute holds; the operator stays where it fits, and the values are read anew."""

    def change(rule: RuleDraft) -> RuleDraft:
        if rule.wire.get("dataType") == data_type:
            return rule
        wire = {**rule.wire, "dataType": data_type}
        operators = columns.operators_of(wire)
        if wire.get("operator") not in operators:
            first = columns.first_operator(wire)
            wire |= {"operator": first, "contactFilterOption": first}
        changed, said = rule.model_copy(update={"wire": wire}), rule.typed.get("values") or value_items(rule, zone)
        if not said:
            return changed
        empty = {name: value for name, value in wire.items() if name != "attributeValues"}
        return _taken(changed, "values", "attributeValues", said, values.read_slot(empty, "values", said, zone))

    return _change(draft, uid, change)


def set_value(draft: FilterDraft, uid: str, slot: str, said: str | Sequence[str], zone: str = "UTC") -> FilterDraft:
    """Put what was typed or chosen into a field of a rule: a text, or the texts of a list.

    A text that cannot be read stays in `typed`. What the field shows already changes nothing, so that no value is lost
    by being shown. Slot "value" of a pattern takes its first element.
    """
    return _change(draft, uid, lambda rule: _put(rule, slot, said, zone))


def add_items(draft: FilterDraft, uid: str, slot: str, text: str, zone: str = "UTC") -> FilterDraft:
    """Add the items of a pasted text to the list that a rule has; what stands in it already is not added again."""

    def change(rule: RuleDraft) -> RuleDraft:
        present = paste_list(rule.typed[slot]) if slot in rule.typed else values.value_items(rule, zone)
        stands = set(present)
        added = [item for item in paste_list(text) if item not in stands]
        return _put(rule, slot, [*present, *added], zone) if added else rule

    return _change(draft, uid, change)


def _put(rule: RuleDraft, slot: str, said: str | Sequence[str], zone: str) -> RuleDraft:
    """The rule with what was typed into a field, where that is something else than the field shows."""
    if isinstance(said, str):
        if said == values.value_texts(rule, zone).get(slot, ""):
            return rule
    elif slot not in rule.typed and list(said) == values.value_items(rule, zone):
        return rule
    kind = editor_kind(rule.wire)
    if slot in values.ID_SLOTS:
        return _taken(rule, slot, values.ID_SLOTS[slot], said, values.read_slot(rule.wire, slot, said, zone))
    if kind in ("moment range", "pattern"):
        return _put_span(rule, kind, slot, said, zone)
    slot = "values" if kind == "custom" else slot if kind == "moment" else "value"
    name = "attributeValues" if kind == "custom" else "columnValue"
    return _taken(rule, slot, name, said, values.read_slot(rule.wire, slot, said, zone))


def _put_span(rule: RuleDraft, kind: str, slot: str, said: str | Sequence[str], zone: str) -> RuleDraft:
    first, last = span_of(rule.wire)
    if slot == "value":
        return _put_pattern(rule, said, first, last)
    read = values.read_slot(rule.wire, slot, said, zone)
    span = [read.value, last] if slot == "from" else [first, read.value]
    whole: list[Any] | None = [PATTERN_BETWEEN, *span] if kind == "pattern" else span if span != [None, None] else None
    return _taken(rule, slot, "columnValue", said, Reading(whole, read.problem))


def _put_pattern(rule: RuleDraft, word: Any, first: Any, last: Any) -> RuleDraft:
    wire = dict(rule.wire)
    if word == PATTERN_NOW:
        wire["columnValue"] = [PATTERN_NOW, None, None]
    elif word == PATTERN_BETWEEN:
        wire["columnValue"] = [PATTERN_BETWEEN, first, last]
    else:
        wire.pop("columnValue", None)
    kept = {slot: text for slot, text in rule.typed.items() if slot != "value" and word == PATTERN_BETWEEN}
    ids = {slot: text for slot, text in rule.typed.items() if slot in values.ID_SLOTS}
    return rule.model_copy(update={"wire": wire, "typed": {**kept, **ids}})


def _taken(rule: RuleDraft, slot: str, name: str, said: str | Sequence[str], read: Reading) -> RuleDraft:
    """The rule with what was read at its place, or with the text kept where it could not be read."""
    typed = {where: text for where, text in rule.typed.items() if where != slot}
    if read.problem is not None:
        typed[slot] = said if isinstance(said, str) else quoted(said)
    wire = {field: value for field, value in rule.wire.items() if field != name}
    if read.value is not None:
        # In its old place, so that an untouched neighbour goes back in the order it came.
        wire = {**rule.wire, name: read.value}
    return rule.model_copy(update={"wire": wire, "typed": typed})


def _over_column(rule: RuleDraft, key: str, field_ids: Mapping[str, int], zone: str) -> RuleDraft:
    before = rule.wire
    if columns.key_of_rule(before) == key:
        return rule
    wire: dict[str, Any] = {name: value for name, value in before.items() if name not in _COLUMN_PARTS}
    column = columns.column_named(key)
    if column is not None:
        if columns.needs_field_id({"type": column.rule_type}) and field_ids.get(key):
            wire["contactFieldId"] = field_ids[key]
        wire |= {"columnName": column.name, "type": column.rule_type, "dataType": column.data_type}
        if column.embedded:
            wire["embeddedColumnName"] = column.embedded
    elif key in columns.CUSTOM_TYPES:
        wire |= {"type": columns.CUSTOM_TYPES[key], "dataType": "STRING"}
        if columns.is_custom(before):
            kept = ("dataType", "attributeId", "attributeValues")
            wire |= {name: before[name] for name in kept if before.get(name) is not None}
    else:
        return rule
    operator = before.get("operator")
    if columns.is_custom_array(wire):
        operator = _AMONG_SEVERAL.get(str(operator), operator)
    if operator not in columns.operators_of(wire):
        operator = columns.first_operator(wire)
    wire |= {"operator": operator, "contactFilterOption": operator}
    dropped = {"field_id", "attribute_id"} if not columns.is_custom(wire) else {"field_id"}
    return _fitted(rule, before, wire, dropped, zone)


def _by_operator(rule: RuleDraft, operator: str, zone: str) -> RuleDraft:
    wire = {**rule.wire, "operator": operator, "contactFilterOption": operator}
    return _fitted(rule, rule.wire, wire, set(), zone)


def _fitted(
    rule: RuleDraft, before: Mapping[str, Any], wire: dict[str, Any], dropped: set[str], zone: str
) -> RuleDraft:
    """The rule with its new parts, and of its old value and of what is typed what the new kind of value can hold."""
    if columns.is_custom(wire) and columns.is_custom(before):
        if values.custom_kind(wire) == "moment" and "attributeValues" in wire:
            wire["attributeValues"] = _whole_days(before, wire, values.elements_of(wire), zone)
    else:
        name = "attributeValues" if columns.is_custom(wire) else "columnValue"
        value = _fitting_value(before, wire, zone)
        wire = {part: each for part, each in wire.items() if part != name or value is not None}
        wire |= {} if value is None else {name: value}
    kept = {slot: text for slot, text in rule.typed.items() if slot not in dropped}
    if editor_kind(before) == editor_kind(wire):
        return rule.model_copy(update={"wire": wire, "typed": kept})
    ids = {slot: text for slot, text in kept.items() if slot in values.ID_SLOTS}
    fitted = rule.model_copy(update={"wire": wire, "typed": ids})
    texts = {slot: text for slot, text in kept.items() if slot in _VALUE_SLOTS}
    kind, shown = editor_kind(wire), value_texts(rule, zone)
    if not texts or kind == "none":
        return fitted
    if "until" not in shown or kind not in ("moment range", "pattern"):
        # Both ends of a span go into the one field there is now, if only one of them cannot be read.
        ends = [shown[slot] for slot in ("from", "until") if shown.get(slot)]
        texts = {_SLOT_OF_TEXT.get(kind, "value"): "; ".join(ends or texts.values())}
    for slot, text in texts.items():
        fitted = _put(fitted, slot, text, zone)
    return fitted


def _fitting_value(before: Mapping[str, Any], after: Mapping[str, Any], zone: str) -> Any:
    """The old value in the form that the new kind of value has; None where nothing of it fits.

    Where column and kind stay, nothing is taken away: a value that does not fit whole stays as it stands.
    """
    value, held, kind = before.get("columnValue"), values.elements_of(before), editor_kind(after)
    key, data_type = columns.key_of_rule(before), columns.data_type_of(before)
    if len(held) == 3 and held[0] in (PATTERN_NOW, PATTERN_BETWEEN):
        held = held[1:]
    held = [each if isinstance(each, str | int | float) and not isinstance(each, bool) else None for each in held]
    is_span, is_list = kind in ("pattern", "moment range"), kind in ("text list", "number list")
    fits: list[Any]
    match kind:
        case "unknown":
            return value
        case "custom":
            # Values of an attribute are texts; moments are not taken over.
            goes_along = data_type in ("STRING", "NUMBER") and not columns.is_pattern(key)
            return [values.shown_text(each) for each in held if each is not None] or None if goes_along else None
        case "none":
            return None
        case "pattern" if data_type == "DATE" and isinstance(value, list) and value[:1] == [PATTERN_NOW]:
            return value
        case "pattern" | "moment range" | "moment":
            moments = [_moment(each) if data_type == "DATE" else None for each in held]
            fits = _whole_days(before, after, moments, zone)
        case "text" | "text list" | "country" | "airport":
            texts = (str, int, float) if data_type == "STRING" else str
            fits = [values.shown_text(each) if isinstance(each, texts) else None for each in held]
        case _:
            fits = [values.read_value(kind, values.shown_text(each)).value for each in held]
    given = [each for each in fits if each is not None]
    fits_whole = len(given) == len(held) and (is_list or len(held) <= (2 if is_span else 1))
    if not fits_whole and columns.key_of_rule(after) == key and editor_kind(before) == kind:
        return value
    if is_span and given:
        pair = [*fits, None][:2]
        return [PATTERN_BETWEEN, *pair] if kind == "pattern" else pair
    return (given or None) if is_list else next(iter(given), None)


def _whole_days(before: Mapping[str, Any], after: Mapping[str, Any], held: Sequence[Any], zone: str) -> list[Any]:
    """Moments, with the days that were given alone whole on the side that is meant now."""
    whole = []
    for number, each in enumerate(held):
        moment, ends = _moment(each), values.ends_by_day(after, number)
        if moment is not None and ends is not values.ends_by_day(before, number):
            moment = values.at_other_end(moment, zone, end_of_day=ends)
            each = str(moment) if isinstance(each, str) else moment
        whole.append(each)
    return whole


def _moment(held: Any) -> int | None:
    """Epoch milliseconds, also where a text holds them."""
    if isinstance(held, str):
        return int(held) if values.PASTED_MILLISECONDS.fullmatch(held) else None
    return held if isinstance(held, int) else None


def _change(draft: FilterDraft, uid: str, change: Callable[[RuleDraft], RuleDraft]) -> FilterDraft:
    rules = [change(rule) if rule.uid == uid else rule for rule in draft.rules]
    return draft if all(one is other for one, other in zip(rules, draft.rules, strict=True)) else _with(draft, rules)


def _with(draft: FilterDraft, rules: list[RuleDraft]) -> FilterDraft:
    """The draft with other rules; what the service refused it for counts no more."""
    return draft.model_copy(update={"rules": rules, "refused": []})


PREFIX: Final = "contact_filter"
OTHER_COLUMN: Final = "?"
"""Stands for the column of a rule that is not in the interface's table."""

MOST_CHIPS: Final = 30
EARLIEST: Final = date(1900, 1, 1)
LATEST: Final = date(2999, 12, 31)


@dataclass(frozen=True)
class Absorbed:
    """The draft with what stands in the fields, and in words what was done.

    `goes_on` where it may be the next letter of something typed, and no choice that is a step of its own.
    """

    draft: FilterDraft
    what: str | None = None
    goes_on: bool = False


def fields_of(rule: RuleDraft, zone: str = "UTC") -> dict[str, Any]:
    """What every field of the rule shows, in the form that its widget takes."""
    wire = rule.wire
    shown = value_texts(rule, zone)
    fields: dict[str, Any] = {
        "column": columns.key_of_rule(wire) or (OTHER_COLUMN if wire else None),
        "operator": columns.text_of(wire, "operator") or None,
    }
    kind = editor_kind(wire)
    match kind:
        case "custom":
            said = wire.get("dataType")
            fields["data_type"] = said if said in columns.CUSTOM_DATA_TYPES else None
            fields["attribute_id/text"] = shown.get("attribute_id", "")
            fields |= _list_fields(rule, "values", shown, zone)
        case "text list" | "number list":
            fields |= _list_fields(rule, "value", shown, zone)
        case "moment":
            fields |= _moment_fields(rule, "value", wire.get("columnValue"), shown, zone)
        case "moment range" | "pattern":
            word = shown.get("value")
            if kind == "pattern":
                fields["value/choice"] = word if word in (PATTERN_NOW, PATTERN_BETWEEN) else None
            if kind == "moment range" or word == PATTERN_BETWEEN:
                for slot, stored in zip(("from", "until"), span_of(wire), strict=True):
                    fields |= _moment_fields(rule, slot, stored, shown, zone)
        case "country":
            fields["value/choice"] = shown.get("value") or None
        case "none":
            pass
        case _:
            fields["value/text"] = shown.get("value", "")
    if columns.needs_field_id(wire):
        fields["field_id/text"] = shown.get("field_id", "")
    return fields


def absorb(
    draft: FilterDraft, typed: Mapping[Place, Any], field_ids: Mapping[str, int] = NO_IDS, zone: str = "UTC"
) -> Absorbed:
    """The draft with what was typed into fields, by the uid of their rule (or of the filter) and their name.

    What a field shows already changes nothing, so that stored values the screen writes differently stay as they are.
    """
    after, whats, goes_on = draft, [], True
    typed_name = typed.get((draft.uid, "name"))
    if isinstance(typed_name, str) and typed_name != draft.name:
        after = rename(after, typed_name)
        whats.append("rename the filter")
    typed_in = {uid for uid, _ in typed}
    for number, rule in enumerate(draft.rules, start=1):
        if rule.uid not in typed_in:
            continue
        shown = fields_of(rule, zone)
        differing = {field: typed[rule.uid, field] for field in shown if (rule.uid, field) in typed}
        differing = {field: value for field, value in differing.items() if value != shown[field]}
        was = after
        after = _with_values(after, rule, shown, differing, zone)
        if after != was:
            whats.append(f"change the value of rule {number}")
            if "field_id/text" in differing:
                after = _with_known_ids(after)
        steps: tuple[tuple[str, str, Callable[[FilterDraft, str, str], FilterDraft]], ...] = (
            ("data_type", f"change what the attribute of rule {number} holds", partial(set_data_type, zone=zone)),
            ("operator", f"change the comparison of rule {number}", partial(set_operator, zone=zone)),
            ("column", f"change what rule {number} looks at", partial(set_column, field_ids=field_ids, zone=zone)),
        )
        for field, words, step in steps:
            chosen = differing.get(field)
            if chosen is not None and chosen != OTHER_COLUMN:
                was = after
                after = step(after, rule.uid, str(chosen))
                goes_on = goes_on and after is was
                whats.append(words)
    return Absorbed(after, whats[-1], goes_on) if whats and after != draft else Absorbed(after)


def means_it(rule: RuleDraft, field: str, held: Any, zone: str = "UTC") -> bool:
    """Whether what a widget holds stands for what the rule has, though the screen would write it otherwise."""
    draft, shown = FilterDraft(rules=[rule]), fields_of(rule, zone)
    if field.endswith("/chips") and len(held) != len(shown[field]):  # typed as one text, and split
        return False
    return held == shown[field] or ("/" in field and _with_values(draft, rule, shown, {field: held}, zone) == draft)


def learn_field_ids(filters: Iterable[ContactFilter]) -> dict[str, int]:
    """The id that these filters use most for each column, by the column's key; of several, the one met first.

    Rules of list records carry 0 where the id was left out: that is no id.
    """
    counted: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for contact_filter in filters:
        for rule in contact_filter.rules:
            wire = rule.to_wire()
            key, field_id = columns.key_of_rule(wire), rule.contact_field_id
            if key is not None and columns.needs_field_id(wire) and field_id is not None and 0 < field_id <= LONG_MAX:
                counted[key][field_id] += 1
    return {key: ids.most_common(1)[0][0] for key, ids in counted.items()}


def field_ids_in(draft: FilterDraft) -> dict[str, int]:
    """The ids of contact fields that the filter's own rules give, by column."""
    found: dict[str, int] = {}
    for rule in draft.rules:
        key, field_id = columns.key_of_rule(rule.wire), rule.wire.get("contactFieldId")
        if key is not None and isinstance(field_id, int) and field_id > 0:
            found.setdefault(key, field_id)
    return found


def _with_values(
    draft: FilterDraft, rule: RuleDraft, shown: Mapping[str, Any], differing: Mapping[str, Any], zone: str
) -> FilterDraft:
    for field, value in differing.items():
        slot, _, how = field.partition("/")
        if how in ("day", "clock"):
            # Twice the same where both were typed in.
            now = {**shown, **differing}
            day, clock = now[f"{slot}/day"], now[f"{slot}/clock"]
            moment = joined_parts(day if isinstance(day, date) else None, str(clock or ""))
            draft = set_value(draft, rule.uid, slot, moment, zone)
        elif how == "chips":
            draft = set_value(draft, rule.uid, slot, list(value or []), zone)
        elif how:
            draft = set_value(draft, rule.uid, slot, "" if value is None else str(value), zone)
    return draft


def _with_known_ids(draft: FilterDraft) -> FilterDraft:
    """The draft with the ids of contact fields that one of its rules gives in the others that lack them."""
    known = field_ids_in(draft)
    for rule in draft.rules:
        field_id = known.get(columns.key_of_rule(rule.wire) or "")
        is_missing = rule.wire.get("contactFieldId") is None and "field_id" not in rule.typed
        if field_id is not None and is_missing and columns.needs_field_id(rule.wire) and rule.stored is None:
            draft = set_value(draft, rule.uid, "field_id", str(field_id))
    return draft


def _list_fields(rule: RuleDraft, slot: str, shown: Mapping[str, str], zone: str) -> dict[str, Any]:
    """A list as chips; where it is long, or chips could not tell two of its items apart, as lines."""
    items = paste_list(rule.typed[slot]) if slot in rule.typed else value_items(rule, zone)
    told_apart = len({item.casefold() for item in items}) == len(items)
    if len(items) <= MOST_CHIPS and told_apart and all(item.strip() == item != "" for item in items):
        return {f"{slot}/chips": items}
    return {f"{slot}/lines": shown.get(slot, "")}


def _moment_fields(rule: RuleDraft, slot: str, stored: Any, shown: Mapping[str, str], zone: str) -> dict[str, Any]:
    """A moment as day and time; one that is stored in another form, or lies beyond the calendar, as a text."""
    text = shown.get(slot, "")
    if stored is not None and slot not in rule.typed:
        local = local_moment(stored, zone)
        if local is None or not EARLIEST <= local.date() <= LATEST:
            return {f"{slot}/text": text}
    day, clock = moment_parts(text, zone)
    if day is not None and not EARLIEST <= day <= LATEST:
        return {f"{slot}/text": text}
    return {f"{slot}/day": day, f"{slot}/clock": clock}
