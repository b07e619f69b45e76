"""How far two places are apart, on the ellipsoid that positions are given on."""

from typing import Final

from pyproj import Geod

WGS84: Final = Geod(ellps="WGS84")


def great_circle_km(lat: float, lon: float, other_lat: float, other_lon: float) -> float:
    """Length of the shortest way over the ground, in kilometres; coordinates in decimal degrees."""
    _, _, metres = WGS84.inv(lon, lat, other_lon, other_lat)
    return float(metres) / 1000.0
