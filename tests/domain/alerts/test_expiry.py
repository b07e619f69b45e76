"""When an alert ends, in local time."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from domain.alerts.expiry import ends_at
from domain.alerts.wording.end_time_in_text import find_end_times

NEW_YORK = "America/New_York"


@pytest.mark.parametrize(
    ("hours", "now", "zone", "words"),
    [
        (4, "2026-11-20T19:05", NEW_YORK, "today at 6:05 PM EST"),
        (4, "2026-11-20T19:05", None, "today at 23:05 UTC"),
        (10, "2026-11-20T19:05", NEW_YORK, "tomorrow, Sat, Nov 21, at 12:05 AM EST"),
        (24, "2026-11-20T19:05", NEW_YORK, "tomorrow, Sat, Nov 21, at 2:05 PM EST"),
        (4, "2026-12-31T22:00", "Europe/Paris", "tomorrow, Fri, Jan 1, at 03:00 CET"),
        (1, "2026-11-20T19:05", "Asia/Dubai", "tomorrow, Sat, Nov 21, at 12:05 AM UTC+4"),
        (1, "2026-11-20T12:00", "Asia/Kathmandu", "today at 18:45 UTC+5:45"),
        (1, "2026-11-20T19:05", "America/St_Johns", "today at 4:35 PM NST"),
        (1, "2026-11-20T12:00", "America/Sao_Paulo", "today at 10:00 UTC−3"),
        # The clocks of New York go back on 1 November 2026 at 06:00 UTC, and forward on 14 March 2027 at 07:00 UTC.
        (4, "2026-11-01T04:30", NEW_YORK, "today at 3:30 AM EST"),
        (1, "2026-11-01T05:30", NEW_YORK, "today at 1:30 AM EST"),
        (4, "2027-03-14T05:00", NEW_YORK, "today at 5 AM EDT"),
    ],
)
def test_the_end_is_given_in_local_time(hours: int, now: str, zone: str | None, words: str) -> None:
    ending = ends_at(hours, datetime.fromisoformat(now).replace(tzinfo=UTC), zone)
    assert ending is not None
    assert ending.words == words
    assert (ending.utc - datetime.fromisoformat(now).replace(tzinfo=UTC)).total_seconds() == hours * 3600


def test_a_note_says_that_the_clocks_change_before_the_end() -> None:
    back = ends_at(4, datetime(2026, 11, 1, 4, 30, tzinfo=UTC), NEW_YORK)
    forward = ends_at(4, datetime(2027, 3, 14, 5, 0, tzinfo=UTC), NEW_YORK)
    none = ends_at(4, datetime(2026, 11, 20, 5, 0, tzinfo=UTC), NEW_YORK)
    assert back is not None
    assert forward is not None
    assert none is not None
    assert back.note == "Daylight saving time ends before the alert ends. The alert still lasts 4 hours."
    assert "time begins before" in (forward.note or "")
    assert none.note is None


@pytest.mark.parametrize("zone", [None, "", "undefined", "Mars/Olympus"])
def test_without_a_known_zone_the_end_is_given_in_utc(zone: str | None) -> None:
    ending = ends_at(4, datetime(2026, 11, 20, 19, 5, tzinfo=UTC), zone)
    assert ending is not None
    assert (ending.words, ending.zone) == ("today at 23:05 UTC", "UTC")


@pytest.mark.parametrize("hours", [None, 0, 25, -1])
def test_hours_that_are_not_allowed_have_no_end(hours: int | None) -> None:
    assert ends_at(hours, datetime(2026, 11, 20, tzinfo=UTC), NEW_YORK) is None


@pytest.mark.parametrize(
    ("now", "zone", "in_text"),
    [
        ("2026-11-20T19:05", NEW_YORK, "6 PM EST"),
        ("2026-11-20T19:29", NEW_YORK, "6:15 PM EST"),
        ("2026-11-21T01:50", NEW_YORK, "Sat 12:45 AM EST"),
        ("2026-11-20T14:20", "Europe/Berlin", "19:15"),
        ("2026-11-20T20:02", "Europe/Berlin", "Sat 01:00"),
    ],
)
def test_a_text_gives_the_end_in_local_time_rounded_down(now: str, zone: str, in_text: str) -> None:
    """An alert sent a few minutes after it was written ends a few minutes later, so its text stays true."""
    at = datetime.fromisoformat(now).replace(tzinfo=UTC)
    ending = ends_at(4, at, zone)
    assert ending is not None
    assert ending.in_text == in_text
    [end] = find_end_times(f"Until {ending.in_text.replace('Sat ', 'Saturday ')}.", at, zone)
    assert any(moment <= ending.utc < moment + timedelta(hours=1) for moment in end.moments)
