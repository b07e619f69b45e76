"""Time zones at places and for pick lists."""

import math
from zoneinfo import ZoneInfo

import pytest

from domain.geography.time_zones import all_zones, zone_at, zone_of_country


@pytest.mark.parametrize(
    ("lat", "lon", "zone"),
    [
        (1.35, 103.99, "Asia/Singapore"),
        (29.22, 47.97, "Asia/Kuwait"),
        (51.47, -0.46, "Europe/London"),
        (-37.0, 174.8, "Pacific/Auckland"),
        (-37.0, -185.2, "Pacific/Auckland"),
        (0.0, 0.0, "Etc/GMT"),
    ],
)
def test_the_zone_at_a_place_takes_latitude_first_and_wraps_longitude(lat: float, lon: float, zone: str) -> None:
    assert zone_at(lat, lon) == zone


@pytest.mark.parametrize(("lat", "lon"), [(None, 1.0), (1.0, None), (math.nan, 1.0), (1.0, math.inf), (91.0, 0.0)])
def test_an_invalid_position_has_no_zone(lat: float | None, lon: float | None) -> None:
    assert zone_at(lat, lon) is None


@pytest.mark.parametrize(("lat", "lon"), [(90, 0), (-90, 0), (0, 180), (0, -180), (85, 179.999), (-85, -179.999)])
def test_the_poles_and_edges_of_the_globe_have_a_valid_zone(lat: float, lon: float) -> None:
    zone = zone_at(lat, lon)
    assert zone is not None
    assert ZoneInfo(zone).key == zone


def test_the_zone_list_starts_with_utc_and_contains_only_regions() -> None:
    zones = all_zones()
    assert zones[0] == "UTC"
    assert list(zones[1:]) == sorted(zones[1:])
    assert "Asia/Kuwait" in zones
    assert not [zone for zone in zones if zone.startswith(("Etc/", "US/", "posix"))]


@pytest.mark.parametrize(
    ("code", "zone"),
    [("GB", "Europe/London"), ("DE", "Europe/Berlin"), ("ES", None), ("US", None), ("ZZ", None), (None, None)],
)
def test_a_country_with_one_zone_has_that_zone(code: str | None, zone: str | None) -> None:
    assert zone_of_country(code) == zone
