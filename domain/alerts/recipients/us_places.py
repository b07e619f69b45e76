"""Data about places of the United States: size, position, time zone, and other names.

known = us_places()
known.places["city", "CO", "boulder"]     -> UsPlace: kind, two letters of the state, folded name
known.other_names["moore"]                -> the zip codes that the post also knows by this name, and their cities

counties = us_counties()
counties.find_by_name("CO", "Larimer County")      -> County | None; with or without the word for what it is
counties.find_by_number("08069")                   -> County | None, by its number in the Bureau's list
counties.find_by_code("008069")                     -> the counties of a code of SAME, FIPS, or UGC
counties.touched_by(area)                    -> the counties that share ground with a shapely geometry in degrees
"""

from __future__ import annotations

import csv
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import zipcodes
from shapely import STRtree
from shapely.geometry import shape
from shapely.geometry.base import BaseGeometry

from domain.alerts.recipients.us_names import PlaceKey, squash, strip_county_word
from domain.geography.folding import fold
from domain.geography.time_zones import available_timezones_cached, zone_at

PEOPLE_OF: Final = 2019
"""The year of the population estimates."""
_FILE: Final = Path(__file__).resolve().parents[3] / "static" / "basemap" / "counties.geojson"
_PLANNING_REGIONS: Final = Path(__file__).with_name("planning_regions.geojson")
_ZIP_PEOPLE: Final = Path(__file__).with_name("zip_people.csv")
# A ZIP code whose center is across the border does not mean that the county has two time zones.
_SHARE_OF_ZONE: Final = 0.1
_KM_A_DEGREE: Final = 111.2
_NUMERIC: Final = re.compile(r"(?P<part>\d?)(?P<state>\d{2})(?P<county>\d{3})")
"""A SAME code, or a FIPS code without the first digit. If that digit isn't 0, the code means a part of the county."""
_UGC: Final = re.compile(r"(?P<state>[A-Z]{2})(?P<kind>[CZ])(?P<number>\d{3}|ALL)", re.IGNORECASE)
_WHOLE_STATE: Final = ("000", "ALL")
_FORMER: Final = {
    "02201": ("02198",),
    "02231": ("02105", "02230", "02282"),
    "02232": ("02105", "02230"),
    "02261": ("02063", "02066"),
    "02270": ("02158",),
    "02280": ("02195", "02275"),
    "12025": ("12086",),
    "46113": ("46102",),
    "51515": ("51019",),
    "51560": ("51005",),
    "51780": ("51083",),
}
"""Numbers of counties that were renamed, split, or merged, and those that cover them today."""


class County(NamedTuple):
    """A county or equivalent. `geometry` is GeoJSON in degrees. `people` is None if unknown."""

    number: str
    name: str
    state: str
    people: int | None
    geometry: Mapping[str, Any]

    @property
    def label(self) -> str:
        """The name and state: "Boulder County, CO"."""
        return f"{self.name}, {self.state}"


class CountiesOfCode(NamedTuple):
    """The counties of a code; none if the code is of a forecast zone or a sea, or unknown."""

    counties: tuple[County, ...] = ()
    is_part: bool = False
    """Whether the code means a part of the county, such as its north."""
    state: str = ""
    """The two letters of the state, if the code means a whole state."""


