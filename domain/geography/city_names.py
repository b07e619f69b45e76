"""Names of cities in other languages and from other times, so that “München” finds Munich."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from rapidfuzz import fuzz, process

from domain.geography.folding import fold

_SIMILAR_FROM: Final = 88
"""The similarity, of 100, from which a city is meant by a text that is spelled otherwise."""
# Names from GeoNames (CC BY 4.0), written by scripts/build_city_names.py.
_TABLE: Final = Path(__file__).with_name("city_names.txt")


@lru_cache(maxsize=20_000)
def names_of_city(city: str, country: str) -> str:
    """Return all names of a city, folded, in one text; empty if unknown. The country is a two-letter code.

    Of two cities with one name, the larger is meant.
    """
    wanted, cities = f"|{fold(city)}|", _cities().get(country, "")
    at = cities.find(wanted) if wanted != "||" else -1
    return "" if at < 0 else cities[cities.rfind("\n", 0, at) + 1 : cities.find("\n", at)].replace("|", " ").strip()


def cities_named(name: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the country and all folded names of each city with this folded name, the largest first."""
    return _cities_by_name().get(name, ())


@cache
def _cities_by_name() -> dict[str, tuple[tuple[str, tuple[str, ...]], ...]]:
    found: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {}
    for line in _TABLE.read_text(encoding="utf-8").splitlines():
        country, *names = filter(None, line.split("|"))
        city = country, tuple(names)
        for name in names:
            found[name] = (*found.get(name, ()), city)
    return found


@lru_cache(maxsize=1_000)
def similar_city(name: str) -> tuple[str, str] | None:
    """Return the country and folded name of the city whose name is spelled most like this folded one; None without one.

    Of several, the largest is meant.
    """
    cities = _names_by_size()
    found = process.extractOne(name, [each for _, each in cities], scorer=fuzz.ratio, score_cutoff=_SIMILAR_FROM)
    return None if found is None else cities[found[2]]


def city_names_by_size() -> list[tuple[str, str]]:
    """Return the country (two-letter code) and folded name of every city, the largest first."""
    return list(_names_by_size())


@cache
def _names_by_size() -> tuple[tuple[str, str], ...]:
    lines = (line.split("|", 2) for line in _TABLE.read_text(encoding="utf-8").splitlines())
    return tuple((country, name) for country, name, *_ in lines)


@cache
def _cities() -> dict[str, str]:
    """Return the lines of the table by country, without the country code."""
    lines: dict[str, list[str]] = {}
    for line in _TABLE.read_text(encoding="utf-8").splitlines():
        lines.setdefault(line[:2], []).append(f"{line[2:]}\n")
    return {country: "".join(some) for country, some in lines.items()}
