"""One rule on the screen: what it looks at, how it compares, its value, its buttons, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, partial
from typing import Any, Final

import streamlit as st

from client.vocabulary.contact_filters import PATTERN_BETWEEN, PATTERN_NOW
from components.filters.builder import rule_actions
from components.filters.builder.rule_actions import EDITOR
from components.forms.on_screen import draw_field
from components.streamlit_workarounds.icon_name import icon_name
from components.streamlit_workarounds.widget_keys import Widgets
from components.widgets.downloads import payload_view
from domain.filters import columns
from domain.filters.builder import editing as steps
from domain.filters.builder.editing import (
    EARLIEST,
    LATEST,
    OTHER_COLUMN,
    PREFIX,
    fields_of,
    means_it,
    set_value,
)
from domain.filters.columns import WORDS
from domain.filters.filter_draft import FilterDraft, RuleDraft
from domain.filters.filter_problems import departures_of
from domain.filters.values import (
    editor_kind,
    moment_words,
    read_slot,
    shown_text,
    span_of,
    spans_ahead,
    unsplit,
    value_texts,
)
from domain.forms.form import Choice, Choices, Field, Problems, Text
from domain.geography.airports import airport, search_airports
from domain.geography.countries import all_countries, country_choice
from domain.text.plain_text import in_short, plain

WHOLE_LINE: Final = 3000
"""Wider than any rule: what has this width stands on a line of its own, as wide as the rule."""
MATCHES: Final = 6
QUOTED: Final = "Blanks around an item are left out, unless it stands in quotation marks."

_DAY_WIDTH: Final = 164
_CLOCK_WIDTH: Final = 96
_PLACEHOLDERS: Final[Mapping[str, str]] = {
    "text": "Text",
    "number": "Number, such as 47.5",
    "whole number": "Whole number",
    "airport": "Code or city",
    "unknown": "Value",
}


@dataclass(frozen=True)
class Editing:
    """One rule on the screen: its number from 1, what its fields show, and the person's time zone."""

    rule: RuleDraft
    number: int
    zone: str
    kind: str
    fields: Mapping[str, Any]
    widgets: Widgets

    @classmethod
    def of(cls, rule: RuleDraft, number: int, zone: str, widgets: Widgets) -> Editing:
        """Look up once what all fields of the rule need."""
        return cls(rule, number, zone, editor_kind(rule.wire), fields_of(rule, zone), widgets)

    def key(self, field: str, chosen: Mapping[Any, str] | None = None) -> str:
        """The key of the widget that shows what the rule has in a field; `chosen` says in words what is chosen."""
        means = partial(means_it, self.rule, field, zone=self.zone)
        return self.widgets.key((self.rule.uid, field), self.fields[field], means_it=means, chosen=chosen)

    def has(self, field: str) -> bool:
        """Whether the rule has this field."""
        return field in self.fields

    def draw(self, field: Field, **drawing: Any) -> None:
        """Draw one of the rule's fields in its line; its label is for who cannot see the line."""
        label = f"Rule {self.number}: {field.label}"
        drawing = {"label": label, "label_visibility": "collapsed", "disabled": self.rule.muted, **drawing}
        shown = self.fields[field.path]
        # The browser knows a choice by its words: where they change, "is" to "is at", it would send one that is none.
        chosen = {shown: field.name(shown)} if isinstance(field, Choice) and isinstance(shown, str) else None
        draw_field(field, shown, self.key(field.path, chosen), **drawing)

    def pick(self, field: str, what: str, options: Mapping[str, str], hint: str, **drawing: Any) -> None:
        """Draw a pick list of the rule; `options` are words by what is chosen.

        It cannot be emptied: Escape does that too, and nobody who closes a list wants to lose what was chosen in it.
        """
        choice = Choice(field, what, options=tuple(options), named=options, required=True, placeholder=hint)
        self.draw(choice, **drawing)

    def write(self, slot: str, what: str, hint: str, *, live: bool = True, **drawing: Any) -> None:
        """Draw the text of a slot."""
        self.draw(Text(f"{slot}/text", what, live=live, placeholder=hint), **drawing)


