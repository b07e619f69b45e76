"""What can be done with a sent alert, on the page of the alert and in the list of sent notifications."""

from __future__ import annotations

from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Final
from zoneinfo import ZoneInfo

import streamlit as st

from components.alerts.sending.alert_editor import open_begun, open_new
from components.alerts.sending.alert_times import format_alert_time, text_zone
from components.alerts.sending.boxes import boxes
from components.shell.address import link_to
from components.shell.background_changes import redraw_while_loading
from components.widgets.downloads import request_expander
from domain.alerts.draft import AlertDraft, FollowUp
from domain.alerts.expiry import time_in_text
from domain.alerts.recipients.place_names import place_words
from domain.alerts.recipients.region_catalog import region_lookups
from domain.alerts.request import request_json
from domain.alerts.sending.alert_chain import Chains, chains
from domain.alerts.sending.facts import CANNOT_RECALL
from domain.alerts.sending.known_recipients import known_reach
from domain.alerts.wording.follow_ups import KINDS, follow_up, follow_up_kinds
from domain.edits.edit_draft import SendStatus, StoredDraft
from domain.runtime.background import BackgroundReads
from domain.runtime.screens import JOURNAL, NOTIFICATIONS, PUBLIC_ALERT
from domain.runtime.workspace import Workspace
from domain.text.plain_text import id_in, plain
from domain.text.time_text import month_and_day

_HELP: Final = "{} Nothing is sent until you select **Send** in the review."


def chain_lines(workspace: Workspace, sent_draft: AlertDraft, chains: Chains, notification: int | None) -> None:
    """Draw the alerts before and after a sent alert as links. Times are local to its places."""
    for line in chains.lines(notification, partial(format_alert_time, workspace, sent_draft)):
        if line.notification is not None:
            link_to(NOTIFICATIONS, plain(line.words), icon=":material/link:", notification=line.notification)
        else:
            link_to(PUBLIC_ALERT, plain(line.words), icon=":material/help:", draft=line.draft)


def follow_up_buttons(
    workspace: Workspace, sent_draft: AlertDraft, chains: Chains, *, follows: int | None, at: datetime | None, key: str
) -> None:
    """Draw the follow-ups of an alert that was sent at this time. `follows` is the ID of its notification.

    An alert that already has a follow-up gets no buttons: its chain shows the follow-up.
    """
    if chains.superseded(follows) is not None:
        return
    for kind in follow_up_kinds(sent_draft):
        texts = KINDS[kind]
        if st.button(
            texts.label, key=f"{key}.{kind.replace(' ', '_')}", icon=texts.icon, help=_HELP.format(texts.help)
        ):
            open_begun(begin_follow_up(workspace, kind, sent_draft, follows=follows, at=at))


def begin_follow_up(
    workspace: Workspace, kind: FollowUp, sent_draft: AlertDraft, *, follows: int | None, at: datetime | None
) -> AlertDraft:
    """Return a draft that follows this alert, with times local to its places."""
    lookups = region_lookups(workspace)
    lookups.wait(BackgroundReads.patience_for_names)
    now, catalog = datetime.now(UTC), lookups.regions.value
    zone = text_zone(workspace, sent_draft)
    return follow_up(
        kind,
        sent_draft,
        follows=follows,
        at=at,
        sent_at=_clock(at, zone, now),
        place=place_words(sent_draft, catalog),
        now=now,
        zone=zone,
    )


def _clock(at: datetime | None, zone: str | None, now: datetime) -> str:
    """Return when the alert was sent, for the public. Empty if the time zone is unknown: the time could be hours
    off.
    """
    if at is None or zone is None:
        return ""
    local, today = at.astimezone(ZoneInfo(zone)), now.astimezone(ZoneInfo(zone)).date()
    day = "" if local.date() == today else f"{month_and_day(local)}, "
    return f"{day}{time_in_text(local)}"


def outcome(workspace: Workspace, stored: StoredDraft[AlertDraft]) -> None:
    """Draw the recipients and end of a sent alert, the people involved, and its follow-ups."""
    draft, is_sent = stored.draft, stored.status is SendStatus.SENT
    # A dialog may be open while the status is unknown, and a redraw would close it.
    with redraw_while_loading(region_lookups(workspace)) if is_sent else nullcontext():
        if is_sent:
            st.markdown(f"To **{plain(known_reach(workspace, draft).reach.whom)}**{_until(workspace, stored)}")
            st.markdown(" · ".join(_facts(stored)))
            _next(workspace, stored)
        boxes(workspace, draft, at=stored.begun_at, quiet=not is_sent)
        if is_sent:
            with st.container(horizontal=True):
                link_to(NOTIFICATIONS, "Open in Sent", notification=stored.sent_id)
                if stored.entry is not None:
                    link_to(JOURNAL, "Open in Journal", entry=stored.entry.id)
        request_expander("Request", request_json(draft), key=f"public-alert-{draft.uid}-sent")
        answer = stored.entry.answer if stored.entry is not None else None
        if answer is not None:
            request_expander("Response", answer, key=f"public-alert-{draft.uid}-answer")


def _until(workspace: Workspace, stored: StoredDraft[AlertDraft]) -> str:
    if stored.begun_at is None or stored.draft.hours is None:
        return ""
    end = stored.begun_at + timedelta(hours=stored.draft.hours)
    when = plain(format_alert_time(workspace, stored.draft, end))
    return f" · in force until **{when}**" if end > datetime.now(UTC) else f" · ended **{when}**"


def _facts(stored: StoredDraft[AlertDraft]) -> list[str]:
    request = (stored.entry.request if stored.entry is not None else None) or {}
    people = (("written", "written by"), ("approved", "approved by"), ("sent", "sent by"))
    return [
        *([f"Notification ID **{stored.sent_id}**"] if stored.sent_id is not None else []),
        *(f"{words} **{plain(str(request[f'{part}_by']))}**" for part, words in people if request.get(f"{part}_by")),
    ]


def _next(workspace: Workspace, stored: StoredDraft[AlertDraft]) -> None:
    draft, at, known = stored.draft, stored.begun_at, chains(workspace)
    sent_id = id_in(str(stored.sent_id or ""))
    with st.container(horizontal=True):
        follow_up_buttons(workspace, draft, known, follows=sent_id, at=at, key="public_alert")
        if st.button("Copy to new draft", key="public_alert.copy", icon=":material/content_copy:"):
            open_new(workspace, draft.copied(written_at=at))
    chain_lines(workspace, draft, known, sent_id)
    st.caption(
        f"{CANNOT_RECALL} A follow-up is a new alert to the same recipients. Follow-ups and copies are drafts until "
        "you review and send them."
    )
