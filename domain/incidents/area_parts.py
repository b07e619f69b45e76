"""The area of an incident as the parts that a link holds, and shapes drawn on a map as such parts.

A part is text that `parse_area` reads, or the name of a part that is stored:

    40 km around Kathmandu        country:NP        polygon:27,85 28,85 28,86
    incident:12:3f9a02c1          a part of the stored incident 12
    file:3f9a02c1                 a part of a file that the browser session holds
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import or_
from typing import Any, Final

import numpy as np

from domain.expected_locations.bounds import Bounds
from domain.geography.distance import WGS84
from domain.incidents.area import Area, AreaError, Country, from_geojson
from domain.incidents.area_text import parse_area

_STORED: Final = re.compile(r"(?:incident:(?P<incident>\d{1,18})|file):(?P<digest>[0-9a-f]{8})")
_DIGITS: Final = 4
"""Of degrees in a link: 11 m."""
_ROOM: Final = 0.4
"""Around an area on the map, as a share of its width and height."""
_ROUND: Final = 0.01
"""A ring whose corners are as far from its center as this share is a circle."""
_FEWEST_OF_CIRCLE: Final = 32
NOT_STORED: Final = (
    "This part came from a file or a saved incident that Muster no longer has. Remove it, or add the file again."
)


@dataclass(frozen=True)
class AreaPart:
    """A part of an area as its text names it: the area, or why there is none."""

    text: str
    area: Area | None
    problem: str = ""

    @property
    def label(self) -> str:
        """What a list calls it."""
        return self.area.label if self.area is not None else self.text

    @property
    def is_text(self) -> bool:
        """Whether a person can read and edit its text."""
        return _STORED.fullmatch(self.text) is None


def read_parts(
    texts: Sequence[str], files: Mapping[str, Area], incident_area: Callable[[int], Mapping[str, Any] | None]
) -> list[AreaPart]:
    """Read each part; `files` are areas by name, `incident_area` gives the GeoJSON of a stored incident's area."""
    return [_read_part(text, files, incident_area) for text in texts]


def joined_area(parts: Iterable[AreaPart]) -> Area | None:
    """The parts together; None if there is none that can be read."""
    areas = [part.area for part in parts if part.area is not None]
    return reduce(or_, areas) if areas else None


def file_parts(area: Area) -> dict[str, Area]:
    """The parts of a file by the names that stand for them in a link; its notes stay with the first."""
    singles = [Area((part,), area.notes if not number else ()) for number, part in enumerate(area.parts)]
    return {f"file:{_digest(single)}": single for single in singles}


def incident_parts(incident_id: int, collection: Mapping[str, Any]) -> list[str]:
    """The names of the parts of a stored incident's area. Raises `AreaError`."""
    return [f"incident:{incident_id}:{_digest(Area((part,)))}" for part in from_geojson(collection).parts]


def editable_ring(part: AreaPart) -> dict[str, Any] | None:
    """The part as the one ring that the map edits; None for a country, holes, or several polygons."""
    shapes = part.area.parts if part.area is not None else ()
    if len(shapes) != 1 or isinstance(shapes[0], Country) or shapes[0].geometry.geom_type != "Polygon":
        return None
    outer = shapes[0].geometry
    return None if outer.interiors else {"type": "Polygon", "coordinates": [[list(at) for at in outer.exterior.coords]]}


def outlines(parts: Iterable[AreaPart]) -> list[list[list[float]]]:
    """The outer rings of all parts, in degrees to two decimals, for the map."""
    rings = []
    for part in parts:
        if part.area is not None:
            geometry = part.area.geometry.simplify(0.01)
            polygons = getattr(geometry, "geoms", [geometry])
            rings += [
                np.asarray(each.exterior.coords).round(2).tolist()
                for each in polygons
                if each.geom_type == "Polygon" and len(each.exterior.coords) > 3
            ]
    return rings


