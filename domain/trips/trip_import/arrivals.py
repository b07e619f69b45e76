"""Arrivals of which a file doesn't say all: the day worked out by true time, the time by the duration.

Times are milliseconds, NO_TIME where none is known; local ones are as if the clocks showed UTC.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from domain.file_import.column_types import Mask
from domain.trips.trip_import.wall_clocks import DAY, NO_TIME, Objects, Times, true_times, wall_clocks

AGREES_WITHIN: Final = 30 * 60_000
"""A duration may be that in the air, and times those at the gates."""
_DAYS: Final = range(-2, 4)
"""Days after that of the departure on which a journey of up to 24 hours can end, all zones considered."""


@dataclass(frozen=True)
class Arrivals:
    """The arrivals of segments as far as they are known, and how: each mask tells of which segments it is so."""

    local: Times
    moment: Times
    is_uncertain: Mask
    """No day, or more than one, gives a duration above 0 and up to 24 hours."""
    is_placed: Mask
    """The day was worked out, and isn't the day of the departure."""
    is_computed: Mask
    """The time was worked out by the duration."""
    is_placeholder: Mask
    """A time is 00:00 because the file doesn't know it."""


def work_out_arrivals(
    moves: Mask,
    departure: tuple[Times, Times],
    arrival: tuple[Times, Times],
    clock: Times,
    zone: Objects,
    duration: Times,
) -> Arrivals:
    """Complete the arrivals of the segments that move.

    `departure` and `arrival` are local times and moments, `clock` the time of day of an arrival without a day (more
    than a day where it says "+1"), `zone` the zone of the arrival.
    """
    # ASSUMPTION A402
    left, leaves = departure
    local, moment = arrival
    day, is_uncertain, is_placed = _placed(moves, left, leaves, clock, zone)
    local = np.where(day != NO_TIME, day, local)
    moment = np.where((day != NO_TIME) & (moment == NO_TIME), true_times(day, zone), moment)
    is_midnight = ((local != NO_TIME) & (local % DAY == 0)) | ((clock != NO_TIME) & (clock % DAY == 0))
    leaves_at_midnight = (left != NO_TIME) & (left % DAY == 0)
    has_duration = moves & (duration != NO_TIME) & (leaves != NO_TIME)
    if not has_duration.any():
        is_placeholder = moves & leaves_at_midnight & is_midnight
        return Arrivals(
            local, moment, is_uncertain & ~is_placeholder, is_placed & ~is_placeholder, has_duration, is_placeholder
        )
    ends = np.where(has_duration, leaves + np.where(has_duration, duration, 0), NO_TIME)
    agrees = has_duration & (moment != NO_TIME) & (np.abs(np.where(has_duration, moment - ends, 0)) <= AGREES_WITHIN)
    is_placeholder = moves & leaves_at_midnight & ~agrees & (is_midnight | (has_duration & (moment != NO_TIME)))
    is_computed = has_duration & ~agrees & ~is_placeholder & (is_midnight | (moment == NO_TIME))
    moment = np.where(is_computed, ends, moment)
    local = np.where(is_computed, wall_clocks(np.where(is_computed, ends, NO_TIME), zone), local)
    settled = is_computed | is_placeholder
    return Arrivals(local, moment, is_uncertain & ~settled, is_placed & ~settled, is_computed, is_placeholder)


def _placed(moves: Mask, left: Times, leaves: Times, clock: Times, zone: Objects) -> tuple[Times, Mask, Mask]:
    """Local times of arrivals without a day, where one day alone fits; where none does, and where it is another day."""
    asked = np.flatnonzero(moves & (clock != NO_TIME))
    found, is_uncertain, is_placed = (
        np.full(len(moves), NO_TIME),
        np.zeros(len(moves), bool),
        np.zeros(len(moves), bool),
    )
    if not len(asked):
        return found, is_uncertain, is_placed
    is_known = left[asked] != NO_TIME
    start = np.where(is_known, left[asked] - left[asked] % DAY, 0)
    of_day, says_day = clock[asked], clock[asked] >= DAY
    chosen, number = np.full(len(asked), NO_TIME), np.zeros(len(asked), dtype=np.int64)
    for days in _DAYS:
        local = start + days * DAY + of_day
        true = true_times(local, zone[asked])
        lasts = np.where((true != NO_TIME) & (leaves[asked] != NO_TIME), true - leaves[asked], -1)
        fits = is_known & np.where(says_day, days == 0, (lasts > 0) & (lasts <= DAY))
        chosen, number = np.where(fits, local, chosen), number + fits
    is_one = number == 1
    found[asked] = np.where(is_one, chosen, NO_TIME)
    is_uncertain[asked] = is_known & ~is_one
    is_placed[asked] = is_one & ~says_day & (chosen - chosen % DAY != start)
    return found, is_uncertain, is_placed
