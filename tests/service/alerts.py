"""Payloads of notifications with public alerts for tests of the service, and functions to send them."""

from __future__ import annotations

from typing import Any

import httpx

from tests.running_service import RunningService

Payload = dict[str, Any]

ALERT = "publicMessages.publicAlertMessage"


def alert(**changes: Any) -> Payload:
    """Return a public alert with only the required fields. None removes a field."""
    fields = {
        "category": "Met",
        "event": "Flood Warning",
        "urgency": "Immediate",
        "severity": "Severe",
        "certainty": "Observed",
        "expire": "12",
        "smsMessage": "Move to higher ground.",
        "action": "create",
        "type": 2,
    } | changes
    return {key: value for key, value in fields.items() if value is not None}


def notification(**changes: Any) -> Payload:
    """Return a notification with a public alert with these fields."""
    return {"publicMessages": {"publicAlertMessage": alert(**changes)}}


def send(service: RunningService, payload: Payload, **options: Any) -> httpx.Response:
    """Send a notification."""
    return service.http.post("/notifications", json=payload, **options)


def send_alert(service: RunningService, **changes: Any) -> httpx.Response:
    """Send a public alert."""
    return send(service, notification(**changes))


def send_and_read(service: RunningService, payload: Payload) -> Payload:
    """Send a notification. Returns its record in the list."""
    answer = send(service, payload)
    assert answer.status_code == 200, answer.text
    notifications = service.http.get("/notifications").json()["page"]["data"]
    found: Payload = next(item for item in notifications if item["id"] == answer.json()["id"])
    return found
