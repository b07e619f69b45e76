"""Great circles that cross the date line without streaks."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.maps.legs_layer import great_circle, pieces_within_world

LATITUDES = st.floats(-89, 89)
LONGITUDES = st.floats(-180, 180)


def angle(a: tuple[float, float], b: tuple[float, float]) -> float:
    """Degrees between two (lon, lat), by the haversine."""
    (lon1, lat1), (lon2, lat2) = ([math.radians(v) for v in point] for point in (a, b))
    h = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin((lon2 - lon1) / 2) ** 2
    return math.degrees(2 * math.asin(min(1.0, math.sqrt(h))))


@given(LATITUDES, LONGITUDES, LATITUDES, LONGITUDES)
def test_pieces_stay_in_the_world_without_a_streak_and_meet_at_the_date_line(
    from_lat: float, from_lon: float, to_lat: float, to_lon: float
) -> None:
    pieces = pieces_within_world(great_circle(from_lat, from_lon, to_lat, to_lon))
    for piece in pieces:
        assert all(-180.0000001 <= lon <= 180.0000001 for lon, _ in piece)
        assert all(abs(b[0] - a[0]) <= 180.0000001 for a, b in pairwise(piece))
    for before, after in pairwise(pieces):
        assert abs(before[-1][0]) == 180
        assert after[0] == (-before[-1][0], before[-1][1])


@given(LATITUDES, LONGITUDES, LATITUDES, LONGITUDES)
def test_the_way_is_the_shortest(from_lat: float, from_lon: float, to_lat: float, to_lon: float) -> None:
    line = great_circle(from_lat, from_lon, to_lat, to_lon)
    length = sum(angle(a, b) for a, b in pairwise(line))
    assert length == pytest.approx(angle((from_lon, from_lat), (to_lon, to_lat)), abs=0.4)
    assert angle(line[0], (from_lon, from_lat)) < 1e-4
    assert angle(line[-1], (to_lon, to_lat)) < 1e-4


def test_auckland_to_san_francisco_crosses_the_date_line_once() -> None:
    pieces = pieces_within_world(great_circle(-37.0, 174.8, 37.6, -122.4))
    assert len(pieces) == 2
    assert pieces[0][-1][0] == 180
    assert pieces[1][0][0] == -180


def test_london_to_new_york_is_one_piece_that_bends_north() -> None:
    (piece,) = pieces_within_world(great_circle(51.5, -0.5, 40.6, -73.8))
    assert max(lat for _, lat in piece) > 52


def test_a_way_to_where_one_is_stays_there() -> None:
    assert np.array(great_circle(10, 20, 10, 20)) == pytest.approx(np.array([(20, 10)] * 3))


@pytest.mark.parametrize("ends", [(0, 0, 0, 180), (10, 20, -10, -160), (-10, -160, 10, 20)])
def test_between_opposite_ends_of_the_world_there_is_a_way_of_half_the_world(
    ends: tuple[float, float, float, float],
) -> None:
    line = great_circle(*ends)
    assert sum(angle(a, b) for a, b in pairwise(line)) == pytest.approx(180, abs=0.1)
