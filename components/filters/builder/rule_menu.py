"""The menu of one rule: its contact field ID, duplicating and inverting it, and further values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

import streamlit as st

from components.filters.builder.rule_actions import EDITOR, KNOWN_IDS
from components.filters.builder.rule_view import WHOLE_LINE, RuleView
from components.filters.builder.several_filters import save_several
from components.shell.notices import field_problem
from components.streamlit_workarounds.icon_name import icon_name
from domain.filters import columns, rule_steps
from domain.filters.alternatives import (
    Alternative,
    Several,
    add_rules_for,
    alternatives_of,
    name_for,
    read_values,
    several_values,
)
from domain.filters.filter_draft import FilterDraft
from domain.filters.filter_form import PREFIX, country_label
from domain.filters.known_ids import guess_field_id, value_kind
from domain.filters.opposites import describe_opposite, find_opposite, invert, opposite_label
from domain.geography.airports import airport
from domain.text.plain_text import count, plain

MOST_VALUES: Final = 50
"""The most values that become filters or rules in one step."""
_EXPLANATIONS: Final[Mapping[Several, str]] = {
    "filters": "The service allows 1 value for this rule. Muster saves 1 new filter per value.",
    "rules": "The service allows 1 value for this rule. Muster adds 1 rule per value. "
    "People with any of these values do not match.",
}


def draw_field_id(view: RuleView) -> None:
    """Draw the field for the ID of the contact field, with a guess and an explanation."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", width=WHOLE_LINE):
        view.draw("field_id/text", width=180)
        _draw_guess(view)
        st.caption(
            "The service requires the ID of this contact field.",
            width="content",
            help=(
                "The service identifies each contact field by an ID. Muster fills in the ID if another filter of your "
                "organization uses the field, or if the ID is in IDs and names. If not, ask the administrator of the "
                "service."
            ),
        )


def _draw_guess(view: RuleView) -> None:
    """Draw the ID that the contact field probably has, with a button that uses it."""
    guess = guess_field_id(columns.key_of_rule(view.rule.payload) or "", view.ids.field_ids)
    if guess is None or "field_id" in view.rule.typed:
        return
    st.button(
        f"Use {guess.field_id} (a guess)",
        key=f"{PREFIX}/{view.rule.uid}/guess",
        type="tertiary",
        icon=":material/lightbulb:",
        help=plain(guess.reason),
        disabled=view.rule.muted,
        on_click=EDITOR.do,
        args=(
            f"use the contact field ID {guess.field_id} in rule {view.number}",
            partial(rule_steps.set_value, uid=view.rule.uid, slot="field_id", text=str(guess.field_id)),
        ),
    )


def lacks_field_id(view: RuleView) -> bool:
    """Return whether the ID of the contact field is missing or has a problem."""
    rule = view.rule
    if not columns.needs_field_id(rule.payload):
        return False
    return not rule.payload.get("contactFieldId") or bool(view.form.problems.at(rule.uid, "field_id"))


def draw_rule_menu(view: RuleView) -> None:
    """Draw the menu, whose contents are drawn while it is open."""
    label = f"More actions for rule {view.number}"
    menu = st.popover(
        icon_name(label),
        icon=":material/more_horiz:",
        help=label,
        type="tertiary",
        key=menu_key(view.rule.uid),
        on_change="rerun",
    )
    if menu.open:
        with menu:
            _draw_menu(view)


def menu_key(uid: str) -> str:
    """Return the key of the menu of a rule."""
    return f"{PREFIX}.more/{uid}"


def values_key(uid: str) -> str:
    """Return the key of the field for further values of a rule."""
    return f"{PREFIX}.values/{uid}"


