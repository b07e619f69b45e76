"""The first view of a map."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.maps.viewport import (
    CLOSEST_FIT,
    DESKTOP_WIDTH,
    MIN_ZOOM,
    PHONE_HEIGHT,
    PHONE_WIDTH,
    fitted_view,
    span_of,
    steady_view,
    window_size,
)

LATITUDES = st.floats(-70, 75)
LONGITUDES = st.floats(-180, 180)
PLACES = st.lists(st.tuples(LATITUDES, LONGITUDES), min_size=1, max_size=30)


@given(PLACES)
def test_the_first_view_contains_all_places_unless_the_minimum_zoom_prevents_it(
    places: list[tuple[float, float]],
) -> None:
    lat, lon = np.array([place[0] for place in places]), np.array([place[1] for place in places])
    view = fitted_view(lat, lon, width=1000, height=500)
    x, y = view.screen(lat, lon)
    if view.zoom > MIN_ZOOM:
        assert (x >= -1).all()
        assert (x <= 1001).all()
        assert (y >= -0.01).all()
        assert (y <= 500.01).all()


def test_places_on_both_sides_of_the_date_line_are_shown_together() -> None:
    auckland_honolulu_suva = ([-37.0, 21.3, -18.1], [174.8, -157.9, 178.4])
    view = fitted_view(*auckland_honolulu_suva, width=1000, height=500)
    assert view.zoom > 2
    assert abs(view.longitude) > 165


def test_the_map_is_not_recentered_for_little_gain() -> None:
    around = ([51.5, 40.6, 29.2, 1.3, -37.0, 21.3], [-0.5, -73.8, 48.0, 104.0, 174.8, -157.9])
    view = fitted_view(*around, width=1000, height=500)
    assert abs(view.longitude) < 20


def test_a_view_of_nearly_all_longitudes_shows_each_one_once() -> None:
    view = fitted_view([64, -37, 1, 21, 50, 30], [-150, 174, 104, -80, 0, 50], width=870, height=520)
    assert view.longitude == 0
    assert 870 <= view.world < 871


def test_a_span_may_cross_the_date_line() -> None:
    assert span_of([170, -170]) == (170, 20)
    assert span_of([-10, 30]) == (-10, 40)
    assert span_of([5]) == (5, 0)


def test_a_single_place_is_shown_with_the_country_around_it() -> None:
    view = fitted_view([1.35], [103.99], width=1000, height=500)
    assert view.zoom == CLOSEST_FIT
    assert (view.latitude, view.longitude) == (pytest.approx(1.35), pytest.approx(103.99))


@pytest.mark.parametrize("nothing", [([], []), ([math.nan], [1.0])])
def test_without_places_the_world_is_shown(nothing: tuple[list[float], list[float]]) -> None:
    view = fitted_view(*nothing, width=1000, height=500)
    assert view.world >= 900


def test_places_without_coordinates_do_not_change_the_view() -> None:
    with_gap = fitted_view([1.0, math.nan, 5.0], [100.0, 0.0, math.nan], width=1000, height=500)
    assert with_gap == fitted_view([1.0], [100.0], width=1000, height=500)


@given(PLACES)
def test_the_view_never_extends_beyond_the_poles(places: list[tuple[float, float]]) -> None:
    view = fitted_view([p[0] for p in places], [p[1] for p in places], width=1000, height=300)
    if view.world > 300:
        _, (north, south) = view.screen([85.05, -85.05], [0.0, 0.0])
        assert north <= 0.5
        assert south >= 299.5


def test_the_view_stays_while_places_move_within_it() -> None:
    before = fitted_view([0, 50], [0, 100], width=1000, height=500)
    assert steady_view(before, [5, 45], [5, 95], width=1000, height=500) is before


def test_the_view_follows_a_place_outside_it() -> None:
    before = fitted_view([40, 50], [0, 20], width=1000, height=500)
    after = steady_view(before, [40, -33], [0, 151], width=1000, height=500)
    assert after.zoom < before.zoom


def test_the_view_zooms_in_when_the_remaining_places_are_close_together() -> None:
    before = fitted_view([-40, 60], [-120, 150], width=1000, height=500)
    after = steady_view(before, [48, 52], [2, 13], width=1000, height=500)
    assert after.zoom > before.zoom + 1


def test_a_window_of_another_size_gets_a_new_view() -> None:
    before = fitted_view([40, 50], [0, 20], width=1000, height=500)
    assert steady_view(before, [40, 50], [0, 20], width=350, height=340).width == 350


@pytest.mark.parametrize(
    ("agent", "width", "height", "size"),
    [
        (None, None, 520, (DESKTOP_WIDTH, 520)),
        ("Mozilla/5.0 (X11; Linux x86_64) Chrome", 700, 520, (700, 520)),
        ("Mozilla/5.0 (iPhone) Mobile/15E148 Safari", 700, 520, (PHONE_WIDTH, PHONE_HEIGHT)),
        ("Mozilla/5.0 (Linux; Android 14) Mobile", None, 300, (PHONE_WIDTH, 300)),
    ],
)
def test_a_phone_gets_a_small_window(agent: str | None, width: int | None, height: int, size: tuple[int, int]) -> None:
    assert window_size(agent, width, height) == size


def test_screen_coordinates_agree_with_web_mercator() -> None:
    view = fitted_view([0], [0], width=512, height=512)
    x, y = view.screen([0, 0], [0, 1])
    assert (x[0], y[0]) == (256, pytest.approx(256))
    assert x[1] - x[0] == pytest.approx(512 * 2**view.zoom / 360)
