"""Positions of the larger cities of the world, by country and name."""

from __future__ import annotations

import csv
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from domain.geography.city_names import cities_named
from domain.geography.folding import fold

# Positions from GeoNames (CC BY 4.0), written by scripts/build_city_positions.py.
TABLE: Final = Path(__file__).with_suffix(".csv")


@lru_cache(maxsize=50_000)
def city_position(city: str | None, country: str | None) -> tuple[float, float] | None:
    """Return latitude and longitude of a city in decimal degrees. The country is a two-letter code, or empty.

    None if the city is not in the table, or if the country (or, without one, the world) has several with this name.
    """
    return _positions().get((country or "", fold(city))) if city else None


def city_position_by_any_name(city: str, country: str | None) -> tuple[float, float] | None:
    """Return the position as `city_position` does, or else that of the only city that has the name in any language."""
    by_name = city_position(city, country)
    named = [each for each in cities_named(fold(city)) if country in (None, each[0])]
    if by_name is not None or len(named) != 1:
        return by_name
    land, names = named[0]
    return next((spot for each in names if (spot := city_position(each, land)) is not None), None)


@cache
def _positions() -> dict[tuple[str, str], tuple[float, float]]:
    found: dict[tuple[str, str], tuple[float, float]] = {}
    with TABLE.open(encoding="utf-8", newline="") as file:
        for country, name, latitude, longitude, is_only in csv.reader(file):
            position = found[country, name] = float(latitude), float(longitude)
            if is_only:
                found["", name] = position
    return found
