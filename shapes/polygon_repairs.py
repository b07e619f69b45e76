"""Make areas valid without adding territory, and measure them. Runs in the confined process."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import shapely

from shapes.features import Shapes

_EQUATORIAL_RADIUS: Final = 6_378_137.0
_ECCENTRICITY: Final = 0.0818191908426215
_LONGEST_EDGE: Final = 0.5
"""In degrees: a longer edge is curved in the projection in which areas are measured."""


def repair_invalid(shapes: Shapes) -> Shapes:
    """Make invalid shapes valid. Areas stay areas, holes stay holes, and a shape that collapses becomes empty."""
    invalid = ~shapely.is_valid(shapes) & ~shapely.is_missing(shapes)
    result = shapes.copy()
    for place in np.flatnonzero(invalid):
        area = shapely.get_dimensions(shapes[place]) == 2
        # GEOS would make an area of a hole that lies outside its shell.
        sound = drop_outside_holes(shapes[place]) if area else shapes[place]
        valid = shapely.make_valid(sound, method="structure", keep_collapsed=False)
        if area and not shapely.is_valid(valid):
            # If an edge runs back over itself, GEOS sometimes returns two parts that share a piece of it.
            valid = shapely.buffer(valid, 0)
        result[place] = areas_of(valid) if area else valid
    return result


def drop_outside_holes(shape: Any) -> Any:
    """Return an area without the holes that lie outside their shells."""
    if shapely.get_type_id(shape) not in (3, 6):
        return shape
    polygons = []
    for polygon in shapely.get_parts(shape):
        shell = _valid_polygon(polygon.exterior)
        holes = [ring for ring in polygon.interiors if not _lies_outside(_valid_polygon(ring), shell)]
        polygons.append(shapely.Polygon(polygon.exterior, holes) if len(holes) < len(polygon.interiors) else polygon)
    return polygons[0] if len(polygons) == 1 else shapely.MultiPolygon(polygons)


def has_outside_hole(shape: Any) -> bool:
    """Return whether an area has a hole that lies outside its shell."""
    return count_rings(drop_outside_holes(shape)) != count_rings(shape)


def count_rings(shape: Any) -> tuple[int, int]:
    """Return the number of areas and of holes in a shape."""
    parts = shapely.get_parts(shape)
    parts = parts[shapely.get_dimensions(parts) == 2]
    return len(parts), int(shapely.get_num_interior_rings(parts).sum())


def areas_of(shape: Any) -> Any:
    """Return the areas in a shape as one polygon or multipolygon."""
    if shapely.get_type_id(shape) in (3, 6):
        return shape
    parts = shapely.get_parts(shape)
    nested = [area for part in parts for area in shapely.get_parts(part) if shapely.get_type_id(area) == 3]
    filled = [area for area in nested if not shapely.is_empty(area)]
    return filled[0] if len(filled) == 1 else shapely.MultiPolygon(filled)


def drawn_area(shape: Any) -> Any:
    """Return what an area covers before it is repaired: what its shells enclose, without their holes."""
    if shapely.is_valid(shape):
        return areas_of(shape)
    polygons = []
    for polygon in shapely.get_parts(areas_of(shape)):
        # Not by the structure: a ring that runs around a place twice may leave it out.
        shell = areas_of(shapely.make_valid(shapely.polygons(polygon.exterior), method="linework"))
        holes = [_valid_polygon(ring) for ring in polygon.interiors]
        polygons.append(shapely.difference(shell, shapely.union_all(holes)))
    return shapely.union_all(polygons)


def square_meters(shapes: Shapes) -> Any:
    """Return the area of each shape on the ellipsoid; 0 for others."""
    parts, owners = shapely.get_parts(shapes, return_index=True)
    # GEOS crashes if it divides the edges of an empty part.
    is_filled = ~shapely.is_empty(parts)
    edged = shapely.segmentize(parts[is_filled], _LONGEST_EDGE)

    def project(at: Any) -> Any:
        # The cylindrical equal-area projection, which longitudes beyond 180 degrees do not break.
        sine = np.sin(np.radians(at[:, 1]))
        curved = sine / (1 - (_ECCENTRICITY * sine) ** 2) + np.arctanh(_ECCENTRICITY * sine) / _ECCENTRICITY
        return np.column_stack([np.radians(at[:, 0]), (1 - _ECCENTRICITY**2) / 2 * curved]) * _EQUATORIAL_RADIUS

    areas = shapely.area(shapely.transform(edged, project))
    return np.bincount(owners[is_filled], weights=areas, minlength=len(shapes))


def _valid_polygon(ring: Any) -> Any:
    return shapely.make_valid(shapely.polygons(ring), method="structure", keep_collapsed=False)


def _lies_outside(hole: Any, shell: Any) -> bool:
    return bool(not shapely.is_empty(hole) and (not shapely.intersects(hole, shell) or shapely.touches(hole, shell)))
