"""The number of alerts in force, and when the next one ends, in the line above each page."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

import streamlit as st

from client.models.notifications import Notification
from components.shell.address import link_to
from components.widgets.browser_zone import browser_zone
from domain.alerts.sending.alerts_in_force import AlertInForce, live_in_force, read_newest
from domain.runtime.background import ReadState
from domain.runtime.screens import NOTIFICATIONS
from domain.runtime.workspace import Workspace
from domain.text.place_clock import clock, zone_or_utc, zone_word
from domain.text.plain_text import count, plain
from domain.text.time_text import day

EVERY_SECONDS: Final = 5
_UNTIL_READ_SECONDS: Final = 2
_FIRST_PAGE_SECONDS: Final = 0.3
"""The longest that the first page waits for the first read, so that most show the line at once."""
_OLD: Final = timedelta(minutes=1)


def draw_in_force(workspace: Workspace) -> None:
    """Draw the number of live alerts in force as a link to them.

    A background read asks the service. While the service does not respond, the last number stays, with its age.
    """
    newest = read_newest(workspace)
    if newest.value is None:
        newest.wait(_FIRST_PAGE_SECONDS, since_it_began=True)

    @st.fragment(run_every=EVERY_SECONDS if newest.value is not None else _UNTIL_READ_SECONDS)
    def look() -> None:
        state, now = read_newest(workspace).now, datetime.now(UTC)
        alerts, age = live_in_force(workspace, now), age_text(state, now, browser_zone())
        if alerts:
            label = f"{in_force_text(alerts, now, browser_zone())}{age}"
            link_to(NOTIFICATIONS, plain(label), icon=":material/campaign:", active=True)
        elif alerts is not None:
            st.caption(f"No alerts in force{age}")
        elif state.error is not None:
            st.caption(
                ":material/cloud_off: Muster does not know which alerts are in force. The service did not respond."
            )

    look()


def age_text(state: ReadState[list[Notification]], now: datetime, zone: str | None) -> str:
    """Write " · as of 14:00" if what is known of the service is old, or only alerts sent with Muster are known."""
    if state.read_at is None:
        return " · alerts sent outside Muster are not counted" if state.error is not None else ""
    if now - state.read_at < _OLD:
        return ""
    return f" · as of {clock(state.read_at.astimezone(zone_or_utc(zone)))}"


def in_force_text(alerts: list[AlertInForce], now: datetime, zone: str | None) -> str:
    """Write "3 alerts in force · first ends at 14:00 EST", with the day if it isn't today in this zone."""
    ends = alerts[0].ends.astimezone(zone_or_utc(zone))
    at = "at " if ends.date() == now.astimezone(ends.tzinfo).date() else f"{day(ends, now=now)}, "
    verb = "ends" if len(alerts) == 1 else "first ends"
    return f"{count(len(alerts), 'alert', 'alerts')} in force · {verb} {at}{clock(ends)} {zone_word(ends)}"
