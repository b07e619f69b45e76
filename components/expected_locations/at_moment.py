"""Who is expected where at one time: which windows are open, what each person's place there is, and who has none.

The time is a stretch [begins, ends): one microsecond for a moment, 24 hours or so for a day. Where the clock is the
place's own, the same wall clock is a different stretch at each place; a place whose zone is unknown is read in UTC, a
wall clock that the place skips (spring) is read by the offset before the change, and one that comes twice (autumn) is
the first of the two.

A window is open when it shares a microsecond with the stretch; it holds its beginning and not its end, and one that
ends no later than it begins holds its beginning alone. With a window open at a place, a person is there as one of

- arriving: nothing there is open when the stretch begins but, at most, a departure's window (these open a day ahead),
  and the person reaches the place after that: within the stretch, or before the next of these departures;
- possible: not arriving, and the same person has another place, where they are not arriving either, at the same time
  within the stretch (from the first opening there to the last closing): the records do not say which place it is;
- leaving: neither, and the window of a departure from there is open;
- there: none of these.

A person is not covered when a trip of theirs has begun and is not over, by its first and last window, and no window of
theirs is open anywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from components.expected_locations.location_frame import DEPARTURE, NEVER, ROLES, Locations
from components.geography.time_zones import zone_named
from components.widgets import time_text

Status = Literal["there", "arriving", "leaving", "possible"]
STATUSES: Final[tuple[Status, ...]] = ("there", "arriving", "leaving", "possible")
THERE, ARRIVING, LEAVING, POSSIBLE = range(4)

Clock = Literal["utc", "place"]
Ints = npt.NDArray[np.integer]

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)

Mode = Literal["Now", "Day", "Moment"]
MODES: Final[tuple[Mode, ...]] = ("Now", "Day", "Moment")
CLOCKS: Final[dict[str, Clock]] = {"UTC": "utc", "Place-local": "place"}
DAYS_BACK: Final = 14
DAYS_AHEAD: Final = 60
DAYS_AT_MOST: Final = 3660


@dataclass(frozen=True)
class Stretch:
    """A time people are looked for at: one moment where `ends` is None, else from `begins` until `ends`.

    On the clock "utc" both are aware; on the clock "place" both are the wall clock at every place, without zone.
    """

    begins: datetime
    ends: datetime | None
    clock: Clock

    def at_zone(self, zone: str | None) -> tuple[int, int]:
        """Begin and end, in microseconds UTC since 1970, at a place in that zone."""
        begins = _microseconds(self.begins, zone)
        return begins, begins + 1 if self.ends is None else _microseconds(self.ends, zone)


def moment(at: datetime, clock: Clock = "utc") -> Stretch:
    """The stretch of one moment: aware for "utc", a wall clock without zone for "place"."""
    return Stretch(at, None, clock)


def whole_day(day: date, clock: Clock = "utc") -> Stretch:
    """The stretch of a whole day, midnight to midnight; on the places' clocks it may last 23 or 25 hours."""
    begins = datetime.combine(day, time(), tzinfo=UTC if clock == "utc" else None)
    # The calendar has no midnight after its last day.
    left = datetime.max.replace(tzinfo=begins.tzinfo) - begins
    return Stretch(begins, begins + min(left, timedelta(days=1)), clock)


@dataclass(frozen=True, eq=False)
class AtMoment:
    """What holds at a stretch, for all records of a `Locations`.

    rows: the positions of the records that are open, ascending; pair_of_row: for each of them its place in the pairs.
    A pair is one person at one place: person and place (codes), status (index into `STATUSES`), and the times (in
    microseconds UTC) at which the person next reaches and departs from the place, `NEVER` where they do not: `reaches`
    lies after the beginning of the stretch, `departs` is the first end of the windows of departure that are open.
    not_covered: the codes of the people on a trip with no open window, ascending.
    """

    rows: Ints
    pair_of_row: Ints
    person: Ints
    place: Ints
    status: npt.NDArray[np.int8]
    reaches: Ints
    departs: Ints
    not_covered: Ints


