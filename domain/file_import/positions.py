"""Rows with coordinates: the problems of their positions, and the zone of their times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from client.models.itinerary_rules import HALF_POSITION
from domain.file_import.position_rules import conflict_problems
from domain.file_import.row_problems import Problem
from domain.geography.countries import country_code
from domain.geography.place_conflicts import Stated
from domain.geography.time_zones import zone_at

if TYPE_CHECKING:
    from domain.file_import.column_types import Mask
    from domain.file_import.row_problems import Rows

ZONE_OF: Final = 500


@dataclass(frozen=True)
class Position:
    """The columns of a position in degrees; `country` and `city` are the columns it is compared with."""

    latitude: str
    longitude: str
    country: str | None = None
    city: str | None = None

    def problems(self, rows: Rows) -> Iterator[Problem]:
        """Yield problems: half a position, a contradiction to the row, or swapped coordinates."""
        lat, lon = rows.texts[self.latitude], rows.texts[self.longitude]
        has_lat, has_lon = (lat != "").to_numpy(dtype=bool), (lon != "").to_numpy(dtype=bool)
        yield Problem(has_lat & ~has_lon, self.longitude, HALF_POSITION)
        yield Problem(has_lon & ~has_lat, self.latitude, HALF_POSITION)
        yield from conflict_problems(rows, (self.latitude, self.longitude), self.degrees(rows), self.stated(rows))

    def stated(self, rows: Rows) -> Stated:
        """Return the countries and cities that the rows state."""
        countries = [country_code(text) for text in self._texts(rows, self.country)]
        return Stated(countries, self._texts(rows, self.city), [None] * len(rows))

    def zone(self, rows: Rows) -> str | None:
        """Return the most common zone of the first places, or None."""
        y, x = self.degrees(rows)
        known = np.flatnonzero(is_on_earth(y, x))[:ZONE_OF]
        zones = Counter(zone_at(float(y[row]), float(x[row])) for row in known)
        return zones.most_common(1)[0][0] if zones else None

    def degrees(self, rows: Rows) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Return latitudes and longitudes, NaN for empty cells."""
        y, x = (rows.values[name].to_numpy(dtype=np.float64) for name in (self.latitude, self.longitude))
        return y, x

    def _texts(self, rows: Rows, column: str | None) -> list[str | None]:
        return [None] * len(rows) if column is None else [text or None for text in rows.texts[column].tolist()]


def is_on_earth(y: npt.NDArray[np.float64], x: npt.NDArray[np.float64]) -> Mask:
    """Return which degrees are valid coordinates."""
    return (np.abs(y) <= 90) & (np.abs(x) <= 180)
