"""The notifications, events, categories, and event groups of the demo organization."""

from __future__ import annotations

import csv
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from service import records_by_name
from service.accounts.models import Caller
from service.epoch import to_ms
from service.notification_categories.schema import notification_categories
from service.notification_events.schema import notification_events
from service.notifications import repository as notifications
from service.notifications.models import Notification
from service.notifications.rules import new_notification
from service.public_lookups import repository as public_lookups

GROUPS = ("Schools", "Hospitals", "Care homes", "Public transport", "City staff", "Stadium visitors", "Harbor district")
EVENTS = ("Autumn storms", "Wildfire season", "Office move", "Annual conference", "Routine tests", None)
CATEGORIES = (
    "Weather",
    "Safety",
    "Security",
    "Utilities",
    "Traffic",
    "Travel",
    "Health",
    "Environment",
    "IT outages",
    "Buildings",
    "Tests",
    "Public holidays",
    None,
)


def ensure(connection: Connection, caller: Caller, today: date) -> None:
    """Store the initial events, categories, groups, and notifications of the demo."""
    public_lookups.add_groups(connection, caller.organization_id, GROUPS)
    groups = {group.group_name: group.id for group in public_lookups.list_groups(connection, caller.organization_id)}
    # Some records have no name.
    events = {name: records_by_name.add(connection, notification_events, caller, name) for name in EVENTS}
    categories = {name: records_by_name.add(connection, notification_categories, caller, name) for name in CATEGORIES}
    # The oldest first, as they would have been sent.
    for number, row in reversed(list(enumerate(_rows()))):
        notification = Notification.model_validate(_payload(row, groups, events, categories))
        created_at = _created_at(row, today)
        values = {
            **new_notification(caller, notification, at=created_at),
            "stopped": bool(row["stopped"]),
            "demo_number": number,
        }
        notifications.add(connection, values)


def redate(connection: Connection, caller: Caller, today: date) -> None:
    """Move the initial notifications of the demo to today."""
    rows = _rows()
    for found in notifications.list_of_demo(connection, caller.organization_id):
        if found.demo_number < len(rows):
            at = _created_at(rows[found.demo_number], today)
            values = {"created_at": at, "modified_at": at, "ends_at": found.ends_at - found.created_at + at}
            notifications.change(connection, found.id, values)


@lru_cache(maxsize=1)
def _rows() -> tuple[dict[str, str], ...]:
    with (Path(__file__).parent / "notifications.csv").open(encoding="utf-8", newline="") as file:
        return tuple(csv.DictReader(file))


def _created_at(row: dict[str, str], today: date) -> int:
    midnight = datetime(today.year, today.month, today.day, tzinfo=UTC)
    # Counted from midnight, so that none is in the future.
    return to_ms(midnight - timedelta(hours=float(row["hours_ago"])))


def _payload(
    row: dict[str, str], groups: dict[str, int], events: dict[str | None, int], categories: dict[str | None, int]
) -> dict[str, Any]:
    payload: dict[str, Any] = {
        "type": row["type"],
        "launchtype": "SendNow",
        "message": {"title": row["title"], "textMessage": row["text"]},
        "priority": "NonPriority",
        "categoryId": categories[row["category"]],
        "notificationEventId": events.get(row["event"]),
        "broadcastContacts": {"contactIds": []},
        "broadcastSettings": {"confirm": row["type"] == "Polling"},
    }
    if row["alert_category"]:
        payload["publicMessages"] = {"publicAlertMessage": _alert(row, groups)}
    return payload


def _alert(row: dict[str, str], groups: dict[str, int]) -> dict[str, Any]:
    group_ids = [groups[name] for name in row["groups"].split("|") if name]
    zip_codes = [int(code) for code in row["zip_codes"].split("|") if code]
    alert: dict[str, Any] = {
        "category": row["alert_category"],
        "event": row["alert_event"],
        "urgency": row["urgency"],
        "severity": row["severity"],
        "certainty": row["certainty"],
        "expire": row["hours"],
        "smsMessage": row["text"],
        "instructions": row["instructions"],
        "action": "create",
        "type": int(row["alert_type"]),
        "applyZipCodeToEventGroups": bool(group_ids and zip_codes),
        "eventGroups": group_ids,
    }
    if zip_codes:
        alert["community"] = {
            "contactName": "Duty officer",
            "contactEmail": "duty.officer@example.com",
            "contactDivision": "Emergency management",
            "contactPhone": "311",
            "jurisdictionType": "some",
            "regionIds": zip_codes,
        }
    return alert
