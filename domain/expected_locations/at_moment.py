"""Find where everyone is at a time: at a place, in transit, or on a trip but not covered.

The time is a stretch [begins, ends): one microsecond for a moment, or hours or days. On the clock "place", the same
local time is a different stretch at each place. A place without a known zone is read in UTC. A local time that clocks
skip uses the offset before the change; of a local time that happens twice, the first is used.

A presence is open if it shares a microsecond with the stretch; its end is exclusive. `domain.trips.presences` defines
presences and legs. People are at their likely places during the stretch, which `likely_places` finds: at a moment, at
one place. Their status is one of

- arriving: when the stretch begins, nothing there is open except a departure window (these open a day ahead), and the
  person reaches the place later: within the stretch or, at a moment, before the next of these departures;
- possible: not arriving, and another place is always as likely as this one;
- leaving: neither, and the window of a departure from there is open;
- there: none of these.

`other_candidates` returns other places with an open presence.

People are in transit on a leg that overlaps the stretch: it began by the clock at its origin, and has not ended by the
clock at its destination. People in transit for the whole stretch, or at a moment, are at no place.

People are not covered if one of their trips has begun and has not ended, by its first and last window, and they are
neither at a place nor in transit. So everyone is in exactly one of `GROUPS`; in a longer stretch, a place takes
precedence over a leg.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from domain.expected_locations.location_frame import Locations
from domain.geography.time_zones import zone_named
from domain.trips.likely_places import ARRIVING, LEAVING, POSSIBLE, THERE
from domain.trips.presences import NEVER, Flags, Ints, Times, Whereabouts

Status = Literal["there", "arriving", "leaving", "possible"]
STATUSES: Final[tuple[Status, ...]] = ("there", "arriving", "leaving", "possible")

IN_TRANSIT: Final = "in transit"
"""The status of a person on a leg."""
Group = Literal["at a place", "in transit", "not covered", "not traveling"]
GROUPS: Final[tuple[Group, ...]] = ("at a place", "in transit", "not covered", "not traveling")

Clock = Literal["utc", "place"]

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


@dataclass(frozen=True)
class Stretch:
    """A time to find people at: a moment if `ends` is None, else a period.

    With the clock "utc", both times are aware. With the clock "place", both are local times at every place, without a
    zone.
    """

    begins: datetime
    ends: datetime | None
    clock: Clock

    def at_zone(self, zone: str | None) -> tuple[int, int]:
        """Return begin and end at a place in this zone, in microseconds UTC since 1970."""
        begins = _microseconds(self.begins, zone)
        return begins, begins + 1 if self.ends is None else _microseconds(self.ends, zone)


def moment(at: datetime, clock: Clock = "utc") -> Stretch:
    """Return the stretch of one moment: aware for "utc", a local time without zone for "place"."""
    return Stretch(at, None, clock)


def whole_day(day: date, clock: Clock = "utc") -> Stretch:
    """Return the stretch of a whole day from midnight to midnight. On local clocks it can last 23 or 25 hours."""
    begins = datetime.combine(day, time(), tzinfo=UTC if clock == "utc" else None)
    # The calendar has no midnight after its last day.
    left = datetime.max.replace(tzinfo=begins.tzinfo) - begins
    return Stretch(begins, begins + min(left, timedelta(days=1)), clock)


@dataclass(frozen=True, eq=False)
class AtMoment:
    """Where everyone is at a time, from the records of a `Locations`. Times are in microseconds UTC."""

    stretch: Stretch
    presences: Ints
    """The indexes in `Whereabouts` of the open presences, ascending."""
    rows: Ints
    """By open presence: the index of its record, ascending. An interrupted stay can have several presences."""
    pair_of_row: Ints
    """By open presence: the index of its pair. A pair is one person at one place."""
    person: Ints
    """By pair: the code of the person."""
    place: Ints
    """By pair: the code of the place."""
    status: npt.NDArray[np.int8]
    """By pair: an index in `STATUSES`."""
    reaches: Times
    """By pair: when the person next reaches the place after the beginning; `NEVER` if they do not."""
    departs: Times
    """By pair: when the first open departure window ends; `NEVER` without one."""
    legs: Ints
    """The indexes in `Whereabouts` of the current legs, ascending."""
    not_covered: Ints
    """The codes of the people who are not covered, ascending."""
    trips_not_covered: Ints
    """Codes, as in `Windows.person_trip`, of the trips that these people are on."""


def at_moment(locations: Locations, stretch: Stretch) -> AtMoment:
    """Find who is where at a time, by the rules in the module's docstring."""
    where = locations.whereabouts
    begins_at, ends_at = bounds(locations, stretch)
    legs, is_gone = _legs_under_way(where, begins_at, ends_at, len(locations.people))
    open_presences = _open_presences(locations, begins_at, ends_at, is_gone)
    likely, certain = _likely_pairs(locations, begins_at, ends_at)
    chosen = open_presences[np.isin(_keys(locations, open_presences), likely)]
    found = _pairs_of(locations, stretch, chosen, certain)
    somewhere = np.concatenate([found.person, where.person_of_leg[legs]])
    not_covered, trips_not_covered = find_not_covered(
        where, begins_at[where.place], ends_at[where.place], somewhere, len(locations.people)
    )
    return replace(found, legs=legs, not_covered=not_covered, trips_not_covered=trips_not_covered)


