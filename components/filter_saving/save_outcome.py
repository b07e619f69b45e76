"""Drawing what became of a draft whose saving began: done, under way, or unknown, with a way to find out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from components.change.kept_drafts import Fate, why_unknown
from components.contact_filters import draft_store
from components.contact_filters.draft import FilterDraft
from components.contact_filters.draft_store import Kept
from components.contact_filters.filter_frame import last_change
from components.filter_saving import save_steps
from components.filter_saving.save_bar import doing
from components.filter_saving.saving import Candidate
from components.filter_saving.state import LOOKED, SAVE_ERROR
from components.shell.changing import follow
from components.shell.navigation import link_to
from components.shell.notices import show_problem
from components.shell.screens import CONTACT_FILTER, CONTACT_FILTERS, JOURNAL
from components.widgets.markdown_text import plain
from components.widgets.time_text import moment

if TYPE_CHECKING:
    from components.shell.workspace import Workspace


def draw_outcome(workspace: Workspace, kept: Kept) -> None:
    """Draw where a draft stands that was sent, or is being sent."""
    if kept.fate is Fate.SENT:
        _draw_sent(kept)
    elif kept.fate is Fate.SENDING:
        draw_saving(kept.draft)
        follow(lambda: not draft_store.is_being_sent(workspace, kept.draft.uid))
    else:
        _draw_unknown(workspace, kept)


def _draw_sent(kept: Kept) -> None:
    draft = kept.draft
    st.title(f"Contact filter {plain(draft.title)} is saved", anchor=False)
    when = f" {moment(kept.entry.at)}" if kept.entry is not None else ""
    st.success(f"It was saved once,{when}. It is not saved again.", icon=":material/check_circle:")
    name = None if kept.sent_id else draft.name.strip()
    link_to(CONTACT_FILTER, f"Open {plain(draft.title)}", id=kept.sent_id, name=name)
    link_to(CONTACT_FILTERS, "All contact filters")


def draw_saving(draft: FilterDraft) -> None:
    """Say that the draft is on its way; the page is drawn again by itself once it is known what became of it."""
    st.title(f"Contact filter {plain(draft.title)} is being saved", anchor=False)
    st.info(
        "You can go on elsewhere, or close this tab: it is saved once, and you are told what became of it.",
        icon=":material/hourglass_top:",
    )


def _draw_unknown(workspace: Workspace, kept: Kept) -> None:
    draft = kept.draft
    st.title(f"Contact filter {plain(draft.title)}: unknown", anchor=False)
    st.warning(
        f"**It is not known whether the service {'changed' if draft.is_change else 'saved'} this filter.** "
        f"{why_unknown(kept.entry)} Nothing is sent again by itself: look first, then decide.",
        icon=":material/help:",
    )
    failed = SAVE_ERROR.get()
    if failed is not None and failed[0] == draft.uid:
        show_problem(failed[1], doing=doing(draft), key="contact-filter-unknown")
    found = LOOKED.get()
    looked = found is not None and found[0] == draft.uid
    st.button(
        "Look again" if looked else "Look at the service",
        key="contact-filter-look",
        type="secondary" if looked else "primary",
        icon=":material/search:",
        on_click=save_steps.look_what_became,
        args=(workspace, draft),
    )
    if found is not None and looked:
        if isinstance(found[1], Exception):
            show_problem(found[1], doing=f"looking for {draft.title}", key="contact-filter-look-problem")
        else:
            _draw_found(workspace, draft, found[1])
    link_to(JOURNAL, "See it in the journal")


def _draw_found(workspace: Workspace, draft: FilterDraft, found: list[Candidate]) -> None:
    st.subheader("What the service holds now", anchor=False)
    if not found:
        st.info(
            "The service no longer has this filter."
            if draft.is_change
            else f"No filter is called {plain(draft.title)}: it was not saved, or not yet.",
            icon=":material/search_off:",
        )
    for number, candidate in enumerate(found):
        with st.container(border=True):
            stored = candidate.stored
            st.markdown(f"**{plain(stored.name or draft.title)}** · id {stored.id or 'not told'}")
            st.caption(f"{plain(last_change(stored))}. {_words(candidate)}")
            with st.container(horizontal=True, vertical_alignment="center"):
                link_to(
                    CONTACT_FILTERS, "Look at it in the list", id=stored.id, name=None if stored.id else stored.name
                )
                st.button(
                    "This is it: mark as saved",
                    key=f"contact-filter-settle-{stored.id or number}",
                    icon=":material/check:",
                    type="primary" if candidate.holds_it else "secondary",
                    on_click=save_steps.settle,
                    args=(workspace, draft, candidate),
                )
    st.button(
        "It was not saved: back to the rules",
        key="contact-filter-save-again",
        icon=":material/replay:",
        on_click=save_steps.save_again,
        args=(workspace, draft),
    )


def _words(candidate: Candidate) -> str:
    if candidate.holds_it:
        return "It says exactly what you sent: it looks as if it was saved."
    if candidate.is_as_before:
        return "It says what it said before: it looks as if nothing was saved."
    return "It says neither what you sent nor what it said before."
