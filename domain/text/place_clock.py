"""Times as the people at a place tell them: on their clocks, by their custom, with the clocks' name.

on_clocks(at, "America/Denver", desk="Europe/Berlin")   # "Fri 20 Nov, 9:05 am MST · 17:05 CET at this desk"
"""

from __future__ import annotations

from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from domain.geography.time_zones import available_timezones_cached, has_twelve_hours, offset_of
from domain.text.time_text import day

_UTC: Final = "UTC"


def zone_or_utc(zone: str | None) -> ZoneInfo:
    """The zone of this name; UTC where there is none, since browsers name zones that nobody else knows."""
    return ZoneInfo(zone) if zone in available_timezones_cached() else ZoneInfo(_UTC)


def zone_word(local: datetime) -> str:
    """The zone as clocks name it, `EST`; where it has no letters, its offset, `UTC+4`."""
    name = local.tzname() or _UTC
    return name if name[:1].isalpha() else offset_of(local)


def clock(local: datetime) -> str:
    """The time of day of a moment in its own zone, by the custom there: "6:05 pm", "9 pm", "18:05"."""
    if not has_twelve_hours(str(local.tzinfo)):
        return f"{local:%H:%M}"
    minutes = f":{local.minute:02d}" if local.minute else ""
    return f"{local.hour % 12 or 12}{minutes} {'am' if local.hour < 12 else 'pm'}"


def on_clocks(
    at: datetime, zone: str | None, *, desk: str | None = None, now: datetime | None = None, briefly: bool = False
) -> str:
    """Write a moment as the clocks of a zone show it, and those of the desk where they show another time.

    Without a zone it is told on the desk's, without either in UTC. The desk's day is named where it is another one;
    `briefly`, as in a table, only the name of its zone says that it is the desk's.
    """
    local = at.astimezone(zone_or_utc(zone or desk))
    told = f"{day(local, now=now)}, {clock(local)} {zone_word(local)}"
    here = at.astimezone(zone_or_utc(desk)) if desk is not None else local
    if here.utcoffset() == local.utcoffset():
        return told
    on = "" if here.date() == local.date() else f"{day(here, now=now)}, "
    return f"{told} · {on}{clock(here)} {zone_word(here)}{'' if briefly else ' at this desk'}"
