"""The problems of a file's segments, at their cells.

The rules are those of the interface (`client.models.itinerary_rules`), of the editor (`domain.trips.segment_errors`),
and of the checks (`domain.trips.trip_time_checks`). `file_segments` adds what only files need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

import numpy as np

from client.vocabulary.airports import CITY_CODES
from domain.file_import.column_types import Mask
from domain.file_import.position_rules import conflict_problems
from domain.file_import.row_problems import PROGRESS, Problem, Rows
from domain.geography.airports import Airport
from domain.geography.place_conflicts import Stated
from domain.trips.resolved_segments import ENDS_BEFORE_START, End
from domain.trips.segment_errors import NO_AIRPORT, segment_errors
from domain.trips.trip_findings import Finding, Severity
from domain.trips.trip_import.file_segments import (
    READING_SHARE,
    REPORT_EVERY,
    FileEnd,
    FileSegment,
    numbered_column,
    read_segments,
)
from domain.trips.trip_import.trip_sending import NO_ZONE
from domain.trips.trip_time_checks import time_findings

LONGEST_STAY: Final = timedelta(days=90)

NO_END: Final = "The segment has no arrival place. Enter one, or no one will be expected there."
NO_CLOCK: Final = "Enter the {} time."
NO_TIME: Final = "Enter the {} date and time."
NO_DATE: Final = "Enter the {} date. The cell has only a time."
SKIPPED: Final = "This time does not exist, because the clocks go forward."
SHIFTED: Final = "The offset from UTC isn’t the offset of the place. Match the column as UTC, or enter the local time."
TWO_CLOCKS: Final = "The columns for the {0} date and the {0} time don’t agree. Match only the correct column."
NO_YEAR: Final = "The year must be between 1970 and 2199."
LONG_STAY: Final = "The segment lasts more than 90 days. Check the day and the month."
TOO_LONG: Final = "No flight lasts more than 24 hours. Check the dates and the times."
LONG: Final = "No nonstop flight lasts more than 20 hours. Check the dates and the times."
TOO_FAST: Final = "No aircraft is that fast. Check the times and the places."
FAST: Final = "The segment is too fast for its type. Check the times and the places."
UNCERTAIN: Final = "The arrival date isn’t certain. Enter it with the time, such as 2026-03-27 05:00."
PLACED: Final = "The file has no arrival date. Based on the time zones, Muster uses {}."
COMPUTED: Final = "Muster computed the arrival time from the duration: {}."
PLACEHOLDER: Final = "00:00 doesn’t match the other times of this row. Enter the actual time."
CITY: Final = "{} is the code of {}, not of one airport. Muster uses the city’s position and time zone. Airports: {}."

_FROM_CHECKS: Final[Mapping[tuple[str, Severity], str]] = {
    ("too-long", Severity.ERROR): TOO_LONG,
    ("too-long", Severity.WARNING): LONG,
    ("too-fast", Severity.ERROR): TOO_FAST,
    ("no-duration", Severity.ERROR): TOO_FAST,
    ("too-fast", Severity.WARNING): FAST,
}
"""The message at the cell for a finding of the checks."""
_SIDE_NAMES: Final = {"from": "start", "to": "end"}
_PLACES: Final = ("Place", "IataCode", "City", "LocationName", "Street")
_MEMORY: Final = "trip segment problems"


class SegmentProblem(NamedTuple):
    """A problem of a segment, at the first of these columns that the file has."""

    rank: int
    """The order of problems at one cell."""
    columns: tuple[str, ...]
    message: str
    is_error: bool = True
    value: str = ""
    """The value for {} in the message."""
    depends_on_trip: bool = False
    """Whether it is an error only if the service rejects the whole trip for it."""


def segment_problems(
    rows: Rows, segments_by_row: Sequence[Sequence[FileSegment]], *, is_live: Mask, is_refused: Mask
) -> Iterator[Problem]:
    """Yield the problems of all segments in rows that are not canceled.

    `is_refused` marks the rows of trips that the service rejects because no segment has both times.
    """
    groups: dict[tuple[int, bool, SegmentProblem], dict[int, str]] = {}
    for row, problems in enumerate(_problems_by_row(rows)):
        if not (problems and is_live[row]):
            continue
        for segment, some in zip(segments_by_row[row], problems, strict=True):
            for problem in some:
                if problem.depends_on_trip:
                    problem = problem._replace(is_error=bool(is_refused[row]), depends_on_trip=False)
                key = segment.number, segment.kind == "Hotel", problem._replace(value="")
                groups.setdefault(key, {})[row] = problem.value
    is_filled: dict[str, bool] = {}
    for number, are_stays, problem in sorted(groups):
        names = [numbered_column(column, number) for column in problem.columns]
        for name in names:
            if name not in is_filled:
                is_filled[name] = bool((rows.texts[name] != "").any())
        mask, values = np.zeros(len(rows), dtype=bool), groups[number, are_stays, problem]
        mask[list(values)] = True
        column = next((name for name in names if is_filled[name]), names[0])
        shows = _formatter(problem.message, values) if any(values.values()) else None
        yield Problem(mask, column, problem.message, problem.is_error, row_message=shows)
    for number in sorted({segment.number for segments in segments_by_row for segment in segments}):
        for are_stays in (False, True):
            yield from _position_problems(rows, segments_by_row, number, is_live, are_stays=are_stays)


def _formatter(message: str, values: Mapping[int, str]) -> Callable[[int], str]:
    return lambda row: message.format(values[row])


def _problems_by_row(rows: Rows) -> Sequence[Sequence[Sequence[SegmentProblem]]]:
    """Return the problems of each segment of each row with any. Unchanged segments are not checked again."""
    whole = rows.all_rows or rows
    segments_by_row = read_segments(whole)
    previous_segments, problems = whole.memory.get(_MEMORY, ((), ()))
    if previous_segments is not segments_by_row:
        changed: Sequence[int] = range(len(segments_by_row))
        if len(previous_segments) == len(segments_by_row):
            pairs = zip(segments_by_row, previous_segments, strict=True)
            changed = [row for row, (segments, previous) in enumerate(pairs) if segments is not previous]
        problems = [*problems] if len(problems) == len(segments_by_row) else [()] * len(segments_by_row)
        for number, row in enumerate(changed):
            if number % REPORT_EVERY == 0:
                whole.memory[PROGRESS] = READING_SHARE + (1 - READING_SHARE) * number / len(changed)
            found = [list(_problems_of(each)) for each in segments_by_row[row]]
            problems[row] = found if any(found) else ()
        whole.memory[_MEMORY] = segments_by_row, problems
    return problems if rows.positions is None else [problems[row] for row in rows.positions.tolist()]


def _problems_of(segment: FileSegment) -> Iterator[SegmentProblem]:
    kind, resolved, arrival = segment.kind, segment.resolved, segment.arrival
    for field, message in segment.refusals:
        if columns := _columns_of_field(segment, field):
            yield SegmentProblem(_RANKS["refusal"], columns, message)
    if kind in ("Air", "Rail") and not resolved.end.has_place:
        yield _depends(_RANKS[NO_END], resolved.end, tuple(f"to{name}" for name in _PLACES), NO_END)
    errors = list(segment_errors(resolved))
    lost = {error.side for error in errors if error.field == "code"}
    yield from _time_problems(segment, "from", segment.start, resolved.start, has_unlocatable_code="start" in lost)
    yield from _time_problems(segment, "to", segment.end, resolved.end, has_unlocatable_code="end" in lost)
    ends = (*_time_columns(segment, "to"), "toClock")
    if kind != "Air" and resolved.duration is not None and resolved.duration > LONGEST_STAY:
        yield SegmentProblem(_RANKS[LONG_STAY], ends, LONG_STAY, is_error=False)
    for finding in time_findings(resolved):
        yield from _from_finding(segment, finding, ends)
    if arrival.is_uncertain:
        yield SegmentProblem(_RANKS[UNCERTAIN], ("toClock",), UNCERTAIN)
    if arrival.is_placed and arrival.local is not None:
        yield SegmentProblem(_RANKS[PLACED], ("toClock",), PLACED, is_error=False, value=f"{arrival.local:%Y-%m-%d}")
    if arrival.is_computed:
        columns = ("toClock", *_time_columns(segment, "to"))
        yield SegmentProblem(_RANKS[COMPUTED], columns, COMPUTED, is_error=False, value=_minute(arrival.local))
    for side, name in (("from", "start"), ("to", "end")):
        if arrival.is_placeholder:
            columns = (f"{side}Clock", *_time_columns(segment, side))
            yield SegmentProblem(_RANKS[PLACEHOLDER], columns, PLACEHOLDER)
        for error in errors:
            if error.side == name:
                columns = _code_columns(segment, side) if error.field == "code" else ends
                yield SegmentProblem(_RANKS[error.message], columns, error.message)
        code = (segment.start if side == "from" else segment.end).code
        if kind == "Air" and code in CITY_CODES:
            city = CITY_CODES[code]
            message = CITY.format(code, city["name"], ", ".join(city["airports"]))
            yield SegmentProblem(_RANKS[CITY], _code_columns(segment, side), message, is_error=False)


def _from_finding(segment: FileSegment, finding: Finding, ends: tuple[str, ...]) -> Iterator[SegmentProblem]:
    if finding.rule == "local-time-skipped":
        columns = _time_columns(segment, "from" if finding.side == "start" else "to")
        yield SegmentProblem(_RANKS[SKIPPED], columns, SKIPPED, is_error=False)
    message = _FROM_CHECKS.get((finding.rule, finding.severity))
    if message is not None and not segment.arrival.is_placeholder:
        yield SegmentProblem(_RANKS[message], ends, message, is_error=finding.severity is Severity.ERROR)


def _time_problems(
    segment: FileSegment, side: str, end: FileEnd, resolved: End, *, has_unlocatable_code: bool
) -> Iterator[SegmentProblem]:
    columns, side_name, is_stay = _time_columns(segment, side), _SIDE_NAMES[side], segment.kind == "Hotel"
    if end.lacks_clock and not (side == "to" and segment.arrival.is_computed):
        yield SegmentProblem(_RANKS[NO_CLOCK], (f"{side}Clock", *columns), NO_CLOCK.format(side_name))
    elif not (resolved.has_time or resolved.unreadable_times):
        stay_clock = "checkInClock" if side == "from" else "checkOutClock"
        clocks = (*([stay_clock] if is_stay else []), f"{side}Clock")
        # Filled cells that can't be read have problems of their own.
        if segment.filled.isdisjoint((*columns, f"{side}DateTime")):
            # For the end of a flight or train, a time of day is enough. If it isn't, its cell has the problem.
            if end.clock is not None and (side == "from" or segment.kind not in ("Air", "Rail")):
                yield SegmentProblem(_RANKS[NO_TIME], (*clocks, *columns), NO_DATE.format(side_name))
            elif segment.filled.isdisjoint(clocks):
                yield SegmentProblem(_RANKS[NO_TIME], columns, NO_TIME.format(side_name))
    is_open = resolved.moment is None and resolved.local is not None and resolved.has_place and not has_unlocatable_code
    if is_open and not (side == "to" and segment.resolved.has_one_place):
        own = ("hotelCountry", "hotelCity") if is_stay else ()
        places = (*own, *(f"{side}{name}" for name in _PLACES), f"{side}TimeZone")
        yield _depends(_RANKS[NO_ZONE], resolved, places, NO_ZONE)
    if side in segment.shifted:
        yield SegmentProblem(_RANKS[SHIFTED], columns, SHIFTED)
    if end.has_two_clocks:
        clocks = ("checkInClock" if side == "from" else "checkOutClock", f"{side}Clock")
        yield SegmentProblem(_RANKS[TWO_CLOCKS], clocks if is_stay else clocks[1:], TWO_CLOCKS.format(side_name))
    if resolved.unreadable_times:
        yield SegmentProblem(_RANKS[NO_YEAR], columns, NO_YEAR)


def _depends(rank: int, end: End, columns: tuple[str, ...], message: str) -> SegmentProblem:
    """Return an error if the service rejects the trip because this time in UTC is missing, else a warning."""
    return SegmentProblem(rank, columns, message, is_error=False, depends_on_trip=end.moment is None)


def _time_columns(segment: FileSegment, side: str) -> tuple[str, ...]:
    own = ("checkIn" if side == "from" else "checkOut",) if segment.kind == "Hotel" else ()
    return own if segment.is_extra_stay else (*own, f"{side}Date")


def _code_columns(segment: FileSegment, side: str) -> tuple[str, ...]:
    own = ("hotelCity",) if segment.kind == "Hotel" else ()
    return (f"{side}Place", f"{side}IataCode", "route", f"{side}City", *own)


def _columns_of_field(segment: FileSegment, field: str) -> tuple[str, ...]:
    """Return the columns of a field of the interface, or none if the cell already has the problem."""
    is_stay = segment.kind == "Hotel"
    if field == "type":
        return () if "type" in segment.filled else ("type",)
    side, _, name = field.partition("Address")
    if name in (".latitude", ".longitude"):
        address = (segment.start if side == "from" else segment.end).address
        own = ("hotelLatitude", "hotelLongitude") if is_stay else ()
        has_both = "Latitude" in address and "Longitude" in address
        return () if has_both else (*own, f"{side}Latitude", f"{side}Longitude")
    if field == "fromAddress":
        own = ("hotelName", "hotelCity") if is_stay else ()
        return (*own, *(f"from{name}" for name in _PLACES), "fromTimeZone")
    return ()


def _minute(time: datetime | None) -> str:
    return "" if time is None else f"{time:%Y-%m-%d %H:%M}"


_RANKS: Final = {
    message: rank
    for rank, message in enumerate(
        (
            "refusal",
            NO_END,
            NO_CLOCK,
            NO_TIME,
            NO_ZONE,
            SKIPPED,
            SHIFTED,
            TWO_CLOCKS,
            NO_YEAR,
            ENDS_BEFORE_START,
            LONG_STAY,
            TOO_LONG,
            LONG,
            TOO_FAST,
            FAST,
            UNCERTAIN,
            PLACED,
            COMPUTED,
            PLACEHOLDER,
            NO_AIRPORT,
            CITY,
        )
    )
}


def _position_problems(
    rows: Rows, segments_by_row: Sequence[Sequence[FileSegment]], number: int, is_live: Mask, *, are_stays: bool
) -> Iterator[Problem]:
    """Yield coordinates that contradict the country, the city, or the airport of their end."""
    size = len(rows)
    for side in ("from", "to"):
        pairs = [(f"{side}Latitude", f"{side}Longitude")]
        if are_stays:
            pairs.insert(0, ("hotelLatitude", "hotelLongitude"))
        for pair in pairs:
            latitude, longitude = (numbered_column(column, number) for column in pair)
            is_here = is_live & (rows.texts[latitude] != "").to_numpy(dtype=bool)
            ports: list[Airport | None] = [None] * size
            cities: list[str | None] = [None] * size
            countries: list[str | None] = [None] * size
            degrees = np.full((2, size), np.nan)
            for row in np.flatnonzero(is_here).tolist():
                for segment in segments_by_row[row]:
                    end = segment.start if side == "from" else segment.end
                    is_meant = segment.number == number and (segment.kind == "Hotel") == are_stays
                    if is_meant and "Latitude" in end.address:
                        resolved = segment.resolved.start if side == "from" else segment.resolved.end
                        ports[row], cities[row] = resolved.stated_airport, end.address.get("City")
                        countries[row] = end.address.get("Country")
                        degrees[:, row] = end.address["Latitude"], end.address.get("Longitude", np.nan)
            if not np.isnan(degrees[0]).all():
                y, x = degrees
                stated = Stated(countries, cities, ports)
                yield from conflict_problems(rows, (latitude, longitude), (y, x), stated)
