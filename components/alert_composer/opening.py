"""Which alert is on the screen: the one of this address, kept from before, or a new one; and how it is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

from components.alert_reach.region_catalog import region_lookups
from components.alert_sending import approval
from components.alert_sending.fate import standing_of
from components.alert_sending.state import SEND_ERROR
from components.change.kept_drafts import Fate
from components.change.merging import merged, words_on
from components.forms.form import Problems
from components.public_alerts import draft_store
from components.public_alerts.alert_form import ALERT_FORM, LABELS, is_untouched
from components.public_alerts.alert_problems import alert_problems
from components.public_alerts.draft import AlertDraft
from components.public_alerts.request import zip_flag_is_offered
from components.public_alerts.state import DRAFT, EVENT_NOTE, LINKED, NOTE, SAVED, STEPS, WORDING_ERROR

if TYPE_CHECKING:
    from components.shell.workspace import Workspace

QUERY: Final = "draft"
TOGETHER: Final = (("category", "event"), ("jurisdiction", "regions"))
"""Fields of which one says little without the other."""
GONE: Final = "That draft is no longer here: this is a new alert."


def open_address(workspace: Workspace) -> None:
    """Put the draft of this address on the screen, unless it is there already."""
    uid = st.query_params.get(QUERY, "")
    held = DRAFT.get()
    if held is not None and _is_of(held, uid):
        if uid:
            LINKED.set(uid)
        return
    kept = draft_store.load(workspace, uid) if uid else None
    if kept is not None:
        show(kept.draft)
    elif uid and standing_of(workspace, uid).fate is not Fate.UNSENT:
        # Discarded here, and sent before that: what became of it is told.
        show(AlertDraft(uid=uid))
    else:
        show(AlertDraft(), GONE if uid else "")
        if uid:
            del st.query_params[QUERY]


def show(draft: AlertDraft, note: str = "") -> None:
    """Put a draft on the screen, with what the person should know about it."""
    DRAFT.set(draft)
    SAVED.set(draft)
    NOTE.set(note)
    for key in (STEPS, EVENT_NOTE, WORDING_ERROR):
        key.clear()


def keep(workspace: Workspace, draft: AlertDraft) -> AlertDraft:
    """Keep the draft where it differs from what is kept, with what another tab changed of it.

    What the service refused no longer stands once the draft changed.
    """
    saved = SAVED.get()
    if saved != draft:
        draft = with_other_tab(workspace, draft)
        if saved is not None and draft.refused == saved.refused and not ALERT_FORM.same_content(saved, draft):
            draft = draft.model_copy(update={"refused": []})
            SEND_ERROR.clear()
        if not is_untouched(draft):
            draft_store.save(workspace, draft)
        SAVED.set(draft)
    DRAFT.set(draft)
    return draft


def with_other_tab(workspace: Workspace, draft: AlertDraft) -> AlertDraft:
    """The draft with what another tab kept of it since it was kept here, and a note that says so."""
    saved = SAVED.get()
    kept = draft_store.load(workspace, draft.uid) if saved is not None else None
    if saved is None or kept is None or kept.draft == saved:
        return draft
    both = merged(saved, draft, kept.draft, together=TOGETHER)
    if said := words_on(both, lambda part: LABELS.get(part, part)):
        NOTE.set(said)
    if both.draft.zip_to_groups and not zip_flag_is_offered(both.draft):
        return both.draft.model_copy(update={"zip_to_groups": False})
    return both.draft


def problems_now(workspace: Workspace, draft: AlertDraft) -> Problems:
    """What keeps the draft from being sent, held against what the lookups offer as far as they were read."""
    return alert_problems(draft, offered=region_lookups(workspace).offered())


def name_in_address(draft: AlertDraft) -> None:
    """Let the address name the draft, so that a refresh finds it again."""
    if not is_untouched(draft) and st.query_params.get(QUERY) != draft.uid:
        st.query_params[QUERY] = draft.uid


def is_new_in_address(draft: AlertDraft) -> bool:
    """Whether the draft has begun to be written and the address does not name it yet."""
    return not is_untouched(draft) and st.query_params.get(QUERY) != draft.uid


def start_over(workspace: Workspace, uid: str) -> None:
    """Forget a draft, take back what was handed over of it, and begin a new alert."""
    draft_store.discard(workspace, uid)
    approval.take_back(workspace, AlertDraft(uid=uid))
    new_alert()


def new_alert() -> None:
    """Begin a new alert; the one on the screen is kept."""
    st.query_params.clear()
    LINKED.clear()
    show(AlertDraft())


def _is_of(held: AlertDraft, uid: str) -> bool:
    if uid:
        return held.uid == uid
    # The browser may run the page again before it has taken up the address with the draft's name: only where that was
    # seen once does an address without it mean another, new alert.
    return is_untouched(held) or LINKED.get() != held.uid
