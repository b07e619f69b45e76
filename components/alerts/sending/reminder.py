"""The reminder on every screen to extend alerts shortly before they end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

import streamlit as st

from client.models.notifications import Notification
from components.alerts.sending.alert_times import format_alert_time
from components.shell.address import link_to
from domain.alerts.draft import AlertDraft
from domain.alerts.request import draft_from_sent
from domain.alerts.sending.alert_chain import chains_of, sendings
from domain.alerts.sending.facts import name_of
from domain.runtime.screens import NOTIFICATIONS
from domain.runtime.workspace import Workspace
from domain.text.plain_text import count, id_in, plain
from journal import Entry

BEFORE: Final = timedelta(minutes=30)
AFTER: Final = timedelta(minutes=30)
"""How long before and after its end an alert is shown."""
EVERY_SECONDS: Final = 30
_LONGEST: Final = timedelta(hours=24)


@dataclass(frozen=True)
class EndingSoon:
    """An alert to extend, the ID of its notification, and its end."""

    draft: AlertDraft
    notification: int
    ends: datetime

    def words(self, now: datetime) -> str:
        """Return the time left: "ends in 12 minutes", "ended 3 minutes ago"."""
        minutes = int(abs(self.ends - now).total_seconds() // 60)
        minutes_text = count(minutes, "minute", "minutes")
        return f"ends in {minutes_text}" if self.ends > now else f"ended {minutes_text} ago"


def ending_soon(entries: Iterable[Entry], now: datetime) -> list[EndingSoon]:
    """Return the alerts to extend that end about now, the first to end first, without those that have a follow-up."""
    sent = list(entries)
    chains = chains_of(sent)
    found = []
    for entry in sent:
        request, notification = entry.request or {}, id_in(entry.subject_id or "")
        if entry.state != "succeeded" or not request.get("goes_on") or notification is None:
            continue
        if (at := chains.sent_at(notification)) is None:
            continue  # Its status was found later, and it was sent before these entries.
        draft = draft_from_sent(Notification.from_wire(request.get("notification") or {}))
        ends = at + timedelta(hours=draft.hours or 0)
        if ends - BEFORE <= now <= ends + AFTER and chains.superseded(notification) is None:
            found.append(EndingSoon(draft, notification, ends))
    return sorted(found, key=lambda each: each.ends)


def draw_reminder(workspace: Workspace) -> None:
    """Draw the alerts that end soon, and update the list."""

    @st.fragment(run_every=EVERY_SECONDS)
    def look() -> None:
        now = datetime.now(UTC)
        for each in ending_soon(sendings(workspace, since=now - _LONGEST - AFTER), now):
            when = format_alert_time(workspace, each.draft, each.ends)
            st.warning(
                f"**{plain(name_of(each.draft))} {each.words(now)}**, {plain(when)}. Extend the alert if the danger "
                "continues.",
                icon=":material/alarm:",
            )
            link_to(NOTIFICATIONS, "Open alert", notification=each.notification)

    look()
