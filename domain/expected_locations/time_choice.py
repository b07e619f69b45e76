"""The time that the map shows: now, or a moment in UTC within the 14 days of its scrubber."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, Literal

from domain.expected_locations.at_moment import Stretch, moment, to_the_minute
from domain.text import time_text

Mode = Literal["Now", "Moment"]
MODES: Final[tuple[Mode, ...]] = ("Now", "Moment")
CLOCKS: Final = {"UTC": "UTC", "Local": "Browser time"}
"""The clocks that times are shown in, with their labels: UTC, or that of the viewer's browser."""
DAYS: Final = 14
HOURS: Final = DAYS * 24
_DAYS_BEFORE: Final = DAYS // 2
_HOUR: Final = timedelta(hours=1)
# The days around these are the first and the last of the calendar.
_EARLIEST: Final = datetime(1, 1, 1 + _DAYS_BEFORE, tzinfo=UTC)
_LATEST: Final = datetime(9999, 12, 31 - _DAYS_BEFORE, tzinfo=UTC)
_NOON: Final = time(12)


@dataclass(frozen=True)
class TimeChoice:
    """The selected time. `at` (UTC, without zone) belongs to Moment; without it, the time is now."""

    mode: Mode = "Now"
    at: datetime | None = None

    def moment(self, now: datetime) -> datetime:
        """Return the moment to show, aware, to the minute."""
        if self.mode == "Moment" and self.at is not None:
            return self.at.replace(tzinfo=UTC)
        return to_the_minute(now)

    def stretch(self, now: datetime) -> Stretch:
        """Return the moment as `roster_view.look` takes it."""
        return moment(self.moment(now))

    def text(self, now: datetime, zone: str | None = None) -> str:
        """Return the time for the screen: "now, Fri, Nov 20, 12:05 UTC"; with a zone, its time first."""
        when = time_text.at_place(self.moment(now), zone, now=now, zone_label="browser time")
        return f"now, {when}" if self.mode == "Now" or self.at is None else when


def first_hour_around(at: datetime, now: datetime, page_first_hour: datetime | None = None) -> datetime:
    """Return the first hour, in UTC, of the 14 days of the scrubber, which include `at`.

    The days are around today if that includes `at`, else from `page_first_hour`, else around `at`.
    """
    usual = _days_around(now)
    firsts = [usual, *([page_first_hour] if page_first_hour is not None else [])]
    return next((first for first in firsts if first <= at < first + timedelta(days=DAYS)), _days_around(at))


def hour_of(at: datetime, first_hour: datetime) -> int:
    """Return the row of a moment in tables by hour."""
    return min(max((at - first_hour) // _HOUR, 0), HOURS - 1)


def time_of(hour: int, first_hour: datetime) -> datetime:
    """Return the moment of a row in tables by hour, as UTC without zone."""
    return (first_hour + hour * _HOUR).replace(tzinfo=None)


def current_query(query: Mapping[str, Sequence[str]], today: date) -> dict[str, list[str]]:
    """Return the query of a saved link with the times that the map has now, the nearest to those it had.

    A day becomes its noon in UTC, today and the next hours become now, and the clock at each place becomes UTC.
    """
    current = {name: list(values) for name, values in query.items()}
    mode = "".join(current.get("expected_time", [])[-1:])
    day = current.pop("expected_day", [])
    current.pop("expected_hours", None)
    if current.get("expected_clock", [])[-1:] == ["Place-local"]:
        del current["expected_clock"]
    if mode in ("Day", "Next hours"):
        del current["expected_time"]
        with suppress(ValueError, IndexError):
            noon = datetime.combine(date.fromisoformat(day[-1]), _NOON)
            if mode == "Day" and noon.date() != today:
                current |= {"expected_time": ["Moment"], "expected_at": [noon.isoformat(timespec="minutes")]}
    return current


def _days_around(at: datetime) -> datetime:
    usable = min(max(at, _EARLIEST), _LATEST)
    return usable.replace(hour=0, minute=0, second=0, microsecond=0) - timedelta(days=_DAYS_BEFORE)
