"""Maps in a real Chromium: they paint, in both themes, and call nobody outside this machine."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from components.maps.palette import GROUNDS, Theme, kind_colour, rgb
from tests.browser.contexts import TIMEOUT_MS
from tests.browser.map_presses import point_at, press_on_map
from tests.running_muster import START_SECONDS, answers, free_port

pytestmark = pytest.mark.maps
PROJECT = Path(__file__).resolve().parents[2]
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
    legs_map(legs, points, key="legs")
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
    folder = tmp_path_factory.mktemp("maps")
    (folder / "maps_page.py").write_text(SCRIPT, encoding="utf-8")
    (folder / "static").symlink_to(PROJECT / "static", target_is_directory=True)
    port = free_port()
    options = {
        "server.address": "127.0.0.1",
        "server.port": str(port),
        "server.headless": "true",
        "server.enableStaticServing": "true",
        "server.fileWatcherType": "none",
        "browser.gatherUsageStats": "false",
    }
    command = [sys.executable, "-m", "streamlit", "run", "maps_page.py"]
    command += [part for name, value in options.items() for part in (f"--{name}", value)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("STREAMLIT_")}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=folder, env=environment | {"PYTHONPATH": str(PROJECT)}, stdout=log, stderr=log
        )
    base = f"http://127.0.0.1:{port}"
    try:
        assert answers(f"{base}/_stcore/health", process, START_SECONDS), (folder / "log").read_text(encoding="utf-8")
        yield base
    finally:
        process.terminate()
        process.wait(60)


@pytest.mark.parametrize(("device", "theme"), [("desktop", "light"), ("phone", "dark")])
def test_marks_of_all_kinds_are_painted_on_land_and_sea_and_told_in_words(
    map_page: str, page_at: Callable[..., Page], theme: Theme, device: str
) -> None:
    """Those who cannot see the marks are told what the map shows, and what each mark stands for."""
    page = page_at(*SMALL, theme)
    if device == "phone":
        page.set_viewport_size({"width": 390, "height": 844})
        # The width is a guess from who asks: see docs/decisions/maps.md.
        page.set_extra_http_headers({"User-Agent": PHONE})
    page.goto(map_page)
    ground = GROUNDS[theme]
    painted(page, rgb(ground.land), at_least=2000)
    painted(page, rgb(ground.sea), at_least=2000)
    for kind in ("Air", "Hotel", "Rail"):
        painted(page, kind_colour(kind, theme), at_least=20)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    expect(page.get_by_role("figure", name="Map of 4 places where people are expected.", exact=False)).to_be_visible()
    legend = page.get_by_test_id("stMarkdownContainer").filter(has_text="● Air")
    expect(legend).to_contain_text("■ Hotel")
    expect(legend).to_contain_text("◆ Rail")
    expect(legend).to_contain_text("▲ Car")
    expect(page.get_by_text("cannot draw maps")).to_have_count(0)


@pytest.mark.parametrize("width", [900, 390])
def test_the_full_screen_button_lies_over_no_line(map_page: str, page_at: Callable[..., Page], width: int) -> None:
    """Neither over the one above the map nor over the legend, which stands beside it."""
    page = page_at(width, 600)
    page.goto(map_page)
    page.get_by_test_id("stDeckGlJsonChart").hover()
    button = page.get_by_role("button", name=re.compile("^Fullscreen"))
    expect(button).to_be_visible()
    legend = page.get_by_test_id("stMarkdownContainer").filter(has_text="● Air")
    lies, words, above = (each.bounding_box() for each in (button, legend, page.get_by_test_id("stCheckbox")))
    assert lies is not None
    assert words is not None
    assert above is not None
    assert above["y"] + above["height"] <= lies["y"]
    assert words["x"] + words["width"] <= lies["x"]


def test_a_picked_place_is_told_fades_nothing_and_stays_picked_when_the_rows_move(
    map_page: str, page_at: Callable[..., Page]
) -> None:
    """Each pick looks for the colours of the ground and of the other places as they are."""
    page = page_at(*SMALL)
    page.goto(map_page)
    pick(page, kind_colour("Hotel", "light"), told="Picked: KWI")
    pick(page, kind_colour("Air", "light"), told="Picked: KWI, SIN")
    page.get_by_text("Without London").click()
    expect(page.get_by_role("checkbox", name="Without London")).to_be_checked()
    page.get_by_text("Without London").click()
    expect(page.get_by_text("Picked: KWI, SIN", exact=True)).to_be_visible()
    # Picking again takes away, and only that one: the browser still knows which row is which.
    pick(page, kind_colour("Hotel", "light"), told="Picked: SIN")


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


def painted(page: Page, colour: tuple[int, int, int], *, at_least: int, number: int = 0) -> np.ndarray:
    """Wait until a map shows so many pixels of a colour, and return where: rows of (y, x) in the map's picture."""
    chart = page.get_by_test_id("stDeckGlJsonChart").nth(number)
    chart.wait_for()
    chart.scroll_into_view_if_needed()
    until = time.monotonic() + TIMEOUT_MS / 1000
    while True:
        picture = np.asarray(Image.open(io.BytesIO(chart.screenshot())).convert("RGB")).astype(int)
        found = np.argwhere(np.abs(picture - np.array(colour)).sum(axis=2) <= 6)
        if len(found) >= at_least:
            return found
        if time.monotonic() > until:
            pytest.fail(f"the map shows {len(found)} pixels of {colour}, not {at_least}")
        page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")


def pick(page: Page, colour: tuple[int, int, int], *, told: str) -> None:
    """Click the middle of a mark in this colour, and wait for what the page then tells."""
    # Picking reads the map's own rendering: wait for the countries, which come last.
    painted(page, rgb(GROUNDS["light"].land), at_least=2000)
    at = painted(page, colour, at_least=20)
    chart = page.get_by_test_id("stDeckGlJsonChart")
    y, x = at.mean(axis=0)
    point_at(chart, x, y)
    # Then the map knows what lies there.
    expect(page.get_by_text("most there")).to_be_visible()
    answer = page.get_by_text(told, exact=True)
    for _ in range(9):
        press_on_map(chart, x, y)
        with suppress(PlaywrightTimeout):
            answer.wait_for(timeout=10_000)
            break
    expect(answer).to_be_visible()
    # Only now away from the mark, which is lighter under the pointer: the map looks what lies there a little later.
    page.mouse.move(4, 4)
