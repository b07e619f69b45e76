"""The time zone in which an alert is shown to the user."""

from __future__ import annotations

from datetime import UTC, datetime

from components.widgets.browser_zone import browser_zone
from domain.alerts.draft import AlertDraft
from domain.alerts.recipients.region_catalog import region_lookups
from domain.alerts.sending.known_recipients import zone_for_alert, zone_in_text
from domain.runtime.workspace import Workspace
from domain.text.place_clock import on_clocks


def alert_zone(workspace: Workspace, draft: AlertDraft) -> str | None:
    """Return the time zone of an alert: that of its places, else that of the browser."""
    return zone_for_alert(draft, region_lookups(workspace).regions.value, browser_zone(), datetime.now(UTC))


def text_zone(workspace: Workspace, draft: AlertDraft) -> str | None:
    """Return the time zone of times in the text, or None as long as it is not known."""
    return zone_in_text(draft, region_lookups(workspace).regions.value, browser_zone(), datetime.now(UTC))


def format_alert_time(workspace: Workspace, draft: AlertDraft, at: datetime) -> str:
    """Format a time of an alert, local to its places and to the browser."""
    return on_clocks(at, alert_zone(workspace, draft), user_zone=browser_zone())
