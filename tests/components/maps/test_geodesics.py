"""Great circles."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.maps.legs_layer import FEWEST_STEPS, great_circle

LATITUDES = st.floats(-89, 89)
LONGITUDES = st.floats(-180, 180)


def angle(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Return the degrees between two (lon, lat), by the haversine formula."""
    (lon1, lat1), (lon2, lat2) = ([math.radians(v) for v in point] for point in (a, b))
    h = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return math.degrees(2 * math.asin(min(1.0, math.sqrt(h))))


@given(LATITUDES, LONGITUDES, LATITUDES, LONGITUDES)
def test_a_great_circle_is_the_shortest_path(from_lat: float, from_lon: float, to_lat: float, to_lon: float) -> None:
    line = great_circle(from_lat, from_lon, to_lat, to_lon)
    length = sum(angle(a, b) for a, b in pairwise(line))
    assert length == pytest.approx(angle((from_lon, from_lat), (to_lon, to_lat)), abs=0.4)
    assert angle(line[0], (from_lon, from_lat)) < 1e-4
    assert angle(line[-1], (to_lon, to_lat)) < 1e-4


def test_london_to_new_york_bends_north() -> None:
    assert max(lat for _, lat in great_circle(51.5, -0.5, 40.6, -73.8)) > 52


def test_a_path_from_a_point_to_itself_stays_at_the_point() -> None:
    assert np.array(great_circle(10, 20, 10, 20)) == pytest.approx(np.array([(20, 10)] * (FEWEST_STEPS + 2)))


@pytest.mark.parametrize("ends", [(0, 0, 0, 180), (10, 20, -10, -160), (-10, -160, 10, 20)])
def test_a_path_between_antipodes_spans_180_degrees(
    ends: tuple[float, float, float, float],
) -> None:
    line = great_circle(*ends)
    assert sum(angle(a, b) for a, b in pairwise(line)) == pytest.approx(180, abs=0.1)
