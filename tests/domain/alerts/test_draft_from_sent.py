"""A sent notification as a draft."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from client.models.notifications import Notification
from domain.alerts.alert_problems import alert_problems
from domain.alerts.draft import AlertDraft
from domain.alerts.request import draft_from_sent, request_json
from tests.alerts import allowed_alerts

SENT = AlertDraft(
    title="Flood",
    text="The river rises.",
    notification_event_id=2**60,
    category_id=7,
    category="Met",
    event="Flood Warning",
    urgency="Immediate",
    severity="Severe",
    certainty="Observed",
    hours=12,
    sms="Move to higher ground.",
    instructions="Move cars.",
    type=2,
    groups=[3, 4],
    contact_name="Ana Silva",
    contact_email="ana@city.example",
    contact_division="Flint OEM",
    contact_phone="911",
    jurisdiction="some",
    regions=[2108, 2**62],
    zip_to_groups=True,
    stage="review",
    checked=True,
    refused=[("type", "no")],
)
REACH = (
    "jurisdiction",
    "regions",
    "groups",
    "zip_to_groups",
    "type",
    "urgency",
    "severity",
    "certainty",
    "category",
    "event",
)


def read_draft(payload: dict[str, Any]) -> AlertDraft:
    return draft_from_sent(Notification.from_wire(payload))


def test_a_sent_alert_gives_a_draft_with_the_same_request() -> None:
    draft = read_draft({"id": 5, **request_json(SENT)})
    assert request_json(draft) == request_json(SENT)
    assert (draft.stage, draft.checked, draft.refused, draft.follows) == ("edit", False, [], None)
    assert draft.uid != SENT.uid


@given(allowed_alerts())
def test_every_valid_alert_of_the_service_gives_the_same_request_again(alert: dict[str, Any]) -> None:
    draft = read_draft({"publicMessages": {"publicAlertMessage": alert}})
    again = request_json(draft)["publicMessages"]["publicAlertMessage"]
    if not alert.get("applyZipCodeToEventGroups"):
        alert.pop("applyZipCodeToEventGroups", None)
    for ids in (alert.get("eventGroups"), alert.get("community", {}).get("regionIds")):
        assert ids is None or len(ids) == len(set(ids))
    assert again == alert


def test_a_notification_without_an_alert_gives_its_title_and_text() -> None:
    draft = read_draft({"id": 1, "message": {"title": "Bus", "textMessage": "Late"}, "notificationEventId": 0})
    assert (draft.title, draft.text, draft.event, draft.notification_event_id) == ("Bus", "Late", "", None)
    assert read_draft({}).sms == ""


@pytest.mark.parametrize(
    ("expire", "hours"),
    [("4", 4), (4, 4), (" 12 ", 12), ("48", 48), ("soon", None), ("1.5", None), (None, None), ("", None), ("-2", None)],
)
def test_the_end_is_read_from_texts_and_numbers(expire: Any, hours: int | None) -> None:
    assert read_draft({"publicMessages": {"publicAlertMessage": {"expire": expire}}}).hours == hours


def test_ids_are_read_from_integers_and_texts_but_not_from_floats() -> None:
    alert = {"eventGroups": [3, "4", 3.0, "x", None, 0, -1, 3, 2**62, 2**70], "community": {"regionIds": ["2108"]}}
    draft = read_draft({"publicMessages": {"publicAlertMessage": alert}})
    assert draft.groups == [3, 4, 2**62]
    assert draft.regions == [2108]


def test_invalid_values_are_preserved_and_reported() -> None:
    draft = read_draft({"publicMessages": {"publicAlertMessage": {"category": "MET", "type": "9", "urgency": "Soon"}}})
    assert (draft.category, draft.type, draft.urgency) == ("MET", 9, "Soon")
    problems = alert_problems(draft)
    assert all(problems.at(draft.uid, slot) for slot in ("category", "type", "urgency"))
