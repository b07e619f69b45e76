"""An area drawn on a map, as the browser sends it."""

from __future__ import annotations

import math
from typing import Any, Final

_FEWEST_POSITIONS: Final = 4


def read_drawn_area(value: Any) -> dict[str, Any] | None:
    """Return a GeoJSON polygon of one closed ring, or None if the value is not one.

    A ring across the date line has longitudes beyond 180 or -180.
    """
    try:
        (ring,) = value["coordinates"]
        positions = [[float(longitude), float(latitude)] for longitude, latitude in ring]
    except (KeyError, TypeError, ValueError):
        return None
    is_ring = len(positions) >= _FEWEST_POSITIONS and positions[0] == positions[-1]
    is_on_earth = all(math.isfinite(longitude) and abs(latitude) <= 90 for longitude, latitude in positions)
    return {"type": "Polygon", "coordinates": [positions]} if is_ring and is_on_earth else None
