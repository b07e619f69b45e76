"""Times and durations as they are written on screens."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.text.time_text import ago, at_place, day, moment, span

NOON = datetime(2026, 11, 20, 12, 5, tzinfo=UTC)


def test_a_moment_is_shown_with_day_and_time_in_utc() -> None:
    assert moment(NOON, now=NOON) == "Fri, Nov 20, 12:05 UTC"
    assert moment(NOON.astimezone(timezone(timedelta(hours=9))), now=NOON) == "Fri, Nov 20, 12:05 UTC"


def test_a_year_other_than_the_current_one_is_shown() -> None:
    assert moment(NOON.replace(year=2025), now=NOON) == "Thu, Nov 20, 2025, 12:05 UTC"


@pytest.mark.parametrize(
    ("zone", "text"),
    [
        ("Europe/Athens", "Fri, Nov 20, 14:05 local (12:05 UTC)"),
        ("Pacific/Auckland", "Sat, Nov 21, 01:05 local (Fri, Nov 20, 12:05 UTC)"),
        ("Asia/Kathmandu", "Fri, Nov 20, 17:50 local (12:05 UTC)"),
        (None, "Fri, Nov 20, 12:05 UTC"),
    ],
)
def test_a_time_at_a_place_is_given_in_both_zones(zone: str | None, text: str) -> None:
    assert at_place(NOON, zone, now=NOON) == text


def test_a_day_is_shown_with_its_weekday() -> None:
    assert day(NOON, now=NOON) == "Fri, Nov 20"


@pytest.mark.parametrize(
    ("duration", "text"),
    [
        (timedelta(0), "0 s"),
        (timedelta(seconds=59), "59 s"),
        (timedelta(minutes=45), "45 min"),
        (timedelta(hours=3), "3 h"),
        (timedelta(hours=3, minutes=20, seconds=59), "3 h 20 min"),
        (timedelta(days=2, hours=3, minutes=59), "2 d 3 h"),
        (timedelta(days=1234), "1,234 d"),
        (timedelta(hours=-2), "−2 h"),
    ],
)
def test_a_span_is_reported_in_its_two_largest_units(duration: timedelta, text: str) -> None:
    assert span(duration) == text


@pytest.mark.parametrize(
    ("back", "text"),
    [
        (timedelta(seconds=59), "just now"),
        (timedelta(seconds=-59), "just now"),
        (timedelta(minutes=3, seconds=50), "3 min ago"),
        (timedelta(hours=2, minutes=59), "2 h ago"),
        (timedelta(days=5, hours=23), "5 d ago"),
        (timedelta(minutes=-3), "in 3 min"),
    ],
)
def test_how_long_ago_is_reported_in_the_largest_unit(back: timedelta, text: str) -> None:
    assert ago(NOON - back, NOON) == text


@given(st.timedeltas(), st.datetimes(timezones=st.just(UTC)))
def test_every_duration_and_time_has_a_text(duration: timedelta, at: datetime) -> None:
    assert span(duration)
    assert moment(at).endswith("UTC")
