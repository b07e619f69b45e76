"""What there is to tell of an alert that was sent, or whose outcome is unknown, and what can be made of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import streamlit as st

from components.alert_sending.afterwards import chain_lines, follow_up_buttons
from components.alert_sending.alert_chain import chains
from components.alert_sending.alert_change import open_new
from components.alert_sending.boxes import boxes
from components.alert_sending.whom import known_reach, told_at
from components.change.kept_drafts import Fate, Kept
from components.public_alerts.draft import AlertDraft
from components.public_alerts.request import request_json
from components.shell.navigation import link_to
from components.shell.screens import JOURNAL, NOTIFICATIONS
from components.shell.workspace import Workspace
from components.widgets.ids import id_in
from components.widgets.markdown_text import plain
from components.widgets.payload_view import request_expander


def outcome(workspace: Workspace, kept: Kept[AlertDraft]) -> None:
    """Draw to whom, where and until when it went, who had a hand in it, and what can be made of it."""
    draft, is_sent = kept.draft, kept.fate is Fate.SENT
    if is_sent:
        st.markdown(f"To **{plain(known_reach(workspace, draft).reach.whom)}**{_until(workspace, kept)}")
        st.markdown(" · ".join(_facts(kept)))
        _next(workspace, kept)
    boxes(workspace, draft, at=kept.begun_at, quiet=not is_sent)
    if is_sent:
        with st.container(horizontal=True):
            link_to(NOTIFICATIONS, "See it among the sent notifications", notification=kept.sent_id)
            if kept.entry is not None:
                link_to(JOURNAL, "See it in the journal", entry=kept.entry.id)
    request_expander("What was sent", request_json(draft), key=f"public-alert-{draft.uid}-sent")
    answer = kept.entry.answer if kept.entry is not None else None
    if answer is not None:
        request_expander("What came back", answer, key=f"public-alert-{draft.uid}-answer")


def _until(workspace: Workspace, kept: Kept[AlertDraft]) -> str:
    if kept.begun_at is None or kept.draft.hours is None:
        return ""
    end = kept.begun_at + timedelta(hours=kept.draft.hours)
    word = "in force until" if end > datetime.now(UTC) else "ended"
    return f" · {word} **{plain(told_at(workspace, kept.draft, end))}**"


def _facts(kept: Kept[AlertDraft]) -> list[str]:
    told = (kept.entry.request if kept.entry is not None else None) or {}
    people = (("written", "written by"), ("approved", "approved by"), ("sent", "sent by"))
    return [
        *([f"Notification id **{kept.sent_id}**"] if kept.sent_id is not None else []),
        *(f"{words} **{plain(str(told[f'{part}_by']))}**" for part, words in people if told.get(f"{part}_by")),
    ]


def _next(workspace: Workspace, kept: Kept[AlertDraft]) -> None:
    draft, at, known = kept.draft, kept.begun_at, chains(workspace)
    sent_id = id_in(str(kept.sent_id or ""))
    with st.container(horizontal=True):
        follow_up_buttons(workspace, draft, known, follows=sent_id, at=at, key="public_alert")
        if st.button("Make a copy", key="public_alert.copy", icon=":material/content_copy:"):
            open_new(workspace, draft.copied(written_at=at))
    chain_lines(workspace, draft, known, sent_id)
    st.caption(
        "A sent alert cannot be changed or recalled. What follows it is a new alert to the same people, begun in words "
        "that say so; a copy is the same alert as a new draft. Neither leaves before you have reviewed it."
    )
