"""Read the text of a place: an airport or city by code, a code next to a name, or a name."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from domain.geography.airports import Airport, airport_named, airport_of_icao, is_city_name, is_known_code
from domain.geography.city_text import CityText, city_at_start, read_city

_IATA: Final = re.compile(r"[A-Za-z]{3}")
_IN_BRACKETS: Final = re.compile(r".*[(\[]([^()\[\]]+)[)\]]", re.DOTALL)
_BESIDE_A_NAME: Final = re.compile(r"([A-Z]{3,4})\s*[-–/·:]\s*\S.*|\S.*\s[-–/·:]\s*([A-Z]{3,4})", re.DOTALL)
_BETWEEN: Final = re.compile(r"[/,;|\s–-]+")


class PlaceText(NamedTuple):
    """What a text says about a place: a code of 3 letters, an airport without one, or a name."""

    code: str = ""
    name: str = ""
    airport: Airport | None = None
    """The airport of an ICAO code without an IATA code."""
    city: CityText | None = None
    """The city that the name is, or in which the named place is."""
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
    parts = _BETWEEN.split(found[1].strip()) if found else []
    codes = [part for part in parts if _IATA.fullmatch(part) and part.isupper()]
    known = [code for code in codes if is_known_code(code)] or (codes if len(parts) == 1 else [])
    return PlaceText(known[0]) if known else next(filter(None, map(_of_icao, parts)), None)


def _beside_a_name(text: str) -> PlaceText | None:
    found = _BESIDE_A_NAME.fullmatch(text)
    code = (found[1] or found[2]) if found else ""
    return PlaceText(code) if len(code) == 3 else _of_icao(code)


def _of_icao(text: str) -> PlaceText | None:
    found = airport_of_icao(text) if len(text) == 4 and text.isupper() and not is_city_name(text) else None
    if found is None:
        return None
    return PlaceText(found.iata) if found.iata else PlaceText(name=found.name, airport=found)
