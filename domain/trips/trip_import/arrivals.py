"""Complete arrivals that a file leaves open: the day from the time zones, and the time from the duration."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from domain.geography.time_zones import local_at, moment_of, zone_named
from domain.trips.resolved_segments import ResolvedSegment

DAY: Final = 86_400_000
"""In milliseconds."""
AGREES_WITHIN: Final = timedelta(minutes=30)
"""A duration may be the time in the air, while the times are those at the gates."""
_LONGEST: Final = timedelta(hours=24)
_DAYS: Final = range(-2, 4)
"""The days, counted from the departure, on which a trip of up to 24 hours can end in any time zone."""
_EPOCH: Final = datetime(1970, 1, 1)  # noqa: DTZ001 (on the clocks of a place)


class Arrival(NamedTuple):
    """An arrival after completion: its local time, its moment, and how they were found."""

    local: datetime | None = None
    moment: datetime | None = None
    """None if it follows from the local time."""
    is_uncertain: bool = False
    """Whether no day, or more than one, gives a duration above 0 and up to 24 hours."""
    is_placed: bool = False
    """Whether the day was computed and differs from the day of the departure."""
    is_computed: bool = False
    """Whether the time was computed from the duration."""
    is_placeholder: bool = False
    """Whether a time is 00:00 because the file doesn't know it."""
    changes: bool = False
    """Whether the times differ from those in the file."""


def complete_arrival(segment: ResolvedSegment, clock: int | None, duration: int | None) -> Arrival:
    """Complete the arrival of a flight or train.

    `clock` is the time of day of an arrival without a day (more than a day if the cell has "+1"), and `duration` is the
    value of that column. Both are in milliseconds.
    """
    # ASSUMPTION A402
    departure, departs_at = segment.start.local, segment.start.moment
    local, moment = segment.end.local, segment.end.moment
    day, is_uncertain, is_placed = None, False, False
    if clock is not None and departure is not None:
        day, is_uncertain, is_placed = _find_day(segment, departure, clock)
    if day is not None:
        local, moment = day, moment or _moment(day, segment.end.zone)
    is_midnight = _is_midnight(local) or (clock is not None and clock % DAY == 0)
    arrival = Arrival(local, segment.end.stated_moment, is_uncertain, is_placed, changes=day is not None)
    if duration is None or departs_at is None:
        return _placeholder(arrival) if _is_midnight(departure) and is_midnight else arrival
    arrives_at = departs_at + timedelta(milliseconds=duration)
    if moment is not None and abs(moment - arrives_at) <= AGREES_WITHIN:
        return arrival
    if _is_midnight(departure) and (is_midnight or moment is not None):
        return _placeholder(arrival)
    if is_midnight or moment is None:
        zone = zone_named(segment.end.zone) if segment.end.zone else None
        return Arrival(local_at(arrives_at, zone), arrives_at, is_computed=True, changes=True)
    return arrival


def _placeholder(arrival: Arrival) -> Arrival:
    return Arrival(arrival.local, arrival.moment, is_placeholder=True, changes=arrival.changes)


def _find_day(segment: ResolvedSegment, departure: datetime, clock: int) -> tuple[datetime | None, bool, bool]:
    """Return the arrival on the only day that fits, whether it is uncertain, and whether it is another day."""
    start = departure.replace(hour=0, minute=0, second=0, microsecond=0)
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
    return fitting[0], False, fitting[0].date() != departure.date()


def _moment(local: datetime, zone: str | None) -> datetime | None:
    return moment_of(local, zone_named(zone) if zone else None)


def _is_midnight(local: datetime | None) -> bool:
    return local is not None and not (local.hour or local.minute or local.second or local.microsecond)


def time_of(milliseconds: int | None, *, is_utc: bool = False) -> datetime | None:
    """Return the time so many milliseconds after 1970, naive or in UTC, or None if it is out of range."""
    try:
        naive = None if milliseconds is None else _EPOCH + timedelta(milliseconds=milliseconds)
    except OverflowError:
        return None
    return naive.replace(tzinfo=UTC) if naive is not None and is_utc else naive
