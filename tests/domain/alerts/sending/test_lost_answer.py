"""After a lost answer, the alert is looked for among the sent notifications, and told from those that are like it."""

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
    kept,
    send,
    standing_of,
    workspace_of,
)
from tests.running_service import RunningService

NOW = datetime(2026, 11, 20, 14, 5, tzinfo=UTC)


@pytest.fixture
def losing(tmp_path: Path) -> Iterator[tuple[Workspace, RunningService]]:
    """A desk at a service that does the first sending and loses its answer."""
    with RunningService(faults={"fault": [LOST_AFTER]}) as service:
        desk = workspace_of(service, tmp_path)
        yield desk, service
        close(desk)


def sent_as(number: int, at: datetime | None = NOW, **changed: Any) -> Notification:
    """A notification as the service tells one that was made of the alert with these fields changed."""
    wire = request_json(an_alert(**changed)) | {"id": number}
    return Notification.from_wire(wire | ({"createdDate": round(at.timestamp() * 1000)} if at else {}))


class Listing:
    """A service that lists these pages, and a journal that knows of no other sending."""

    def __init__(self, *pages: list[Notification]) -> None:
        self.asked: list[int] = []
        self._pages = pages
        self.client = SimpleNamespace(notifications=self)
        self.journal = SimpleNamespace(audit=SimpleNamespace(history=lambda *_, **__: []))
        self.actor = Actor("a service", 8800, "ana")

    def list(self, page_number: int = 1) -> Page[Notification]:
        self.asked.append(page_number)
        has_next = page_number < len(self._pages)
        return Page(self._pages[page_number - 1], page_number, has_next=has_next, load=self.list)


def look_at(*pages: list[Notification], since: datetime = NOW) -> Reconciliation:
    """Look for the alert in these pages."""
    listing: Any = Listing(*pages)
    return reconcile(listing, an_alert(), since=since)


def ids(looked: Reconciliation) -> list[int | str | None]:
    return [each.subject_id for each in looked.candidates]


def like_it(looked: Reconciliation) -> list[ReconcileCandidate]:
    return [each for each in looked.candidates if each.is_match]


def test_the_alert_whose_answer_was_lost_is_found_and_named(losing: tuple[Workspace, RunningService]) -> None:
    """Everything that was sent is in it; settling it needs no more than its id."""
    desk, _ = losing
    draft = kept(desk, an_alert(title="Evacuate", text="Wildfire near Boulder", groups=[]))
    with pytest.raises(OutcomeUnknown):
        send(desk, draft)
    standing = standing_of(desk, draft.uid)
    assert standing.begun_at is not None
    looked = reconcile(desk, standing.draft, since=standing.begun_at)
    assert "There are more" not in looked.note
    (found,) = like_it(looked)
    assert found.subject_id is not None
    draft_sending.mark_as_done(desk, ALERT_EDIT, standing, found)
    assert standing_of(desk, draft.uid).sent_id == found.subject_id


def test_one_that_came_from_another_sending_of_muster_is_shown_and_not_mistaken_for_it(
    losing: tuple[Workspace, RunningService],
) -> None:
    """The same words sent from another draft a moment later: known by its id."""
    desk, _ = losing
    lost, other = kept(desk, an_alert()), kept(desk, an_alert())
    with pytest.raises(OutcomeUnknown):
        send(desk, lost)
    sent = send(desk, other)
    standing = standing_of(desk, lost.uid)
    assert standing.begun_at is not None
    looked = reconcile(desk, standing.draft, since=standing.begun_at)
    (found,) = like_it(looked)
    assert found.subject_id != sent
    known = next(each for each in looked.candidates if each.subject_id == sent)
    assert known.is_other
    assert "by ana" in known.description


def test_what_was_sent_before_is_another_alert_but_clocks_may_be_apart() -> None:
    """One of five minutes ago may be it; an exact copy of an hour ago, where a clock is wrong; last week's is none."""
    hour, copy = timedelta(hours=1), 2
    looked = look_at(
        [
            sent_as(copy, NOW - hour),
            sent_as(3, NOW - timedelta(minutes=5)),
            sent_as(4, NOW - hour, severity="Severe"),
            sent_as(5, NOW - timedelta(days=7)),
        ]
    )
    assert ids(looked) == [3, copy]
    assert like_it(looked) == [looked.candidates[0]]
    assert "sent before yours" in looked.candidates[1].description
    assert like_it(look_at([sent_as(copy, NOW - hour)])) == []


