"""Great circles between two places, in pieces that end at the date line instead of streaking back across the map."""

import math

from components.geography.distance import WGS84

LonLat = tuple[float, float]

METRES_A_STEP = 150_000.0


def great_circle(from_lat: float, from_lon: float, to_lat: float, to_lon: float) -> list[LonLat]:
    """Return points along the shortest way, both ends included, as (lon, lat) in degrees.

    Longitudes run on past 180 where the way crosses the date line. Between opposite ends of the world, where every way
    is as short, it goes over the northern side.
    """
    _, _, metres = WGS84.inv(from_lon, from_lat, to_lon, to_lat)
    between = WGS84.npts(from_lon, from_lat, to_lon, to_lat, 1 + int(metres // METRES_A_STEP))
    return _run_on([(from_lon, from_lat), *between, (to_lon, to_lat)])


def pieces_within_world(points: list[LonLat]) -> list[list[LonLat]]:
    """Return a line whose longitudes run on as pieces within -180 and 180, cut where it crosses the date line."""
    pieces: list[list[LonLat]] = []
    piece: list[LonLat] = []
    world = _world(points[0][0])
    for index, (lon, lat) in enumerate(points):
        if index and _world(lon) != world:
            before_lon, before_lat = points[index - 1]
            step = 1 if lon > before_lon else -1
            line = (360.0 * world + 180.0) if step > 0 else (360.0 * world - 180.0)
            share = (line - before_lon) / (lon - before_lon)
            crossing_lat = before_lat + share * (lat - before_lat)
            pieces.append([*piece, (180.0 * step, crossing_lat)])
            piece = [(-180.0 * step, crossing_lat)]
            world += step
        piece.append((lon - 360.0 * world, lat))
    pieces.append(piece)
    return [each for each in pieces if len(each) > 1]


def _world(lon: float) -> int:
    return math.floor((lon + 180.0) / 360.0)


def _run_on(points: list[LonLat]) -> list[LonLat]:
    run = [points[0]]
    for lon, lat in points[1:]:
        before = run[-1][0]
        run.append((lon + 360.0 * round((before - lon) / 360.0), lat))
    return run
