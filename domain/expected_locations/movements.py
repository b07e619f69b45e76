"""Who arrives at places, or leaves them, in the next hours, with the flight or train.

People arrive at an airport, a station, or a counter when the window of an arrival opens, and leave it when the window
of a departure closes. They arrive at a hotel when it becomes their likely place, and leave it when it no longer is.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final, Literal

import numpy as np
import pandas as pd

from domain.expected_locations.location_frame import Locations, utc
from domain.expected_locations.roster_view import Filters, Selection
from domain.trips.likely_places import LikelyPlaces
from domain.trips.presences import ALWAYS, ARRIVAL_CODE, KINDS, NEVER, ROLES, STAY_CODE, Flags, Ints, Times, opening

Direction = Literal["Arriving", "Leaving"]
DIRECTIONS: Final[tuple[Direction, ...]] = ("Arriving", "Leaving")
HOURS: Final = (6, 12, 24)

IN_TRANSIT, NOT_DEPARTED = "In transit", "Not departed"
_DEPARTURE: Final = ROLES.index("Departure")
_OTHER: Final = ROLES.index("Other")
_HOUR: Final = 3_600_000_000


def find_movements(
    locations: Locations, direction: Direction, place_ids: Sequence[str], at: datetime, hours: int, filters: Filters
) -> pd.DataFrame:
    """Return who arrives at the places, or leaves them, after a time and at the latest so many hours after it.

    One row per person, place, and time, by time. person (key), name, external_id, locator, itinerary (ID as text),
    place_id, place, zone; kind (of the segment); other_place: where the person comes from or goes to, empty if unknown,
    with other_place_id and other_zone; time (UTC): when the person arrives or leaves; other_time (UTC): the other end
    of the flight, train, or drive, NaT without one; state: *In transit*, *Not departed*, or empty if the records have
    neither flight nor train. All filters apply except the status.
    """
    key = ("movements", direction, tuple(place_ids), at, hours, filters)
    return locations.memo.get(key, lambda: _find(locations, direction, place_ids, at, hours, filters))


def _find(
    locations: Locations, direction: Direction, place_ids: Sequence[str], at: datetime, hours: int, filters: Filters
) -> pd.DataFrame:
    where, places = locations.whereabouts, locations.places
    is_arriving = direction == "Arriving"
    start = opening(at)
    stop = start + hours * _HOUR
    is_chosen = places["place_id"].isin(list(place_ids)).to_numpy(dtype=bool)
    role = where.windows.role[where.row]
    times = where.begins if is_arriving else where.ends
    is_due = (times > start) & (times <= stop) & is_chosen[where.place]
    is_due &= (role == _OTHER) | (role == (ARRIVAL_CODE if is_arriving else _DEPARTURE))
    due = np.flatnonzero(is_due & (times != (ALWAYS if is_arriving else NEVER)))
    leg = _legs_of(where.reached if is_arriving else where.left, where.row[due])
    far_end = where.left if is_arriving else where.reached
    far_place = np.append(where.windows.place[far_end], -1)[leg]

    stays, stay_times, before_or_after = _stay_changes(locations, is_chosen, start, stop, is_arriving=is_arriving)
    row = np.concatenate([where.row[due], where.row[stays]])
    time = np.concatenate([times[due], stay_times])
    other = np.concatenate([far_place, before_or_after])
    leg = np.concatenate([leg, np.full(len(stays), -1)])
    departs, arrives = np.append(where.departs, NEVER)[leg], np.append(where.arrives, NEVER)[leg]
    state = np.select([leg < 0, departs <= start], ["", IN_TRANSIT], NOT_DEPARTED).astype(object)

    place, person = locations.codes("place")[row], locations.codes("person")[row]
    labels, zones = np.append(places["label"], ""), np.append(places["zone"].fillna(""), "")
    table = pd.DataFrame(
        {
            "person": locations.people["person"].to_numpy()[person],
            "name": locations.people["name"].to_numpy()[person],
            "external_id": locations.people["external_id"].to_numpy()[person],
            "locator": locations.rows["locator"].cat.categories.to_numpy()[locations.codes("locator")[row]],
            "itinerary": locations.rows["itinerary"].cat.categories.to_numpy()[locations.codes("itinerary")[row]],
            "place_id": places["place_id"].to_numpy()[place],
            "place": labels[place],
            "zone": zones[place],
            "kind": np.array(KINDS, dtype=object)[locations.codes("kind")[row]],
            "other_place": labels[other],
            "other_place_id": np.append(places["place_id"], "")[other],
            "other_zone": zones[other],
            "time": utc(time),
            "other_time": utc(departs if is_arriving else arrives),
            "state": state,
        }
    )[Selection.of(locations, filters).has_record(row)]
    # Of two records for the same time, the one with the flight or train.
    by_state = table["state"].map({IN_TRANSIT: 0, NOT_DEPARTED: 1, "": 2}).sort_values(kind="stable")
    table = table.loc[by_state.index].drop_duplicates(["person", "place_id", "time"])
    return table.sort_values(["time", "name", "person"], kind="stable").reset_index(drop=True)


def _legs_of(rows_of_legs: Ints, rows: Ints) -> Ints:
    """Return the leg of each record by its departures or arrivals; -1 for none."""
    order = np.argsort(rows_of_legs)
    found = np.searchsorted(rows_of_legs, rows, sorter=order)
    legs = np.append(order, -1)[found]
    return np.where(np.append(rows_of_legs, -1)[legs] == rows, legs, -1)


def _stay_changes(
    locations: Locations, is_chosen: Flags, start: int, stop: int, *, is_arriving: bool
) -> tuple[Ints, Times, Ints]:
    """Return the stays at chosen places that become likely, or stop being likely, in (start, stop].

    With the time, and the likely place before or after it, without flights and trains between them; -1 for none.
    """
    where, likely = locations.whereabouts, locations.likely_places
    is_stay = np.equal(where.windows.role[where.row], STAY_CODE) & is_chosen[where.place]
    # Few people have a stay there: of these, all intervals are needed.
    concerned = np.zeros(len(locations.people), dtype=bool)
    concerned[where.person[is_stay & (where.begins <= stop) & (where.ends > start)]] = True
    entries = np.flatnonzero(is_stay[likely.entry_presence] & concerned[where.person[likely.entry_presence]])
    interval, presence = likely.entry_interval[entries], likely.entry_presence[entries]
    time = likely.time[interval if is_arriving else interval + 1]
    is_in_time = (time > start) & (time <= stop)
    interval, presence, time = interval[is_in_time], presence[is_in_time], time[is_in_time]
    other = _likely_beside(likely, interval, -1 if is_arriving else 1)
    is_change = other != where.place[presence]
    return presence[is_change], time[is_change], other[is_change]


def _likely_beside(likely: LikelyPlaces, interval: Ints, step: int) -> Ints:
    """Return the likely place before (`step` -1) or after (1) each interval, without those on a leg; -1 for none."""
    person = np.append(likely.person, -1)
    is_on_leg = np.append(likely.is_on_leg(np.arange(len(likely.leg_first))), False)
    place = np.append(likely.place, -1)
    at = interval + step
    while len(moving := np.flatnonzero(is_on_leg[at] & (person[at] == person[interval]))):  # once for every leg between
        at[moving] += step
    return np.where(person[at] == person[interval], place[at], -1)
