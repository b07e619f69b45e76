"""One person: where they are, where they go next, each day of a month, their trips, and who else is with them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from typing import Final

import numpy as np
import pandas as pd

from client.models.itineraries import ExpectedLocation
from domain.expected_locations.at_moment import IN_TRANSIT, STATUSES, moment
from domain.expected_locations.location_frame import Locations, LocationStore, Memo, utc
from domain.expected_locations.roster_view import Filters, View, look
from domain.geography.time_zones import zone_named
from domain.trips.presences import closing

NOT_COVERED: Final = "not covered"
DAYS: Final = 31
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Whereabout:
    """A time of a person at their likely place, in transit, or not covered."""

    status: str
    """One of `STATUSES`, *in transit*, or *not covered*."""
    begins: datetime | None
    """UTC; None if the records do not say."""
    ends: datetime | None
    """UTC; None if the records do not say."""
    place_id: str = ""
    """The place, or that to which the person travels; empty for *not covered*."""
    label: str = ""
    zone: str | None = None
    origin: str = ""
    """The label of the place that a person in transit has left."""

    def holds(self, at: datetime) -> bool:
        """Say whether the time is in it."""
        return (self.begins is None or self.begins <= at) and (self.ends is None or at < self.ends)


@dataclass(frozen=True)
class PersonDay:
    """A day of a person, by the clock at each place."""

    day: date
    whereabouts: tuple[Whereabout, ...]
    """In the order of time; empty if the person is not traveling."""

    @property
    def main(self) -> Whereabout | None:
        """The place where the person is longest on this day, else what there is."""
        times: dict[str, timedelta] = {}
        for each in self.whereabouts:
            if each.place_id and each.status != IN_TRANSIT:
                times[each.place_id] = times.get(each.place_id, timedelta()) + _time_on(each, self.day)
        longest = max(times, key=lambda place_id: times[place_id], default=None)
        at_longest = (each for each in self.whereabouts if each.place_id == longest and each.status != IN_TRANSIT)
        return next(at_longest, self.whereabouts[0] if self.whereabouts else None)


@dataclass(frozen=True)
class PersonDays:
    """A person of a roster."""

    person: str
    """The key of the person in the roster."""
    external_id: str
    name: str
    now: Whereabout | None
    """None if the person is not traveling."""
    next: Whereabout | None
    """The first time in transit or at another place that begins later."""
    days: tuple[PersonDay, ...]
    trips: pd.DataFrame
    """locator, itinerary (ID as text), begins and ends (UTC; NaT if the records do not say), in the order of time."""


def person_days(
    locations: Locations, person: str, first_day: date, now: datetime, days: int = DAYS
) -> PersonDays | None:
    """Find where a person is on each of these days; None if the roster has no such person."""
    own = of_person(locations, person)
    if own.rows.empty:
        return None
    everything = _whereabouts(own)
    current, following = _now_and_next(everything, now)
    known = locations.people[locations.people["person"] == person].iloc[0]
    calendar = [first_day + timedelta(days=number) for number in range(days)]
    return PersonDays(
        person=person,
        external_id=known["external_id"],
        name=known["name"],
        now=current,
        next=following,
        days=tuple(
            PersonDay(day, tuple(each for each in everything if _time_on(each, day) > timedelta())) for day in calendar
        ),
        trips=_trips(own),
    )


def travelers_now(
    locator: str, itinerary_id: int, records: Sequence[ExpectedLocation], now: datetime
) -> list[tuple[Whereabout | None, Whereabout | None]]:
    """Return where the travelers of a trip are, and where they will be next, as far as the trip says.

    Travelers who are at the same places for the same times count once.
    """
    store = LocationStore()
    store.put(locator, [(itinerary_id, records)])
    locations = store.snapshot({})
    people = locations.people["person"]
    return list(dict.fromkeys(_now_and_next(_whereabouts(of_person(locations, each)), now) for each in people))


def of_person(locations: Locations, person: str) -> Locations:
    """Return the records of one person, by key; none if the roster has no such person."""
    code = locations.people.index[locations.people["person"] == person]
    rows = locations.rows[np.isin(locations.codes("person"), code)]
    return replace(locations, rows=rows.reset_index(drop=True), memo=Memo())


def candidates(locations: Locations, person: str, at: datetime) -> pd.DataFrame:
    """Return where a person may be at a time, the likely place first; columns as in `roster_view.people_at`.

    The other places are *arriving* or *possible*. A person in transit has only the leg.
    """
    view = look(of_person(locations, person), moment(at), Filters())
    return pd.concat([view.people_at(None), view.other_candidates(None)], ignore_index=True)


def companions(view: View, person: str, place_id: str) -> pd.DataFrame:
    """Return who else is at a place or in transit to it; columns as in `roster_view.people_at`."""
    table = view.people_at([place_id])
    return table[table["person"] != person].reset_index(drop=True)


def _now_and_next(everything: Sequence[Whereabout], now: datetime) -> tuple[Whereabout | None, Whereabout | None]:
    """Return the time that contains a moment, and the first later one in transit or at another place."""
    current = next((each for each in everything if each.holds(now)), None)
    here = current.place_id if current and current.status != IN_TRANSIT else None
    coming = (each for each in everything if each.begins is not None and each.begins > now)
    following = (each for each in coming if each.status == IN_TRANSIT or (each.place_id and each.place_id != here))
    return current, next(following, None)


def _whereabouts(own: Locations) -> list[Whereabout]:
    """All times of a person, in order; neighboring times of one status at one place are one."""
    likely, where, places = own.likely_places, own.whereabouts, own.places
    zones = places["zone"].astype(object).where(places["zone"].notna(), None)
    found = [
        Whereabout(
            status=STATUSES[likely.status[number]],
            begins=_datetime(likely.time[number]),
            ends=_datetime(likely.time[number + 1]),
            place_id=places["place_id"][likely.place[number]],
            label=places["label"][likely.place[number]],
            zone=zones[likely.place[number]],
        )
        for number in np.flatnonzero(likely.place >= 0)
    ]
    found += [
        Whereabout(NOT_COVERED, _datetime(likely.time[number]), _datetime(likely.time[number + 1]))
        for number in np.flatnonzero(likely.is_not_covered)
    ]
    for leg in range(len(where.left)):
        origin, destination = where.windows.place[where.left[leg]], where.windows.place[where.reached[leg]]
        found.append(
            Whereabout(
                status=IN_TRANSIT,
                begins=_datetime(where.departs[leg]),
                ends=_datetime(where.arrives[leg]),
                place_id=places["place_id"][destination],
                label=places["label"][destination],
                zone=zones[destination],
                origin=places["label"][origin],
            )
        )
    found.sort(key=lambda each: (closing(each.ends), each.begins or _EPOCH))
    merged: list[Whereabout] = found[:1]
    for before, each in pairwise(found):
        is_same = (before.status, before.place_id, before.ends) == (each.status, each.place_id, each.begins)
        if is_same and each.status != IN_TRANSIT:
            merged[-1] = replace(merged[-1], ends=each.ends)
        else:
            merged.append(each)
    return merged


def _time_on(whereabout: Whereabout, day: date) -> timedelta:
    """How much of the day, by the clock at the place, a time takes."""
    zone = (zone_named(whereabout.zone) if whereabout.zone else None) or UTC
    begins, ends = (datetime.combine(each, time(), tzinfo=zone) for each in (day, day + timedelta(days=1)))
    # In UTC, since a day may last 23 or 25 hours.
    begins, ends = begins.astimezone(UTC), ends.astimezone(UTC)
    return min(whereabout.ends or ends, ends) - max(whereabout.begins or begins, begins)


def _trips(own: Locations) -> pd.DataFrame:
    where = own.whereabouts
    table = pd.DataFrame(
        {
            "locator": own.rows["locator"].astype(object).to_numpy()[where.row],
            "itinerary": own.rows["itinerary"].astype(object).to_numpy()[where.row],
            "begins": where.begins,
            "ends": where.expires,
        }
    )
    trips = table.groupby(["locator", "itinerary"], as_index=False).agg({"begins": "min", "ends": "max"})
    trips = trips.sort_values(["begins", "locator"], kind="stable").reset_index(drop=True)
    return trips.assign(begins=utc(trips["begins"].to_numpy()), ends=utc(trips["ends"].to_numpy()))


def _datetime(at: np.int64) -> datetime | None:
    """A time in UTC; None for `ALWAYS` and `NEVER`."""
    known = utc(np.array([at]))[0]
    return None if pd.isna(known) else known.to_pydatetime(warn=False)
