"""The airports of the world with an IATA code: lookup by code, the whole list, and a search for pick lists."""

from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

import airportsdata

from client.vocabulary.airports import CITY_CODES, AirportRow, corrected
from client.vocabulary.itineraries import WITHOUT_AIRPORT, address_country_codes
from domain.geography.countries import country_code, country_name
from domain.geography.distance import great_circle_km
from domain.geography.folding import fold
from domain.geography.states import state_code
from domain.geography.time_zones import in_step, zone_at, zone_of_country

# An address may be that of the city an airport serves. Some airports are this far away, by coordinates and by name.
COORDINATES_WITHIN_KM = 100.0
CITY_WITHIN_KM = 150.0
_AIRPORT_WORDS = frozenset(
    ("airport", "intl", "international", "aeroport", "aeropuerto", "flughafen", "de", "del", "la")
)
MOST_CHOICES = 6
"""So many airports that match a text are offered."""


@dataclass(frozen=True, slots=True)
class Airport:
    """An airport. Latitude and longitude are decimal degrees; the country is a two-letter code.

    A city with several airports is an `Airport` too: with its own position, no name, and the codes of its airports.
    """

    iata: str
    icao: str
    name: str
    city: str
    country: str
    state: str
    latitude: float
    longitude: float
    city_airports: tuple[str, ...] = ()

    @property
    def time_zone(self) -> str | None:
        """The time zone of its position. The zones of the data package are wrong for dozens of airports."""
        return zone_at(self.latitude, self.longitude)

    @property
    def label(self) -> str:
        """The text in a pick list: ``SIN · Singapore Changi International Airport, Singapore``."""
        name = self.name or ("Any airport" if self.city_airports else "Airport")
        place = self.city if self.city and fold(self.city) not in fold(name) else country_name(self.country)
        return f"{self.iata} · {name}, {place}"


@dataclass(frozen=True, slots=True)
class _Entry:
    airport: Airport
    code: str
    city: str
    words: frozenset[str]
    text: str
    weight: int


def airport(code: str | None) -> Airport | None:
    """Return the airport or city with this IATA code, in any case, or None."""
    return _by_code().get(code.strip().upper()) if code else None


def is_known_code(code: str) -> bool:
    """Return whether a text is the IATA code of an airport or a city, in capitals."""
    return code in _by_code()


def airport_of_icao(code: str) -> Airport | None:
    """Return the airport with this ICAO code, in any case, or None. Its IATA code is empty if it has none."""
    return _by_icao().get(code.strip().upper())


def is_city_name(text: str) -> bool:
    """Return whether a text is the name of a city that an airport serves."""
    return fold(text) in _airports_by_city()


def airports_of_city(name: str) -> list[Airport]:
    """Return the airports that serve a city of this English name, in any country, and the city with several."""
    return _airports_by_city().get(fold(name), [])


@lru_cache(maxsize=10_000)
def airport_named(text: str) -> Airport | None:
    """Return the only airport whose city and name have all words of a text, such as "London Heathrow"."""
    words = {*fold(text).split()} - _AIRPORT_WORDS
    if len(words) < 2:
        return None
    found = [entry.airport for entry in _entries() if words <= entry.words]
    return found[0] if len(found) == 1 else None


def city_code(name: str) -> str | None:
    """Return the code of the city with several airports that has this English name, or None."""
    return _city_codes_by_name().get(fold(name))


@lru_cache(maxsize=100_000)
def zone_of_place(
    place: Airport | None,
    position: tuple[float, float] | None,
    *,
    city: str | None = None,
    state: str | None = None,
    country: str | None = None,
) -> str | None:
    """Return the time zone of a place: by its position, or else its airport, its country, or its city."""
    if position is None and place is not None:
        position = place.latitude, place.longitude
    if position is not None:
        return zone_at(*position)
    return zone_of_country(country_code(country)) or zone_of_city(city, country, state)


def airport_meant(
    kind: str,
    code: str | None,
    *,
    city: str | None = None,
    country: str | None = None,
    latitude: float | None = None,
    longitude: float | None = None,
) -> Airport | None:
    """Return the airport that a code of a segment means; None if it means none.

    The other arguments are those of the address next to the code. Coordinates are decimal degrees.
    """
    # ASSUMPTION A200: a train's code is a station's. Any other is an airport's, unless its address lies elsewhere: by
    # its coordinates, a country none of whose airports is near, or a city whose own airports are all far away.
    known = airport(code)
    if known is None or kind.strip().casefold() == "rail":
        return None
    if (
        latitude is not None
        and longitude is not None
        and _distance_km(known, latitude, longitude) > COORDINATES_WITHIN_KM
    ):
        return None
    land = country_code(country)
    if land is not None and land not in address_country_codes(known.country) and not _is_near(known, land):
        return None
    by_city = _airports_by_city().get(fold(city or ""), ())
    its_own = [each for each in by_city if land is None or land in address_country_codes(each.country)]
    if its_own and all(_distance_km(known, each.latitude, each.longitude) > CITY_WITHIN_KM for each in its_own):
        return None
    return known


@cache
def all_airports() -> dict[str, Airport]:
    """Return every airport by IATA code, without cities. The dictionary is shared: do not change it."""
    return {code: each for code, each in _by_code().items() if not each.city_airports}


@cache
def _by_code() -> dict[str, Airport]:
    return {code: _airport_in(row) for code, row in sorted(corrected(_package()).items())}


@cache
def _package() -> dict[str, Any]:
    return dict(airportsdata.load("IATA"))


@cache
def _by_icao() -> dict[str, Airport]:
    package = airportsdata.load("ICAO")
    without_iata = {code: _airport_in(row) for code, row in package.items() if not row["iata"] and code.isalpha()}
    # Of two codes of one airport, the package lists the current one last.
    in_use = {row["iata"] for row in package.values()}
    others = sorted(_by_code().values(), key=lambda each: each.iata in in_use)
    return without_iata | {each.icao: each for each in others if each.icao}


