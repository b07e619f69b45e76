"""The bar at the bottom of the rule builder: the filter as a sentence, its problems, undo, and saving."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

from components.filters.builder.filter_page import ask_save
from components.filters.builder.rule_actions import EDITOR, KNOWN_IDS, viewers_zone
from domain.filters.filter_form import FILTER_FORM, PREFIX
from domain.filters.sentence import describe_filter
from domain.runtime.problems import explain
from domain.text.plain_text import count, in_short, plain

if TYPE_CHECKING:
    from collections.abc import Callable

    from components.edits.draft_session import Step
    from domain.filters.filter_draft import FilterDraft
    from domain.forms.form import Problems
    from domain.runtime.workspace import Workspace

_LONGEST_SENTENCE: Final = 400
"""The browser shows two lines of the sentence. All of it is below the rules."""


def draw_save_bar(workspace: Workspace, draft: FilterDraft, problems: Problems) -> None:
    """Draw the bar, which stays in sight while the rules are scrolled. `problems` are those shown at the rules."""
    with st.bottom, st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"{PREFIX}-bar"):
        with st.container(gap="xxsmall", width="stretch", key=f"{PREFIX}-bar-text"):
            sentence = describe_filter(draft, viewers_zone(), KNOWN_IDS.get().names)
            st.markdown(plain(in_short(sentence, _LONGEST_SENTENCE)))
            if problem := _problem(draft, problems):
                st.markdown(f":red[:material/error: {plain(problem)}]")
        with st.container(horizontal=True, width="content", gap="small", key=f"{PREFIX}-bar-buttons"):
            _step_button("Undo", "undo", EDITOR.steps.get(), EDITOR.undo, "Ctrl+Z")
            _step_button("Redo", "redo", EDITOR.undone.get(), EDITOR.redo, "Ctrl+Shift+Z")
            is_unchanged = draft.is_change and draft.is_untouched
            st.button(
                "Compare and save" if draft.is_change else "Save filter",
                key="contact-filter-save",
                type="primary",
                icon=":material/save:",
                disabled=is_unchanged,
                help="There is nothing to save yet." if is_unchanged else None,
                on_click=ask_save,
                args=(workspace,),
            )


def _problem(draft: FilterDraft, problems: Problems) -> str:
    """Return the error of the last attempt to save, or the number of problems and the first of them."""
    error = EDITOR.error_of(draft)
    if error is not None:
        return explain(error).headline
    lines = FILTER_FORM.describe_problems(draft, problems)
    return f"{count(len(lines), 'problem', 'problems')}. {lines[0]}" if lines else ""


def _step_button(label: str, icon: str, steps: list[Step], action: Callable[[], None], shortcut: str) -> None:
    what = steps[-1].label if steps else ""
    st.button(
        plain(f"{label}: {what}") if what else label,
        key=f"{PREFIX}.{icon}",
        icon=f":material/{icon}:",
        disabled=not steps,
        on_click=action,
        shortcut=shortcut,
    )
