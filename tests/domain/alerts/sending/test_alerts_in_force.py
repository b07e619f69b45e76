"""Alerts in force for some of the people of a draft, without those that the draft follows."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from client.models.public_lookups import Regions
from domain.alerts.draft import AlertDraft
from domain.alerts.recipients.regions import RegionCatalog
from domain.alerts.recipients.us_places import us_places
from domain.alerts.sending.alert_chain import Chains, Link
from domain.alerts.sending.alerts_in_force import AlertInForce, overlapping_in_force, remaining_in_force
from tests.domain.alerts.recipients.sample_regions import region
from tests.domain.alerts.sending.alerts_for_sending import TEXT, a_test, an_alert

NOW = datetime(2026, 11, 22, 18, tzinfo=UTC)
SENT = AlertInForce(an_alert(), NOW - timedelta(minutes=4), "ben", 77, "their-draft")


def is_found(draft: AlertDraft, sent: AlertInForce = SENT, chains: Chains | None = None) -> bool:
    return overlapping_in_force(draft, [sent], chains or Chains(), NOW) == [sent]


@pytest.mark.parametrize(
    ("fields", "is_expected"),
    [
        ({}, True),
        ({"regions": [80302]}, True),
        ({"regions": [80466]}, False),
        ({"jurisdiction": "all", "regions": []}, True),
        ({"sms": "Boulder Fire: smoke. Stay in."}, True),
        ({"event": "Evacuation Immediate", "sms": TEXT.replace("Leave now", "Leave at once")}, True),
        ({"event": "Gas Leak", "sms": "Boulder Fire: gas leak on Main Street. Stay away."}, True),
        ({"follow_up": "extension", "follows": 77}, False),
        ({"follow_up": "all clear", "follows": 12}, False),
        ({"translation_of": "their-draft"}, False),
        ({"uid": "their-draft"}, False),
    ],
)
def test_an_alert_in_force_is_found_by_its_recipients_whatever_its_event(
    fields: dict[str, Any], is_expected: bool
) -> None:
    assert is_found(an_alert(**fields)) == is_expected


def test_a_test_is_similar_only_to_another_test() -> None:
    assert not is_found(a_test())
    assert is_found(a_test(), AlertInForce(a_test(), NOW - timedelta(minutes=1), "ben", 78))


def test_an_alert_that_ended_or_was_followed_is_not_in_force() -> None:
    assert not is_found(an_alert(), AlertInForce(an_alert(hours=1), NOW - timedelta(hours=1), "ben", 77))
    assert not is_found(an_alert(), chains=Chains((Link(77, "all clear", 78, NOW, "ana", "b"),)))


def test_a_similar_alert_that_a_colleague_is_sending_is_found() -> None:
    assert is_found(an_alert(), AlertInForce(an_alert(), NOW, "ben", None, "their-draft"))


@pytest.mark.parametrize(
    ("one", "other", "is_expected"),
    [(1, 80302, True), (80302, 101, True), (1, 101, True), (1, 80466, False), (102, 101, False), (102, 1, False)],
)
def test_places_are_compared_by_their_areas(one: int, other: int, is_expected: bool) -> None:
    """A ZIP code in a city, a city in a county."""
    catalog = RegionCatalog(
        Regions(
            cities=[region(1, "Boulder", "CO")],
            counties=[region(101, "Boulder County", "CO"), region(102, "Larimer County", "CO")],
            zipcodes=[region(80302, "80302", "CO"), region(80466, "80466", "CO")],
        ),
        us_places(),
    )
    sent = AlertInForce(an_alert(regions=[other]), NOW, "ben", 77)
    found = overlapping_in_force(an_alert(regions=[one], event="Gas Leak"), [sent], Chains(), NOW, catalog)
    assert bool(found) == is_expected


def test_an_alert_with_the_same_event_comes_first() -> None:
    other = AlertInForce(an_alert(event="Gas Leak", sms="Gas leak."), NOW, "ben", 78)
    assert overlapping_in_force(an_alert(), [other, SENT], Chains(), NOW) == [SENT, other]


def test_an_evacuation_because_of_the_same_hazard_comes_first() -> None:
    """Whatever its event, its language, and the other alerts that were sent since."""
    evacuation = an_alert(event="Evacuation Immediate", sms="Incendio al oeste. Evacúe ahora.")
    later = [AlertInForce(an_alert(event="Power Outage", sms="No power."), NOW, "ben", 78 + n) for n in range(3)]
    assert overlapping_in_force(evacuation, [*later, SENT], Chains(), NOW)[0] == SENT
    assert not later[0].is_similar(evacuation)


def test_only_live_alerts_that_no_one_ended_remain_after_an_all_clear() -> None:
    clear = an_alert(follow_up="all clear", follows=12)
    alerts = [
        SENT,
        AlertInForce(an_alert(), NOW, "ben", 12),
        AlertInForce(a_test(), NOW, "ben", 78),
        AlertInForce(an_alert(follow_up="all clear"), NOW, "ben", 79),
        AlertInForce(an_alert(regions=[80466]), NOW, "ben", 80),
        AlertInForce(an_alert(hours=1), NOW - timedelta(hours=1), "ben", 81),
    ]
    assert remaining_in_force(clear, alerts, Chains(), NOW) == [SENT]
    assert remaining_in_force(clear, alerts, Chains((Link(77, "extension", 90, NOW, "ana", "b"),)), NOW) == []
    assert remaining_in_force(an_alert(), alerts, Chains(), NOW) == []
