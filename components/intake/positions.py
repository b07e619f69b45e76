"""Rows that say where something is: half a position, a swapped one, the zone of their times, and marks on a map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from components.geography.countries import country_code
from components.geography.time_zones import territory_at, zone_at
from components.intake.checking import Offer, Problem
from components.maps.shapes_layer import MOST_SHAPES, Shape, Tone
from components.widgets.plain_text import count

if TYPE_CHECKING:
    from components.intake.checking import Check, Rows
    from components.intake.column_matching import Mask

MOST_LOOKED_AT: Final = 20_000
"""Of so many places it is looked up in which country they lie: half a second."""
ZONE_OF: Final = 500
MANY: Final = 0.1
FEWEST: Final = 3
"""Where so large a part of a file's positions can only be swapped, the others are suspected, too."""
_SWAP: Final = "Swap latitude and longitude in {}"
_SWAP_TOO: Final = "Swap them in {} more"
_GRIDS: Final = (1_000, 100, 10, 1, 0.2)
"""Marks of one map a degree, finer first: rows in one cell are one mark."""


@dataclass(frozen=True)
class Position:
    """The columns that say where a row is, in degrees; `country` is one that can tell that the two are swapped."""

    latitude: str
    longitude: str
    country: str | None = None

    def problems(self, rows: Rows) -> Iterator[Problem]:
        """Half a position, and one whose latitude and longitude are swapped, or may be."""
        lat, lon = rows.texts[self.latitude], rows.texts[self.longitude]
        has_lat, has_lon = (lat != "").to_numpy(dtype=bool), (lon != "").to_numpy(dtype=bool)
        yield Problem(has_lat & ~has_lon, self.longitude, "A latitude needs a longitude.")
        yield Problem(has_lon & ~has_lat, self.latitude, "A longitude needs a latitude.")
        y, x = self._degrees(rows)
        swap = Offer(_SWAP, {self.latitude: lon, self.longitude: lat})
        swapped = (np.abs(y) > 90) & (np.abs(y) <= 180) & (np.abs(x) <= 90)
        yield Problem(swapped, self.latitude, "It may be swapped with the longitude.", offer=swap)
        could_be = (np.abs(y) <= 90) & (np.abs(x) <= 90)
        elsewhere, is_right = self._by_country(rows, y, x, could_be)
        words = "It lies in the country only if it is swapped with the longitude."
        yield Problem(elsewhere, self.latitude, words, is_error=False, offer=swap)
        is_right |= (np.abs(y) <= 90) & (np.abs(x) > 90)
        if swapped.sum() >= max(FEWEST, MANY * (has_lat & has_lon).sum(), is_right.sum()):
            words = "Many rows here are swapped: look whether this one is, too."
            too = Offer(_SWAP_TOO, swap.cells)
            yield Problem(could_be & ~elsewhere & ~is_right, self.latitude, words, is_error=False, offer=too)

    def zone(self, rows: Rows) -> str | None:
        """The zone in which most of the first places lie; None without any."""
        y, x = self._degrees(rows)
        known = np.flatnonzero(_on_earth(y, x))[:ZONE_OF]
        zones = Counter(zone_at(float(y[row]), float(x[row])) for row in known)
        return zones.most_common(1)[0][0] if zones else None

    def marks(self, check: Check) -> list[Mark]:
        """What is drawn of the rows that are here: a mark a place, with how many rows there are and what they lack."""
        y, x = self._degrees(check.rows)
        rows = np.flatnonzero(_on_earth(y, x) & check.in_play)
        for grid in _GRIDS:
            # One number a cell: the row of cells it is in, and its place there.
            cell = np.floor(y[rows] * grid) * (400 * max(_GRIDS)) + np.floor(x[rows] * grid)
            cells, its = np.unique(cell, return_inverse=True)
            if len(cells) <= MOST_SHAPES:
                break
        bad, doubtful = check.with_errors[rows], check.with_warnings[rows]
        table = pd.DataFrame(
            {"cell": its.ravel(), "y": y[rows], "x": x[rows], "bad": bad, "doubtful": doubtful, "n": 1}
        )
        by_cell = table.groupby("cell").agg({"y": "mean", "x": "mean", "bad": "sum", "doubtful": "sum", "n": "sum"})
        return [_mark(each) for each in by_cell.to_dict("records")]

    def _degrees(self, rows: Rows) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        y, x = (rows.values[name].to_numpy(dtype=np.float64) for name in (self.latitude, self.longitude))
        return y, x

    def _by_country(
        self, rows: Rows, y: npt.NDArray[np.float64], x: npt.NDArray[np.float64], could_be: Mask
    ) -> tuple[Mask, Mask]:
        """Which positions lie in their row's country only if they are swapped, and which as they stand."""
        if_swapped, as_it_stands = np.zeros((2, len(rows)), dtype=bool)
        if self.country is None:
            return if_swapped, as_it_stands
        codes, said = pd.factorize(rows.texts[self.country])
        countries = np.array([country_code(text) or "" for text in said], dtype=object)[codes]
        asked = np.flatnonzero(could_be & (countries != ""))
        if not len(asked):
            return if_swapped, as_it_stands
        places = pd.Series(list(zip(y[asked].round(1), x[asked].round(1), countries[asked], strict=True)))
        places_of, unique = pd.factorize(places)
        found = np.zeros((2, len(unique)), dtype=bool)
        for number, (lat, lon, country) in enumerate(unique[:MOST_LOOKED_AT]):
            is_right = territory_at(lat, lon) == country
            found[:, number] = not is_right and territory_at(lon, lat) == country, is_right
        if_swapped[asked], as_it_stands[asked] = found[:, places_of]
        return if_swapped, as_it_stands


def _on_earth(y: npt.NDArray[np.float64], x: npt.NDArray[np.float64]) -> Mask:
    return (np.abs(y) <= 90) & (np.abs(x) <= 180)


@dataclass(frozen=True)
class Mark(Shape):
    """What is drawn of the rows at one place; `number` is how many they are."""

    number: int = 1


def _mark(cell: Mapping[Any, Any]) -> Mark:
    parts = [f"{cell['bad']:,} with errors"] if cell["bad"] else []
    parts += [f"{cell['doubtful']:,} with warnings"] if cell["doubtful"] else []
    where = {"type": "Point", "coordinates": [round(cell["x"], 5), round(cell["y"], 5)]}
    number = int(cell["n"])
    tone: Tone = "error" if cell["bad"] else "warning" if cell["doubtful"] else "plain"
    return Mark(count(number, "row", "rows"), " · ".join(parts), where, tone, number)
