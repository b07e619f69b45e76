"""Areas on the ellipsoid agree with pairwise geodesics and an evaluation of polygons ring by ring."""

from __future__ import annotations

import json
import math
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
import shapely
from hypothesis import assume, example, given
from hypothesis import strategies as st
from pyproj import Geod

from domain.incidents.area import (
    Area,
    AreaError,
    around_airport,
    circle,
    country,
    from_geojson,
    polygon,
    rectangle,
)

GEOD = Geod(ellps="WGS84")
Corner = tuple[float, float]


def places(*positions: Corner | None, countries: list[str] | None = None) -> pd.DataFrame:
    at = [each or (math.nan, math.nan) for each in positions]
    return pd.DataFrame(
        {
            "latitude": [lat for lat, _ in at],
            "longitude": [lon for _, lon in at],
            "country": countries or [""] * len(at),
        }
    )


def distances(area: Area, *positions: Corner | None, within_km: float = 500) -> list[float]:
    return area.measure(places(*positions), within_km).distance_km.tolist()


def geodesic_km(one: Corner, other: Corner) -> float:
    return float(GEOD.inv(one[1], one[0], other[1], other[0])[2]) / 1000


LATITUDES = st.one_of(st.floats(-89.5, 89.5), st.sampled_from([-89.9, 0.0, 89.9]))
LONGITUDES = st.one_of(st.floats(-180, 180), st.sampled_from([-180.0, -179.9, 0.0, 179.9, 180.0]))
POSITIONS = st.tuples(LATITUDES, LONGITUDES)


@given(POSITIONS, st.floats(0, 2_000), st.lists(POSITIONS, min_size=1, max_size=8))
@example((89.5, 10.0), 200.0, [(89.5, -170.0), (90.0, 0.0), (88.0, -170.0)])
@example((-17.0, 179.9), 50.0, [(-17.0, -179.9), (-17.0, 179.0)])
@example((10.0, 20.0), 0.0, [(10.0, 20.0)])
def test_a_circle_agrees_with_geodesic_distances(center: Corner, radius: float, positions: list[Corner]) -> None:
    found = distances(circle(*center, radius), *positions)
    for position, distance in zip(positions, found, strict=True):
        beyond = geodesic_km(center, position) - radius
        assume(abs(beyond) > 0.002 or beyond == 0)
        expected = 0.0 if beyond <= 0 else beyond if beyond <= 500 else math.inf
        assert distance == pytest.approx(expected, abs=1e-6)


@st.composite
def rings(draw: st.DrawFn, most_longitude: float = 40, most_latitude: float = 25) -> tuple[Corner, list[Corner]]:
    """A center, and corners around it as (latitude, longitude). Longitudes may exceed 180."""
    latitude, longitude = (
        draw(st.floats(-60, 60)),
        draw(st.one_of(st.floats(-180, 180), st.sampled_from([179.5, -179.5]))),
    )
    count = draw(st.integers(4, 9))
    sizes = draw(st.lists(st.floats(0.3, 1.0), min_size=count, max_size=count))
    reach = draw(st.sampled_from([0.02, 0.3, 1.0]))
    turns = [2 * math.pi * number / count for number in range(count)]
    return (latitude, longitude), [
        (
            latitude + reach * most_latitude * size * math.sin(turn),
            longitude + reach * most_longitude * size * math.cos(turn),
        )
        for size, turn in zip(sizes, turns, strict=True)
    ]


def is_within(ring: list[Corner], position: Corner) -> bool:
    """Count the edges that a ray to the east crosses."""
    latitude, longitude = position
    crossings = 0
    for (lat, lon), (other_lat, other_lon) in pairwise([*ring, ring[0]]):
        if (lat > latitude) != (other_lat > latitude):
            share = (latitude - lat) / (other_lat - lat)
            crossings += lon + share * (other_lon - lon) > longitude
    return crossings % 2 == 1


