"""When an alert ends, in the local time of its places."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from babel.dates import get_day_names

from client.vocabulary.public_alerts import EXPIRE_HOURS
from domain.text.place_clock import clock, user_time_text, zone_or_utc, zone_word
from domain.text.plain_text import count
from domain.text.time_text import DAYS, format_date

_ZONES_IN_TEXTS: Final = frozenset(
    {
        *("UTC", "AST", "ADT", "EST", "EDT", "CST", "CDT", "MST", "MDT"),
        *("PST", "PDT", "AKST", "AKDT", "HST", "HDT", "SST", "ChST"),
    }
)
"""The zones that the public knows by these letters, and that `find_end_times` reads."""


@dataclass(frozen=True)
class Ending:
    """The end of an alert."""

    utc: datetime
    local: datetime
    zone: str
    words: str
    """For screens: "today at 6:05 PM EST"."""
    in_text: str
    """For alert texts, rounded down to 15 minutes: "Sat 6 PM EST"."""
    note: str | None
    """That the clocks change before the end; None if they don't."""

    @property
    def in_spanish(self) -> str:
        """As `in_text`, for a Spanish text: "sáb. 9:15 AM EST"."""
        day, _, time = self.in_text.partition(" ")
        if day not in DAYS:
            return self.in_text
        return f"{get_day_names('abbreviated', locale='es')[DAYS.index(day)]} {time}"

    def in_user_zone(self, user_zone: str | None) -> str:
        """Return the end in the user's time, " (02:05 CET)"; "" if it is the same."""
        text = user_time_text(self.utc, self.zone, user_zone)
        return text and f" ({text})"


def ends_at(hours: int | None, now: datetime, zone: str | None) -> Ending | None:
    """Return when an alert sent now ends, in this zone (UTC if it is unknown). None for hours that are not allowed.

    Hours are elapsed hours. If the clocks change before the end, `note` says so.
    """
    if hours not in EXPIRE_HOURS or hours is None:
        return None
    place = zone_or_utc(zone)
    start = now.astimezone(place)
    ends = now.astimezone(UTC) + timedelta(hours=hours)
    local = ends.astimezone(place)
    return Ending(ends, local, str(place), _words(start, local), _in_text(start, local), _note(start, local, hours))


def _words(start: datetime, local: datetime) -> str:
    time = f"{clock(local)} {zone_word(local)}"
    days = (local.date() - start.date()).days
    if days == 0:
        return f"today at {time}"
    day = format_date(local, with_year=False)
    return f"tomorrow, {day}, at {time}" if days == 1 else f"{day}, at {time}"


def _in_text(start: datetime, local: datetime) -> str:
    # Without its day, people would read "until 09:45" as today's.
    day = "" if local.date() == start.date() else f"{DAYS[local.weekday()]} "
    # Rounded down: an alert sent some minutes after it was written ends later than its text says, never earlier.
    return f"{day}{time_in_text(local.replace(minute=local.minute // 15 * 15))}"


def time_in_text(local: datetime) -> str:
    """Write a time of day for the public: "6:05 PM MST". Offsets such as UTC+4 are left out."""
    zone = zone_word(local)
    return f"{clock(local)} {zone}" if zone in _ZONES_IN_TEXTS else clock(local)


def _note(start: datetime, local: datetime, hours: int) -> str | None:
    change = (local.utcoffset() or timedelta(0)) - (start.utcoffset() or timedelta(0))
    if not change:
        return None
    does = "begins" if change > timedelta(0) else "ends"
    return f"Daylight saving time {does} before the alert ends. The alert still lasts {count(hours, 'hour', 'hours')}."
