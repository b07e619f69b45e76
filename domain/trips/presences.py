"""Where each person is, as far as the windows of expected locations say: at a place, in transit, or neither.

The service gives windows, most of them a day long, and people read them as *where someone is*. A traveler who lands at
noon and flies on at two is expected at the airport until noon of the next day. So the windows of one trip are read
together:

- A departure happens when its window closes, an arrival when its window opens. Departures and arrivals of one person,
  trip and kind of segment pair into legs.
- A person is in transit from the departure of a leg until its arrival. A car that is kept for longer than a drive is a
  rental and moves no one, and neither does a pair that is longer than any flight.
- A departure ends every stay of its trip that began before it. Nobody is at a place after they left. A stay at a hotel
  goes on when the person arrives near it again, and a rental does not end it.
- A record without a beginning is ended by no departure, since nothing says which of them is later.

Everything here is numpy over whole rosters: no loop runs over records.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from client.vocabulary.itineraries import SEGMENT_TYPES
from domain.geography.distance import WGS84
from domain.trips.trip_night_checks import HOTEL_WITHIN_KM
from domain.trips.trip_travel_checks import LONGEST_DRIVE

Ints = npt.NDArray[np.integer]
Times = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

# ASSUMPTION A60: the values of travelType; any other word, and none, is a stay at a hotel, else "Other".
DEPARTURE: Final = "Departure"
ARRIVAL: Final = "Arrival"
STAY: Final = "Stay"
OTHER: Final = "Other"
ROLES: Final = (DEPARTURE, ARRIVAL, STAY, OTHER)
KINDS: Final = (*SEGMENT_TYPES, OTHER)
# ASSUMPTION A61: past every time a window can hold, where a record says no beginning, or no end.
ALWAYS: Final = np.int64(-(2**62))
NEVER: Final = np.int64(2**62)

_DEPARTURE, ARRIVAL_CODE, STAY_CODE, _ = range(len(ROLES))
_CAR: Final = KINDS.index("Car")
_ROLE_CODES: Final = {role.casefold(): code for code, role in enumerate(ROLES)}
_KIND_CODES: Final = {kind: code for code, kind in enumerate(KINDS)}
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)
# ASSUMPTION A67: the longest a pair of departure and arrival takes, by kind, for the person to be in transit meanwhile.
_LIMITS: Final = {"Air": timedelta(hours=24), "Car": LONGEST_DRIVE}
_LONGEST: Final = np.array(
    [_LIMITS[kind] // _MICROSECOND if kind in _LIMITS else NEVER for kind in KINDS], dtype=np.int64
)


def kind_code(kind: str | None) -> int:
    """Return the index of a segment type in `KINDS`."""
    return _KIND_CODES.get(kind or OTHER, _KIND_CODES[OTHER])


def role_code(travel_type: str | None, kind: int) -> int:
    """Return the index in `ROLES` of a record's travelType, ignoring case. `kind` is an index in `KINDS`."""
    code = _ROLE_CODES.get((travel_type or "").strip().casefold())
    if code is not None:
        return code
    return ROLES.index(STAY) if KINDS[kind] == "Hotel" else ROLES.index(OTHER)


def opening(at: datetime | None) -> int:
    """Convert the beginning of a window to microseconds UTC since 1970; `ALWAYS` for None."""
    return int(ALWAYS) if at is None else (at - _EPOCH) // _MICROSECOND


def closing(at: datetime | None) -> int:
    """Convert the end of a window to microseconds UTC since 1970; `NEVER` for None."""
    return int(NEVER) if at is None else (at - _EPOCH) // _MICROSECOND