def edge_km(ring: list[Corner], position: Corner, steps: int = 400) -> tuple[float, float]:
    """The least distance to some points of the edges, and the longest distance between two such points."""
    ways = [
        (lat + (other_lat - lat) * step / steps, lon + (other_lon - lon) * step / steps)
        for (lat, lon), (other_lat, other_lon) in pairwise([*ring, ring[0]])
        for step in range(steps)
    ]
    at = np.array([*ways, ways[0]])
    here = np.full(len(at), position[1]), np.full(len(at), position[0])
    gap = GEOD.inv(at[:-1, 1], at[:-1, 0], at[1:, 1], at[1:, 0])[2].max() / 1000
    return float(GEOD.inv(*here, at[:, 1], at[:, 0])[2].min()) / 1000, float(gap)


def wrap_longitude(longitude: float) -> float:
    return (longitude + 180) % 360 - 180


@given(rings(), st.floats(-1.6, 1.6), st.floats(-1.6, 1.6), st.sampled_from([0.0, 0.5]))
def test_a_polygon_with_a_hole_agrees_with_its_rings(
    center_and_ring: tuple[Corner, list[Corner]], north: float, east: float, hole_size: float
) -> None:
    center, ring = center_and_ring
    hole = [(center[0] + (lat - center[0]) * hole_size, center[1] + (lon - center[1]) * hole_size) for lat, lon in ring]
    reach = max(abs(lat - center[0]) for lat, _ in ring), max(abs(lon - center[1]) for _, lon in ring)
    position = center[0] + north * reach[0], center[1] + east * reach[1]
    assume(abs(position[0]) < 89)
    outer_km, outer_gap = edge_km(ring, position)
    hole_km, hole_gap = edge_km(hole, position) if hole_size else (math.inf, 0.0)
    edge, gap = min((outer_km, outer_gap), (hole_km, hole_gap))
    assume(edge > 0.05)
    inside = is_within(ring, position) and not (hole_size and is_within(hole, position))

    area = polygon([(lat, wrap_longitude(lon)) for lat, lon in ring], [hole] if hole_size else [])
    [distance] = distances(area, (position[0], wrap_longitude(position[1])), within_km=300)
    if inside:
        assert distance == 0
    elif edge <= 299:
        assert edge - gap - 0.02 * edge <= distance <= edge + 0.05
    elif edge > 301 + gap:
        assert math.isinf(distance)


@given(
    st.lists(st.floats(62, 88), min_size=4, max_size=9),
    st.sampled_from([1, -1]),
    st.sampled_from([1, -1]),
    st.floats(60, 89.9),
    st.floats(-179.9, 179.9),
)
def test_a_polygon_around_a_pole_contains_it(
    latitudes: list[float], hemisphere: int, direction: int, latitude: float, longitude: float
) -> None:
    step = 360 / len(latitudes)
    ring = [(lat, number * step - 180) for number, lat in enumerate(latitudes)]
    number, share = divmod((longitude + 180) / step, 1)
    edge = latitudes[int(number)] * (1 - share) + latitudes[(int(number) + 1) % len(latitudes)] * share
    assume(abs(latitude - edge) > 0.001)
    area = polygon([(hemisphere * lat, wrap_longitude(lon)) for lat, lon in ring][::direction])
    pole, point = distances(area, (90.0 * hemisphere, 0.0), (hemisphere * latitude, longitude))
    assert pole == 0
    assert (point == 0) == (latitude > edge)


def test_a_place_at_the_180th_meridian_may_have_either_longitude() -> None:
    west_of_it = rectangle(-20, 170, -10, 180)
    assert distances(west_of_it, (-15, 180), (-15, -180)) == [0, 0]
    assert distances(west_of_it, (-15, -179.9), within_km=20)[0] == pytest.approx(
        geodesic_km((-15, 180), (-15, -179.9)), 1e-3
    )


