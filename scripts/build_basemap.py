"""Build static/basemap/countries.geojson, the ground of every map, from Natural Earth's countries in world-atlas.

    npm pack world-atlas@2 && tar xzf world-atlas-2.*.tgz      # makes ./package
    .venv/bin/python scripts/build_basemap.py package

The topology stitches countries across the antimeridian and around the pole, which a flat map draws as streaks. So each
polygon is unrolled, closed over the pole where it winds around one, and cut at every 180th meridian. Borders between
countries become lines of their own: outlines of the polygons would draw the cuts, and shared borders twice.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from babel.core import get_global

from domain.geography.countries import country_name

Point = tuple[float, float]
Ring = list[Point]
Polygon = list[Ring]

OUTPUT = Path(__file__).resolve().parent.parent / "static" / "basemap" / "countries.geojson"
DECIMALS = 2
TOLERANCE = 0.05
"""Degrees a point may lie off the line that is drawn without it: about a pixel at zoom 4, at which people look at
countries. Where a browser draws without a graphics card, the number of points is the time a map takes to appear."""
BORDER_TOLERANCE = 0.1
"""The same for borders within the land: a line costs several times what the same edge of a filled shape does."""
ISLAND_SHARE = 0.08
"""Share of an island's width or height that a point may lie off: the smallest would vanish otherwise."""
POLE = 89.99
"""Degrees of latitude beyond which there is but the pole."""
# Countries that the source gives no number, or one that is another's.
CODES_BY_NAME = {"Kosovo": "XK", "Ashmore and Cartier Is.": ""}


def main() -> None:
    """Read the package's folder from the command line and write the file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("package", type=Path, help="folder of the unpacked npm package world-atlas@2")
    parser.add_argument("--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    topology = json.loads((arguments.package / "countries-50m.json").read_text(encoding="utf-8"))
    collection = basemap(topology)
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    text = json.dumps(collection, ensure_ascii=False, separators=(",", ":"))
    arguments.output.write_text(text + "\n", encoding="utf-8")
    print(f"{arguments.output}: {len(collection['features'])} features, {len(text.encode()) / 1e6:.2f} MB")


def basemap(topology: dict[str, Any]) -> dict[str, Any]:
    """Return a GeoJSON collection: one feature a country, then one with all borders between countries."""
    arcs = decoded_arcs(topology)
    geometries = topology["objects"]["countries"]["geometries"]
    features: list[dict[str, Any]] = []
    for geometry in geometries:
        polygons = [piece for polygon in polygons_of(geometry, arcs) for piece in cut(polygon)]
        rounded = [remaining for remaining in (rounded_polygon(polygon) for polygon in polygons) if remaining]
        if rounded:
            shape = {"type": "MultiPolygon", "coordinates": rounded}
            features.append({"type": "Feature", "properties": identity(geometry), "geometry": shape})
    features.sort(key=lambda feature: (feature["properties"]["code"], feature["properties"]["name"]))
    lines = [rounded_points(line) for line in borders(geometries, arcs)]
    network = {"type": "MultiLineString", "coordinates": [line for line in lines if len(line) > 1]}
    features.append({"type": "Feature", "properties": {"code": "", "name": "Borders"}, "geometry": network})
    return {"type": "FeatureCollection", "features": features}


def identity(geometry: dict[str, Any]) -> dict[str, str]:
    """Return the two-letter code and the name of a country; the code is empty where there is none."""
    given = geometry["properties"]["name"]
    code = CODES_BY_NAME.get(given)
    if code is None:
        aliases = get_global("territory_aliases").get(geometry.get("id", ""), [])
        code = aliases[0] if aliases else ""
    return {"code": code, "name": country_name(code) or given}


def decoded_arcs(topology: dict[str, Any], tolerance: float = TOLERANCE) -> list[Ring]:
    """Return the topology's arcs in degrees, simplified: they are stored as differences of whole numbers."""
    (scale_x, scale_y), (shift_x, shift_y) = topology["transform"]["scale"], topology["transform"]["translate"]
    arcs = []
    for arc in topology["arcs"]:
        x = y = 0
        points = []
        for step_x, step_y in arc:
            x, y = x + step_x, y + step_y
            points.append((round(x * scale_x + shift_x, 6), round(y * scale_y + shift_y, 6)))
        arcs.append(simplified(points, tolerance_of(points, tolerance)))
    return arcs


def tolerance_of(line: Ring, tolerance: float) -> float:
    """Return how far a point may lie off this line: less on the coast of a small island."""
    if line[0] != line[-1]:
        return tolerance
    xs, ys = [x for x, _ in line], [y for _, y in line]
    return min(tolerance, ISLAND_SHARE * max(max(xs) - min(xs), max(ys) - min(ys)))


