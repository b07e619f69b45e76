"""The people of what is expected, as tables: who is at a place, by which trip, until when; and who is at none."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from components.expected_locations.at_moment import STATUSES, AtMoment, Ints, Stretch, bounds
from components.expected_locations.filters import Narrowed
from components.expected_locations.location_frame import KINDS, Locations, utc
from components.geography.countries import country_name


def people_at(
    locations: Locations, at: AtMoment, narrowed: Narrowed, place_ids: Sequence[str] | None = None
) -> pd.DataFrame:
    """Return who is at the places (all of them for None), one row a person, place and record locator, by name.

    from and until (UTC; NaT where the records do not say): the first opening and the last closing of the windows open
    there; kind and itinerary (id as text): those of the window that closes last; zone: the
    place's, empty where unknown.
    """
    chosen = narrowed.rows
    place = locations.codes("place")[at.rows[chosen]]
    if place_ids is not None:
        wanted = locations.places["place_id"].isin(list(place_ids)).to_numpy(dtype=bool)
        chosen = chosen[wanted[place]]
    rows = at.rows[chosen]
    locators = locations.rows["locator"].cat.categories
    keys = at.pair_of_row[chosen].astype(np.int64) * (len(locators) + 1) + locations.codes("locator")[rows]
    arrives, expires = locations.times("arrives")[rows], locations.times("expires")[rows]
    order = np.lexsort((expires, keys))
    lasts = np.flatnonzero(np.r_[keys[order][1:] != keys[order][:-1], True]) if len(keys) else np.empty(0, np.intp)
    firsts = np.r_[0, lasts[:-1] + 1] if len(lasts) else lasts
    first_arrives = np.minimum.reduceat(arrives[order], firsts) if len(lasts) else arrives
    last = order[lasts]
    row, pair = rows[last], at.pair_of_row[chosen][last]
    person, place = at.person[pair], at.place[pair]
    places, people = locations.places, locations.people
    itineraries = locations.rows["itinerary"].cat.categories
    table = pd.DataFrame(
        {
            "person": people["person"].to_numpy()[person],
            "name": people["name"].to_numpy()[person],
            "external_id": people["external_id"].to_numpy()[person],
            "locator": locators.to_numpy()[locations.codes("locator")[row]],
            "itinerary": itineraries.to_numpy()[locations.codes("itinerary")[row]],
            "place_id": places["place_id"].to_numpy()[place],
            "place": places["label"].to_numpy()[place],
            "country": _country_names(places)[place],
            "latitude": places["latitude"].to_numpy()[place],
            "longitude": places["longitude"].to_numpy()[place],
            "kind": np.array(KINDS, dtype=object)[locations.codes("kind")[row]],
            "status": np.array(STATUSES, dtype=object)[at.status[pair]],
            "from": utc(first_arrives),
            "until": utc(expires[last]),
            "zone": places["zone"].fillna("").to_numpy()[place],
        }
    )
    by_name = np.lexsort((expires[last], _rank(people["name"])[person]))
    return table.iloc[by_name].reset_index(drop=True)


def not_covered(locations: Locations, stretch: Stretch, narrowed: Narrowed) -> pd.DataFrame:
    """Return the people on a trip with no open window: where they were expected last, and where they will be next.

    name, external_id, locator, itinerary (id as text); last_place, last_until, next_place, next_from (UTC; empty and
    NaT where there is none).
    """
    begins, ends = bounds(locations, stretch)
    wanted = np.zeros(len(locations.people), dtype=bool)
    wanted[narrowed.not_covered] = True
    rows = np.flatnonzero(wanted[locations.codes("person")])
    frame = pd.DataFrame(
        {
            "person": locations.codes("person")[rows].astype(np.int64),
            "locator": locations.codes("locator")[rows],
            "itinerary": locations.codes("itinerary")[rows],
            "place": locations.codes("place")[rows],
            "arrives": locations.times("arrives")[rows],
            "expires": locations.times("expires")[rows],
            "is_past": locations.times("expires")[rows] <= begins[rows],
            "is_ahead": locations.times("arrives")[rows] >= ends[rows],
        }
    )
    past = frame[frame["is_past"]].sort_values("expires").groupby("person").tail(1).set_index("person")
    ahead = frame[frame["is_ahead"]].sort_values("arrives").groupby("person").head(1).set_index("person")
    both = past.add_suffix("_past").join(ahead.add_suffix("_ahead"), how="outer")
    labels, locators = locations.places["label"].to_numpy(), locations.rows["locator"].cat.categories.to_numpy()
    itineraries = locations.rows["itinerary"].cat.categories.to_numpy()
    people = locations.people.iloc[both.index]
    table = pd.DataFrame(
        {
            "name": people["name"].to_numpy(),
            "external_id": people["external_id"].to_numpy(),
            "locator": locators[both["locator_ahead"].fillna(both["locator_past"]).to_numpy(dtype=np.int64)],
            "itinerary": itineraries[both["itinerary_ahead"].fillna(both["itinerary_past"]).to_numpy(dtype=np.int64)],
            "last_place": _taken(labels, both["place_past"]),
            "last_until": pd.to_datetime(both["expires_past"].to_numpy(), unit="us", utc=True),
            "next_place": _taken(labels, both["place_ahead"]),
            "next_from": pd.to_datetime(both["arrives_ahead"].to_numpy(), unit="us", utc=True),
        }
    )
    return table.sort_values("name", kind="stable").reset_index(drop=True)


def _taken(labels: np.ndarray, codes: pd.Series) -> list[str]:
    return ["" if np.isnan(code) else str(labels[int(code)]) for code in codes.astype(float)]


def _country_names(places: pd.DataFrame) -> np.ndarray:
    return np.array([country_name(code) for code in places["country"]], dtype=object)


def _rank(names: pd.Series) -> Ints:
    """The place of each name in the order of names, whatever case."""
    return np.asarray(names.str.casefold().rank(method="dense"), dtype=np.int64)
