"""People counted by place and hour, as the map of expected locations draws them.

Everybody is counted at their likely place (see `likely_places`) at each full hour, so an hour's column holds what
`roster_view.look` finds at that moment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Final

import numpy as np
import numpy.typing as npt

from domain.expected_locations.at_moment import STATUSES
from domain.expected_locations.location_frame import Locations
from domain.expected_locations.roster_view import Filters, Selection
from domain.trips.presences import Flags, Ints, Times

HOURS: Final = 14 * 24
ARCS_PER_HOUR: Final = 150
"""How many arcs there are in an hour, those of most people; the others are in the counts only."""
_HOUR: Final = 3_600_000_000
_MINUTE: Final = 60_000_000
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MOST_PEOPLE: Final = np.iinfo(np.uint16).max
_MOST_PLACES: Final = np.iinfo(np.int16).max


@dataclass(frozen=True, eq=False)
class Arcs:
    """People in transit between two places of `PlaceHours`: one entry per pair of places and pair of hours."""

    origin: npt.NDArray[np.int16]
    """Index of the place of departure, by arc."""
    destination: npt.NDArray[np.int16]
    """Index of the place of arrival, by arc."""
    departs: npt.NDArray[np.int32]
    """Minutes since `PlaceHours.first_hour`, of the first departure, by arc; negative if it is earlier."""
    arrives: npt.NDArray[np.int32]
    """Minutes since `PlaceHours.first_hour`, of the last arrival, by arc."""
    people: npt.NDArray[np.uint16]
    """People in transit, by arc."""


@dataclass(frozen=True, eq=False)
class PlaceHours:
    """People by hour and place, H hours and P places with coordinates. Each person is at one place in an hour."""

    first_hour: datetime
    """A full hour in UTC. Row h of each table is this hour plus h hours."""
    place_ids: Sequence[str]
    labels: Sequence[str]
    latitude: npt.NDArray[np.float32]
    """Decimal degrees, by place."""
    longitude: npt.NDArray[np.float32]
    """Decimal degrees, by place."""
    people: npt.NDArray[np.uint16]
    """People whose likely place this is, H x P."""
    status: npt.NDArray[np.uint8]
    """What most of them are, H x P: an index of `STATUSES`."""
    at_places: npt.NDArray[np.int32]
    """People at any place, by hour, including places without coordinates."""
    in_transit: npt.NDArray[np.int32]
    """People in transit, by hour."""
    not_covered: npt.NDArray[np.int32]
    """People with no expected location, by hour."""
    arcs: Arcs
    moment: int | None = None
    """Minutes since `first_hour` of the one row that counts at this moment within its hour; None if there is none."""

    @cached_property
    def without_arc(self) -> npt.NDArray[np.int64]:
        """People in transit whom no arc shows, by hour: to places without coordinates, or in the smallest groups."""
        hours = len(self.in_transit)
        first, end = (np.clip(-(-each // 60), 0, hours) for each in (self.arcs.departs, self.arcs.arrives))
        left_out: npt.NDArray[np.int64] = self.in_transit - _by_hour(first, end, hours, self.arcs.people)
        return left_out.clip(0)


NO_PEOPLE: Final = PlaceHours(
    first_hour=_EPOCH,
    place_ids=(),
    labels=(),
    latitude=np.zeros(0, np.float32),
    longitude=np.zeros(0, np.float32),
    people=np.zeros((1, 0), np.uint16),
    status=np.zeros((1, 0), np.uint8),
    at_places=np.zeros(1, np.int32),
    in_transit=np.zeros(1, np.int32),
    not_covered=np.zeros(1, np.int32),
    arcs=Arcs(
        origin=np.zeros(0, np.int16),
        destination=np.zeros(0, np.int16),
        departs=np.zeros(0, np.int32),
        arrives=np.zeros(0, np.int32),
        people=np.zeros(0, np.uint16),
    ),
)
"""One hour without places, for a map on which an area is drawn."""


def place_hours(locations: Locations, filters: Filters, first_hour: datetime, hours: int = HOURS) -> PlaceHours:
    """Count people by place and hour from a full hour in UTC; the same object until the data or the filters change."""
    key = ("place hours", filters, first_hour, hours)
    return locations.memo.get(key, lambda: _Count(locations, filters, first_hour, hours).result())


class _Count:
    """The counts of one roster through one set of filters."""

    def __init__(self, locations: Locations, filters: Filters, first_hour: datetime, hours: int) -> None:
        self._locations, self._first_hour, self._hours = locations, first_hour, hours
        self._begins_at = (first_hour - _EPOCH) // timedelta(microseconds=1)
        self._selects_people = filters.choose_people
        self._selection = Selection.of(locations, filters)
        # Interval k of the likely places holds the full hours from `_hour[k]` until before `_hour[k + 1]`.
        self._hour = self._next_hour(locations.likely_places.time)
        self._has_hour = np.append(self._hour[:-1] < self._hour[1:], False)

    def result(self) -> PlaceHours:
        """Count everything."""
        places = self._locations.places
        is_shown = self._shown_intervals()
        legs, in_transit = self._in_transit()
        position = places["latitude"].to_numpy(dtype=np.float64), places["longitude"].to_numpy(dtype=np.float64)
        windows = self._locations.whereabouts.windows
        ends = np.stack(
            [
                windows.place[self._locations.whereabouts.left[legs]],
                windows.place[self._locations.whereabouts.reached[legs]],
            ]
        )
        # Also places where people are within an hour only, so that a moment between two hours can be shown.
        has_people = np.zeros(len(places), dtype=bool)
        has_people[self._locations.likely_places.place[is_shown]] = True
        has_people[ends] = True
        shown = np.flatnonzero(has_people & np.isfinite(position[0]) & np.isfinite(position[1]))
        index = np.full(len(places), -1)
        index[shown] = np.arange(len(shown))
        people, status = self._at_places(is_shown, index, len(shown))
        return PlaceHours(
            first_hour=self._first_hour,
            place_ids=places["place_id"].iloc[shown].tolist(),
            labels=places["label"].iloc[shown].tolist(),
            latitude=position[0][shown].astype(np.float32),
            longitude=position[1][shown].astype(np.float32),
            people=people.clip(max=_MOST_PEOPLE).astype(np.uint16).T.copy(),
            status=status.T.copy(),
            at_places=self._people_in(is_shown),
            in_transit=in_transit,
            not_covered=self._not_covered(),
            arcs=self._arcs(legs, *index[ends]),
        )

    def _shown_intervals(self) -> Flags:
        """The intervals with a place, within the hours, that pass the filters."""
        likely, selection = self._locations.likely_places, self._selection
        is_shown = (likely.place >= 0) & selection.statuses[likely.status]
        is_shown &= likely.time < self._begins_at + self._hours * _HOUR
        is_shown &= np.append(likely.time[1:] > self._begins_at, False)
        if self._selects_people:
            where = self._locations.whereabouts
            passes = selection.has_record(where.row)
            has_entry = np.zeros(len(is_shown), dtype=bool)
            has_entry[likely.entry_interval[passes[likely.entry_presence]]] = True
            is_shown &= has_entry
        return is_shown

    def _at_places(
        self, is_shown: Flags, index: Ints, count: int
    ) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8]]:
        """People by place and hour, and what most of them are, of the places that have an index."""
        likely = self._locations.likely_places
        intervals = np.flatnonzero(is_shown & self._has_hour)
        intervals = intervals[index[likely.place[intervals]] >= 0]
        shape = count, self._hours + 1
        people, most, status = np.zeros(shape, np.int32), np.zeros(shape, np.int32), np.zeros(shape, np.uint8)
        for code in range(len(STATUSES)):
            of_status = intervals[likely.status[intervals] == code]
            row = index[likely.place[of_status]] * shape[1]
            steps = np.bincount(row + self._hour[of_status], minlength=people.size)
            steps -= np.bincount(row + self._hour[of_status + 1], minlength=people.size)
            of_them = np.cumsum(steps.reshape(shape), axis=1, dtype=np.int32)
            people += of_them
            status[of_them > most] = code
            np.maximum(most, of_them, out=most)
        return people[:, :-1], status[:, :-1]

    def _in_transit(self) -> tuple[Ints, npt.NDArray[np.int32]]:
        """The legs that count, as positions in `Whereabouts`, and people in transit by hour."""
        where = self._locations.whereabouts
        legs = np.arange(len(where.left)) if self._selection.in_transit else np.empty(0, dtype=np.int64)
        legs = legs[self._next_hour(where.departs[legs]) < self._next_hour(where.arrives[legs])]
        legs = legs[self._selection.has_leg(legs)]
        return legs, self._people_in(self._locations.likely_places.is_on_leg(legs))

    def _not_covered(self) -> npt.NDArray[np.int32]:
        """People not covered by hour."""
        likely = self._locations.likely_places
        if not self._selects_people:
            return self._people_in(likely.is_not_covered)
        gaps = np.flatnonzero(likely.is_not_covered & self._has_hour)
        last, following = likely.last_and_next(gaps)
        is_shown = np.zeros(len(likely.time), dtype=bool)
        is_shown[gaps[self._selection.has_person(likely.person[gaps], last, following)]] = True
        return self._people_in(is_shown)

    def _arcs(self, legs: Ints, origin: Ints, destination: Ints) -> Arcs:
        """The arcs of most people in each hour; origin and destination of each leg are indexes, -1 for none."""
        is_drawn = (origin >= 0) & (destination >= 0) & (np.maximum(origin, destination) <= _MOST_PLACES)
        legs, origin, destination = legs[is_drawn], origin[is_drawn], destination[is_drawn]
        where = self._locations.whereabouts
        departs, arrives = where.departs[legs] - self._begins_at, where.arrives[legs] - self._begins_at
        first, end = self._next_hour(where.departs[legs]), self._next_hour(where.arrives[legs])
        keys = ((origin * np.int64(_MOST_PLACES + 1) + destination) * (self._hours + 1) + first) * (
            self._hours + 1
        ) + end
        _, one, group, people = np.unique(keys, return_index=True, return_inverse=True, return_counts=True)
        first_departure, last_arrival = departs[one], arrives[one]
        np.minimum.at(first_departure, group, departs)
        np.maximum.at(last_arrival, group, arrives)
        largest = _largest_by_hour(first[one], end[one], people)
        one = one[largest]
        return Arcs(
            origin=origin[one].astype(np.int16),
            destination=destination[one].astype(np.int16),
            departs=(first_departure[largest] // _MINUTE).astype(np.int32),
            arrives=-(-last_arrival[largest] // _MINUTE).astype(np.int32),
            people=np.minimum(people[largest], _MOST_PEOPLE).astype(np.uint16),
        )

    def _people_in(self, is_counted: Flags) -> npt.NDArray[np.int32]:
        """How many of the intervals hold each hour."""
        intervals = np.flatnonzero(is_counted & self._has_hour)
        return _by_hour(self._hour[intervals], self._hour[intervals + 1], self._hours).astype(np.int32)

    def _next_hour(self, times: Times) -> Ints:
        """The first full hour at or after each time, as an index from 0 to the number of hours."""
        return np.clip(-((self._begins_at - times) // _HOUR), 0, self._hours).astype(np.int32)


def _by_hour(first: Ints, end: Ints, hours: int, people: Ints | None = None) -> npt.NDArray[np.int64]:
    """How many ranges hold each hour, or how many people they have."""
    steps = np.bincount(first, people, hours + 1) - np.bincount(end, people, hours + 1)
    return np.cumsum(steps)[:hours].astype(np.int64)


def _largest_by_hour(first: Ints, end: Ints, people: Ints) -> Ints:
    """The groups that are among the largest in any of their hours."""
    lengths = end - first
    group = np.repeat(np.arange(len(first)), lengths)
    hour = np.arange(len(group)) + np.repeat(first - (np.cumsum(lengths) - lengths), lengths)
    # Sorted by hour, then by people, then by group.
    keys = np.sort((hour << 48) | ((_MOST_PEOPLE - np.minimum(people, _MOST_PEOPLE)[group]) << 32) | group)
    hour = keys >> 48
    groups = np.bincount(hour)
    rank = np.arange(len(keys)) - (np.cumsum(groups) - groups)[hour]
    return np.unique(keys[rank < ARCS_PER_HOUR] & 0xFFFFFFFF)
