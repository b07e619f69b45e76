"""True UTC times of a segment, from UTC times or from local times and places."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from service.itineraries.segment_places import Located

_LOCAL = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?\Z", re.ASCII)
_MOMENT = re.compile(r"(\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?\Z", re.ASCII)


def parse_utc(text: str | None) -> datetime | None:
    """Parse a UTC date-time. One without a `Z` is UTC too; one with an offset is converted to UTC."""
    match = _MOMENT.match(text.strip().upper()) if text else None
    if match is None:
        return None
    moment = _fields(match[1] + (match[2] or "Z"))
    try:
        return moment.astimezone(UTC) if moment else None
    except OverflowError:
        return None


def parse_local(text: str | None) -> datetime | None:
    """Parse a local date-time. One with a zone or offset contradicts itself and is refused."""
    return _fields(text.strip().upper()) if text and _LOCAL.match(text.strip().upper()) else None


def zone_of(time_zone: str | None, located: Located | None) -> ZoneInfo | None:
    """Return the zone of local times at a place: the named one, or else that of the place."""
    return _zone(time_zone) or (_zone(located.time_zone) if located else None)


def moment_of(utc_text: str | None, local_text: str | None, zone: ZoneInfo | None) -> datetime | None:
    """Return the aware UTC time of one end of a segment. A given UTC time takes precedence over a local time.

    A local time that a clock change skips is read with the offset before the change, which makes it later on the clock.
    A local time that occurs twice means the first.
    """
    utc = parse_utc(utc_text)
    if utc is not None:
        return utc
    return _in_zone(parse_local(local_text), zone, fold=0)


def span_of(
    utc_texts: tuple[str | None, str | None],
    local_texts: tuple[str | None, str | None],
    zones: tuple[ZoneInfo | None, ZoneInfo | None],
) -> tuple[datetime, datetime] | None:
    """Return start and end of a segment; None if one is missing or the end is before the start.

    A local end that occurs twice means the second time if the first would be before the start.
    """
    begin = moment_of(utc_texts[0], local_texts[0], zones[0])
    end = moment_of(utc_texts[1], local_texts[1], zones[1])
    if begin is None or end is None:
        return None
    if end < begin and parse_utc(utc_texts[1]) is None:
        end = _in_zone(parse_local(local_texts[1]), zones[1], fold=1) or end
    return (begin, end) if begin <= end else None


def _in_zone(local: datetime | None, zone: ZoneInfo | None, *, fold: int) -> datetime | None:
    if local is None or zone is None:
        return None
    try:
        return local.replace(tzinfo=zone, fold=fold).astimezone(UTC)
    except OverflowError:
        return None


def _zone(name: str | None) -> ZoneInfo | None:
    if not name:
        return None
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def _fields(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None
