"""Distances on the ellipsoid."""

from functools import lru_cache
from typing import Final

from pyproj import Geod

WGS84: Final = Geod(ellps="WGS84")


@lru_cache(maxsize=50_000)
def great_circle_km(lat: float, lon: float, other_lat: float, other_lon: float) -> float:
    """Return the shortest distance over the ground in kilometers. Coordinates are decimal degrees."""
    _, _, metres = WGS84.inv(lon, lat, other_lon, other_lat)
    return float(metres) / 1000.0
