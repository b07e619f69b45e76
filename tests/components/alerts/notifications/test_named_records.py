"""Notification events and categories: their lists, counts, and names, with a client that answers from memory."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from client import ServiceFailed
from client.models.notification_events import NotificationEvent
from client.models.notifications import Notification
from client.paging import Page
from components.alerts.notifications.named_records_screen import EVENTS
from components.record_list.declaration import ListQuery
from components.record_list.list_data import build_file_table, build_table, filter_records
from domain.alerts.notifications import named_records
from domain.alerts.notifications.named_records import CATEGORY, EVENT, FiledRecord, Uses, answer_words
from domain.tables.loaded_records import LoadedRecords
from domain.tables.table_pages import format_cells

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
STORM = NotificationEvent(id=2**62, name="Storm", created_name="Ana", created_date=NOW)
MOVE = NotificationEvent(id=7, name="office move")
BARE = NotificationEvent(id=9)


def build_client(pages: dict[int | None, list[Page[Notification]]]) -> Any:
    """Return a client with these notifications by event ID."""
    requests: list[tuple[int | None, int]] = []

    def list_notifications(*, notification_event_id: int | None = None, page_number: int = 1) -> Page[Notification]:
        requests.append((notification_event_id, page_number))
        page = pages[notification_event_id][page_number - 1]
        return replace(
            page,
            load=lambda number: list_notifications(notification_event_id=notification_event_id, page_number=number),
        )

    return SimpleNamespace(notifications=SimpleNamespace(list=list_notifications), requests=requests)


def read_events(uses: Uses | None = None, total: int | None = None) -> LoadedRecords[FiledRecord]:
    """Return three events with their counts."""
    counts = uses or Uses({2**62: 12, 7: 0, 9: 1})

    def list_all() -> Any:
        return (STORM, BARE, MOVE), total

    kind = SimpleNamespace(list_all=lambda _: list_all())
    return named_records.read_records(SimpleNamespace(), kind, lambda _: lambda: counts)  # type: ignore[arg-type]


def test_the_count_of_an_event_is_the_total_of_its_list() -> None:
    """One request per event, with exact IDs, whatever rows the page has."""
    one = [Notification(id=1)]
    client = build_client({2**62: [Page(one, 1, total_count=41, has_next=True)], 7: [Page([], 1)], 9: [Page(one, 1)]})
    uses = named_records.count_by_event(client, [2**62, 7, 9])
    assert (uses.of(2**62), uses.of(7), uses.of(9), uses.of(None)) == (41, 0, 1, None)
    assert sorted(client.requests, key=str) == sorted([(2**62, 1), (7, 1), (9, 1)], key=str)


def test_an_event_list_of_several_pages_without_a_total_has_no_count() -> None:
    """The first page alone does not give the number of notifications."""
    client = build_client({7: [Page([Notification(id=1)], 1, has_next=True)]})
    assert named_records.count_by_event(client, [7]).of(7) is None


def test_categories_are_counted_over_the_newest_pages() -> None:
    """An unused category has the count 0. After the last page the count is complete."""
    first = Page([Notification(id=1, category_id=5), Notification(id=2)], 1, has_next=True)
    client = build_client({None: [first, Page([Notification(id=3, category_id=5)], 2)]})
    uses = named_records.count_by_category(client, [5, 6])
    assert (uses.of(5), uses.of(6), uses.of_newest) == (2, 0, None)


def test_a_count_over_a_long_list_stops_at_a_limit_and_reports_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The count covers the newest notifications only. A page that the service repeats is counted once."""
    monkeypatch.setattr(named_records, "LOOKED_THROUGH", 2)
    first, second, third = (Page([Notification(id=n, category_id=5)], n, has_next=True) for n in (1, 2, 3))
    uses = named_records.count_by_category(build_client({None: [first, second, third]}), [5])
    assert (uses.of(5), uses.of_newest) == (2, 2)
    uses = named_records.count_by_category(build_client({None: [first, first]}), [5])
    assert (uses.of(5), uses.of_newest) == (1, 1)


@pytest.mark.parametrize("count", [named_records.count_by_event, named_records.count_by_category])
def test_a_failed_count_is_unknown_and_not_zero(count: Any) -> None:
    """The records are still shown."""

    def raise_failure(**_: Any) -> Any:
        raise ServiceFailed("The service failed.", request=None)

    uses = count(SimpleNamespace(notifications=SimpleNamespace(list=raise_failure)), [5])
    assert isinstance(uses.error, ServiceFailed)
    assert uses.of(5) is None


def test_the_list_is_sorted_by_name_with_unnamed_records_last() -> None:
    """IDs are exact. Missing fields are shown as unknown."""
    columns = {name: column.as_table_column() for name, column in EVENTS.columns.items()}
    assert format_cells(build_table(EVENTS, read_events().records), columns, EVENTS.placeholder) == [
        ["office move", "0", "Unknown", "Unknown", "7"],
        ["Storm", "12", "Fri, Nov 20, 12:00", "Ana", str(2**62)],
        ["No name", "1", "Unknown", "Unknown", "9"],
    ]
    assert list(build_file_table(EVENTS, read_events().records)["Created (UTC)"]) == [None, NOW, None]


@pytest.mark.parametrize(("search", "names"), [("STO", ["Storm"]), (" 9 ", ["No name"]), ("snow", [])])
def test_a_search_matches_part_of_a_name_or_a_whole_id(search: str, names: list[str]) -> None:
    """Case does not matter."""
    matches = filter_records(EVENTS, EVENTS.source, read_events().records, ListQuery(), search)  # type: ignore[arg-type]
    assert [EVENTS.name(each) for each in matches] == names


def test_the_summary_counts_records_and_their_notifications() -> None:
    """The summary also states hidden records, and whether only the newest notifications were counted."""
    assert answer_words(read_events(), EVENT) == "3 events · 13 notifications"
    assert "2 more not shown by the service" in answer_words(read_events(total=5), EVENT)
    newest = read_events(uses=Uses({7: 4}, of_newest=500))
    assert answer_words(newest, CATEGORY) == "3 categories · 4 notifications of the newest 500"
    failed = read_events(uses=Uses(error=ServiceFailed("no", request=None)))
    assert answer_words(failed, EVENT) == "3 events"
    assert failed.records[0].uses_words == "The number of notifications is unknown."
    assert read_events().records[2].uses_words == "1 notification."
    assert newest.records[2].uses_words == "The number of notifications is unknown."


@pytest.mark.parametrize(
    ("name", "words"),
    [("", "Enter a name"), ("  ", "Enter a name"), (" STORM", "“Storm” already exists"), ("Flood", None)],
)
def test_a_name_is_checked_before_it_is_sent(name: str, words: str | None) -> None:
    """Empty names, and names that differ from another by case or spaces only, are rejected."""
    problem = named_records.name_problem(name, [each.record.name for each in read_events().records])
    assert problem is None if words is None else words in (problem or "")