def _draw_menu(view: RuleView) -> None:
    rule, number = view.rule, view.number
    if view.has("field_id/text") and not lacks_field_id(view):
        draw_field_id(view)
    with st.container(horizontal=True):
        _draw_action(view, f"Duplicate rule {number}", "content_copy", "Duplicate", rule_steps.duplicate)
        if rule.payload:
            _draw_action(
                view,
                f"Invert rule {number}",
                "contrast",
                opposite_label(rule.payload),
                partial(invert, zone=view.zone),
                disabled=rule.muted or find_opposite(rule.payload) is None,
            )
    if rule.payload and (note := describe_opposite(rule.payload)):
        st.caption(plain(note))
    several = several_values(rule.payload)
    if several is not None and not rule.muted and not rule.typed:
        _draw_several(view, several)


def _draw_action(
    view: RuleView, name: str, icon: str, label: str, step: Callable[..., FilterDraft], *, disabled: bool = False
) -> None:
    st.button(
        plain(label),
        key=f"{menu_key(view.rule.uid)}/{icon}",
        icon=f":material/{icon}:",
        help=name,
        disabled=disabled,
        on_click=_act,
        args=(view.rule.uid, name[0].lower() + name[1:], partial(step, uid=view.rule.uid)),
    )


def _act(uid: str, label: str, step: Callable[[FilterDraft], FilterDraft]) -> None:
    st.session_state[menu_key(uid)] = False
    EDITOR.do(label, step)


def _draw_several(view: RuleView, several: Several) -> None:
    """Draw the field for further values, and what becomes of them."""
    rule, draft, names = view.rule, view.form.draft, view.ids.names
    labels = _labels_of_values(view)
    texts = st.multiselect(
        "Or any of these values" if several == "filters" else "And none of these values",
        tuple(labels),
        format_func=partial(_label, labels),
        key=values_key(rule.uid),
        accept_new_options=view.kind != "country",
        max_selections=MOST_VALUES,
        placeholder="Select countries" if view.kind == "country" else "Type one and press Enter",
        select_all=False,
    )
    st.caption(_EXPLANATIONS[several])
    found, problem = read_values(rule.payload, texts, names)
    field_problem(problem)
    if several == "rules":
        st.button(
            f"Add {count(len(found), 'rule', 'rules')}" if found else "Add rules",
            key=f"{values_key(rule.uid)}/add",
            icon=":material/add:",
            disabled=not found or bool(problem),
            on_click=_act,
            args=(
                rule.uid,
                f"add {count(len(found), 'value', 'values')} to rule {view.number}",
                partial(add_rules_for, uid=rule.uid, texts=found, zone=view.zone),
            ),
        )
        return
    each = alternatives_of(draft, rule.uid, found, view.zone, names) if found else []
    has_name = bool(draft.name.strip())
    if each and has_name:
        st.markdown("\n".join(f"- {plain(name_for(draft, one.label))}" for one in each))
    field_problem(None if has_name or not each else "Enter a name for the filter first.")
    st.button(
        f"Save {len(each)} filters" if each else "Save filters",
        key=f"{values_key(rule.uid)}/save",
        icon=":material/save:",
        disabled=len(each) < 2 or not has_name or bool(problem),
        on_click=_save,
        args=(rule.uid, found, view.zone),
    )


def _labels_of_values(view: RuleView) -> dict[str, str]:
    """Return the values to select from, with their labels."""
    payload, names = view.rule.payload, view.ids.names
    if view.kind == "country":
        return {code: country_label(code) for code in view.ids.countries}
    kind = value_kind(payload)
    labels = {str(number): f"{name} ({number})" for number, name in (names.of_kind(kind) if kind else {}).items()}
    for value in view.ids.values.listed(payload):
        port = airport(value) if view.kind == "airport" else None
        labels.setdefault(value, port.label if port is not None else value)
    return labels


def _label(labels: Mapping[str, str], text: str) -> str:
    return labels.get(text, text)


def _save(uid: str, texts: Sequence[str], zone: str) -> None:
    def split(draft: FilterDraft) -> list[Alternative]:
        return alternatives_of(draft, uid, texts, zone, KNOWN_IDS.get().names)

    st.session_state[menu_key(uid)] = False
    save_several(split)
