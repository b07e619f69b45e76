"""Rows that say where something is: what is wrong with their positions, the zone of their times, and marks on a map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from domain.file_import.checking import Problem
from domain.file_import.position_rules import conflict_problems
from domain.geography.countries import country_code
from domain.geography.place_conflicts import Stated
from domain.geography.time_zones import zone_at
from domain.maps.map_shape import MOST_SHAPES, Shape, Tone
from domain.text.plain_text import count

if TYPE_CHECKING:
    from domain.file_import.checking import Check, Rows
    from domain.file_import.column_types import Mask

ZONE_OF: Final = 500
_GRIDS: Final = (1_000, 100, 10, 1, 0.2)
"""Marks of one map a degree, finer first: rows in one cell are one mark."""


@dataclass(frozen=True)
class Position:
    """The columns that say where a row is, in degrees; `country` and `city` are those that it is held against."""

    latitude: str
    longitude: str
    country: str | None = None
    city: str | None = None

    def problems(self, rows: Rows) -> Iterator[Problem]:
        """Half a position, one that contradicts what the row states, and one that is swapped, or may be."""
        lat, lon = rows.texts[self.latitude], rows.texts[self.longitude]
        has_lat, has_lon = (lat != "").to_numpy(dtype=bool), (lon != "").to_numpy(dtype=bool)
        yield Problem(has_lat & ~has_lon, self.longitude, "A latitude needs a longitude.")
        yield Problem(has_lon & ~has_lat, self.latitude, "A longitude needs a latitude.")
        yield from conflict_problems(rows, (self.latitude, self.longitude), self._degrees(rows), self.stated(rows))

    def stated(self, rows: Rows) -> Stated:
        """What rows say of the country and the city of their places."""
        countries = [country_code(text) for text in self._texts(rows, self.country)]
        return Stated(countries, self._texts(rows, self.city), [None] * len(rows))

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

    def _texts(self, rows: Rows, column: str | None) -> list[str | None]:
        return [None] * len(rows) if column is None else [text or None for text in rows.texts[column].tolist()]


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
