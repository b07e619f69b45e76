"""Local date-times and their true UTC, with the clock changes that make one hour missing or another happen twice."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import Final

from components.geography.time_zones import zone_named

LOCAL_FORM: Final = "%Y-%m-%dT%H:%M:%S"
_SHORT_TIMES: Final = ("%H:%M", "%H:%M:%S", "%H.%M", "%H%M")


class Clock(StrEnum):
    """What a local time means in its zone."""

    PLAIN = "plain"
    GAP = "gap"
    FOLD = "fold"
    UNKNOWN_ZONE = "unknown zone"
    NO_ZONE = "no zone"
    NO_TIME = "no time"
    UNREADABLE = "unreadable"


@dataclass(frozen=True)
class TrueTime:
    """A local time read in its zone: the moment in UTC, where there is one, and what is odd about it."""

    utc: datetime | None
    clock: Clock
    note: str | None = None


def parse_local(text: str | None) -> datetime | None:
    """Read a local date-time without zone (`YYYY-MM-DDThh:mm:ss`, shorter forms too); None where it cannot be read.

    A zone or offset at the end is not part of the form: such a text is not a local time, and None.
    """
    if not text or not text.strip():
        return None
    try:
        read = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return read if read.tzinfo is None else None


def parse_utc(text: str | None) -> datetime | None:
    """Read a UTC date-time ending in `Z` (or any explicit offset); None where it cannot be read."""
    if not text or not text.strip():
        return None
    try:
        read = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    try:
        return read.astimezone(UTC) if read.tzinfo is not None else None
    except OverflowError:
        return None


def local_text(day: date | None, clock: time | None) -> str | None:
    """The wire's form of a local day and time; None where either is missing."""
    if day is None or clock is None:
        return None
    return datetime.combine(day, clock).strftime(LOCAL_FORM)


def utc_text(moment: datetime | None) -> str | None:
    """The wire's form of a moment, `YYYY-MM-DDThh:mm:ssZ`; None for None."""
    return None if moment is None else moment.astimezone(UTC).strftime(LOCAL_FORM + "Z")


def parse_clock(text: str) -> time | None:
    """Read a time of day as people type it (`7:05`, `07.05`, `0705`); None where it is not one."""
    for form in _SHORT_TIMES:
        try:
            return datetime.strptime(text.strip(), form).time()  # noqa: DTZ007 - a time of day has no zone
        except ValueError:
            continue
    return None


def true_time(local: str | None, zone: str | None) -> TrueTime:
    """Read a local time in its zone.

    In a gap (clocks go forward over it) the offset before the change is used; in a fold (the hour happens twice) the
    first of the two. Both are what Python and most booking systems do, and both are pointed out.
    """
    if not local or not local.strip():
        return TrueTime(None, Clock.NO_TIME)
    wall = parse_local(local)
    if wall is None:
        return TrueTime(None, Clock.UNREADABLE, "This is not a local date and time.")
    if not zone or not zone.strip():
        return TrueTime(None, Clock.NO_ZONE, "Without a time zone the true time is unknown.")
    info = zone_named(zone.strip())
    if info is None:
        return TrueTime(None, Clock.UNKNOWN_ZONE, f"There is no time zone named “{zone}”.")
    try:
        utc = wall.replace(tzinfo=info).astimezone(UTC)
        back = utc.astimezone(info)
    except OverflowError:
        return TrueTime(None, Clock.UNREADABLE, "This time is out of the calendar.")
    if back.replace(tzinfo=None) != wall:
        return TrueTime(
            utc,
            Clock.GAP,
            f"The clocks go forward over {wall:%H:%M} that night in {zone}: this time does not exist. "
            f"It is taken as {back:%H:%M}.",
        )
    second = wall.replace(tzinfo=info, fold=1).astimezone(UTC)
    if second != utc:
        return TrueTime(
            utc,
            Clock.FOLD,
            f"The clocks go back that night in {zone}: {wall:%H:%M} happens twice. The first one is taken "
            f"({utc:%H:%M} UTC, not {second:%H:%M}).",
        )
    return TrueTime(utc, Clock.PLAIN)


def offset_text(moment: datetime, zone: str) -> str:
    """The zone's offset at a moment, as `UTC+4` or `UTC−3:30`; nothing for an unknown zone."""
    info = zone_named(zone)
    return "" if info is None else offset_of(moment.astimezone(info))


def offset_of(local: datetime) -> str:
    """How far a time's own clock is from UTC, as `UTC+4` or `UTC−3:30`."""
    minutes = int((local.utcoffset() or timedelta(0)).total_seconds() // 60)
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'−' if minutes < 0 else '+'}{hours}" + (f":{rest:02d}" if rest else "")