@cache
def _city_codes_by_name() -> dict[str, str]:
    return {fold(city["name"]): code for code, city in CITY_CODES.items()}


def _airport_in(row: AirportRow) -> Airport:
    code = row["iata"]
    return Airport(
        iata=code,
        icao=row["icao"],
        name=row["name"],
        city=row["city"],
        country=row["country"],
        state=row["subd"],
        latitude=row["lat"],
        longitude=row["lon"],
        city_airports=CITY_CODES[code]["airports"] if code in CITY_CODES else (),
    )


def search_airports(text: str, limit: int = 20) -> list[Airport]:
    """Find airports by IATA code, metropolitan code (LON, NYC), city, name, or country, the most likely first.

    Every word must begin a word of the airport's code, city, name, or country. An empty text finds nothing.
    """
    query = fold(text)
    words = query.split()
    if not words or limit <= 0:
        return []
    metropolitan = _metropolitan_airports().get(query, frozenset())
    found: list[tuple[tuple[int, int, str], Airport]] = []
    for entry in _entries():
        rank = _rank(entry, query, words, in_metropolitan_area=entry.airport.iata in metropolitan)
        if rank is not None:
            found.append(((rank, -entry.weight, entry.airport.iata), entry.airport))
    found.sort(key=lambda pair: pair[0])
    return [match for _, match in found[:limit]]


def airport_choices(typed: str) -> list[Airport]:
    """Return the airports to select from for a typed text: none for an airport's own code, a city's for its code."""
    known = airport(typed)
    if known is not None:
        return [port for code in known.city_airports if (port := airport(code))]
    return search_airports(typed, MOST_CHOICES) if len(typed.strip()) > 1 else []


def _rank(entry: _Entry, query: str, words: list[str], *, in_metropolitan_area: bool) -> int | None:
    if entry.code == query:
        return 0
    if in_metropolitan_area:
        return 1
    if not all(f" {word}" in entry.text for word in words):
        return None
    if entry.city == query:
        return 2
    if len(words) > 1 and entry.words.issuperset(words):
        return 3
    if len(query) < 3 and entry.code.startswith(query):
        return 4
    return 5 if entry.city.startswith(query) else 6


@lru_cache(maxsize=10_000)
def zone_of_city(city: str | None, country: str | None, state: str | None = None) -> str | None:
    """Return the time zone of a city: that of its airports, if their clocks are always the same.

    A state limits the search to cities in it; for a city without airports, all airports of the state count. None if no
    airport is found, or if cities of the name differ.
    """
    # ASSUMPTION A201
    land, city_name = country_code(country), fold(city or "")
    if land is None:
        return None
    of_name = {each.iata for each in _airports_by_city().get(city_name, ())} | _metropolitan_airports().get(
        city_name, frozenset()
    )
    ports = {port for code in of_name if city_name and (port := airport(code)) and port.country == land}
    within = _airports_by_state(land).get(fold(state_code(state, land)), set()) if state and state.strip() else set()
    if within:
        ports = ports & within or within
    return in_step({port.time_zone for port in ports if port.time_zone})


@cache
def _airports_by_state(land: str) -> dict[str, set[Airport]]:
    found: dict[str, set[Airport]] = {}
    for each in all_airports().values():
        if each.country == land and each.state:
            found.setdefault(fold(state_code(each.state, land)), set()).add(each)
    return found


@cache
def _is_near(port: Airport, land: str) -> bool:
    """Return whether an airport of the country is near, or the country has none and is near itself."""
    if land in WITHOUT_AIRPORT:
        return _distance_km(port, *WITHOUT_AIRPORT[land]) <= CITY_WITHIN_KM
    theirs = [each for each in _by_code().values() if land in address_country_codes(each.country)]
    if not theirs:
        return port.country in address_country_codes(land)
    return any(_distance_km(port, each.latitude, each.longitude) <= COORDINATES_WITHIN_KM for each in theirs)


def _distance_km(port: Airport, latitude: float, longitude: float) -> float:
    return great_circle_km(port.latitude, port.longitude, latitude, longitude)


@cache
def _airports_by_city() -> dict[str, list[Airport]]:
    found: dict[str, list[Airport]] = {}
    for each in _by_code().values():
        for city in {fold(name) for name in (each.city, *each.city.split("/"))} - {""}:
            found.setdefault(city, []).append(each)
    return found


@cache
def _entries() -> tuple[_Entry, ...]:
    in_use = _package()
    return tuple(_entry(each, is_in_use=each.iata in in_use) for each in all_airports().values())


def _entry(each: Airport, *, is_in_use: bool) -> _Entry:
    code, city = fold(each.iata), fold(each.city)
    text = " ".join((code, city, fold(each.name), fold(country_name(each.country))))
    words = frozenset(text.split())
    # The data has no sizes. The name is the best hint which of a city's airports is meant.
    weight = 2 * ("international" in words or "intl" in words) + ("airport" in words) - 3 * ("heliport" in words)
    # The package has no closed airports, but many of those that the table adds are closed.
    weight -= 4 * (not is_in_use)
    return _Entry(airport=each, code=code, city=city, words=words, text=f" {text}", weight=weight)


@cache
def _metropolitan_airports() -> dict[str, frozenset[str]]:
    areas = {
        code: (area["name"], frozenset(area["airports"])) for code, area in airportsdata.load_iata_macs().items()
    } | {code: (city["name"], frozenset(city["airports"])) for code, city in CITY_CODES.items()}
    return {fold(name): codes for code, (city, codes) in areas.items() for name in (city, code)}
