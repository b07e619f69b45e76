"""Arrivals that a file leaves open: the day by true time, and the time by the duration."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from domain.geography.time_zones import local_at, moment_of, zone_named
from domain.trips.resolved_segments import ResolvedSegment

DAY: Final = 86_400_000
"""In milliseconds."""
AGREES_WITHIN: Final = timedelta(minutes=30)
"""A duration may be that in the air, and times those at the gates."""
_LONGEST: Final = timedelta(hours=24)
_DAYS: Final = range(-2, 4)
"""Days after that of the departure on which a journey of up to 24 hours can end, in any zone."""
_EPOCH: Final = datetime(1970, 1, 1)  # noqa: DTZ001 (on the clocks of a place)


@dataclass(frozen=True, slots=True)
class Arrival:
    """An arrival after completion: its local time and moment, and how they were found."""

    local: datetime | None = None
    moment: datetime | None = None
    """None where it follows from the local time."""
    is_uncertain: bool = False
    """No day, or more than one, gives a duration above 0 and up to 24 hours."""
    is_placed: bool = False
    """The day was worked out and is not the day of the departure."""
    is_computed: bool = False
    """The time was worked out from the duration."""
    is_placeholder: bool = False
    """A time is 00:00 because the file doesn't know it."""
    changes: bool = False
    """The times are not those that the file gives."""


def complete_arrival(segment: ResolvedSegment, clock: int | None, duration: int | None) -> Arrival:
    """Complete the arrival of a flight or train.

    `clock` is the time of day of an arrival without a day (more than a day where the cell says "+1"), `duration` the
    column of that name; both in milliseconds.
    """
    # ASSUMPTION A402
    left, leaves = segment.start.local, segment.start.moment
    local, moment = segment.end.local, segment.end.moment
    day, is_uncertain, is_placed = None, False, False
    if clock is not None and left is not None:
        day, is_uncertain, is_placed = _find_day(segment, left, clock)
    if day is not None:
        local, moment = day, moment or _moment(day, segment.end.zone)
    is_midnight = _is_midnight(local) or (clock is not None and clock % DAY == 0)
    found = Arrival(local, segment.end.stated_moment, is_uncertain, is_placed, changes=day is not None)
    if duration is None or leaves is None:
        return _placeholder(found) if _is_midnight(left) and is_midnight else found
    ends = leaves + timedelta(milliseconds=duration)
    if moment is not None and abs(moment - ends) <= AGREES_WITHIN:
        return found
    if _is_midnight(left) and (is_midnight or moment is not None):
        return _placeholder(found)
    if is_midnight or moment is None:
        zone = zone_named(segment.end.zone) if segment.end.zone else None
        return Arrival(local_at(ends, zone), ends, is_computed=True, changes=True)
    return found


def _placeholder(found: Arrival) -> Arrival:
    return Arrival(found.local, found.moment, is_placeholder=True, changes=found.changes)


def _find_day(segment: ResolvedSegment, left: datetime, clock: int) -> tuple[datetime | None, bool, bool]:
    """Return the arrival on the one day that fits, whether none or several fit, and whether it is another day."""
    start = left.replace(hour=0, minute=0, second=0, microsecond=0)
    if clock >= DAY:
        return start + timedelta(milliseconds=clock), False, False
    fitting = []
    for days in _DAYS:
        local = start + timedelta(days=days, milliseconds=clock)
        moment, leaves = _moment(local, segment.end.zone), segment.start.moment
        if moment is not None and leaves is not None and timedelta(0) < moment - leaves <= _LONGEST:
            fitting.append(local)
    if len(fitting) != 1:
        return None, True, False
    return fitting[0], False, fitting[0].date() != left.date()


def _moment(local: datetime, zone: str | None) -> datetime | None:
    return moment_of(local, zone_named(zone) if zone else None)


def _is_midnight(local: datetime | None) -> bool:
    return local is not None and not (local.hour or local.minute or local.second or local.microsecond)


def time_of(milliseconds: int | None, *, is_utc: bool = False) -> datetime | None:
    """Return the time so many milliseconds after 1970 began, naive or in UTC; None for None and out of range."""
    try:
        naive = None if milliseconds is None else _EPOCH + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return None
    return naive.replace(tzinfo=UTC) if naive is not None and is_utc else naive
