"""The wordings that are kept for an event: take one, keep this one, delete an own one."""

from __future__ import annotations

import streamlit as st

from components.alert_composer import actions
from components.alert_reach.place_names import place_words
from components.alert_reach.region_catalog import region_lookups
from components.public_alerts.alert_events import skeleton_of, starting_wording
from components.public_alerts.alert_session import WORDING_ERROR
from components.public_alerts.draft import AlertDraft
from components.public_alerts.wordings import excerpt
from components.shell.workspace import Workspace
from components.widgets.markdown_text import plain
from components.widgets.time_text import moment
from journal import Wording


def wording_box(workspace: Workspace, draft: AlertDraft, until: str) -> None:
    """Draw the wordings of the draft's event behind one button; `until` is when it ends, as a text tells it."""
    with st.popover("Wordings", icon=":material/library_books:", key="public_alert.wordings"):
        if not draft.event:
            st.caption("Choose an event first: wordings are kept for an event.")
            return
        st.markdown(f"**Wordings for {plain(draft.event)}**")
        kept = workspace.journal.wordings.list(
            workspace.actor.service, workspace.actor.organization_id, event=draft.event
        )
        _beginning(workspace, draft, until)
        for wording in kept:
            _kept(workspace, wording)
        _save(workspace, {wording.name for wording in kept})
        failed = WORDING_ERROR.get()
        if failed is not None and failed[0] == draft.uid:
            st.error(plain(str(failed[1])), icon=":material/error:")


def _beginning(workspace: Workspace, draft: AlertDraft, until: str) -> None:
    if starting_wording(draft.event) is None:
        return
    beginning = skeleton_of(draft, place_words(draft, region_lookups(workspace).regions.value), until)
    with st.container(border=True, gap="xsmall"):
        st.markdown("**A beginning to fill in**")
        st.caption(plain(excerpt(beginning.sms, 110)))
        st.button(
            "Use it",
            key="public_alert.use/beginning",
            icon=":material/input:",
            on_click=actions.use_wording,
            args=(
                "A beginning to fill in",
                {"sms": beginning.sms, "instructions": beginning.instructions, "title": beginning.title},
            ),
        )


def _kept(workspace: Workspace, wording: Wording) -> None:
    with st.container(border=True, gap="xsmall"):
        st.markdown(f"**{plain(wording.name)}**")
        text = str(wording.payload.get("sms") or wording.payload.get("text") or "")
        st.caption(f"{plain(excerpt(text, 110))}  \nkept by {plain(wording.saved_by)}, {moment(wording.saved_at)}")
        with st.container(horizontal=True):
            st.button(
                "Use it",
                key=f"public_alert.use/{wording.id}",
                icon=":material/input:",
                on_click=actions.use_wording,
                args=(wording.name, wording.payload),
            )
            if wording.saved_by == workspace.actor.username:
                st.button(
                    "Delete",
                    key=f"public_alert.delete_wording/{wording.id}",
                    icon=":material/delete:",
                    on_click=actions.delete_wording,
                    args=(workspace, wording.id),
                )


def _save(workspace: Workspace, taken: set[str]) -> None:
    name = st.text_input("Keep this wording as", key=actions.NAME_KEY, placeholder="A name", live=True).strip()
    st.button(
        "Replace the one of that name" if name in taken else "Keep it",
        key="public_alert.save_wording",
        icon=":material/bookmark_add:",
        disabled=not name,
        on_click=actions.save_wording,
        args=(workspace,),
    )
