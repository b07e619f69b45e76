"""Outlines and county codes of places, so that other alerting systems can place an alert.

A county has the border of the map. Of a city or ZIP code, only the centers of its ZIP codes are known: its outline is
the part of its county that is closer to these than to the center of any other ZIP code.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Final

from shapely import STRtree, make_valid, voronoi_polygons
from shapely.geometry import MultiPoint, Point, Polygon, shape
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from domain.alerts.cap.cap_writing import COUNTY_KINDS, CapArea
from domain.alerts.recipients.regions import RegionCatalog
from domain.alerts.recipients.us_places import County, UsPlace, us_counties, us_places

_DEGREES: Final = 4
"""The decimals of a coordinate, about 10 m."""
_COUNTIES_KEPT: Final = 200


def areas_of(catalog: RegionCatalog, ids: Iterable[int]) -> dict[int, CapArea]:
    """Return the areas of places by ID: name, outline, and the FIPS and SAME codes of their counties."""
    return {place.id: _area(place.label, catalog.us_place(place.id)) for place in catalog.places_of(ids).places}


def _area(name: str, place: UsPlace | None) -> CapArea:
    # ASSUMPTION A455: the interface knows names of places only.
    parts = [] if place is None else list(_parts(place))
    polygons = tuple(_corners(polygon) for _, outline in parts for polygon in _polygons(outline))
    codes = [f"0{county.number}" for county, _ in parts]
    return CapArea(name, polygons, (), tuple((kind, code) for kind in COUNTY_KINDS for code in codes))


def _parts(place: UsPlace) -> Iterable[tuple[County, BaseGeometry]]:
    """Yield the counties of a place, each with the part of it that the place covers."""
    if place.county:
        if county := us_counties().find_by_number(place.county):
            yield county, _border(county)
        return
    known, by_county = us_places().zip_codes, defaultdict[str, list[str]](list)
    for code in place.codes:
        if code in known:
            by_county[known[code].county].append(code)
    for number, codes in by_county.items():
        if county := us_counties().find_by_number(number):
            cells = _cells(number)
            own = unary_union([cells[code] for code in codes if code in cells])
            # Post office boxes have no area of their own, and are in that of another ZIP code.
            around = Point(place.lon, place.lat)
            yield county, own if not own.is_empty else min(cells.values(), key=around.distance, default=_border(county))


def _border(county: County) -> BaseGeometry:
    # Simplified borders may cross themselves.
    return make_valid(shape(county.geometry), method="structure", keep_collapsed=False)


def _corners(polygon: Polygon) -> str:
    """Return the outer border of a polygon as CAP writes it: "latitude,longitude" of each corner, the first again."""
    return " ".join(f"{round(lat, _DEGREES)},{round(lon, _DEGREES)}" for lon, lat in polygon.exterior.coords)


def _polygons(outline: BaseGeometry) -> list[Polygon]:
    return [part for part in getattr(outline, "geoms", [outline]) if isinstance(part, Polygon) and not part.is_empty]


@lru_cache(maxsize=_COUNTIES_KEPT)
def _cells(number: str) -> Mapping[str, BaseGeometry]:
    """Return the outlines of the ordinary ZIP codes of a county."""
    county, centers = us_counties().find_by_number(number), _centers_by_county().get(number, {})
    if county is None or not centers:
        return {}
    border = _border(county)
    points = {code: Point(center) for code, center in centers.items()}
    if len({*centers.values()}) == 1:
        return dict.fromkeys(points, border)
    cells = list(voronoi_polygons(MultiPoint(list(points.values())), extend_to=border).geoms)
    nearest = STRtree(cells).nearest(list(points.values()))
    inside = {code: cells[at].intersection(border) for code, at in zip(points, nearest, strict=True)}
    return {code: cell for code, cell in inside.items() if not cell.is_empty}


@lru_cache(maxsize=1)
def _centers_by_county() -> Mapping[str, Mapping[str, tuple[float, float]]]:
    """Return longitude and latitude of the ordinary ZIP codes of each county."""
    known, found = us_places(), defaultdict[str, dict[str, tuple[float, float]]](dict)
    for (kind, _, code), place in known.places.items():
        if kind == "zip" and place.zip_codes and code in known.zip_codes:
            found[known.zip_codes[code].county][code] = (place.lon, place.lat)
    return found
