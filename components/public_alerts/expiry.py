"""When an alert ends, as the clock on the wall at the place shows it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from client.vocabulary.public_alerts import EXPIRE_HOURS
from components.geography.time_zones import available_timezones_cached
from components.widgets.time_text import DAYS, MONTHS

_UTC = "UTC"


@dataclass(frozen=True)
class Ending:
    """The moment at which an alert ends, there; `words` says it as people do, `in_text` as a text message does."""

    utc: datetime
    local: datetime
    zone: str
    words: str
    in_text: str
    note: str | None


def ends_at(hours: int | None, now: datetime, zone: str | None) -> Ending | None:
    """When an alert sent now ends in this zone (UTC without a known one); None where the hours are none it may have.

    Hours are true hours: over a change of the clocks the clock shows another time, and `note` says so.
    """
    if hours not in EXPIRE_HOURS or hours is None:
        return None
    place = zone_or_utc(zone)
    start = now.astimezone(place)
    ends = now.astimezone(UTC) + timedelta(hours=hours)
    local = ends.astimezone(place)
    return Ending(ends, local, str(place), _words(start, local), _in_text(start, local), _note(start, local))


def zone_or_utc(zone: str | None) -> ZoneInfo:
    """The zone of this name; UTC where there is none, since browsers name zones that nobody else knows."""
    return ZoneInfo(zone) if zone in available_timezones_cached() else ZoneInfo(_UTC)


def zone_word(local: datetime) -> str:
    """The zone as clocks name it, `EST`; where it has no letters, its offset, `UTC+4`."""
    name = local.tzname() or _UTC
    if name[:1].isalpha():
        return name
    minutes = int((local.utcoffset() or timedelta(0)).total_seconds() // 60)
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'−' if minutes < 0 else '+'}{hours}" + (f":{rest:02d}" if rest else "")


def _words(start: datetime, local: datetime) -> str:
    clock = f"{local:%H:%M} {zone_word(local)}"
    days = (local.date() - start.date()).days
    if days == 0:
        return f"today at {clock}"
    day = f"{DAYS[local.weekday()]} {local.day} {MONTHS[local.month - 1]}"
    return f"tomorrow, {day}, at {clock}" if days == 1 else f"{day} at {clock}"


def _in_text(start: datetime, local: datetime) -> str:
    # On another day "until 09:45" is read as today's, which may be past.
    day = "" if local.date() == start.date() else f"{DAYS[local.weekday()]} "
    return f"{day}{local:%H:%M}"


def _note(start: datetime, local: datetime) -> str | None:
    change = (local.utcoffset() or timedelta(0)) - (start.utcoffset() or timedelta(0))
    if not change:
        return None
    way = "forward" if change > timedelta(0) else "back"
    return f"The clocks go {way} before it ends; the hours are counted as they pass."
