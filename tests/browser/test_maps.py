"""Maps in a real Chromium: they paint in both themes and send no request to another machine."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from playwright.sync_api import Page, Route, expect

from domain.maps.palette import GROUNDS, kind_colour, rgb
from tests.browser.map_presses import pick_mark, wait_for_color
from tests.browser.small_page import small_page

pytestmark = pytest.mark.maps
# Without a graphics card, the cost of a map depends on its size.
SMALL = (900, 600)
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1"
SCRIPT = """
import pandas as pd
import streamlit as st
from components.maps.deck import SplicedDeck, ground_layers
from components.maps.map_view import draw_map, legs_map, theme_here
from domain.maps.viewport import fitted_view
from components.streamlit_workarounds.map_picks import arranged, picked_ids, pinned_rows
from domain.maps.palette import KIND_COLOURS, rgb

st.set_page_config(layout="wide")
LEGS = pd.DataFrame(
    [(35.5, 139.8, -33.4, -70.8, "Air", "NH1"), (37.6, -122.4, 40.6, -73.8, "Rail", "x")],
    columns=["from_lat", "from_lon", "to_lat", "to_lon", "kind", "label"],
)
POINTS = pd.DataFrame(
    [(35.5, 139.8, "Tokyo (HND)", "Air"), (-33.4, -70.8, "Santiago (SCL)", "Air")],
    columns=["lat", "lon", "label", "kind"],
)


def draw_places():
    places = {"SIN": ("Air", 1.35, 103.99), "KWI": ("Hotel", 29.2, 47.97), "LHR": ("Rail", 51.5, -0.45)}
    if st.checkbox("Without London"):
        del places["LHR"]
    state = st.session_state.get("places")
    order = arranged(list(places), pinned_rows(state, "places"))
    rows = []
    for number in order:
        kind, lat, lon = list(places.values())[number] if number >= 0 else ("Other", 0, 0)
        name = list(places)[number] if number >= 0 else ""
        color = [*rgb(KIND_COLOURS[kind][theme_here()]), 255 if name else 0]
        rows.append({"id": name, "x": lon, "y": lat, "n": f"At {name}", "d": "", "c": color})
    dots = {
        "@@type": "ScatterplotLayer",
        "id": "places",
        "data": pd.DataFrame(rows),
        "getPosition": "@@=[x, y]",
        "getRadius": 12,
        "radiusUnits": "pixels",
        "getFillColor": "@@=c",
        "pickable": True,
    }
    view = fitted_view([1.35, 51.5, 29.2], [103.99, -0.45, 47.97], width=660, height=420)
    tooltip = {"html": "{n}"}
    deck = SplicedDeck([*ground_layers(theme_here(), view.zoom), dots], view=view, tooltip=tooltip)
    draw_map(deck, "Map of 3 places", key="places", height=420, on_select="rerun")
    st.write("Picked: " + (", ".join(picked_ids(state)) or "nothing"))


if st.query_params.get("map") == "legs":
    legs_map(LEGS, POINTS, key="legs", height=280)
else:
    draw_places()
"""


@pytest.fixture(scope="module")
def map_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a small page with maps, with the project's static files."""
    with small_page(tmp_path_factory.mktemp("maps"), SCRIPT) as base:
        yield base


def test_a_map_shows_progress_and_preserves_the_selection_while_rows_change(
    map_page: str, page_at: Callable[..., Page]
) -> None:
    """A message replaces the map while its script loads. After that, marks are selected and removed."""
    page = page_at(*SMALL)
    held_requests: list[Route] = []
    page.route("**/DeckGlJsonChart*.js", lambda route: held_requests.append(route))
    page.goto(map_page)
    expect(page.get_by_text("Drawing the map …")).to_be_visible()
    for route in held_requests:
        route.continue_()
    expect(page.get_by_role("figure", name="Map of 3 places")).to_be_visible()
    pick(page, "KWI", kind_colour("Hotel", "light"), answer="Picked: KWI")
    pick(page, "SIN", faded(kind_colour("Air", "light")), answer="Picked: KWI, SIN")
    page.get_by_text("Without London").click()
    expect(page.get_by_role("checkbox", name="Without London")).to_be_checked()
    page.get_by_text("Without London").click()
    expect(page.get_by_text("Picked: KWI, SIN", exact=True)).to_be_visible()
    # A second pick removes that place only: the browser still knows which row is which.
    pick(page, "KWI", kind_colour("Hotel", "light"), answer="Picked: SIN")


def test_on_a_dark_phone_the_segments_of_a_trip_are_on_the_world_map_and_nothing_is_covered(
    map_page: str, page_at: Callable[..., Page]
) -> None:
    page = page_at(390, 844, "dark")
    # The map's width is a guess from the browser's name: see docs/decisions/maps.md.
    page.set_extra_http_headers({"User-Agent": PHONE})
    page.goto(f"{map_page}/?map=legs")
    ground = GROUNDS["dark"]
    wait_for_color(page, rgb(ground.land), at_least=2000)
    wait_for_color(page, rgb(ground.sea), at_least=2000)
    wait_for_color(page, kind_colour("Air", "dark"), at_least=20)
    expect(page.get_by_role("figure", name="Map of 2 segments: Tokyo HND to Santiago SCL.")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.get_by_test_id("stDeckGlJsonChart").hover()
    button = page.get_by_role("button", name=re.compile("^Fullscreen"))
    expect(button).to_be_visible()
    legend = page.get_by_test_id("stMarkdownContainer").filter(has_text="train")
    button_box, legend_box = button.bounding_box(), legend.bounding_box()
    assert button_box is not None
    assert legend_box is not None
    assert legend_box["x"] + legend_box["width"] <= button_box["x"]


def test_a_map_follows_the_theme_while_its_page_is_open(map_page: str, page_at: Callable[..., Page]) -> None:
    page = page_at(*SMALL)
    page.goto(f"{map_page}/?map=legs")
    wait_for_color(page, rgb(GROUNDS["light"].land), at_least=2000)
    page.emulate_media(color_scheme="dark")
    wait_for_color(page, rgb(GROUNDS["dark"].land), at_least=2000)
    wait_for_color(page, kind_colour("Air", "dark"), at_least=20)


def test_a_segment_across_the_date_line_draws_no_line_around_the_world(
    map_page: str, page_at: Callable[..., Page]
) -> None:
    page = page_at(1920, 1080)
    page.goto(f"{map_page}/?map=legs")
    wait_for_color(page, rgb(GROUNDS["light"].land), at_least=2000)
    at = wait_for_color(page, kind_colour("Air", "light"), at_least=100)
    # A wrong line would cross most of the picture at one height, where the segment crosses the date line.
    assert np.bincount(at[:, 0]).max() < 120


def faded(color: tuple[int, int, int]) -> tuple[int, int, int]:
    """Return the color on land after another mark is selected: Streamlit fades every other mark to 40%."""
    land = rgb(GROUNDS["light"].land)
    red, green, blue = (round(0.4 * part + 0.6 * under) for part, under in zip(color, land, strict=True))
    return red, green, blue


def pick(page: Page, place: str, color: tuple[int, int, int], *, answer: str) -> None:
    """Select the mark in this color, and wait for the page's response."""
    pick_mark(page, color, tooltip=f"At {place}", answer=page.get_by_text(answer, exact=True))
