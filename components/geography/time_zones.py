"""Time zones: which one holds at a place, and all of them for pick lists."""

import math
from functools import cache, lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

import tzfpy

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
