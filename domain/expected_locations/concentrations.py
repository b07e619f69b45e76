"""Where most people are: in a country or city, at a hotel or airport, on a flight or train."""

from __future__ import annotations

from typing import Final, Literal

import numpy as np
import pandas as pd

from domain.expected_locations.location_frame import utc
from domain.expected_locations.roster_view import View, short_labels
from domain.geography.countries import country_name
from domain.geography.folding import fold
from domain.trips.presences import KINDS

Grouping = Literal["Country", "City", "Hotel", "Airport", "Flight", "Train"]
GROUPINGS: Final[tuple[Grouping, ...]] = ("Country", "City", "Hotel", "Airport", "Flight", "Train")
_LEGS: Final[dict[Grouping, str]] = {"Flight": "Air", "Train": "Rail"}
COLUMNS: Final = ("label", "people", "place_ids", "departs", "arrives", "from_zone", "zone")


def find_concentrations(view: View, grouping: Grouping, *, at_least: int = 2) -> pd.DataFrame:
    """Return the groups with at least so many people, the largest first, in `COLUMNS`.

    Everybody counts once in a group. place_ids: the places of the group, for a flight or train its destination. departs
    and arrives (UTC), from_zone and zone: those of a flight or train, else missing. A flight is everybody who departs
    from one place and arrives at another at the same times, because expected locations have no flight number.
    """

    def find() -> pd.DataFrame:
        table = _legs(view, _LEGS[grouping]) if grouping in _LEGS else _places(view, grouping)
        table = table[table["people"] >= at_least]
        by_size = table.sort_values(["people", "label"], ascending=[False, True], kind="stable")
        return by_size.reindex(columns=list(COLUMNS)).reset_index(drop=True)

    return view.locations.memo.get(("concentrations", view.stretch, view.filters, grouping, at_least), find)


def _places(view: View, grouping: Grouping) -> pd.DataFrame:
    known, shown = view.locations.places, view.places
    if grouping in ("Country", "City"):
        return _areas(view, grouping)
    airports = known.loc[known["iata"] != "", "place_id"]
    chosen = shown["kind"] == "Hotel" if grouping == "Hotel" else shown["place_id"].isin(airports)
    table = shown.loc[chosen, ["label", "people", "place_id"]]
    return table.assign(place_ids=table["place_id"].map(lambda place_id: [place_id]))


def _areas(view: View, grouping: Literal["Country", "City"]) -> pd.DataFrame:
    known = view.locations.places[["place_id", "city", "country"]]
    known = known.assign(folded=known["city"].map(fold))
    area = known.groupby(["country"] if grouping == "Country" else ["folded", "country"], sort=False).ngroup()
    pairs = view.narrowed.pairs
    of_person = np.unique(np.stack([area.to_numpy()[view.at.place[pairs]], view.at.person[pairs]]), axis=1)[0]
    # The largest place of each city comes first and names it.
    shown = view.places[["place_id"]].merge(known.assign(code=area), on="place_id")
    shown = shown[shown[grouping.lower()] != ""]
    groups = shown.groupby("code").agg({"city": "first", "country": "first", "place_id": list})
    names = groups["country"].map(country_name)
    cities = groups["city"].where(names == "", groups["city"] + ", " + names)
    return pd.DataFrame(
        {
            "label": names if grouping == "Country" else cities,
            "people": np.bincount(of_person, minlength=len(known))[groups.index],
            "place_ids": groups["place_id"],
        }
    )


def _legs(view: View, kind: str) -> pd.DataFrame:
    where, places = view.locations.whereabouts, view.locations.places
    legs = view.at.legs[view.narrowed.legs]
    legs = legs[where.windows.kind[where.left[legs]] == KINDS.index(kind)]
    legs_table = pd.DataFrame(
        {
            "origin": where.windows.place[where.left[legs]],
            "destination": where.windows.place[where.reached[legs]],
            "departs": where.departs[legs],
            "arrives": where.arrives[legs],
            "person": where.person_of_leg[legs],
        }
    )
    groups = legs_table.groupby(["origin", "destination", "departs", "arrives"]).nunique().reset_index()
    labels, zones = short_labels(places), places["zone"].fillna("").to_numpy()
    origin, destination = groups["origin"].to_numpy(), groups["destination"].to_numpy()
    return pd.DataFrame(
        {
            "label": labels[origin] + " → " + labels[destination],
            "people": groups["person"].to_numpy(),
            "place_ids": places["place_id"].iloc[destination].map(lambda place_id: [place_id]).to_numpy(),
            "departs": utc(groups["departs"].to_numpy(dtype=np.int64)),
            "arrives": utc(groups["arrives"].to_numpy(dtype=np.int64)),
            "from_zone": zones[origin],
            "zone": zones[destination],
        }
    )
