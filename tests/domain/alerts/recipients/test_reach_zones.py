"""The time zone of an alert, for places in one zone, in several, and for unknown places."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache

import pytest

from client.models.public_lookups import Regions
from domain.alerts.draft import AlertDraft
from domain.alerts.recipients.regions import RegionCatalog
from domain.alerts.recipients.us_places import us_places
from domain.alerts.sending.known_recipients import reach_zones, zone_for_alert, zone_in_text
from domain.alerts.wording.contradictions import advice
from domain.geography.time_zones import has_twelve_hours
from tests.domain.alerts.recipients.sample_regions import CATALOG, region

NOW = datetime(2026, 11, 22, 3, tzinfo=UTC)


@cache
def build_catalog() -> RegionCatalog:
    """Return a catalog with place data. Reading it takes a second, so only on first use."""
    return RegionCatalog(
        Regions(
            cities=[
                region(1, "Boulder", "Colorado"),
                region(2, "Indianapolis", "IN"),
                region(3, "El Paso", "TX"),
                region(4, "Nowhere", "TX"),
                region(5, "San Juan", "PR"),
            ],
            zipcodes=[region(86001, "86001", "AZ"), region(75201, "75201", "TX")],
            counties=[
                region(11, "Boulder", "CO"),
                region(12, "Cherry County", "NE"),
                region(13, "Honolulu County", "HI"),
            ],
        ),
        us_places(),
    )


def alert_to(*regions: int) -> AlertDraft:
    """Return an alert to these places."""
    return AlertDraft(jurisdiction="some", regions=list(regions))


@pytest.mark.parametrize(
    ("regions", "zones"),
    [
        ([1], ["America/Denver"]),
        ([11], ["America/Denver"]),
        ([2], ["America/New_York"]),
        ([86001], ["America/Phoenix"]),
        ([5], ["America/Puerto_Rico"]),
        ([13], ["Pacific/Honolulu"]),
        ([12], ["America/Chicago", "America/Denver"]),
        ([3, 75201], ["America/Denver", "America/Chicago"]),
        ([4], []),
        ([999], []),
        ([], []),
    ],
)
def test_the_time_zones_of_an_alert_are_those_of_its_places(regions: list[int], zones: list[str]):
    """A county may be in two time zones. An unknown place has none."""
    assert set(reach_zones(alert_to(*regions), build_catalog(), NOW)) == set(zones)
    assert list(reach_zones(alert_to(*regions), build_catalog(), NOW))[:1] == zones[:1]


def test_times_are_in_the_zone_of_the_places_or_else_in_the_default_zone():
    assert zone_for_alert(alert_to(1), build_catalog(), "America/New_York", NOW) == "America/Denver"
    assert zone_for_alert(alert_to(4), build_catalog(), "America/New_York", NOW) == "America/New_York"
    assert zone_for_alert(alert_to(1), None, "America/New_York", NOW) == "America/New_York"
    assert zone_for_alert(alert_to(1), CATALOG, None, NOW) is None, "the catalog has no place data"


def test_before_a_place_is_selected_no_time_may_be_written():
    undecided = (AlertDraft(), AlertDraft(jurisdiction="some"))
    assert [zone_in_text(draft, build_catalog(), "UTC", NOW) for draft in undecided] == [None, None]
    assert zone_in_text(alert_to(1), None, "UTC", NOW) is None
    assert zone_in_text(alert_to(1), build_catalog(), "UTC", NOW) == "America/Denver"
    groups = AlertDraft(jurisdiction="", groups=[4])
    assert zone_in_text(groups, build_catalog(), "America/Chicago", NOW) == "America/Chicago"


def test_times_of_a_whole_jurisdiction_are_in_its_zone_if_it_has_only_one():
    everybody = AlertDraft(jurisdiction="all")
    small = RegionCatalog(Regions(cities=[region(1, "Boulder", "CO"), region(2, "Denver", "CO")]), us_places())
    assert zone_for_alert(everybody, small, "America/New_York", NOW) == "America/Denver"
    assert len(reach_zones(everybody, build_catalog(), NOW)) > 4
    assert zone_for_alert(everybody, build_catalog(), "America/New_York", NOW) == "America/New_York"


@pytest.mark.parametrize(
    ("zone", "twelve"),
    [("America/Denver", True), ("America/Puerto_Rico", True), ("Europe/Berlin", False), ("UTC", False)],
)
def test_a_time_zone_has_the_clock_format_of_its_country(zone: str, twelve: bool):
    assert has_twelve_hours(zone) == twelve


def test_an_end_in_the_text_is_read_in_the_time_zone_of_the_places():
    """At 18:00 in Boulder and 20:00 in New York, an alert of 3 hours to Boulder ends at 9 PM."""
    now = datetime(2026, 11, 22, 1, tzinfo=UTC)
    draft = alert_to(1).model_copy(update={"sms": "Stay inside until 9 pm.", "hours": 3})
    assert advice(draft, now=now, zone=zone_for_alert(draft, build_catalog(), "America/New_York", now)) == []
    assert advice(draft, now=now, zone=zone_for_alert(draft, None, "America/New_York", now)) != []
