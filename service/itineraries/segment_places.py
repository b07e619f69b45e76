"""Where a segment starts and ends, from its address or its airport code."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from zoneinfo import ZoneInfo, available_timezones

import airportsdata
import tzfpy
from babel import Locale
from babel.core import get_global
from pyproj import Geod

from client.vocabulary.airports import AirportRow, corrected
from client.vocabulary.itineraries import WITHOUT_AIRPORT, address_country_codes
from service.itineraries.models import Address

_EARTH = Geod(ellps="WGS84")
# An address may be that of the city an airport serves. Some airports are this far away, by coordinates and by name.
_COORDINATES_WITHIN_KM = 100.0
_CITY_WITHIN_KM = 150.0


@dataclass(frozen=True)
class Place:
    """A place of an expected location. Latitude and longitude are decimal degrees, both or neither."""

    location_name: str | None = None
    street_address: str | None = None
    city: str | None = None
    state: str | None = None
    postal_code: str | None = None
    country: str | None = None
    iata: str | None = None
    latitude: float | None = None
    longitude: float | None = None


@lru_cache(maxsize=1)
def airports() -> dict[str, AirportRow]:
    """Return every airport by IATA code, and every city with a code for all its airports."""
    return corrected(airportsdata.load("IATA"))


def zone_at(latitude: float, longitude: float) -> str:
    """Return the time zone of a position in decimal degrees."""
    return tzfpy.get_tz((longitude + 180.0) % 360.0 - 180.0, latitude)


@dataclass(frozen=True)
class Located:
    """A place and its time zone, from its position or else its country."""

    place: Place
    time_zone: str | None


def says_nothing(address: Address | None, iata_code: str | None) -> bool:
    """Return whether neither an address nor a code has a value."""
    # ASSUMPTION A11: a code replaces a missing address.
    return (address is None or address.is_empty) and not iata_code


def locate(kind: str | None, address: Address | None, iata_code: str | None) -> Located | None:
    """Return the place of one end of a segment; None if neither its address nor its code says anything.

    Coordinates and zone come from the given coordinates, or else from the airport of the code. Without either, the zone
    comes from the country.
    """
    if says_nothing(address, iata_code):
        return None
    address_values = address or Address()
    coordinates = _coordinates(address_values)
    meant = _airport_meant(kind, address_values, coordinates, iata_code)
    position = coordinates or ((meant["lat"], meant["lon"]) if meant else None)
    latitude, longitude = position or (None, None)
    # The airport's name fills in only if the address names no city, so that two cities are not mixed in one address.
    stand_in = meant if address_values.city is None else None
    place = Place(
        # A hotel near an airport does not have the airport's name.
        location_name=address_values.location_name or (meant["name"] or None if meant and kind != "Hotel" else None),
        street_address=address_values.street_address,
        city=address_values.city or (stand_in["city"] or None if stand_in else None),
        state=address_values.state or (stand_in["subd"] or None if stand_in else None),
        postal_code=address_values.postal_code,
        country=(address_values.country.upper() if address_values.country else None)
        or (meant["country"] if meant else None),
        iata=iata_code.upper() if iata_code else None,
        latitude=latitude,
        longitude=longitude,
    )
    return Located(place, zone_at(*position) if position else _zone_of_country(_country_code(address_values.country)))


def _airport_meant(
    kind: str | None, address_values: Address, coordinates: tuple[float, float] | None, iata_code: str | None
) -> AirportRow | None:
    # ASSUMPTION A200: the code of a train is a station's. Any other code is an airport's, unless its address is
    # elsewhere: by its coordinates, a country without an airport nearby, or a city whose own airports are all far away.
    known = airports().get((iata_code or "").upper())
    if known is None or kind not in ("Air", "Car", "Hotel"):
        return None
    if coordinates is not None and _kilometres(coordinates, known) > _COORDINATES_WITHIN_KM:
        return None
    here, country = (known["lat"], known["lon"]), _country_code(address_values.country)
    if country in WITHOUT_AIRPORT:
        if _kilometres(WITHOUT_AIRPORT[country], known) > _CITY_WITHIN_KM:
            return None
    elif country is not None and country not in address_country_codes(known["country"]):
        theirs = [
            _kilometres(here, each) for each in airports().values() if country in address_country_codes(each["country"])
        ]
        if min(theirs) > _COORDINATES_WITHIN_KM if theirs else known["country"] not in address_country_codes(country):
            return None
    by_city = _airports_by_city().get(_plain(address_values.city), ())
    namesakes = [each for each in by_city if country is None or country in address_country_codes(each["country"])]
    return None if namesakes and all(_kilometres(here, each) > _CITY_WITHIN_KM for each in namesakes) else known


@lru_cache(maxsize=1)
def _airports_by_city() -> dict[str, list[AirportRow]]:
    found: dict[str, list[AirportRow]] = defaultdict(list)
    for known in airports().values():
        for city in {_plain(part) for part in (known["city"], *known["city"].split("/"))} - {""}:
            found[city].append(known)
    return dict(found)


@lru_cache(maxsize=1)
def _codes_of_countries() -> dict[str, str]:
    aliases = get_global("territory_aliases").items()
    codes = {alias: now[0] for alias, now in aliases if len(now) == 1}
    names = {_plain(name): code for code, name in Locale("en").territories.items() if code.isalpha()}
    return (
        names | {_plain(alias): code for alias, code in codes.items()} | {_plain(code): code for code in names.values()}
    )


def _country_code(text: str | None) -> str | None:
    """Return the two-letter code of a country, by code or English name; None if unknown."""
    return _codes_of_countries().get(_plain(text))


@lru_cache(maxsize=300)
def _zone_of_country(code: str | None) -> str | None:
    if code is None:
        return None
    # ASSUMPTION A201: if all clocks of a country show the same time, its zone is the zone of its places.
    territories = get_global("zone_territories")
    zones = sorted(zone for zone in available_timezones() if territories.get(zone) == code)
    days = [datetime(year, month, 1) for year in range(2000, 2031) for month in (1, 7)]  # noqa: DTZ001 (on those clocks)
    clocks = {tuple(ZoneInfo(zone).utcoffset(day) for day in days) for zone in zones}
    return zones[0] if len(clocks) == 1 else None


def _plain(text: str | None) -> str:
    decomposed = unicodedata.normalize("NFKD", (text or "").casefold())
    return " ".join("".join(c if c.isalnum() else " " for c in decomposed if not unicodedata.combining(c)).split())


def _kilometres(one: tuple[float, float], other: AirportRow) -> float:
    _azimuth, _back, metres = _EARTH.inv(one[1], one[0], other["lon"], other["lat"])
    return float(metres) / 1000


def _coordinates(address: Address) -> tuple[float, float] | None:
    # ASSUMPTION A9: half a pair, or 0 and 0, counts as no coordinates.
    if address.latitude is None or address.longitude is None:
        return None
    return (address.latitude, address.longitude) if address.latitude or address.longitude else None
