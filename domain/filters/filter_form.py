"""The form of a contact filter: its name, and the fields of each rule.

The fields of a rule depend on its column and operator. A path is the slot of the value and the widget that edits it:
"value/text", "until/day". Moments are shown in the time zone of the viewer, so the form is made for a zone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Final

from client.vocabulary.contact_filters import NAME_LENGTH, PATTERN_BETWEEN, PATTERN_NOW
from domain.filters import columns
from domain.filters.filter_draft import FilterDraft, RuleDraft
from domain.filters.known_ids import replace_names
from domain.filters.names.id_names import NO_NAMES, IdNames
from domain.filters.rule_steps import (
    NO_IDS,
    share_field_ids,
    with_column,
    with_data_type,
    with_operator,
    with_value,
)
from domain.filters.values import (
    editable_text,
    editor_kind,
    join_moment_parts,
    local_moment,
    moment_parts,
    paste_list,
    quote_items,
    span_of,
    value_items,
    value_texts,
)
from domain.forms.form import Choice, Choices, Day, Field, Form, Parts, Text, UnreadableInput
from domain.geography.countries import all_countries, country_choice

PREFIX: Final = "contact_filter"
"""Begins the keys of all widgets of the rule builder."""
RULES: Final = "rules"
"""The place of problems of all rules together."""
OTHER_COLUMN: Final = "?"
"""The choice that stands for a column that is not in the interface's table."""
PATTERNS: Final[Mapping[str, str]] = {PATTERN_NOW: "now", PATTERN_BETWEEN: "between"}
QUOTED: Final = "Spaces around an item are removed unless the item is in quotation marks."

MOST_CHIPS: Final = 30
EARLIEST: Final = date(1900, 1, 1)
LATEST: Final = date(2999, 12, 31)

RULE_ERROR_PLACES: Final = {
    "contactFieldId": "field_id",
    "columnName": "column",
    "embeddedColumnName": "column",
    "type": "column",
    "dataType": "data_type",
    "operator": "operator",
    "contactFilterOption": "operator",
    "columnValue": "value",
    "attributeId": "attribute_id",
    "attributeValues": "values",
}
"""Where the problems of each field on the wire are shown."""
_TEXT_HINTS: Final[Mapping[str, str]] = {
    "text": "Text",
    "number": "Number, such as 47.5",
    "whole number": "Whole number",
    "airport": "Code or city",
    "unknown": "Value",
    "moment": "2026-11-20 14:05",
}


def field_values(rule: RuleDraft, zone: str = "UTC") -> dict[str, Any]:
    """Return the values of the fields that a rule has, by path."""
    payload, kind = rule.payload, editor_kind(rule.payload)
    texts = value_texts(rule, zone)
    fields: dict[str, Any] = {
        "column": columns.key_of_rule(payload) or (OTHER_COLUMN if payload else ""),
        "operator": columns.text_of(payload, "operator") or "",
    }
    match kind:
        case "custom":
            data_type = columns.text_of(payload, "dataType") or ""
            fields["data_type"] = data_type if data_type in columns.CUSTOM_DATA_TYPES else ""
            fields["attribute_id/text"] = texts.get("attribute_id", "")
            fields |= _list_values(rule, "values", texts, zone)
        case "text list" | "number list":
            fields |= _list_values(rule, "value", texts, zone)
        case "moment":
            fields |= _moment_values(rule, "value", payload.get("columnValue"), texts, zone)
        case "moment range" | "pattern":
            word = texts.get("value")
            if kind == "pattern":
                fields["value/pattern"] = word if word in PATTERNS else ""
            if kind == "moment range" or word == PATTERN_BETWEEN:
                for slot, stored in zip(("from", "until"), span_of(payload), strict=True):
                    fields |= _moment_values(rule, slot, stored, texts, zone)
        case "country":
            fields["value/country"] = texts.get("value", "")
        case "none":
            pass
        case _:
            fields["value/text"] = texts.get("value", "")
    if columns.needs_field_id(payload):
        fields["field_id/text"] = texts.get("field_id", "")
    return fields


