"""Local times, their true UTC, and the hours that are missing or happen twice."""

from datetime import UTC, date, datetime, time

import pytest

from components.geography.local_time import (
    Clock,
    local_text,
    offset_text,
    parse_clock,
    parse_local,
    parse_utc,
    true_time,
    utc_text,
)


@pytest.mark.parametrize(
    ("local", "zone", "clock", "utc"),
    [
        ("2026-11-20T14:05:00", "Asia/Dubai", Clock.PLAIN, "2026-11-20T10:05:00Z"),
        ("2026-11-20T14:05:00", "Asia/Kolkata", Clock.PLAIN, "2026-11-20T08:35:00Z"),
        ("2026-03-29T02:30:00", "Europe/Berlin", Clock.GAP, "2026-03-29T01:30:00Z"),
        ("2026-10-25T02:30:00", "Europe/Berlin", Clock.FOLD, "2026-10-25T00:30:00Z"),
        ("2026-03-08T02:30:00", "America/New_York", Clock.GAP, "2026-03-08T07:30:00Z"),
        ("2026-04-05T02:30:00", "Australia/Sydney", Clock.FOLD, "2026-04-04T15:30:00Z"),
        ("2026-11-20T14:05:00", "Mars/One", Clock.UNKNOWN_ZONE, None),
        ("2026-11-20T14:05:00", "", Clock.NO_ZONE, None),
        ("", "Asia/Dubai", Clock.NO_TIME, None),
        ("tomorrow", "Asia/Dubai", Clock.UNREADABLE, None),
        ("2026-11-20T14:05:00Z", "Asia/Dubai", Clock.UNREADABLE, None),
        ("0001-01-01T00:00:00", "Asia/Dubai", Clock.UNREADABLE, None),
    ],
)
def test_a_local_time_in_its_zone(local: str, zone: str, clock: Clock, utc: str | None) -> None:
    """What it is in UTC, and what is odd about it."""
    true = true_time(local, zone)
    assert (true.clock, utc_text(true.utc)) == (clock, utc)


def test_a_gap_says_what_the_time_is_taken_as() -> None:
    """02:30 does not exist in Berlin on 29 March; the clocks show 03:30 then."""
    note = true_time("2026-03-29T02:30:00", "Europe/Berlin").note
    assert note is not None
    assert "does not exist" in note
    assert "03:30" in note


def test_a_fold_says_which_of_the_two_is_taken() -> None:
    """02:30 happens twice in Berlin on 25 October."""
    note = true_time("2026-10-25T02:30:00", "Europe/Berlin").note
    assert note is not None
    assert "happens twice" in note
    assert "00:30 UTC, not 01:30" in note


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("14:05", time(14, 5)),
        ("7:05", time(7, 5)),
        ("07.05", time(7, 5)),
        ("1405", time(14, 5)),
        ("14:05:30", time(14, 5, 30)),
        (" 09:00 ", time(9)),
        ("25:00", None),
        ("noon", None),
        ("", None),
    ],
)
def test_times_of_day_as_people_type_them(typed: str, read: time | None) -> None:
    """Several spellings of one time."""
    assert parse_clock(typed) == read


def test_reading_and_writing_the_wires_times() -> None:
    """The forms of the interface, there and back."""
    assert parse_local("2026-11-20T14:05:00") == datetime(2026, 11, 20, 14, 5)  # noqa: DTZ001
    assert parse_utc("2026-11-20T10:05:00Z") == datetime(2026, 11, 20, 10, 5, tzinfo=UTC)
    assert parse_utc("2026-11-20T10:05:00") is None
    assert local_text(date(2026, 11, 20), time(14, 5)) == "2026-11-20T14:05:00"
    assert local_text(None, time(14, 5)) is None
    assert offset_text(datetime(2026, 11, 20, tzinfo=UTC), "Asia/Kolkata") == "UTC+5:30"
    assert offset_text(datetime(2026, 11, 20, tzinfo=UTC), "America/St_Johns") == "UTC−3:30"