def test_a_rectangle_may_be_wider_than_half_the_world_or_lie_across_the_180th_meridian() -> None:
    assert distances(rectangle(-10, -100, 10, 100), (0, 0), (0, 179)) == [0, math.inf]
    assert distances(rectangle(-20, 177, -15, -178), (-17, 179), (-17, -179), (-17, 0)) == [0, 0, math.inf]


def test_a_place_on_an_edge_is_inside() -> None:
    start, end = np.array([1.1, 2.2]), np.array([4.7, 9.9])
    on_edge = [tuple(start + (end - start) * share) for share in np.linspace(0, 1, 101)]
    assert distances(polygon([(1.1, 2.2), (4.7, 9.9), (1.1, 9.9)]), *on_edge) == [0] * 101


def test_a_self_crossing_polygon_contains_everything_it_encloses() -> None:
    bow = polygon([(0, 0), (2, 2), (2, 0), (0, 2)])
    assert distances(bow, (0.5, 1.0), (1.5, 1.0), (1.0, 0.2)) == pytest.approx([0, 0, 62.6], abs=30)


def test_a_country_area_follows_the_recorded_country_and_marks_contradictions() -> None:
    table = places(
        (27.7, 85.32),  # Kathmandu
        (26.45, 87.27),  # Biratnagar, almost on the border
        (26.99, 84.86),  # Raxaul in India, a few km over the border
        None,
        (40.4, -3.7),  # Madrid, with Nepal as the country
        (27.7, 85.32),  # Kathmandu, with Spain as the country
        (28.2, 84.0),  # without a country
        countries=["NP", "NP", "IN", "NP", "NP", "ES", ""],
    )
    found = country("Nepal").measure(table, 25)
    assert found.is_inside.tolist() == [True, True, False, True, False, False, True]
    assert found.is_doubtful.tolist() == [False, False, False, False, True, True, False]


def test_combined_areas_contain_every_place_of_each_area() -> None:
    both = around_airport("IST", 5) | around_airport("SAW", 5)
    assert distances(both, (41.275, 28.752), (40.898, 29.309), (41.01, 28.98), within_km=30) == [
        0,
        0,
        pytest.approx(27.0, abs=2),
    ]


@pytest.mark.parametrize(
    "area",
    [
        circle(89, 20, 300),
        circle(-17, 179.9, 60) | country("NP"),
        polygon([(-16, 178), (-16, -178), (-18, -178), (-18, 178)], [[(-16.5, 179), (-16.5, -179), (-17.5, 180)]]),
    ],
)
def test_an_area_survives_conversion_to_geojson_and_back(area: Area) -> None:
    copy = from_geojson(json.loads(json.dumps(area.to_geojson())))
    rng = np.random.default_rng(1)
    table = pd.DataFrame(
        {"latitude": rng.uniform(-90, 90, 5_000), "longitude": rng.uniform(-180, 180, 5_000), "country": ""}
    )
    assert copy.measure(table, 100).distance_km.tolist() == area.measure(table, 100).distance_km.tolist()
    assert copy.label == area.label
    assert shapely.is_valid(area.geometry)
    assert shapely.box(-180, -90, 180, 90).covers(area.geometry)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: circle(91, 0, 1), "91, 0 isn’t a position."),
        (lambda: circle(0, 0, -1), "The radius must be from 0"),
        (lambda: polygon([(0, 0), (1, 1)]), "An area must have at least 3 corners."),
        (lambda: country("Atlantis"), "“Atlantis” isn’t a country."),
        (lambda: around_airport("XXQ", 4), "“XXQ” isn’t the IATA code"),
        (lambda: from_geojson({"features": []}), "The file has no area."),
        (lambda: Area(()), "The area is empty."),
    ],
)
def test_an_invalid_area_is_rejected(make: object, message: str) -> None:
    with pytest.raises(AreaError, match=message):
        make()  # type: ignore[operator]
