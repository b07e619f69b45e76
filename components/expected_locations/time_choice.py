"""The time a person asks about: now, a whole day, or a moment, in UTC or by the clock at each place."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final, Literal

from components.expected_locations.at_moment import Clock, Stretch, moment, whole_day
from components.widgets import time_text

Mode = Literal["Now", "Day", "Moment"]
MODES: Final[tuple[Mode, ...]] = ("Now", "Day", "Moment")

CLOCKS: Final[dict[str, Clock]] = {"UTC": "utc", "Place-local": "place"}
DAYS_BACK: Final = 14
DAYS_AHEAD: Final = 60
DAYS_AT_MOST: Final = 3660


@dataclass(frozen=True)
class TimeChoice:
    """What was asked; `day` goes with Day, `at` (a wall clock) with Moment; what is missing means today, or now."""

    mode: Mode = "Now"
    day: date | None = None
    at: datetime | None = None
    clock: Clock = "utc"

    def stretch(self, now: datetime) -> Stretch:
        """The stretch of time to look at; `now` is aware."""
        if self.mode == "Day":
            return whole_day(self.day or now.astimezone(UTC).date(), self.clock)
        if self.mode == "Moment" and self.at is not None:
            wall_clock = self.at.replace(tzinfo=None)
            return moment(wall_clock if self.clock == "place" else wall_clock.replace(tzinfo=UTC), self.clock)
        return moment(to_the_minute(now))

    def words(self, now: datetime) -> str:
        """Say the time as the answer's line does: "now, Fri 20 Nov, 12:05 UTC"."""
        stretch = self.stretch(now)
        if self.mode == "Day":
            day = time_text.day(stretch.begins, now=now)
            return f"on {day}, each place's own day" if self.clock == "place" else f"on {day}, a day in UTC"
        if stretch.clock == "place":
            at = time_text.moment(stretch.begins.replace(tzinfo=UTC), now=now).removesuffix(" UTC")
            return f"on {at} by the clock at each place"
        when = time_text.moment(stretch.begins, now=now)
        return f"on {when}" if self.mode == "Moment" and self.at is not None else f"now, {when}"


def to_the_minute(now: datetime) -> datetime:
    """The minute that has begun, in UTC: what is looked at stays the same while a person looks."""
    return now.astimezone(UTC).replace(second=0, microsecond=0)


def days_offered(today: date, asked: date) -> tuple[date, date]:
    """The first and last day of the slider, wide enough for a day that was asked for, unless it is ten years off."""
    first, last = today - timedelta(days=DAYS_BACK), today + timedelta(days=DAYS_AHEAD)
    return (min(first, asked), max(last, asked)) if abs((asked - today).days) <= DAYS_AT_MOST else (first, last)


def next_full_hour(now: datetime) -> datetime:
    """The wall clock in UTC at which somebody who asks for a moment starts."""
    hour = to_the_minute(now).replace(minute=0, tzinfo=None)
    return hour + timedelta(hours=1)