def simplified(line: Ring, tolerance: float) -> Ring:
    """Return a line without the points that hardly bend it (Douglas and Peucker); neighbours share arcs and agree."""
    keep = {0, len(line) - 1}
    stretches = [(0, len(line) - 1)]
    while stretches:
        first, last = stretches.pop()
        if last - first < 2:
            continue
        farthest = max(range(first + 1, last), key=lambda i: distance(line[i], line[first], line[last]))
        if distance(line[farthest], line[first], line[last]) > tolerance:
            keep.add(farthest)
            stretches += [(first, farthest), (farthest, last)]
    return [line[i] for i in sorted(keep)]


def distance(point: Point, start: Point, end: Point) -> float:
    """Return how far a point lies from a stretch of line, in degrees."""
    (x, y), (x1, y1), (x2, y2) = point, start, end
    length = (x2 - x1) ** 2 + (y2 - y1) ** 2
    share = max(0.0, min(1.0, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length)) if length else 0.0
    return math.hypot(x - x1 - share * (x2 - x1), y - y1 - share * (y2 - y1))


def polygons_of(geometry: dict[str, Any], arcs: list[Ring]) -> Iterator[Polygon]:
    """Yield the polygons of a country, each an outer ring and its holes, closed, as the topology stitches them."""
    parts = [geometry["arcs"]] if geometry["type"] == "Polygon" else geometry["arcs"]
    for part in parts:
        yield [stitched(indexes, arcs) for indexes in part]


def stitched(indexes: Iterable[int], arcs: list[Ring]) -> Ring:
    """Return one ring from its arcs; an index below 0 means the arc ~index backwards."""
    ring: Ring = []
    for index in indexes:
        arc = arcs[index] if index >= 0 else arcs[~index][::-1]
        ring.extend(arc[1:] if ring else arc)
    return ring


def borders(geometries: list[dict[str, Any]], arcs: list[Ring], tolerance: float = BORDER_TOLERANCE) -> Iterator[Ring]:
    """Yield the arcs that two countries share, simplified, broken where they step over the antimeridian."""
    uses: Counter[int] = Counter()
    for geometry in geometries:
        parts = [geometry["arcs"]] if geometry["type"] == "Polygon" else geometry["arcs"]
        uses.update(index if index >= 0 else ~index for part in parts for ring in part for index in ring)
    for index, count in sorted(uses.items()):
        if count > 1:
            yield from broken_at_antimeridian(simplified(arcs[index], tolerance))


def broken_at_antimeridian(line: Ring) -> Iterator[Ring]:
    """Yield the runs of a line whose steps are shorter than half the world."""
    run = [line[0]]
    for before, after in pairwise(line):
        if abs(after[0] - before[0]) > 180:
            yield run
            run = []
        run.append(after)
    yield run


