"""How far two places are apart."""

from math import asin, cos, radians, sin, sqrt

EARTH_RADIUS_KM = 6371.0


def great_circle_km(lat: float, lon: float, other_lat: float, other_lon: float) -> float:
    """Distance over the surface of a sphere, in kilometres; coordinates in decimal degrees."""
    here, there = radians(lat), radians(other_lat)
    half = sin((there - here) / 2) ** 2 + cos(here) * cos(there) * sin(radians(other_lon - lon) / 2) ** 2
    return 2 * EARTH_RADIUS_KM * asin(min(1.0, sqrt(half)))
