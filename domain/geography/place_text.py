"""Read the text of a place: an airport or city by code, a code next to a name, or a name."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from domain.geography.airports import Airport, airport, airport_named, airport_of_icao, is_city_name, is_known_code
from domain.geography.city_text import CityText, city_at_start, read_city
from domain.geography.states import STATES, state_code

_IATA: Final = re.compile(r"[A-Za-z]{3}")
_IN_BRACKETS: Final = re.compile(r"(.*)[(\[]([^()\[\]]+)[)\]]", re.DOTALL)
_BESIDE_A_NAME: Final = re.compile(r"([A-Z]{3,4})\s*[-–/·:]\s*(\S.*)|(\S.*)\s[-–/·:]\s*([A-Z]{3,4})", re.DOTALL)
_BETWEEN: Final = re.compile(r"[/,;|\s–-]+")


class PlaceText(NamedTuple):
    """What a text says about a place: a code of 3 letters, an airport without one, or a name."""

    code: str = ""
    name: str = ""
    """The name, alone or next to the code."""
    airport: Airport | None = None
    """The airport of an ICAO code without an IATA code."""
    city: CityText | None = None
    """The city that the name is, in which the named place is, or of the name next to a code."""
    is_in_city: bool = False


@lru_cache(maxsize=50_000)
def read_place(text: str) -> PlaceText:
    """Read "LHR", "EGLL", "London Heathrow (LHR)", "Arlanda (ARN/ESSA)", "LHR - Heathrow", or a name.

    A code of 3 letters counts even if no airport has it, because it may be a station's. A code of 4 letters counts only
    if an airport has it and no city has that name.
    """
    text = text.strip()
    if _IATA.fullmatch(text) and (text.isupper() or text.islower()):
        return PlaceText(text.upper())
    return _of_icao(text) or _in_brackets(text) or _beside_a_name(text) or _named(text)


def _named(text: str) -> PlaceText:
    """Return the place with a name: an airport, or a city with its country if it is known."""
    if city := read_city(text):
        return PlaceText(name=text, city=city)
    if (port := airport_named(text)) is not None:
        return PlaceText(port.iata)
    city = city_at_start(text)
    return PlaceText(name=text, city=city, is_in_city=city is not None)


def _in_brackets(text: str) -> PlaceText | None:
    found = _IN_BRACKETS.fullmatch(text)
    if found is None:
        return None
    name, inner = found.groups()
    parts = _BETWEEN.split(inner.strip())
    codes = [part for part in parts if _IATA.fullmatch(part) and part.isupper()]
    known = [code for code in codes if is_known_code(code)] or (codes if len(parts) == 1 else [])
    return _at_code(known[0], name) if known else next(filter(None, map(_of_icao, parts)), None)


def _beside_a_name(text: str) -> PlaceText | None:
    found = _BESIDE_A_NAME.fullmatch(text)
    if found is None:
        return None
    code, name = found.group(1, 2) if found[1] else found.group(4, 3)
    return _at_code(code, name) if len(code) == 3 else _of_icao(code)


def _at_code(code: str, name: str) -> PlaceText:
    """Return the place of a code next to a name, with the city that both mean: "Versailles (PAR)" is Versailles."""
    name, port = name.strip(), airport(code)
    city = read_city(name)
    if port is None or not name:
        return PlaceText(code, name, city=city)
    state = state_code(port.state, port.country) if port.country in STATES else ""
    if city is None or city.country != port.country:
        city = CityText(port.city, port.country, state)
    elif city.city == port.city and not city.state:
        city = city._replace(state=state)
    return PlaceText(code, name, city=city)


def _of_icao(text: str) -> PlaceText | None:
    found = airport_of_icao(text) if len(text) == 4 and text.isupper() and not is_city_name(text) else None
    if found is None:
        return None
    return PlaceText(found.iata) if found.iata else PlaceText(name=found.name, airport=found)
