"""The places of what is expected: one row a place with its people and records counted, as the map wants it."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from components.expected_locations.at_moment import STATUSES, AtMoment, Ints
from components.expected_locations.filters import Narrowed
from components.expected_locations.location_frame import KINDS, Locations

COLUMNS: Final = ("place_id", "label", "lat", "lon", "people", "locations", "kind", "status")


def places_of(locations: Locations, at: AtMoment, narrowed: Narrowed) -> pd.DataFrame:
    """Return the places with anybody, those with most people first.

    place_id, label; lat, lon (decimal degrees, NaN where unknown); people (distinct) and locations (records); kind and
    status: what most records there are, and most people there.
    """
    count = len(locations.places)
    place_of_row = locations.codes("place")[at.rows[narrowed.rows]]
    place_of_pair = at.place[narrowed.pairs]
    locations_there = np.bincount(place_of_row, minlength=count)
    people_there = np.bincount(place_of_pair, minlength=count)
    shown = np.flatnonzero(people_there)
    kinds = _most(place_of_row, locations.codes("kind")[at.rows[narrowed.rows]], count, len(KINDS))
    statuses = _most(place_of_pair, at.status[narrowed.pairs], count, len(STATUSES))
    shown = shown[np.lexsort((shown, -locations_there[shown], -people_there[shown]))]
    known = locations.places
    return pd.DataFrame(
        {
            "place_id": known["place_id"].to_numpy()[shown],
            "label": known["label"].to_numpy()[shown],
            "lat": known["latitude"].to_numpy()[shown],
            "lon": known["longitude"].to_numpy()[shown],
            "people": people_there[shown],
            "locations": locations_there[shown],
            "kind": np.array(KINDS, dtype=object)[kinds[shown]],
            "status": np.array(STATUSES, dtype=object)[statuses[shown]],
        }
    )


def without_coordinates(places: pd.DataFrame) -> pd.DataFrame:
    """The places no map can show."""
    return places[places["lat"].isna() | places["lon"].isna()]


def with_coordinates(places: pd.DataFrame) -> pd.DataFrame:
    """The places a map can show."""
    return places[places["lat"].notna() & places["lon"].notna()]


def _most(groups: Ints, values: Ints, count: int, kinds: int) -> npt.NDArray[np.intp]:
    """For each group the value most of its members have; the first of those that tie."""
    counts = np.bincount(groups.astype(np.int64) * kinds + values, minlength=count * kinds)
    most: npt.NDArray[np.intp] = counts.reshape(count, kinds).argmax(axis=1)
    return most
