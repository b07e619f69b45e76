"""Sent notifications in words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from client.models.notifications import Notification, SentPublicAlert
from client.vocabulary.notifications import COMPLETED, IN_PROGRESS, STOPPED
from client.vocabulary.public_alerts import ROUTINE_TESTS, TYPES
from components.widgets.number_text import count
from components.widgets.time_text import moment

NOT_TOLD: Final = "Not told"
STATUS_WORDS: Final = {IN_PROGRESS: "Being sent", COMPLETED: "Sent", STOPPED: "Stopped"}


def title_of(notification: Notification) -> str:
    """What to call a notification: its title, else its event, else its id."""
    if notification.message is not None and notification.message.title:
        return notification.message.title
    alert = notification.public_alert
    if alert is not None and alert.event:
        return alert.event
    return f"Notification {notification.id}" if notification.id is not None else "A notification"


def alert_words(alert: SentPublicAlert | None) -> str:
    """Say what public alert is inside: "Tornado Warning · Alert"; a routine test is named one."""
    if alert is None:
        return ""
    kind = type_words(alert.type)
    if alert.event in ROUTINE_TESTS:
        kind = "Test" if kind == NOT_TOLD else f"Test · {kind}"
    return " · ".join(part for part in (alert.event or "Public alert", kind) if part and part != NOT_TOLD)


def type_words(number: int | None) -> str:
    """The name of an alert's type; one the interface does not know is shown by its number."""
    return NOT_TOLD if number is None else TYPES.get(number, f"type {number}")


def status_words(notification: Notification) -> str:
    """How far the sending is; a word the interface does not know is shown as it came."""
    known = notification.known_status
    return STATUS_WORDS[known] if known is not None else (notification.notification_status or NOT_TOLD)


def event_words(event_id: int | None, events: Mapping[int, str]) -> str:
    """The name of what a notification is filed under; its id where no name is known, nothing where it is not filed."""
    if event_id is None or event_id < 0:
        return ""
    return events.get(event_id, str(event_id))


def names_a_reach(alert: SentPublicAlert) -> bool:
    """Whether an alert tells whom it was for."""
    community = alert.community
    return bool(alert.event_groups or (community is not None and (community.jurisdiction_type or community.region_ids)))


def end_words(notification: Notification, now: datetime) -> str:
    """Say when an alert ended or ends; hours alone where it is not told when it was sent."""
    alert = notification.public_alert
    hours = (alert.expire or "") if alert is not None else ""
    if not (hours.isascii() and hours.isdigit()):
        return "no end told" if not hours else f"ends: {hours}"
    if notification.created_date is None:
        return f"ended {hours} h after it was sent"
    end = notification.created_date + timedelta(hours=int(hours))
    return f"{'ended' if end <= now else 'ends'} {moment(end, now=now)} ({hours} h)"


def answer_words(total: int, event: str | None, *, only_active: bool) -> str:
    """Say how many there are of what is looked at."""
    parts = [count(total, "notification", "notifications")]
    if only_active:
        parts.append("being sent now")
    if event:
        parts.append(f"filed under {event}")
    return " · ".join(parts)
