"""What people say for a place instead of its name: letters, nicknames, and the boroughs of New York City."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from components.alert_reach.region_spelling import letters_together, written_out
from components.alert_reach.us_places import PlaceKey

_BOROUGHS: Final[Mapping[str, str]] = {
    "manhattan": "new york",
    "brooklyn": "kings",
    "queens": "queens",
    "bronx": "bronx",
    "staten island": "richmond",
}
"""Each is a county, mostly of another name."""
_CITIES: Final[Mapping[str, str]] = {
    "abq": "albuquerque NM",
    "atl": "atlanta GA",
    "beantown": "boston MA",
    "chi town": "chicago IL",
    "cincy": "cincinnati OH",
    "co springs": "colorado springs CO",
    "colo springs": "colorado springs CO",
    "dc": "washington DC",
    "dfw": "dallas TX, fort worth TX",
    "east la": "los angeles CA",
    "indpls": "indianapolis IN",
    "indy": "indianapolis IN",
    "jax": "jacksonville FL",
    "kc": "kansas city MO, kansas city KS",
    "kck": "kansas city KS",
    "kcmo": "kansas city MO",
    "kona": "kailua kona HI",
    "la": "los angeles CA",
    "mpls": "minneapolis MN",
    "nola": "new orleans LA",
    "okc": "oklahoma city OK",
    "pdx": "portland OR",
    "philly": "philadelphia PA",
    "phx": "phoenix AZ",
    "pgh": "pittsburgh PA",
    "quad cities": "davenport IA, bettendorf IA, moline IL, rock island IL",
    "rva": "richmond VA",
    "sac": "sacramento CA",
    "salt lake": "salt lake city UT",
    "san fran": "san francisco CA",
    "sf": "san francisco CA",
    "slc": "salt lake city UT",
    "saint pete": "saint petersburg FL",
    "saint thomas": "st thomas VI",
    "saint croix": "christiansted VI, frederiksted VI",
    "stl": "saint louis MO",
    "t or c": "truth or consequences NM",
    "tri cities": "kennewick WA, pasco WA, richland WA",
    "twin cities": "minneapolis MN, saint paul MN",
    "va beach": "virginia beach VA",
    "vegas": "las vegas NV",
}
_COUNTIES: Final[Mapping[str, str]] = {
    "big island": "hawaii HI",
    "dade": "miami dade FL",
    "la": "los angeles CA",
    "martha s vineyard": "dukes MA",
    "metro nashville": "davidson TN",
    "molokai": "maui HI",
    "oahu": "honolulu HI",
    "pg": "prince george s MD",
    "sf": "san francisco CA",
    "slo": "san luis obispo CA",
}
"""Said with "county" behind it, or without where no city is called so."""
_NEW_YORK_CITY: Final = ("nyc", "new york city", "ny city", "big apple", "city of new york", "nueva york")


def meant_by(said: str) -> tuple[PlaceKey, ...]:
    """What a folded text stands for, in the order to be shown; none where it is no such name.

    New York City comes with its five counties: to the post, the city of that name is Manhattan.
    """
    said = written_out(said.removeprefix("the "))
    return MEANT.get(said, ()) or MEANT.get(letters_together(said), ())


def _table() -> dict[str, tuple[PlaceKey, ...]]:
    meant: dict[str, tuple[PlaceKey, ...]] = {}
    boroughs: tuple[PlaceKey, ...] = tuple(("county", "NY", f"{county} county") for county in _BOROUGHS.values())
    for said in _NEW_YORK_CITY:
        meant[said] = (("city", "NY", "new york"), *boroughs)
    for borough, county in _BOROUGHS.items():
        city: PlaceKey = ("city", "NY", "new york" if borough == "manhattan" else borough)
        # To the post, Queens is many cities, and none of this name.
        both = (*(() if borough == "queens" else (city,)), ("county", "NY", f"{county} county"))
        meant |= dict.fromkeys((borough, f"{borough} borough", f"borough of {borough}"), both)
    for said, names in _CITIES.items():
        meant[said] = tuple(("city", each[-2:], each[:-3]) for each in names.split(", "))
    for said in ("mat su", "mat su borough"):
        meant[said] = (("county", "AK", "matanuska susitna borough"),)
    for said, name in _COUNTIES.items():
        county_key: PlaceKey = ("county", name[-2:], f"{name[:-3]} county")
        meant[f"{said} county"] = (county_key,)
        if said not in meant:
            meant[said] = (county_key,)
    return meant


MEANT: Final = _table()
