"""Format times for an alert's places: local time with the name of the zone, 12-hour or 24-hour as is usual there.

on_clocks(at, "America/Denver", desk="Europe/Berlin")   # "Fri, Nov 20, 9:05 AM MST (17:05 CET)"
"""

from __future__ import annotations

from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from domain.geography.time_zones import has_twelve_hours, offset_of, zone_named
from domain.text.time_text import day

_UTC: Final = "UTC"


def zone_or_utc(zone: str | None) -> ZoneInfo:
    """Return the zone of this name; UTC for an unknown name, since some browsers report names that Python lacks."""
    return (zone_named(zone) if zone is not None else None) or ZoneInfo(_UTC)


def zone_word(local: datetime) -> str:
    """Return the abbreviation of the zone, "EST"; for a zone without one, its offset, "UTC+4"."""
    name = local.tzname() or _UTC
    return name if name[:1].isalpha() else offset_of(local)


def clock(local: datetime) -> str:
    """Write the time of day in its own zone, 12-hour or 24-hour as is usual there: "6:05 PM", "9 PM", "18:05"."""
    if not has_twelve_hours(str(local.tzinfo)):
        return f"{local:%H:%M}"
    minutes = f":{local.minute:02d}" if local.minute else ""
    return f"{local.hour % 12 or 12}{minutes} {'AM' if local.hour < 12 else 'PM'}"


def on_clocks(at: datetime, zone: str | None, *, user_zone: str | None = None, now: datetime | None = None) -> str:
    """Write a time in a zone, followed by the user's time in parentheses if it differs.

    Without a zone, write the user's time; without either, UTC. The user's day is given only if it differs.
    """
    local = at.astimezone(zone_or_utc(zone or user_zone))
    text = f"{day(local, now=now)}, {clock(local)} {zone_word(local)}"
    user_time = user_time_text(at, zone, user_zone, now=now)
    return f"{text} ({user_time})" if user_time else text


def user_time_text(at: datetime, zone: str | None, user_zone: str | None, *, now: datetime | None = None) -> str:
    """Write a time in the user's zone, with the day if it isn't the day in `zone`; "" if both show the same time."""
    if user_zone is None:
        return ""
    local, user_time = at.astimezone(zone_or_utc(zone or user_zone)), at.astimezone(zone_or_utc(user_zone))
    if user_time.utcoffset() == local.utcoffset():
        return ""
    user_day = "" if user_time.date() == local.date() else f"{day(user_time, now=now)}, "
    return f"{user_day}{clock(user_time)} {zone_word(user_time)}"
