"""The number of alerts in force, and when the next one ends, in the line above each page."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

import streamlit as st

from components.shell.address import link_to
from components.widgets.browser_zone import browser_zone
from components.widgets.page_redraw import is_part_by_itself
from domain.alerts.sending.alerts_in_force import AlertInForce, live_in_force, read_newest
from domain.runtime.screens import NOTIFICATIONS
from domain.runtime.workspace import Workspace
from domain.text.place_clock import clock, zone_or_utc, zone_word
from domain.text.plain_text import count, plain
from domain.text.time_text import day

EVERY_SECONDS: Final = 30


def draw_in_force(workspace: Workspace) -> None:
    """Draw the number of live alerts in force as a link to the sent notifications, or nothing until it is known.

    Only this fragment reads the service, in the background.
    """

    @st.fragment(run_every=EVERY_SECONDS)
    def look() -> None:
        if is_part_by_itself():
            read_newest(workspace).wait(EVERY_SECONDS)
        now = datetime.now(UTC)
        alerts = live_in_force(workspace, now)
        if alerts:
            link_to(NOTIFICATIONS, plain(in_force_text(alerts, now, browser_zone())), icon=":material/campaign:")
        elif alerts is not None:
            st.caption("No alerts in force")

    look()


def in_force_text(alerts: list[AlertInForce], now: datetime, zone: str | None) -> str:
    """Write "3 alerts in force · next ends 14:00 EST", with the day if it isn't today in this zone."""
    ends = alerts[0].ends.astimezone(zone_or_utc(zone))
    on_day = "" if ends.date() == now.astimezone(ends.tzinfo).date() else f"{day(ends, now=now)}, "
    return f"{count(len(alerts), 'alert', 'alerts')} in force · next ends {on_day}{clock(ends)} {zone_word(ends)}"
