"""Drawing the way to the service under the rules: what keeps it from being saved, what is odd, and the buttons."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from components.change.sent_stage import ask_to_discard
from components.contact_filters.draft import FilterDraft
from components.contact_filters.filter_change import FILTER, NameTakenError
from components.contact_filters.filter_problems import FILTER_FORM, problems_of
from components.filter_builder.actions import EDITOR
from components.filter_saving import save_steps
from components.shell.navigation import link_to
from components.shell.notices import draw_problem, show_problem
from components.shell.problems import explain
from components.shell.screens import CONTACT_FILTER
from components.widgets.field_problem import to_mend
from components.widgets.markdown_text import plain

if TYPE_CHECKING:
    from components.shell.workspace import Workspace


def draw_save(workspace: Workspace, draft: FilterDraft) -> None:
    """Draw the buttons that save or let go of the draft, with what stands in the way above them."""
    _draw_to_mend(draft)
    draw_save_error(draft)
    untouched = draft.is_untouched
    with st.container(horizontal=True):
        st.button(
            "Compare and save" if draft.is_change else "Save the filter",
            key="contact-filter-save",
            type="primary",
            icon=":material/save:",
            disabled=untouched and draft.is_change,
            help="Nothing is changed yet." if untouched and draft.is_change else None,
            on_click=save_steps.ask_save,
            args=(workspace,),
        )
        if not untouched and st.button(
            "Discard the change" if draft.is_change else "Discard this draft",
            key="contact-filter-discard",
            icon=":material/delete_sweep:",
        ):
            ask_to_discard(workspace, EDITOR, draft)


def draw_save_error(draft: FilterDraft) -> None:
    """Say what went wrong when the draft was saved last."""
    error, doing = EDITOR.error_of(draft), FILTER.words.doing(draft)
    if error is None:
        return
    if isinstance(error, NameTakenError):
        st.error(
            f"**There is already a contact filter called {plain(draft.title)}.** Nothing was saved. Give yours another "
            "name, or change the one that is there.",
            icon=":material/error:",
        )
        link_to(CONTACT_FILTER, "Open the one that is there", id=error.other.id or None, name=error.other.name)
    elif draft.refused:
        # What is wrong with which rule, once: under the service's words nobody would find it.
        said = FILTER_FORM.listed(draft, problems_of(draft))
        problem = replace(explain(error, doing), advice="  \n".join(f"• {line}" for line in said))
        draw_problem(problem, key="contact-filter-save")
    else:
        show_problem(error, doing=doing, key="contact-filter-save")


def _draw_to_mend(draft: FilterDraft) -> None:
    is_told = bool(draft.refused) and EDITOR.error_of(draft) is not None
    if draft.checked and not is_told:
        to_mend(FILTER_FORM.listed(draft, problems_of(draft)), before="saved")
