"""The rule builder from top to bottom: the filter's name, a row a rule, adding, undoing, and the filter read back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from components.contact_filters.draft import FilterDraft
from components.contact_filters.filter_problems import RULES, problems_of, worth_showing
from components.contact_filters.pointless import warnings_of
from components.filter_builder import actions
from components.filter_builder.column_picker import add_a_rule
from components.filter_builder.form_values import NAME, PREFIX
from components.filter_builder.read_back import json_notes, read_back
from components.filter_builder.rule_row import Told, rule_row
from components.forms.form import Problems
from components.framework.widget_keys import Widgets
from components.widgets.field_problem import field_problem
from components.widgets.markdown_text import plain

if TYPE_CHECKING:
    from components.shell.workspace import Workspace


def rule_builder(workspace: Workspace, draft: FilterDraft) -> None:
    """Draw the builder for the draft, which is to be `EDITOR.current()` of this run."""
    actions.learn_ids(workspace)
    zone = actions.viewers_zone()
    told, widgets = _told(draft), Widgets(PREFIX)
    _name(draft, told.problems, widgets)
    json_notes(draft)
    _head()
    for number, rule in enumerate(draft.rules, start=1):
        rule_row(rule, number, len(draft.rules), told, zone, widgets)
    field_problem(*told.problems.at(RULES, ""), *told.problems.at(draft.uid, ""))
    add_a_rule(first=not draft.rules)
    read_back(draft, zone)


def _told(draft: FilterDraft) -> Told:
    warnings: defaultdict[str, list[str]] = defaultdict(list)
    for pointless in warnings_of(draft):
        for uid in pointless.uids:
            warnings[uid].append(pointless.words)
    return Told(worth_showing(draft, problems_of(draft)), warnings)


def _name(draft: FilterDraft, problems: Problems, widgets: Widgets) -> None:
    st.text_input(
        "Name",
        value=draft.name,
        key=widgets.key((draft.uid, NAME), draft.name),
        placeholder="What people will look for, such as “Expected in France this week”",
        live=True,
    )
    field_problem(*problems.at(draft.uid, "name"))


def _head() -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader("People who match all of these", width="content", anchor=False)
        st.space("stretch")
        with st.container(horizontal=True, width="content"):
            _step_button("Undo", "undo", actions.EDITOR.steps.get(), actions.EDITOR.undo)
            _step_button("Redo", "redo", actions.EDITOR.undone.get(), actions.EDITOR.redo)


def _step_button(label: str, icon: str, steps: list[tuple[str, FilterDraft]], action: Callable[[], None]) -> None:
    what = steps[-1][0] if steps else ""
    st.button(
        plain(f"{label}: {what}") if what else label,
        key=f"{PREFIX}.{icon}",
        icon=f":material/{icon}:",
        disabled=not steps,
        on_click=action,
    )
