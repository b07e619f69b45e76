"""After a lost response, Muster finds the alert among the sent notifications and distinguishes similar ones."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from client import OutcomeUnknown, Page
from client.models.notifications import Notification
from domain.alerts.request import draft_from_sent, request_json, to_request
from domain.alerts.sending.alert_edit import ALERT_EDIT
from domain.alerts.sending.lost_answer import PAGES_READ, differing_fields, reconcile
from domain.edits import draft_sending
from domain.edits.edit import ReconcileCandidate, Reconciliation
from domain.runtime.workspace import Workspace
from journal import Actor
from tests.domain.alerts.sending.alerts_for_sending import (
    LOST_AFTER,
    an_alert,
    close,
    load_alert,
    open_workspace,
    save_draft,
    send,
)
from tests.running_service import RunningService

NOW = datetime(2026, 11, 20, 14, 5, tzinfo=UTC)


@pytest.fixture
def lossy_service(tmp_path: Path) -> Iterator[tuple[Workspace, RunningService]]:
    """Return a workspace at a service that creates the first notification but loses the response."""
    with RunningService(faults={"fault": [LOST_AFTER]}) as service:
        workspace = open_workspace(service, tmp_path)
        yield workspace, service
        close(workspace)


def build_notification(number: int, at: datetime | None = NOW, **changed: Any) -> Notification:
    """Return the notification of the alert with these fields changed, as the service returns it."""
    payload = request_json(an_alert(**changed)) | {"id": number}
    return Notification.from_wire(payload | ({"createdDate": round(at.timestamp() * 1000)} if at else {}))


class Listing:
    """A service that lists these pages, and a journal without other sendings."""

    def __init__(self, *pages: list[Notification]) -> None:
        self.requested_pages: list[int] = []
        self._pages = pages
        self.client = SimpleNamespace(notifications=self)
        self.journal = SimpleNamespace(audit=SimpleNamespace(history=lambda *_, **__: []))
        self.actor = Actor("a service", 8800, "ana")

    def list(self, page_number: int = 1) -> Page[Notification]:
        self.requested_pages.append(page_number)
        has_next = page_number < len(self._pages)
        return Page(self._pages[page_number - 1], page_number, has_next=has_next, load=self.list)


def reconcile_with(*pages: list[Notification], since: datetime = NOW) -> Reconciliation:
    """Search for the alert in these pages."""
    listing: Any = Listing(*pages)
    return reconcile(listing, an_alert(), since=since)


def list_ids(result: Reconciliation) -> list[int | str | None]:
    return [each.subject_id for each in result.candidates]


def list_matches(result: Reconciliation) -> list[ReconcileCandidate]:
    return [each for each in result.candidates if each.is_match]


def test_an_alert_with_a_lost_response_is_found(lossy_service: tuple[Workspace, RunningService]) -> None:
    """Its candidate has every sent value. Resolving it needs only its ID."""
    workspace, _ = lossy_service
    draft = save_draft(workspace, an_alert(title="Evacuate", text="Wildfire near Boulder", groups=[]))
    with pytest.raises(OutcomeUnknown):
        send(workspace, draft)
    stored = load_alert(workspace, draft.uid)
    assert stored.begun_at is not None
    result = reconcile(workspace, stored.draft, since=stored.begun_at)
    assert "There are more" not in result.note
    (found,) = list_matches(result)
    assert found.subject_id is not None
    draft_sending.mark_as_done(workspace, ALERT_EDIT, stored, found)
    assert load_alert(workspace, draft.uid).sent_id == found.subject_id


def test_an_identical_alert_from_another_draft_is_listed_but_not_matched(
    lossy_service: tuple[Workspace, RunningService],
) -> None:
    """The same text was sent from another draft a moment later. Muster knows it by its ID."""
    workspace, _ = lossy_service
    lost, other = save_draft(workspace, an_alert()), save_draft(workspace, an_alert())
    with pytest.raises(OutcomeUnknown):
        send(workspace, lost)
    sent = send(workspace, other)
    stored = load_alert(workspace, lost.uid)
    assert stored.begun_at is not None
    result = reconcile(workspace, stored.draft, since=stored.begun_at)
    (found,) = list_matches(result)
    assert found.subject_id != sent
    candidate = next(each for each in result.candidates if each.subject_id == sent)
    assert candidate.is_other
    assert "by ana" in candidate.description


def test_an_earlier_alert_is_not_matched_unless_the_clocks_may_differ() -> None:
    """One of 5 minutes ago may match, and an exact copy of an hour ago if a clock is wrong. Last week's does not."""
    hour, copy = timedelta(hours=1), 2
    result = reconcile_with(
        [
            build_notification(copy, NOW - hour),
            build_notification(3, NOW - timedelta(minutes=5)),
            build_notification(4, NOW - hour, severity="Severe"),
            build_notification(5, NOW - timedelta(days=7)),
        ]
    )
    assert list_ids(result) == [3, copy]
    assert list_matches(result) == [result.candidates[0]]
    assert "sent before yours" in result.candidates[1].description
    assert list_matches(reconcile_with([build_notification(copy, NOW - hour)])) == []


