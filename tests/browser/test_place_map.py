"""The map of expected locations in a real Chromium: time, clusters, selection, the keyboard, and no map at all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from domain.maps.palette import GROUNDS, rgb
from tests.browser.contexts import TIMEOUT_MS
from tests.browser.map_presses import wait_for_color
from tests.browser.small_page import small_page

PageAt = Callable[..., Page]
SCRIPT = """
from datetime import UTC, datetime

import numpy as np
import streamlit as st

from components.maps.place_map import ALL_TOOLS, place_map
from domain.expected_locations.place_hours import Arcs, PlaceHours
from domain.maps.map_shape import Outline

st.set_page_config(layout="wide")


@st.cache_resource
def people_by_hour():
    hours, places = 336, 300
    random = np.random.default_rng(3)
    people = np.zeros((hours, places), np.uint16)
    people[:, 0], people[:, 1], people[:, 2], people[:, 3] = 70, 30, 12, 5
    people[200:, 2] = 90  # Singapore, later
    latitude = np.concatenate([[51.47, 51.15, 1.35, -37.0], random.uniform(-40, 60, places - 4)])
    longitude = np.concatenate([[-0.45, -0.18, 103.99, 174.8], random.uniform(-90, 90, places - 4)])
    arcs = Arcs(
        origin=np.array([0], np.int16),
        destination=np.array([2], np.int16),
        departs=np.array([95 * 60], np.int32),
        arrives=np.array([110 * 60], np.int32),
        people=np.array([8], np.uint16),
    )
    in_transit = np.zeros(hours, np.int32)
    in_transit[95:110] = 8
    return PlaceHours(
        first_hour=datetime(2026, 11, 13, tzinfo=UTC),
        place_ids=["LHR", "LGW", "SIN", "AKL", *(f"X{number}" for number in range(places - 4))],
        labels=["Heathrow", "Gatwick <b>South</b>", "Singapore", "Auckland", *map(str, random.random(places - 4))],
        latitude=latitude.astype(np.float32),
        longitude=longitude.astype(np.float32),
        people=people,
        status=random.integers(0, 4, (hours, places)).astype(np.uint8),
        at_places=people.sum(axis=1).astype(np.int32),
        in_transit=in_transit,
        not_covered=np.zeros(hours, np.int32),
        arcs=arcs,
    )


state = st.session_state
state["runs"] = state.get("runs", 0) + 1
if st.button("Auckland"):
    state["focus"] = [(174.8, -37.0)]
