"""Local date-times and their true UTC, with the clock changes that make one hour missing or another happen twice."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Final

from components.geography.time_zones import zone_named

LOCAL_FORM: Final = "%Y-%m-%dT%H:%M:%S"
_SHORT_TIMES: Final = ("%H:%M", "%H:%M:%S", "%H.%M", "%H%M")


@dataclass(frozen=True)
class TrueTime:
    """A local time read in its zone: the moment in UTC, where there is one, and what is odd about it."""

    utc: datetime | None
    note: str | None = None


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


def true_time(wall: datetime, zone: str) -> TrueTime:
    """Read a local time, without a zone of its own, in a zone.

    In a gap (clocks go forward over it) the offset before the change is used; in a fold (the hour happens twice) the
    first of the two. Both are what Python and most booking systems do, and both are pointed out.
    """
    info = zone_named(zone.strip())
    if info is None:
        return TrueTime(None, f"There is no time zone named “{zone}”.")
    try:
        utc = wall.replace(tzinfo=info).astimezone(UTC)
        back = utc.astimezone(info)
    except OverflowError:
        return TrueTime(None, "This time is out of the calendar.")
    second = wall.replace(tzinfo=info, fold=1).astimezone(UTC)
    if back.replace(tzinfo=None) != wall:
        skipped = f"The clocks go forward over {wall:%H:%M} that night in {zone}: this time does not exist."
        return TrueTime(utc, f"{skipped} It is taken as {back:%H:%M}.")
    if second != utc:
        twice = f"The clocks go back that night in {zone}: {wall:%H:%M} happens twice."
        return TrueTime(utc, f"{twice} The first one is taken ({utc:%H:%M} UTC, not {second:%H:%M}).")
    return TrueTime(utc)


def offset_text(moment: datetime, zone: str) -> str:
    """The zone's offset at a moment, as `UTC+4` or `UTC−3:30`; nothing for an unknown zone."""
    info = zone_named(zone)
    return "" if info is None else offset_of(moment.astimezone(info))


def offset_of(local: datetime) -> str:
    """How far a time's own clock is from UTC, as `UTC+4` or `UTC−3:30`."""
    minutes = int((local.utcoffset() or timedelta(0)).total_seconds() // 60)
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{'−' if minutes < 0 else '+'}{hours}" + (f":{rest:02d}" if rest else "")
