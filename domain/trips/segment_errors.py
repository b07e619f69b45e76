"""Errors of a segment beyond the rules of the interface, in the editor and in files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from domain.trips.resolved_segments import ENDS_BEFORE_START, ResolvedSegment, has_unlocatable_code

NO_AIRPORT: Final = "No airport or city has this code. Correct the code, or enter coordinates."


class SegmentError(NamedTuple):
    """An error in a field at one end of a segment."""

    side: Literal["start", "end"]
    field: Literal["code", "time"]
    message: str


def segment_errors(segment: ResolvedSegment) -> Iterator[SegmentError]:
    """Yield codes without an airport, and an end before the start."""
    if has_unlocatable_code(segment.kind, segment.start):
        yield SegmentError("start", "code", NO_AIRPORT)
    if not segment.has_one_place and has_unlocatable_code(segment.kind, segment.end):
        yield SegmentError("end", "code", NO_AIRPORT)
    if segment.ends_before_start:
        yield SegmentError("end", "time", ENDS_BEFORE_START)
