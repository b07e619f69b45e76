"""Alerts in force that are similar to a draft by places, event, or text, without those that the draft follows."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from domain.alerts.draft import AlertDraft
from domain.alerts.sending.alert_chain import Chains, Link
from domain.alerts.sending.alerts_in_force import AlertInForce, similar_in_force
from tests.domain.alerts.sending.alerts_for_sending import TEXT, a_test, an_alert

NOW = datetime(2026, 11, 22, 18, tzinfo=UTC)
SENT = AlertInForce(an_alert(), NOW - timedelta(minutes=4), "ben", 77, "their-draft")


def is_found(draft: AlertDraft, sent: AlertInForce = SENT, chains: Chains | None = None) -> bool:
    return similar_in_force(draft, [sent], chains or Chains(), NOW) == [sent]


@pytest.mark.parametrize(
    ("fields", "is_similar"),
    [
        ({}, True),
        ({"regions": [80302]}, True),
        ({"regions": [80466]}, False),
        ({"jurisdiction": "all", "regions": []}, True),
        ({"sms": "Boulder Fire: smoke. Stay in."}, True),
        ({"event": "Evacuation Immediate", "sms": TEXT.replace("Leave now", "Leave at once")}, True),
        ({"event": "Gas Leak", "sms": "Boulder Fire: gas leak on Main Street. Stay away."}, False),
        ({"follow_up": "extension", "follows": 77}, False),
        ({"follow_up": "all clear", "follows": 12}, False),
        ({"translation_of": "their-draft"}, False),
        ({"uid": "their-draft"}, False),
    ],
)
def test_a_similar_alert_in_force_is_found_by_places_and_event_or_text(
    fields: dict[str, Any], is_similar: bool
) -> None:
    assert is_found(an_alert(**fields)) == is_similar


def test_a_test_is_similar_only_to_another_test() -> None:
    assert not is_found(a_test())
    assert is_found(a_test(), AlertInForce(a_test(), NOW - timedelta(minutes=1), "ben", 78))


def test_an_alert_that_ended_or_was_followed_is_not_in_force() -> None:
    assert not is_found(an_alert(), AlertInForce(an_alert(hours=1), NOW - timedelta(hours=1), "ben", 77))
    assert not is_found(an_alert(), chains=Chains((Link(77, "all clear", 78, NOW, "ana", "b"),)))


def test_a_similar_alert_that_a_colleague_is_sending_is_found() -> None:
    assert is_found(an_alert(), AlertInForce(an_alert(), NOW, "ben", None, "their-draft"))