place_map(
    people_by_hour(),
    key="map",
    hour=state.get("hour", 100),
    selected=state.get("selected", []),
    limit=60,
    focus=state.get("focus", []),
    height="400px",
    on_select=lambda ids: state.update(selected=ids),
    on_hour=lambda hour: state.update(hour=hour),
    on_view=lambda bounds: state.update(bounds=bounds),
    tools=ALL_TOOLS if "tools" in st.query_params else (),
    area=state.get("area"),
    on_area=lambda area: state.update(area=area),
    outlines=[Outline("Cone", False, [[[-179, -80], [179, -80], [179, 80], [-179, 80], [-179, -80]]])],
)
area = state.get("area")
st.text(f"Area of {len(area['coordinates'][0]) - 1 if area else 0} corners")
st.text(f"Hour {state.get('hour')} · selected {', '.join(state.get('selected', []))} · run {state['runs']}")
"""

# Random people at random places, and two pairs of places on the Equator, 0.2 and 20 degrees apart over the date line.
COUNT_MARKS = """
async (address) => {
  const { Clusters } = await import(address);
  const dataOf = (longitude, latitude, hours, peopleAt) => {
    const places = longitude.length;
    const people = Uint16Array.from({ length: hours * places }, peopleAt);
    const totals = Float64Array.from({ length: places }, (_, place) => {
      let total = 0;
      for (let hour = 0; hour < hours; hour++) total += people[hour * places + place];
      return total;
    });
    const status = people.map((number) => number % 4);
    const rowOf = (table) => (hour) => table.subarray(hour * places, (hour + 1) * places);
    return { longitude, latitude, hours, places, totals, peopleAt: rowOf(people), statusesAt: rowOf(status) };
  };
  const random = (from, to) => from + Math.random() * (to - from);
  const axis = (from, to) => Float32Array.from({ length: 200 }, () => random(from, to));
  const data = dataOf(axis(-180, 180), axis(-80, 80), 24, () => Math.max(0, Math.floor(random(-20, 9))));
  const clusters = new Clusters(data);
  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
  const wrong = [];
  for (const zoom of [0, 1.3, 2.5, 6, 14]) {
    for (let hour = 0; hour < data.hours; hour++) {
      const marks = clusters.levelAt(zoom).count(hour, null);
      const counted = sum(marks.map((mark) => mark.people));
      if (counted !== sum([...data.peopleAt(hour)])) wrong.push([zoom, hour, counted]);
    }
  }
  const marksOf = (degrees) => {
    const pair = dataOf([180 - degrees / 2, -180 + degrees / 2], [0, 0], 1, () => 5);
    return new Clusters(pair).levelAt(3).count(0, null).length;
  };
  return { wrong, marks: { "across the date line": marksOf(0.2), apart: marksOf(20) } };
}
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a page with the map and its reported values."""
    with small_page(tmp_path_factory.mktemp("place_map"), SCRIPT) as base:
        yield base


@pytest.fixture
def open_map(page_at: PageAt, address: str) -> Callable[..., Page]:
    """A function that opens the page, and waits until its map is painted."""

    def open_page(path: str = "/") -> Page:
        page = page_at(1280, 800)
        page.goto(address + path)
        page.locator(".place-map[data-painted]").wait_for(timeout=TIMEOUT_MS)
        expect(place_button(page, "Singapore")).to_be_attached()
        return page

    return open_page


def place_button(page: Page, name: str) -> Locator:
    """Return the button over a mark whose label begins with this text."""
    return page.get_by_role("list", name="Largest places in view").get_by_role("button", name=re.compile(f"^{name}"))


def press_mark(page: Page, name: str, *, modifiers: tuple[str, ...] = ()) -> None:
    """Click the mark itself, which is under its button."""
    x, y = middle(place_button(page, name))
    for key in modifiers:
        page.keyboard.down(key)
    page.mouse.click(x, y)
    for key in modifiers:
        page.keyboard.up(key)


def slider(page: Page) -> Locator:
    return page.get_by_role("slider", name="Time on the map")


@pytest.mark.maps
def test_dragging_the_time_changes_the_map_and_informs_the_server_only_when_it_stops(
    open_map: Callable[..., Page],
) -> None:
    page = open_map()
    expect(slider(page)).to_have_attribute(
        "aria-valuetext", re.compile("^Tue, Nov 17, 04:00 UTC: 117 people at places, 4 places on the map")
    )
    report = page.get_by_text("Hour None")
    run = report.inner_text()
    box = slider(page).bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * 0.4, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 252.5 / 336, box["y"] + 10, steps=5)
    expect(slider(page)).to_have_attribute("aria-valuenow", "252")
    expect(page.get_by_text("195 people at places")).to_be_visible()
    expect(report).to_have_text(run)
    page.mouse.up()
    expect(page.get_by_text("Hour 252")).to_be_visible()
    expect(place_button(page, "Singapore. 90 people")).to_be_attached()


@pytest.mark.maps
def test_playing_moves_the_time_and_a_pause_reports_it_once(open_map: Callable[..., Page]) -> None:
    page = open_map()
    page.get_by_role("button", name="Play").click()
    expect(slider(page)).to_have_attribute("aria-valuenow", re.compile("10[2-9]"))
    page.get_by_role("button", name="Pause").click()
    hour = slider(page).get_attribute("aria-valuenow")
    expect(page.get_by_text(f"Hour {hour} · selected · run 2")).to_be_visible()


@pytest.mark.maps
def test_an_arc_shows_how_many_travelers_are_in_transit_and_when_they_arrive(open_map: Callable[..., Page]) -> None:
    page = open_map()
    (x1, y1), (x2, y2) = (middle(place_button(page, name)) for name in ("Zoom in. 2 places", "Singapore"))
    # The midpoint of the curve that arcs.js draws, which bends sideways by 0.18 of the distance.
    bend_x, bend_y = (x1 + x2) / 2 + (y2 - y1) * 0.18, (y1 + y2) / 2 - abs(x2 - x1) * 0.18
    page.mouse.move((x1 + 2 * bend_x + x2) / 4, (y1 + 2 * bend_y + y2) / 4)
    tip = page.locator(".place-map .tip")
    expect(tip).to_contain_text("8 people in transit")
    expect(tip).to_contain_text("Heathrow to Singapore: 8 people, arrival Tue, Nov 17, 14:00 UTC")


def middle(place: Locator) -> tuple[float, float]:
    """Return the position of the middle of an element on the screen."""
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.maps
def test_counts_are_sent_once_and_later_runs_send_little(page_at: PageAt, address: str) -> None:
    received: list[int] = []
    page = page_at(1280, 800)
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: received.append(len(frame))))
    page.goto(address)
    page.locator(".place-map[data-painted]").wait_for(timeout=TIMEOUT_MS)
    assert max(received) > 20_000
    received.clear()
    slider(page).press("ArrowRight")
    expect(page.get_by_text("Hour 101")).to_be_visible()
    assert sum(received) < 20_000


@pytest.mark.maps
def test_a_cluster_shows_its_number_of_people_splits_and_its_places_are_selected(open_map: Callable[..., Page]) -> None:
    page = open_map()
    expect(place_button(page, "Zoom in. 2 places. 100 people")).to_be_attached()
    press_mark(page, "Zoom in. 2 places")
    # No number by status: a place has the status of its largest group alone.
    expect(place_button(page, "Heathrow. 70 people. Largest group: [a-z ]+[.] Over the limit")).to_be_attached()
    # Text from data is text, not HTML: the dots stand for its brackets.
    expect(place_button(page, "Gatwick .b.South..b.. 30 people")).to_be_attached()
    press_mark(page, "Heathrow")
    expect(page.get_by_text("selected LHR ·")).to_be_visible()
    press_mark(page, "Gatwick", modifiers=("Shift",))
    expect(page.get_by_text("selected LHR, LGW ·")).to_be_visible()
    expect(place_button(page, "Heathrow")).to_have_attribute("aria-pressed", "true")
    press_mark(page, "Heathrow", modifiers=("Shift",))
    expect(page.get_by_text("selected LGW ·")).to_be_visible()
    before = scale(page)
    page.mouse.dblclick(*middle(place_button(page, "Heathrow")))
    expect(page.get_by_text("selected LHR ·")).to_be_visible()
    expect(place_button(page, "Heathrow")).to_have_attribute("aria-pressed", "true")
    assert scale(page) == before
    page.get_by_role("button", name="Show all").click()
    expect(place_button(page, "Zoom in. 2 places")).to_be_attached()


@pytest.mark.maps
def test_the_map_works_with_the_keyboard_alone(open_map: Callable[..., Page]) -> None:
    page = open_map()
    page.get_by_role("region", name="Map.").focus()
    for name in ("Zoom in", "Zoom out"):
        page.keyboard.press("Tab")
        expect(page.get_by_role("button", name=name, exact=True)).to_be_focused()
    page.keyboard.press("Tab")
    expect(place_button(page, "Zoom in. 2 places")).to_be_focused()
    page.keyboard.press("Tab")
    expect(place_button(page, "Singapore")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("selected SIN ·")).to_be_visible()
    expect(place_button(page, "Singapore")).to_be_focused()
    page.get_by_role("region", name="Map.").focus()
    before = scale(page)
    page.keyboard.press("+")
    expect(page.locator(".maplibregl-ctrl-scale")).not_to_have_text(before)
    slider(page).focus()
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("Hour 123")).to_be_visible()


@pytest.mark.maps
def test_the_map_moves_to_what_is_selected_outside_it(open_map: Callable[..., Page]) -> None:
    page = open_map()
    # A close map has rivers and lakes.
    with page.expect_response("**/static/basemap/waters.geojson") as waters:
        page.get_by_role("button", name="Auckland", exact=True).click()
    assert waters.value.ok
    expect(place_button(page, "Singapore")).to_have_count(0)
    expect(place_button(page, "Auckland")).to_be_attached()
    here = scale(page)
    # What is selected on the map does not move it, and a new run leaves the view alone.
    press_mark(page, "Auckland")
    expect(page.get_by_text(re.compile("selected AKL"))).to_be_visible()
    assert scale(page) == here
    expect(place_button(page, "Auckland")).to_be_attached()


@pytest.mark.maps
def test_a_theme_change_recolors_the_map_and_preserves_the_view(open_map: Callable[..., Page]) -> None:
    page = open_map()
    page.get_by_role("region", name="Map.").focus()
    before = scale(page)
    page.keyboard.press("+")
    expect(page.locator(".maplibregl-ctrl-scale")).not_to_have_text(before)
    before = scale(page)
    page.emulate_media(color_scheme="dark")
    expect(page.locator('.place-map[data-theme="dark"]')).to_be_attached()
    expect(page.locator(".place-map")).to_have_count(1)
    wait_for_color(page, rgb(GROUNDS["dark"].land), at_least=2000, chart=page.locator(".place-map .frame"))
    assert scale(page) == before


@pytest.mark.maps
def test_an_area_is_drawn_edited_and_cleared_and_escape_discards_an_unfinished_one(
    open_map: Callable[..., Page],
) -> None:
    page = open_map("/?tools")
    box = page.locator(".place-map .frame").bounding_box()
    assert box is not None

    def drag(*points: tuple[int, int], is_released: bool = True) -> None:
        (x, y), *rest = points
        page.mouse.move(box["x"] + x, box["y"] + y)
        page.mouse.down()
        for x, y in rest:
            page.mouse.move(box["x"] + x, box["y"] + y, steps=3)
        if is_released:
            page.mouse.up()

    page.get_by_role("button", name="Rectangle").click()
    drag((300, 200), (400, 260), is_released=False)
    page.keyboard.press("Escape")
    page.mouse.up()
    expect(page.get_by_role("button", name="Clear area")).to_be_disabled()
    drag((300, 200), (400, 260))
    expect(page.get_by_text("Area of 4 corners")).to_be_visible()
    page.get_by_role("button", name="Freehand").click()
    drag((300, 200), (400, 210), (380, 300), (310, 280), (300, 205))
    expect(page.get_by_text("Area of 5 corners").or_(page.get_by_text("Area of 6 corners"))).to_be_visible()
    page.get_by_role("button", name="Circle").click()
    drag((600, 200), (650, 200))
    expect(page.get_by_text("Area of 64 corners")).to_be_visible()
    page.get_by_role("button", name="Edit").click()
    drag((650, 200), (700, 200))
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Edit")).to_have_attribute("aria-pressed", "false")
    page.get_by_role("button", name="Clear area").click()
    expect(page.get_by_text("Area of 0 corners")).to_be_visible()
    page.mouse.move(box["x"] + box["width"] * 0.4, box["y"] + box["height"] - 10)
    expect(page.locator(".place-map .tip")).to_have_text("Cone · not selected")


def test_marks_count_everyone_in_each_hour_at_any_zoom_and_cross_the_date_line(page_at: PageAt, address: str) -> None:
    page = page_at()
    page.goto(address)
    expect(page.get_by_text("This browser cannot draw maps")).to_be_visible()
    result = page.evaluate(COUNT_MARKS, f"{address}/_stcore/bidi-components/muster_maps.place_map/clusters.js")
    assert result["wrong"] == []
    assert result["marks"] == {"across the date line": 1, "apart": 2}


def scale(page: Page) -> str:
    return page.locator(".maplibregl-ctrl-scale").inner_text()


def test_without_a_map_places_are_selected_in_a_list_that_follows_the_time(page_at: PageAt, address: str) -> None:
    page = page_at(390, 844)
    page.goto(address)
    expect(page.get_by_text("This browser cannot draw maps")).to_be_visible()
    places = page.get_by_role("list", name="Places with the most people").get_by_role("button")
    expect(places.first).to_have_text(re.compile("^Heathrow 70 people"))
    page.get_by_role("button", name=re.compile("^Singapore")).click()
    expect(page.get_by_text("selected SIN ·")).to_be_visible()
    slider(page).press("End")
    expect(page.get_by_text("Hour 335")).to_be_visible()
    expect(places.first).to_have_text(re.compile("^Singapore 90 people"))
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
