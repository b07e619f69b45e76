"""The geometry of an asset: GeoJSON in a string, longitude before latitude, checked position by position."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from client.vocabulary.assets import COORDINATE_DEPTHS, GEOMETRY_COLLECTION
from service.request_body import parse_json

MOST_POSITIONS = 100_000
_DEEPEST_COLLECTION = 5
_SHORTEST = {"LineString": 2, "MultiLineString": 2, "Polygon": 4, "MultiPolygon": 4}


class GeometryError(Exception):
    """A text that is not a geometry; the message says why."""


@dataclass(frozen=True)
class Extent:
    """The bounds of a geometry, in decimal degrees."""

    west: float
    south: float
    east: float
    north: float

    @property
    def middle(self) -> tuple[float, float]:
        """Latitude and longitude of the center."""
        return (self.south + self.north) / 2, (self.west + self.east) / 2


def read_extent(text: str) -> Extent:
    """Check a geometry and return its bounds. Raises `GeometryError`."""
    try:
        value = parse_json(text)
    except (ValueError, RecursionError) as error:
        raise GeometryError("is not GeoJSON in a string") from error
    longitudes: list[float] = []
    latitudes: list[float] = []
    for longitude, latitude in _positions(value, 0):
        longitudes.append(longitude)
        latitudes.append(latitude)
        if len(longitudes) > MOST_POSITIONS:
            raise GeometryError(f"has more than {MOST_POSITIONS} positions")
    if not longitudes:
        raise GeometryError("has no positions")
    return Extent(min(longitudes), min(latitudes), max(longitudes), max(latitudes))


def _positions(value: Any, level: int) -> Iterator[tuple[float, float]]:
    kind = value.get("type") if isinstance(value, dict) else None
    if kind == GEOMETRY_COLLECTION:
        members = value.get("geometries")
        if not isinstance(members, list) or level >= _DEEPEST_COLLECTION:
            raise GeometryError("has a collection that is empty or nested too deeply")
        for member in members:
            yield from _positions(member, level + 1)
        return
    if not isinstance(kind, str) or kind not in COORDINATE_DEPTHS:
        raise GeometryError("is not a GeoJSON geometry type")
    for line in _lines(value.get("coordinates"), COORDINATE_DEPTHS[kind]):
        positions = [_position(position) for position in line]
        if len(positions) < _SHORTEST.get(kind, 0):
            raise GeometryError(f"has a line of fewer than {_SHORTEST[kind]} positions")
        if "Polygon" in kind and positions[0] != positions[-1]:
            raise GeometryError("has a ring that is not closed")
        yield from positions


def _lines(coordinates: Any, depth: int) -> Iterator[list[Any]]:
    if depth == 0:
        yield [coordinates]
        return
    if not isinstance(coordinates, list):
        raise GeometryError("has coordinates with the wrong nesting for its type")
    if depth == 1:
        yield coordinates
        return
    for part in coordinates:
        yield from _lines(part, depth - 1)


def _position(value: Any) -> tuple[float, float]:
    if not isinstance(value, list) or not 2 <= len(value) <= 4:
        raise GeometryError("has a position that is not [longitude, latitude]")
    if not all(isinstance(number, int | float) and not isinstance(number, bool) for number in value):
        raise GeometryError("has a position that is not numbers")
    if not all(abs(number) <= 1e9 and math.isfinite(number) for number in value):
        raise GeometryError("has a position with a number that is too large")
    longitude, latitude = float(value[0]), float(value[1])
    if not -180 <= longitude <= 180 or not -90 <= latitude <= 90:
        raise GeometryError("has a position out of range: longitude first, -180 to 180, then latitude, -90 to 90")
    return longitude, latitude
