"""Parse areas that people type.

    parse_area("40 km around Kathmandu")        parse_area("circle:27.7172,85.324,40km")
    parse_area("airport:KTM,40km")              parse_area("country:NP,BT")
    parse_area("Birmingham, Alabama")           parse_area("Washington, DC")
    parse_area("rectangle:26.3,80,30.5,88.3")   parse_area("polygon:27,85 28,85 28,86")

Latitude comes before longitude. A rectangle is south, west, north, east. Semicolons combine areas.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import Final

import shapely

from domain.alerts.recipients.us_names import STATE_NAMES
from domain.alerts.recipients.us_places import us_places
from domain.geography.airports import airport, search_airports
from domain.geography.city_positions import city_position, city_position_by_any_name
from domain.geography.countries import country_code, country_name
from domain.geography.distance import great_circle_km
from domain.geography.folding import fold
from domain.geography.states import state_code
from domain.incidents.area import (
    Area,
    AreaError,
    around_airport,
    circle,
    country,
    kilometers,
    polygon,
    rectangle,
)
from domain.incidents.swapped import swapped_note
from domain.text.plain_text import names

UNITS: Final = {"km": 1.0, "mi": 1.609344, "nm": 1.852, "m": 0.001}
"""Kilometers per unit of a distance. A distance without a unit is in kilometers."""
EXAMPLES: Final = "Enter an area such as “40 km around Kathmandu”, “airport:KTM,40km”, or “country:NP”."

CITY_KM: Final = 25.0
"""The radius around a city that is written without a distance."""
_ONE_CITY_KM: Final = 100.0
"""Airports with the same name that are farther apart than this belong to different cities."""
_NUMBER: Final = r"[-+]?(?<!\d)\d++(?:\.\d++)?"
_DISTANCE: Final = re.compile(
    rf"\s*+(?P<number>{_NUMBER})\s*+(?P<unit>km|kilometers?|mi|miles?|nm|m)?\s*+", re.IGNORECASE
)
_AROUND: Final = re.compile(r"(?P<distance>.+?\s)(?:around|of|from)\s(?P<place>.+)", re.IGNORECASE | re.DOTALL)
_POSITION: Final = re.compile(rf"({_NUMBER})(?:\s++(?:,\s*+)?|,\s*+)({_NUMBER})")
_KIND: Final = re.compile(r"(circle|airport|country|rectangle|polygon)\s*:\s*(.+)", re.IGNORECASE | re.DOTALL)


def parse_area(text: str) -> Area:
    """Parse an area in one of the forms above. Raises `AreaError`."""
    parts = [part for part in map(str.strip, text.split(";")) if part]
    if not parts:
        raise AreaError(f"The area is empty. {EXAMPLES}")
    return reduce(or_, map(_parse_one, parts))


def parse_distance_km(text: str) -> float:
    """Parse "40 km", "25mi", "10 nm", "500 m", or "40" as kilometers. Raises `AreaError`."""
    found = _DISTANCE.fullmatch(text)
    if found is None or float(found["number"]) < 0:
        raise AreaError(f"“{text.strip()}” isn’t a distance. Enter a distance such as 40 km.")
    unit = (found["unit"] or "km").lower()
    unit = {"k": "km", "mi": "mi"}.get(unit[: 1 if unit.startswith("k") else 2], unit)
    return round(float(found["number"]) * UNITS[unit], 6)


def _parse_one(text: str) -> Area:
    kind = _KIND.fullmatch(text)
    if kind is None:
        return _parse_around(text)
    given = kind[2].strip()
    match kind[1].lower():
        case "country":
            return reduce(or_, (country(each.strip()) for each in given.split(",") if each.strip()))
        case "polygon":
            corners = _POSITION.findall(given)
            if _POSITION.sub("", given).strip(" \n,;"):
                raise AreaError("Enter each corner of a polygon as latitude,longitude with a space between corners.")
            return polygon([(float(lat), float(lon)) for lat, lon in corners])
        case "rectangle":
            numbers = [each.strip() for each in given.split(",")]
            if len(numbers) != 4 or not all(re.fullmatch(_NUMBER, each) for each in numbers):
                raise AreaError("Enter a rectangle as rectangle:SOUTH,WEST,NORTH,EAST in decimal degrees.")
            south, west, north, east = map(float, numbers)
            return rectangle(south, west, north, east)
        case "airport":
            code, comma, distance = given.partition(",")
            if not comma:
                raise AreaError("Enter an airport with a radius, such as airport:KTM,40km.")
            return around_airport(code.strip(), parse_distance_km(distance))
        case _:
            position, comma, distance = given.rpartition(",")
            found = _POSITION.fullmatch(position.strip())
            if not comma or found is None:
                raise AreaError(
                    "Enter a circle as circle:LATITUDE,LONGITUDE,RADIUS, such as circle:27.7172,85.324,40km."
                )
            return _around_position(float(found[1]), float(found[2]), parse_distance_km(distance))


def _parse_around(text: str) -> Area:
    found = _AROUND.fullmatch(text)
    if found is None:
        if country_code(text):
            return country(text)
        if "," in text and not _POSITION.fullmatch(text):
            return _around_place(text, CITY_KM)
        raise AreaError(f"“{text}” isn’t an area. {EXAMPLES}")
    radius, place = parse_distance_km(found["distance"]), found["place"].strip()
    if position := _POSITION.fullmatch(place):
        return _around_position(float(position[1]), float(position[2]), radius)
    return _around_place(place, radius)


def _around_position(latitude: float, longitude: float, radius_km: float) -> Area:
    """Return a circle, with a note if its center is on land only if latitude and longitude are exchanged."""
    if abs(latitude) > 90 and abs(longitude) <= 90 and abs(latitude) <= 180:
        meant = f"{longitude:g}, {latitude:g}"
        raise AreaError(f"{latitude:g}, {longitude:g} isn’t a position. Latitude comes first. Did you mean {meant}?")
    area = circle(latitude, longitude, radius_km)
    note = swapped_note(area.label, [shapely.Point(longitude, latitude)]) if abs(longitude) <= 90 else ""
    return replace(area, notes=(note,)) if note else area


def _around_place(place: str, radius: float) -> Area:
    label = f"{kilometers(radius)} around "
    if len(place) == 3 and airport(place) is not None and (place.isupper() or city_position(place, None) is None):
        return around_airport(place, radius)
    city, comma, land = place.rpartition(",")
    city, code = (city.strip(), country_code(land)) if comma else (place, None)
    spot = city_position_by_any_name(city, code)
    state = state_code(land) if comma else ""
    in_state = us_places().places.get(("city", state, fold(city))) if state in STATE_NAMES else None
    if in_state is not None and spot is not None and code is not None:
        both = f"in {STATE_NAMES[state]} and in {country_name(code)}"
        raise AreaError(f"“{place}” is {both}. Enter “{city}, {STATE_NAMES[state]}” or “{city}, {country_name(code)}”.")
    if in_state is not None:
        return circle(in_state.lat, in_state.lon, radius, label=f"{label}{city}, {state}")
    if comma and code is None and state not in STATE_NAMES:
        raise AreaError(f"“{land.strip()}” isn’t a country. Enter a place such as “Kathmandu, Nepal”.")
    if comma and code is None:
        raise AreaError(f"Muster does not know “{city}” in {STATE_NAMES[state]}. Enter coordinates, or a larger city.")
    if spot:
        return circle(*spot, radius, label=f"{label}{place}")
    by_name = search_airports(city)
    ports = [each for each in by_name if fold(each.city) == fold(city) and each.country in (code or each.country,)]
    if not ports and not comma and len(by_name) == 1:
        return around_airport(by_name[0].iata, radius)
    if not ports:
        raise AreaError(f"Muster does not know where “{place}” is. Enter coordinates, such as “27.7172, 85.324”.")
    first = ports[0].latitude, ports[0].longitude
    if any(great_circle_km(*first, each.latitude, each.longitude) > _ONE_CITY_KM for each in ports):
        codes = names([each.iata for each in ports], at_most=4, last="or")
        raise AreaError(f"Several places are called “{place}”. Enter coordinates, or an airport code such as {codes}.")
    return circle(*first, radius, label=f"{label}{ports[0].label}")
