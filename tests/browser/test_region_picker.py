"""Selecting the places of an alert in a real browser: no selection is lost, and the picker is accessible."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from bench.region_picker import KEYS
from tests.browser.pick_lists import unfolded
from tests.browser.usable import assert_usable, assert_usable_by_everyone

PageAt = Callable[..., Page]
Settled = Callable[[Page], Page]
SignIn = Callable[..., Page]
CITY = "Boulder, CO · city"
COUNTY = "Boulder County, CO · county"
ZIPS = [f"{code}, CO · ZIP code" for code in (80302, 80303, 80304)]
# Two events in one browser task: the second requests the whole page while the first is being processed.
AT_ONCE = "([first, second]) => { first.click(); second.click(); }"


@pytest.fixture
def picker(page_at: PageAt, sign_in_demo: SignIn, settled: Settled) -> Callable[..., Page]:
    """Open a new alert for selected places in a window of this size, with the places loaded."""

    def open_picker(*size: int, theme: str = "light") -> Page:
        page = sign_in_demo(page_at(*size, theme=theme), "/public-alert")
        expect(page.get_by_text("No recipients yet")).to_be_visible()
        expect(page.get_by_text("This alert has no recipients")).to_have_count(0)
        page.get_by_text("Selected places").click()
        expect(page.get_by_text("places available, loaded")).to_be_visible()
        return settled(page)

    return open_picker


def _search(page: Page, text: str) -> None:
    page.get_by_role("searchbox").fill(text)


def _match(page: Page, words: str) -> Locator:
    return page.locator('[class*="region-matches"]').get_by_role("button", name=words)


def _chosen(page: Page, words: str) -> Locator:
    return page.locator('[class*="st-key-public_alerts-chosen"]').get_by_role("button", name=words)


def test_places_selected_during_typing_are_preserved_after_a_reload(
    picker: Callable[..., Page], settled: Settled
) -> None:
    """A city, a county, and pasted ZIP codes, with other fields changed at the same time."""
    page = picker()
    for begun, key, best in KEYS:  # which the benchmark uses
        _search(page, begun + key)
        expect(page.locator('[class*="region-matches"]').get_by_role("button").first).to_contain_text(best)
    _search(page, "boulder")
    city = _match(page, CITY)
    expect(city).to_be_visible()
    settled(page)
    advisory = page.get_by_test_id("stRadio").filter(has_text="Advisory").locator("label").filter(has_text="Advisory")
    page.evaluate(AT_ONCE, [city.element_handle(), advisory.last.element_handle()])
    expect(_chosen(page, CITY)).to_be_visible()
    expect(advisory.last.get_by_role("radio")).to_be_checked()
    settled(page)
    # And without waiting between.
    _match(page, COUNTY).click()
    search = page.get_by_role("searchbox")
    search.press("End")
    search.press_sequentially(", co", delay=40)
    page.get_by_role("textbox", name="Title", exact=True).fill("Tornado near Boulder")
    page.get_by_role("textbox", name="Text message").press_sequentially("Tornado near Boulder.", delay=20)
    expect(page.get_by_text("2 places selected")).to_be_visible()
    expect(_chosen(page, COUNTY)).to_be_visible()
    expect(page.get_by_text("2 places match.")).to_be_visible()
    expect(search).to_have_value("boulder, co")
    settled(page)
    page.get_by_text("Paste list").click()
    unfolded(page.get_by_role("textbox", name="ZIP codes and names")).fill("80302, 80303\n80304")
    page.get_by_role("button", name="Add places").click()
    expect(page.get_by_text("5 places selected")).to_be_visible()
    expect(page.get_by_role("textbox", name="ZIP codes and names")).to_have_value("")
    settled(page)
    _chosen(page, ZIPS[1]).click()
    expect(page.get_by_text("4 places selected")).to_be_visible()
    expect(page).to_have_url(re.compile("draft="))
    expect(search).to_have_value("boulder, co")
    settled(page)
    page.reload()
    expect(page.get_by_text("4 places selected")).to_be_visible()
    for words in (CITY, COUNTY, ZIPS[0], ZIPS[2]):
        expect(_chosen(page, words)).to_be_visible()
    expect(_chosen(page, ZIPS[1])).to_have_count(0)
    expect(page.get_by_role("textbox", name="Title", exact=True)).to_have_value("Tornado near Boulder")
    expect(page.get_by_role("textbox", name="Text message")).to_have_value("Tornado near Boulder.")


def test_the_open_picker_is_usable_by_everyone(picker: Callable[..., Page], settled: Settled) -> None:
    """No serious accessibility issue with matches, selected places, and a pasted list, and no horizontal scrolling."""
    page = picker(390, 844, theme="dark")
    _search(page, "boulder")
    _match(page, CITY).click()
    expect(_chosen(page, CITY)).to_be_visible()
    settled(page)
    page.get_by_text("Paste list").click()
    unfolded(page.get_by_role("textbox", name="ZIP codes and names")).fill("2134\nSpringfield\nNowhere at all")
    page.get_by_role("button", name="Add places").click()
    expect(page.get_by_text("Not found (1 entry)")).to_be_visible()
    expect(page.get_by_text("2 places selected")).to_be_visible()
    settled(page)
    # The map, and an area drawn around the selected places.
    page.get_by_test_id("stMainBlockContainer").get_by_text("Map", exact=True).click()
    expect(page.get_by_text("This browser cannot draw maps")).to_be_visible()
    page.get_by_text("Draw area").click()
    page.get_by_text("Radius").click()
    expect(page.get_by_text("in this area")).to_be_visible()
    settled(page)
    assert_usable_by_everyone(page)


def _sheet(page: Page) -> Locator:
    """Return the map to draw on, with its counties."""
    page.get_by_test_id("stMainBlockContainer").get_by_text("Map", exact=True).click()
    page.get_by_text("Draw area").click()
    page.get_by_text("Freehand").click()
    sheet = page.get_by_role("img", name="Drag to draw an area")
    expect(sheet).to_have_attribute("data-ground", "there")
    return sheet


def _way_around(sheet: Locator) -> list[tuple[float, float]]:
    """Return a square in the middle of the map, in screen positions."""
    sheet.scroll_into_view_if_needed()
    box = sheet.bounding_box()
    assert box is not None
    x, y, wide = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, 60
    return [(x - wide, y - wide), (x + wide, y - wide), (x + wide, y + wide), (x - wide, y + wide), (x - wide, y)]


def test_an_area_is_drawn_freehand_and_its_places_are_added(picker: Callable[..., Page], settled: Settled) -> None:
    """The map opens where the organization usually sends alerts. A second shape replaces the first."""
    page = picker(1440, 900)
    sheet = _sheet(page)
    (begin, *ways) = _way_around(sheet)
    page.mouse.move(*begin)
    page.mouse.down()
    for way in ways:
        page.mouse.move(*way, steps=5)
    page.mouse.up()
    add = page.get_by_role("button", name=re.compile(r"Add \d+ ZIP codes$"))
    expect(add).to_be_visible()
    expect(page.get_by_text("in this area, including counties that only touch the area")).to_be_visible()
    expect(page.get_by_text("residents (estimate for 2019)").first).to_be_visible()
    settled(page)
    assert_usable(page)
    add.click()
    expect(page.get_by_text(re.compile(r"^\d+ places selected$"))).to_be_visible()
    page.get_by_role("button", name="Clear area").click()
    expect(add).to_have_count(0)
    settled(page)


def test_drawing_an_area_by_touch_does_not_scroll_the_page(picker: Callable[..., Page], settled: Settled) -> None:
    page = picker(390, 844)
    sheet = _sheet(page)
    begin, *ways = _way_around(sheet)
    scrolled = "document.querySelector('[data-testid=stMain]').scrollTop"
    before = page.evaluate(scrolled)
    touch = page.context.new_cdp_session(page)

    def told(kind: str, *spots: tuple[float, float]) -> None:
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in spots]})

    told("touchStart", begin)
    for x, y in ways:
        told("touchMove", (x, y))
    told("touchEnd")
    expect(page.get_by_role("button", name=re.compile(r"Add \d+ ZIP codes?$"))).to_be_visible()
    assert page.evaluate(scrolled) == before
    settled(page)
