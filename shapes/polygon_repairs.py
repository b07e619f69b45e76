"""Make areas valid without adding territory, and measure them. Runs in the confined process."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Any, Final

import numpy as np
import shapely

from shapes.features import Shapes

_EQUATORIAL_RADIUS: Final = 6_378_137.0
_ECCENTRICITY: Final = 0.0818191908426215
_LONGEST_EDGE: Final = 0.5
"""In degrees: a longer edge is curved in the projection in which areas are measured."""

_SLIVER: Final = 0.001
"""Areas that overlap by less than this share of the smaller one meet at an inaccurate border."""


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


def repair_shape(shape: Any) -> Any:
    """Make one shape valid, as `repair_invalid` does."""
    return repair_invalid(np.array([shape]))[0]


def split_outside_holes(shape: Any) -> tuple[Any, list[Any]]:
    """Return an area without the holes that lie outside their shell or in a larger hole, and those holes as areas."""
    if shapely.get_type_id(shape) not in (3, 6):
        return shape, []
    polygons: list[Any] = []
    outside: list[Any] = []
    for polygon in shapely.get_parts(shape):
        holes = np.array([_valid_polygon(ring) for ring in polygon.interiors], dtype=object)
        is_outside = _lie_outside(holes, _valid_polygon(polygon.exterior))
        outside += list(holes[is_outside])
        rings = [ring for ring, is_left in zip(polygon.interiors, ~is_outside, strict=True) if is_left]
        polygons.append(shapely.Polygon(polygon.exterior, rings) if is_outside.any() else polygon)
    return polygons[0] if len(polygons) == 1 else shapely.MultiPolygon(polygons), outside


def drop_outside_holes(shape: Any) -> Any:
    """Return an area without the holes that lie outside of it."""
    return split_outside_holes(shape)[0]


def keep_outside_holes(shape: Any) -> Any:
    """Return an area with its outside holes as areas; one that lies in another part becomes a hole of that part."""
    inside, outside = split_outside_holes(shape)
    parts = list(_valid_parts(inside))
    for hole in sorted(outside, key=shapely.area, reverse=True):
        around = next((place for place, part in enumerate(parts) if share_area(part, hole)), None)
        if around is None:
            parts.append(hole)
        else:
            parts[around] = shapely.symmetric_difference(parts[around], hole)
    areas = areas_of(shapely.GeometryCollection(parts))
    # Parts that only meet at a border become one.
    return areas if find_overlaps(areas) else merge_overlaps(areas)


def share_area(first: Any, second: Any) -> bool:
    """Return whether two areas have more in common than a border."""
    return bool(shapely.intersects(first, second) and not shapely.touches(first, second))


def exclude_each_other(areas: Iterable[Any]) -> Any:
    """Return what an odd number of the areas covers."""
    return areas_of(reduce(shapely.symmetric_difference, map(_make_valid, areas)))


def encloses_shell(shape: Any) -> bool:
    """Return whether an area has a hole around its shell."""
    if shapely.get_type_id(shape) not in (3, 6) or shapely.is_valid(shape):
        return False
    return any(
        shapely.contains_properly(_valid_polygon(hole), _valid_polygon(polygon.exterior))
        for polygon in shapely.get_parts(shape)
        for hole in polygon.interiors
    )


def find_overlaps(shape: Any) -> list[Any]:
    """Return what each area of a shape shares with a larger one, if it is more than a sliver and not all of both."""
    parts = _valid_parts(shape)
    larger, smaller = shapely.STRtree(parts).query(parts, predicate="intersects")
    # The parts come by size.
    larger, smaller = larger[larger < smaller], smaller[larger < smaller]
    common = shapely.intersection(parts[larger], parts[smaller])
    shared, whole = shapely.area(common), shapely.area(parts)
    is_overlap = (shared > _SLIVER * whole[smaller]) & (shared < (1 - _SLIVER) * whole[larger])
    found: dict[int, Any] = {}
    for place in np.flatnonzero(is_overlap)[np.argsort(-shared[is_overlap])]:
        found.setdefault(smaller[place], common[place])
    return list(found.values())


def merge_overlaps(shape: Any) -> Any:
    """Return the union of all areas of a shape."""
    return areas_of(shapely.union_all(_valid_parts(shape)))


def cut_overlaps(shape: Any) -> Any:
    """Return the areas of a shape with holes where two of them overlap."""
    return exclude_each_other(_valid_parts(shape))


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
    """Return what an area covers before it is repaired: what its shells enclose, without their holes.

    Holes outside of the area count as areas, because a file may mean them as such.
    """
    if shapely.is_valid(shape):
        return areas_of(shape)
    inside, polygons = split_outside_holes(areas_of(shape))
    for polygon in shapely.get_parts(inside):
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
    return _make_valid(shapely.polygons(ring))


def _make_valid(shape: Any) -> Any:
    return shapely.make_valid(shape, method="structure", keep_collapsed=False)


def _valid_parts(shape: Any) -> Any:
    parts = [repair_shape(part) for part in shapely.get_parts(shape)]
    return np.array(sorted(parts, key=shapely.area, reverse=True), dtype=object)


def _lie_outside(holes: Any, shell: Any) -> Any:
    """Return a mask of the holes that share nothing with their shell, or lie inside a larger hole."""
    is_outside = ~shapely.intersects(holes, shell) | shapely.touches(holes, shell)
    outer, inner = shapely.STRtree(holes).query(holes, predicate="covers")
    is_outside[inner[shapely.area(holes[outer]) > shapely.area(holes[inner])]] = True
    return is_outside & ~shapely.is_empty(holes)
