"""Drawing the filters that a person began and did not save, with a way on and a way to let go of each."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from components.change.kept_drafts import Fate
from components.contact_filters import draft_store
from components.contact_filters.comparison import is_untouched
from components.contact_filters.draft import FilterDraft
from components.contact_filters.draft_store import Kept
from components.contact_filters.state import DRAFT
from components.shell.navigation import link_to
from components.shell.notices import done
from components.shell.screens import CONTACT_FILTER
from components.widgets.confirm import confirm_dialog
from components.widgets.markdown_text import plain
from components.widgets.number_text import count
from components.widgets.time_text import moment

if TYPE_CHECKING:
    from components.shell.workspace import Workspace


def draw_unfinished(workspace: Workspace) -> None:
    """Draw the person's unfinished filters; nothing where there are none."""
    kept = [each for each in draft_store.unfinished(workspace) if not is_untouched(each.draft)]
    if not kept:
        return
    unknown = sum(each.fate is Fate.UNKNOWN for each in kept)
    label = count(len(kept), "unfinished filter", "unfinished filters")
    with st.expander(
        f"{label} · {unknown:,} with an unknown outcome" if unknown else label,
        icon=":material/edit_note:",
        expanded=bool(unknown),
    ):
        st.caption("Kept for you alone, and not at the service until you save them.")
        for each in kept:
            _draw_one(workspace, each)


def _draw_one(workspace: Workspace, kept: Kept) -> None:
    draft = kept.draft
    with st.container(horizontal=True, vertical_alignment="center"):
        number = f" · id {draft.filter_id}" if draft.is_change else ""
        link_to(
            CONTACT_FILTER,
            f"{plain(draft.title)} ({_kind(kept)}{number}, {moment(kept.saved_at)})",
            icon=":material/edit:",
            id=draft.filter_id,
            draft=draft.uid,
        )
        if kept.fate is Fate.UNSENT and st.button(
            "Discard",
            key=f"contact-filters-discard-{draft.uid}",
            icon=":material/delete_sweep:",
            type="tertiary",
            help=f"Discard {draft.title}",
        ):
            ask_to_discard(workspace, draft)


def ask_to_discard(workspace: Workspace, draft: FilterDraft) -> None:
    """Ask before what was typed is let go of; call it in the run in which the button was pressed."""
    rules = count(len(draft.rules), "rule", "rules")
    confirm_dialog(
        "Discard this change?" if draft.is_change else "Discard this draft?",
        [
            f"**{plain(draft.title)}** with {rules}, as you typed it, is forgotten.",
            "The stored filter stays as it is." if draft.is_change else "It was never saved at the service.",
        ],
        "Discard the change" if draft.is_change else f"Discard {draft.title}",
        partial(_discard, workspace, draft),
        key="contact-filters-discard-dialog",
        keep_label="Keep it",
        icon=":material/delete_sweep:",
    )


def _discard(workspace: Workspace, draft: FilterDraft) -> None:
    draft_store.discard(workspace, draft.uid)
    held = DRAFT.get()
    if held is not None and held.uid == draft.uid:
        DRAFT.clear()
        if st.query_params.get("draft") == draft.uid:
            # Under another name than the discarded one, whose fields the browser still holds.
            st.query_params.pop("draft")
    done(f"The {'change of' if draft.is_change else 'draft'} {draft.title} is discarded.")


def _kind(kept: Kept) -> str:
    if kept.fate is Fate.UNKNOWN:
        return "outcome unknown"
    if kept.fate is Fate.SENDING:
        return "being saved"
    return "a change" if kept.draft.is_change else "new"
