"""Parse areas that people type, and areas in files: GeoJSON, KML, a zipped shapefile, or a CAP alert.

    parse_area("40 km around Kathmandu")        parse_area("circle:27.7172,85.324,40km")
    parse_area("airport:KTM,40km")              parse_area("country:NP,BT")
    parse_area("rectangle:26.3,80,30.5,88.3")   parse_area("polygon:27,85 28,85 28,86")
    read_area_file("flood.kml", content)

Latitude comes before longitude. A rectangle is south, west, north, east. Semicolons combine areas.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from functools import reduce
from operator import or_
from pathlib import PurePath
from typing import Final

from shapely.geometry import shape

from domain.alerts.cap.cap_reading import NotCap, cap_areas
from domain.alerts.cap.cap_writing import CapArea
from domain.alerts.recipients.us_places import us_counties
from domain.geography.airports import airport, search_airports
from domain.geography.city_positions import city_position
from domain.geography.countries import country_code
from domain.geography.distance import great_circle_km
from domain.geography.folding import fold
from domain.incidents.area import (
    Area,
    AreaError,
    Country,
    Part,
    Shape,
    around_airport,
    circle,
    country,
    from_geojson,
    kilometers,
    polygon,
    rectangle,
)
from domain.text.plain_text import names
from shapes.archives import NESTED
from shapes.confined_process import ReaderNotStartedError, UnreadableShapeError
from shapes.preparing import FORMATS, OTHER_ENDINGS, shape_files
from shapes.reading import read_shape_file

UNITS: Final = {"km": 1.0, "mi": 1.609344, "nm": 1.852, "m": 0.001}
"""Kilometers per unit of a distance. A distance without a unit is in kilometers."""
CAP_ENDINGS: Final = (".xml", ".cap")
FILE_ENDINGS: Final = frozenset({*CAP_ENDINGS, *FORMATS, *OTHER_ENDINGS, *NESTED})
EXAMPLES: Final = "Write an area such as “40 km around Kathmandu”, “airport:KTM,40km”, or “country:NP”."

_ONE_CITY_KM: Final = 100.0
"""Airports with the same name that are farther apart than this belong to different cities."""
_NUMBER: Final = r"[-+]?\d+(?:\.\d+)?"
_DISTANCE: Final = re.compile(rf"\s*(?P<number>{_NUMBER})\s*(?P<unit>km|kilometers?|mi|miles?|nm|m)?\s*", re.IGNORECASE)
_AROUND: Final = re.compile(r"(?P<distance>.+?)\s+(?:around|of|from)\s+(?P<place>.+)", re.IGNORECASE | re.DOTALL)
_POSITION: Final = re.compile(rf"({_NUMBER})\s*[,\s]\s*({_NUMBER})")
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
        raise AreaError(f"“{text.strip()}” isn't a distance. Write a distance such as 40 km.")
    unit = (found["unit"] or "km").lower()
    unit = {"k": "km", "mi": "mi"}.get(unit[: 1 if unit.startswith("k") else 2], unit)
    return round(float(found["number"]) * UNITS[unit], 6)


def read_area_file(name: str, content: bytes) -> Area:
    """Read an area file. GDAL reads shapes in a confined process. Raises `AreaError`."""
    ending = PurePath(name).suffix.lower()
    if ending in CAP_ENDINGS:
        return read_cap_area(content)
    files, problems = shape_files([(name, content)])
    if problems or not files:
        raise AreaError(" ".join(problems) or f"“{name}” has no shape.")
    areas = []
    for file in files:
        try:
            areas.append(from_geojson(json.loads(read_shape_file(file).geometry), name=file.stem))
        except (UnreadableShapeError, ReaderNotStartedError) as error:
            raise AreaError(f"“{file.name}” cannot be read. {error}") from error
    return reduce(or_, areas)


def read_cap_area(content: bytes | str) -> Area:
    """Read the area of a CAP alert: polygons and circles, or the counties of an area that has neither."""
    try:
        found = cap_areas(content)
    except NotCap as error:
        raise AreaError(f"The CAP alert cannot be read. {error}") from error
    notes: list[str] = []
    parts = [part for each in found for part in _of_cap(each, notes)]
    if not parts:
        raise AreaError(" ".join(["The CAP alert has no area that Muster can place.", *notes]))
    return Area(tuple(parts), tuple(notes))


def _of_cap(area: CapArea, notes: list[str]) -> list[Part]:
    """Return the parts of one area of a CAP alert. If the area draws polygons or circles, its geocodes do not count."""
    # ASSUMPTION A502
    drawn = [_cap_polygon(text) for text in area.polygons] + [_cap_circle(text) for text in area.circles]
    if drawn:
        parts = (part for each in drawn for part in each.parts if not isinstance(part, Country))
        return [replace(part, label=area.name or part.label) for part in parts]
    codes = list(dict.fromkeys(code for _, value in area.codes for code in value.split()))
    counties = {code: us_counties().find_by_code(code) for code in codes}
    unknown = [code for code, county in counties.items() if county is None]
    if unknown or not codes:
        missing = f"the codes {names(unknown, at_most=4)}" if codes else "only its name"
        notes.append(f"The alert's area “{area.name}” is not complete: Muster cannot place {missing}.")
    return [Shape(shape(each.geometry), each.label) for each in counties.values() if each is not None]


def _cap_polygon(text: str) -> Area:
    return polygon([(float(lat), float(lon)) for lat, lon in _POSITION.findall(text)])


def _cap_circle(text: str) -> Area:
    try:
        center, radius = text.rsplit(maxsplit=1)
        latitude, longitude, kilometers = *map(float, center.split(",")), float(radius)
    except ValueError as error:
        raise AreaError(f"The alert's circle “{text}” cannot be read.") from error
    return circle(latitude, longitude, kilometers)


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
                raise AreaError("Write each corner of a polygon as latitude,longitude with a space between corners.")
            return polygon([(float(lat), float(lon)) for lat, lon in corners])
        case "rectangle":
            numbers = re.split(r"\s*,\s*", given)
            if len(numbers) != 4 or not all(re.fullmatch(_NUMBER, each) for each in numbers):
                raise AreaError("Write a rectangle as rectangle:SOUTH,WEST,NORTH,EAST in decimal degrees.")
            south, west, north, east = map(float, numbers)
            return rectangle(south, west, north, east)
        case "airport":
            code, comma, distance = given.partition(",")
            if not comma:
                raise AreaError("Write an airport with a radius, such as airport:KTM,40km.")
            return around_airport(code.strip(), parse_distance_km(distance))
        case _:
            position, comma, distance = given.rpartition(",")
            found = _POSITION.fullmatch(position.strip())
            if not comma or found is None:
                raise AreaError(
                    "Write a circle as circle:LATITUDE,LONGITUDE,RADIUS, such as circle:27.7172,85.324,40km."
                )
            return circle(float(found[1]), float(found[2]), parse_distance_km(distance))


def _parse_around(text: str) -> Area:
    found = _AROUND.fullmatch(text)
    if found is None:
        if country_code(text):
            return country(text)
        raise AreaError(f"“{text}” isn't an area. {EXAMPLES}")
    radius, place = parse_distance_km(found["distance"]), found["place"].strip()
    label = f"{kilometers(radius)} around "
    if position := _POSITION.fullmatch(place):
        return circle(float(position[1]), float(position[2]), radius)
    if len(place) == 3 and airport(place) is not None and (place.isupper() or city_position(place, None) is None):
        return around_airport(place, radius)
    city, comma, land = place.rpartition(",")
    city, code = (city.strip(), country_code(land)) if comma else (place, None)
    if comma and code is None:
        raise AreaError(f"“{land.strip()}” isn't a country. Write a place such as “Kathmandu, Nepal”.")
    if spot := city_position(city, code):
        return circle(*spot, radius, label=f"{label}{place}")
    ports = [
        each
        for each in search_airports(city)
        if fold(each.city) == fold(city) and each.country in (code or each.country,)
    ]
    if not ports:
        raise AreaError(f"Muster does not know where “{place}” is. Write coordinates, such as “27.7172, 85.324”.")
    first = ports[0].latitude, ports[0].longitude
    if any(great_circle_km(*first, each.latitude, each.longitude) > _ONE_CITY_KM for each in ports):
        codes = names([each.iata for each in ports], at_most=4, last="or")
        raise AreaError(f"Several places are called “{place}”. Write coordinates, or an airport code such as {codes}.")
    return circle(*first, radius, label=f"{label}{ports[0].label}")
