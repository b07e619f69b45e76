"""Times in the zone of a place, and in the zone of the user if it differs."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from domain.text.place_clock import on_clocks

AT = datetime(2026, 11, 21, 1, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "user_zone", "text"),
    [
        ("America/Denver", "America/Denver", "Fri, Nov 20, 6:05 PM MST"),
        ("America/Denver", "America/Boise", "Fri, Nov 20, 6:05 PM MST"),
        ("America/Denver", "Europe/Berlin", "Fri, Nov 20, 6:05 PM MST (Sat, Nov 21, 02:05 CET)"),
        ("America/Denver", "America/New_York", "Fri, Nov 20, 6:05 PM MST (8:05 PM EST)"),
        ("Europe/Berlin", None, "Sat, Nov 21, 02:05 CET"),
        (None, "America/New_York", "Fri, Nov 20, 8:05 PM EST"),
        (None, None, "Sat, Nov 21, 01:05 UTC"),
    ],
)
def test_a_time_is_shown_in_the_zone_of_the_place_and_of_the_user(
    zone: str | None, user_zone: str | None, text: str
) -> None:
    assert on_clocks(AT, zone, user_zone=user_zone, now=AT) == text