def bounds_around(parts: Iterable[AreaPart]) -> Bounds | None:
    """The part of the world that shows all parts with some room around them; None if there is none."""
    geometries = [part.area.geometry for part in parts if part.area is not None]
    boxes = [each.bounds for geometry in geometries for each in getattr(geometry, "geoms", [geometry])]
    if not boxes:
        return None
    south, north = min(box[1] for box in boxes), max(box[3] for box in boxes)
    # West to east around the world, without the longest way that no part lies on.
    begins = sorted((box[0], box[2]) for box in boxes)
    ends, east = [], -np.inf
    for _, end in begins:
        east = max(east, end)
        ends.append(east)
    following = [*(begin for begin, _ in begins[1:]), begins[0][0] + 360]
    gaps = [after - end for end, after in zip(ends, following, strict=True)]
    widest = int(np.argmax(gaps))
    east, west = ends[widest], following[widest] - (360 if widest == len(gaps) - 1 else 0)
    width = (east - west) % 360 or 1e-9
    room_x, room_y = max(width, north - south) * _ROOM + 0.1, (north - south) * _ROOM + 0.1
    if width + 2 * room_x >= 360:
        west, east, room_x = -180.0, 180.0, 0.0
    return Bounds(
        _wrapped(west - room_x), max(south - room_y, -85.0), _wrapped(east + room_x), min(north + room_y, 85.0)
    )


def _wrapped(longitude: float) -> float:
    return longitude if -180 <= longitude <= 180 else (longitude + 180) % 360 - 180


def drawn_text(geometry: Mapping[str, Any]) -> str:
    """A drawn polygon as text that `parse_area` reads; a ring of a circle as a circle."""
    ring = np.array(geometry["coordinates"][0][:-1], dtype=np.float64)
    longitude, latitude = ring[:, 0], ring[:, 1]
    if len(ring) >= _FEWEST_OF_CIRCLE and (found := _circle_of(longitude, latitude)) is not None:
        return found
    corners = " ".join(f"{lat:.{_DIGITS}f},{lon:.{_DIGITS}f}" for lon, lat in ring)
    return f"polygon:{corners}"


def _circle_of(longitude: np.ndarray, latitude: np.ndarray) -> str | None:
    north, south = int(latitude.argmax()), int(latitude.argmin())
    center = float(longitude[north]), float(latitude[north] + latitude[south]) / 2
    count = len(latitude)
    _, _, meters = WGS84.inv(np.full(count, center[0]), np.full(count, center[1]), longitude, latitude)
    radius = float(meters.mean())
    if radius <= 0 or np.abs(meters - radius).max() > _ROUND * radius:
        return None
    kilometers = f"{radius / 1000:.4g}" if radius < 1_000_000 else f"{radius / 1000:.0f}"
    return f"circle:{center[1]:.{_DIGITS}f},{(center[0] + 180) % 360 - 180:.{_DIGITS}f},{kilometers}km"


def _read_part(
    text: str, files: Mapping[str, Area], incident_area: Callable[[int], Mapping[str, Any] | None]
) -> AreaPart:
    stored = _STORED.fullmatch(text)
    if stored is None:
        try:
            return AreaPart(text, _parsed(text))
        except AreaError as error:
            return AreaPart(text, None, str(error))
    if not stored["incident"]:
        area = files.get(text)
        return AreaPart(text, area, "" if area is not None else NOT_STORED)
    collection = incident_area(int(stored["incident"]))
    if collection is not None:
        area = _by_digest(json.dumps(collection, sort_keys=True)).get(stored["digest"])
        if area is not None:
            return AreaPart(text, area)
    return AreaPart(text, None, NOT_STORED)


# An area keeps the index that it measures distances with.
@lru_cache(maxsize=256)
def _parsed(text: str) -> Area:
    return parse_area(text)


@lru_cache(maxsize=64)
def _by_digest(collection: str) -> dict[str, Area]:
    singles = [Area((part,)) for part in from_geojson(json.loads(collection)).parts]
    return {_digest(single): single for single in singles}


def _digest(area: Area) -> str:
    feature = area.to_geojson()["features"][0]
    about = feature["properties"]
    if about.get("kind") in ("circle", "country"):
        # The drawn ring of a circle may differ in its last digit.
        feature = about
    return hashlib.sha256(json.dumps(feature, sort_keys=True).encode()).hexdigest()[:8]
