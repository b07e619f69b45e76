"""Which alert is on the screen: the one of this address, kept from before, or a new one."""

from __future__ import annotations

from datetime import datetime
from typing import Final

import streamlit as st

from components.alert_reach.region_catalog import region_lookups
from components.alert_sending.alert_change import ALERT, ALERT_EDITOR
from components.change import kept_drafts
from components.forms.form import Problems
from components.public_alerts.alert_problems import alert_problems
from components.public_alerts.alert_session import EVENT_NOTE, STEPS, WORDING_ERROR
from components.public_alerts.draft import AlertDraft
from components.shell.workspace import Workspace

QUERY: Final = "draft"
GONE: Final = "That draft is no longer here: this is a new alert."


def open_address(workspace: Workspace) -> None:
    """Put the draft of this address on the screen, unless it is there already."""
    uid = st.query_params.get(QUERY, "")
    if ALERT_EDITOR.holds(uid, None) or ALERT_EDITOR.back_from_review(workspace, uid):
        return
    kept, note = ALERT_EDITOR.kept_for(workspace, uid, None)
    if kept is not None:
        show(kept.draft, note, version=kept.version)
    elif uid and (told := kept_drafts.told_by_journal(workspace, ALERT, uid)) is not None:
        # A colleague's, or discarded since it was sent: what became of it is told.
        show(told.draft)
    else:
        show(AlertDraft(), GONE if uid else "")
        st.query_params.pop(QUERY, None)


def show(draft: AlertDraft, note: str = "", *, version: datetime | None = None) -> None:
    """Put a draft on the screen, with what the person should know about it."""
    ALERT_EDITOR.show(draft, note, version=version)
    for key in (STEPS, EVENT_NOTE, WORDING_ERROR):
        key.clear()


def show_new(workspace: Workspace, draft: AlertDraft) -> None:
    """Keep a new draft, and put it on the screen in place of the one there, which is kept as it is."""
    show(draft, version=kept_drafts.save(workspace, ALERT, draft, seen=None))


def keep(workspace: Workspace, draft: AlertDraft) -> AlertDraft:
    """Keep the draft where it differs from what is kept, with what another tab changed of it."""
    return ALERT_EDITOR.keep(workspace, draft, kept_drafts.load(workspace, ALERT, draft.uid))


def problems_now(workspace: Workspace, draft: AlertDraft) -> Problems:
    """What keeps the draft from being sent, held against what the lookups offer as far as they were read."""
    return alert_problems(draft, offered=region_lookups(workspace).offered())


def name_in_address(draft: AlertDraft) -> None:
    """Let the address name the draft, so that a refresh finds it again."""
    if is_new_in_address(draft):
        st.query_params[QUERY] = draft.uid


def is_new_in_address(draft: AlertDraft) -> bool:
    """Whether the draft has begun to be written and the address does not name it yet."""
    return not draft.is_untouched and st.query_params.get(QUERY) != draft.uid


def new_alert() -> None:
    """Begin a new alert; the one on the screen is kept."""
    st.query_params.clear()
    ALERT_EDITOR.linked.clear()
    show(AlertDraft())
