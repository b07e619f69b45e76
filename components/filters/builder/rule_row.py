"""One rule on the screen: its column, operator, and value, its buttons, and its problems."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from typing import Final

import streamlit as st

from components.filters.builder import rule_actions
from components.filters.builder.rule_actions import EDITOR, KNOWN_IDS
from components.filters.builder.rule_menu import draw_field_id, draw_rule_menu, lacks_field_id
from components.filters.builder.rule_view import WHOLE_LINE, RuleView
from components.forms.form_view import FormView
from components.streamlit_workarounds.icon_name import icon_name
from components.widgets.downloads import payload_view
from domain.filters import columns, rule_steps
from domain.filters.ended_spans import FIXED_MOMENTS_NOTE, ended_note, has_ended
from domain.filters.filter_draft import FilterDraft, RuleDraft
from domain.filters.filter_form import PREFIX, QUOTED, column_choices, operator_choices
from domain.filters.filter_problems import find_stored_rule_errors
from domain.filters.known_ids import Guess, KnownIds, guess_field_id, value_kind
from domain.filters.names.id_names import IdKind
from domain.filters.values import (
    editor_kind,
    find_unsplit,
    format_moment,
    read_slot,
    span_of,
    upcoming_spans,
    value_texts,
)
from domain.geography.airports import airport, airport_choices
from domain.text.plain_text import id_in, in_short, plain
from domain.text.text_limits import MAX_PASTE

WARNINGS_SHOWN: Final = 2
_NAMES_SHOWN: Final = 6
_MOST_OPTIONS: Final = 1_000
"""The most named IDs that a list offers. Others are found by typing their whole name."""

_LONGEST_SUGGESTION: Final = 40
_SUGGESTIONS_HELP: Final = (
    "Values of this column in other filters, in the file of the filter test, on loaded trips, and in mappings."
)
_NUMBER_WIDTH: Final = 22
_COLUMN_WIDTH: Final = 280
_OPERATOR_WIDTH: Final = 165
_DAY_WIDTH: Final = 164
_CLOCK_WIDTH: Final = 96


def rule_row(
    rule: RuleDraft,
    number: int,
    total: int,
    form: FormView[FilterDraft],
    warnings: Sequence[str],
    ids: KnownIds,
    current_uid: str,
) -> None:
    """Draw a rule; `number` counts from 1, and `current_uid` is the rule that was changed last."""
    is_current = rule.uid == current_uid
    view = RuleView(rule, number, rule_actions.viewers_zone(), editor_kind(rule.payload), form, ids, is_current)
    with st.container(
        border=True, horizontal=True, vertical_alignment="center", gap="xsmall", key=f"contact_filter-rule-{rule.uid}"
    ):
        st.text(str(number), width=_NUMBER_WIDTH)
        choices = column_choices(rule.payload)
        view.draw("column", options=tuple(choices), labels=choices, width=_COLUMN_WIDTH)
        if rule.payload:
            choices = operator_choices(rule.payload)
            view.draw("operator", options=tuple(choices), labels=choices, width=_OPERATOR_WIDTH)
            _draw_value(view)
        else:
            st.space("stretch")
        with st.container(horizontal=True, width="content", gap="xsmall"):
            _draw_buttons(view, total)
        if rule.payload:
            _draw_below(view)
        if lacks_field_id(view):
            draw_field_id(view)
        _draw_notes(view, warnings)


def _draw_value(view: RuleView) -> None:
    """Draw the part of the value in the first line of the rule, or empty space in its place."""
    match view.kind:
        case "moment":
            _draw_moment(view, "value")
            st.space("stretch")
        case "country":
            view.draw("value/country", options=tuple(view.ids.countries))
        case "pattern":
            view.draw("value/pattern")
        case "text list" | "number list" if view.has("value/chips"):
            _draw_chips(view, "value")
        case "none" | "custom" | "moment range" | "text list" | "number list":
            st.space("stretch")
        case _:
            view.draw("value/text")


def _draw_below(view: RuleView) -> None:
    """Draw the part of the value that needs lines of its own."""
    match view.kind:
        case "moment":
            _draw_times(view, ("value",))
        case "moment range" | "pattern":
            _draw_span(view)
        case "text list" | "number list":
            view.draw("value/lines", width=WHOLE_LINE)
        case "custom":
            _draw_attribute(view)
        case "airport":
            _draw_airports(view)
            _draw_suggestions(view, "value")
        case "whole number":
            _draw_names(view, "value", value_kind(view.rule.payload))
            _draw_suggestions(view, "value")
        case "text" | "number":
            _draw_suggestions(view, "value")


def _draw_names(view: RuleView, slot: str, kind: IdKind | None) -> None:
    """Draw the name of the ID that was entered, or IDs whose names contain what was typed."""
    names = view.ids.names
    if kind is None or not names.of_kind(kind):
        return
    text = view.value(f"{slot}/text") or ""
    number = id_in(text)
    if number is not None and number in names.of_kind(kind):
        st.markdown(f":small[:gray[{plain(names.label(kind, number))}]]", width=WHOLE_LINE)
        return
    matches = list(names.find(kind, text))[:_NAMES_SHOWN]
    if not matches:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", width=WHOLE_LINE):
        st.caption(f"Select a {kind}:", width="content")
        for each in matches:
            st.button(
                plain(names.label(kind, each)),
                key=f"{PREFIX}/{view.rule.uid}/{slot}-name/{each}",
                type="tertiary",
                disabled=view.rule.muted,
                on_click=EDITOR.do,
                args=(
                    f"select {names.label(kind, each)} in rule {view.number}",
                    partial(rule_steps.set_value, uid=view.rule.uid, slot=slot, text=str(each)),
                ),
            )


def _draw_suggestions(view: RuleView, slot: str) -> None:
    """Draw values of the column that contain what was typed, for the rule that was changed last."""
    if not view.is_current or view.rule.muted:
        return
    values = view.ids.values.matching(view.rule.payload, view.value(f"{slot}/text") or "")
    if not values:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", width=WHOLE_LINE):
        st.caption("Suggestions:", width="content", help=_SUGGESTIONS_HELP)
        for value in values:
            st.button(
                plain(in_short(value, _LONGEST_SUGGESTION)),
                key=f"{PREFIX}/{view.rule.uid}/suggestion/{value}",
                type="tertiary",
                on_click=EDITOR.do,
                args=(
                    f"select {in_short(value, _LONGEST_SUGGESTION)} in rule {view.number}",
                    partial(rule_steps.set_value, uid=view.rule.uid, slot=slot, text=value),
                ),
            )


def _draw_chips(view: RuleView, slot: str) -> None:
    kind, names = value_kind(view.rule.payload), view.ids.names
    of_kind = names.of_kind(kind) if kind is not None else {}
    labels = {str(number): f"{name} ({number})" for number, name in of_kind.items()}
    options = dict.fromkeys([*islice(labels, _MOST_OPTIONS), *view.ids.values.listed(view.rule.payload)])
    if options:
        view.draw(f"{slot}/chips", options=tuple(options), **({"labels": labels} if labels else {}))
    else:
        view.draw(f"{slot}/chips")
    _draw_paste(view, slot)


def _draw_paste(view: RuleView, slot: str) -> None:
    uid = view.rule.uid
    label = f"Paste a list into rule {view.number}"
    pasting = st.popover(
        icon_name(label),
        icon=":material/content_paste:",
        help=label,
        type="tertiary",
        key=rule_actions.paste_key(uid, "opens"),
        on_change="rerun",
        disabled=view.rule.muted,
    )
    if not pasting.open:
        return
    with pasting:
        st.text_area(
            "Paste a list",
            key=rule_actions.paste_key(uid, "text"),
            max_chars=MAX_PASTE,
            placeholder="One per line, or separated by commas, semicolons, or tabs",
            height=160,
        )
        st.caption(f"Duplicates are ignored. Items already in the rule stay. {QUOTED}")
        st.button(
            "Add to the list",
            key=rule_actions.paste_key(uid, "add"),
            icon=":material/playlist_add:",
            on_click=rule_actions.paste_into,
            args=(uid, view.number, slot),
        )


def _draw_moment(view: RuleView, slot: str) -> None:
    """Draw a day and a time, or the text of a moment in another notation."""
    view.draw(f"{slot}/text", width=_DAY_WIDTH + _CLOCK_WIDTH)
    view.draw(f"{slot}/day", width=_DAY_WIDTH)
    view.draw(f"{slot}/clock", width=_CLOCK_WIDTH)


def _draw_span(view: RuleView) -> None:
    slots = [slot for slot in ("from", "until") if view.has(f"{slot}/day") or view.has(f"{slot}/text")]
    if not slots:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", width=WHOLE_LINE):
        for slot in slots:
            st.markdown(f":small[{slot}]", width=36)
            _draw_moment(view, slot)
        if view.kind == "pattern" and not any(view.value(f"{slot}/day") for slot in slots):
            _draw_suggested_spans(view)
    _draw_times(view, slots)


def _draw_suggested_spans(view: RuleView) -> None:
    for name, (first, last) in upcoming_spans(datetime.now(UTC), view.zone).items():
        st.button(
            name,
            key=f"{PREFIX}/{view.rule.uid}/span/{name}",
            type="tertiary",
            icon=":material/date_range:",
            disabled=view.rule.muted,
            on_click=rule_actions.choose_span,
            args=(view.rule.uid, view.number, name, first, last),
        )
    st.caption(FIXED_MOMENTS_NOTE, width=WHOLE_LINE)


def _draw_times(view: RuleView, slots: Sequence[str]) -> None:
    """Draw the moments in UTC, as they are sent, with notes on unusual local times."""
    payload = view.rule.payload
    moments = dict(zip(("from", "until"), span_of(payload), strict=True)) | {"value": payload.get("columnValue")}
    in_utc = [format_moment(each) for slot in slots if type(each := moments[slot]) is int]
    if not in_utc:
        return
    texts = value_texts(view.rule, view.zone)
    readings = [read_slot(payload, slot, texts.get(slot, ""), view.zone) for slot in slots]
    notes = [each.note for each in readings if each.note]
    of_zone = "" if view.zone == "UTC" else f"{plain(view.zone.replace('_', ' '))} time · "
    lines = [f":small[:gray[{of_zone}{plain(' – '.join(in_utc))}]]"]
    lines += [f":small[:orange[:material/schedule: {plain(note)}]]" for note in notes]
    st.markdown("  \n".join(lines), width=WHOLE_LINE)


def _draw_attribute(view: RuleView) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", width=WHOLE_LINE):
        view.draw("attribute_id/text", width=150)
        view.draw("data_type", width=160)
        if view.has("values/chips"):
            _draw_chips(view, "values")
    view.draw("values/lines", width=WHOLE_LINE)
    _draw_names(view, "attribute_id", "custom attribute")


def _draw_airports(view: RuleView) -> None:
    typed = view.value("value/text")
    match = airport(typed)
    if match is not None and not match.city_airports:
        st.markdown(f":small[:gray[{plain(match.label)}]]", width=WHOLE_LINE)
        return
    matches = airport_choices(typed)
    if not matches:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", width=WHOLE_LINE):
        st.caption("Select an airport:", width="content")
        for each in matches:
            st.button(
                plain(each.label),
                key=f"{PREFIX}/{view.rule.uid}/airport/{each.iata}",
                type="tertiary",
                icon=":material/flight:",
                disabled=view.rule.muted,
                on_click=rule_actions.EDITOR.do,
                args=(
                    f"select {each.iata} in rule {view.number}",
                    partial(rule_steps.set_value, uid=view.rule.uid, slot="value", text=each.iata),
                ),
            )


def _draw_buttons(view: RuleView, total: int) -> None:
    rule, number = view.rule, view.number
    move = rule_steps.move
    name = columns.column_name_for(rule.payload)
    up, down = (f"Move rule {number} {where}" for where in ("up", "down"))
    _draw_button("arrow_upward", up, rule, partial(move, by=-1), note="Alt+↑", disabled=number == 1)
    _draw_button("arrow_downward", down, rule, partial(move, by=1), note="Alt+↓", disabled=number == total)
    if rule.muted:
        _draw_button("volume_up", f"Unmute rule {number}", rule, partial(rule_steps.mute, on=False))
    else:
        _draw_button("volume_off", f"Mute rule {number}", rule, rule_steps.mute, note="Muted rules are not saved.")
    _draw_button("close", f"Remove rule {number}, {name}" if name else f"Remove rule {number}", rule, rule_steps.remove)
    draw_rule_menu(view)


def _draw_button(
    icon: str,
    label: str,
    rule: RuleDraft,
    step: Callable[..., FilterDraft],
    *,
    note: str = "",
    disabled: bool = False,
) -> None:
    # Without a key: the label identifies the button, and the framework goes through all keys for every field.
    st.button(
        icon_name(label, rule.uid),
        icon=f":material/{icon}:",
        help=plain(f"{label}. {note}" if note else label),
        type="tertiary",
        disabled=disabled,
        on_click=EDITOR.do,
        args=(label[0].lower() + label[1:], partial(step, uid=rule.uid)),
    )


def _draw_notes(view: RuleView, warnings: Sequence[str]) -> None:
    rule = view.rule
    lines: list[str] = []
    if rule.muted:
        lines.append(":gray-badge[:material/volume_off: Muted] :gray[not saved]")
    problems = [message for _, message in view.form.problems.of(rule.uid)]
    lines += [f":red[:material/error: {plain(message)}]" for message in problems]
    if (guess := _guess_in_use(view)) is not None:
        note = f"Contact field ID {guess.field_id} is a guess. {guess.reason} Check the filter in the service."
        lines.append(f":orange[:material/lightbulb: {plain(note)}]")
    for item in _unsplit_items(view):
        note = f"“{in_short(item)}” is 1 value and is not split."
        more = "" if view.kind == "text" else " To add several values, paste a list."
        lines.append(f":gray[{plain(note + more)}]")
    departures = find_stored_rule_errors(rule) if rule.stored is not None else []
    if departures and not problems:
        lines += [f":orange[:material/history: {plain(message)}]" for message in departures]
        if rule.is_untouched:
            note = (
                "This is how the service stores the rule. Saving the filter doesn’t change it unless you edit the rule."
            )
            lines.append(f":gray[{note}]")
    lines += [f":orange[:material/warning: {plain(message)}]" for message in warnings[:WARNINGS_SHOWN]]
    if len(warnings) > WARNINGS_SHOWN:
        lines.append(f":orange[and {len(warnings) - WARNINGS_SHOWN:,} more warnings]")
    is_over = not rule.muted and not rule.typed and has_ended(rule.payload, datetime.now(UTC))
    if is_over:
        lines.append(f":orange[:material/event_busy: {plain(ended_note(rule.payload, view.zone))}]")
    if lines:
        st.markdown("  \n".join(f":small[{line}]" for line in lines), width=WHOLE_LINE)
    if is_over and rule_actions.draw_move_button(view.form.draft, [rule.uid], key=f"{PREFIX}/{rule.uid}/move-span"):
        st.rerun()
    if departures:
        _draw_operator_fixes(view)
    if departures or (view.kind == "unknown" and rule.payload):
        _draw_json(view)


def _guess_in_use(view: RuleView) -> Guess | None:
    """Return the guess that the rule uses as its contact field ID; None if the ID is known or another one."""
    rule = view.rule
    key = columns.key_of_rule(rule.payload) or ""
    field_ids = KNOWN_IDS.get().field_ids
    guess = None if rule.stored is not None else guess_field_id(key, field_ids)
    return guess if guess is not None and guess.field_id == rule.payload.get("contactFieldId") else None


def _unsplit_items(view: RuleView) -> list[str]:
    """Return the first values that contain a separator and may have been meant as several."""
    if view.kind == "text":
        return find_unsplit([view.value("value/text")])
    lists = (view.value(f"{slot}/chips") or () for slot in ("value", "values"))
    return [item for items in lists for item in find_unsplit(items)[:WARNINGS_SHOWN]]


def _draw_operator_fixes(view: RuleView) -> None:
    """Draw a button for each of the two operators that a stored rule has."""
    payload = view.rule.payload
    operator, option = payload.get("operator"), payload.get("contactFilterOption")
    if operator == option:
        return
    for each in (operator, option):
        if isinstance(each, str) and each in columns.operators_of(payload):
            st.button(
                f"Use {plain(f'“{columns.operator_label(payload, each)}”')}",
                key=f"{PREFIX}.agree/{view.rule.uid}/{each}",
                icon=":material/build:",
                type="tertiary",
                disabled=view.rule.muted,
                on_click=EDITOR.do,
                args=(
                    f"change the comparison of rule {view.number}",
                    partial(rule_steps.set_operator_and_option, uid=view.rule.uid, operator=each, zone=view.zone),
                ),
            )


def _draw_json(view: RuleView) -> None:
    menu = st.popover(
        "Show JSON",
        icon=":material/data_object:",
        type="tertiary",
        key=f"{PREFIX}.raw/{view.rule.uid}",
        on_change="rerun",
    )
    if menu.open:
        with menu:
            payload_view(view.rule.payload, key=f"contact_filter-sent-{view.rule.uid}")
