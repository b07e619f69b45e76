"""Check the times of segments, their time zones, and their clocks."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from domain.geography.time_zones import clock_change, zone_at, zone_named
from domain.trips.plausible_times import is_impossible, is_long, is_too_fast, is_too_long
from domain.trips.resolved_segments import (
    End,
    ResolvedSegment,
    distance_km,
    is_stay,
)
from domain.trips.trip_findings import Finding, Severity
from domain.trips.trip_format import clock, format_duration, format_kilometers

# Limits of UTC offsets, and the smallest difference between them.
EARLIEST_OFFSET, LATEST_OFFSET, OFFSET_STEP = timedelta(hours=-12), timedelta(hours=14), timedelta(minutes=15)

_WORDS_FOR_ENDS: Final = {"hotel": ("check-in", "check-out"), "car": ("pick-up", "drop-off")}


def time_findings(segment: ResolvedSegment) -> Iterator[Finding]:
    """Check both ends of a segment and the time between them."""
    start_word, end_word = words_for_ends(segment.kind)
    for finding in _end(segment, segment.start, start_word):
        yield replace(finding, side="start")
    for finding in _end(segment, segment.end, end_word):
        yield replace(finding, side="end")
    yield from _between(segment, start_word, end_word)


def words_for_ends(kind: str) -> tuple[str, str]:
    """Return the names of start and end of a segment of this type."""
    return _WORDS_FOR_ENDS.get(kind.casefold(), ("departure", "arrival"))


def _end(segment: ResolvedSegment, end: End, word: str) -> Iterator[Finding]:
    at, label = segment.index, segment.label
    for text in end.unreadable_times:
        detail = f"“{text}” is not a date and time. Use a format such as 2026-10-24T14:05:00."
        yield Finding(Severity.ERROR, f"{label}: the {word} time cannot be read", detail, at, "time-unreadable")
    if end.has_time:
        yield from _zone_itself(segment, end, word)
        if end.stated_local is not None and end.stated_moment is not None:
            yield from _local_against_moment(segment, end, end.stated_local, end.stated_moment, word)
        elif end.stated_local is not None:
            yield from _local_alone(segment, end, end.stated_local, word)
    elif not end.unreadable_times:
        detail = "Without the time, the place has no expected location."
        yield Finding(Severity.ERROR, f"{label}: the {word} time is missing", detail, at, "time-missing")


def _zone_itself(segment: ResolvedSegment, end: End, word: str) -> Iterator[Finding]:
    if end.stated_zone and zone_named(end.stated_zone) is None:
        title = f"{segment.label}: there is no time zone “{end.stated_zone}”"
        detail = f"Correct the time zone of the {word}. Use a name such as Asia/Dubai."
        yield Finding(Severity.ERROR, title, detail, segment.index, "zone-unknown")
        return
    place_zone = _zone_of_place(end)
    if not end.zone_is_stated or not end.zone or not place_zone or end.moment is None:
        return
    stated, there = _offset(end.moment, end.zone), _offset(end.moment, place_zone)
    if stated != there:
        title = f"{segment.label}: {end.zone} is not the time zone of {end.name}"
        difference = format_duration(stated - there)
        detail = f"The time zone of the place is {place_zone}. The difference at the {word} is {difference}."
        yield Finding(Severity.WARNING, title, detail, segment.index, "zone-elsewhere")


def _local_against_moment(
    segment: ResolvedSegment, end: End, local: datetime, moment: datetime, word: str
) -> Iterator[Finding]:
    apart = local - moment.replace(tzinfo=None)
    if end.zone is None:
        if EARLIEST_OFFSET <= apart <= LATEST_OFFSET and apart % OFFSET_STEP == timedelta(0):
            return
        why = "No time zone is that far from UTC." if abs(apart) > LATEST_OFFSET else "No time zone has this offset."
    else:
        place_zone = _zone_of_place(end)
        # A wrong zone has its own finding.
        if _agrees(local, moment, end.zone) or (
            end.zone_is_stated and place_zone and _agrees(local, moment, place_zone)
        ):
            return
        why = f"That is {clock(moment.astimezone(ZoneInfo(end.zone)))} in {end.zone}."
    title = f"{segment.label}: local time and UTC of the {word} disagree"
    detail = f"{clock(local)} local and {clock(moment)} UTC are {format_duration(apart)} apart. {why}"
    yield Finding(Severity.ERROR, title, detail, segment.index, "zone-disagrees")


def _local_alone(segment: ResolvedSegment, end: End, local: datetime, word: str) -> Iterator[Finding]:
    if end.zone is None:
        title = f"{segment.label}: the time zone of the {word} is unknown"
        detail = f"Muster cannot convert {clock(local)} local to UTC. Enter a time zone or a known place."
        yield Finding(Severity.WARNING, title, detail, segment.index, "zone-missing")
        return
    change = clock_change(local, ZoneInfo(end.zone))
    if not change:
        return
    shift = format_duration(change)
    if change > timedelta(0):
        title = f"{segment.label}: the {word} time does not exist"
        detail = f"Clocks in {end.zone} go forward by {shift} and skip {clock(local)}."
        yield Finding(Severity.ERROR, title, detail, segment.index, "local-time-skipped")
    else:
        title = f"{segment.label}: the {word} time happens twice"
        detail = f"Clocks in {end.zone} go back by {shift}. Muster reads {clock(local)} as the first time."
        yield Finding(Severity.WARNING, title, detail, segment.index, "local-time-twice")


def _between(segment: ResolvedSegment, start_word: str, end_word: str) -> Iterator[Finding]:
    at, label, kind, lasts = segment.index, segment.label, segment.kind.casefold(), segment.duration
    if lasts is None and segment.start.local and segment.end.local and (is_stay(kind) or segment.ends_before_start):
        lasts = segment.end.local - segment.start.local
    if lasts is None:
        return
    way, hours = distance_km(segment.start, segment.end), lasts / timedelta(hours=1)
    if lasts < timedelta(0):
        title = f"{label}: the {end_word} is before the {start_word}"
        yield Finding(Severity.ERROR, title, f"The difference is {format_duration(lasts)}.", at, "ends-before-start")
    elif lasts == timedelta(0):
        title = f"{label}: {start_word} and {end_word} are the same moment"
        severity = Severity.ERROR if way and is_impossible(way, hours) else Severity.WARNING
        yield Finding(severity, title, "Check both times.", at, "no-duration")
    elif is_long(kind, hours):
        severity = Severity.ERROR if is_too_long(kind, hours) else Severity.WARNING
        detail = "No nonstop flight lasts more than 20 hours. Check the dates and the time zones."
        yield Finding(severity, f"{label}: a flight of {format_duration(lasts)}", detail, at, "too-long")
    elif way and is_too_fast(kind, way, hours):
        severity = Severity.ERROR if is_impossible(way, hours) else Severity.WARNING
        title = f"{label}: {format_kilometers(way)} in {format_duration(lasts)} is too fast"
        yield Finding(severity, title, "Check the times and the time zones of departure and arrival.", at, "too-fast")


def _zone_of_place(end: End) -> str | None:
    name = zone_at(*end.position) if end.position is not None else None
    return name if name and zone_named(name) else None


def _agrees(local: datetime, moment: datetime, zone: str) -> bool:
    return moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None, fold=0) == local.replace(fold=0)


def _offset(moment: datetime, zone: str) -> timedelta:
    return moment.astimezone(ZoneInfo(zone)).utcoffset() or timedelta(0)
