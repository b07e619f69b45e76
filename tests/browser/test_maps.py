"""Maps in a real Chromium: they paint, in both themes, and call nobody outside this machine."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, Route, expect

from domain.maps.palette import GROUNDS, Theme, kind_colour, rgb
from tests.browser.map_presses import painted, pick_mark
from tests.browser.small_page import small_page

pytestmark = pytest.mark.maps
# What a map costs without a graphics card goes with its size.
SMALL = (900, 600)
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1"
SCRIPT = """
import pandas as pd
import streamlit as st
from components.maps.map_view import legs_map, picked_on, place_map

st.set_page_config(layout="wide")
columns = ["place_id", "label", "lat", "lon", "people", "locations", "kind", "status"]
places = pd.DataFrame(
    [
        ("SIN", "Singapore Changi International Airport (SIN)", 1.35, 103.99, 70, 90, "Air", "there"),
        ("KWI", "Kuwait International Airport (KWI)", 29.2, 47.97, 40, 40, "Hotel", "there"),
        ("LHR", "London Heathrow Airport (LHR)", 51.5, -0.45, 55, 60, "Rail", "there"),
        ("JNB", "O.R. Tambo International Airport (JNB)", -26.1, 28.2, 30, 30, "Car", "there"),
    ],
    columns=columns,
)
if st.query_params.get("map") == "legs":
    legs = pd.DataFrame(
        [(35.5, 139.8, -33.4, -70.8, "Air", "NH1"), (37.6, -122.4, 40.6, -73.8, "Rail", "x")],
        columns=["from_lat", "from_lon", "to_lat", "to_lon", "kind", "label"],
    )
    points = pd.DataFrame(
        [(35.5, 139.8, "Tokyo (HND)", "Air"), (-33.4, -70.8, "Santiago (SCL)", "Air")],
        columns=["lat", "lon", "label", "kind"],
    )
    legs_map(legs, points, key="legs", height=280)
    wide = places.assign(lon=[174.8, -157.9, -0.45, -70.8], lat=[-37.0, 21.3, 51.5, -33.4])
    place_map(wide, key="wide", width=660)
else:
    if st.checkbox("Without London"):
        places = places[places["place_id"] != "LHR"]
    picked = picked_on("places")
    place_map(places, key="places", selected=picked)
    st.write("Picked: " + (", ".join(picked) or "nothing"))
"""


@pytest.fixture(scope="module")
def map_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a small page with maps, on the project's static files."""
    with small_page(tmp_path_factory.mktemp("maps"), SCRIPT) as base:
        yield base


def test_a_map_says_it_is_being_drawn_then_shows_all_marks_and_keeps_what_is_picked(
    map_page: str, page_at: Callable[..., Page]
) -> None:
    """A sentence stands in for the map, however long its script takes; then people pick marks and remove them again."""
    page = page_at(*SMALL)
    held: list[Route] = []
    page.route("**/DeckGlJsonChart*.js", lambda route: held.append(route))
    page.goto(map_page)
    expect(page.get_by_text("The map is being drawn …")).to_be_visible()
    for route in held:
        route.continue_()
    assert_all_marks(page, "light")
    assert_button_covers_nothing(page)
    pick(page, kind_colour("Hotel", "light"), answer="Picked: KWI")
    pick(page, kind_colour("Air", "light"), answer="Picked: KWI, SIN")
    page.get_by_text("Without London").click()
    expect(page.get_by_role("checkbox", name="Without London")).to_be_checked()
    page.get_by_text("Without London").click()
    expect(page.get_by_text("Picked: KWI, SIN", exact=True)).to_be_visible()
    # A second pick removes that place only: the browser still knows which row is which.
    pick(page, kind_colour("Hotel", "light"), answer="Picked: SIN")


def test_on_a_dark_phone_a_map_shows_all_marks_and_fits(map_page: str, page_at: Callable[..., Page]) -> None:
    page = page_at(390, 844, "dark")
    # The map's width is a guess from the browser's name: see docs/decisions/maps.md.
    page.set_extra_http_headers({"User-Agent": PHONE})
    page.goto(map_page)
    assert_all_marks(page, "dark")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert_button_covers_nothing(page)


def assert_all_marks(page: Page, theme: Theme) -> None:
    """The map shows land, sea and marks in their colors, and words for people who cannot see them."""
    ground = GROUNDS[theme]
    painted(page, rgb(ground.land), at_least=2000)
    painted(page, rgb(ground.sea), at_least=2000)
    for kind in ("Air", "Hotel", "Rail"):
        painted(page, kind_colour(kind, theme), at_least=20)
    expect(page.get_by_role("figure", name="Map of 4 places where people are expected.", exact=False)).to_be_visible()
    for words in ("● Air", "■ Hotel", "◆ Rail", "▲ Car"):
        expect(legend_of(page)).to_contain_text(words)
    expect(page.get_by_text("cannot draw maps")).to_have_count(0)


def assert_button_covers_nothing(page: Page) -> None:
    """The full-screen button covers neither the line above the map nor the legend beside the button."""
    page.get_by_test_id("stDeckGlJsonChart").hover()
    button = page.get_by_role("button", name=re.compile("^Fullscreen"))
    expect(button).to_be_visible()
    button_box, legend_box, above_box = (
        each.bounding_box() for each in (button, legend_of(page), page.get_by_test_id("stCheckbox"))
    )
    assert button_box is not None
    assert legend_box is not None
    assert above_box is not None
    assert above_box["y"] + above_box["height"] <= button_box["y"]
    assert legend_box["x"] + legend_box["width"] <= button_box["x"]


def legend_of(page: Page) -> Locator:
    """The words under which the marks are explained."""
    return page.get_by_test_id("stMarkdownContainer").filter(has_text="● Air")


def test_no_leg_over_the_date_line_is_a_streak_and_every_place_of_a_wide_world_stands_once(
    map_page: str, page_at: Callable[..., Page]
) -> None:
    page = page_at(1920, 1080)
    page.goto(f"{map_page}/?map=legs")
    painted(page, rgb(GROUNDS["light"].land), at_least=2000)
    at = painted(page, kind_colour("Air", "light"), at_least=100)
    # A streak would run along one height through most of the picture, where the leg crosses the date line.
    per_row = np.bincount(at[:, 0])
    assert per_row.max() < 120
    painted(page, rgb(GROUNDS["light"].land), at_least=2000, number=1)
    at = painted(page, kind_colour("Air", "light"), at_least=20, number=1)
    assert np.ptp(at[:, 1]) < 100


def pick(page: Page, colour: tuple[int, int, int], *, answer: str) -> None:
    """Pick the mark in this colour, and wait for the page's answer."""
    pick_mark(page, colour, tooltip="most there", answer=page.get_by_text(answer, exact=True))
