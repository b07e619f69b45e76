"""The notification's request body as a JSON schema: one alternative for each category of public alerts."""

from __future__ import annotations

from client.vocabulary.notifications import LAUNCH_TYPES, NOTIFICATION_TYPES
from client.vocabulary.public_alerts import (
    ACTION_CREATE,
    CERTAINTIES,
    CONTACT_PHONE_LENGTHS,
    EVENTS_BY_CATEGORY,
    EXPIRE_HOURS,
    JURISDICTIONS,
    SEVERITIES,
    TYPES,
    URGENCIES,
)
from service.openapi import LONG, Schema, nullable

_ID: Schema = {**LONG, "minimum": 1}
_TEXT: Schema = {"type": "string", "pattern": r"^[^\x00]*[^\s\x00][^\x00]*$"}
_ANY_TEXT: Schema = nullable({"type": "string", "pattern": r"^[^\x00]*$"})
_OBJECT: Schema = nullable({"type": "object"})
_PHONE = "^(|" + "|".join(f"[0-9]{{{length}}}" for length in CONTACT_PHONE_LENGTHS) + ")$"


# applyZipCodeToEventGroups: true only when both community and eventGroups have values.
_NOT_APPLIED: Schema = {"properties": {"applyZipCodeToEventGroups": {"enum": [False, None]}}}
_SOME: Schema = {"type": "array", "minItems": 1}
_APPLIED: Schema = {
    "required": ["community", "eventGroups"],
    "properties": {
        "eventGroups": _SOME,
        "community": {
            "anyOf": [
                {"type": "object", "required": [name], "properties": {name: value}}
                for name, value in (
                    ("contactName", _TEXT),
                    ("contactEmail", _TEXT),
                    ("contactDivision", _TEXT),
                    ("contactPhone", _TEXT),
                    ("jurisdictionType", _TEXT),
                    ("regionIds", _SOME),
                )
            ]
        },
    },
}


def notification_schema() -> Schema:
    """The schema of the payload of POST `/notifications`."""
    common: dict[str, Schema] = {
        "type": {"enum": [*NOTIFICATION_TYPES, "", None]},
        "launchtype": {"enum": [*LAUNCH_TYPES, "", None]},
        "broadcastContacts": _OBJECT,
        "broadcastSettings": _OBJECT,
        "notificationEventId": nullable({**_ID, "description": "The id of a notification event."}),
        "categoryId": nullable({**_ID, "description": "The id of a notification category."}),
        "priority": _ANY_TEXT,
    }
    message = {
        "type": "object",
        "properties": {"title": _ANY_TEXT, "textMessage": _ANY_TEXT},
        "anyOf": [{"required": [name], "properties": {name: _TEXT}} for name in ("title", "textMessage")],
    }
    alerts = {
        "type": "object",
        "required": ["publicAlertMessage"],
        "properties": {
            "publicAlertMessage": {"anyOf": [_alert(category, list(events)) for category, events in _BY_CATEGORY]}
        },
    }
    properties = {**common, "message": message, "publicMessages": alerts}
    return {
        "type": "object",
        "properties": properties,
        "anyOf": [{"required": ["message"]}, {"required": ["publicMessages"]}],
    }


_BY_CATEGORY = tuple(EVENTS_BY_CATEGORY.items())


def _alert(category: str, events: list[str]) -> Schema:
    choices: dict[str, list[str] | list[int]] = {
        "category": [category],
        "event": events,
        "urgency": list(URGENCIES),
        "severity": list(SEVERITIES),
        "certainty": list(CERTAINTIES),
        "expire": [str(hours) for hours in EXPIRE_HOURS],
        "action": [ACTION_CREATE],
        "type": list(TYPES),
    }
    community: dict[str, Schema] = {
        "contactName": _ANY_TEXT,
        "contactEmail": _ANY_TEXT,
        "contactDivision": _ANY_TEXT,
        "contactPhone": nullable({"type": "string", "pattern": _PHONE}),
        "jurisdictionType": {"enum": [*JURISDICTIONS, "", None]},
        "regionIds": _ids("An id that the region lookup offers."),
    }
    return {
        "type": "object",
        "required": [*choices, "smsMessage"],
        "properties": {
            **{name: {"enum": allowed} for name, allowed in choices.items()},
            "smsMessage": _TEXT,
            "instructions": _ANY_TEXT,
            "applyZipCodeToEventGroups": nullable({"type": "boolean"}),
            "community": nullable({"type": "object", "properties": community}),
            "eventGroups": _ids("An id that the event-group lookup offers."),
        },
        "anyOf": [_NOT_APPLIED, _APPLIED],
    }


def _ids(description: str) -> Schema:
    return nullable({"type": "array", "items": {**_ID, "description": description}})
