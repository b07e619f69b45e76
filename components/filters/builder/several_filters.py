"""Save several new filters in one step, and draw the result for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final

import streamlit as st

from components.filters.builder.rule_actions import EDITOR
from components.shell.address import go_to, link_to
from components.shell.background_changes import is_under_way, redraw_when, start_change
from components.shell.notices import show_failure, show_success
from components.shell.session import is_signed_in, require_workspace
from components.shell.state import StateKey
from components.widgets.status_badge import status_markdown
from domain.edits import stored_drafts
from domain.edits.edit_draft import SendStatus
from domain.edits.several_drafts import SendResult, send_each
from domain.filters.alternatives import Alternative, new_filters
from domain.filters.filter_change import FILTER_EDIT
from domain.filters.filter_draft import FilterDraft
from domain.runtime.problems import explain
from domain.runtime.screens import CONTACT_FILTER, CONTACT_FILTERS
from domain.tables import status
from domain.text.plain_text import count, plain

if TYPE_CHECKING:
    from domain.runtime.calls import End
    from domain.runtime.workspace import Workspace

SAVING: Final = f"{FILTER_EDIT.kind}.several"
"""The kind of the running call that saves several filters."""
_RESULTS: Final[StateKey[tuple[FilterDraft, Sequence[SendResult[FilterDraft]]] | None]] = StateKey(
    "contact_filters.saved_several", lambda: None
)
"""The draft as it was split, and the result for each filter."""
_STATUSES: Final = {
    SendStatus.SENT: status.SENT,
    SendStatus.UNKNOWN: status.UNKNOWN,
    SendStatus.SENDING: status.SENDING,
    SendStatus.DRAFT: status.NOT_SENT,
}


def save_several(split: Callable[[FilterDraft], Sequence[Alternative]]) -> None:
    """Save the filters into which `split` splits the draft on the screen. Call it in a callback."""
    draft = EDITOR.current()
    if draft is None or not is_signed_in():
        return
    workspace, new = require_workspace(), new_filters(draft, split(draft))
    work, label = partial(send_each, workspace, FILTER_EDIT, new), count(len(new), "contact filter", "contact filters")
    _RESULTS.clear()
    start_change(workspace, SAVING, draft.uid, work, label=label, then=partial(_ended, draft))


def _ended(draft: FilterDraft, end: End) -> None:
    FILTER_EDIT.invalidate_reads()
    results: Sequence[SendResult[FilterDraft]] = end.value or ()
    _RESULTS.set((draft, results))
    saved = [each for each in results if each.status is SendStatus.SENT]
    if saved:
        show_success(f"{count(len(saved), 'contact filter is', 'contact filters are')} saved.")
    if end.error is not None:
        show_failure(explain(end.error).text)


def draw_saved_filters(workspace: Workspace, draft: FilterDraft) -> None:
    """Draw the results for the filters that were made from this draft.

    A new draft of which all were saved is left, unless it has changed meanwhile.
    """
    if is_under_way(workspace, SAVING, draft.uid):
        st.info("Muster is saving the filters, one after the other.", icon=":material/hourglass_top:")
        redraw_when(lambda: not is_under_way(workspace, SAVING, draft.uid))
        return
    split, results = _RESULTS.get() or (draft, ())
    if split.uid != draft.uid or not results:
        return
    are_all_sent = all(each.status is SendStatus.SENT for each in results)
    if are_all_sent and not draft.is_change and draft.has_same_payload(split):
        _RESULTS.clear()
        stored_drafts.discard(workspace, FILTER_EDIT, draft.uid, if_unsent=True)
        EDITOR.draft.clear()
        go_to(CONTACT_FILTERS, id=[str(each.sent_id) for each in results if each.sent_id])
    with st.container(border=True, key="contact_filter-several"):
        for each in results:
            _draw_result(each)
        if any(each.status is SendStatus.DRAFT for each in results):
            st.caption("Filters that were not sent are among your unfinished filters. Correct them there.")
        st.button("Dismiss", key="contact-filter-several-dismiss", on_click=_RESULTS.clear)


def _draw_result(result: SendResult[FilterDraft]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(status_markdown(_STATUSES[result.status]), width="content")
        is_sent = result.status is SendStatus.SENT and result.sent_id is not None
        where = {"id": result.sent_id} if is_sent else {"draft": result.draft.uid}
        link_to(CONTACT_FILTER, plain(result.draft.title), **where)
    if result.error is not None:
        st.caption(plain(explain(result.error).text))