@dataclass(frozen=True, eq=False)
class Windows:
    """Expected locations as arrays of equal length. Those of a trip are in the service's order."""

    person: Ints
    """A code for each person, from 0."""
    trip: Ints
    """A code for each itinerary, from 0."""
    place: Ints
    """An index in `latitude` and `longitude`."""
    kind: Ints
    """An index in `KINDS`."""
    role: Ints
    """An index in `ROLES`."""
    arrives: Times
    """When the window opens, in microseconds UTC since 1970; `ALWAYS` if unknown."""
    expires: Times
    """When the window closes, in the same unit; `NEVER` if unknown."""
    latitude: Floats
    """By place, in decimal degrees; NaN where unknown."""
    longitude: Floats
    """By place, in decimal degrees; NaN where unknown."""

    @property
    def person_trip(self) -> Times:
        """A code for each person on each trip."""
        return self.person.astype(np.int64) * (int(self.trip.max(initial=0)) + 1) + self.trip


class WindowRow(NamedTuple):
    """One expected location of a trip. The fields are those of `Windows`."""

    person: str
    kind: str | None
    travel_type: str | None
    arrives: datetime | None
    expires: datetime | None
    position: tuple[float, float] | None


def windows_of_trip(rows: Sequence[WindowRow]) -> Windows:
    """Build the windows of one trip, each with its own place."""
    people = {person: code for code, person in enumerate(dict.fromkeys(row.person for row in rows))}
    kinds = [kind_code(row.kind) for row in rows]
    positions = np.array([row.position or (np.nan, np.nan) for row in rows], dtype=np.float64).reshape(-1, 2)
    return Windows(
        person=np.array([people[row.person] for row in rows], dtype=np.int64),
        trip=np.zeros(len(rows), dtype=np.int64),
        place=np.arange(len(rows)),
        kind=np.array(kinds, dtype=np.int64),
        role=np.array([role_code(row.travel_type, kind) for row, kind in zip(rows, kinds, strict=True)], np.int64),
        arrives=np.array([opening(row.arrives) for row in rows], dtype=np.int64),
        expires=np.array([closing(row.expires) for row in rows], dtype=np.int64),
        latitude=positions[:, 0],
        longitude=positions[:, 1],
    )


@dataclass(frozen=True, eq=False)
class Whereabouts:
    """Presences at places and legs between them, of everyone and for all time.

    A presence is a period of time at a place. Most windows have one; an interrupted hotel stay has several.
    """

    windows: Windows
    row: Ints
    """By presence: its window, ascending."""
    begins: Times
    """By presence, in microseconds UTC since 1970; `ALWAYS` if unknown."""
    ends: Times
    """By presence, exclusive and after `begins`, in the same unit; `NEVER` if unknown."""
    left: Ints
    """By leg with a person in transit: the window of its departure, ascending."""
    reached: Ints
    """By leg: the window of its arrival."""

    @cached_property
    def person(self) -> Ints:
        """By presence: the code of the person."""
        return self.windows.person[self.row]

    @cached_property
    def place(self) -> Ints:
        """By presence: the code of the place."""
        return self.windows.place[self.row]

    @cached_property
    def is_departure(self) -> Flags:
        """By presence: whether its window is the one before a departure."""
        return np.equal(self.windows.role[self.row], _DEPARTURE)

    @cached_property
    def person_trip(self) -> Times:
        """By presence: the code of the person on the trip."""
        return self.windows.person_trip[self.row]

    @cached_property
    def expires(self) -> Times:
        """By presence: when its window closes, even if the person leaves earlier."""
        return np.maximum(self.windows.expires, self.windows.arrives + 1)[self.row]

    @cached_property
    def person_of_leg(self) -> Ints:
        """By leg: the code of the person."""
        return self.windows.person[self.left]

    @cached_property
    def departs(self) -> Times:
        """When each leg begins."""
        return self.windows.expires[self.left]

    @cached_property
    def arrives(self) -> Times:
        """When each leg ends, after it begins."""
        return self.windows.arrives[self.reached]


