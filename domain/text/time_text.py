"""Times and durations as people read them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Final

from domain.geography.time_zones import zone_named
from domain.text.plain_text import count

# Spelled out, since strftime would follow the locale of the machine.
DAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

_MINUTE: Final = 60
_HOUR: Final = 60 * _MINUTE
_DAY: Final = 24 * _HOUR


def moment(at: datetime, *, now: datetime | None = None) -> str:
    """Write an aware time as "Fri, Nov 20, 12:05 UTC"; with the year if it isn't that of `now`."""
    return f"{_day_and_clock(at.astimezone(UTC), now)} UTC"


def utc_time(at: datetime, *, now: datetime | None = None) -> str:
    """Write an aware time in UTC as "Fri, Nov 20, 12:05", for a place that says that times are in UTC."""
    return _day_and_clock(at.astimezone(UTC), now)


def at_place(
    at: datetime, zone: str | None, *, now: datetime | None = None, briefly: bool = False, zone_label: str = "local"
) -> str:
    """Write an aware time as "Fri, Nov 20, 14:05 local (12:05 UTC)"; without a known zone, in UTC only.

    The day in UTC is included if it differs. `briefly` omits UTC. `zone_label` is
    for a zone that is not that of the place.
    """
    place = zone_named(zone) if zone is not None else None
    if place is None:
        return moment(at, now=now)
    utc, local = at.astimezone(UTC), at.astimezone(place)
    if briefly:
        return _day_and_clock(local, now)
    behind = _clock(utc) if utc.date() == local.date() else _day_and_clock(utc, now)
    return f"{_day_and_clock(local, now)} {zone_label} ({behind} UTC)"


def day(at: datetime, *, now: datetime | None = None) -> str:
    """Write the day of a time, in its own zone, as "Fri, Nov 20"; with the year if it isn't the current one."""
    return format_date(at, with_year=at.year != (now or datetime.now(UTC)).year)


def format_date(value: date, *, with_year: bool) -> str:
    """Write a date as "Fri, Nov 20" or "Fri, Nov 20, 2026"."""
    text = f"{DAYS[value.weekday()]}, {month_and_day(value)}"
    return f"{text}, {value.year}" if with_year else text


def month_and_day(value: date) -> str:
    """Write a date as "Nov 20"."""
    return f"{MONTHS[value.month - 1]} {value.day}"


def span(duration: timedelta) -> str:
    """Write a duration in its two largest units: "2 d 3 h", "3 h 20 min", "45 min", "12 s"."""
    seconds = abs(int(duration.total_seconds()))
    sign = "−" if duration < timedelta(0) and seconds else ""
    if seconds < _MINUTE:
        return f"{sign}{seconds} s"
    days, hours, minutes = seconds // _DAY, seconds % _DAY // _HOUR, seconds % _HOUR // _MINUTE
    if days:
        parts = [f"{days:,} d", f"{hours} h" if hours else ""]
    else:
        parts = [f"{hours} h" if hours else "", f"{minutes} min" if minutes else ""]
    return sign + " ".join(part for part in parts if part)


def ago(at: datetime, now: datetime, *, in_words: bool = False) -> str:
    """Write how long ago a time was, in its largest unit: "just now", "3 min ago", "2 h ago", "in 3 min".

    `in_words` writes the unit in full, for sentences: "3 minutes ago".
    """
    seconds = int((now - at).total_seconds())
    if abs(seconds) < _MINUTE:
        return "just now"
    for length, unit, word in ((_DAY, "d", "day"), (_HOUR, "h", "hour"), (_MINUTE, "min", "minute")):
        if abs(seconds) >= length:
            units = abs(seconds) // length
            number = count(units, word, f"{word}s") if in_words else f"{units:,} {unit}"
            return f"{number} ago" if seconds > 0 else f"in {number}"
    raise AssertionError("a minute or more always has a unit")


def _day_and_clock(at: datetime, now: datetime | None) -> str:
    return f"{day(at, now=now)}, {_clock(at)}"


def _clock(at: datetime) -> str:
    return f"{at.hour:02}:{at.minute:02}"
