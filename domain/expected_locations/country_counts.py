"""The countries that have people."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from domain.expected_locations.roster_view import View, look
from domain.geography.countries import country_name


def with_countries(view: View) -> pd.DataFrame:
    """Return the places with people, and the name of the country of each in `country`."""
    countries = view.locations.places.set_index("place_id")["country"]
    return view.places.assign(country=view.places["place_id"].map(countries).map(country_name))


def count_countries(view: View) -> pd.DataFrame:
    """Return the countries that the other filters leave people in: country (code), name, people; most people first.

    As in the filter, people in transit count in the country that they travel to. Everybody counts once in a country.
    """
    everywhere = look(view.locations, view.stretch, replace(view.filters, countries=frozenset()))
    where, pairs = view.locations.whereabouts, everywhere.narrowed.pairs
    legs = everywhere.at.legs[everywhere.narrowed.legs]
    place = np.concatenate([everywhere.at.place[pairs], where.windows.place[where.reached[legs]]])
    person = np.concatenate([everywhere.at.person[pairs], where.person_of_leg[legs]])
    codes, country = np.unique(view.locations.places["country"].to_numpy(dtype=str), return_inverse=True)
    of_person = np.unique(np.stack([country[place], person]), axis=1)[0]
    people = np.bincount(of_person, minlength=len(codes))
    table = pd.DataFrame({"country": codes, "name": [country_name(each) for each in codes], "people": people})
    table = table[(table["people"] > 0) & (table["country"] != "")]
    return table.sort_values(["people", "name"], ascending=[False, True], kind="stable").reset_index(drop=True)