def cut(polygon: Polygon) -> list[Polygon]:
    """Return a polygon as pieces that lie within -180 and 180, without a step of half the world."""
    # Antarctica is the land between a ring at the pole itself, which a flat map has no use for, and its coast.
    outer, *inner = [unrolled(ring) for ring in polygon if any(abs(y) < POLE for _, y in ring)]
    if abs(outer[-1][0] - outer[0][0]) > 180:
        outer = closed_over_pole(outer)
    # A hole may be unrolled a world away from the ring around it.
    holes = [moved_near(hole, outer) for hole in inner]
    rings = [outer, *holes]
    west = min(x for x, _ in outer)
    east = max(x for x, _ in outer)
    pieces: list[Polygon] = []
    world = int((west + 180) // 360)
    while world * 360 - 180 < east:
        left, right = world * 360.0 - 180, world * 360.0 + 180
        for piece in kept_side(rings, right, keep_below=True):
            remaining = kept_side(piece, left, keep_below=False)
            pieces += [[moved(ring, -world * 360.0) for ring in part] for part in remaining]
        world += 1
    return pieces


def unrolled(ring: Ring) -> Ring:
    """Return a ring whose longitudes run on past 180 instead of jumping to -180."""
    points = [ring[0]]
    for x, y in ring[1:]:
        before = points[-1][0]
        points.append((round(x + 360.0 * round((before - x) / 360.0), 6), y))
    return points


def closed_over_pole(ring: Ring) -> Ring:
    """Return a ring that winds around the world as one that goes down to the nearer pole and back."""
    pole = -90.0 if sum(y for _, y in ring) < 0 else 90.0
    return [*ring, (ring[-1][0], pole), (ring[0][0], pole), ring[0]]


def moved(ring: Ring, by: float) -> Ring:
    """Return a ring shifted eastwards by so many degrees."""
    return [(x + by, y) for x, y in ring]


def moved_near(hole: Ring, outer: Ring) -> Ring:
    """Return a hole moved by whole worlds until its first point lies within the outer ring."""
    for shift in (0.0, 360.0, -360.0):
        x, y = hole[0]
        if contains(outer, (x + shift, y)):
            return moved(hole, shift)
    return hole


def kept_side(rings: Polygon, meridian: float, *, keep_below: bool) -> list[Polygon]:
    """Return the parts of a polygon west of a meridian (or east of it), as polygons.

    Where a ring crosses, it falls into chains that begin and end on the meridian. Sorted by latitude, the ends
    pair up: between the first and the second lies the inside, between the second and the third the outside.
    """

    def inside(point: Point) -> bool:
        # Strictly: a ring that only touches the meridian from the other side keeps nothing on this one.
        return point[0] < meridian if keep_below else point[0] > meridian

    whole: list[Ring] = []
    chains: list[Ring] = []
    for ring in rings:
        flags = [inside(point) for point in ring]
        if all(flags):
            whole.append(ring)
        elif any(flags):
            chains.extend(chains_of(ring, flags, meridian))
    outers = joined(chains) if chains else [ring for ring in whole[:1] if ring is rings[0]]
    holes = [ring for ring in whole if ring is not rings[0]]
    return [[outer, *(hole for hole in holes if contains(outer, hole[0]))] for outer in outers]


def chains_of(ring: Ring, flags: list[bool], meridian: float) -> list[Ring]:
    """Return the runs of a closed ring that are kept, each from its entry on the meridian to its exit."""
    start = next(i for i, (here, after) in enumerate(pairwise(flags)) if not here and after)
    points = ring[:-1]
    remaining = flags[:-1]
    count = len(points)
    chains: list[Ring] = []
    chain: Ring = []
    for step in range(count):
        i, j = (start + step) % count, (start + step + 1) % count
        if not remaining[i] and remaining[j]:
            chain = [crossing(points[i], points[j], meridian), points[j]]
        elif remaining[i] and remaining[j]:
            chain.append(points[j])
        elif remaining[i]:
            chains.append([*chain, crossing(points[i], points[j], meridian)])
    return chains


def crossing(start: Point, end: Point, meridian: float) -> Point:
    """Return the point where a step crosses a meridian."""
    share = (meridian - start[0]) / (end[0] - start[0])
    return meridian, start[1] + share * (end[1] - start[1])


def joined(chains: list[Ring]) -> list[Ring]:
    """Return closed rings from chains that begin and end on one meridian."""
    ends = sorted(((chain[side][1], index, side) for index, chain in enumerate(chains) for side in (0, -1)))
    partner: dict[tuple[int, int], tuple[int, int]] = {}
    for (_, one, one_side), (_, other, other_side) in zip(ends[::2], ends[1::2], strict=True):
        partner[(one, one_side)] = (other, other_side)
        partner[(other, other_side)] = (one, one_side)
    rings = []
    left = set(range(len(chains)))
    while left:
        first = index = min(left)
        ring: Ring = []
        side = 0
        while index in left:
            left.discard(index)
            ring.extend(chains[index] if side == 0 else chains[index][::-1])
            index, side = partner[(index, -1 if side == 0 else 0)]
        if index != first:
            raise ValueError("the chains of a polygon do not close")
        rings.append([*ring, ring[0]])
    return rings


def contains(ring: Ring, point: Point) -> bool:
    """Tell whether a point lies within a closed ring."""
    x, y = point
    within = False
    for (x1, y1), (x2, y2) in pairwise(ring):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1):
            within = not within
    return within


def rounded_polygon(polygon: Polygon) -> list[list[list[float]]]:
    """Return a polygon's rings rounded, without those that collapse; empty where nothing is left."""
    rings = [rounded_points(ring) for ring in polygon]
    return [ring for ring in rings if len(ring) >= 4] if len(rings[0]) >= 4 else []


def rounded_points(line: Ring) -> list[list[float]]:
    """Return points rounded, each different from the one before; whole numbers without a point."""
    points: list[list[float]] = []
    for x, y in line:
        point = [plain(x), plain(y)]
        if not points or point != points[-1]:
            points.append(point)
    return points


def plain(value: float) -> float:
    """Return a number rounded, as an int where it is whole, which is shorter in JSON."""
    rounded = round(value, DECIMALS)
    return int(rounded) if rounded == int(rounded) else rounded


if __name__ == "__main__":
    main()
