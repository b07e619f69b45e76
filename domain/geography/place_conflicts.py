"""Find coordinates that contradict the country, city, or airport in the same row, and suggest fixes.

The functions work on whole columns: latitudes and longitudes are arrays in decimal degrees, NaN if absent.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt
import pandas as pd
import shapely

from client.vocabulary.itineraries import address_country_codes
from domain.geography.airports import COORDINATES_WITHIN_KM, Airport, all_airports
from domain.geography.city_positions import city_position
from domain.geography.countries import all_countries, country_name

Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Reason = Literal["zero", "country", "city", "airport"]
Fix = Literal["latitude", "longitude", "signs", "swap", "airport", "city", "clear"]

FIX_LABELS: Final[dict[Fix, str]] = {
    "latitude": "Change the sign of the latitude",
    "longitude": "Change the sign of the longitude",
    "signs": "Change both signs",
    "swap": "Swap latitude and longitude",
    "airport": "Move to the airport",
    "city": "Move to the city",
    "clear": "Clear the coordinates",
}
FIXES: Final[tuple[Fix, ...]] = tuple(FIX_LABELS)
TURNS: Final[dict[Fix, Callable[[Floats], Floats]]] = {
    "latitude": lambda at: at * (1.0, -1.0),
    "longitude": lambda at: at * (-1.0, 1.0),
    "signs": lambda at: -at,
    "swap": lambda at: at[:, ::-1],
}
"""How the first fixes change positions, longitude before latitude. They are tried in this order."""
REASONS: Final[tuple[Reason, ...]] = ("zero", "country", "city", "airport")
ZERO: Final = "0, 0 is a point at sea. Programs often write it when coordinates are missing."
BORDER_DEGREES: Final = 0.5
"""The allowed distance of a place from the simplified shape of its country: islets, coasts, and border towns."""
ONE_CELL: Final = 0.2
"""Positions within this many degrees are checked as one."""
OFFSHORE_DEGREES: Final = 4.0
"""The allowed distance of a platform or ship from its country: 200 nautical miles and some more."""
WITHIN_CITY_KM: Final = 300.0
"""The allowed distance of a place from the center of its city. Some cities in China are as large as a country."""
FEWEST_ROWS: Final = 10
FAR_CELL_DEGREES: Final = 10
MOST_FAR: Final = 0.02
"""If a larger share of the rows is far from all others, the rows are spread over the world, and none is reported."""
_SHAPES: Final = Path(__file__).resolve().parents[2] / "static" / "basemap" / "countries.geojson"


@dataclass(frozen=True)
class Conflicts:
    """The conflicts of positions.

    Per position: an index in `REASONS` and one in `FIXES`, or -1 without a conflict. `latitudes` and `longitudes` are
    fixed where there is a fix, and NaN where the position should be cleared.
    """

    reason: npt.NDArray[np.int8]
    fix: npt.NDArray[np.int8]
    latitudes: Floats
    longitudes: Floats


class Stated:
    """What rows state besides positions: countries by two-letter code, cities, and airports.

    `is_stated` marks rows with anything to compare a position with.
    """

    def __init__(
        self, countries: Sequence[str | None], cities: Sequence[str | None], airports: Sequence[Airport | None]
    ) -> None:
        """Look up the stated places of each row."""
        self._countries, self._cities, self._airports = countries, cities, airports
        self.country_codes, self.countries = pd.factorize(np.array([code or "" for code in countries], dtype=object))
        size = len(countries)
        self.city, self.airport = np.full((2, size), np.nan), np.full((2, size), np.nan)
        for row, city in enumerate(cities):
            if city and (position := city_position(city, countries[row])) is not None:
                self.city[:, row] = position
        for row, port in enumerate(airports):
            if port is not None:
                self.airport[:, row] = port.latitude, port.longitude
        has_country = np.array([bool(_shapes_of(country)) for country in self.countries], dtype=bool)
        self.has_country = has_country[self.country_codes]
        self.is_stated = self.has_country | np.isfinite(self.city[0]) | np.isfinite(self.airport[0])

    def message(self, row: int, reason: Reason) -> str:
        """Return a sentence that says why the position of a row is wrong."""
        country, city, airport = self._countries[row], self._cities[row], self._airports[row]
        if reason == "zero":
            return ZERO
        if reason == "country":
            return f"These coordinates don’t match the country ({country_name(country)})."
        if reason == "city":
            return f"These coordinates are more than {WITHIN_CITY_KM:.0f} km from {city}."
        return (
            f"These coordinates are more than {COORDINATES_WITHIN_KM:.0f} km from {airport.iata if airport else city}."
        )

    def reasons(self, latitudes: Floats, longitudes: Floats, rows: npt.NDArray[np.intp]) -> npt.NDArray[np.int8]:
        """Return why these positions of some rows are wrong: an index in `REASONS`, or -1."""
        found = np.full(len(rows), -1, dtype=np.int8)
        with np.errstate(invalid="ignore"):
            found[_km(self.airport[:, rows], latitudes, longitudes) > COORDINATES_WITHIN_KM] = 3
            found[_km(self.city[:, rows], latitudes, longitudes) > WITHIN_CITY_KM] = 2
        found[~self._in_country(latitudes, longitudes, rows)] = 1
        found[(latitudes == 0) & (longitudes == 0)] = 0
        return found

    def _in_country(self, latitudes: Floats, longitudes: Floats, rows: npt.NDArray[np.intp]) -> Mask:
        # One position represents all in its cell: the borders are not more precise.
        codes = self.country_codes[rows]
        cells = (codes * 1_000 + np.round(latitudes / ONE_CELL + 450)) * 2_000 + np.round(longitudes / ONE_CELL + 900)
        _, first, cell_of = np.unique(cells, return_index=True, return_inverse=True)
        inside = np.ones(len(first), dtype=bool)
        for code in np.unique(codes[first]):
            if shapes := _shapes_of(self.countries[code]):
                here = np.flatnonzero(codes[first] == code)
                inside[here] = _lies_in(shapes, latitudes[first[here]], longitudes[first[here]])
        return np.asarray(inside[cell_of], dtype=bool)


def find_conflicts(latitudes: Floats, longitudes: Floats, stated: Stated) -> Conflicts:
    """Compare positions with what is stated in the same rows."""
    # ASSUMPTION A203
    size = len(latitudes)
    reason, fix = np.full(size, -1, dtype=np.int8), np.full(size, -1, dtype=np.int8)
    lat, lon = latitudes.copy(), longitudes.copy()
    checked = np.flatnonzero(_on_earth(latitudes, longitudes))
    reason[checked] = stated.reasons(latitudes[checked], longitudes[checked], checked)
    wrong = np.flatnonzero(reason >= 0)
    open_rows = wrong[stated.is_stated[wrong] & (reason[wrong] > 0)]
    for number, turn in enumerate(TURNS.values()):
        left = open_rows[fix[open_rows] < 0]
        x, y = turn(np.column_stack([longitudes[left], latitudes[left]])).T
        fits = _on_earth(y, x) & (stated.reasons(y, x, left) < 0)
        fix[left[fits]], lat[left[fits]], lon[left[fits]] = number, y[fits], x[fits]
    for number, position in ((FIXES.index("airport"), stated.airport), (FIXES.index("city"), stated.city)):
        rows = wrong[(fix[wrong] < 0) & np.isfinite(position[0, wrong])]
        fix[rows], lat[rows], lon[rows] = number, position[0, rows], position[1, rows]
    rows = wrong[(fix[wrong] < 0) & (reason[wrong] == 0)]
    fix[rows], lat[rows], lon[rows] = FIXES.index("clear"), np.nan, np.nan
    return Conflicts(reason, fix, lat, lon)


@dataclass(frozen=True)
class Conflict:
    """The conflict of one position, and its fix; None if there is no fix."""

    reason: Reason
    message: str
    fix: Fix | None
    position: tuple[float, float] | None
    """The position after the fix; None if it should be cleared."""


@lru_cache(maxsize=10_000)
def find_conflict(
    latitude: float, longitude: float, *, country: str | None, city: str | None, airport: Airport | None
) -> Conflict | None:
    """Compare one position with what is stated in the same row; None without a conflict."""
    stated = Stated([country], [city], [airport])
    found = find_conflicts(np.array([float(latitude)]), np.array([float(longitude)]), stated)
    if found.reason[0] < 0:
        return None
    reason = REASONS[found.reason[0]]
    position = float(found.latitudes[0]), float(found.longitudes[0])
    return Conflict(
        reason,
        stated.message(0, reason),
        FIXES[found.fix[0]] if found.fix[0] >= 0 else None,
        None if np.isnan(position[0]) else position,
    )


def find_far(latitudes: Floats, longitudes: Floats) -> Mask:
    """Find positions far from all others: with no other within about 1,000 km."""
    known = np.flatnonzero(_on_earth(latitudes, longitudes))
    far = np.zeros(len(latitudes), dtype=bool)
    if len(known) < FEWEST_ROWS:
        return far
    down = np.minimum((latitudes[known] + 90) // FAR_CELL_DEGREES, 17).astype(np.intp)
    across = np.minimum((longitudes[known] + 180) // FAR_CELL_DEGREES, 35).astype(np.intp)
    number = np.zeros((20, 36), dtype=np.int64)
    np.add.at(number, (down + 1, across), 1)
    steps = [(step, turn) for step in (-1, 0, 1) for turn in (-1, 0, 1)]
    near = np.sum([np.roll(number[1 + step : 19 + step], turn, axis=1) for step, turn in steps], axis=0)
    far[known] = near[down, across] == 1
    return far if 0 < far.sum() <= max(1, MOST_FAR * len(known)) else np.zeros_like(far)


def _on_earth(latitudes: Floats, longitudes: Floats) -> Mask:
    with np.errstate(invalid="ignore"):
        return np.asarray((np.abs(latitudes) <= 90) & (np.abs(longitudes) <= 180), dtype=bool)


def _km(there: Floats, latitudes: Floats, longitudes: Floats) -> Floats:
    """Return kilometers on a sphere, precise enough for distances of 100 km and more."""
    y, x, other_y, other_x = map(np.radians, (latitudes, longitudes, *there))
    chord = np.sin((y - other_y) / 2) ** 2 + np.cos(y) * np.cos(other_y) * np.sin((x - other_x) / 2) ** 2
    return np.asarray(2 * 6371.0 * np.arcsin(np.sqrt(np.minimum(chord, 1.0))), dtype=np.float64)


def _lies_in(shapes: Sequence[Any], latitudes: Floats, longitudes: Floats) -> Mask:
    points = shapely.points(longitudes, latitudes)
    inside = np.zeros(len(points), dtype=bool)
    for shape in shapes:
        inside |= shapely.dwithin(shape, points, BORDER_DEGREES)
    others = np.flatnonzero(~inside)
    if len(others):
        offshore = np.zeros(len(others), dtype=bool)
        for shape in shapes:
            offshore |= shapely.dwithin(shape, points[others], OFFSHORE_DEGREES)
        inside[others] = offshore & lie_at_sea(latitudes[others], longitudes[others])
    return inside


def lie_at_sea(latitudes: Floats, longitudes: Floats) -> Mask:
    """Return a mask of the positions that are not on land."""
    at_sea = np.ones(len(latitudes), dtype=bool)
    at_sea[_land().query(shapely.points(longitudes, latitudes), predicate="intersects")[0]] = False
    return at_sea


@cache
def _land() -> shapely.STRtree:
    return shapely.STRtree(list(_polygons().values()))


@cache
def _shapes_of(country: str) -> tuple[Any, ...]:
    """Return the shapes of a country and of its territories, and its airports, which stand for small islands."""
    if not country:
        return ()
    codes = [code for code in all_countries() if country in address_country_codes(code)]
    ports = [(port.longitude, port.latitude) for port in all_airports().values() if port.country in codes]
    shapes = [_polygons()[code] for code in codes if code in _polygons()]
    found = (*shapes, *([shapely.MultiPoint(ports)] if ports else []))
    shapely.prepare(list(found))
    return found


@cache
def _polygons() -> dict[str, Any]:
    features = json.loads(_SHAPES.read_bytes())["features"]
    return {
        each["properties"]["code"]: shapely.make_valid(shapely.from_geojson(json.dumps(each["geometry"])))
        for each in features
        if each["properties"]["code"]
    }
