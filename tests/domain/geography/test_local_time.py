"""Local times, their true UTC, and the hours that are missing or happen twice."""

from datetime import UTC, datetime, time

import pytest

from domain.geography.time_zones import offset_text, parse_clock, true_time, utc_text


@pytest.mark.parametrize(
    ("local", "zone", "utc", "note_part"),
    [
        ("2026-11-20T14:05:00", "Asia/Dubai", "2026-11-20T10:05:00Z", ""),
        ("2026-11-20T14:05:00", "Asia/Kolkata", "2026-11-20T08:35:00Z", ""),
        ("2026-03-29T02:30:00", "Europe/Berlin", "2026-03-29T01:30:00Z", "does not exist"),
        ("2026-10-25T02:30:00", "Europe/Berlin", "2026-10-25T00:30:00Z", "happens twice"),
        ("2026-03-08T02:30:00", "America/New_York", "2026-03-08T07:30:00Z", "does not exist"),
        ("2026-04-05T02:30:00", "Australia/Sydney", "2026-04-04T15:30:00Z", "happens twice"),
        ("2026-11-20T14:05:00", "Mars/One", None, "Mars/One"),
        ("0001-01-01T00:00:00", "Asia/Dubai", None, "out of range"),
    ],
)
def test_a_local_time_is_converted_to_utc_with_a_note(local: str, zone: str, utc: str | None, note_part: str) -> None:
    """The time in UTC, and a note about skipped or repeated times."""
    true = true_time(datetime.fromisoformat(local), zone)
    assert utc_text(true.utc) == utc
    assert (note_part in (true.note or "")) if note_part else true.note is None


def test_a_note_explains_how_a_skipped_time_is_read() -> None:
    """02:30 does not exist in Berlin on 29 March; the clocks show 03:30 then."""
    note = true_time(datetime.fromisoformat("2026-03-29T02:30:00"), "Europe/Berlin").note
    assert note is not None
    assert "does not exist" in note
    assert "03:30" in note


def test_a_note_explains_which_of_two_times_is_used() -> None:
    """02:30 happens twice in Berlin on 25 October."""
    note = true_time(datetime.fromisoformat("2026-10-25T02:30:00"), "Europe/Berlin").note
    assert note is not None
    assert "happens twice" in note
    assert "00:30 UTC, not 01:30" in note


@pytest.mark.parametrize(
    ("text", "expected"),
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
def test_typed_times_of_day_are_read(text: str, expected: time | None) -> None:
    """Several spellings of one time."""
    assert parse_clock(text) == expected


def test_moments_and_offsets_are_formatted() -> None:
    """The format of the interface and the format for people."""
    assert utc_text(datetime(2026, 11, 20, 10, 5, tzinfo=UTC)) == "2026-11-20T10:05:00Z"
    assert utc_text(None) is None
    assert offset_text(datetime(2026, 11, 20, tzinfo=UTC), "Asia/Kolkata") == "UTC+5:30"
    assert offset_text(datetime(2026, 11, 20, tzinfo=UTC), "America/St_Johns") == "UTC−3:30"
