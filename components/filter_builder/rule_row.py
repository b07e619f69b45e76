"""One rule on the screen: what it looks at, how it compares, its value, its buttons, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import streamlit as st

from components.contact_filters import columns
from components.contact_filters.filter_draft import FilterDraft, RuleDraft
from components.contact_filters.filter_problems import departures_of
from components.filter_builder import editing as steps
from components.filter_builder.form_values import COLUMN, OPERATOR, PREFIX, TEXT
from components.filter_builder.rule_actions import EDITOR
from components.filter_builder.value_editors import (
    WHOLE_LINE,
    Editing,
    beneath,
    beside,
    column_choices,
    field_id_field,
    operator_choices,
)
from components.forms.form import Problems
from components.framework.icon_name import icon_name
from components.framework.widget_keys import Widgets
from components.widgets.markdown_text import plain
from components.widgets.payload_view import payload_view

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
        editing.pick(COLUMN, "what it looks at", every_column, "What should it look at?", width=_COLUMN_WIDTH)
        if rule.wire:
            comparisons = operator_choices(rule.wire)
            editing.pick(OPERATOR, "comparison", comparisons, "Choose how to compare", width=_OPERATOR_WIDTH)
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
    if editing.has(f"field_id/{TEXT}") and not _asks_field_id(editing, problems):
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
        help=words,
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
                    partial(steps.agree, uid=editing.rule.uid, operator=said),
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
