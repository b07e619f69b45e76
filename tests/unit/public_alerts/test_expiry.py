"""When an alert ends, by the clock on the wall."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from components.public_alerts.expiry import ends_at

NEW_YORK = "America/New_York"


@pytest.mark.parametrize(
    ("hours", "now", "zone", "words"),
    [
        (4, "2026-11-20T19:05", NEW_YORK, "today at 18:05 EST"),
        (4, "2026-11-20T19:05", None, "today at 23:05 UTC"),
        (10, "2026-11-20T19:05", NEW_YORK, "tomorrow, Sat 21 Nov, at 00:05 EST"),
        (24, "2026-11-20T19:05", NEW_YORK, "tomorrow, Sat 21 Nov, at 14:05 EST"),
        (4, "2026-12-31T22:00", "Europe/Paris", "tomorrow, Fri 1 Jan, at 03:00 CET"),
        (1, "2026-11-20T19:05", "Asia/Dubai", "tomorrow, Sat 21 Nov, at 00:05 UTC+4"),
        (1, "2026-11-20T12:00", "Asia/Kathmandu", "today at 18:45 UTC+5:45"),
        (1, "2026-11-20T19:05", "America/St_Johns", "today at 16:35 NST"),
        (1, "2026-11-20T12:00", "America/Sao_Paulo", "today at 10:00 UTC−3"),
        # The clocks of New York go back on 1 November 2026 at 06:00 UTC, and forward on 14 March 2027 at 07:00 UTC.
        (4, "2026-11-01T04:30", NEW_YORK, "today at 03:30 EST"),
        (1, "2026-11-01T05:30", NEW_YORK, "today at 01:30 EST"),
        (4, "2027-03-14T05:00", NEW_YORK, "today at 05:00 EDT"),
    ],
)
def test_the_end_is_told_as_the_clock_there_shows_it(hours: int, now: str, zone: str | None, words: str) -> None:
    ending = ends_at(hours, datetime.fromisoformat(now).replace(tzinfo=UTC), zone)
    assert ending is not None
    assert ending.words == words
    assert (ending.utc - datetime.fromisoformat(now).replace(tzinfo=UTC)).total_seconds() == hours * 3600
    day, _, clock = ending.in_text.rpartition(" ")
    assert f"at {clock} " in words
    assert (f" {day} " in words) if day else words.startswith("today")


def test_a_change_of_the_clocks_before_the_end_is_pointed_out() -> None:
    back = ends_at(4, datetime(2026, 11, 1, 4, 30, tzinfo=UTC), NEW_YORK)
    forward = ends_at(4, datetime(2027, 3, 14, 5, 0, tzinfo=UTC), NEW_YORK)
    none = ends_at(4, datetime(2026, 11, 20, 5, 0, tzinfo=UTC), NEW_YORK)
    assert back is not None
    assert forward is not None
    assert none is not None
    assert "go back" in (back.note or "")
    assert "go forward" in (forward.note or "")
    assert none.note is None


@pytest.mark.parametrize("zone", [None, "", "undefined", "Mars/Olympus"])
def test_without_a_known_zone_the_end_is_told_in_utc(zone: str | None) -> None:
    ending = ends_at(4, datetime(2026, 11, 20, 19, 5, tzinfo=UTC), zone)
    assert ending is not None
    assert (ending.words, ending.zone) == ("today at 23:05 UTC", "UTC")


@pytest.mark.parametrize("hours", [None, 0, 25, -1])
def test_no_end_is_told_for_hours_that_an_alert_cannot_have(hours: int | None) -> None:
    assert ends_at(hours, datetime(2026, 11, 20, tzinfo=UTC), NEW_YORK) is None
