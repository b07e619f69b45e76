"""Dates of trips that can be read but are probably wrong: in the past, of another year, or far from the others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Final

import numpy as np
import numpy.typing as npt

from domain.file_import.column_types import Mask
from domain.file_import.row_problems import Problem, Rows
from domain.trips.trip_import.file_segments import FileSegment, numbered_column

PAST_DAYS: Final = 3
"""A segment that ended more days ago is past."""
YEAR_AGO_DAYS: Final = 330
YEAR_AHEAD_DAYS: Final = 366
"""Airlines sell flights for less than a year ahead."""
FAR_DAYS: Final = 120
"""Dates without another date in so many days are far from the others."""
MIN_OTHERS: Final = 4
MOST: Final = 0.75
"""The share of dates that are together, if the rest counts as far from them."""
HALF: Final = 0.5
UNLIKE: Final = "The date is months or years from the other dates in the file. Correct the date, or confirm it above."
PAST: Final = "The date is in the past. Check the day, the month, and the year."
OTHER_YEAR: Final = "The date is about a year or more from today. The year may be mistyped."
FAR: Final = "The date is far from the other dates in the file. Check the day, the month, and the year."
_SUMMARIES: Final = {
    OTHER_YEAR: ("row has a date about a year or more from today", "rows have dates about a year or more from today"),
    PAST: ("row has a date in the past", "rows have dates in the past"),
    FAR: ("row has a date far from the others", "rows have dates far from the others"),
}
_TIMES: Final = ("checkIn", "fromDate", "fromClock", "fromDateTime")

Days = npt.NDArray[np.int64]


def date_warnings(
    rows: Rows, segments_by_row: Sequence[Sequence[FileSegment]], *, is_live: Mask, today: date
) -> Iterator[Problem]:
    """Yield a warning for each segment that is past, a year or more from today, or far from the others."""
    found = [
        (segment, row, local.toordinal())
        for row, some in enumerate(segments_by_row)
        for segment in some
        if (local := segment.resolved.start.local) is not None and is_live[row]
    ]
    if not found:
        return
    segments, row_numbers, days = zip(*found, strict=True)
    start = np.array(days, dtype=np.int64)
    end = np.maximum(
        start, [0 if (local := each.resolved.end.local) is None else local.toordinal() for each in segments]
    )
    now = today.toordinal()
    is_other_year = (start > now + YEAR_AHEAD_DAYS) | (end < now - YEAR_AGO_DAYS)
    is_past = ~is_other_year & (end < now - PAST_DAYS)
    is_far = ~is_other_year & ~is_past & _far_from_others(start)
    # Among trips to come, these need a decision.
    is_unlike = is_other_year | (end < now - FAR_DAYS)
    is_unlike &= ~np.asarray(rows.options.are_dates_right or is_unlike.mean() > HALF)
    row_of = np.array(row_numbers)
    for message, mask in (
        (UNLIKE, is_unlike),
        (OTHER_YEAR, is_other_year & ~is_unlike),
        (PAST, is_past & ~is_unlike),
        (FAR, is_far),
    ):
        groups: dict[str, list[int]] = {}
        for place in np.flatnonzero(mask).tolist():
            groups.setdefault(time_column(segments[place]), []).append(place)
        for column, places in groups.items():
            in_rows = np.zeros(len(rows), dtype=bool)
            in_rows[row_of[places]] = True
            if message == UNLIKE:
                yield Problem(in_rows, column, message, question="dates")
            else:
                yield Problem(in_rows, column, message, is_error=False, summary=_SUMMARIES[message])


def _far_from_others(days: Days) -> Mask:
    """Return which days are outside the group that holds most of them."""
    order = np.argsort(days, kind="stable")
    group = np.zeros(len(days), dtype=np.int64)
    group[order] = np.concatenate([[0], np.cumsum(np.diff(days[order]) > FAR_DAYS)])
    sizes = np.bincount(group)
    largest = int(sizes.argmax())
    if sizes[largest] < max(MIN_OTHERS, MOST * len(days)):
        return np.zeros(len(days), dtype=bool)
    return np.asarray(group != largest, dtype=bool)


def time_column(segment: FileSegment) -> str:
    """Return the column of the start of a segment that the file has."""
    is_stay = segment.kind == "Hotel"
    names = [name for name in _TIMES if name in segment.filled and (is_stay or name != "checkIn")]
    return numbered_column(names[0] if names else "fromDate", segment.number)
