"""Where the world's larger cities lie, by country and name."""

from __future__ import annotations

import csv
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from domain.geography.folding import fold

# Positions from GeoNames (CC BY 4.0), as scripts/build_city_positions.py writes them.
TABLE: Final = Path(__file__).with_suffix(".csv")


@lru_cache(maxsize=50_000)
def city_position(city: str | None, country: str | None) -> tuple[float, float] | None:
    """Return latitude and longitude of a city of a country (two-letter code), in decimal degrees.

    None where the city is not in the table, and where the country, or without one the world, has several of its name.
    """
    return _positions().get((country or "", fold(city))) if city else None


@cache
def _positions() -> dict[tuple[str, str], tuple[float, float]]:
    found: dict[tuple[str, str], tuple[float, float]] = {}
    with TABLE.open(encoding="utf-8", newline="") as file:
        for country, name, latitude, longitude, is_only in csv.reader(file):
            position = found[country, name] = float(latitude), float(longitude)
            if is_only:
                found["", name] = position
    return found