def at_moment(locations: Locations, stretch: Stretch) -> AtMoment:
    """Say who is expected where in the stretch; the rules stand in this module's first lines."""
    begins, ends = bounds(locations, stretch)
    arrives, expires = locations.times("arrives"), locations.times("expires")
    closes = np.maximum(expires, arrives + 1)
    person, place = locations.codes("person"), locations.codes("place")
    open_rows = np.flatnonzero((arrives < ends) & (closes > begins))

    keys = person.astype(np.int64) * len(locations.places) + place
    pair_keys, pair_of_row = np.unique(keys[open_rows], return_inverse=True)
    pair_person, pair_place = np.divmod(pair_keys, max(len(locations.places), 1))
    departing = locations.codes("role")[open_rows] == ROLES.index(DEPARTURE)

    there_already = np.bincount(pair_of_row[(arrives <= begins)[open_rows] & ~departing], minlength=len(pair_keys)) > 0
    reaches = _reaches(locations, begins, arrives, keys, pair_keys)
    departs = _least(closes[open_rows][departing], pair_of_row[departing], len(pair_keys))
    over = _least(ends[open_rows], pair_of_row, len(pair_keys))
    # A departure's window stands open a day ahead: is the place reached between now and that departure?
    arriving = ~there_already & (reaches < np.maximum(over, departs))
    hull_from = _least(np.maximum(arrives, begins)[open_rows], pair_of_row, len(pair_keys))
    hull_until = _greatest(np.minimum(closes, ends)[open_rows], pair_of_row, len(pair_keys))
    if stretch.clock == "place":
        # Wall clocks of different places are set side by side: how far into the stretch each window reaches.
        offset = _least(begins[open_rows], pair_of_row, len(pair_keys))
        hull_from, hull_until = hull_from - offset, hull_until - offset
    possible = ~arriving & _elsewhere_too(pair_person, hull_from, hull_until, ~arriving)
    leaving = np.bincount(pair_of_row[departing], minlength=len(pair_keys)) > 0

    status = np.full(len(pair_keys), THERE, dtype=np.int8)
    status[leaving] = LEAVING
    status[possible] = POSSIBLE
    status[arriving] = ARRIVING
    return AtMoment(
        rows=open_rows,
        pair_of_row=pair_of_row,
        person=pair_person,
        place=pair_place,
        status=status,
        reaches=reaches,
        departs=departs,
        not_covered=_not_covered(locations, arrives < ends, closes > begins, pair_person),
    )


def _reaches(locations: Locations, begins: Ints, arrives: Ints, keys: Ints, pair_keys: Ints) -> npt.NDArray[np.int64]:
    """When the person of each pair reaches the place next, after the stretch has begun; `NEVER` where they do not."""
    comes_later = np.flatnonzero((locations.codes("role") != ROLES.index(DEPARTURE)) & (arrives > begins))
    comes_later = comes_later[np.isin(keys[comes_later], pair_keys)]
    return _least(arrives[comes_later], np.searchsorted(pair_keys, keys[comes_later]), len(pair_keys))