def other_candidates(locations: Locations, stretch: Stretch) -> AtMoment:
    """Find the open presences at places that are not the person's likely place, as *arriving* or *possible*."""
    begins_at, ends_at = bounds(locations, stretch)
    _, is_gone = _legs_under_way(locations.whereabouts, begins_at, ends_at, len(locations.people))
    open_presences = _open_presences(locations, begins_at, ends_at, is_gone)
    likely, _ = _likely_pairs(locations, begins_at, ends_at)
    others = open_presences[np.isin(_keys(locations, open_presences), likely, invert=True)]
    return _pairs_of(locations, stretch, others, likely[:0])


def _open_presences(locations: Locations, begins_at: Times, ends_at: Times, is_gone: Flags) -> Ints:
    """Return the presences in the stretch, of people who are not in transit for all of it."""
    where = locations.whereabouts
    is_open = (where.begins < ends_at[where.place]) & (where.ends > begins_at[where.place])
    return np.flatnonzero(is_open & ~is_gone[where.person])


def _likely_pairs(locations: Locations, begins_at: Times, ends_at: Times) -> tuple[Times, Times]:
    """Return the keys of the pairs at likely places in the stretch, and of those that are certain."""
    likely = locations.likely_places
    intervals = np.flatnonzero(likely.place >= 0)
    place = likely.place[intervals]
    is_open = (likely.time[intervals] < ends_at[place]) & (likely.time[intervals + 1] > begins_at[place])
    intervals, place = intervals[is_open], place[is_open]
    keys = likely.person[intervals] * len(locations.places) + place
    return keys, keys[~likely.is_tied[intervals]]


def _keys(locations: Locations, presences: Ints | slice) -> Times:
    """Return one number for each presence's person and place."""
    where = locations.whereabouts
    return where.person[presences].astype(np.int64) * len(locations.places) + where.place[presences]


def _pairs_of(locations: Locations, stretch: Stretch, presences: Ints, certain: Times) -> AtMoment:
    """Build the pairs of these presences and their statuses. `certain` are the keys of pairs that are not
    *possible*.
    """
    where = locations.whereabouts
    begins_at, ends_at = bounds(locations, stretch)
    pair_keys, pair_of_row = np.unique(_keys(locations, presences), return_inverse=True)
    pair_person, pair_place = np.divmod(pair_keys, max(len(locations.places), 1))
    opens, closes, begins = where.begins[presences], where.ends[presences], begins_at[where.place[presences]]
    departing, pairs = where.is_departure[presences], len(pair_keys)

    there_already = np.bincount(pair_of_row[(opens <= begins) & ~departing], minlength=pairs) > 0
    reaches = _reaches(where, begins_at[where.place], _keys(locations, slice(None)), pair_keys)
    departs = _least(closes[departing], pair_of_row[departing], pairs)
    over = ends_at[pair_place]
    # A departure window opens a day ahead. Does the person reach the place before that departure?
    arriving = ~there_already & (reaches < np.maximum(over, departs))
    leaving = np.bincount(pair_of_row[departing], minlength=pairs) > 0

    status = np.full(pairs, THERE, dtype=np.int8)
    status[leaving] = LEAVING
    status[~np.isin(pair_keys, certain)] = POSSIBLE
    status[arriving] = ARRIVING
    # A person who arrives after the period is not there during it.
    is_there = np.full(pairs, True) if stretch.ends is None else ~(arriving & (reaches >= over))
    has_row = is_there[pair_of_row]
    presences, pair_of_row = presences[has_row], (np.cumsum(is_there) - 1)[pair_of_row[has_row]]
    nothing = np.empty(0, dtype=np.int64)
    return AtMoment(
        stretch=stretch,
        presences=presences,
        rows=where.row[presences],
        pair_of_row=pair_of_row,
        person=pair_person[is_there],
        place=pair_place[is_there],
        status=status[is_there],
        reaches=reaches[is_there],
        departs=departs[is_there],
        legs=nothing,
        not_covered=nothing,
        trips_not_covered=nothing,
    )


