"""The request that a draft sends to the service."""

from __future__ import annotations

from typing import Any

import pytest

from domain.alerts.draft import AlertDraft
from domain.alerts.request import public_alert, request_json, to_request, zip_flag_is_offered

MINIMAL: dict[str, Any] = {
    "category": "Met",
    "event": "Flood Warning",
    "urgency": "Immediate",
    "severity": "Severe",
    "certainty": "Observed",
    "hours": 12,
    "sms": "Move to higher ground.",
    "type": 2,
    "groups": [3],
}
PAYLOAD = {
    "category": "Met",
    "event": "Flood Warning",
    "urgency": "Immediate",
    "severity": "Severe",
    "certainty": "Observed",
    "expire": "12",
    "smsMessage": "Move to higher ground.",
    "action": "create",
    "type": 2,
    "eventGroups": [3],
}


def build_alert(draft: AlertDraft) -> dict[str, Any]:
    sent: dict[str, Any] = request_json(draft)["publicMessages"]["publicAlertMessage"]
    return sent


def test_a_minimal_draft_sends_only_the_required_fields() -> None:
    assert request_json(AlertDraft(**MINIMAL)) == {
        "type": "Standard",
        "launchtype": "SendNow",
        "publicMessages": {"publicAlertMessage": PAYLOAD},
    }


def test_a_complete_draft_sends_every_field() -> None:
    draft = AlertDraft(
        **MINIMAL,
        title="Flood",
        text="The river rises.",
        notification_event_id=2**60,
        category_id=7,
        instructions="Move cars.",
        contact_name="Ana Silva",
        contact_email="ana@city.example",
        contact_division="Desk",
        contact_phone="911",
        jurisdiction="some",
        regions=[2108, 2109],
        zip_to_groups=True,
    )
    assert request_json(draft) == {
        "message": {"title": "Flood", "textMessage": "The river rises."},
        "type": "Standard",
        "launchtype": "SendNow",
        "notificationEventId": 2**60,
        "categoryId": 7,
        "publicMessages": {
            "publicAlertMessage": PAYLOAD
            | {
                "instructions": "Move cars.",
                "applyZipCodeToEventGroups": True,
                "community": {
                    "contactName": "Ana Silva",
                    "contactEmail": "ana@city.example",
                    "contactDivision": "Desk",
                    "contactPhone": "911",
                    "jurisdictionType": "some",
                    "regionIds": [2108, 2109],
                },
            }
        },
    }


def test_internal_fields_of_a_draft_are_not_sent() -> None:
    draft = AlertDraft(**MINIMAL, follows=5, follow_up="correction", stage="review", checked=True, refused=[("x", "y")])
    assert request_json(draft) == request_json(AlertDraft(**MINIMAL))


@pytest.mark.parametrize("blank", ["", "   ", "\n"])
def test_blank_texts_are_not_sent(blank: str) -> None:
    draft = AlertDraft(**MINIMAL, title=blank, text=blank, instructions=blank, contact_name=blank, contact_phone=blank)
    assert request_json(draft) == request_json(AlertDraft(**MINIMAL))


def test_texts_are_sent_without_surrounding_spaces() -> None:
    draft = AlertDraft(**(MINIMAL | {"sms": "  Leave now.\n\nTake pets.  "}))
    assert build_alert(draft)["smsMessage"] == "Leave now.\n\nTake pets."


@pytest.mark.parametrize("hours", range(1, 25))
def test_the_duration_is_sent_as_text(hours: int) -> None:
    assert build_alert(AlertDraft(**(MINIMAL | {"hours": hours})))["expire"] == str(hours)


def test_the_zip_flag_is_sent_only_if_the_service_allows_it() -> None:
    for groups in ([], [3]):
        for jurisdiction in ("", "all"):
            draft = AlertDraft(groups=groups, jurisdiction=jurisdiction, zip_to_groups=True)
            allowed = bool(groups and jurisdiction)
            assert zip_flag_is_offered(draft) is allowed
            assert public_alert(draft).apply_zip_code_to_event_groups is (True if allowed else None)
    off = AlertDraft(groups=[3], jurisdiction="all")
    assert "applyZipCodeToEventGroups" not in build_alert(off)


def test_an_empty_draft_can_be_turned_into_a_request() -> None:
    assert to_request(AlertDraft()).to_wire() == {
        "type": "Standard",
        "launchtype": "SendNow",
        "publicMessages": {"publicAlertMessage": {"action": "create"}},
    }
