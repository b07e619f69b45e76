"""The rules of public alerts and notifications: valid values, and the fields of errors."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from client.models.notifications import NotificationMessage, NotificationRequest, PublicAlert
from client.models.public_alert_rules import Offered, notification_problems, public_alert_problems
from client.vocabulary.public_alerts import CATEGORIES, EVENTS_BY_CATEGORY
from tests.alerts import allowed_alerts, forbidden_alerts

OFFERED = Offered(event_group_ids={1, 2, 3}, region_ids={10, 11, 12})
ALERT: dict[str, Any] = {
    "category": "Met",
    "event": "Tornado Warning",
    "urgency": "Immediate",
    "severity": "Extreme",
    "certainty": "Observed",
    "expire": "4",
    "smsMessage": "Take shelter now.",
    "action": "create",
    "type": 2,
    "community": {"contactPhone": "911", "jurisdictionType": "some", "regionIds": [10]},
    "eventGroups": [1],
    "applyZipCodeToEventGroups": True,
}


def fields_at_fault(changed: dict[str, Any], offered: Offered | None = OFFERED) -> list[str]:
    alert = PublicAlert.model_validate(ALERT | changed)
    return [problem.field for problem in public_alert_problems(alert, offered, path="")]


def test_a_valid_alert_has_no_problems() -> None:
    assert fields_at_fault({}) == []


@given(allowed_alerts())
def test_an_alert_that_the_table_allows_is_valid_and_sent_unchanged(payload: dict[str, Any]) -> None:
    alert = PublicAlert.model_validate(payload)
    assert public_alert_problems(alert, OFFERED) == []
    assert alert.to_wire() == payload


@given(forbidden_alerts())
def test_an_alert_that_the_table_forbids_is_refused(payload: dict[str, Any]) -> None:
    alert = PublicAlert.model_validate({"action": None} | payload)
    assert public_alert_problems(alert, OFFERED)


@pytest.mark.parametrize("category", CATEGORIES)
def test_each_event_is_valid_only_with_its_categories(category: str) -> None:
    everything = {event for events in EVENTS_BY_CATEGORY.values() for event in events}
    for event in everything:
        allowed = event in EVENTS_BY_CATEGORY[category]
        assert fields_at_fault({"category": category, "event": event}) == ([] if allowed else ["event"])


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"category": None}, "category"),
        ({"category": "met"}, "category"),
        ({"event": None}, "event"),
        ({"event": " "}, "event"),
        ({"event": "tornado warning"}, "event"),
        ({"urgency": "immediate"}, "urgency"),
        ({"severity": None}, "severity"),
        ({"certainty": "Sure"}, "certainty"),
        ({"expire": None}, "expire"),
        ({"expire": "0"}, "expire"),
        ({"expire": "25"}, "expire"),
        ({"expire": "1.0"}, "expire"),
        ({"expire": "٤"}, "expire"),
        ({"smsMessage": " "}, "smsMessage"),
        ({"action": "update"}, "action"),
        ({"action": "cancel"}, "action"),
        ({"action": None}, "action"),
        ({"type": None}, "type"),
        ({"type": 4}, "type"),
        ({"community": None}, "applyZipCodeToEventGroups"),
        ({"community": {"contactName": " ", "regionIds": []}}, "applyZipCodeToEventGroups"),
        ({"eventGroups": []}, "applyZipCodeToEventGroups"),
        ({"eventGroups": None}, "applyZipCodeToEventGroups"),
        ({"eventGroups": [1, 4]}, "eventGroups[1]"),
        ({"eventGroups": [0]}, "eventGroups[0]"),
        ({"community": {"contactPhone": "12"}}, "community.contactPhone"),
        ({"community": {"contactPhone": "91-"}}, "community.contactPhone"),
        ({"community": {"contactPhone": "٩١١"}}, "community.contactPhone"),
        ({"community": {"contactPhone": "55512345678"}}, "community.contactPhone"),
        ({"community": {"jurisdictionType": "All"}}, "community.jurisdictionType"),
        ({"community": {"regionIds": [10, 13]}}, "community.regionIds[1]"),
    ],
)
def test_each_rule_of_an_alert_is_checked(changed: dict[str, Any], field: str) -> None:
    assert fields_at_fault(changed) == [field]


@pytest.mark.parametrize("hours", range(1, 25))
def test_an_alert_can_end_after_each_hour_of_a_day(hours: int) -> None:
    assert fields_at_fault({"expire": str(hours)}) == []


def test_ids_are_checked_only_if_the_lookups_are_known() -> None:
    assert fields_at_fault({"eventGroups": [99], "community": {"regionIds": [99]}}, None) == []


def test_zip_codes_are_not_applied_unless_requested() -> None:
    for apply in (False, None):
        assert fields_at_fault({"applyZipCodeToEventGroups": apply, "community": None, "eventGroups": None}) == []


def test_all_problems_are_reported_at_once_in_plain_language() -> None:
    problems = public_alert_problems(PublicAlert(action="update"))
    assert [problem.field for problem in problems] == [
        f"publicMessages.publicAlertMessage.{name}"
        for name in (
            "category",
            "event",
            "urgency",
            "severity",
            "certainty",
            "expire",
            "smsMessage",
            "action",
            "type",
        )
    ]
    assert all(problem.message.endswith(".") for problem in problems)


# The notification around it


def test_a_notification_needs_a_message() -> None:
    assert [problem.field for problem in notification_problems(NotificationRequest())] == ["message"]
    assert [
        problem.field for problem in notification_problems(NotificationRequest(message=NotificationMessage(title=" ")))
    ] == ["message"]
    assert notification_problems(NotificationRequest(public_alert=PublicAlert.model_validate(ALERT))) == []
    assert notification_problems(NotificationRequest(message=NotificationMessage(title="T"))) == []


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"type": "standard"}, "type"),
        ({"launchtype": "Later"}, "launchtype"),
        ({"notification_event_id": 0}, "notificationEventId"),
        ({"category_id": -1}, "categoryId"),
        ({"public_alert": PublicAlert.model_validate(ALERT | {"type": 4})}, "publicMessages.publicAlertMessage.type"),
    ],
)
def test_each_rule_of_a_notification_is_checked(changed: dict[str, Any], field: str) -> None:
    request = NotificationRequest(message=NotificationMessage(title="T"), **changed)
    assert [problem.field for problem in notification_problems(request)] == [field]


def test_the_payload_is_complete() -> None:
    request = NotificationRequest(
        message=NotificationMessage(title="T", text_message="M"),
        type="Standard",
        launchtype="SendNow",
        broadcast_contacts={"contactIds": [2**60], "note": ""},
        broadcast_settings={"deliverPaths": [], "confirm": None},
        notification_event_id=5,
        category_id=6,
        priority="Priority",
        public_alert=PublicAlert.model_validate(ALERT),
    )
    assert request.to_wire() == {
        "message": {"title": "T", "textMessage": "M"},
        "type": "Standard",
        "launchtype": "SendNow",
        "broadcastContacts": {"contactIds": [2**60], "note": ""},
        "broadcastSettings": {"deliverPaths": [], "confirm": None},
        "notificationEventId": 5,
        "categoryId": 6,
        "priority": "Priority",
        "publicMessages": {"publicAlertMessage": ALERT},
    }