class UsCounties:
    """All counties. Immutable, so threads and sessions share it."""

    def __init__(self, counties: Iterable[County], planning_regions: Iterable[County] = ()) -> None:
        """Index the counties by number, code, and name. Planning regions have a code only."""
        self._all = tuple(counties)
        self._by_number = {each.number: each for each in self._all}
        self._by_code = {each.number: each for each in planning_regions} | self._by_number
        self._of_state: defaultdict[str, list[County]] = defaultdict(list)
        self._state_numbers: dict[str, str] = {}
        for each in self._all:
            self._of_state[each.number[:2]].append(each)
            self._state_numbers[each.state] = each.number[:2]
        self._by_name: dict[tuple[str, str], County] = {}
        for each in self._all:
            name = fold(each.name)
            # If a county and a city have the same name, the name without a type is the county's.
            if not name.endswith(" city"):
                self._by_name[each.state, squash(strip_county_word(name))] = each
        self._by_name |= {(each.state, squash(fold(each.name))): each for each in self._all}

    def find_by_name(self, state: str, name: str) -> County | None:
        """Return the county of a name in a state (two letters)."""
        key = fold(name)
        return self._by_name.get((state, squash(key))) or self._by_name.get((state, squash(strip_county_word(key))))

    def find_by_number(self, number: str) -> County | None:
        """Return the county of a number."""
        return self._by_number.get(number)

    def find_by_code(self, code: str) -> CountiesOfCode:
        """Return the counties of a SAME ("008013"), FIPS ("08013"), or UGC ("COC013") code, or of a whole state.

        A former county gives those that cover it today.
        """
        if found := _NUMERIC.fullmatch(code):
            part, state, county = found["part"], found["state"], found["county"]
        elif found := _UGC.fullmatch(code):
            part, state, county = "", self._state_numbers.get(found["state"].upper(), ""), found["number"].upper()
            if found["kind"].upper() == "Z" and county not in _WHOLE_STATE:
                return CountiesOfCode()
        else:
            return CountiesOfCode()
        is_part = part not in ("", "0")
        if county in _WHOLE_STATE:
            of_state = tuple(self._of_state.get(state, ()))
            return CountiesOfCode(of_state, is_part, of_state[0].state) if of_state else CountiesOfCode()
        numbers = _FORMER.get(f"{state}{county}", (f"{state}{county}",))
        return CountiesOfCode(tuple(self._by_code[each] for each in numbers if each in self._by_code), is_part)

    def touched_by(self, area: BaseGeometry) -> list[County]:
        """Return the counties that touch an area, by number."""
        return [self._all[at] for at in sorted(self._tree.query(area, predicate="intersects"))]

    @cached_property
    def people_by_state(self) -> Mapping[str, int]:
        """The estimated population of each state, by postal code."""
        counted: Counter[str] = Counter()
        for each in self._all:
            counted[each.state] += each.people or 0
        return counted

    @cached_property
    def _tree(self) -> STRtree:
        return STRtree([shape(each.geometry) for each in self._all])


@lru_cache(maxsize=1)
def us_counties() -> UsCounties:
    """Read the counties, once per process. The last feature of the file has the borders."""
    return UsCounties(_read_counties(_FILE)[:-1], _read_counties(_PLANNING_REGIONS))


def _read_counties(path: Path) -> list[County]:
    features = json.loads(path.read_text(encoding="utf-8"))["features"]
    return [
        County(feature["id"], about.get("n", ""), about.get("s", ""), about.get("p"), feature["geometry"])
        for feature in features
        for about in (feature["properties"],)
    ]


class ZipCode(NamedTuple):
    """The estimated population of a ZIP code, or None, and the number of its county."""

    people: int | None
    county: str


class UsPlace(NamedTuple):
    """A place with its position, time zones, and extent."""

    zip_codes: int
    """The number of ordinary ZIP codes, without boxes and single offices. It stands for the size of the place."""
    lat: float
    """The latitude of its center in degrees."""
    lon: float
    """The longitude of its center in degrees."""
    zones: tuple[str, ...]
    """Its time zones, the one with the most ZIP codes first."""
    km_across: float = 0.0
    """The distance from its center to its farthest ZIP code, in km."""
    codes: tuple[str, ...] = ()
    """Its ZIP codes, if it is a city or ZIP code."""
    county: str = ""
    """The Census Bureau's number of its county, if it is a county."""


@dataclass(frozen=True, eq=False)
class UsPlaces:
    """All places, other postal names with their places, and all ZIP codes."""

    places: Mapping[PlaceKey, UsPlace] = field(default_factory=lambda: MappingProxyType({}))
    other_names: Mapping[str, tuple[PlaceKey, ...]] = field(default_factory=lambda: MappingProxyType({}))
    zip_codes: Mapping[str, ZipCode] = field(default_factory=lambda: MappingProxyType({}))

    def zip_codes_of(self, place: UsPlace) -> frozenset[str]:
        """Return the ZIP codes of a place. A ZIP code that crosses a border counts to the county of most of it."""
        return self._codes_by_county.get(place.county, frozenset()) if place.county else frozenset(place.codes)

    def people_of(self, codes: Iterable[str]) -> int:
        """Return the estimated population of ZIP codes, as far as it is known."""
        return sum(self.zip_codes[code].people or 0 for code in codes)

    def find_keys(self, kind: str, name: str) -> tuple[PlaceKey, ...]:
        """Return the keys of the places of a kind with a folded name, in any state; counties with or without "county".

        A name without blanks and with its abbreviations counts too.
        """
        return self._keys_by_name.get((kind, _name_itself(kind, name)), ())

    def counties_of(self, state: str) -> tuple[PlaceKey, ...]:
        """Return the keys of the counties of a state (two letters)."""
        return self._counties_by_state.get(state, ())

    @cached_property
    def _counties_by_state(self) -> Mapping[str, tuple[PlaceKey, ...]]:
        found: defaultdict[str, list[PlaceKey]] = defaultdict(list)
        for key in self.places:
            if key[0] == "county":
                found[key[1]].append(key)
        return {state: tuple(keys) for state, keys in found.items()}

    @cached_property
    def _codes_by_county(self) -> Mapping[str, frozenset[str]]:
        found: defaultdict[str, set[str]] = defaultdict(set)
        for code, about in self.zip_codes.items():
            found[about.county].add(code)
        return {county: frozenset(codes) for county, codes in found.items() if county}

    @cached_property
    def _keys_by_name(self) -> Mapping[tuple[str, str], tuple[PlaceKey, ...]]:
        found: defaultdict[tuple[str, str], list[PlaceKey]] = defaultdict(list)
        for key in self.places:
            found[key[0], _name_itself(key[0], key[2])].append(key)
        return {name: tuple(keys) for name, keys in found.items() if name[1]}