def beside(editing: Editing) -> None:
    """Draw what of the value stands in the line of the rule; a gap where nothing does."""
    match editing.kind:
        case "none" | "custom" | "moment range":
            st.space("stretch")
        case "country":
            countries = countries_with(editing.fields["value/choice"])
            editing.pick("value/choice", "value", countries, "Choose a country")
        case "pattern":
            editing.pick("value/choice", "value", PATTERNS, "Now or between …")
        case "moment":
            _moment(editing, "value", "value")
            st.space("stretch")
        case "text list" | "number list" if editing.has("value/chips"):
            _chips(editing, "value")
        case "text list" | "number list":
            st.space("stretch")
        case _:
            editing.write("value", "value", _PLACEHOLDERS.get(editing.kind, ""))


def beneath(editing: Editing) -> None:
    """Draw what of the value needs a line of its own, and what is to be told of it."""
    match editing.kind:
        case "moment":
            _say_moments(editing, ("value",))
        case "moment range" | "pattern":
            _span(editing)
        case "text list" | "number list" if editing.has("value/lines"):
            _lines(editing, "value")
        case "custom":
            _attribute(editing)
        case "airport":
            _say_airport(editing)


def field_id_field(editing: Editing) -> None:
    """Draw the field for the id of the contact field, which the interface asks for beside the column."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", width=WHOLE_LINE):
        # Not followed as it is typed: the field goes out of the way once there is an id.
        editing.write("field_id", "contact field id", "Contact field id", live=False, width=180)
        st.caption(
            "The service asks for the number of this contact field.",
            width="content",
            help=(
                "It knows every field of a contact by a number too. As soon as one filter of the organization, or one "
                "rule here, uses the field, the number is filled in for you. Your administrator can tell it."
            ),
        )


def _chips(editing: Editing, slot: str) -> None:
    items = editing.fields[f"{slot}/chips"]
    chips = Choices(f"{slot}/chips", "values", options=items, new=True, placeholder="Type one and press Enter")
    editing.draw(chips)
    _paste(editing, slot)


def _lines(editing: Editing, slot: str) -> None:
    editing.draw(Text(f"{slot}/lines", "values, one a line", lines=160, help=QUOTED), width=WHOLE_LINE)


def _paste(editing: Editing, slot: str) -> None:
    uid = editing.rule.uid
    words = f"Paste a list into rule {editing.number}"
    pasting = st.popover(
        icon_name(words),
        icon=":material/content_paste:",
        help=words,
        type="tertiary",
        key=rule_actions.paste_key(uid, "opens"),
        on_change="rerun",
        disabled=editing.rule.muted,
    )
    if not pasting.open:
        return
    with pasting:
        st.text_area(
            "Paste a list",
            key=rule_actions.paste_key(uid, "text"),
            placeholder="One a line, or with commas, semicolons or tabs between them",
            height=160,
        )
        st.caption(f"Doubles are left out. What the rule has already stays. {QUOTED}")
        st.button(
            "Add to the list",
            key=rule_actions.paste_key(uid, "add"),
            icon=":material/playlist_add:",
            on_click=rule_actions.paste_into,
            args=(uid, editing.number, slot),
        )


def _moment(editing: Editing, slot: str, what: str) -> None:
    """Draw a day and a time of day; a moment that is stored in another form as a text."""
    if editing.has(f"{slot}/text"):
        editing.write(slot, what, "2026-11-20 14:05", width=_DAY_WIDTH + _CLOCK_WIDTH)
        return
    st.date_input(
        f"Rule {editing.number}: {what}, day",
        value=editing.fields[f"{slot}/day"],
        min_value=EARLIEST,
        max_value=LATEST,
        key=editing.key(f"{slot}/day"),
        format="YYYY-MM-DD",
        label_visibility="collapsed",
        disabled=editing.rule.muted,
        width=_DAY_WIDTH,
    )
    clock = Text(f"{slot}/clock", f"{what}, time", live=True, placeholder="hh:mm")
    editing.draw(clock, width=_CLOCK_WIDTH)


def _span(editing: Editing) -> None:
    slots = [slot for slot in ("from", "until") if editing.has(f"{slot}/day") or editing.has(f"{slot}/text")]
    if not slots:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", width=WHOLE_LINE):
        for slot in slots:
            st.markdown(f":small[{slot}]", width=36)
            _moment(editing, slot, slot)
        if editing.kind == "pattern" and not any(editing.fields.get(f"{slot}/day") for slot in slots):
            _suggest_spans(editing)
    _say_moments(editing, slots)


def _suggest_spans(editing: Editing) -> None:
    for name, (first, last) in spans_ahead(datetime.now(UTC), editing.zone).items():
        st.button(
            name,
            key=f"{PREFIX}/{editing.rule.uid}/span/{name}",
            type="tertiary",
            icon=":material/date_range:",
            disabled=editing.rule.muted,
            on_click=rule_actions.choose_span,
            args=(editing.rule.uid, editing.number, name, first, last),
        )


def _say_moments(editing: Editing, slots: Sequence[str]) -> None:
    """Say the moments in UTC, in which they are sent, and what is odd about their local times."""
    wire = editing.rule.wire
    held = dict(zip(("from", "until"), span_of(wire), strict=True)) | {"value": wire.get("columnValue")}
    moments = [held[slot] for slot in slots]
    given = [moment_words(each) for each in moments if isinstance(each, int) and not isinstance(each, bool)]
    if not given:
        return
    texts = value_texts(editing.rule, editing.zone)
    read = [read_slot(wire, slot, texts.get(slot, ""), editing.zone) for slot in slots]
    notes = [each.note for each in read if each.note]
    of_zone = "" if editing.zone == "UTC" else f"{plain(editing.zone.replace('_', ' '))} time · "
    lines = [f":small[:gray[{of_zone}{plain(' – '.join(given))}]]"]
    lines += [f":small[:orange[:material/schedule: {plain(note)}]]" for note in notes]
    st.markdown("  \n".join(lines), width=WHOLE_LINE)


def _attribute(editing: Editing) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", width=WHOLE_LINE):
        editing.write("attribute_id", "attribute id", "Attribute id", width=150)
        editing.pick("data_type", "what the attribute holds", columns.CUSTOM_DATA_TYPES, "It holds …", width=160)
        if editing.has("values/chips"):
            _chips(editing, "values")
    if editing.has("values/lines"):
        _lines(editing, "values")


def _say_airport(editing: Editing) -> None:
    typed = str(editing.fields["value/text"])
    known = airport(typed)
    if known is not None and not known.city_airports:
        st.markdown(f":small[:gray[{plain(known.label)}]]", width=WHOLE_LINE)
        return
    matches = search_airports(typed, MATCHES) if len(typed.strip()) > 1 else []
    if not matches:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", width=WHOLE_LINE):
        st.caption("Which one?", width="content")
        for match in matches:
            st.button(
                plain(match.label),
                key=f"{PREFIX}/{editing.rule.uid}/airport/{match.iata}",
                type="tertiary",
                icon=":material/flight:",
                disabled=editing.rule.muted,
                on_click=rule_actions.EDITOR.do,
                args=(
                    f"choose {match.iata} in rule {editing.number}",
                    partial(set_value, uid=editing.rule.uid, slot="value", said=match.iata),
                ),
            )


COLUMNS: Final[dict[str, str]] = {words.key: columns.column_choice(words) for words in WORDS}
"""The columns in the order of their groups, words by key."""
PATTERNS: Final[dict[str, str]] = {PATTERN_NOW: "now", PATTERN_BETWEEN: "between"}


def column_choices(wire: Mapping[str, Any]) -> Mapping[str, str]:
    """The columns a rule may look at; one that is not in the table stands first, by its name."""
    key = columns.key_of_rule(wire)
    if key is not None:
        # The one that is chosen needs no further words to be found by, and its field is narrow.
        return {**COLUMNS, key: columns.label(key)}
    if not wire:
        return COLUMNS
    name = shown_text(wire.get("columnName")) or "No column"
    return {OTHER_COLUMN: f"{name} (not in the table)", **COLUMNS}


def operator_choices(wire: Mapping[str, Any]) -> Mapping[str, str]:
    """How a rule may compare; what it says now stands first where the column does not allow it."""
    key = columns.key_of_rule(wire)
    known = _operators(key, columns.data_type_of(wire)) if key is not None else {}
    said = columns.text_of(wire, "operator") or None
    return known if said is None or said in known else {said: columns.operator_words(wire, said), **known}


def countries_with(held: str | None) -> Mapping[str, str]:
    """All countries, and before them the value that a rule holds where it is none of their codes."""
    known = {code: country_choice(code) for code in all_countries()}
    return known if not held or held in known else {held: f"{held} (not a code of a country)", **known}


@cache
def _operators(key: str, data_type: str | None) -> dict[str, str]:
    column = columns.column_named(key)
    wire: dict[str, Any] = {"type": columns.CUSTOM_TYPES.get(key), "dataType": data_type}
    if column is not None:
        wire = {"columnName": column.name, "type": column.rule_type, "embeddedColumnName": column.embedded}
        wire["dataType"] = column.data_type
    return {operator: columns.operator_words(wire, operator) for operator in columns.operators_of(wire)}


WARNINGS_SHOWN: Final = 2

_NUMBER_WIDTH: Final = 22
_COLUMN_WIDTH: Final = 280
_OPERATOR_WIDTH: Final = 165


@dataclass(frozen=True)
class Told:
    """What is to be told at the rules: what keeps the filter from being saved, and by uid what is pointless."""

    problems: Problems
    warnings: Mapping[str, Sequence[str]]


def rule_row(rule: RuleDraft, number: int, of: int, told: Told, zone: str, widgets: Widgets) -> None:
    """Draw a rule; `number` counts from 1, `of` is how many there are."""
    editing = Editing.of(rule, number, zone, widgets)
    with st.container(
        border=True, horizontal=True, vertical_alignment="center", gap="xsmall", key=f"contact_filter-rule-{rule.uid}"
    ):
        st.text(str(number), width=_NUMBER_WIDTH)
        every_column = column_choices(rule.wire)
        editing.pick("column", "what it looks at", every_column, "What should it look at?", width=_COLUMN_WIDTH)
        if rule.wire:
            comparisons = operator_choices(rule.wire)
            editing.pick("operator", "comparison", comparisons, "Choose how to compare", width=_OPERATOR_WIDTH)
            beside(editing)
        else:
            st.space("stretch")
        with st.container(horizontal=True, width="content", gap="xsmall"):
            _buttons(editing, of, told.problems)
        if rule.wire:
            beneath(editing)
        if _asks_field_id(editing, told.problems):
            field_id_field(editing)
        _say(editing, told)


def _buttons(editing: Editing, of: int, problems: Problems) -> None:
    uid, number = editing.rule.uid, editing.number
    if editing.has("field_id/text") and not _asks_field_id(editing, problems):
        _field_id(editing)
    muted, last = editing.rule.muted, number == of
    _button("content_copy", f"Duplicate rule {number}", uid, steps.duplicate)
    _button("arrow_upward", f"Move rule {number} up", uid, partial(steps.move, by=-1), disabled=number == 1)
    _button("arrow_downward", f"Move rule {number} down", uid, partial(steps.move, by=1), disabled=last)
    mute = f"Let rule {number} count again" if muted else f"Mute rule {number}: it stays here and is not saved"
    _button("volume_up" if muted else "volume_off", mute, uid, partial(steps.mute, on=not muted))
    _button("close", f"Remove rule {number}", uid, steps.remove)


def _button(icon: str, words: str, uid: str, step: Callable[..., FilterDraft], *, disabled: bool = False) -> None:
    # Without a key: the words and the rule name it, and the framework goes through all keys at every field.
    st.button(
        icon_name(words, uid),
        icon=f":material/{icon}:",
        help=words,
        type="tertiary",
        disabled=disabled,
        on_click=EDITOR.do,
        args=(words[0].lower() + words[1:].partition(":")[0], partial(step, uid=uid)),
    )


def _asks_field_id(editing: Editing, problems: Problems) -> bool:
    """Whether the id of the contact field is still to be given, or to be mended."""
    rule = editing.rule
    if not columns.needs_field_id(rule.wire):
        return False
    return not rule.wire.get("contactFieldId") or bool(problems.at(rule.uid, "field_id"))


def _field_id(editing: Editing) -> None:
    held = editing.rule.wire.get("contactFieldId")
    words = f"Rule {editing.number}: contact field id {held}"
    known = st.popover(
        icon_name(words),
        icon=":material/more_horiz:",
        help=plain(words),
        type="tertiary",
        key=f"{PREFIX}.field_id/{editing.rule.uid}",
        on_change="rerun",
    )
    if known.open:
        with known:
            field_id_field(editing)


def _say(editing: Editing, told: Told) -> None:
    rule = editing.rule
    lines: list[str] = []
    if rule.muted:
        lines.append(":gray-badge[:material/volume_off: Muted] :gray[is not saved]")
    wrong = [words for _, words in told.problems.of(rule.uid)]
    lines += [f":red[:material/error: {plain(words)}]" for words in wrong]
    for slot in ("value", "values"):
        for item in unsplit(editing.fields.get(f"{slot}/chips", ()))[:WARNINGS_SHOWN]:
            words = f"“{in_short(item)}” is 1 value and is not split. To add several values, paste a list."
            lines.append(f":gray[{plain(words)}]")
    if editing.kind == "text" and unsplit([text := editing.fields["value/text"]]):
        words = f"“{in_short(text)}” is 1 value and is not split."
        lines.append(f":gray[{plain(words)}]")
    odd = departures_of(rule) if rule.stored is not None else []
    if odd and not wrong:
        lines += [f":orange[:material/history: {plain(words)}]" for words in odd]
        if rule.is_untouched:
            lines.append(":gray[The service keeps it so. Unless you change it, it goes back just as it came.]")
    pointless = told.warnings.get(rule.uid, ())
    lines += [f":orange[:material/warning: {plain(words)}]" for words in pointless[:WARNINGS_SHOWN]]
    if len(pointless) > WARNINGS_SHOWN:
        lines.append(f":orange[and {len(pointless) - WARNINGS_SHOWN:,} more like it]")
    if lines:
        st.markdown("  \n".join(f":small[{line}]" for line in lines), width=WHOLE_LINE)
    if odd:
        _mend(editing)
    if odd or (editing.kind == "unknown" and rule.wire):
        _raw(editing)


def _mend(editing: Editing) -> None:
    """Offer one of the comparisons that a stored rule says, where it says two, or says it in the wrong place."""
    wire = editing.rule.wire
    operator, option = wire.get("operator"), wire.get("contactFilterOption")
    if operator == option:
        return
    for said in (operator, option):
        if isinstance(said, str) and said in columns.operators_of(wire):
            st.button(
                f"Compare by {plain(f'“{columns.operator_words(wire, said)}”')}",
                key=f"{PREFIX}.agree/{editing.rule.uid}/{said}",
                icon=":material/build:",
                type="tertiary",
                disabled=editing.rule.muted,
                on_click=EDITOR.do,
                args=(
                    f"change the comparison of rule {editing.number}",
                    partial(steps.agree, uid=editing.rule.uid, operator=said, zone=editing.zone),
                ),
            )


def _raw(editing: Editing) -> None:
    raw = st.popover(
        "As it is sent",
        icon=":material/data_object:",
        type="tertiary",
        key=f"{PREFIX}.raw/{editing.rule.uid}",
        on_change="rerun",
    )
    if raw.open:
        with raw:
            payload_view(editing.rule.wire, key=f"contact_filter-sent-{editing.rule.uid}")
