"""Ready alerts in the composer: begin with one, fill in its blanks, keep the alert on the screen as one."""

from __future__ import annotations

from typing import Final

import streamlit as st

from components.alert_composer import actions
from components.public_alerts.alert_session import READY_ASKED, READY_ERROR
from components.public_alerts.draft import AlertDraft
from components.public_alerts.ready_alerts import blank_key, open_blanks, ready_alerts
from components.shell.navigation import link_to
from components.shell.screens import READY_ALERTS
from components.shell.workspace import Workspace
from components.widgets.markdown_text import plain

SHOWN: Final = 8
"""How many stand in the composer; the others are on their own screen."""
_MOST_BLANKS: Final = 8


def begin_with_ready(workspace: Workspace) -> None:
    """Draw the organization's ready alerts, each to be begun with in one press."""
    kept = ready_alerts(workspace)
    if not kept:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("**Begin with**", width="content")
        for each in kept[:SHOWN]:
            st.button(
                plain(each.name),
                key=f"public_alert.ready/{each.name}",
                icon=":material/bolt:",
                on_click=READY_ASKED.get().append,
                args=((each.name, each.version),),
            )
        more = len(kept) - SHOWN
        link_to(READY_ALERTS, f"{more} more" if more > 0 else "All ready alerts")


def has_blanks_on_top(draft: AlertDraft) -> bool:
    """Whether its blanks are what is left to do, and not of words that were put in while it was written."""
    return draft.ready is not None or bool(draft.follow_up)


def blanks_to_fill(draft: AlertDraft) -> None:
    """Draw a field for each blank of the texts: what is typed stands in its place wherever it stands."""
    blanks = [blank for blank in open_blanks(draft) if blank in draft.blanks][:_MOST_BLANKS]
    if not blanks:
        return
    with st.container(border=True, gap="xsmall", key="public_alert-blanks"):
        st.markdown(":material/edit: **To be filled in**")
        for blank in blanks:
            st.text_input(blank.strip("[]"), key=blank_key(draft, blank))


def keep_as_ready(workspace: Workspace, draft: AlertDraft) -> None:
    """Draw the way to keep the alert on the screen as a ready alert, or as the next version of the one it came from."""
    with st.popover("Keep ready", icon=":material/bolt:", key="public_alert.keep_ready"):
        st.caption(
            "The whole alert is kept by name for your organization, to be begun with one press: texts, levels, hours "
            "and whom it goes to. What stands in [brackets] is a blank to be filled in then."
        )
        known = draft.ready
        name = st.text_input(
            "Name",
            key=actions.READY_NAME_KEY,
            placeholder=known[0] if known is not None else "Boil water: north side",
            live=True,
        ).strip()
        is_next = known is not None and (not name or name.casefold() == known[0].casefold())
        st.button(
            f"Keep as version {known[1] + 1}" if is_next and known is not None else "Keep it",
            key="public_alert.keep_ready_now",
            icon=":material/bookmark_add:",
            disabled=not (name or is_next),
            on_click=actions.keep_as_ready,
            args=(workspace,),
        )
        failed = READY_ERROR.get()
        if failed is not None and failed[0] == draft.uid:
            st.error(plain(str(failed[1])), icon=":material/error:")
