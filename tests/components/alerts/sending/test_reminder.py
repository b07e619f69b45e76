"""The reminders about alerts that should continue, shown around their end unless a follow-up was sent."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from components.alerts.sending.reminder import ending_soon
from domain.alerts.draft import KIND, SEND, AlertDraft
from domain.alerts.request import request_json
from domain.alerts.sending.alert_chain import journal_links
from journal import Actor, Entry, EntryState

SENT_AT = datetime(2026, 11, 22, 12, tzinfo=UTC)
LEAK = AlertDraft(category="Infra", event="Gas Leak", hours=2, sms="Leave.", goes_on=True)


def entry(number: int, draft: AlertDraft, state: EntryState = "succeeded") -> Entry:
    request: dict[str, Any] = {"draft": draft.uid, **journal_links(draft), "notification": request_json(draft)}
    actor = Actor("s", 8800, "ana")
    return Entry(number, SENT_AT, SENT_AT, actor, SEND, KIND, str(100 + number), None, request, state, None, None)


@pytest.mark.parametrize(
    ("minutes", "words"),
    [
        (-31, None),
        (-30, "ends in 30 minutes"),
        (-1, "ends in 1 minute"),
        (5, "ended 5 minutes ago"),
        (31, None),
    ],
)
def test_the_reminder_is_shown_from_30_minutes_before_to_30_minutes_after_the_end(
    minutes: int, words: str | None
) -> None:
    now = SENT_AT + timedelta(hours=2, minutes=minutes)
    found = ending_soon([entry(1, LEAK)], now)
    assert [each.words(now) for each in found] == ([] if words is None else [words])
    assert [(each.notification, each.draft.event) for each in found] == ([] if words is None else [(101, "Gas Leak")])


@pytest.mark.parametrize("state", ["refused", "not sent", "unknown", "started"])
def test_an_alert_that_was_not_sent_has_no_reminder(state: EntryState) -> None:
    assert ending_soon([entry(1, LEAK, state)], SENT_AT + timedelta(hours=2)) == []


def test_the_end_of_a_reconciled_alert_counts_from_its_sending() -> None:
    """Not from its reconciliation an hour later."""
    lost, now = entry(1, LEAK, "unknown"), SENT_AT + timedelta(hours=2)
    found = entry(2, LEAK)
    found = replace(found, at=SENT_AT + timedelta(hours=1), request={**(found.request or {}), "settles": lost.id})
    assert [each.ends for each in ending_soon([found, lost], now)] == [now]
    assert ending_soon([found], now + timedelta(hours=1)) == [], "the entry of its sending was not read"


def test_alerts_without_reminder_or_with_a_follow_up_are_not_listed() -> None:
    now = SENT_AT + timedelta(hours=2)
    assert ending_soon([entry(1, LEAK.model_copy(update={"goes_on": False}))], now) == []
    longer = LEAK.model_copy(update={"uid": "b", "hours": 6, "follow_up": "extension", "follows": 101})
    assert ending_soon([entry(1, LEAK), entry(2, longer)], now) == []
