"""An area that was drawn on the map of a reach, around a point or through corners, and the places that lie in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from shapely import contains_xy
from shapely.geometry import LinearRing, Polygon
from shapely.geometry.base import BaseGeometry
from shapely.ops import polygonize, unary_union

from components.alert_reach.regions import Place, RegionCatalog
from components.geography.distance import WGS84

Area: TypeAlias = BaseGeometry
"""In degrees, longitude first."""

KM_A_MILE: Final = 1.609344
FEWEST_CORNERS: Final = 3
_ON_THE_CIRCLE: Final = 72
_CORNER: Final = re.compile(r"(-?\d{1,3}(?:\.\d+)?)\s*[,;\s]\s*(-?\d{1,3}(?:\.\d+)?)")


class Inside(NamedTuple):
    """What of the service's offer lies in an area: zip codes and cities by their middle, counties that touch it."""

    zip_codes: list[Place]
    cities: list[Place]
    counties: list[Place]


def circle(lat: float, lon: float, miles: float) -> Polygon:
    """The ground within so many miles of a place in degrees."""
    turns = np.linspace(0, 360, _ON_THE_CIRCLE, endpoint=False)
    here, there = np.full(_ON_THE_CIRCLE, lon), np.full(_ON_THE_CIRCLE, lat)
    east, north, _ = WGS84.fwd(here, there, turns, np.full(_ON_THE_CIRCLE, miles * KM_A_MILE * 1000))
    return Polygon(zip(east, north, strict=True))


def through(corners: Sequence[tuple[float, float]]) -> Area:
    """The ground between corners given as latitude and longitude; given crosswise, all that lies between them."""
    area = Polygon([(lon, lat) for lat, lon in corners])
    return area if area.is_valid else area.convex_hull


def enclosed(ring: Sequence[tuple[float, float]]) -> Area:
    """The ground that a line drawn by hand goes around, as often as it crosses itself; its ends are joined."""
    line = LinearRing([(lon, lat) for lat, lon in ring])
    return unary_union(list(polygonize(unary_union(line))))


def corners_in(text: str) -> tuple[list[tuple[float, float]], str]:
    """The corners that a text gives, one a line or as CAP writes polygons; and what is wrong with them, if anything."""
    corners = [(float(lat), float(lon)) for lat, lon in _CORNER.findall(text)]
    if len(corners) > 1 and corners[0] == corners[-1]:
        corners.pop()
    if re.sub(r"[\s,;]", "", _CORNER.sub("", text)):
        return [], "Write each corner as latitude, longitude in degrees: 40.05, -105.30."
    if any(abs(lat) > 90 or abs(lon) > 180 for lat, lon in corners):
        return [], "A latitude lies between -90 and 90, a longitude between -180 and 180. Is one taken for the other?"
    if corners and len(set(corners)) < FEWEST_CORNERS:
        return [], f"An area has at least {FEWEST_CORNERS} corners."
    return corners, ""


def corner_lines(corners: Sequence[tuple[float, float]]) -> str:
    """The corners as they are written, one a line."""
    return "\n".join(f"{lat:.3f}, {lon:.3f}" for lat, lon in corners)


def around(corners: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The outermost of some corners, in the order of a way around all of them."""
    hull = Polygon([(lon, lat) for lat, lon in corners]).convex_hull
    return [(lat, lon) for lon, lat in list(hull.exterior.coords)[:-1]] if isinstance(hull, Polygon) else list(corners)


def inside(catalog: RegionCatalog, area: Area) -> Inside:
    """What of the service's offer lies in an area."""
    places, lat, lon = catalog.located
    within = contains_xy(area, lon, lat)
    found = [places[at] for at in np.flatnonzero(within)]
    return Inside(
        [place for place in found if place.kind == "zip"],
        [place for place in found if place.kind == "city"],
        catalog.counties_touched_by(area),
    )
