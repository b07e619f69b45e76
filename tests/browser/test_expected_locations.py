"""The first screen in a real browser: places and times are selected, and lists and links follow."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import wait_for_roster
from tests.browser.pick_lists import pick_list
from tests.browser.usable import assert_usable_by_everyone

IN_SINGAPORE = "/?expected_country=Singapore"

SignIn = Callable[..., Page]
PageAt = Callable[..., Page]
WaitUntilIdle = Callable[[Page], Page]


@pytest.fixture
def open_screen(sign_in_demo: SignIn, page_at: PageAt) -> Callable[..., Page]:
    """A function that opens the screen in the demo organization, and waits until its roster is loaded."""

    def open_page(path: str = "/", *size: int, theme: str = "light") -> Page:
        return wait_for_roster(sign_in_demo(page_at(*size, theme=theme), path))

    return open_page


def query(page: Page) -> dict[str, list[str]]:
    return parse_qs(urlsplit(page.url).query)


def pick(page: Page, text: str) -> None:
    picker = pick_list(page, "Places")
    picker.click()
    picker.fill(text)
    page.get_by_role("option").filter(has_text=text).first.click()
    page.keyboard.press("Escape")


def download_rows(page: Page, folder: Path) -> list[dict[str, str]]:
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
        page.locator(".st-key-expected-file-csv button").click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def people_at_places(page: Page) -> Locator:
    """Return the number of people at places."""
    figures = page.locator(".st-key-expected_show").get_by_role("radio")
    return figures.filter(has_text=re.compile(r"^[\d,]+ (person at a place|people at places)"))


def move_time(page: Page, key: str) -> Locator:
    """Move the time of the map with the keyboard, and return the slider."""
    slider = page.get_by_role("slider", name="Time on the map")
    slider.focus()
    page.keyboard.press(key)
    return slider


def test_a_place_is_selected_and_filters_are_in_the_url_after_a_refresh(
    open_screen: Callable[..., Page], wait_until_idle: WaitUntilIdle, tmp_path: Path
) -> None:
    """From the demo roster to the people at a place, on the page and in the file, at a time and for a segment type."""
    page = open_screen()
    expect(people_at_places(page)).to_be_visible()
    assert_usable_by_everyone(page)
    pick(page, "Heathrow")
    heading = page.get_by_role("heading", name=re.compile(r"^[\d,]+ (person|people) at 1 selected place"))
    expect(heading).to_be_visible()
    expect(page.locator(".st-key-expected").get_by_role("table")).to_be_visible()
    expect(page).to_have_url(re.compile("expected_place=LHR"))
    wait_until_idle(page)
    rows = download_rows(page, tmp_path)
    assert {row["Place"] for row in rows} == {"London Heathrow Airport (LHR)"}
    people = {row["Employee ID"] for row in rows if row["Status"] != "in transit"}
    expect(heading).to_have_text(re.compile(f"^{len(people):,} "))

    page.get_by_role("button", name="Filters", exact=True).click()
    page.get_by_role("button", name="Hotel", exact=True).click()
    page.keyboard.press("Escape")
    wait_until_idle(page)  # no user clicks in the same frame in which the page is redrawn
    slider = move_time(page, "Shift+ArrowRight")
    expect(page).to_have_url(re.compile("expected_time=Moment"))
    wait_until_idle(page)
    address = query(page)
    assert address["expected_place"] == ["LHR"]
    assert address["expected_kind"] == ["Hotel"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:00", address["expected_at"][0])
    hour = slider.get_attribute("aria-valuenow")
    page.reload()
    expect(slider).to_have_attribute("aria-valuenow", hour or "")
    expect(page.get_by_role("button", name="Clear 1 filter")).to_be_visible()
    assert query(page) == address

    page.get_by_role("button", name="Filters", exact=True).click()
    page.get_by_role("button", name="Air", exact=True).click()
    page.keyboard.press("Escape")
    wait_until_idle(page)
    page.get_by_role("button", name="Clear 1 filter").click()
    wait_until_idle(page)
    page.get_by_text("Now", exact=True).click()
    expect(page).not_to_have_url(re.compile("expected_time"))
    wait_until_idle(page)
    # The values of the open filters are not restored.
    assert "expected_kind" not in query(page)


def test_figures_lists_and_the_map_follow_the_time_and_now_resets_it(
    open_screen: Callable[..., Page], wait_until_idle: WaitUntilIdle
) -> None:
    page = open_screen(IN_SINGAPORE)
    move_time(page, "End")
    expect(page).to_have_url(re.compile("expected_at="))
    wait_until_idle(page)
    at_places = f"{people_at_places(page).inner_text().split()[0]} people"
    expect(page.locator(".place-map .figure")).to_contain_text(at_places)
    heading = page.get_by_role("heading", name=re.compile(r"at places"))
    expect(heading).to_have_text(re.compile(f"^{at_places} "))
    page.get_by_role("radio", name="Now", exact=True).click()
    expect(page).not_to_have_url(re.compile("expected_at="))


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844)])
def test_the_map_has_half_of_the_first_screen_or_comes_before_all_lists(
    open_screen: Callable[..., Page], width: int, height: int
) -> None:
    page = open_screen(IN_SINGAPORE, width, height)
    frame = page.locator(".place-map .frame").bounding_box()
    table = page.locator(".st-key-expected").get_by_role("table").bounding_box()
    assert frame is not None
    assert table is not None
    assert frame["y"] + frame["height"] < table["y"]
    if width > height:
        assert frame["height"] >= 0.45 * height
    assert_usable_by_everyone(page)


def test_without_a_map_a_message_is_shown_and_places_are_selected_in_lists(
    open_screen: Callable[..., Page], wait_until_idle: WaitUntilIdle
) -> None:
    page = open_screen(IN_SINGAPORE + "&expected_place=SIN")
    sentence = page.get_by_text("This browser cannot draw maps")
    expect(sentence).to_be_visible()
    expect(page.get_by_role("heading", name=re.compile("at 1 selected place"))).to_be_visible()
    page.locator(".st-key-expected_place").get_by_role("button", name="Clear all").click()
    expect(page.get_by_role("heading", name=re.compile("at places"))).to_be_visible()
    expect(page).not_to_have_url(re.compile("expected_place"))
    wait_until_idle(page)
    expect(sentence).to_have_count(1)
    page.get_by_role("list", name="Places with the most people").get_by_role("button").first.click()
    expect(page).to_have_url(re.compile("expected_place"))
    expect(page.locator(".st-key-expected-picked")).to_be_visible()


@pytest.mark.maps
def test_the_map_is_accessible_under_the_security_policy_and_a_view_restores_its_area(
    open_screen: Callable[..., Page], wait_until_idle: WaitUntilIdle
) -> None:
    page = open_screen("/", 1280, 720)
    page.locator(".place-map[data-painted]").wait_for()
    time = page.get_by_role("slider", name="Time on the map").bounding_box()
    assert time is not None
    assert time["y"] + time["height"] <= 720, "in sight with the map"
    with page.expect_response("**/static/basemap/countries.geojson") as countries:
        page.get_by_role("button", name=re.compile("^Zoom in. .* places")).first.press("Enter")
        for _ in range(3):
            page.get_by_role("button", name="Zoom in", exact=True).click()
    assert countries.value.ok
    wait_until_idle(page)
    assert_usable_by_everyone(page)
    scale = page.locator(".maplibregl-ctrl-scale")
    near = scale.inner_text()
    views = page.get_by_role("button", name="Views", exact=True)
    views.click()
    page.get_by_label("Save this view as").fill("Near")
    page.locator(".st-key-expected-save-view button").click()
    expect(page.get_by_role("button", name="Near", exact=True)).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Show all").click()
    expect(scale).not_to_have_text(near)
    views.click()
    page.get_by_role("button", name="Near", exact=True).click()
    expect(scale).to_have_text(near)
