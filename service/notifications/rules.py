"""Check the IDs of a notification, and derive its stored row and its status."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from client.vocabulary.notifications import COMPLETED, IN_PROGRESS, STOPPED
from service.accounts.models import Caller
from service.notifications.models import DEFAULT_LAUNCH_TYPE, DEFAULT_TYPE, Notification
from service.records import new_record
from service.request_body import invalid_field

_ALERT = "publicMessages.publicAlertMessage"
_HOUR_MS = 3_600_000
# ASSUMPTION A124: a notification without a public alert is in progress for an hour.
_HOURS_WITHOUT_ALERT = 1


def check_offered(notification: Notification, *, event_groups: Collection[int], regions: Collection[int]) -> None:
    """Refuse IDs that the lookups do not offer."""
    alert = notification.public_alert
    if alert is not None:
        _check_offered(f"{_ALERT}.community.regionIds", alert.region_ids, regions, "region")
        _check_offered(f"{_ALERT}.eventGroups", alert.event_groups or (), event_groups, "event group")


def new_notification(caller: Caller, notification: Notification, *, at: int) -> dict[str, Any]:
    """Return the row of a notification sent at a time in epoch milliseconds."""
    return {
        **new_record(caller, at=at),
        "document": _to_document(notification),
        "notification_event_id": notification.notification_event_id,
        "ends_at": _ends_at(notification, at),
        "stopped": False,
    }


def _to_document(notification: Notification) -> dict[str, Any]:
    document = notification.model_dump(by_alias=True, exclude_none=True, exclude={"public_messages"})
    document.setdefault("type", DEFAULT_TYPE)
    document.setdefault("launchtype", DEFAULT_LAUNCH_TYPE)
    alert = notification.public_alert
    if alert is not None:
        document_part = {"applyZipCodeToEventGroups": False} | alert.model_dump(by_alias=True, exclude_none=True)
        document["publicMessages"] = {"publicAlertMessage": document_part}
    return document


def _ends_at(notification: Notification, created_at: int) -> int:
    # It is completed when its public alert ends, after `expire` hours.
    alert = notification.public_alert
    return created_at + (int(alert.expire) if alert else _HOURS_WITHOUT_ALERT) * _HOUR_MS


def status_of(*, ends_at: int, stopped: bool, now: int) -> str:
    """Return the `notificationStatus` at a time in epoch milliseconds."""
    if stopped:
        return STOPPED
    return IN_PROGRESS if ends_at > now else COMPLETED


def _check_offered(path: str, ids: Sequence[int], offered: Collection[int], what: str) -> None:
    for index, number in enumerate(ids):
        if number not in offered:
            raise invalid_field(f"{path}[{index}]", f"the lookup offers no {what} with id {number}")
