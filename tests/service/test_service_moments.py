"""Conversion of local times: time zones, clock changes, and invalid values."""

from __future__ import annotations

import zoneinfo
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.itineraries.segment_places import Located, Place
from service.itineraries.true_moments import moment_of, parse_local, parse_utc, span_of, zone_of

BERLIN, NEW_YORK, APIA = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York"), ZoneInfo("Pacific/Apia")
MOMENTS = st.datetimes(datetime.fromisoformat("1990-01-01"), datetime.fromisoformat("2090-01-01"))
ZONES = sorted(name for name in zoneinfo.available_timezones() if "/" in name and not name.startswith("posix"))


def utc(text: str) -> datetime:
    """Parse a UTC time."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("local", "zone", "expected"),
    [
        ("2026-07-01T12:00:00", BERLIN, "2026-07-01T10:00"),
        ("2026-12-01T12:00:00", BERLIN, "2026-12-01T11:00"),
        # The clock jumps from 02:00 to 03:00: read with the offset before, it is 03:30 on the clock.
        ("2026-03-29T02:30:00", BERLIN, "2026-03-29T01:30"),
        ("2026-03-08T02:30:00", NEW_YORK, "2026-03-08T07:30"),
        # The hour from 02:00 to 03:00 comes twice: the first of the two.
        ("2026-10-25T02:30:00", BERLIN, "2026-10-25T00:30"),
        ("2026-11-01T01:30:00", NEW_YORK, "2026-11-01T05:30"),
        # Samoa skipped this day.
        ("2011-12-30T12:00:00", APIA, "2011-12-30T22:00"),
        ("2026-11-20T12:00", BERLIN, "2026-11-20T11:00"),
        ("2026-11-20 12:00:00", BERLIN, "2026-11-20T11:00"),
    ],
)
def test_local_time_is_converted_in_its_time_zone(local: str, zone: ZoneInfo, expected: str) -> None:
    """Across clock changes."""
    assert moment_of(None, local, zone) == utc(expected)


@given(
    moment=MOMENTS,
    name=st.sampled_from(ZONES),
)
def test_a_converted_time_shows_the_local_time_unless_a_clock_change_skipped_it(moment: datetime, name: str) -> None:
    """Back in the zone, the clock shows the local time, or a later one if a change skipped it."""
    zone = ZoneInfo(name)
    local = moment.replace(microsecond=0)
    found = moment_of(None, local.isoformat(), zone)
    assert found is not None
    clock_time = found.astimezone(zone).replace(tzinfo=None)
    skipped = clock_time - local
    assert timedelta(0) <= skipped <= timedelta(hours=24)
    if skipped:
        ahead, behind = local.replace(tzinfo=zone, fold=0), local.replace(tzinfo=zone, fold=1)
        assert ahead.utcoffset() != behind.utcoffset()


@given(
    moment=MOMENTS,
    hours=st.floats(0, 20),
    origin=st.sampled_from(ZONES),
    destination=st.sampled_from(ZONES),
)
def test_a_trip_in_local_times_has_its_true_duration(
    moment: datetime, hours: float, origin: str, destination: str
) -> None:
    """Local times at both ends give the true duration, up to the hour that a clock shows twice."""
    begins = moment.replace(microsecond=0, tzinfo=UTC)
    ends = (begins + timedelta(hours=hours)).replace(microsecond=0)
    zones = (ZoneInfo(origin), ZoneInfo(destination))
    texts = tuple(at.astimezone(zone).isoformat()[:19] for at, zone in zip((begins, ends), zones, strict=True))
    span = span_of((None, None), (texts[0], texts[1]), zones)
    if span is not None:
        assert abs((span[1] - span[0]) - (ends - begins)) <= timedelta(hours=2)
        assert span[0] <= span[1]


def test_an_end_in_the_repeated_hour_is_not_before_its_start() -> None:
    """From the first 02:50 to the second 02:10."""
    span = span_of(("2026-10-25T00:50:00Z", None), (None, "2026-10-25T02:10:00"), (BERLIN, BERLIN))
    assert span == (utc("2026-10-25T00:50"), utc("2026-10-25T01:10"))


def test_a_given_utc_time_wins_over_the_local_time() -> None:
    """Also if they disagree."""
    assert moment_of("2026-11-20T05:00:00Z", "2026-11-20T12:00:00", BERLIN) == utc("2026-11-20T05:00")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "tomorrow",
        "2026-11-20",
        "2026-13-01T00:00:00",
        "2026-11-20T25:00:00",
        "20261120T100000",
        "2026-11-20T10:00:00X",
    ],
)
def test_invalid_dates_and_times_are_refused(text: str) -> None:
    """Neither UTC nor local time."""
    assert parse_utc(text) is None
    assert parse_local(text) is None


@pytest.mark.parametrize("text", ["2026-11-20T10:00:00Z", "2026-11-20T10:00:00+01:00", "2026-11-20T10:00:00-0500"])
def test_a_local_time_with_an_offset_is_refused(text: str) -> None:
    """The offset contradicts it: local times have no zone."""
    assert parse_local(text) is None


@pytest.mark.parametrize("text", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-12:00"])
def test_times_beyond_the_calendar_are_refused(text: str) -> None:
    """No date can represent them."""
    assert parse_utc(text) is None


@pytest.mark.parametrize(
    ("given_zone", "place_zone", "zone"),
    [
        ("Asia/Tokyo", "Asia/Dubai", "Asia/Tokyo"),
        ("Not/AZone", "Asia/Dubai", "Asia/Dubai"),
        (None, "Asia/Dubai", "Asia/Dubai"),
        (None, None, None),
        ("/etc/passwd", None, None),
        ("..", None, None),
        ("Europe", None, None),
    ],
)
def test_a_given_time_zone_wins_over_the_one_of_the_place(
    given_zone: str | None, place_zone: str | None, zone: str | None
) -> None:
    """The given one, else the known one of the place."""
    found = zone_of(given_zone, Located(Place(), place_zone))
    assert (found.key if found else None) == zone


@given(st.text(max_size=30))
def test_any_text_is_read_without_an_exception(text: str) -> None:
    """Whatever arrives."""
    parse_utc(text)
    parse_local(text)
    zone_of(text, None)
