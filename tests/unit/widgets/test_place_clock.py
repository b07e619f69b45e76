"""Moments on the clocks of a place, and on the desk's where those show another time."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from domain.text.place_clock import on_clocks

AT = datetime(2026, 11, 21, 1, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "desk", "told"),
    [
        ("America/Denver", "America/Denver", "Fri 20 Nov, 6:05 pm MST"),
        ("America/Denver", "America/Boise", "Fri 20 Nov, 6:05 pm MST"),
        ("America/Denver", "Europe/Berlin", "Fri 20 Nov, 6:05 pm MST · Sat 21 Nov, 02:05 CET at this desk"),
        ("America/Denver", "America/New_York", "Fri 20 Nov, 6:05 pm MST · 8:05 pm EST at this desk"),
        ("Europe/Berlin", None, "Sat 21 Nov, 02:05 CET"),
        (None, "America/New_York", "Fri 20 Nov, 8:05 pm EST"),
        (None, None, "Sat 21 Nov, 01:05 UTC"),
    ],
)
def test_a_moment_is_told_where_the_people_are_and_here_where_that_differs(
    zone: str | None, desk: str | None, told: str
) -> None:
    assert on_clocks(AT, zone, desk=desk, now=AT) == told
    assert on_clocks(AT, zone, desk=desk, now=AT, briefly=True) == told.removesuffix(" at this desk")
