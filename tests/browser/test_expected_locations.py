"""The first screen in a real browser: the demo roster loads, a place is picked, its people are listed and kept."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from tests.browser.map_presses import press_on_map
from tests.browser.pick_lists import pick_list
from tests.browser.usable import assert_usable_by_everyone

ANSWER = re.compile(
    r"^[\d,]+ people at [\d,]+ places · [\d,]+ locations · [\d,]+ in transit · "
    r"[\d,]+ not covered, of [\d,]+ travelers · now, "
)
ONE_PLACE = "/?expected_country=Singapore&expected_kind=Air"

SignIn = Callable[..., Page]
PageAt = Callable[..., Page]
Settled = Callable[[Page], Page]


@pytest.fixture
def opened(sign_in_demo: SignIn, page_at: PageAt, settled: Settled) -> Callable[..., Page]:
    """The screen in the demo organization, once its roster has been read."""

    def open_screen(path: str = "/", *size: int, theme: str = "light") -> Page:
        page = sign_in_demo(page_at(*size, theme=theme), path)
        expect(page.get_by_role("heading", name="Where people are expected")).to_be_visible()
        expect(page.get_by_role("button", name="Refresh")).to_be_enabled()
        expect(page.get_by_text(re.compile("^Reading Demo travellers"))).to_have_count(0)
        return settled(page)

    return open_screen


def query(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def pick(page: Page, words: str) -> None:
    picker = pick_list(page, "Places")
    picker.click()
    picker.fill(words)
    page.get_by_role("option").filter(has_text=words).first.click()
    page.keyboard.press("Escape")


def rows_in_file(page: Page, folder: Path) -> list[dict[str, str]]:
    with page.expect_download() as download:
        page.locator(".st-key-expected-file-csv button").click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_from_the_demo_roster_to_the_people_of_a_place(
    opened: Callable[..., Page], settled: Settled, tmp_path: Path
) -> None:
    page = opened()
    expect(page.get_by_text(ANSWER)).to_be_visible()
    assert_usable_by_everyone(page)
    pick(page, "Heathrow")
    heading = page.get_by_role("heading", name=re.compile(r"^[\d,]+ (person|people) at 1 picked place$"))
    expect(heading).to_be_visible()
    expect(page.locator(".st-key-expected").get_by_role("table")).to_be_visible()
    expect(page).to_have_url(re.compile("expected_place=LHR"))
    assert query(page)["expected_place"] == ["LHR"]

    settled(page)
    rows = rows_in_file(page, tmp_path)
    assert {row["Place"] for row in rows} == {"London Heathrow Airport (LHR)"}
    people = {row["Employee ID"] for row in rows}
    expect(heading).to_have_text(re.compile(f"^{len(people):,} "))

    page.reload()
    expect(heading).to_have_text(re.compile(f"^{len(people):,} "))
    expect(page).to_have_url(re.compile("expected_place=LHR"))


@pytest.mark.maps
def test_a_click_on_the_map_picks_the_place(opened: Callable[..., Page], settled: Settled) -> None:
    """The map is there under the security policy and calls nobody, which the fixture of every page watches over."""
    page = opened(ONE_PLACE)
    chart = page.get_by_test_id("stDeckGlJsonChart")
    expect(page.locator("#deckgl-overlay").first).to_be_visible()
    box = chart.bounding_box()
    assert box is not None
    heading = page.get_by_role("heading", name=re.compile("at 1 picked place$"))
    # The map takes clicks once it has painted, which nothing on the page tells.
    for _ in range(20):
        press_on_map(chart, box["width"] / 2, box["height"] / 2)
        with suppress(PlaywrightTimeout):
            heading.wait_for(timeout=3_000)
            break
    expect(heading).to_be_visible()
    expect(page).to_have_url(re.compile("expected_place=SIN"))
    expect(page.locator(".st-key-expected-picked").get_by_text("Singapore Changi")).to_be_visible()


def test_time_and_filters_stand_in_the_address_and_come_back(opened: Callable[..., Page], settled: Settled) -> None:
    page = opened()
    page.get_by_role("button", name="Hotel", exact=True).click()
    settled(page)
    page.get_by_label("Find").fill("nairobi")
    page.keyboard.press("Enter")
    settled(page)  # nobody presses in the very frame in which something is drawn anew
    page.get_by_role("radio", name="Moment", exact=True).click()
    settled(page)
    page.get_by_role("radio", name="Place-local", exact=True).click()
    settled(page)
    expect(page.get_by_text("by the clock at each place")).to_be_visible()
    expect(page).to_have_url(re.compile("expected_clock=Place-local"))
    asked = query(page)
    assert asked["expected_kind"] == ["Hotel"]
    assert asked["expected_find"] == ["nairobi"]
    assert asked["expected_time"] == ["Moment"]
    assert asked["expected_clock"] == ["Place-local"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d", asked["expected_at"][0])
    answer = page.get_by_text("by the clock at each place").inner_text()
    page.reload()
    expect(page.get_by_text("by the clock at each place")).to_have_text(answer)
    expect(page).to_have_url(re.compile("expected_clock=Place-local"))
    assert query(page) == asked
    page.get_by_role("button", name="Clear filters").click()
    expect(page.get_by_text("by the clock at each place")).not_to_have_text(answer)
    expect(page).not_to_have_url(re.compile("expected_find|expected_kind"))
    assert set(query(page)) == {"roster", "expected_time", "expected_clock", "expected_at"}


def test_a_place_taken_back_in_the_list_is_taken_back_on_the_map(opened: Callable[..., Page], settled: Settled) -> None:
    page = opened(ONE_PLACE + "&expected_place=SIN")
    expect(page.get_by_role("heading", name=re.compile("at 1 picked place$"))).to_be_visible()
    page.locator(".st-key-expected_place").get_by_role("button", name="Clear all").click()
    expect(page.get_by_role("heading", name=re.compile("at all places$"))).to_be_visible()
    expect(page).not_to_have_url(re.compile("expected_place"))


def test_where_no_map_can_be_painted_a_sentence_says_so(opened: Callable[..., Page], settled: Settled) -> None:
    """As on a remote desktop: in place of the map, once, however often the screen is drawn, and no blank under it."""
    page = opened(ONE_PLACE)
    said = page.get_by_text("This browser cannot draw maps")
    expect(said).to_be_visible()
    around = page.get_by_test_id("stVerticalBlock").filter(has=said).last.bounding_box()
    words = said.bounding_box()
    assert around is not None
    assert words is not None
    assert around["height"] < words["height"] + 40
    page.get_by_role("button", name="Refresh").click()
    settled(page)
    expect(said).to_have_count(1)
