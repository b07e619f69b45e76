"""What can be made of a notification that was sent: drawn alike after a sending and beside the list of those sent."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

import streamlit as st

from components.alert_sending.boxes import local_zone
from components.alert_wording.contradictions import taken_for_real
from components.alert_wording.corrections import draft_of_correction
from components.public_alerts import draft_store
from components.public_alerts.draft import AlertDraft
from components.shell.navigation import go_to
from components.shell.screens import PUBLIC_ALERT
from components.widgets.time_text import MONTHS

if TYPE_CHECKING:
    from components.shell.workspace import Workspace

_HELP: Final = "A sent alert can be neither changed nor recalled: this opens a new one to the same people that says so."


def correction_buttons(
    workspace: Workspace, sent: AlertDraft, *, corrects: int | None, at: datetime | None, key: str, primary: bool
) -> None:
    """Draw the ways to correct an alert that was sent at this time; `corrects` is its notification's id."""
    corrected = st.button(
        "Correct this",
        key=f"{key}.correct",
        type="primary" if primary else "secondary",
        icon=":material/edit_notifications:",
        help=_HELP,
    )
    is_test = sent.is_test and not taken_for_real(sent)
    mistaken = not is_test and st.button(
        "It was a false alarm", key=f"{key}.false_alarm", icon=":material/notifications_off:", help=_HELP
    )
    if corrected or mistaken:
        clock = _clock(at, local_zone(), datetime.now(UTC))
        open_new(workspace, draft_of_correction(sent, corrects=corrects, sent_at=clock, false_alarm=bool(mistaken)))


def _clock(at: datetime | None, zone: str | None, now: datetime) -> str:
    """When it was sent, as the public knows it; without a zone, no time is better than one that is hours off."""
    if at is None or zone is None:
        return ""
    local, today = at.astimezone(ZoneInfo(zone)), now.astimezone(ZoneInfo(zone)).date()
    day = "" if local.date() == today else f"{local.day} {MONTHS[local.month - 1]} "
    return f"{day}{local:%H:%M}"


def open_new(workspace: Workspace, draft: AlertDraft, *, written_at: datetime | None = None) -> None:
    """Keep a new draft, and go to it; `written_at` is how old its words are, where they are those of another."""
    draft_store.save(workspace, draft, written_at=written_at)
    go_to(PUBLIC_ALERT, draft=draft.uid)