def _list_values(rule: RuleDraft, slot: str, texts: Mapping[str, str], zone: str) -> dict[str, Any]:
    """Return a list as chips, or as lines if it is long or has items that chips cannot distinguish."""
    items = paste_list(rule.typed[slot]) if slot in rule.typed else value_items(rule, zone)
    are_distinct = len({item.casefold() for item in items}) == len(items)
    if len(items) <= MOST_CHIPS and are_distinct and all(item.strip() == item != "" for item in items):
        return {f"{slot}/chips": items}
    return {f"{slot}/lines": texts.get(slot, "")}


def _moment_values(rule: RuleDraft, slot: str, stored: Any, texts: Mapping[str, str], zone: str) -> dict[str, Any]:
    """Return a moment as day and time, or as text if it is in another notation or out of the calendar's range."""
    text = texts.get(slot, "")
    if stored is not None and slot not in rule.typed:
        local = local_moment(stored, zone)
        if local is None or not EARLIEST <= local.date() <= LATEST:
            return {f"{slot}/text": text}
    day, clock = moment_parts(text, zone)
    if day is not None and not EARLIEST <= day <= LATEST:
        return {f"{slot}/text": text}
    return {f"{slot}/day": day.isoformat() if day else "", f"{slot}/clock": clock}


@dataclass(frozen=True)
class RuleField(Field):
    """A field whose value is computed from a rule. Only rules with this path in `field_values` have it."""

    zone: str = "UTC"
    names: IdNames = NO_NAMES

    @property
    def slot(self) -> str:
        """The slot of the rule that this field edits."""
        return self.path.partition("/")[0]

    def value_in(self, part: RuleDraft) -> Any:
        return field_values(part, self.zone).get(self.path, [] if isinstance(self, Choices) else "")

    def write(self, part: RuleDraft, value: Any) -> None:
        if self.path in field_values(part, self.zone):
            changed = self.changed(part, value)
            part.payload, part.typed = changed.payload, changed.typed

    def changed(self, rule: RuleDraft, value: Any) -> RuleDraft:
        """Return the rule with another value in this field."""
        return with_value(rule, self.slot, value, self.zone)

    def is_equivalent(self, widget_value: Any, part: RuleDraft) -> bool:
        try:
            changed = self.changed(part, self.from_widget(widget_value))
        except UnreadableInput:
            return False
        return (changed.payload, changed.typed) == (part.payload, part.typed)


@dataclass(frozen=True)
class RuleText(RuleField, Text):
    """A value as text."""


@dataclass(frozen=True)
class RuleDay(RuleField, Day):
    """The day of a moment."""

    def changed(self, rule: RuleDraft, value: str) -> RuleDraft:
        clock = field_values(rule, self.zone).get(f"{self.slot}/clock", "")
        return with_value(rule, self.slot, join_moment_parts(value, clock), self.zone)


@dataclass(frozen=True)
class RuleClock(RuleField, Text):
    """The time of day of a moment."""

    def changed(self, rule: RuleDraft, value: str) -> RuleDraft:
        day = field_values(rule, self.zone).get(f"{self.slot}/day", "")
        return with_value(rule, self.slot, join_moment_parts(day, value), self.zone)


@dataclass(frozen=True)
class RuleChips(RuleField, Choices):
    """The items of a list. Known names may be typed in place of IDs."""

    def changed(self, rule: RuleDraft, value: Sequence[str]) -> RuleDraft:
        return super().changed(rule, replace_names(rule.payload, value, self.names))

    def is_equivalent(self, widget_value: Any, part: RuleDraft) -> bool:
        # Items that were typed as one text and split, or as names, have to be drawn again.
        return (
            len(widget_value) == len(self.value_in(part))
            and replace_names(part.payload, widget_value, self.names) == list(widget_value)
            and super().is_equivalent(widget_value, part)
        )


@dataclass(frozen=True)
class RuleLines(RuleText):
    """The items of a long list as lines. Known names may be typed in place of IDs."""

    def changed(self, rule: RuleDraft, value: str) -> RuleDraft:
        items = paste_list(value)
        ids = replace_names(rule.payload, items, self.names)
        return super().changed(rule, value if ids == items else quote_items(ids))


