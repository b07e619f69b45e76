"""Time zones of places, and all zones for pick lists."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import cache, lru_cache
from typing import Final, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

import tzfpy
from babel.core import Locale, UnknownLocaleError, get_global

_REGIONS = frozenset(
    {"Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"}
)

LOCAL_FORM: Final = "%Y-%m-%dT%H:%M:%S"
_SHORT_TIMES: Final = ("%H:%M", "%H:%M:%S", "%H.%M", "%H%M")


@lru_cache(maxsize=50_000)
def zone_at(lat: float | None, lon: float | None) -> str | None:
    """Return the time zone at a position in decimal degrees; the nautical one at sea; None for an invalid position."""
    if lat is None or lon is None or not (math.isfinite(lat) and math.isfinite(lon)) or abs(lat) > 90:
        return None
    # get_tz takes the longitude first, and accepts none beyond 180.
    name = tzfpy.get_tz((lon + 180.0) % 360.0 - 180.0, lat)
    return name if name in available_timezones_cached() else None


@cache
def zone_of_country(code: str | None) -> str | None:
    """Return the zone of a country (two-letter code) whose clocks are all the same; None if they differ."""
    # ASSUMPTION A201
    if code is None:
        return None
    territories = get_global("zone_territories")
    return in_step({zone for zone in available_timezones_cached() if territories.get(zone) == code})


def in_step(zones: Collection[str]) -> str | None:
    """Return the first of some zones whose clocks are all the same; None if they differ or there is none."""
    days = [datetime(year, month, 1) for year in range(2000, 2031) for month in (1, 7)]  # noqa: DTZ001 (on those clocks)
    clocks = {tuple(ZoneInfo(zone).utcoffset(day) for day in days) for zone in zones}
    return min(zones) if len(clocks) == 1 else None


@cache
def has_twelve_hours(zone: str) -> bool:
    """Return whether the country of a zone uses a 12-hour clock."""
    # ASSUMPTION A430: 12 or 24 hours is taken from the common locale data of the zone's country; UTC has 24.
    territory = get_global("zone_territories").get(zone)
    try:
        return territory is not None and "h" in Locale.parse(f"und_{territory}").time_formats["short"].pattern
    except (UnknownLocaleError, ValueError):
        return False


@cache
def clocks_of(zone: str, year: int) -> tuple[timedelta | None, ...]:
    """Return the UTC offsets of a zone in each month of a year. Zones with the same offsets count as one."""
    return tuple(ZoneInfo(zone).utcoffset(datetime(year, month, 1)) for month in range(1, 13))  # noqa: DTZ001


@lru_cache(maxsize=1024)
def zone_named(name: str) -> ZoneInfo | None:
    """Return the zone with this name; None if there is none."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


@cache
def available_timezones_cached() -> frozenset[str]:
    """Return every name that zoneinfo can load, with aliases and nautical zones."""
    return frozenset(available_timezones())


@cache
def all_zones() -> tuple[str, ...]:
    """Return the zone names for a pick list: UTC, then the regions in order."""
    regional = (name for name in available_timezones_cached() if name.partition("/")[0] in _REGIONS and "/" in name)
    return ("UTC", *sorted(regional))


@dataclass(frozen=True)
class TrueTime:
    """A local time read in its zone: the time in UTC, if there is one, and what is unusual about it."""

    utc: datetime | None
    note: str | None = None


def utc_text(moment: datetime | None) -> str | None:
    """Return a time as the service expects it, `YYYY-MM-DDThh:mm:ssZ`; None for None."""
    return None if moment is None else moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def parse_clock(text: str) -> time | None:
    """Read a time of day as people type it (`7:05`, `07.05`, `0705`); None if it is not one."""
    for form in _SHORT_TIMES:
        try:
            return datetime.strptime(text.strip(), form).time()  # noqa: DTZ007 - a time of day has no zone
        except ValueError:
            continue
    return None


def local_at(moment: datetime | None, zone: ZoneInfo | None) -> datetime | None:
    """Convert a time to naive local time in a zone; None if either is unknown."""
    if moment is None or zone is None:
        return None
    local = moment.astimezone(zone)
    return datetime.combine(local, local.time())  # Much faster than `replace`, which counts in files of many rows.


def moment_of(local: datetime | None, zone: ZoneInfo | None, *, fold: Literal[0, 1] = 0) -> datetime | None:
    """Convert a naive local time in a zone to UTC; None if either is unknown.

    In a gap (clocks go forward) the offset before the change is used. In a fold (the hour happens twice) the first of
    the two is used unless `fold` is 1. Python and most booking systems do the same.
    """
    if local is None or zone is None:
        return None
    return datetime.combine(local, local.time(), UTC) - _offset_on(local, zone, fold)


def _offset_on(local: datetime, zone: ZoneInfo, fold: Literal[0, 1]) -> timedelta:
    return zone.utcoffset(local if local.fold == fold else local.replace(fold=fold)) or timedelta(0)


def clock_change(local: datetime, zone: ZoneInfo) -> timedelta:
    """Return by how much a clock change affects a naive local time: above 0 in a gap, below 0 in a fold, else 0."""
    return _offset_on(local, zone, 1) - _offset_on(local, zone, 0)


def true_time(local: datetime, zone: str) -> TrueTime:
    """Convert a naive local time in a zone to UTC like `moment_of`, with a note in a gap or fold, or if it fails."""
    info = zone_named(zone.strip())
    if info is None:
        return TrueTime(None, f"There is no time zone named “{zone}”.")
    try:
        utc, second = moment_of(local, info), moment_of(local, info, fold=1)
    except OverflowError:
        return TrueTime(None, "This date is out of range.")
    change = clock_change(local, info)
    if change > timedelta(0):
        skipped = f"Clocks in {zone} go forward, so {local:%H:%M} does not exist that day."
        return TrueTime(utc, f"{skipped} Muster reads it as {local + change:%H:%M}.")
    if change < timedelta(0):
        twice = f"Clocks in {zone} go back, so {local:%H:%M} happens twice that day."
        return TrueTime(utc, f"{twice} Muster uses the first one ({utc:%H:%M} UTC, not {second:%H:%M}).")
    return TrueTime(utc)


def offset_text(moment: datetime, zone: str) -> str:
    """Return the offset of the zone at a time, as `UTC+4` or `UTC−3:30`; empty for an unknown zone."""
    info = zone_named(zone)
    return "" if info is None else offset_of(moment.astimezone(info))


def offset_of(local: datetime) -> str:
    """Return the UTC offset of a time, as `UTC+4` or `UTC−3:30`."""
    minutes = int((local.utcoffset() or timedelta(0)).total_seconds() // 60)
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'−' if minutes < 0 else '+'}{hours}" + (f":{rest:02d}" if rest else "")
