"""Errors that block sending an alert, at the fields where they are fixed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given

from client import FieldError, Invalid, RequestSummary
from client.models.notifications import Notification
from client.models.public_alert_rules import Offered
from domain.alerts.alert_form import ALERT_FORM
from domain.alerts.alert_problems import alert_problems, field_of_path, problems_to_show, refusals
from domain.alerts.draft import AlertDraft
from domain.alerts.request import draft_from_sent
from domain.forms.form import Problems
from tests.alerts import allowed_alerts, forbidden_alerts

VALID: dict[str, Any] = {
    "uid": "u",
    "category": "Met",
    "event": "Flood Warning",
    "urgency": "Immediate",
    "severity": "Severe",
    "certainty": "Observed",
    "hours": 12,
    "sms": "Flint OEM: Flood in Flint. Move to high ground until 18:00.",
    "type": 2,
    "jurisdiction": "some",
    "regions": [48502],
}
ALERT = "publicMessages.publicAlertMessage"


def problems(**changes: Any) -> Problems:
    return alert_problems(AlertDraft(**(VALID | changes)))


def list_problems(**changes: Any) -> list[tuple[str, str]]:
    return order_problems(AlertDraft(**(VALID | changes)), problems(**changes))


def order_problems(draft: AlertDraft, found: Problems) -> list[tuple[str, str]]:
    """Return every error as (field, message), in the displayed order."""
    paths = {words: path for path, words in found.of(draft.uid)}
    return [(paths[words], words) for _, words in ALERT_FORM.label_problems(draft, found)]


def list_fields(**changes: Any) -> list[str]:
    return [slot for slot, _ in list_problems(**changes)]


def test_a_valid_alert_has_no_errors() -> None:
    assert not problems()
    assert list_problems() == []


def test_an_empty_draft_lists_the_required_fields_in_the_order_of_the_form() -> None:
    draft = AlertDraft()
    found = alert_problems(draft)
    assert [slot for slot, _ in order_problems(draft, found)] == [
        "category", "event", "urgency", "severity", "certainty", "hours", "sms", "type", "jurisdiction",
    ]  # fmt: skip
    assert found
    assert found.count == 9


@pytest.mark.parametrize(
    ("changes", "slot", "says"),
    [
        ({"category": ""}, "category", "Select a category."),
        ({"event": "Gas Leak"}, "event", "not an event of the category Met"),
        ({"urgency": "immediate"}, "urgency", "not one of"),
        ({"hours": 25}, "hours", "1 to 24"),
        ({"sms": "  "}, "sms", "Enter the text message"),
        ({"type": 4}, "type", "Select the type: Alert, Advisory, or Community."),
        ({"notification_event_id": -1}, "notification_event_id", "is not a valid ID"),
        ({"category_id": 0}, "category_id", "is not a valid ID"),
        ({"groups": [0]}, "groups", "is not a valid ID"),
        ({"regions": [-5]}, "regions", "is not a valid ID"),
        ({"contact_phone": "555-1234"}, "contact_phone", "3 or 10 digits"),
        ({"contact_email": "ana"}, "contact_email", "valid email address"),
        ({"jurisdiction": "All", "regions": [], "groups": [3]}, "jurisdiction", "Select all or some"),
        ({"regions": []}, "regions", "at least one place"),
        ({"regions": [], "groups": [3]}, "regions", "at least one place"),
        ({"jurisdiction": "all"}, "regions", "the entire jurisdiction and 1 selected place"),
        ({"jurisdiction": "all", "regions": [1, 2]}, "regions", "2 selected places"),
        ({"jurisdiction": ""}, "jurisdiction", "You have 1 selected place. To alert them, select “Selected places”."),
        ({"jurisdiction": "", "regions": []}, "jurisdiction", "no recipients"),
        ({"zip_to_groups": True}, "zip_to_groups", "only if"),
        ({"sms": "Leave [place] now."}, "sms", "[place]"),
        ({"title": "[What happens]: x"}, "title", "[What happens]"),
        ({"text": "[who]"}, "text", "[who]"),
        ({"instructions": "Call [number]."}, "instructions", "[number]"),
    ],
)
def test_an_error_is_reported_once_at_its_field(changes: dict[str, Any], slot: str, says: str) -> None:
    found = list_problems(**changes)
    assert [where for where, _ in found] == [slot]
    assert says in found[0][1]


def test_groups_alone_or_the_whole_jurisdiction_are_valid_recipients() -> None:
    assert not problems(jurisdiction="", regions=[], groups=[3])
    assert not problems(jurisdiction="all", regions=[])


def test_a_contact_alone_gives_no_recipients() -> None:
    assert list_fields(jurisdiction="", regions=[], contact_name="Ana") == ["jurisdiction"]


@pytest.mark.parametrize(
    ("groups", "jurisdiction", "regions", "refused"),
    [([], "", [], True), ([], "all", [], True), ([3], "", [], True), ([3], "all", [], False)],
)
def test_the_zip_flag_needs_groups_and_a_jurisdiction(
    groups: list[int], jurisdiction: str, regions: list[int], refused: bool
) -> None:
    reach = {"groups": groups, "jurisdiction": jurisdiction, "regions": regions}
    assert bool(problems(**reach, zip_to_groups=True).at("u", "zip_to_groups")) is refused
    assert not problems(**reach, zip_to_groups=False).at("u", "zip_to_groups")


@pytest.mark.parametrize("email", ["a@b.co", " desk@city.example ", "o'neil+x@a-b.example.org", "é@ü.example"])
def test_valid_email_addresses_are_accepted(email: str) -> None:
    assert not problems(contact_email=email)


@pytest.mark.parametrize(
    "email", ["a", "a@b", "@b.co", "a@", "a b@c.de", "a@b.co, c@d.ef", "a@@b.co", "a@b..co", "<a@b.co>"]
)
def test_invalid_email_addresses_are_reported(email: str) -> None:
    assert list_fields(contact_email=email) == ["contact_email"]


def test_brackets_that_are_not_placeholders_can_be_sent() -> None:
    assert not problems(sms="Flood in Flint [see the map].")


def test_ids_are_checked_against_the_lists_of_the_service() -> None:
    draft = AlertDraft(**VALID, groups=[3, 4])
    assert not alert_problems(draft, offered=Offered({3, 4}, {48502}))
    found = alert_problems(draft, offered=Offered({3}, set()))
    assert found.at("u", "groups") == ["The service has no event group with the ID 4."]
    assert found.at("u", "regions") == ["The service has no region with the ID 48502."]


@pytest.mark.parametrize(
    ("path", "slot"),
    [
        ("message", "text"),
        ("message.title", "title"),
        ("notificationEventId", "notification_event_id"),
        ("categoryId", "category_id"),
        (f"{ALERT}.expire", "hours"),
        (f"{ALERT}.smsMessage", "sms"),
        (f"{ALERT}.eventGroups[12]", "groups"),
        (f"{ALERT}.community.regionIds[0]", "regions"),
        (f"{ALERT}.community.contactPhone", "contact_phone"),
        (f"{ALERT}.applyZipCodeToEventGroups", "zip_to_groups"),
        ("broadcastSettings", ""),
        ("", ""),
    ],
)
def test_an_error_path_of_the_service_maps_to_its_field(path: str, slot: str) -> None:
    assert field_of_path(path) == slot
    found = problems(refused=[(path, "No.")])
    assert found.at("u", slot) == ["No."]


def test_an_error_of_the_service_is_shown_at_its_field_or_for_the_whole_alert() -> None:
    request = RequestSummary("POST", "/notifications")
    at_field = Invalid("Refused.", request=request, status=400, field_errors=[FieldError(f"{ALERT}.event", "Bad.")])
    assert refusals(at_field) == [(f"{ALERT}.event", "Bad.")]
    whole = Invalid("Refused.", request=request, status=400)
    assert [slot for slot, _ in refusals(whole)] == [""]


@given(allowed_alerts())
def test_an_alert_that_the_service_accepts_fails_only_the_stricter_checks_of_muster(alert: dict[str, Any]) -> None:
    draft = draft_from_sent(Notification.from_wire({"publicMessages": {"publicAlertMessage": alert}}))
    found = alert_problems(draft)
    assert {slot for slot, _ in found.of(draft.uid)} <= {"jurisdiction", "regions", "contact_email"}
    community = alert.get("community", {})
    is_clear = community.get("jurisdictionType") == "all" and not community.get("regionIds")
    assert not (is_clear and not community.get("contactEmail") and found)


@given(forbidden_alerts())
def test_an_alert_that_the_service_forbids_is_rejected(alert: dict[str, Any]) -> None:
    # A draft has only one possible action.
    assume(alert.get("action") == "create")
    draft = draft_from_sent(Notification.from_wire({"publicMessages": {"publicAlertMessage": alert}}))
    assert alert_problems(draft, offered=Offered({1, 2, 3}, {10, 11, 12}))


def test_regions_without_a_jurisdiction_are_reported_as_soon_as_they_are_selected() -> None:
    chosen = AlertDraft(regions=[48502])
    assert [slot for slot, _ in problems_to_show(chosen, alert_problems(chosen)).of(chosen.uid)] == ["jurisdiction"]
    assert not problems_to_show(AlertDraft(), alert_problems(AlertDraft()))


def test_missing_values_are_reported_only_after_the_review_was_requested() -> None:
    draft = AlertDraft(sms="Leave [place].", contact_phone="12", refused=[(f"{ALERT}.event", "Bad.")])
    shown = problems_to_show(draft, alert_problems(draft))
    assert {slot for slot, _ in shown.of(draft.uid)} == {"contact_phone", "event"}
    checked = draft.model_copy(update={"checked": True})
    assert problems_to_show(checked, alert_problems(checked)).of(checked.uid) == alert_problems(checked).of(checked.uid)
