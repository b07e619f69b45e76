"""Sent notifications in words, full ones and those that services tell thinly."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from client.models.notifications import Notification
from client.paging import Page
from components.notifications import sent_list
from components.notifications.sent_frame import (
    NOT_TOLD,
    alert_words,
    answer_words,
    end_words,
    event_words,
    names_a_reach,
    status_words,
    title_of,
)
from components.notifications.sent_list import SENT, Sent
from components.records.declared import Asked
from components.records.found import file_of, total_of

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
FULL = {
    "id": str(2**62),
    "message": {"title": "Storm", "textMessage": "Stay in."},
    "notificationStatus": "InProgress",
    "notificationEventId": 7,
    "createdName": "Ana Silva",
    "createdDate": 1_795_176_000_000,
    "publicMessages": {
        "publicAlertMessage": {
            "event": "Tornado Warning",
            "type": "2",
            "eventGroups": ["1", 99],
            "applyZipCodeToEventGroups": True,
            "community": {"jurisdictionType": "some", "regionIds": [1, 2]},
        }
    },
}


def test_a_full_record_and_a_bare_one_stand_in_the_same_table() -> None:
    """Exact ids, names for ids, and words for what is not told."""
    names: Any = SimpleNamespace(names=lambda _: {7: "Autumn storms"})
    records = [Sent(Notification.from_wire(FULL), names), Sent(Notification(), names)]
    table = file_of(SENT, records)
    assert list(table["Id"]) == [str(2**62), ""]
    assert list(table["Title"]) == ["Storm", "A notification"]
    assert list(table["Public alert"]) == ["Tornado Warning · Alert", ""]
    assert list(table["Status"]) == ["Being sent", NOT_TOLD]
    assert list(table["Event"]) == ["Autumn storms", ""]
    assert list(table["By"]) == ["Ana Silva", None]
    assert table["When (UTC)"][1] is None


def test_whether_an_alert_tells_whom_it_was_for() -> None:
    """By its groups, or by its jurisdiction; an empty community tells nothing."""
    alert = Notification.from_wire(FULL).public_alert
    assert alert is not None
    assert names_a_reach(alert)
    assert names_a_reach(alert.model_copy(update={"community": None}))
    assert names_a_reach(alert.model_copy(update={"event_groups": None}))
    assert not names_a_reach(alert.model_copy(update={"event_groups": [], "community": None}))


@pytest.mark.parametrize(
    ("expire", "created", "words"),
    [
        ("4", NOW - timedelta(hours=1), "ends Fri 20 Nov, 15:00 UTC (4 h)"),
        ("1", NOW - timedelta(hours=1), "ended Fri 20 Nov, 12:00 UTC (1 h)"),
        ("4", None, "ended 4 h after it was sent"),
        ("soon", NOW, "ends: soon"),
        (None, NOW, "no end told"),
    ],
)
def test_the_end_of_an_alert_is_a_time_where_it_can_be(
    expire: str | None, created: datetime | None, words: str
) -> None:
    """And as much as is told where it cannot."""
    record = Notification.from_wire({"publicMessages": {"publicAlertMessage": {"expire": expire}}})
    assert end_words(record.model_copy(update={"created_date": created}), NOW) == words


@pytest.mark.parametrize(
    ("alert", "words"),
    [
        ({"event": "Routine Weekly Test", "type": 3}, "Routine Weekly Test · Test · Advisory"),
        ({"event": "Routine Weekly Test"}, "Routine Weekly Test · Test"),
        ({"event": "Gas Leak", "type": 4}, "Gas Leak · type 4"),
        ({}, "Public alert"),
    ],
)
def test_a_test_is_named_one_and_an_unknown_type_by_its_number(alert: dict[str, Any], words: str) -> None:
    """Never taken for a live alert."""
    record = Notification.from_wire({"publicMessages": {"publicAlertMessage": alert}})
    assert alert_words(record.public_alert) == words


def test_odd_words_are_shown_as_they_came() -> None:
    """A status nobody knows, an event nobody named, an event id that stands for none."""
    assert status_words(Notification.from_wire({"notificationStatus": "Paused"})) == "Paused"
    assert event_words(12, {}) == "12"
    assert event_words(-1, {}) == ""
    assert title_of(Notification.from_wire({"id": 3})) == "Notification 3"


def test_the_answer_says_what_is_looked_at() -> None:
    """How many, of what."""
    assert answer_words(1, None, only_active=False) == "1 notification"
    assert answer_words(1200, "Storms", only_active=True) == "1,200 notifications · being sent now · filed under Storms"


def test_a_list_without_totals_goes_as_far_as_its_next_page() -> None:
    """One more than what was seen, until the end is seen."""
    ten = [Notification(id=number + 1) for number in range(10)]
    asked = Asked(size=10)
    assert total_of(Page(ten, 2, has_next=True), asked) == 21
    assert total_of(Page(ten[:3], 2), asked) == 13
    assert total_of(Page(ten, 1, total_count=44, has_next=True), asked) == 44


def test_one_notification_is_looked_for_page_by_page_and_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interface reads none by its id."""
    second = Page([Notification(id=2)], 2)
    first = Page([Notification(id=1)], 1, has_next=True, load=lambda _: second)
    workspace: Any = SimpleNamespace(client=SimpleNamespace(notifications=SimpleNamespace(list=lambda: first)))
    monkeypatch.setattr(sent_list, "filing_names", lambda _: None)
    found = sent_list.find(workspace, "2")
    assert found is not None
    assert found.notification.id == 2
    assert sent_list.find(workspace, "3") is None
    monkeypatch.setattr(sent_list, "LOOKED_THROUGH", 1)
    assert sent_list.find(workspace, "2") is None