def group_people(locations: Locations, at: AtMoment) -> npt.NDArray[np.int8]:
    """Return by person of the roster the index in `GROUPS`."""
    groups = np.full(len(locations.people), GROUPS.index("not traveling"), dtype=np.int8)
    groups[at.not_covered] = GROUPS.index("not covered")
    groups[locations.whereabouts.person_of_leg[at.legs]] = GROUPS.index("in transit")
    groups[at.person] = GROUPS.index("at a place")
    return groups


def _legs_under_way(where: Whereabouts, begins_at: Times, ends_at: Times, people: int) -> tuple[Ints, Flags]:
    """Return the legs in the stretch, and who is on one for all of it. `bounds` are those of each place."""
    origin, destination = where.windows.place[where.left], where.windows.place[where.reached]
    legs = np.flatnonzero((where.departs < ends_at[origin]) & (where.arrives > begins_at[destination]))
    whole = (where.departs <= begins_at[origin]) & (where.arrives >= ends_at[destination])
    is_gone = np.zeros(people, dtype=bool)
    is_gone[where.person_of_leg[whole]] = True
    return legs, is_gone


def _reaches(where: Whereabouts, begins: Times, keys: Times, pair_keys: Times) -> Times:
    """Return by pair when the person next reaches the place after the beginning; `NEVER` if they do not."""
    comes_later = np.flatnonzero(~where.is_departure & (where.begins > begins))
    comes_later = comes_later[np.isin(keys[comes_later], pair_keys)]
    return _least(where.begins[comes_later], np.searchsorted(pair_keys, keys[comes_later]), len(pair_keys))


def find_not_covered(
    where: Whereabouts, begins: Times | int, ends: Times | int, somewhere: Ints, people: int
) -> tuple[Ints, Ints]:
    """Return the people who are on a trip but nowhere, and these trips."""
    begun, not_over = where.begins < ends, where.expires > begins
    # Only people with a window before and a window after the stretch can be between two.
    between = np.bincount(where.person[begun], minlength=people).astype(bool)
    between &= np.bincount(where.person[not_over], minlength=people).astype(bool)
    between[somewhere] = False
    maybe = between[where.person]
    person, person_trip = where.person[maybe], where.person_trip[maybe]
    under_way = np.isin(person_trip, np.intersect1d(person_trip[begun[maybe]], person_trip[not_over[maybe]]))
    return np.unique(person[under_way]), np.unique(person_trip[under_way])


def bounds(locations: Locations, stretch: Stretch) -> tuple[Times, Times]:
    """Return begin and end of the stretch at each place, in microseconds UTC."""
    zones = locations.places["zone"]
    if stretch.clock == "utc":
        begins, ends = stretch.at_zone(None)
        return np.full(len(zones), begins), np.full(len(zones), ends)
    at_zones = {zone: stretch.at_zone(zone) for zone in {None, *zones.dropna()}}
    by_place = np.array([at_zones.get(zone, at_zones[None]) for zone in zones], dtype=np.int64).reshape(-1, 2)
    return by_place[:, 0], by_place[:, 1]


def _least(values: Times, groups: Ints, count: int) -> Times:
    """Return the least value of each group; `NEVER` for an empty one."""
    least = np.full(count, NEVER, dtype=np.int64)
    np.minimum.at(least, groups, values)
    return least


def _microseconds(at: datetime, zone: str | None) -> int:
    aware = at if at.tzinfo is not None else at.replace(tzinfo=(zone_named(zone) if zone else None) or UTC)
    # By the offset: at its ends the calendar has no such time in UTC.
    return (aware.replace(tzinfo=UTC) - _EPOCH - (aware.utcoffset() or timedelta())) // _MICROSECOND


def to_the_minute(now: datetime) -> datetime:
    """Return the current minute in UTC, so that the view does not change while someone reads it."""
    return now.astimezone(UTC).replace(second=0, microsecond=0)
