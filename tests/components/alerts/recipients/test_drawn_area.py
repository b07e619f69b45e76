"""An area around a place or between corners, and the available places in it."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.models.public_lookups import Regions
from components.alerts.recipients.reach_map import (
    KM_A_MILE,
    Area,
    around,
    circle,
    corner_lines,
    corners_in,
    enclosed,
    inside,
    through,
)
from components.alerts.recipients.reach_map_view import _centres, corners_from_browser
from domain.alerts.draft import AlertDraft
from domain.alerts.recipients.regions import RegionCatalog
from domain.alerts.recipients.us_places import us_places
from domain.geography.distance import great_circle_km
from tests.domain.alerts.recipients.sample_regions import CATALOG, REGIONS, region

SQUARE = "40.1, -105.4\n40.1, -105.1\n39.9, -105.1\n39.9, -105.4"
corners = st.lists(
    st.tuples(
        st.floats(25, 49).map(lambda each: round(each, 3)), st.floats(-124, -67).map(lambda each: round(each, 3))
    ),
    min_size=3,
    max_size=8,
    unique=True,
)


@cache
def build_catalog() -> RegionCatalog:
    """Return a catalog with place data. Reading it takes a second, so only on first use."""
    return RegionCatalog(
        Regions(
            cities=[region(1, "Boulder", "CO"), region(2, "Denver", "CO"), region(3, "Nowhere", "CO")],
            zipcodes=[region(code, str(code), "CO") for code in (80301, 80302, 80303, 80202)],
            counties=[
                region(11, "Boulder County", "CO"),
                region(12, "Denver County", "CO"),
                region(13, "Kent County", "RI"),
            ],
        ),
        us_places(),
    )


@cache
def build_aleutians_catalog() -> RegionCatalog:
    """Return a catalog of islands on both sides of the date line and one place far from it."""
    places = Regions(
        cities=[region(1, "Adak", "AK"), region(2, "Boulder", "CO")],
        zipcodes=[region(5, "99546", "AK")],
        counties=[region(3, "Aleutians West Census Area", "AK"), region(4, "Boulder County", "CO")],
    )
    return RegionCatalog(places, us_places())


def list_names_inside(area: Area) -> list[str]:
    found = inside(build_aleutians_catalog(), area)
    return [place.name for place in (*found.zip_codes, *found.cities, *found.counties)]


@given(st.floats(-60, 70), st.floats(-179, 179), st.floats(1, 200))
def test_every_point_of_a_circle_is_at_the_given_distance(lat: float, lon: float, miles: float):
    for point_lon, point_lat in circle(lat, lon, miles).exterior.coords:
        distance = great_circle_km(lat, lon, point_lat, point_lon)
        assert distance == pytest.approx(miles * KM_A_MILE, rel=1e-3)


def test_center_places_with_the_same_name_show_their_ids():
    catalog = RegionCatalog(
        Regions(cities=[region(1, "Denver", "CO")], counties=[region(2, "Denver", "CO"), region(3, "Boulder", "CO")]),
        us_places(),
    )
    centers = _centres(AlertDraft(regions=[1, 2, 3]), catalog, [])
    assert centers == {1: "Denver, CO (ID 1)", 2: "Denver, CO (ID 2)", 3: "Boulder, CO"}


@pytest.mark.parametrize("lon", [-176.6, 178.5])
def test_a_circle_across_the_date_line_contains_places_on_both_sides(lon: float):
    assert list_names_inside(circle(51.9, lon, 240)) == ["99546", "Adak", "Aleutians West Census Area"]


@pytest.mark.parametrize(
    "text",
    [
        "53, 172\n53, -176\n51, -176\n51, 172",
        "53, -176\n51, -176\n51, 172\n53, 172",
        "51, 172\n53, -176\n51, -176\n53, 172",
    ],
    ids=["from the west", "from the east", "crosswise"],
)
def test_corners_on_both_sides_of_the_date_line_enclose_the_area_between_them(text: str):
    area = through(corners_in(text)[0])
    assert area.bounds[2] - area.bounds[0] == pytest.approx(12)
    assert list_names_inside(area) == ["99546", "Adak", "Aleutians West Census Area"]


def test_the_outline_of_places_on_both_sides_of_the_date_line_takes_the_short_way():
    islands = [(52.9, 172.9), (51.9, -176.6), (53.9, -166.5), (52.0, 178.0)]
    corners, error = corners_in(corner_lines(around(islands)))
    assert error == ""
    area = through(corners)
    assert area.bounds[2] - area.bounds[0] == pytest.approx(20.6)
    assert "Boulder County" not in list_names_inside(area)


@pytest.mark.parametrize("turn", [0, 360, -360])
def test_an_area_drawn_across_the_date_line_contains_places_on_both_sides(turn: int):
    """Longitudes of the drawing continue beyond 180 degrees."""
    drawing = [[53.0, 172.0 + turn], [53.0, 184.0 + turn], [51.0, 184.0 + turn], [51.0, 172.0 + turn]]
    assert list_names_inside(enclosed(corners_from_browser(drawing))) == ["99546", "Adak", "Aleutians West Census Area"]


@pytest.mark.parametrize(
    "text",
    [
        SQUARE,
        "40.1,-105.4 40.1,-105.1 39.9,-105.1 39.9,-105.4 40.1,-105.4",
        "40.1;-105.4\n40.1;-105.1\n\n39.9;-105.1\n39.9;-105.4\n",
    ],
)
def test_corners_are_read_from_lines_and_from_cap_polygons(text: str):
    """A CAP polygon ends with its first corner."""
    assert corners_in(text) == ([(40.1, -105.4), (40.1, -105.1), (39.9, -105.1), (39.9, -105.4)], "")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("40.1, -105.4\n40.1, -105.1", "at least 3 corners"),
        ("40.1, -105.4\n40.1, -105.4\n40.1, -105.4", "at least 3 corners"),
        ("-105.4, 40.1\n-105.1, 40.1\n-105.1, 39.9", "They may be swapped."),
        ("north of town", "latitude and longitude in degrees"),
        ("40.1, -105.4\n40.1, x", "latitude and longitude in degrees"),
    ],
)
def test_invalid_corners_are_reported(text: str, part: str):
    found, error = corners_in(text)
    assert found == [] or part in error
    assert part in error


def test_an_empty_text_gives_no_corners_and_no_error():
    assert corners_in("  \n") == ([], "")


@given(corners)
def test_written_corners_can_be_read_again(given_corners: list[tuple[float, float]]):
    assert corners_in(corner_lines(given_corners)) == (given_corners, "")


@given(corners)
def test_the_outline_contains_every_corner(given_corners: list[tuple[float, float]]):
    area = through(around(given_corners)).buffer(1e-6)
    west, south, east, north = area.bounds
    assert all(south <= lat <= north and west <= lon <= east for lat, lon in given_corners)


def test_an_area_contains_zip_codes_and_cities_by_their_center_and_counties_that_touch_it():
    found = inside(build_catalog(), through(corners_in(SQUARE)[0]))
    assert {place.id for place in found.zip_codes} == {80301, 80302, 80303}
    assert [place.name for place in found.cities] == ["Boulder"]
    assert [place.name for place in found.counties] == ["Boulder County"]
    assert [place.name for place in inside(build_catalog(), circle(40.0, -105.27, 40)).counties] == [
        "Boulder County",
        "Denver County",
    ]


def test_corners_in_crossing_order_enclose_the_whole_area():
    area = through([(40.1, -105.4), (39.9, -105.1), (40.1, -105.1), (39.9, -105.4)])
    assert {place.id for place in inside(build_catalog(), area).zip_codes} == {80301, 80302, 80303}


def test_a_drawn_line_encloses_every_loop_it_forms():
    """A drawn line may cross itself near its ends or in the middle."""
    loop = enclosed(
        [(40.1, -105.4), (40.1, -105.1), (39.9, -105.1), (39.9, -105.4), (40.05, -105.39), (40.12, -105.38)]
    )
    assert {place.id for place in inside(build_catalog(), loop).zip_codes} == {80301, 80302, 80303}
    eight = enclosed([(40, -105), (41, -104), (40, -104), (41, -105)])
    assert eight.area == pytest.approx(0.5)
    assert enclosed([(40, -105), (41, -105), (40.5, -105)]).is_empty


@pytest.mark.parametrize(
    ("drawing", "ring"),
    [
        ([[40.1, -105.4], [40, -105], [39.9, -105.2]], [(40.1, -105.4), (40.0, -105.0), (39.9, -105.2)]),
        ([], []),
        (None, []),
        ([[40, -105], [41, -105]], []),
        ([[40, -105], [40, -105], [40, -105]], []),
        ([[95, -105], [40, -105], [41, -104]], []),
        ([["x", 1], [2, 3], [4, 5]], []),
        ([1, 2, 3], []),
    ],
)
def test_invalid_corners_from_the_browser_give_no_area(drawing: Any, ring: list[tuple[float, float]]):
    assert corners_from_browser(drawing) == ring


def test_without_place_data_an_area_contains_no_places():
    assert len(REGIONS.counties) > 1
    found = inside(CATALOG, circle(40.0, -105.27, 50))
    assert (found.zip_codes, found.cities, found.counties) == ([], [], [])