def _elsewhere_too(person: Ints, opens: Ints, closes: Ints, considered: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Which of the considered pairs share time with another considered pair of the same person."""
    overlapping = np.zeros(len(person), dtype=bool)
    chosen = np.flatnonzero(considered)
    if len(chosen) < 2:
        return overlapping
    order = chosen[np.lexsort((opens[chosen], person[chosen]))]
    who, start, end = person[order], opens[order], closes[order]
    first = np.r_[True, who[1:] != who[:-1]]
    # The latest end so far of the same person: a running maximum that every person's first pair starts anew.
    rank = np.cumsum(first)
    # Stretches are days at most, so neither the person's number nor the time overflows.
    span = np.int64(end.max() - end.min() + 1)
    so_far = np.maximum.accumulate(end - end.min() + rank * span) - rank * span + end.min()
    overlaps_earlier = np.r_[False, (so_far[:-1] > start[1:]) & ~first[1:]]
    overlaps_later = np.r_[(start[1:] < end[:-1]) & ~first[1:], False]
    overlapping[order] = overlaps_earlier | overlaps_later
    return overlapping


def _not_covered(
    locations: Locations, begun: npt.NDArray[np.bool_], not_over: npt.NDArray[np.bool_], somewhere: Ints
) -> Ints:
    """The people with a trip that has begun and is not over, who are at no place."""
    person, locator = locations.codes("person"), locations.codes("locator")
    trips = person.astype(np.int64) * (len(locations.rows["locator"].cat.categories) + 1) + locator
    # Only people of whom some window lies before and some after the stretch can be between two.
    people = len(locations.people)
    between = np.bincount(person[begun], minlength=people).astype(bool)
    between &= np.bincount(person[not_over], minlength=people).astype(bool)
    between[somewhere] = False
    maybe = between[person]
    travelling = np.intersect1d(trips[maybe & begun], trips[maybe & not_over])
    return np.unique(travelling // (len(locations.rows["locator"].cat.categories) + 1))


def bounds(locations: Locations, stretch: Stretch) -> tuple[Ints, Ints]:
    """Begin and end of the stretch at each record's place, in microseconds UTC."""
    if stretch.clock == "utc":
        begins, ends = stretch.at_zone(None)
        count = len(locations.rows)
        return np.broadcast_to(np.int64(begins), count), np.broadcast_to(np.int64(ends), count)
    zones = [*locations.rows["zone"].cat.categories, None]
    by_zone = np.array([stretch.at_zone(zone) for zone in zones], dtype=np.int64)
    # The code of a missing zone is -1: the last of them.
    codes = locations.codes("zone")
    return by_zone[codes, 0], by_zone[codes, 1]


def _least(values: Ints, groups: Ints, count: int) -> npt.NDArray[np.int64]:
    """The least value of each group; `NEVER` for one without any."""
    least = np.full(count, NEVER, dtype=np.int64)
    np.minimum.at(least, groups, values)
    return least


def _greatest(values: Ints, groups: Ints, count: int) -> Ints:
    return -_least(-values, groups, count)


def _microseconds(at: datetime, zone: str | None) -> int:
    aware = at if at.tzinfo is not None else at.replace(tzinfo=(zone_named(zone) if zone else None) or UTC)
    # By the offset: at its ends the calendar has no such time in UTC.
    return (aware.replace(tzinfo=UTC) - _EPOCH - (aware.utcoffset() or timedelta())) // _MICROSECOND


@dataclass(frozen=True)
class TimeChoice:
    """What was asked; `day` goes with Day, `at` (a wall clock) with Moment; what is missing means today, or now."""

    mode: Mode = "Now"
    day: date | None = None
    at: datetime | None = None
    clock: Clock = "utc"

    def stretch(self, now: datetime) -> Stretch:
        """The stretch of time to look at; `now` is aware."""
        if self.mode == "Day":
            return whole_day(self.day or now.astimezone(UTC).date(), self.clock)
        if self.mode == "Moment" and self.at is not None:
            wall_clock = self.at.replace(tzinfo=None)
            return moment(wall_clock if self.clock == "place" else wall_clock.replace(tzinfo=UTC), self.clock)
        return moment(to_the_minute(now))

    def words(self, now: datetime) -> str:
        """Say the time as the answer's line does: "now, Fri 20 Nov, 12:05 UTC"."""
        stretch = self.stretch(now)
        if self.mode == "Day":
            day = time_text.day(stretch.begins, now=now)
            return f"on {day}, each place's own day" if self.clock == "place" else f"on {day}, a day in UTC"
        if stretch.clock == "place":
            at = time_text.moment(stretch.begins.replace(tzinfo=UTC), now=now).removesuffix(" UTC")
            return f"on {at} by the clock at each place"
        when = time_text.moment(stretch.begins, now=now)
        return f"on {when}" if self.mode == "Moment" and self.at is not None else f"now, {when}"


def to_the_minute(now: datetime) -> datetime:
    """The minute that has begun, in UTC: what is looked at stays the same while a person looks."""
    return now.astimezone(UTC).replace(second=0, microsecond=0)


def days_offered(today: date, asked: date) -> tuple[date, date]:
    """The first and last day of the slider, wide enough for a day that was asked for, unless it is ten years off."""
    first, last = today - timedelta(days=DAYS_BACK), today + timedelta(days=DAYS_AHEAD)
    return (min(first, asked), max(last, asked)) if abs((asked - today).days) <= DAYS_AT_MOST else (first, last)


def next_full_hour(now: datetime) -> datetime:
    """The wall clock in UTC at which somebody who asks for a moment starts."""
    hour = to_the_minute(now).replace(minute=0, tzinfo=None)
    return hour + timedelta(hours=1)