def find_whereabouts(windows: Windows) -> Whereabouts:
    """Find presences and legs by the rules in the module's docstring."""
    left, reached = pair_legs(windows)
    lasts = windows.arrives[reached] - windows.expires[left]
    moves = (lasts > 0) & (lasts <= _LONGEST[windows.kind[left]])
    left, reached = left[moves], reached[moves]

    # ASSUMPTION A66: a later departure of the same person and trip ends a stay.
    person_trip, role = windows.person_trip, windows.role
    closes = np.maximum(windows.expires, windows.arrives + 1)
    departing = (role == _DEPARTURE) & (windows.expires != NEVER)
    has_beginning = windows.arrives != ALWAYS
    departures = _Events(person_trip, windows.expires, np.flatnonzero(departing))
    visits = np.flatnonzero((role != _DEPARTURE) & (role != STAY_CODE) & has_beginning)
    if len(departures.rows):
        next_departure = departures.at[departures.first_after(person_trip[visits], windows.arrives[visits])]
        closes[visits] = np.minimum(closes[visits], next_departure)

    departing[windows.kind == _CAR] = False
    departing[left] = True
    journeys = _Events(person_trip, windows.expires, np.flatnonzero(departing))
    arrivals = _Events(person_trip, windows.arrives, np.flatnonzero((role == ARRIVAL_CODE) & has_beginning))
    row, begins, ends = _interrupt_stays(windows, person_trip, closes, journeys, arrivals)
    return Whereabouts(windows, row, begins, ends, left, reached)


def pair_legs(windows: Windows) -> tuple[Ints, Ints]:
    """Pair departures with arrivals of the same person, trip, and type; return the windows of both, sorted by the
    first.

    Where there are as many departures as arrivals, and each is before its arrival, they pair in the service's order.
    Otherwise a departure pairs with the next arrival if there is no other departure between them.
    """
    group = windows.person_trip * len(KINDS) + windows.kind
    departures = np.flatnonzero((windows.role == _DEPARTURE) & (windows.expires != NEVER))
    arrivals = np.flatnonzero((windows.role == ARRIVAL_CODE) & (windows.arrives != ALWAYS))
    groups, codes = np.unique(np.concatenate([group[departures], group[arrivals]]), return_inverse=True)
    of_departure, of_arrival = codes[: len(departures)], codes[len(departures) :]
    departures = departures[np.argsort(of_departure, kind="stable")]
    arrivals = arrivals[np.argsort(of_arrival, kind="stable")]
    of_departure, of_arrival = np.sort(of_departure), np.sort(of_arrival)

    as_listed = np.bincount(of_departure, minlength=len(groups)) == np.bincount(of_arrival, minlength=len(groups))
    left, reached = departures[as_listed[of_departure]], arrivals[as_listed[of_arrival]]
    of_pair = of_departure[as_listed[of_departure]]
    as_listed[of_pair[windows.expires[left] > windows.arrives[reached]]] = False
    left, reached = left[as_listed[of_pair]], reached[as_listed[of_pair]]

    others = ~as_listed[of_departure], ~as_listed[of_arrival]
    rows = np.concatenate([departures[others[0]], arrivals[others[1]]])
    of_row = np.concatenate([of_departure[others[0]], of_arrival[others[1]]])
    departs = np.arange(len(rows)) < np.count_nonzero(others[0])
    at = np.where(departs, windows.expires[rows], windows.arrives[rows])
    # A person who arrives and departs at the same time departs on the next leg.
    order = np.lexsort((departs, at, of_row))
    rows, of_row, departs = rows[order], of_row[order], departs[order]
    pairs = np.flatnonzero(departs[:-1] & ~departs[1:] & (of_row[:-1] == of_row[1:]))
    left, reached = np.concatenate([left, rows[pairs]]), np.concatenate([reached, rows[pairs + 1]])
    order = np.argsort(left)
    return left[order], reached[order]