def test_without_times_in_the_answers_everything_like_it_is_shown() -> None:
    """A deployment that tells no time is no reason to hide anything."""
    assert ids(look_at([sent_as(3, None), sent_as(2, None, sms="Another text", event="Forest Fire")])) == [3]


def test_what_differs_is_named_and_what_says_the_same_comes_first() -> None:
    """One with another severity and one with another text, behind the one that is it."""
    looked = look_at([sent_as(5, severity="Severe"), sent_as(4, sms="Boulder: all clear."), sent_as(3)])
    assert ids(looked) == [3, 5, 4]
    assert [each.description for each in looked.candidates[1:]] == [
        "Different: “Severity”.",
        "Different: “Text message”.",
    ]
    assert like_it(looked) == [looked.candidates[0]]


def test_two_that_look_like_it_are_for_a_person_to_distinguish() -> None:
    """Neither is singled out."""
    assert len(like_it(look_at([sent_as(5), sent_as(4)]))) == 2


def test_the_order_of_ids_and_spaces_do_not_make_a_difference() -> None:
    """Services may sort and trim; another region does make one."""
    alert = an_alert()
    assert differing_fields(alert, draft_from_sent(sent_as(1, regions=[80302, 80301]))) == []
    wire = request_json(an_alert()) | {"id": "1"}
    wire["publicMessages"]["publicAlertMessage"]["smsMessage"] += " "
    wire["publicMessages"]["publicAlertMessage"]["type"] = "2"
    wire["publicMessages"]["publicAlertMessage"]["applyZipCodeToEventGroups"] = False
    assert differing_fields(alert, draft_from_sent(Notification.from_wire(wire))) == []
    assert differing_fields(alert, draft_from_sent(sent_as(1, regions=[80301, 80303]))) == ["regions"]


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
def test_an_alert_of_another_reach_sender_or_filing_is_not_mistaken_for_it(name: str, ours: Any, theirs: Any) -> None:
    given = {"groups": [4], "contact_name": "Ana"} if name == "zip_to_groups" else {}
    alert = an_alert(**given, **{name: ours})
    assert differing_fields(alert, draft_from_sent(sent_as(1, **given, **{name: theirs}))) == [name]
    assert differing_fields(alert, draft_from_sent(sent_as(1, **given, **{name: ours}))) == []


def test_what_a_service_adds_or_does_not_tell_makes_no_other_alert() -> None:
    """Its own title and contact, where none was given; under which event it is filed, it need not say."""
    alert = an_alert(title="", notification_event_id=5, category_id=6)
    assert differing_fields(alert, draft_from_sent(sent_as(1, title="Alert", contact_division="City"))) == []


def test_a_list_that_is_newest_first_is_read_only_as_far_as_needed() -> None:
    """Once a page ends before the sending began, the rest is older."""
    old = [sent_as(number, NOW - timedelta(days=number)) for number in (1, 2)]
    listing: Any = Listing([sent_as(9), *old], old, old)
    looked = reconcile(listing, an_alert(), since=NOW)
    assert (listing.asked, looked.note) == ([1], "Muster checked 3 notifications.")


def test_a_list_that_is_oldest_first_is_read_on() -> None:
    """The alert is on its last page."""
    old = [sent_as(number, NOW - timedelta(days=9 - number)) for number in (1, 2)]
    assert ids(look_at(old, [sent_as(9)])) == [9]


def test_a_list_without_an_end_is_given_up_and_reports_it() -> None:
    """So many pages, and what was found in them."""
    pages = [[sent_as(number, NOW - timedelta(days=1), sms=f"{number}", event="Forest Fire")] for number in range(40)]
    for page in pages:
        page.insert(0, sent_as(1000, None, sms="x", event="Forest Fire"))
    looked = look_at(*pages)
    assert looked.candidates == []
    assert looked.note.startswith(
        f"Muster checked {2 * PAGES_READ} notifications. Older notifications were not checked."
    )


def test_notifications_without_a_public_alert_are_passed_over() -> None:
    """A plain message with the same words is none."""
    plain = to_request(an_alert()).model_copy(update={"public_alert": None}).to_wire() | {"id": 5}
    assert ids(look_at([Notification.from_wire(plain)])) == []
