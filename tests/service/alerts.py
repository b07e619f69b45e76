"""Payloads of notifications with public alerts for tests of the service, and functions to send them."""

from __future__ import annotations

from typing import Any

import httpx

from tests.running_service import RunningService

Wire = dict[str, Any]

ALERT = "publicMessages.publicAlertMessage"


def alert(**changes: Any) -> Wire:
    """Return a public alert with only the required fields. None removes a field."""
    wire = {
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
    return {key: value for key, value in wire.items() if value is not None}


def notification(**changes: Any) -> Wire:
    """Return a notification with a public alert with these fields."""
    return {"publicMessages": {"publicAlertMessage": alert(**changes)}}


def send(service: RunningService, payload: Wire, **options: Any) -> httpx.Response:
    """Send a notification."""
    return service.http.post("/notifications", json=payload, **options)


def send_alert(service: RunningService, **changes: Any) -> httpx.Response:
    """Send a public alert."""
    return send(service, notification(**changes))


def sent(service: RunningService, payload: Wire) -> Wire:
    """Send a notification. Returns its record in the list."""
    answer = send(service, payload)
    assert answer.status_code == 200, answer.text
    listed = service.http.get("/notifications").json()["page"]["data"]
    found: Wire = next(item for item in listed if item["id"] == answer.json()["id"])
    return found
