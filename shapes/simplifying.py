"""Simplify features until a file of them has at most a number of bytes, or split them. Runs in the confined process.

A border between two neighbors is simplified once for both, so it stays shared. Positions are first rounded to a tenth
of a meter. Then corners are removed, those that matter least first. If that is not enough, small parts and holes are
removed. Every feature remains and remains valid.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import numpy as np
import pyproj
import shapely

from shapes.features import Layer, ShapeProblemError, Shapes
from shapes.findings import Loss
from shapes.polygon_repairs import areas_of, repair_invalid, square_meters

GRID: Final = 2.0**-20
"""In degrees, about a tenth of a meter. A power of two ends in zeros, which compress well."""
FINEST: Final = 2e-6
COARSEST: Final = 64.0
STEP: Final = 8.0
NARROWINGS: Final = 6
CASCADE: Final = 1.5
"""Removing a corner enlarges the triangles of its neighbors, so fewer corners go than were small at first."""
GOOD_ENOUGH: Final = 0.96
AIM: Final = 0.98
_GEOD: Final = pyproj.Geod(ellps="WGS84")

Size = Callable[[Layer], int]


class NoFitError(ShapeProblemError):
    """The features do not fit, even when simplified as far as possible."""


def simplify_to_fit(layer: Layer, limit: int, size: Size) -> Layer:
    """Return the features so that `size` is at most the limit. Raises `NoFitError` if simplifying is not enough."""
    if size(layer) <= limit:
        return layer
    rounded = _valid(layer, _with(layer, _on_grid(layer.shapes)).shapes)
    length = size(rounded)
    if length <= limit:
        return rounded
    for keeps_parts in (True, False):
        found = _search(rounded, length, limit, size, keeps_parts=keeps_parts)
        if found is not None:
            return found
    raise NoFitError(f"{len(layer.shapes):,} features do not fit, even when simplified as far as possible.")


def split(layer: Layer, limit: int, size: Size) -> list[Layer]:
    """Split the features by halves into files that fit, neighbors together. A feature too large alone is simplified."""
    if size(layer) <= limit:
        return [layer]
    if len(layer.shapes) == 1:
        return [simplify_to_fit(layer, limit, size)]
    west, south, east, north = shapely.bounds(layer.shapes).T
    across, along = (west + east) / 2, (south + north) / 2
    wider = np.ptp(across) * math.cos(math.radians(float(along.mean()))) >= np.ptp(along)
    order = np.argsort(across if wider else along, kind="stable")
    weights = np.cumsum(shapely.get_num_coordinates(layer.shapes[order]))
    middle = int(np.clip(np.searchsorted(weights, weights[-1] / 2), 1, len(order) - 1))
    return [part for half in (order[:middle], order[middle:]) for part in split(layer.only(np.sort(half)), limit, size)]


def measure_loss(original: Shapes, simplified: Shapes) -> Loss:
    """Return what simplifying changed."""
    return Loss(
        int(shapely.get_num_coordinates(original).sum()),
        int(shapely.get_num_coordinates(simplified).sum()),
        _largest_shift(original, simplified),
        float(square_meters(original).sum()),
        float(square_meters(simplified).sum()),
        max(0, _rings(original) - _rings(simplified)),
    )


def _search(rounded: Layer, larger: int, limit: int, size: Size, *, keeps_parts: bool) -> Layer | None:
    # A higher tolerance removes all that a lower one removes: each step starts from the last result that was too large.
    base, best, smaller = rounded, None, 0
    high = _estimated(rounded.shapes, limit / larger)
    low = high / STEP
    while best is None:
        tried = _simpler(rounded, base, high, keeps_parts=keeps_parts)
        length = size(tried)
        if length <= limit:
            best, smaller = tried, length
        elif high >= COARSEST:
            return None
        else:
            base, low, larger, high = tried, high, length, min(high * STEP, COARSEST)
    for _ in range(NARROWINGS):
        if smaller >= GOOD_ENOUGH * limit:
            break
        # Size falls roughly as a power of the tolerance.
        share = math.log(larger / (AIM * limit)) / math.log(larger / smaller)
        middle = low * (high / low) ** min(max(share, 0.1), 0.9)
        tried = _simpler(rounded, base, middle, keeps_parts=keeps_parts)
        length = size(tried)
        if length <= limit:
            best, high, smaller = tried, middle, length
        else:
            base, low, larger = tried, middle, length
    return best


def _estimated(shapes: Shapes, share: float) -> float:
    """Estimate the tolerance that leaves this share of the corners, from the triangles that they span."""
    positions, owners = shapely.get_coordinates(_lines(shapes), return_index=True)
    ways = np.diff(positions * [_narrowing(shapes), 1.0], axis=0)
    spanned = np.abs(ways[:-1, 0] * ways[1:, 1] - ways[:-1, 1] * ways[1:, 0]) / 2
    spanned = spanned[owners[2:] == owners[:-2]]
    if not len(spanned):
        return FINEST
    return float(np.clip(CASCADE * math.sqrt(np.quantile(spanned, 1 - share)), FINEST, COARSEST))


def _simpler(whole: Layer, base: Layer, tolerance: float, *, keeps_parts: bool) -> Layer:
    """Remove corners that span less than the square of a tolerance in degrees."""
    shapes = base.shapes.copy()
    areas = shapely.get_dimensions(shapes) == 2
    lines = shapely.get_dimensions(shapes) == 1
    if not keeps_parts:
        shapes[areas] = [_without_small_parts(each, tolerance**2) for each in shapes[areas]]
    if areas.any():
        narrow = _narrowing(whole.shapes)
        flat = shapely.transform(shapes[areas], lambda at: at * [narrow, 1.0])
        simple = shapely.coverage_simplify(flat, tolerance)
        # Back on the grid: what two neighbours share is rounded in one way for both.
        shapes[areas] = _on_grid(shapely.transform(simple, lambda at: at / [narrow, 1.0]))
    if lines.any():
        shapes[lines] = shapely.simplify(shapes[lines], tolerance, preserve_topology=True)
    return _valid(base, shapes)


def _valid(original: Layer, shapes: Shapes) -> Layer:
    """Repair shapes that are no longer valid. A shape that would vanish keeps its original form."""
    original_shapes = original.shapes
    shapes = repair_invalid(shapes)
    lost = shapely.is_empty(shapes) | ~shapely.is_valid(shapes)
    lost |= shapely.get_dimensions(shapes) != shapely.get_dimensions(original_shapes)
    for place in np.flatnonzero(lost):
        shapes[place] = original_shapes[place]
    return _with(original, shapes)


def _with(layer: Layer, shapes: Shapes) -> Layer:
    return Layer(shapes, layer.columns, layer.crs)


def _on_grid(shapes: Shapes) -> Shapes:
    """Round positions to the grid, without repeating one. A shape that collapses is repaired later."""
    rounded: Shapes = shapely.transform(shapes, lambda at: np.round(at / GRID) * GRID)
    for place, shape in enumerate(rounded):
        with suppress(shapely.errors.GEOSException):
            rounded[place] = shapely.remove_repeated_points(shape, 0.0)
    return rounded


def _narrowing(shapes: Shapes) -> float:
    """Return the length of a degree of longitude relative to one of latitude, in the middle of the shapes."""
    _, south, _, north = shapely.total_bounds(shapes)
    return max(0.05, math.cos(math.radians((south + north) / 2)))


def _without_small_parts(shape: Any, least: float) -> Any:
    parts = shapely.get_parts(shape)
    sizes = shapely.area(parts)
    parts = parts[(sizes >= least) | (sizes == sizes.max())]
    cleaned = [
        shapely.Polygon(part.exterior, [ring for ring in part.interiors if shapely.Polygon(ring).area >= least])
        for part in parts
    ]
    return cleaned[0] if len(cleaned) == 1 else areas_of(shapely.multipolygons(cleaned))


def _largest_shift(original: Shapes, simplified: Shapes) -> float:
    """Return the largest distance in meters from a removed position to the simplified line."""
    lines_before, lines_after = _lines(original), _lines(simplified)
    if not len(lines_before) or not len(lines_after):
        return 0.0
    narrow = _narrowing(original)
    before, after = (_as_one(shapely.get_coordinates(lines)) for lines in (lines_before, lines_after))
    # Each once, although neighbors share borders.
    positions = np.setdiff1d(before, after).view(np.float64).reshape(-1, 2)
    if not len(positions):
        return 0.0
    tree = shapely.STRtree(_segments(lines_after, narrow))
    flat = positions * [narrow, 1.0]
    points = shapely.points(flat)
    (which, nearest), _ = tree.query_nearest(points, all_matches=False, return_distance=True)
    segments = tree.geometries[nearest]
    there = shapely.line_interpolate_point(segments, shapely.line_locate_point(segments, points[which]))
    ends = shapely.get_coordinates(there) / [narrow, 1.0]
    _, _, meters = _GEOD.inv(positions[which, 0], positions[which, 1], ends[:, 0], ends[:, 1])
    return float(np.max(meters, initial=0.0))


def _as_one(positions: Any) -> Any:
    """Return each position as one complex number, which numpy can look up."""
    return np.ascontiguousarray(positions).view(np.complex128)[:, 0]


def _lines(shapes: Shapes) -> Any:
    """Return all rings and lines."""
    with_extent = shapes[shapely.get_dimensions(shapes) >= 1]
    bounds = np.where(shapely.get_dimensions(with_extent) == 2, shapely.boundary(with_extent), with_extent)
    return shapely.get_parts(bounds)


def _segments(lines: Any, narrow: float) -> Any:
    positions, owners = shapely.get_coordinates(lines, return_index=True)
    positions = positions * [narrow, 1.0]
    joined = owners[1:] == owners[:-1]
    return shapely.linestrings(np.stack([positions[:-1][joined], positions[1:][joined]], axis=1))


def _rings(shapes: Shapes) -> int:
    areas = shapely.get_parts(shapes[shapely.get_dimensions(shapes) == 2])
    return int(len(areas) + shapely.get_num_interior_rings(areas).sum())
