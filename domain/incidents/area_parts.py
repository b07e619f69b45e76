"""The parts of an area as texts in a link, and shapes drawn on a map as such parts.

A part is text that `parse_area` reads, or the name of an area that the journal stores:

    40 km around Kathmandu        country:NP        polygon:27,85 28,85 28,86
    file:3f9a02c1b7d5e604         an area from a file, by the hash of its content (`stored_areas`)
    file:3f9a02c1b7d5e604:1,3     the first and third part of that file
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import attrgetter, or_
from typing import Any, Final

import numpy as np
import shapely
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from domain.expected_locations.bounds import Bounds
from domain.geography.distance import WGS84
from domain.incidents.area import Area, AreaError, Country
from domain.incidents.area_file import DIFFERENT_KINDS, AreaFile, join_periods
from domain.incidents.area_text import parse_area
from domain.incidents.incident_time import IncidentTime, stored_time
from domain.maps.map_shape import Outline

STORED_PART: Final = re.compile(r"(?P<stored>file:[0-9a-f]{16})(?P<parts>:[\d,]*)?")
_STORED_LENGTH: Final = len("file:") + 16
NO_PARTS: Final = "none"
"""The text in the link of a saved incident whose area was removed. A link without an area has no text."""
_DIGITS: Final = 4
"""Decimals of degrees in a link: 11 m."""
_ROOM: Final = 0.4
"""The margin around an area on the map, as a share of its width and height."""
_ROUND: Final = 0.01
"""A ring is a circle if the distances of its corners from the center differ by at most this share."""
_FEWEST_OF_CIRCLE: Final = 32
NOT_STORED: Final = "Muster does not have the area of this link. Remove it, or add the file again."
_HIGHEST_EDITED: Final = 89.0
"""The highest degree of latitude that the map can show."""
_SEAM: Final = 1e-9
"""The degrees by which corners on the 180th meridian may differ."""


@dataclass(frozen=True)
class AreaPart:
    """A part of an area by its text: the area, or why there is none."""

    text: str
    area: Area | None
    problem: str = ""
    file: AreaFile | None = None
    selected: tuple[int, ...] = ()
    """The numbers of the parts of the file that count."""

    @property
    def label(self) -> str:
        """Return the label of the part in a list."""
        if self.file is not None and len(self.file.parts) == 1:
            return self.file.parts[0].label
        if self.file is not None:
            return f"{self.file.name}: {len(self.selected):,} of {len(self.file.parts):,} parts"
        if self.area is None:
            return self.text if self.is_text else "Area of a file"
        return self.area.label

    def with_selection(self, numbers: Collection[int]) -> str:
        """Return the text of the part with other parts of its file."""
        stored = self.text[:_STORED_LENGTH]
        chosen = sorted(numbers)
        by_default = [] if self.file is None or self.file.has_different_kinds else self.file.preselected
        return stored if chosen == by_default else f"{stored}:{','.join(map(str, chosen))}"

    @property
    def is_text(self) -> bool:
        """Return whether a person can read and edit the text."""
        return STORED_PART.fullmatch(self.text) is None


def read_parts(texts: Sequence[str], load_area: Callable[[str], AreaFile | None]) -> list[AreaPart]:
    """Read each part. `load_area` returns the area that the journal stores under the text of a part."""
    return [_read_part(text, load_area) for text in texts if text != NO_PARTS]


def joined_area(parts: Iterable[AreaPart]) -> Area | None:
    """Return the parts as one area; None if no part can be read."""
    areas = [part.area for part in parts if part.area is not None]
    return reduce(or_, areas) if areas else None


def alert_time(parts: Iterable[AreaPart]) -> IncidentTime | None:
    """Return the time of the alerts whose areas count; None if they give no time."""
    counted = [part.file.parts[number - 1] for part in parts if part.file is not None for number in part.selected]
    begins, ends = join_periods(counted)
    return None if begins is None else stored_time(begins.replace(second=0, microsecond=0), ends)


def editable_ring(part: AreaPart) -> dict[str, Any] | None:
    """Return the part as the one ring that the map edits; None for a country, a pole, holes, or several polygons.

    Longitudes of a ring across the 180th meridian continue beyond 180.
    """
    shapes = part.area.parts if part.area is not None else ()
    if len(shapes) != 1 or isinstance(shapes[0], Country):
        return None
    outer = unwrapped(shapes[0].geometry)
    if outer.geom_type != "Polygon" or outer.interiors or np.abs(outer.bounds[1::2]).max() > _HIGHEST_EDITED:
        return None
    return {"type": "Polygon", "coordinates": [[list(at) for at in outer.exterior.coords]]}


def _shapes_of(part: AreaPart) -> Iterator[tuple[str, bool, BaseGeometry]]:
    """Yield what a map draws of a part: the name, whether it counts, and the geometry."""
    if part.file is not None:
        for number, each in enumerate(part.file.parts, 1):
            yield each.title, number in part.selected, each.geometry
    elif part.area is not None:
        yield part.label, True, part.area.geometry


def _rings_of(geometry: BaseGeometry) -> list[list[list[float]]]:
    """Return the outer rings, in degrees with two decimals."""
    return [
        np.asarray(each.exterior.coords).round(2).tolist()
        for each in shapely.get_parts(unwrapped(geometry).simplify(0.01))
        if each.geom_type == "Polygon" and len(each.exterior.coords) > 3
    ]


def unwrapped(geometry: BaseGeometry) -> BaseGeometry:
    """Join what was cut at the 180th meridian, without the corners of the cut."""
    pieces = shapely.get_parts(geometry)
    if len(pieces) < 2:
        return geometry
    is_beyond = [each.bounds[0] <= -180 + _SEAM for each in pieces]
    east = [translate(each, 360) if beyond else each for each, beyond in zip(pieces, is_beyond, strict=True)]
    whole = shapely.union_all(east, grid_size=_SEAM)
    return whole.simplify(_SEAM) if whole.geom_type == "Polygon" else geometry


def outlines(parts: Iterable[AreaPart]) -> list[Outline]:
    """Return all parts for the map, and each part of a file by itself. Those that count come first."""
    found = [
        Outline(name, counts, _rings_of(geometry)) for part in parts for name, counts, geometry in _shapes_of(part)
    ]
    return sorted(found, key=attrgetter("counts"), reverse=True)


def bounds_around(parts: Iterable[AreaPart]) -> Bounds | None:
    """Return the section of the world that shows all parts with a margin; None if there are none.

    All parts of a file are in view, so that a person sees those that can be selected.
    """
    return bounds_of([geometry for part in parts for _, _, geometry in _shapes_of(part)], room=_ROOM)


def bounds_of(geometries: Iterable[BaseGeometry], *, room: float) -> Bounds | None:
    """Return the section of the world that shows all geometries; None if there are none.

    `room` is the margin, as a share of the width and height.
    """
    boxes = [each.bounds for geometry in geometries for each in getattr(geometry, "geoms", [geometry])]
    if not boxes:
        return None
    south, north = min(box[1] for box in boxes), max(box[3] for box in boxes)
    # From west to east around the world, without the widest gap between parts.
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
    margin_x, margin_y = max(width, north - south) * room + room / 4, (north - south) * room + room / 4
    if width + 2 * margin_x >= 360:
        west, east, margin_x = -180.0, 180.0, 0.0
    return Bounds(
        _wrapped(west - margin_x), max(south - margin_y, -85.0), _wrapped(east + margin_x), min(north + margin_y, 85.0)
    )


def _wrapped(longitude: float) -> float:
    return longitude if -180 <= longitude <= 180 else (longitude + 180) % 360 - 180


def drawn_text(geometry: Mapping[str, Any]) -> str:
    """Return a drawn polygon as text that `parse_area` reads. A ring that is nearly round becomes a circle."""
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


def _read_part(text: str, load_area: Callable[[str], AreaFile | None]) -> AreaPart:
    if (found := STORED_PART.fullmatch(text)) is not None:
        file = load_area(found["stored"])
        return AreaPart(text, None, NOT_STORED) if file is None else _read_file_part(text, file, found["parts"])
    try:
        return AreaPart(text, _parsed(text))
    except AreaError as error:
        return AreaPart(text, None, str(error))


def _read_file_part(text: str, file: AreaFile, selection: str | None) -> AreaPart:
    if selection is None and file.has_different_kinds:
        return AreaPart(text, None, DIFFERENT_KINDS, file)
    wanted = {int(each) for each in (selection or "").removeprefix(":").split(",") if each}
    numbers = file.preselected if selection is None else [n for n in range(1, len(file.parts) + 1) if n in wanted]
    try:
        return AreaPart(text, file.select(numbers), "", file, tuple(numbers))
    except AreaError as error:
        return AreaPart(text, None, str(error), file)


# Cached, because an area keeps the index that it measures distances with.
@lru_cache(maxsize=256)
def _parsed(text: str) -> Area:
    return parse_area(text)
