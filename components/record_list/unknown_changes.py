"""The changes with status Unknown at the top of the screen of their kind, each with a link to check it."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import streamlit as st

from components.shell.address import link_to
from components.shell.notices import show_problem
from components.widgets.status_badge import draw_status
from domain.edits.journal_texts import ALERT, SUBJECTS, describe_action, describe_subject
from domain.runtime.screens import CONTACT_FILTER, JOURNAL, LOOKUP_MAPPING, PUBLIC_ALERT, TRIP_EDITOR
from domain.tables.status import UNKNOWN
from domain.text.plain_text import count, plain
from domain.text.time_text import ago
from journal import EntryFilters, JournalError

if TYPE_CHECKING:
    from domain.runtime.screens import Screen
    from domain.runtime.workspace import Workspace
    from journal import Entry

MAX_LISTED: Final = 5
EVERY_SECONDS: Final = 1.0
DRAFTS: Final[dict[str, Screen]] = {
    "itinerary": TRIP_EDITOR,
    "contact_filter": CONTACT_FILTER,
    "lookup_mapping": LOOKUP_MAPPING,
}
"""The screen on which the sender of a draft checks its status, by subject kind. Colleagues use the journal."""
_STARTED: Final = time.monotonic()
_RECOVERY_SECONDS: Final = 15.0
"""How long after a start Muster redraws these changes: one that a crash left is known when its lease ends."""


def draw_during_recovery(draw: Callable[[], None]) -> None:
    """Call `draw`; after a start of Muster call it every second until all leases of a crash have ended."""
    with st.container():
        if time.monotonic() - _STARTED < _RECOVERY_SECONDS:
            st.fragment(draw, run_every=EVERY_SECONDS)()
        else:
            draw()


def draw_unknown_changes(workspace: Workspace, subject_kind: str) -> None:
    """Draw the changes of a subject kind with status Unknown, each with a link to check it."""
    audit, actor = workspace.journal.audit, workspace.actor
    filters = EntryFilters(subject_kind=subject_kind, state="unknown")

    def draw() -> None:
        try:
            entries = audit.list(actor.service, actor.organization_id, filters=filters, page_size=MAX_LISTED + 1)
        except JournalError as error:
            show_problem(error, key=f"unknown-{subject_kind}", is_read=True)
            return
        if not entries:
            return
        with st.container(border=True):
            for entry in entries[:MAX_LISTED]:
                _draw(workspace, entry)
            if len(entries) > MAX_LISTED:
                total = audit.count(actor.service, actor.organization_id, filters=filters)
                noun = SUBJECTS[subject_kind]
                number = count(total, f"{noun} change has", f"{noun} changes have")
                st.caption(f"{number} status Unknown. The Journal lists all of them.")

    draw_during_recovery(draw)


def _draw(workspace: Workspace, entry: Entry) -> None:
    name = describe_subject(entry)
    with st.container(horizontal=True, vertical_alignment="center"):
        draw_status(UNKNOWN)
        by = f"by {entry.actor.username}, {ago(entry.at, datetime.now(UTC))}"
        st.markdown(f"**{plain(name)}** · {plain(describe_action(entry.action))} · {plain(by)}", width="content")
        draft = (entry.request or {}).get("draft")
        screen = PUBLIC_ALERT if entry.subject_kind == ALERT else DRAFTS.get(entry.subject_kind)
        is_own = entry.subject_kind == ALERT or entry.actor.username == workspace.actor.username
        if draft and screen is not None and is_own:
            link_to(screen, f"Check {plain(name)}", id=entry.subject_id or None, draft=str(draft))
        else:
            link_to(JOURNAL, f"Check {plain(name)}", entry=str(entry.id))
