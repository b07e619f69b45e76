"""Areas on the ellipsoid: circles, polygons, and countries, alone or combined, and how far places are from them.

    area = circle(27.7172, 85.324, 40) | country("BT")
    area.measure(places, within_km=25).distance_km
    area.to_geojson()                              # for a map, or to store: `from_geojson` reads it

Edges of polygons are straight in longitude and latitude, as GeoJSON has them. Distances are geodesics.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
import shapely
from shapely.geometry.base import BaseGeometry

from client.vocabulary.itineraries import address_country_codes
from domain.geography.airports import airport
from domain.geography.countries import country_code, country_name
from domain.geography.distance import WGS84, great_circle_km

Floats: TypeAlias = npt.NDArray[np.float64]
Flags: TypeAlias = npt.NDArray[np.bool_]

LONGEST_RADIUS_KM: Final = 5_000.0
"""In kilometers. A circle of this radius contains at most one pole."""
MOST_MARGIN_KM: Final = 1_000.0
MOST_LABELS: Final = 6
"""The number of parts that a heading names."""
NO_AREA: Final = "The file has no area. Areas are polygons, not points or lines."
_MOST_SHAPES: Final = 50
"""The number of shapes that are measured one by one. More are measured as one shape."""
# ASSUMPTION A500: the shapes of countries are simplified by 0.05 degrees, so near a border the country of the record
# decides.
BORDER_KM: Final = 10.0
# ASSUMPTION A500: coordinates farther from a country than this contradict it.
CONTRADICTION_KM: Final = 100.0
_COUNTRIES: Final = Path(__file__).resolve().parents[2] / "static" / "basemap" / "countries.geojson"
_WITHOUT_CODE: Final = {"Somaliland": "SO", "N. Cyprus": "CY"}
"""Parts of the basemap without a code of their own, and the country code that records give them."""
_SAME_POINT_KM: Final = 0.001
_STEP_DEGREES: Final = 0.1
"""Edges are measured in pieces of this length, in degrees, because a short piece is straight in every projection."""
_KM_PER_DEGREE: Final = 110.0
"""Less than the shortest degree of latitude, so that the box around a distance is never too small."""
_CIRCLE_CORNERS: Final = 180
_WORLD: Final = shapely.box(-180, -90, 180, 90)


class AreaError(ValueError):
    """An area that cannot be made. The message says why, and what to write instead."""


@dataclass(frozen=True, eq=False)
class Measure:
    """How far places are from an area, in the order of the places."""

    distance_km: Floats
    """0 inside the area; `inf` beyond the requested distance; NaN for a place without coordinates or country."""
    is_inside: Flags
    is_doubtful: Flags
    """Whether the country of the record and the coordinates contradict each other, so that only one of them is
    inside.
    """


@dataclass(frozen=True)
class Circle:
    """All places within a geodesic distance of a point, in degrees and kilometers."""

    latitude: float
    longitude: float
    radius_km: float
    label: str

    @cached_property
    def geometry(self) -> BaseGeometry:
        """Return the circle to draw. `measure` does not use it."""
        if self.radius_km <= 0:
            return shapely.Point(self.longitude, self.latitude)
        turns = np.linspace(0, 360, _CIRCLE_CORNERS, endpoint=False)
        start = np.full(_CIRCLE_CORNERS, self.longitude), np.full(_CIRCLE_CORNERS, self.latitude)
        east, north, _ = WGS84.fwd(*start, turns, np.full(_CIRCLE_CORNERS, self.radius_km * 1000))
        pole = math.copysign(90.0, self.latitude)
        has_pole = great_circle_km(self.latitude, self.longitude, pole, 0.0) < self.radius_km
        return _close_ring(np.unwrap(east, period=360), north, pole if has_pole else None)

    @property
    def properties(self) -> dict[str, Any]:
        """Return the properties that make it a circle again when it is read from GeoJSON."""
        return {"kind": "circle", "center": [self.longitude, self.latitude], "radiusKm": self.radius_km}

    def measure(self, places: pd.DataFrame, within_km: float) -> Measure:
        """Measure the places. None of them is doubtful."""
        latitude, longitude = _positions(places)
        known = np.isfinite(latitude)
        distance = np.full(len(places), np.nan)
        center = np.full(known.sum(), self.longitude), np.full(known.sum(), self.latitude)
        _, _, meters = WGS84.inv(*center, longitude[known], latitude[known])
        distance[known] = np.maximum(meters / 1000 - self.radius_km, 0.0)
        distance[distance < _SAME_POINT_KM] = 0.0
        return _measured(distance, within_km)


@dataclass(frozen=True)
class Shape:
    """One or more polygons, within -180 to 180 and -90 to 90 degrees."""

    geometry: BaseGeometry
    label: str
    kind: str = "shape"

    @property
    def properties(self) -> dict[str, Any]:
        """Return the properties that mark the geometry as the area itself."""
        return {"kind": self.kind}

    @cached_property
    def _edges(self) -> tuple[shapely.STRtree, Floats]:
        """Return a tree of the pieces of all edges, and the longitude and latitude of their two ends."""
        rings = shapely.get_rings(shapely.segmentize(shapely.get_parts(self.geometry), _STEP_DEGREES))
        at, ring = shapely.get_coordinates(rings, return_index=True)
        same = ring[1:] == ring[:-1]
        ends = np.hstack([at[:-1][same], at[1:][same]])
        return shapely.STRtree(shapely.linestrings(ends.reshape(-1, 2, 2))), ends

    def measure(self, places: pd.DataFrame, within_km: float) -> Measure:
        """Measure the places. None of them is doubtful."""
        latitude, longitude = _positions(places)
        known = np.isfinite(latitude)
        distance = np.where(known, np.inf, np.nan)
        shapely.prepare(self.geometry)
        inside = np.zeros(len(places), dtype=bool)
        inside[known] = shapely.intersects_xy(self.geometry, longitude[known], latitude[known])
        outside = np.flatnonzero(known & ~inside)
        distance[inside] = 0.0
        distance[outside] = self.edge_distances(latitude[outside], longitude[outside], within_km)
        # On the 180th meridian and at the poles one place has several coordinates.
        distance[distance < _SAME_POINT_KM] = 0.0
        return _measured(distance, within_km)

    def edge_distances(self, latitude: Floats, longitude: Floats, within_km: float) -> Floats:
        """Return the kilometers to the nearest edge; `inf` beyond the requested distance."""
        tree, ends = self._edges
        nearest = np.full(len(latitude), np.inf)
        if not len(latitude) or not len(ends):
            return nearest
        south, west, north, east = _boxes(latitude, longitude, max(within_km, _SAME_POINT_KM))
        pairs = [tree.query(shapely.box(west + turn, south, east + turn, north)) for turn in (-360.0, 0.0, 360.0)]
        place, edge = np.concatenate(pairs, axis=1)
        if not len(place):
            return nearest
        # In the azimuthal equidistant projection around the place, azimuth and distance are the coordinates.
        first = _relative_positions(latitude[place], longitude[place], ends[edge, :2])
        second = _relative_positions(latitude[place], longitude[place], ends[edge, 2:])
        lines = shapely.linestrings(np.stack([first, second], axis=1))
        np.minimum.at(nearest, place, shapely.distance(lines, shapely.Point(0, 0)))
        nearest[nearest > within_km] = np.inf
        return nearest


@dataclass(frozen=True)
class Country:
    """A country by its two-letter code. The country of a record decides; for records without one, the shape decides."""

    code: str

    @property
    def label(self) -> str:
        """Return the English name of the country."""
        return country_name(self.code)

    @property
    def geometry(self) -> BaseGeometry:
        """Return the shape of the country; empty if the basemap has none, as for an overseas department."""
        return country_shapes().get(self.code, shapely.MultiPolygon())

    @property
    def properties(self) -> dict[str, Any]:
        """Return the properties that make it a country again when it is read from GeoJSON."""
        return {"kind": "country", "code": self.code}

    def measure(self, places: pd.DataFrame, within_km: float) -> Measure:
        """Measure the places by their country, and by their coordinates if these are far from a border."""
        shape = Shape(self.geometry, self.label)
        reach = max(within_km, CONTRADICTION_KM)
        by_shape = shape.measure(places, reach).distance_km
        stated = places["country"].fillna("").to_numpy(dtype=object)
        is_stated = np.array([self.code in address_country_codes(code) for code in stated], dtype=bool)
        is_elsewhere = (stated != "") & ~is_stated
        deep = np.flatnonzero(is_elsewhere & (by_shape == 0))
        latitude, longitude = _positions(places)
        is_deep = np.zeros(len(places), dtype=bool)
        is_deep[deep] = np.isinf(shape.edge_distances(latitude[deep], longitude[deep], BORDER_KM))
        contradicts = is_stated & np.isinf(by_shape) & (not shapely.is_empty(self.geometry))
        doubtful = contradicts | is_deep
        distance = np.where(is_stated, 0.0, by_shape)
        # The record places it across the border, at a distance that the simplified shapes cannot give.
        distance[is_elsewhere & (by_shape == 0) & ~is_deep] = _SAME_POINT_KM
        found = _measured(distance, within_km)
        return Measure(found.distance_km, found.is_inside & ~doubtful, doubtful)


Part: TypeAlias = Circle | Shape | Country


@dataclass(frozen=True)
class Area:
    """One or more parts. A place is inside if it is inside one of them."""

    parts: tuple[Part, ...]
    notes: tuple[str, ...] = ()
    """What was left out, changed, or is doubtful where the area was read, one sentence each."""

    def __post_init__(self) -> None:
        """Refuse an area without parts."""
        if not self.parts:
            raise AreaError("The area is empty. Draw or name at least one place.")

    def __or__(self, other: Area) -> Area:
        """Return both areas together."""
        return Area(self.parts + other.parts, self.notes + other.notes)

    @property
    def label(self) -> str:
        """Return the name of the area for a heading: "40 km around Kathmandu, Bhutan"."""
        labels = list(dict.fromkeys(part.label for part in self.parts))
        more = len(labels) - MOST_LABELS
        return ", ".join(labels) if more <= 0 else f"{', '.join(labels[:MOST_LABELS])}, and {more:,} more"

    @cached_property
    def geometry(self) -> BaseGeometry:
        """Return the whole area to draw, in degrees, cut at the 180th meridian."""
        return shapely.union_all([part.geometry for part in self.parts])

    @property
    def country_codes(self) -> list[str]:
        """Return the country codes of an area that consists only of countries; otherwise none."""
        codes = [part.code for part in self.parts if isinstance(part, Country)]
        return codes if len(codes) == len(self.parts) else []

    def measure(self, places: pd.DataFrame, within_km: float = 0.0) -> Measure:
        """Measure places (columns latitude, longitude, country), each against the nearest part."""
        each = [part.measure(places, within_km) for part in _measured_parts(self.parts)]
        inside = np.any([one.is_inside for one in each], axis=0)
        doubtful = np.any([one.is_doubtful for one in each], axis=0) & ~inside
        # A place without coordinates may still have a country.
        distance = np.fmin.reduce([one.distance_km for one in each])
        return Measure(np.where(inside, 0.0, distance), inside, doubtful)

    def to_geojson(self) -> dict[str, Any]:
        """Return a FeatureCollection with one feature per part, and the notes."""
        notes = {"notes": list(self.notes)} if self.notes else {}
        return {"type": "FeatureCollection", "features": [part_feature(part) for part in self.parts], **notes}


def _measured_parts(parts: Sequence[Part]) -> Sequence[Part]:
    """Join many shapes into one, which is measured faster."""
    shapes = [part for part in parts if isinstance(part, Shape)]
    if len(shapes) <= _MOST_SHAPES:
        return parts
    whole = Shape(shapely.union_all([each.geometry for each in shapes]), "")
    return [whole, *(part for part in parts if not isinstance(part, Shape))]


def from_geojson(collection: Mapping[str, Any], *, name: str = "Shape") -> Area:
    """Read the result of `Area.to_geojson`, or any FeatureCollection of polygons in degrees. Raises `AreaError`.

    `name` is the label of features that have none.
    """
    parts = [part for feature in collection["features"] for part in parts_of_feature(feature, name=name)]
    if not parts:
        raise AreaError(NO_AREA)
    return Area(tuple(parts), tuple(collection.get("notes") or ()))


def part_feature(part: Part, **properties: Any) -> dict[str, Any]:
    """Return a part as a GeoJSON feature. `properties` store what the geometry alone would lose."""
    return {
        "type": "Feature",
        "properties": {"label": part.label, **part.properties, **properties},
        "geometry": json.loads(shapely.to_geojson(part.geometry)),
    }


def parts_of_feature(feature: Mapping[str, Any], *, name: str = "Shape") -> list[Part]:
    """Return the parts of a GeoJSON feature in degrees; none if it has no polygon. Raises `AreaError`."""
    about, geometry = feature.get("properties") or {}, feature.get("geometry")
    label = str(about.get("label") or about.get("name") or name)
    if about.get("kind") == "circle" and about.get("center") and "radiusKm" in about:
        longitude, latitude = about["center"]
        return list(circle(latitude, longitude, about["radiusKm"], label=label).parts)
    if about.get("kind") == "country" and country_code(about.get("code")):
        return list(country(about["code"]).parts)
    areas = _areas_in(shapely.from_geojson(json.dumps(geometry))) if geometry else []
    whole = shapely.union_all([_fold(each, file=True) for each in areas])
    return [] if whole.is_empty else [Shape(whole, label)]


def circle(latitude: float, longitude: float, radius_km: float, *, label: str = "") -> Area:
    """Return all places within `radius_km` of a point in decimal degrees. Raises `AreaError`."""
    check_position(latitude, longitude)
    if not 0 <= radius_km <= LONGEST_RADIUS_KM:
        raise AreaError(f"The radius must be from 0 to {LONGEST_RADIUS_KM:,.0f} km.")
    label = label or f"{kilometers(radius_km)} around {latitude:g}, {longitude:g}"
    return Area((Circle(float(latitude), float(longitude), float(radius_km), label),))


def around_airport(code: str, radius_km: float) -> Area:
    """Return all places within `radius_km` of an airport, or of each airport of a city code. Raises `AreaError`."""
    found = airport(code)
    if found is None:
        raise AreaError(f"“{code}” isn’t the IATA code of an airport or a city. Enter a code such as KTM.")
    ports = [each for each in map(airport, found.city_airports) if each is not None] or [found]
    return Area(
        tuple(
            part
            for port in ports
            for part in circle(
                port.latitude, port.longitude, radius_km, label=f"{kilometers(radius_km)} around {port.label}"
            ).parts
        )
    )


def country(name: str) -> Area:
    """Return a country by its two-letter code or a name. Raises `AreaError`."""
    code = country_code(name)
    if code is None:
        raise AreaError(f"“{name}” isn’t a country. Enter a two-letter code such as NP, or a name such as Nepal.")
    return Area((Country(code),))


def rectangle(south: float, west: float, north: float, east: float) -> Area:
    """Return the area between two parallels and two meridians; across the 180th meridian if west is greater than
    east.
    """
    check_position(south, west)
    check_position(north, east)
    if south > north:
        raise AreaError("The southern edge of the rectangle is north of its northern edge.")
    box = shapely.box(west, south, east if east >= west else east + 360, north)
    label = f"Rectangle {south:g}, {west:g} to {north:g}, {east:g}"
    return Area((Shape(_cut_at_antimeridian(box), label),))


def polygon(corners: Sequence[tuple[float, float]], holes: Sequence[Sequence[tuple[float, float]]] = ()) -> Area:
    """Return the polygon with these corners, as latitude and longitude. Each edge is the shorter way. Raises
    `AreaError`.

    A ring that crosses itself encloses everything that it goes around. A ring around a pole contains the pole.
    Longitudes may continue beyond 180.
    """
    rings = [[(lon, lat) for lat, lon in ring] for ring in (corners, *holes)]
    if any(len(set(ring)) < 3 for ring in rings):
        raise AreaError("An area must have at least 3 corners.")
    for lon, lat in (at for ring in rings for at in ring):
        check_position(lat, (lon + 180) % 360 - 180)
    area = _fold(shapely.Polygon(rings[0], rings[1:]))
    if area.is_empty:
        raise AreaError("The corners of an area cannot all be on one line.")
    return Area((Shape(area, "Drawn area"),))


def check_position(latitude: float, longitude: float) -> None:
    """Raise `AreaError` for a position that does not exist on Earth."""
    if not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
        raise AreaError(
            f"{latitude:g}, {longitude:g} isn’t a position. Enter latitude, then longitude, in decimal degrees."
        )


def kilometers(distance: float) -> str:
    """Format a distance as "40 km" or "40.2 km"."""
    return f"{distance:,.1f}".removesuffix(".0") + " km"


@cache
def country_shapes() -> dict[str, BaseGeometry]:
    """Return the simplified shapes of the countries by two-letter code."""
    features = json.loads(_COUNTRIES.read_text(encoding="utf-8"))["features"]
    found: dict[str, list[BaseGeometry]] = {}
    for feature in features:
        about = feature["properties"]
        code = about["code"] or _WITHOUT_CODE.get(about["name"], "")
        found.setdefault(code, []).append(shapely.make_valid(shapely.from_geojson(json.dumps(feature["geometry"]))))
    return {code: shapely.union_all(shapes) for code, shapes in found.items() if code}


def _positions(places: pd.DataFrame) -> tuple[Floats, Floats]:
    latitude = places["latitude"].to_numpy(dtype=np.float64)
    longitude = places["longitude"].to_numpy(dtype=np.float64)
    known = np.isfinite(latitude) & np.isfinite(longitude)
    return np.where(known, latitude, np.nan), np.where(known, longitude, np.nan)


def _measured(distance: Floats, within_km: float) -> Measure:
    distance = np.where(distance > within_km, np.inf, distance)
    return Measure(distance, distance == 0, np.zeros(len(distance), dtype=bool))


def _boxes(latitude: Floats, longitude: Floats, within_km: float) -> tuple[Floats, Floats, Floats, Floats]:
    """Return south, west, north, and east of boxes that contain everything within a distance; 180 on both sides at a
    pole.
    """
    reach = within_km / _KM_PER_DEGREE
    south, north = latitude - reach, latitude + reach
    with np.errstate(invalid="ignore", divide="ignore"):
        widest = np.degrees(np.arcsin(np.sin(np.radians(min(reach, 90.0))) / np.cos(np.radians(latitude))))
    has_pole = (south <= -90) | (north >= 90) | ~np.isfinite(widest)
    wide = np.where(has_pole, 180.0, widest * 1.02)
    return south, longitude - wide, north, longitude + wide


def _relative_positions(latitude: Floats, longitude: Floats, points: Floats) -> Floats:
    """Return points (longitude, latitude) as kilometers east and north of a place each, by azimuth and distance."""
    azimuth, _, meters = WGS84.inv(longitude, latitude, points[:, 0], points[:, 1])
    turn = np.radians(azimuth)
    seen: Floats = np.column_stack([np.sin(turn), np.cos(turn)]) * (meters / 1000)[:, None]
    return seen


def _areas_in(shape: BaseGeometry) -> list[BaseGeometry]:
    """Yield the polygons of a geometry, however it is nested."""
    if isinstance(shape, shapely.Polygon):
        return [] if shape.is_empty else [shape]
    return [area for part in getattr(shape, "geoms", ()) for area in _areas_in(part)]


def _fold(area: shapely.Polygon, *, file: bool = False) -> BaseGeometry:
    """Return a polygon within -180 to 180 degrees, cut at the 180th meridian. Each edge is the shorter way.

    In a file, an edge may be wide: only an edge almost all the way around the world counts as a short one across the
    180th meridian.
    """
    outer = _unrolled(shapely.get_coordinates(area.exterior), file=file)
    holes = [_unrolled(shapely.get_coordinates(ring), file=file) for ring in area.interiors]
    return shapely.difference(outer, shapely.union_all(holes)) if holes else outer


def _unrolled(ring: Floats, *, file: bool) -> BaseGeometry:
    longitude, latitude = ring.T
    step = np.diff(longitude)
    # ASSUMPTION A501
    is_whole_parallel = (np.abs(step) >= 359.99) & (np.diff(latitude) == 0)
    is_across = np.abs(step) > 180 if not file else (np.abs(step) > 300) & ~is_whole_parallel
    turns = np.concatenate([[0.0], np.cumsum(np.where(is_across, -360 * np.round(step / 360), 0.0))])
    longitude = longitude + turns
    is_around_pole = abs(longitude[-1] - longitude[0]) > 180
    area = _close_ring(longitude, latitude, math.copysign(90.0, float(np.mean(latitude))) if is_around_pole else None)
    # A ring along one parallel has no area as it is written, so it is around a pole.
    return _unrolled(ring, file=False) if area.is_empty and file else area


def _close_ring(longitude: Floats, latitude: Floats, pole: float | None) -> BaseGeometry:
    """Return the area within a ring whose longitudes continue beyond 180; with a `pole` (90 or -90), the area
    between the ring and the pole.
    """
    corners = np.column_stack([longitude, latitude])
    if pole is not None:
        first = corners[0] + [360.0 * np.sign(corners[-1, 0] - corners[0, 0]), 0.0]
        ends = np.array([first, [first[0], pole], [corners[0, 0], pole]])
        corners = np.vstack([corners, ends])
    area = shapely.make_valid(shapely.Polygon(corners), method="structure", keep_collapsed=False)
    return _cut_at_antimeridian(area)


def _cut_at_antimeridian(area: BaseGeometry) -> BaseGeometry:
    if area.is_empty:
        return area
    west, _, east, _ = shapely.bounds(area)
    parts = []
    for turn in range(math.floor((west + 180) / 360), math.ceil((east - 180) / 360) + 1):
        shift = 360.0 * turn
        moved = shapely.transform(area, lambda at, shift=shift: at - [shift, 0.0])
        parts.append(shapely.intersection(moved, _WORLD))
    return shapely.union_all(parts)