def test_without_times_in_the_response_all_similar_alerts_are_listed() -> None:
    """Missing times are no reason to hide an alert."""
    assert list_ids(
        reconcile_with(
            [build_notification(3, None), build_notification(2, None, sms="Another text", event="Forest Fire")]
        )
    ) == [3]


def test_the_identical_alert_is_listed_first_and_differences_are_named() -> None:
    """Alerts with another severity or another text follow it."""
    result = reconcile_with(
        [
            build_notification(5, severity="Severe"),
            build_notification(4, sms="Boulder: all clear."),
            build_notification(3),
        ]
    )
    assert list_ids(result) == [3, 5, 4]
    assert [each.description for each in result.candidates[1:]] == [
        "Different: “Severity”.",
        "Different: “Text message”.",
    ]
    assert list_matches(result) == [result.candidates[0]]


def test_two_identical_alerts_are_both_listed() -> None:
    """Muster selects neither of them."""
    assert len(list_matches(reconcile_with([build_notification(5), build_notification(4)]))) == 2


def test_the_order_of_ids_and_extra_spaces_are_ignored() -> None:
    """Services may sort and trim values. Another region is a difference."""
    alert = an_alert()
    assert differing_fields(alert, draft_from_sent(build_notification(1, regions=[80302, 80301]))) == []
    payload = request_json(an_alert()) | {"id": "1"}
    payload["publicMessages"]["publicAlertMessage"]["smsMessage"] += " "
    payload["publicMessages"]["publicAlertMessage"]["type"] = "2"
    payload["publicMessages"]["publicAlertMessage"]["applyZipCodeToEventGroups"] = False
    assert differing_fields(alert, draft_from_sent(Notification.from_wire(payload))) == []
    assert differing_fields(alert, draft_from_sent(build_notification(1, regions=[80301, 80303]))) == ["regions"]


@pytest.mark.parametrize(
    ("name", "ours", "theirs"),
    [
        ("contact_name", "Ana", "Ben"),
        ("contact_email", "ana@city.example", "ben@city.example"),
        ("contact_division", "Fire", "Police"),
        ("contact_phone", "311", "911"),
        ("notification_event_id", 5, 6),
        ("category_id", 5, 6),
        ("zip_to_groups", True, False),
        ("zip_to_groups", False, True),
        ("groups", [], [4]),
        ("regions", [], [80301]),
        ("jurisdiction", "", "all"),
        ("instructions", "", "Go north."),
    ],
)
def test_an_alert_with_other_recipients_sender_or_category_is_not_matched(name: str, ours: Any, theirs: Any) -> None:
    fields = {"groups": [4], "contact_name": "Ana"} if name == "zip_to_groups" else {}
    alert = an_alert(**fields, **{name: ours})
    assert differing_fields(alert, draft_from_sent(build_notification(1, **fields, **{name: theirs}))) == [name]
    assert differing_fields(alert, draft_from_sent(build_notification(1, **fields, **{name: ours}))) == []


def test_values_that_the_service_adds_or_omits_are_not_differences() -> None:
    """The service may add a title and contact, and may omit the notification event."""
    alert = an_alert(title="", notification_event_id=5, category_id=6)
    assert differing_fields(alert, draft_from_sent(build_notification(1, title="Alert", contact_division="City"))) == []


def test_a_list_sorted_newest_first_is_read_only_as_far_as_needed() -> None:
    """After a page that ends before the sending started, all notifications are older."""
    old = [build_notification(number, NOW - timedelta(days=number)) for number in (1, 2)]
    listing: Any = Listing([build_notification(9), *old], old, old)
    result = reconcile(listing, an_alert(), since=NOW)
    assert (listing.requested_pages, result.note) == ([1], "Muster checked 3 notifications.")


def test_a_list_sorted_oldest_first_is_read_to_its_end() -> None:
    """The alert is on its last page."""
    old = [build_notification(number, NOW - timedelta(days=9 - number)) for number in (1, 2)]
    assert list_ids(reconcile_with(old, [build_notification(9)])) == [9]


def test_an_endless_list_is_read_up_to_a_limit_and_reported() -> None:
    """The note gives the number of checked notifications."""
    pages = [
        [build_notification(number, NOW - timedelta(days=1), sms=f"{number}", event="Forest Fire")]
        for number in range(40)
    ]
    for page in pages:
        page.insert(0, build_notification(1000, None, sms="x", event="Forest Fire"))
    result = reconcile_with(*pages)
    assert result.candidates == []
    assert result.note.startswith(
        f"Muster checked {2 * PAGES_READ} notifications. Older notifications were not checked."
    )


def test_notifications_without_a_public_alert_are_ignored() -> None:
    """A plain message with the same text does not match."""
    plain = to_request(an_alert()).model_copy(update={"public_alert": None}).to_wire() | {"id": 5}
    assert list_ids(reconcile_with([Notification.from_wire(plain)])) == []
