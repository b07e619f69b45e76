"""Sent notifications as text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Final

from client.models.notifications import Notification, SentPublicAlert
from client.vocabulary.notifications import STOPPED
from client.vocabulary.public_alerts import ROUTINE_TESTS, TYPES
from domain.tables import status
from domain.tables.status import Status

NOT_TOLD: Final = "Unknown"
MESSAGE: Final = "Message"
ROUTINE_TEST: Final = "Routine test"
LIVE_ALERT: Final = "Live alert"
SENDING_TAKES: Final = timedelta(minutes=15)
"""The time after which an alert "in progress" counts as in force instead of being sent."""


def title_of(notification: Notification) -> str:
    """Return a title: the notification's title, else its event, else its ID."""
    if notification.message is not None and notification.message.title:
        return notification.message.title
    alert = notification.public_alert
    if alert is not None and alert.event:
        return alert.event
    return f"Notification {notification.id}" if notification.id is not None else "Notification"


def type_words(number: int | None) -> str:
    """Return the name of an alert type, or its number if the interface does not define it."""
    return NOT_TOLD if number is None else TYPES.get(number, f"type {number}")


def kind_words(notification: Notification, follow_up: str = "") -> str:
    """Return the kind: message, routine test, live alert, or the kind of follow-up."""
    alert = notification.public_alert
    if alert is None:
        return MESSAGE
    if follow_up:
        return follow_up
    return ROUTINE_TEST if alert.event in ROUTINE_TESTS else LIVE_ALERT


def ends_at(notification: Notification) -> datetime | None:
    """Return when its alert ends or ended, or None if that is unknown."""
    hours = (notification.public_alert.expire or "") if notification.public_alert is not None else ""
    if notification.created_date is None or not (hours.isascii() and hours.isdigit()):
        return None
    try:
        return notification.created_date + timedelta(hours=int(hours))
    except (ValueError, OverflowError):
        return None


def status_of(notification: Notification, now: datetime, follow_up: str = "") -> Status:
    """Return the status: stopped, in force or a test with the time left, ended, or where sending stands.

    The name of a follow-up that replaced the alert takes the place of the time left.
    A status of the service that the interface does not define is returned as it is.
    """
    known, end, made = notification.known_status, ends_at(notification), notification.created_date
    if known == STOPPED:
        return status.STOPPED
    if end is not None:
        if end <= now:
            return status.ENDED
        in_force = status.TEST if kind_words(notification) == ROUTINE_TEST else status.IN_FORCE
        return in_force.with_follow_up(follow_up) if follow_up else in_force.with_time_left(end - now)
    if notification.is_running and (made is None or now - made < SENDING_TAKES):
        return status.SENDING
    if known is None and notification.notification_status:
        return Status(notification.notification_status, "help", "gray")
    return status.UNKNOWN if known is None else status.SENT


def event_words(event_id: int | None, events: Mapping[int, str]) -> str:
    """Return the name of the notification event or category, its ID if the name is unknown, or "" if there is none."""
    if event_id is None or event_id < 0:
        return ""
    return events.get(event_id, str(event_id))


def names_a_reach(alert: SentPublicAlert) -> bool:
    """Return whether an alert has information about its recipients."""
    community = alert.community
    return bool(alert.event_groups or (community is not None and (community.jurisdiction_type or community.region_ids)))


def end_words(notification: Notification, now: datetime, format_time: Callable[[datetime], str]) -> str:
    """Return when an alert ends or ended; only its hours if the time of sending is unknown."""
    alert, end = notification.public_alert, ends_at(notification)
    hours = (alert.expire or "") if alert is not None else ""
    if end is not None:
        return f"{'ended' if end <= now else 'in force until'} {format_time(end)} ({hours} h)"
    if hours.isascii() and hours.isdigit():
        return f"lasts {hours} h; time sent unknown"
    return f"ends: {hours}" if hours else "no end given"
