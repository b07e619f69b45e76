"""Read the text of a city: with its country, such as "München (DE)", or in another language, such as "Mailand"."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from domain.geography.airports import airport, airports_of_city, city_code
from domain.geography.city_names import cities_named
from domain.geography.countries import country_code
from domain.geography.folding import fold
from domain.geography.states import STATES, state_code

_OPENS_COUNTRY: Final = re.compile(r"[,;(\[]")
_DASH: Final = re.compile(r"(?<=\s)[-–/](?=\s)")
_MARKS: Final = re.compile(r"[,;]")
_BRACKET: Final = re.compile(r"[()\[\]]")
_US: Final = "US"


class CityText(NamedTuple):
    """A city, its country (two-letter code), and its state if the text names it."""

    city: str
    country: str
    state: str = ""


@lru_cache(maxsize=50_000)
def read_city(text: str) -> CityText | None:
    """Return the city that a text names, or None if it is unknown or several countries have it.

    A city with several airports comes before other cities of its name.
    """
    found = _OPENS_COUNTRY.search(text) or _DASH.search(text)
    if found is not None:
        city, rest = text[: found.start()].strip(), text[found.end() :].strip()
        rest = rest[:-1].strip() if rest.endswith((")", "]")) else rest
        if city and rest and not _BRACKET.search(city + rest):
            return _with_country(city, rest)
    codes = {code for name in _names(text) if (code := city_code(name))}
    countries = {port.country for code in codes if (port := airport(code))} or _countries(text)
    return CityText(_known_name(text, country), country) if (country := _only(countries)) else None


@lru_cache(maxsize=50_000)
def city_at_start(text: str, country: str = "") -> CityText | None:
    """Return the city that begins the name of a station, such as "München Hbf": in this country, if there is one."""
    if _MARKS.search(text):
        return None
    words = re.split(r"(?<=[\s-])|(?=\()|(?<=\))", text)
    starts = ("".join(words[:length]).strip(" -") for length in range(len(words), 0, -1))
    if not country:
        return next(filter(None, map(read_city, starts)), None)
    return next((CityText(_known_name(each, country), country) for each in starts if country in _countries(each)), None)


def _with_country(city: str, rest: str) -> CityText | None:
    *states, last = map(str.strip, _MARKS.split(rest))
    country, countries = country_code(last), _countries(city)
    if states and country:
        return CityText(_known_name(city, country), country, state_code(states[0], country))
    state = state_code(last, _US) if not states else ""
    # "Boston, MA" is no city of Morocco, and "Berlin, DE" none of Delaware.
    if state in STATES[_US] and (country is None or not countries or _US in countries):
        in_state = any(state_code(port.state, _US) == state for port in airports_of_city(city) if port.country == _US)
        if in_state and country in countries and country != _US:
            return None
        if in_state or country not in countries:
            return CityText(city, _US, state)
    return CityText(_known_name(city, country), country) if country else None


def _names(city: str) -> set[str]:
    """Return a city's name, and the names of all cities that are called so."""
    return {city, *(name for _, names in cities_named(fold(city)) for name in names)}


def _countries(city: str) -> set[str]:
    """Return the countries with a larger city of this name that has an airport, or else with any such city."""
    named = cities_named(fold(city))
    served = {land for land, names in named if any(_is_served(name, land) for name in (city, *names))}
    return served or {land for land, _ in named} or {port.country for port in airports_of_city(city)}


def _is_served(name: str, country: str) -> bool:
    return any(port.country == country for port in airports_of_city(name))


def _only(countries: set[str]) -> str | None:
    return next(iter(countries)) if len(countries) == 1 else None


def _known_name(city: str, country: str) -> str:
    """Return the name by which Muster knows the airports of a city, or the text."""
    if city_code(city) or _is_served(city, country):
        return city
    names = next((names for land, names in cities_named(fold(city)) if land == country), ())
    for code in filter(None, map(city_code, names)):
        if port := airport(code):
            return port.city
    ports = (port for name in names for port in airports_of_city(name) if port.country == country)
    return next((port.city for port in ports), city)
