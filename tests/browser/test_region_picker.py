"""Selecting the places of an alert in a real browser: no selection is lost, and the picker is accessible."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from bench.region_picker import KEYS
from tests.browser.pick_lists import wait_until_unfolded
from tests.browser.usable import assert_usable, assert_usable_by_everyone

PageAt = Callable[..., Page]
WaitUntilIdle = Callable[[Page], Page]
SignIn = Callable[..., Page]
CITY = "Boulder, CO · city"
COUNTY = "Boulder County, CO · county"
ZIPS = [f"{code}, CO · ZIP code" for code in (80302, 80303, 80304)]
# Two events in one browser task: the second requests the whole page while the first is being processed.
AT_ONCE = "([first, second]) => { first.click(); second.click(); }"


@pytest.fixture
def open_picker(page_at: PageAt, sign_in_demo: SignIn, wait_until_idle: WaitUntilIdle) -> Callable[..., Page]:
    """A function that opens a new alert for selected places in a window of this size, and waits for the places."""

    def open_page(*size: int, theme: str = "light") -> Page:
        page = sign_in_demo(page_at(*size, theme=theme), "/public-alert")
        expect(page.get_by_text("No recipients yet")).to_be_visible()
        expect(page.get_by_text("This alert has no recipients")).to_have_count(0)
        page.get_by_text("Selected places").click()
        expect(page.get_by_text("places available, loaded")).to_be_visible()
        return wait_until_idle(page)

    return open_page


def _search(page: Page, text: str) -> None:
    page.get_by_role("searchbox").fill(text)


def _find_match(page: Page, label: str) -> Locator:
    return page.locator('[class*="region-matches"]').get_by_role("button", name=label)


def _find_selected(page: Page, label: str) -> Locator:
    return page.locator('[class*="st-key-public_alerts-chosen"]').get_by_role("button", name=label)


def test_places_selected_during_typing_are_preserved_after_a_reload(
    open_picker: Callable[..., Page], wait_until_idle: WaitUntilIdle
) -> None:
    """A city, a county, and pasted ZIP codes, with other fields changed at the same time."""
    page = open_picker()
    for prefix, key, best in KEYS:  # which the benchmark uses
        _search(page, prefix + key)
        expect(page.locator('[class*="region-matches"]').get_by_role("button").first).to_contain_text(best)
    _search(page, "boulder")
    city = _find_match(page, CITY)
    expect(city).to_be_visible()
    wait_until_idle(page)
    advisory = page.get_by_test_id("stRadio").filter(has_text="Advisory").locator("label").filter(has_text="Advisory")
    page.evaluate(AT_ONCE, [city.element_handle(), advisory.last.element_handle()])
    expect(_find_selected(page, CITY)).to_be_visible()
    expect(advisory.last.get_by_role("radio")).to_be_checked()
    wait_until_idle(page)
    # And without waiting between.
    _find_match(page, COUNTY).click()
    search = page.get_by_role("searchbox")
    search.press("End")
    search.press_sequentially(", co", delay=40)
    page.get_by_role("textbox", name="Title", exact=True).fill("Tornado near Boulder")
    page.get_by_role("textbox", name="Text message").press_sequentially("Tornado near Boulder.", delay=20)
    expect(page.get_by_text("2 places selected")).to_be_visible()
    expect(_find_selected(page, COUNTY)).to_be_visible()
    expect(page.get_by_text("2 places match.")).to_be_visible()
    expect(search).to_have_value("boulder, co")
    wait_until_idle(page)
    page.get_by_text("Paste list").click()
    wait_until_unfolded(page.get_by_role("textbox", name="ZIP codes and names")).fill("80302, 80303\n80304")
    page.get_by_role("button", name="Add places").click()
    expect(page.get_by_text("5 places selected")).to_be_visible()
    expect(page.get_by_role("textbox", name="ZIP codes and names")).to_have_value("")
    wait_until_idle(page)
    _find_selected(page, ZIPS[1]).click()
    expect(page.get_by_text("4 places selected")).to_be_visible()
    expect(page).to_have_url(re.compile("draft="))
    expect(search).to_have_value("boulder, co")
    wait_until_idle(page)
    page.reload()
    expect(page.get_by_text("4 places selected")).to_be_visible()
    for label in (CITY, COUNTY, ZIPS[0], ZIPS[2]):
        expect(_find_selected(page, label)).to_be_visible()
    expect(_find_selected(page, ZIPS[1])).to_have_count(0)
    expect(page.get_by_role("textbox", name="Title", exact=True)).to_have_value("Tornado near Boulder")
    expect(page.get_by_role("textbox", name="Text message")).to_have_value("Tornado near Boulder.")


def test_the_open_picker_is_usable_by_everyone(
    open_picker: Callable[..., Page], wait_until_idle: WaitUntilIdle
) -> None:
    """No serious accessibility issue with matches, selected places, and a pasted list, and no horizontal scrolling."""
    page = open_picker(390, 844, theme="dark")
    _search(page, "boulder")
    _find_match(page, CITY).click()
    expect(_find_selected(page, CITY)).to_be_visible()
    wait_until_idle(page)
    page.get_by_text("Paste list").click()
    wait_until_unfolded(page.get_by_role("textbox", name="ZIP codes and names")).fill(
        "2134\nSpringfield\nNowhere at all"
    )
    page.get_by_role("button", name="Add places").click()
    expect(page.get_by_text("Not found (1 entry)")).to_be_visible()
    expect(page.get_by_text("2 places selected")).to_be_visible()
    wait_until_idle(page)
    # The map, and an area drawn around the selected places.
    page.get_by_test_id("stMainBlockContainer").get_by_text("Map", exact=True).click()
    expect(page.get_by_text("This browser cannot draw maps")).to_be_visible()
    page.get_by_text("Draw area").click()
    page.get_by_text("Radius").click()
    expect(page.get_by_text("in this area")).to_be_visible()
    wait_until_idle(page)
    assert_usable_by_everyone(page)


def _open_drawing_map(page: Page) -> Locator:
    """Open the map to draw on, and wait for its counties."""
    page.get_by_test_id("stMainBlockContainer").get_by_text("Map", exact=True).click()
    page.get_by_text("Draw area").click()
    page.get_by_text("Freehand").click()
    sheet = page.get_by_role("img", name="Drag to draw an area")
    expect(sheet).to_have_attribute("data-ground", "there")
    return sheet


def _square_points(sheet: Locator) -> list[tuple[float, float]]:
    """Return a square in the middle of the map, in screen positions."""
    sheet.scroll_into_view_if_needed()
    box = sheet.bounding_box()
    assert box is not None
    x, y, wide = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, 60
    return [(x - wide, y - wide), (x + wide, y - wide), (x + wide, y + wide), (x - wide, y + wide), (x - wide, y)]


def test_an_area_is_drawn_freehand_and_its_places_are_added(
    open_picker: Callable[..., Page], wait_until_idle: WaitUntilIdle
) -> None:
    """The map opens where the organization usually sends alerts. A second shape replaces the first."""
    page = open_picker(1440, 900)
    sheet = _open_drawing_map(page)
    (begin, *points) = _square_points(sheet)
    page.mouse.move(*begin)
    page.mouse.down()
    for point in points:
        page.mouse.move(*point, steps=5)
    page.mouse.up()
    add = page.get_by_role("button", name=re.compile(r"Add \d+ ZIP codes$"))
    expect(add).to_be_visible()
    expect(page.get_by_text("in this area, including counties that only touch the area")).to_be_visible()
    expect(page.get_by_text(re.compile(r"residents.* \(Census Bureau estimate for 2019")).first).to_be_visible()
    wait_until_idle(page)
    assert_usable(page)
    add.click()
    expect(page.get_by_text(re.compile(r"^\d+ places selected$"))).to_be_visible()
    page.get_by_role("button", name="Clear area").click()
    expect(add).to_have_count(0)
    wait_until_idle(page)


def test_drawing_an_area_by_touch_does_not_scroll_the_page(
    open_picker: Callable[..., Page], wait_until_idle: WaitUntilIdle
) -> None:
    page = open_picker(390, 844)
    sheet = _open_drawing_map(page)
    begin, *points = _square_points(sheet)
    scrolled = "document.querySelector('[data-testid=stMain]').scrollTop"
    before = page.evaluate(scrolled)
    touch = page.context.new_cdp_session(page)

    def send_touch(kind: str, *spots: tuple[float, float]) -> None:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in spots]})

    send_touch("touchStart", begin)
    for x, y in points:
        send_touch("touchMove", (x, y))
    send_touch("touchEnd")
    expect(page.get_by_role("button", name=re.compile(r"Add \d+ ZIP codes?$"))).to_be_visible()
    assert page.evaluate(scrolled) == before
    wait_until_idle(page)