@dataclass(frozen=True)
class RuleChoice(RuleField, Choice):
    """A choice of one value.

    It cannot be cleared: Escape clears a list, and people press it to close one.
    """

    required: bool = True

    def is_equivalent(self, widget_value: Any, part: RuleDraft) -> bool:
        return Field.is_equivalent(self, widget_value, part)


@dataclass(frozen=True)
class RuleColumn(RuleChoice):
    """The column of a rule; `field_ids` are the contact field IDs that are filled in, by column."""

    field_ids: Mapping[str, int] = field(default_factory=dict)

    def changed(self, rule: RuleDraft, value: str) -> RuleDraft:
        return with_column(rule, value, self.field_ids, self.zone)


@dataclass(frozen=True)
class RuleOperator(RuleChoice):
    """How a rule compares."""

    def changed(self, rule: RuleDraft, value: str) -> RuleDraft:
        return with_operator(rule, value, self.zone)


@dataclass(frozen=True)
class RuleDataType(RuleChoice):
    """The data type of a custom attribute."""

    def changed(self, rule: RuleDraft, value: str) -> RuleDraft:
        return with_data_type(rule, value, self.zone)


def column_choices(payload: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the columns to choose from, with their labels by key. A column that is not in the table comes first."""
    key = columns.key_of_rule(payload)
    if key is not None or not payload:
        return _COLUMN_CHOICES
    name = editable_text(payload.get("columnName")) or "No column"
    return {OTHER_COLUMN: f"{name} (not in the table)", **_COLUMN_CHOICES}


def operator_choices(payload: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the operators to choose from, with their labels. One that the column does not allow comes first."""
    allowed = {each: columns.operator_label(payload, each) for each in columns.operators_of(payload)}
    operator = columns.text_of(payload, "operator")
    if not operator or operator in allowed:
        return allowed
    return {operator: columns.operator_label(payload, operator), **allowed}


def country_label(code: str) -> str:
    """Return the label of a country in the list, or of a value that is not the code of one."""
    return country_choice(code) if code in all_countries() else f"{code} (not a country code)"


def selected_country_label(code: str) -> str:
    """Return the label of the selected country, whose field is narrow: "TR · Türkiye"."""
    return f"{code} · {all_countries()[code]}" if code in all_countries() else ""


_COLUMN_CHOICES: Final[dict[str, str]] = {words.key: columns.column_choice(words) for words in columns.COLUMN_LABELS}


def _rule_fields(zone: str, field_ids: Mapping[str, int], names: IdNames) -> tuple[Field, ...]:
    def moment(slot: str, label: str) -> tuple[RuleField, ...]:
        return (
            RuleDay(f"{slot}/day", f"{label}, day", earliest=EARLIEST, latest=LATEST, problem_paths=(slot,)),
            RuleClock(f"{slot}/clock", f"{label}, time", live=True, placeholder="hh:mm", problem_paths=(slot,)),
        )

    def items(slot: str) -> tuple[RuleField, ...]:
        return (
            RuleChips(
                f"{slot}/chips", "values", new=True, placeholder="Type one and press Enter", problem_paths=(slot,)
            ),
            RuleLines(f"{slot}/lines", "values, one per line", height=160, help=QUOTED, problem_paths=(slot,)),
        )

    fields: tuple[RuleField, ...] = (
        RuleColumn(
            "column",
            "column",
            options=tuple(_COLUMN_CHOICES),
            placeholder="Select a column",
            field_ids=field_ids,
            # Its field is narrow, and the selected column is not searched for.
            selected_labels=_selected_column_label,
        ),
        RuleOperator("operator", "comparison", placeholder="Select a comparison"),
        RuleDataType(
            "data_type",
            "data type of the attribute",
            options=tuple(columns.CUSTOM_DATA_TYPES),
            labels=columns.CUSTOM_DATA_TYPES,
            placeholder="Data type",
        ),
        RuleText(
            "attribute_id/text", "attribute ID", live=True, placeholder="Attribute ID", problem_paths=("attribute_id",)
        ),
        RuleText(
            "value/text",
            "value",
            live=True,
            placeholder=_text_hint,
            problem_paths=("value",),
        ),
        RuleChoice(
            "value/pattern",
            "value",
            options=tuple(PATTERNS),
            labels=PATTERNS,
            placeholder="Now or between …",
            problem_paths=("value",),
        ),
        RuleChoice(
            "value/country",
            "value",
            options=tuple(all_countries()),
            labels=country_label,
            selected_labels=selected_country_label,
            placeholder="Select a country",
            problem_paths=("value",),
        ),
        *moment("value", "value"),
        *items("value"),
        *moment("from", "from"),
        RuleText("from/text", "from", live=True, placeholder=_TEXT_HINTS["moment"], problem_paths=("from",)),
        *moment("until", "until"),
        RuleText("until/text", "until", live=True, placeholder=_TEXT_HINTS["moment"], problem_paths=("until",)),
        *items("values"),
        # Not live: the field moves away once it has an ID.
        RuleText("field_id/text", "contact field ID", placeholder="Contact field ID", problem_paths=("field_id",)),
    )
    return tuple(replace(each, zone=zone, names=names, applies=_has_field(each.path, zone)) for each in fields)


def _selected_column_label(key: str) -> str:
    return "" if key == OTHER_COLUMN else columns.column_label(key)


def _text_hint(rule: RuleDraft) -> str:
    return _TEXT_HINTS.get(editor_kind(rule.payload), "")


def _has_field(path: str, zone: str) -> Callable[[Any], bool]:
    return lambda rule: path in field_values(rule, zone)


def _follow_up(before: FilterDraft, after: FilterDraft) -> FilterDraft:
    """Fill in contact field IDs after a change, and drop what the service refused."""
    after = share_field_ids(after)
    return after if after == before else after.model_copy(update={"refused": []})


def filter_form(
    zone: str = "UTC", field_ids: Mapping[str, int] = NO_IDS, names: IdNames = NO_NAMES
) -> Form[FilterDraft]:
    """Create the form for moments in a time zone. `field_ids` are known contact field IDs by column."""
    return Form[FilterDraft](
        PREFIX,
        Text("name", "Name", max_length=NAME_LENGTH, placeholder="Such as “Expected in France this week”", live=True),
        parts=(
            Parts(
                RULES,
                "Rule {}",
                _rule_fields(zone, field_ids, names),
                payload_path="contactFilterRules",
                error_places=RULE_ERROR_PLACES,
                is_sent=lambda rule: not rule.muted,
            ),
        ),
        error_places={"name": "name"},
        after_change=_follow_up,
    )


FILTER_FORM: Final = filter_form()
"""The form for what does not depend on the time zone: its places and problems."""


@dataclass(frozen=True)
class TypedStep:
    """A change made in the fields: its label for *Undo*, and whether further typing belongs to the same step."""

    label: str
    is_typing: bool


_STEPS_OF_THEIR_OWN: Final[tuple[tuple[Callable[[Mapping[str, Any]], Any], str], ...]] = (
    (columns.key_of_rule, "column"),
    (lambda payload: payload.get("operator"), "comparison"),
    (lambda payload: payload.get("dataType"), "data type"),
)


def typed_step(old_draft: FilterDraft, new_draft: FilterDraft) -> TypedStep | None:
    """Return what was changed in the fields of a draft; None if nothing was."""
    steps = []
    if old_draft.name != new_draft.name:
        steps.append(TypedStep("rename the filter", is_typing=True))
    for number, (was, now) in enumerate(zip(old_draft.rules, new_draft.rules, strict=True), start=1):
        if (was.payload, was.typed) == (now.payload, now.typed):
            continue
        for value_of, what in _STEPS_OF_THEIR_OWN:
            if value_of(was.payload) != value_of(now.payload):
                steps.append(TypedStep(f"change the {what} of rule {number}", is_typing=False))
                break
        else:
            is_id = {**was.payload, "contactFieldId": 0} == {
                **now.payload,
                "contactFieldId": 0,
            } and was.payload != now.payload
            what = "the contact field ID" if is_id else f"the value of rule {number}"
            steps.append(TypedStep(f"change {what}", is_typing=True))
    return next((step for step in steps if not step.is_typing), steps[-1] if steps else None)
