"""The table of sent notifications, with complete and incomplete records."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from client.models.notifications import Notification
from client.paging import Page
from components.alerts.notifications import sent_list
from components.alerts.notifications.sent_list import SENT, Sent
from components.record_list.declaration import ListQuery
from components.record_list.list_data import build_file_table, count_total, filter_records
from domain.alerts.filing_names import FilingNames
from domain.alerts.notifications.sent_frame import (
    end_words,
    ends_at,
    event_words,
    kind_words,
    names_a_reach,
    status_of,
    title_of,
)
from domain.alerts.sending.alert_chain import Chains, Link

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
            "instructions": "Go to the basement.",
            "eventGroups": ["1", 99],
            "applyZipCodeToEventGroups": True,
            "community": {"jurisdictionType": "some", "regionIds": [1, 2]},
        }
    },
}


def test_complete_and_empty_records_are_shown_in_one_table() -> None:
    """With exact IDs, names for IDs, and text for missing values."""
    names: Any = SimpleNamespace(names=lambda _: {7: "Autumn storms"})
    records = [Sent(Notification.from_wire(FULL), names), Sent(Notification(), names)]
    table = build_file_table(SENT, records)
    assert list(table["ID"]) == [str(2**62), ""]
    assert list(table["Title"]) == ["Storm", "Notification"]
    assert list(table["Type"]) == ["Live alert", "Message"]
    assert list(table["Text message"]) == ["Stay in.", ""]
    assert list(table["Instructions"]) == ["Go to the basement.", None]
    every = ListQuery(values={field.name: None for each in SENT.filters for field in each.fields})
    assert filter_records(SENT, SENT.source, records, every, "basement") == records[:1]  # type: ignore[arg-type]
    assert list(table["Status"]) == ["Sent", "Unknown"]
    assert list(table["Event"]) == ["Autumn storms", ""]
    assert list(table["By"]) == ["Ana Silva", None]
    assert table["Sent (UTC)"][1] is None


def test_an_alert_with_groups_or_a_jurisdiction_names_its_recipients() -> None:
    """An empty community names none."""
    alert = Notification.from_wire(FULL).public_alert
    assert alert is not None
    assert names_a_reach(alert)
    assert names_a_reach(alert.model_copy(update={"community": None}))
    assert names_a_reach(alert.model_copy(update={"event_groups": None}))
    assert not names_a_reach(alert.model_copy(update={"event_groups": [], "community": None}))


@pytest.mark.parametrize(
    ("expire", "created", "words"),
    [
        ("4", NOW - timedelta(hours=1), "in force until 15:00 (4 h)"),
        ("1", NOW - timedelta(hours=1), "ended 12:00 (1 h)"),
        ("4", None, "lasts 4 h; time sent unknown"),
        ("soon", NOW, "ends: soon"),
        (None, NOW, "no end given"),
    ],
)
def test_the_end_of_an_alert_is_shown_as_a_time_if_it_is_known(
    expire: str | None, created: datetime | None, words: str
) -> None:
    """Otherwise as much as the record says."""
    record = Notification.from_wire({"publicMessages": {"publicAlertMessage": {"expire": expire}}})
    assert end_words(record.model_copy(update={"created_date": created}), NOW, "{:%H:%M}".format) == words


@pytest.mark.parametrize(
    ("alert", "follow_up", "words"),
    [
        ({"event": "Routine Weekly Test", "type": 3}, "", "Routine test"),
        ({"event": "Gas Leak", "type": 4}, "", "Live alert"),
        ({"event": "Gas Leak"}, "All clear", "All clear"),
        (None, "", "Message"),
    ],
)
def test_a_notification_is_labeled_with_its_kind(alert: dict[str, Any] | None, follow_up: str, words: str) -> None:
    """A test is never labeled as a live alert."""
    record = Notification.from_wire({"publicMessages": {"publicAlertMessage": alert}} if alert else {})
    assert kind_words(record, follow_up) == words


@pytest.mark.parametrize(
    ("status", "hours_ago", "expire", "words"),
    [
        ("InProgress", 3, "4", "In force · 1 h left"),
        ("Completed", 3, "4", "In force · 1 h left"),
        ("InProgress", 5, "4", "Ended"),
        ("InProgress", 0, "4", "In force · 4 h left"),
        ("Stopped", 3, "4", "Stopped"),
        ("InProgress", 3, None, "Sent"),
        ("InProgress", 0, None, "Sending"),
        ("Paused", 3, None, "Paused"),
    ],
)
def test_an_alert_sent_hours_ago_has_the_status_in_force_or_ended(
    status: str, hours_ago: int, expire: str | None, words: str
) -> None:
    """Whatever status the service reports."""
    alert = {"publicMessages": {"publicAlertMessage": {"event": "Gas Leak", "expire": expire}}}
    made = Notification.from_wire({"notificationStatus": status, **alert})
    record = made.model_copy(update={"created_date": NOW - timedelta(hours=hours_ago)})
    assert status_of(record, NOW) == words


def test_a_routine_test_has_the_status_test_until_it_ends() -> None:
    alert = {"publicMessages": {"publicAlertMessage": {"event": "Routine Weekly Test", "expire": "1"}}}
    record = Notification.from_wire(alert).model_copy(update={"created_date": NOW - timedelta(minutes=20)})
    assert status_of(record, NOW) == "Test · 40 min left"
    assert status_of(record, NOW + timedelta(hours=1)) == "Ended"


def test_unusual_values_are_shown_unchanged() -> None:
    """An event without a name, and an event ID that means none."""
    assert event_words(12, {}) == "12"
    assert event_words(-1, {}) == ""
    assert title_of(Notification.from_wire({"id": 3})) == "Notification 3"


@pytest.mark.parametrize("total", [None, 2, 3, 9])
def test_all_pages_are_read_even_if_the_page_count_is_wrong_or_missing(
    monkeypatch: pytest.MonkeyPatch, total: int | None
) -> None:
    """Each notification is listed once, in order, even if a new one shifts the others to the next page."""
    ids = {1: [5, 4], 2: [4, 3], 3: [2]}

    def list_notifications(page_number: int = 1) -> Page[Notification]:
        items = [Notification(id=each) for each in ids.get(page_number, [])]
        return Page(items, page_number, total_pages=total, has_next=page_number < 3, load=list_notifications)

    workspace: Any = SimpleNamespace(client=SimpleNamespace(notifications=SimpleNamespace(list=list_notifications)))
    monkeypatch.setattr(sent_list, "_known", lambda _, found: [Sent(each, None) for each in found])  # type: ignore[arg-type]
    found = sent_list.read(workspace, lambda *_: None)
    assert [each.notification.id for each in found.records] == [5, 4, 3, 2]


def test_a_list_without_a_total_counts_one_more_until_its_last_page() -> None:
    """The total is one more than the rows so far, until the last page."""
    ten = [Notification(id=number + 1) for number in range(10)]
    query = ListQuery(page_size=10)
    assert count_total(Page(ten, 2, has_next=True), query) == 21
    assert count_total(Page(ten[:3], 2), query) == 13
    assert count_total(Page(ten, 1, total_count=44, has_next=True), query) == 44


def test_a_notification_is_searched_on_a_limited_number_of_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """The service cannot return a single notification by ID."""
    second = Page([Notification(id=2)], 2)
    first = Page([Notification(id=1)], 1, has_next=True, load=lambda _: second)
    workspace: Any = SimpleNamespace(client=SimpleNamespace(notifications=SimpleNamespace(list=lambda: first)))
    monkeypatch.setattr(sent_list, "_known", lambda _, found: [Sent(each, None) for each in found])  # type: ignore[arg-type]
    found = sent_list.find(workspace, "2")
    assert found is not None
    assert found.notification.id == 2
    assert sent_list.find(workspace, "3") is None
    monkeypatch.setattr(sent_list, "LOOKED_THROUGH", 1)
    assert sent_list.find(workspace, "2") is None


def test_the_status_of_an_alert_includes_a_given_all_clear() -> None:
    now = datetime.now(UTC)
    chains = Chains((Link(7, "all clear", 8, now, "ana", "b"),))
    states = [Sent(alert(number, now), FilingNames({}), None, chains).status for number in (7, 8)]
    assert states == ["All clear given · In force", "In force · 3 h 59 min left"]


def alert(number: int, at: datetime) -> Notification:
    messages = {"publicAlertMessage": {"event": "Tornado Warning", "expire": "4"}}
    record = {"id": str(number), "createdDate": int(at.timestamp() * 1000), "notificationStatus": "Completed"}
    return Notification.from_wire({**record, "publicMessages": messages})


@pytest.mark.parametrize("expire", ["1764000000000", "9" * 30, "9" * 5_000])
def test_an_end_outside_the_calendar_is_ignored(expire: str) -> None:
    """Otherwise one invalid record breaks the whole list."""
    alert = {"publicAlertMessage": {"event": "Wildfire", "expire": expire}}
    assert ends_at(Notification.from_wire({"id": 1, "createdDate": 1_795_176_000_000, "publicMessages": alert})) is None