def _name_itself(kind: str, name: str) -> str:
    return squash(strip_county_word(name) if kind == "county" else name)


NOTHING_KNOWN: Final = UsPlaces()


@lru_cache(maxsize=1)
def us_places() -> UsPlaces:
    """Return the data of all places. The first call takes a second or two."""
    # ASSUMPTION A221: the lookup tells nothing of a place's size; of places that match alike the larger stands first.
    gathered: defaultdict[PlaceKey, list[_Located]] = defaultdict(list)
    others: defaultdict[str, list[PlaceKey]] = defaultdict(list)
    folded, county_of = cache(fold), cache(us_counties().find_by_name)
    zip_codes: dict[str, ZipCode] = {}
    with _ZIP_PEOPLE.open(encoding="utf-8", newline="") as file:
        people = {row["zip"]: int(row["people"]) for row in csv.DictReader(file)}
    for record in zip_code_records():
        state, city, code = record["state"], folded(record["city"]), record["zip_code"]
        lat, lon, zone = float(record["lat"]), float(record["long"]), record["timezone"]
        if zone not in available_timezones_cached():
            zone = zone_at(lat, lon)
        county = county_of(state, record["county"])
        number = county.number if county is not None else ""
        zip_codes[code] = ZipCode(people.get(code), number)
        located = _Located(code, lat, lon, zone, record["zip_code_type"] == "STANDARD", number)
        keys: tuple[PlaceKey, ...] = (
            ("zip", state, code),
            ("city", state, city),
            ("county", state, folded(record["county"])),
        )
        for key in keys:
            gathered[key].append(located)
        for name in (*record["acceptable_cities"], *record["unacceptable_cities"]):
            if squash(folded(name)) != squash(city):
                others[folded(name)] += keys[:2]
    return UsPlaces(
        {key: _place(located, is_county=key[0] == "county") for key, located in gathered.items()},
        {name: tuple(dict.fromkeys(keys)) for name, keys in others.items()},
        zip_codes,
    )


def zip_code_records() -> Iterator[Mapping[str, Any]]:
    """Yield the record of each ZIP code in use, without those of the military."""
    # By first digit, because the package caches the records of a query.
    for digit in range(10):
        for record in zipcodes.similar_to(str(digit)):  # type: ignore[no-untyped-call]
            if record["active"] and record["zip_code_type"] != "MILITARY":
                yield record


class _Located(NamedTuple):
    """A ZIP code with its center in degrees, its zone, and the number of its county."""

    code: str
    lat: float
    lon: float
    zone: str | None
    is_ordinary: bool
    county: str


def _place(gathered: list[_Located], *, is_county: bool) -> UsPlace:
    """Return the place of ZIP codes: of the ordinary ones, or of all if there are none."""
    ordinary = [each for each in gathered if each.is_ordinary]
    spots = ordinary or gathered
    lat = round(sum(each.lat for each in spots) / len(spots), 4)
    lon = round(sum(each.lon for each in spots) / len(spots), 4)
    enough, wide = _SHARE_OF_ZONE * len(spots), math.cos(math.radians(lat))
    counted = Counter(each.zone for each in spots if each.zone is not None)
    return UsPlace(
        len(ordinary),
        lat,
        lon,
        tuple(zone for zone, times in counted.most_common() if times >= enough),
        round(_KM_A_DEGREE * max(math.hypot(each.lat - lat, (each.lon - lon) * wide) for each in spots), 1),
        () if is_county else tuple(each.code for each in gathered),
        gathered[-1].county if is_county else "",
    )
