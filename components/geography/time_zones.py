"""Time zones: which one holds at a place, and all of them for pick lists."""

import math
from datetime import datetime
from functools import cache, lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

import tzfpy
from babel.core import get_global

_REGIONS = frozenset(
    {"Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific"}
)


def zone_at(lat: float | None, lon: float | None) -> str | None:
    """Return the name of the time zone at a place in decimal degrees; at sea the nautical one; None for no place."""
    if lat is None or lon is None or not (math.isfinite(lat) and math.isfinite(lon)) or abs(lat) > 90:
        return None
    # get_tz takes the longitude first, and knows none beyond 180.
    name = tzfpy.get_tz((lon + 180.0) % 360.0 - 180.0, lat)
    return name if name in available_timezones_cached() else None


@cache
def zone_of_country(code: str | None) -> str | None:
    """Return the zone of a country (two-letter code) whose clocks all show the same; None where they differ."""
    # ASSUMPTION A201
    if code is None:
        return None
    territories = get_global("zone_territories")
    zones = sorted(zone for zone in available_timezones_cached() if territories.get(zone) == code)
    days = [datetime(year, month, 1) for year in range(2000, 2031) for month in (1, 7)]  # noqa: DTZ001 (on those clocks)
    clocks = {tuple(ZoneInfo(zone).utcoffset(day) for day in days) for zone in zones}
    return zones[0] if len(clocks) == 1 else None


@lru_cache(maxsize=1024)
def zone_named(name: str) -> ZoneInfo | None:
    """Return the zone with this region name, None where there is none of that name."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


@cache
def available_timezones_cached() -> frozenset[str]:
    """Return every name that zoneinfo can load, aliases and nautical zones included."""
    return frozenset(available_timezones())


@cache
def all_zones() -> tuple[str, ...]:
    """Return the zone names for a pick list: UTC, then the regions in order."""
    regional = (name for name in available_timezones_cached() if name.partition("/")[0] in _REGIONS and "/" in name)
    return ("UTC", *sorted(regional))
