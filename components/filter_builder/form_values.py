"""Between the draft and the fields on the screen: what each field shows, and what is made of what stands in it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Any, Final

from client.models.contact_filters import ContactFilter
from client.vocabulary.contact_filters import PATTERN_BETWEEN, PATTERN_NOW
from client.vocabulary.limits import LONG_MAX
from components.contact_filters import columns
from components.contact_filters.filter_draft import FilterDraft, RuleDraft
from components.contact_filters.rule_moments import joined_parts, local_moment, moment_parts
from components.contact_filters.values import editor_kind, paste_list, span_of, value_items, value_texts
from components.filter_builder import editing
from components.forms.form import Place

PREFIX: Final = "contact_filter"
NAME: Final = "name"
COLUMN: Final = "column"
OPERATOR: Final = "operator"
DATA_TYPE: Final = "data_type"
OTHER_COLUMN: Final = "?"
"""Stands for the column of a rule that is not in the interface's table."""

# How a field edits its slot; the whole name of a field is "slot/how".
TEXT: Final = "text"
CHOICE: Final = "choice"
CHIPS: Final = "chips"
LINES: Final = "lines"
DAY: Final = "day"
CLOCK: Final = "clock"

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
    fields: dict[str, Any] = {COLUMN: column_choice(wire), OPERATOR: said_operator(wire)}
    kind = editor_kind(wire)
    match kind:
        case "custom":
            said = wire.get("dataType")
            fields[DATA_TYPE] = said if said in columns.CUSTOM_DATA_TYPES else None
            fields[f"attribute_id/{TEXT}"] = shown.get("attribute_id", "")
            fields |= _list_fields(rule, "values", shown, zone)
        case "text list" | "number list":
            fields |= _list_fields(rule, "value", shown, zone)
        case "moment":
            fields |= _moment_fields(rule, "value", wire.get("columnValue"), shown, zone)
        case "moment range" | "pattern":
            word = shown.get("value")
            if kind == "pattern":
                fields[f"value/{CHOICE}"] = word if word in (PATTERN_NOW, PATTERN_BETWEEN) else None
            if kind == "moment range" or word == PATTERN_BETWEEN:
                for slot, stored in zip(("from", "until"), span_of(wire), strict=True):
                    fields |= _moment_fields(rule, slot, stored, shown, zone)
        case "country":
            fields[f"value/{CHOICE}"] = shown.get("value") or None
        case "none":
            pass
        case _:
            fields[f"value/{TEXT}"] = shown.get("value", "")
    if columns.needs_field_id(wire):
        fields[f"field_id/{TEXT}"] = shown.get("field_id", "")
    return fields


def column_choice(wire: Mapping[str, Any]) -> str | None:
    """The key of the rule's column; None where none is chosen yet."""
    key = columns.key_of_rule(wire)
    if key is not None:
        return key
    return OTHER_COLUMN if wire else None


def said_operator(wire: Mapping[str, Any]) -> str | None:
    """The rule's operator; None where it does not say one."""
    operator = wire.get("operator")
    return operator if isinstance(operator, str) and operator else None


def absorb(
    draft: FilterDraft, typed: Mapping[Place, Any], field_ids: Mapping[str, int] = editing.NO_IDS, zone: str = "UTC"
) -> Absorbed:
    """The draft with what was typed into fields, by the uid of their rule (or of the filter) and their name.

    What a field shows already changes nothing, so that stored values the screen writes differently stay as they are.
    """
    after, whats, goes_on = draft, [], True
    typed_name = typed.get((draft.uid, NAME))
    if isinstance(typed_name, str) and typed_name != draft.name:
        after = editing.rename(after, typed_name)
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
            if f"field_id/{TEXT}" in differing:
                after = _with_known_ids(after)
        steps: tuple[tuple[str, str, Callable[[FilterDraft, str, str], FilterDraft]], ...] = (
            (DATA_TYPE, f"change what the attribute of rule {number} holds", editing.set_data_type),
            (OPERATOR, f"change the comparison of rule {number}", editing.set_operator),
            (COLUMN, f"change what rule {number} looks at", partial(editing.set_column, field_ids=field_ids)),
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
        if how in (DAY, CLOCK):
            # Twice the same where both were typed in.
            now = {**shown, **differing}
            day, clock = now[f"{slot}/{DAY}"], now[f"{slot}/{CLOCK}"]
            moment = joined_parts(day if isinstance(day, date) else None, str(clock or ""))
            draft = editing.set_value(draft, rule.uid, slot, moment, zone)
        elif how == CHIPS:
            draft = editing.set_value(draft, rule.uid, slot, list(value or []), zone)
        elif how:
            draft = editing.set_value(draft, rule.uid, slot, "" if value is None else str(value), zone)
    return draft


def _with_known_ids(draft: FilterDraft) -> FilterDraft:
    """The draft with the ids of contact fields that one of its rules gives in the others that lack them."""
    known = field_ids_in(draft)
    for rule in draft.rules:
        field_id = known.get(columns.key_of_rule(rule.wire) or "")
        is_missing = rule.wire.get("contactFieldId") is None and "field_id" not in rule.typed
        if field_id is not None and is_missing and columns.needs_field_id(rule.wire) and rule.stored is None:
            draft = editing.set_value(draft, rule.uid, "field_id", str(field_id))
    return draft


def _list_fields(rule: RuleDraft, slot: str, shown: Mapping[str, str], zone: str) -> dict[str, Any]:
    """A list as chips; where it is long, or chips could not tell two of its items apart, as lines."""
    items = paste_list(rule.typed[slot]) if slot in rule.typed else value_items(rule, zone)
    told_apart = len({item.casefold() for item in items}) == len(items)
    if len(items) <= MOST_CHIPS and told_apart and all(item.strip() == item != "" for item in items):
        return {f"{slot}/{CHIPS}": items}
    return {f"{slot}/{LINES}": shown.get(slot, "")}


def _moment_fields(rule: RuleDraft, slot: str, stored: Any, shown: Mapping[str, str], zone: str) -> dict[str, Any]:
    """A moment as day and time; one that is stored in another form, or lies beyond the calendar, as a text."""
    text = shown.get(slot, "")
    if stored is not None and slot not in rule.typed:
        local = local_moment(stored, zone)
        if local is None or not EARLIEST <= local.date() <= LATEST:
            return {f"{slot}/{TEXT}": text}
    day, clock = moment_parts(text, zone)
    if day is not None and not EARLIEST <= day <= LATEST:
        return {f"{slot}/{TEXT}": text}
    return {f"{slot}/{DAY}": day, f"{slot}/{CLOCK}": clock}
