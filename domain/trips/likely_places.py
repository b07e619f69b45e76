"""The one place where each person most likely is, at any time, and when they are in transit or not covered.

The windows of a person often overlap: the airport of arrival stays open for a day while the hotel is open too, and the
airport of departure opens a day ahead. A person on a leg is at no place. Otherwise the likely place is the first in
this order:

1. an airport where the person landed within the last hour;
2. an airport from which the person departs within 2 hours;
3. a stay, the one that began last;
4. another place that the person has reached, the one they reached last;
5. a place that the person departs from, the first departure;
6. a place that the person departs from but has not reached, the first departure.

A stay gives way to a place that the person reached after the stay began, if it is too far away for one night, and to
the first departure, if it is too far away to drive there. The person cannot be at the stay then. Where places tie, the
one whose ID comes first is the likely place, and the status is *possible*.

Everything here is numpy over whole rosters: no loop runs over people.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from domain.trips.presences import (
    ALWAYS,
    ARRIVAL_CODE,
    KINDS,
    NEVER,
    STAY_CODE,
    Flags,
    Ints,
    Times,
    Whereabouts,
    are_apart,
)
from domain.trips.trip_night_checks import HOTEL_WITHIN_KM

THERE, ARRIVING, LEAVING, POSSIBLE = range(4)

# ASSUMPTION A68: the order of places above, how long people are at airports, and when a stay gives way.
TOO_FAR_TO_DRIVE_KM: Final = 1000.0
AT_AIRPORT_AFTER: Final = timedelta(hours=1) // timedelta(microseconds=1)
AT_AIRPORT_BEFORE: Final = timedelta(hours=2) // timedelta(microseconds=1)

_NOT_REACHED, _DEPARTURE, _VISIT, _STAY, _FAR_DEPARTURE, _FAR_VISIT, _BOARDING, _LANDED = range(8)
"""The ranks of a presence, the least likely first; the far ones are those to which a stay gives way."""
_AIR: Final = KINDS.index("Air")


@dataclass(frozen=True, eq=False)
class LikelyPlaces:
    """The times of all people, cut wherever any presence, leg, or trip of the person begins or ends.

    Interval k is from `time[k]` until `time[k + 1]`. In the last interval of each person there is nothing.
    """

    person: Ints
    """The code of the person, by interval, ascending."""
    time: Times
    """When the interval begins, in microseconds UTC since 1970, ascending for each person."""
    place: Ints
    """The code of the likely place, by interval; -1 if there is none."""
    status: npt.NDArray[np.int8]
    """`THERE`, `ARRIVING`, `LEAVING` or `POSSIBLE`, by interval; without meaning if there is no place."""
    is_tied: Flags
    """Whether another place is as likely, by interval."""
    tied_interval: Ints
    """The interval, by presence at another place that is as likely."""
    tied_presence: Ints
    """The position in `Whereabouts`, by presence at another place that is as likely."""
    gives_way: Flags
    """Whether the likely place is too far away from a stay that began before, by interval."""
    is_not_covered: Flags
    """Whether the person is on a trip and neither at a place nor in transit, by interval."""
    entry_interval: Ints
    """The interval, by entry. An entry is a presence at the likely place that is open in an interval."""
    entry_presence: Ints
    """The position in `Whereabouts`, by entry."""
    presence_first: Ints
    """The first interval, by presence of `Whereabouts`."""
    presence_end: Ints
    """The interval after the last, by presence of `Whereabouts`."""
    leg_first: Ints
    """The first interval, by leg of `Whereabouts`."""
    leg_end: Ints
    """The interval after the last, by leg of `Whereabouts`."""

    def is_on_leg(self, legs: Ints) -> Flags:
        """Return whether the person is on one of these legs, by interval."""
        return _covered(self.leg_first[legs], self.leg_end[legs], len(self.time))

    def intervals_at(self, at: int) -> Ints:
        """Return the interval of each person that contains a moment, if the person has one."""
        is_same = self.person[1:] == self.person[:-1]
        return np.flatnonzero(is_same & (self.time[:-1] <= at) & (self.time[1:] > at))

    def last_and_next(self, intervals: Ints) -> tuple[Ints, Ints]:
        """Find the last presence before, and the first after, each interval without any; -1 for none."""
        size, presences = len(self.time), np.arange(len(self.presence_end))
        ending, beginning = np.full(size + 1, -1), np.full(size + 1, -1)
        np.maximum.at(ending, self.presence_end, presences)
        np.maximum.at(beginning, self.presence_first, presences)
        at = np.arange(size + 1)
        last = np.maximum.accumulate(np.where(ending >= 0, at, -1))[intervals]
        following = np.minimum.accumulate(np.where(beginning >= 0, at, size)[::-1])[::-1][intervals]
        person = np.append(self.person, -1)
        return (
            np.where(person[last] == person[intervals], ending[last], -1),
            np.where(person[following] == person[intervals], beginning[following], -1),
        )


def find_likely_places(where: Whereabouts, place_order: Ints) -> LikelyPlaces:
    """Find everybody's likely place at all times; `place_order` is the rank of each place's ID."""
    trip_person, trip_begins, trip_ends = _trips(where)
    presences, legs = len(where.row), len(where.left)
    person = np.concatenate([where.person, where.person_of_leg, trip_person, where.person]).astype(np.int64)
    begins = np.concatenate([where.begins, where.departs, trip_begins, _airport_times(where)])
    times, time_rank = np.unique(np.concatenate([begins, where.ends, where.arrives, trip_ends]), return_inverse=True)
    span = np.int64(max(len(times), 1))
    people = np.concatenate([person, person[:-presences]]) if presences else person
    grid, position = np.unique(people * span + time_rank, return_inverse=True)
    first, end = position[: len(person)], position[len(person) :]
    grid_person, grid_rank = np.divmod(grid, span)
    size = len(grid)

    on_leg = slice(presences, presences + legs)
    is_on_leg = _covered(first[on_leg], end[on_leg], size)
    on_trip = slice(presences + legs, len(end))
    is_on_trip = _covered(first[on_trip], end[on_trip], size)

    interval, presence = expand_ranges(first[:presences], end[:presences])
    is_at_a_place = ~is_on_leg[interval]
    interval, presence = interval[is_at_a_place], presence[is_at_a_place]
    ranks = time_rank[:presences], time_rank[len(person) :][:presences], time_rank[len(end) : len(person)]
    scores = _Scores(where, *ranks, span)
    score = scores.of(presence, grid_rank[interval])
    place = where.place[presence]
    likely = _choose(interval, score, place, place_order, size)
    if _prefer_far_places(where, scores, likely, interval, presence, score):
        likely = _choose(interval, score, place, place_order, size)

    is_entry = likely.place[interval] == place
    as_likely = np.flatnonzero(likely.is_tied[interval] & ~is_entry)
    as_likely = as_likely[score[as_likely] == likely.score[interval[as_likely]]]
    tied_interval, tied_presence = interval[as_likely], presence[as_likely]
    interval, presence = interval[is_entry], presence[is_entry]
    status = np.full(size, THERE, dtype=np.int8)
    status[interval[where.is_departure[presence]]] = LEAVING
    status[likely.is_tied] = POSSIBLE
    status[likely.score < _DEPARTURE * span] = ARRIVING
    return LikelyPlaces(
        person=grid_person,
        time=times[grid_rank],
        place=likely.place,
        status=status,
        is_tied=likely.is_tied,
        tied_interval=tied_interval,
        tied_presence=tied_presence,
        gives_way=(likely.score >= _FAR_DEPARTURE * span) & (likely.score < _BOARDING * span),
        is_not_covered=is_on_trip & ~is_on_leg & (likely.place < 0),
        entry_interval=interval,
        entry_presence=presence,
        presence_first=first[:presences],
        presence_end=end[:presences],
        leg_first=first[on_leg],
        leg_end=end[on_leg],
    )


def _airport_times(where: Whereabouts) -> Times:
    """Return when people leave an airport after landing, or are at one to depart; the begin of other presences."""
    times = where.begins.copy()
    is_air, role = np.equal(where.windows.kind[where.row], _AIR), where.windows.role[where.row]
    landed = np.flatnonzero(is_air & (role == ARRIVAL_CODE) & (times != ALWAYS))
    times[landed] += AT_AIRPORT_AFTER
    boards = np.flatnonzero(is_air & where.is_departure & (where.ends != NEVER))
    times[boards] = np.maximum(where.ends[boards] - AT_AIRPORT_BEFORE, times[boards])
    return times


def _trips(where: Whereabouts) -> tuple[Ints, Times, Times]:
    """Return person, begin, and end of every trip: from the first window until the last."""
    _, first, trip = np.unique(where.person_trip, return_index=True, return_inverse=True)
    begins, ends = where.begins[first], where.expires[first]
    np.minimum.at(begins, trip, where.begins)
    np.maximum.at(ends, trip, where.expires)
    return where.person[first], begins, ends


def _covered(first: Ints, end: Ints, size: int) -> Flags:
    """Return which intervals are in any of the ranges."""
    steps = np.bincount(first, minlength=size) - np.bincount(end, minlength=size)
    return np.cumsum(steps[:size]) > 0


def expand_ranges(first: Ints, end: Ints) -> tuple[Ints, Ints]:
    """Return each interval of each range, and the number of the range."""
    lengths = end - first
    before = np.cumsum(lengths) - lengths
    number = np.repeat(np.arange(len(first), dtype=np.int32), lengths)
    return np.arange(len(number)) + np.repeat(first - before, lengths), number


class _Scores:
    """How likely each presence is: its rank, and within the rank the order of times."""

    def __init__(self, where: Whereabouts, begins: Ints, ends: Ints, at_airport: Ints, span: np.int64) -> None:
        """Take the ranks, among `span` times, of the times of all presences."""
        is_departure = where.is_departure
        is_stay = np.equal(where.windows.role[where.row], STAY_CODE)
        self.span = span
        self._score = np.where(
            is_departure, _DEPARTURE * span + span - 1 - ends, np.where(is_stay, _STAY, _VISIT) * span + begins
        )
        is_air = np.equal(where.windows.kind[where.row], _AIR)
        self._boards_from = np.where(is_departure & is_air & (where.ends != NEVER), at_airport, span)
        self._landed_until = np.where(is_departure, -1, at_airport)
        self._not_reached_until = np.full(len(begins), -1, dtype=np.int64)
        departures, visits = np.flatnonzero(is_departure), np.flatnonzero(~is_departure)
        if len(visits):
            pair = where.person.astype(np.int64) * (int(where.place.max()) + 1) + where.place
            # Before all others one of no pair, for departures that no visit comes before.
            reached = np.append(np.int64(-1), np.sort(pair[visits] * span + begins[visits]))
            last = reached[np.searchsorted(reached, pair[departures] * span + ends[departures]) - 1]
            self._not_reached_until[departures] = np.where(last // span == pair[departures], last % span, -1)

    def of(self, presence: Ints, at: Ints) -> Times:
        """Return the score of each presence at a time."""
        is_reached = at >= self._not_reached_until[presence]
        ranks = (_LANDED - _VISIT) * (at < self._landed_until[presence])
        ranks += (_BOARDING - _DEPARTURE) * (is_reached & (at >= self._boards_from[presence]))
        ranks += (_NOT_REACHED - _DEPARTURE) * ~is_reached
        score: Times = self._score[presence] + self.span * ranks
        return score


class _Choice(NamedTuple):
    place: Ints
    is_tied: Flags
    score: Times


def _choose(interval: Ints, score: Times, place: Ints, place_order: Ints, size: int) -> _Choice:
    """Return the likely place of each interval from the scores of its entries; -1 if there is none."""
    best = np.full(size, -1, dtype=np.int64)
    np.maximum.at(best, interval, score)
    won = score == best[interval]
    interval, order = interval[won], place_order[place[won]]
    lowest, highest = np.full(size, len(place_order), dtype=np.int64), np.full(size, -1, dtype=np.int64)
    np.minimum.at(lowest, interval, order)
    np.maximum.at(highest, interval, order)
    places = np.append(np.argsort(place_order), -1)
    return _Choice(places[lowest], (lowest < highest), best)


def _prefer_far_places(
    where: Whereabouts, scores: _Scores, likely: _Choice, interval: Ints, presence: Ints, score: Times
) -> bool:
    """Raise the score, in place, of places that a likely stay gives way to. Return whether there are any."""
    rank, at_best = score // scores.span, likely.score[interval]
    beside_stay = np.flatnonzero((at_best // scores.span == _STAY) & ((rank == _VISIT) | (rank == _DEPARTURE)))
    interval, presence = interval[beside_stay], presence[beside_stay]
    rank, own = rank[beside_stay], score[beside_stay]
    first_departure = np.full(len(likely.score), -1, dtype=np.int64)
    np.maximum.at(first_departure, interval, np.where(rank == _DEPARTURE, own, -1))
    came_later = (rank == _VISIT) & (own % scores.span > likely.score[interval] % scores.span)
    considered = np.flatnonzero(came_later | (own == first_departure[interval]))
    limit = np.where(came_later[considered], HOTEL_WITHIN_KM, TOO_FAR_TO_DRIVE_KM)
    stay, other = likely.place[interval[considered]], where.place[presence[considered]]
    preferred = beside_stay[considered[are_apart(where.windows, stay, other, limit)]]
    score[preferred] += (_FAR_VISIT - _VISIT) * scores.span
    return bool(len(preferred))