class _Events:
    """Departures or arrivals, sorted by person and trip, then by time. An extra element at the end stands for “none”.

    `person_trip` and `at` (time) are those of all windows; `rows` are the windows of the events.
    """

    def __init__(self, person_trip: Times, at: Times, rows: Ints) -> None:
        self._times = np.unique(at[rows])
        keys = self._key(person_trip[rows], np.searchsorted(self._times, at[rows]))
        order = np.argsort(keys, kind="stable")
        self._keys, self.rows = keys[order], rows[order]
        self.person_trip = np.append(person_trip[self.rows], -1)
        self.at = np.append(at[self.rows], NEVER)

    def first_after(self, person_trip: Times, at: Times) -> Ints:
        """Return the index of the first event of each person's trip after a time; the last index if there is none."""
        found = np.searchsorted(self._keys, self._key(person_trip, np.searchsorted(self._times, at, side="right")))
        return np.where(self.person_trip[found] == person_trip, found, len(self.rows))

    def _key(self, person_trip: Times, rank: Ints) -> Times:
        return person_trip * (len(self._times) + 1) + rank


def _interrupt_stays(
    windows: Windows, person_trip: Times, closes: Times, journeys: _Events, arrivals: _Events
) -> tuple[Ints, Times, Times]:
    """Return the window, begin, and end of each presence. A journey ends a stay; an arrival near it resumes it."""
    row, begins, ends = np.arange(len(closes)), windows.arrives, closes
    stays = np.flatnonzero((windows.role == STAY_CODE) & (windows.arrives != ALWAYS))
    if not len(journeys.rows) or not len(stays):
        return row, begins, ends
    ends = ends.copy()
    leaves = journeys.at[journeys.first_after(person_trip[stays], windows.arrives[stays])]
    ends[stays] = np.minimum(closes[stays], leaves)
    stays, leaves = stays[leaves < closes[stays]], leaves[leaves < closes[stays]]
    parts = [(row, begins, ends)]
    while len(stays):  # once for every return to a stay
        returns = _find_return(windows, person_trip, stays, leaves, arrivals)
        stays, returns = stays[returns < closes[stays]], returns[returns < closes[stays]]
        leaves = journeys.at[journeys.first_after(person_trip[stays], returns)]
        parts.append((stays, returns, np.minimum(closes[stays], leaves)))
        stays, leaves = stays[leaves < closes[stays]], leaves[leaves < closes[stays]]
    if len(parts) == 1:
        return row, begins, ends
    row, begins, ends = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = np.argsort(row, kind="stable")
    return row[order], begins[order], ends[order]


def _find_return(windows: Windows, person_trip: Times, stays: Ints, after: Times, arrivals: _Events) -> Times:
    """Return when the person of each stay first arrives near it after a time; `NEVER` if they do not."""
    found = arrivals.first_after(person_trip[stays], after)
    far = np.arange(len(stays))
    while len(far):  # once for every arrival of a trip at another place
        far = far[arrivals.person_trip[found[far]] == person_trip[stays[far]]]
        reached = windows.place[arrivals.rows[found[far]]]
        far = far[are_apart(windows, windows.place[stays[far]], reached, HOTEL_WITHIN_KM)]
        found[far] += 1
    return np.where(arrivals.person_trip[found] == person_trip[stays], arrivals.at[found], NEVER)


def are_apart(windows: Windows, places: Ints, others: Ints, kilometers: float | Floats) -> Flags:
    """Return whether two places are surely farther apart than a limit; False where coordinates are missing."""
    apart = np.zeros(len(places), dtype=bool)
    latitude, longitude = windows.latitude, windows.longitude
    known = np.flatnonzero(np.isfinite(latitude[places] + longitude[places] + latitude[others] + longitude[others]))
    # The same few pairs of places repeat.
    pairs, pair = np.unique(places[known].astype(np.int64) * len(latitude) + others[known], return_inverse=True)
    one, other = np.divmod(pairs, max(len(latitude), 1))
    _, _, meters = WGS84.inv(longitude[one], latitude[one], longitude[other], latitude[other])
    apart[known] = np.asarray(meters)[pair] > np.broadcast_to(kilometers, len(places))[known] * 1000
    return apart
