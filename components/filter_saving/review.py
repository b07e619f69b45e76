"""Drawing the look at a draft before it is saved: what was and what will be, and what somebody else did meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from client import NotFound
from client.models.contact_filters import ContactFilter
from components.contact_filters.comparison import meanwhile, name_of, same_filter
from components.contact_filters.draft import FilterDraft
from components.contact_filters.filter_change import FILTER
from components.contact_filters.filter_frame import changed_by, last_change
from components.contact_filters.sentence import sentence
from components.contact_filters.wire import as_json, base_filter, to_filter
from components.filter_builder.actions import EDITOR, viewers_zone
from components.filter_saving import save_steps
from components.filter_saving.compare_view import draw_comparison, draw_new, draw_side_by_side
from components.filter_saving.save_bar import draw_save_error
from components.filter_saving.saving import Review, what_changes
from components.filter_saving.state import REVIEW
from components.framework.own_scripts import new_stage
from components.shell.notices import show_problem
from components.widgets.markdown_text import plain

if TYPE_CHECKING:
    from components.shell.workspace import Workspace


def draw_review(workspace: Workspace, draft: FilterDraft) -> bool:
    """Draw the look at the draft where one was asked for; tell whether it was."""
    review = REVIEW.get()
    if review is None or review.uid != draft.uid:
        return False
    if review.error is not None:
        new_stage(draft.uid, "unreadable")
        st.title(f"Contact filter {plain(draft.title)}", anchor=False)
        _draw_unreadable(workspace, draft, review.error)
    elif review.stored is not None and meanwhile(base_filter(draft), review.stored) == "changed":
        base = base_filter(draft)
        was = name_of(base) if base is not None else ""
        new_stage(draft.uid, "conflict")
        st.title(f"Somebody else changed {plain(was or draft.title)}", anchor=False)
        _draw_conflict(workspace, draft, review, review.stored)
    else:
        verb = "Save the change of" if draft.is_change else "Save"
        new_stage(draft.uid, "review")
        st.title(f"{verb} {plain(draft.title)}?", anchor=False)
        _draw_compared(workspace, draft, review)
    return True


def _draw_compared(workspace: Workspace, draft: FilterDraft, review: Review) -> None:
    if review.stored is not None and review.over:
        st.warning(
            f"What you save **replaces the version of {plain(_somebody(review.stored))}** "
            f"({plain(last_change(review.stored))}).",
            icon=":material/group:",
        )
    elif review.stored is not None and meanwhile(base_filter(draft), review.stored) == "saved again":
        st.info(
            f"It was saved again since you opened it, with nothing different: {plain(last_change(review.stored))}.",
            icon=":material/info:",
        )
    comparison = what_changes(draft, review.stored)
    st.markdown(f":material/format_quote: {plain(sentence(draft, viewers_zone()))}")
    if draft.is_change:
        st.caption("Held against the filter as the service has it now: what was, and what will be.")
        draw_comparison(comparison, viewers_zone())
    else:
        draw_new(comparison, viewers_zone())
    with st.expander("Show the request", icon=":material/code:"):
        st.code(as_json(draft), language="json")
    draw_save_error(draft)
    with st.container(horizontal=True):
        _draw_back()
        st.button(
            "Save the change" if draft.is_change else "Save the filter",
            key="contact-filter-save-now",
            type="primary",
            icon=":material/save:",
            disabled=draft.is_change and comparison.is_same,
            on_click=EDITOR.send,
            args=(workspace,),
        )


def _draw_conflict(workspace: Workspace, draft: FilterDraft, review: Review, theirs: ContactFilter) -> None:
    ours = to_filter(draft)
    if same_filter(ours, theirs):
        st.success(
            f"The stored filter already says exactly what yours says: {plain(last_change(theirs))}. "
            "There is nothing left to save.",
            icon=":material/check_circle:",
        )
    else:
        st.warning(
            f"**{plain(_somebody(theirs))} has changed this filter since you opened it** "
            f"({plain(last_change(theirs))}). Nothing of yours is saved, and nothing of theirs is replaced, until you "
            "choose.",
            icon=":material/group:",
        )
    with st.container(horizontal=True):
        st.button(
            "Take theirs",
            key="contact-filter-take-theirs",
            icon=":material/download_done:",
            help="Go on from their version. Undo brings back yours.",
            on_click=save_steps.take_theirs,
            args=(theirs,),
        )
        if not same_filter(ours, theirs):
            st.button(
                "Keep mine, replace theirs",
                key="contact-filter-keep-ours",
                icon=":material/published_with_changes:",
                help="Shows what that does to their version before it is saved.",
                on_click=save_steps.keep_ours,
                args=(theirs,),
            )
            st.button(
                "Hide both" if review.side_by_side else "Look at both",
                key="contact-filter-look-at-both",
                type="secondary" if review.side_by_side else "primary",
                icon=":material/compare:",
                on_click=save_steps.look_at_both,
                args=(not review.side_by_side,),
            )
            _draw_as_new(workspace, keep_name=False)
        _draw_back()
    if review.side_by_side and not same_filter(ours, theirs):
        st.caption("Marked against the filter as it was when you opened it.")
        draw_side_by_side(base_filter(draft), theirs, ours, viewers_zone())


def _draw_unreadable(workspace: Workspace, draft: FilterDraft, error: Exception) -> None:
    if not isinstance(error, NotFound):
        show_problem(
            error, doing=f"reading the stored filter before {FILTER.words.doing(draft)}", key="contact-filter-review"
        )
        with st.container(horizontal=True):
            _draw_back()
            st.button(
                "Try again",
                key="contact-filter-review-again",
                type="primary",
                icon=":material/refresh:",
                on_click=save_steps.look_at_change,
                args=(workspace,),
            )
        return
    st.warning(
        "**This filter is no longer at the service: somebody has deleted it.** Nothing was saved. What you built is "
        "still here, and can be saved as a new filter.",
        icon=":material/delete:",
    )
    with st.container(horizontal=True):
        _draw_as_new(workspace, keep_name=True)
        _draw_back()


def _draw_as_new(workspace: Workspace, *, keep_name: bool) -> None:
    st.button(
        "Make mine a new filter",
        key="contact-filter-as-new",
        type="primary" if keep_name else "secondary",
        icon=":material/add:",
        on_click=save_steps.as_new_filter,
        args=(workspace,),
        kwargs={"keep_name": keep_name},
    )


def _draw_back() -> None:
    st.button(
        "Back to the rules",
        key="contact-filter-back",
        icon=":material/arrow_back:",
        on_click=save_steps.back_to_rules,
    )


def _somebody(stored: ContactFilter) -> str:
    return changed_by(stored) or "Somebody else"
