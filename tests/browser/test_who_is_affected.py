"""An incident in a real browser: drawn, saved, marked in two sessions, and continued in a filter and an alert."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.usable import assert_usable_by_everyone

# Other tests import trips into the same demo organization: its own roster is the first.
SCREEN = "/who-is-affected?roster=1"
SINGAPORE = f"{SCREEN}&area=country:SG&when=Next+24+h"
PageAt = Callable[..., Page]
WaitUntilIdle = Callable[[Page], Page]


@pytest.fixture
def open_screen(
    sign_in_demo: Callable[..., Page], page_at: PageAt, wait_until_idle: WaitUntilIdle
) -> Callable[..., Page]:
    """A function that opens the screen in the demo organization, and waits until its roster is loaded."""

    def open_page(path: str, *size: int, theme: str = "light") -> Page:
        page = sign_in_demo(page_at(*size, theme=theme), path)
        expect(page.get_by_role("button", name="Refresh")).to_be_enabled()
        expect(page.get_by_text(re.compile("^Loading Demo travelers"))).to_have_count(0)
        return wait_until_idle(page)

    return open_page


def read_count(page: Page) -> str:
    """Return the line with the number of people."""
    line = page.get_by_text(re.compile(r"(person|people) affected · "))
    expect(line).to_be_visible()
    return line.inner_text()


def assert_in_sight(row: Locator) -> None:
    """Assert that the row is visible without scrolling."""
    expect(row).to_be_visible()
    box, size = row.bounding_box(), row.page.viewport_size
    assert box is not None
    assert size is not None
    assert box["y"] + box["height"] <= size["height"]


@pytest.mark.maps
def test_an_area_is_drawn_on_the_map_and_its_link_shows_the_same_people(
    open_screen: Callable[..., Page], wait_until_idle: WaitUntilIdle
) -> None:
    # A fixed time: "now" moves on between the two views.
    today = datetime.now(UTC).date()
    fixed_time = f"&when=From,+until&since={today}T00:00&until={today}T12:00"
    page = open_screen(SCREEN + fixed_time)
    expect(page.locator(".place-map[data-painted]")).to_be_visible()
    page.get_by_role("button", name="Circle").click()
    box = page.locator(".place-map .draw").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y, steps=4)
    page.mouse.up()
    expect(page).to_have_url(re.compile(r"area=circle"))
    count = read_count(wait_until_idle(page))
    assert not count.startswith("0 ")
    assert read_count(open_screen(page.url[page.url.index("/who") :])) == count
    page.get_by_role("button", name="Remove").click()
    expect(page).not_to_have_url(re.compile("area="))


def test_a_mark_in_one_session_shows_in_another_within_seconds(
    open_screen: Callable[..., Page], wait_until_idle: WaitUntilIdle
) -> None:
    page = open_screen(SINGAPORE)
    assert_usable_by_everyone(page)
    first_row = page.locator(".st-key-affected").get_by_role("row").nth(1)
    assert_in_sight(first_row)
    page.get_by_role("combobox", name="When").click()
    page.get_by_role("option", name="Next 72 h").click()
    expect(page).to_have_url(re.compile("when=Next"))
    expect(page).to_have_url(re.compile(r"Next(\+|%20)72"))
    wait_until_idle(page)
    page.get_by_role("button", name="Save incident").click()
    page.get_by_role("textbox", name="Name").fill("Storm")
    page.locator(".st-key-incident-save button").click()
    expect(page).to_have_url(re.compile("incident="))
    wait_until_idle(page)
    other = open_screen(page.url[page.url.index("/who") :])
    first_row.get_by_role("checkbox").check()
    page.get_by_role("textbox", name="Note").fill("At the hotel")
    page.get_by_role("button", name="● Safe").click()
    for session in (page, other):
        expect(session.get_by_role("radio", name="● Safe · 1")).to_be_visible()
    # People who need no one anymore are listed last.
    other.get_by_role("radio", name="● Safe · 1").click()
    expect(other.get_by_text("● Safe: At the hotel").first).to_be_visible()
    other.get_by_role("radio", name="● Safe · 1").click()

    # A double click in a row marks once, and the colleague sees it.
    wait_until_idle(other)
    row = other.locator(".st-key-affected").get_by_role("row").nth(1)
    row.get_by_role("button", name="Mark as needing help").dblclick()
    for session in (page, other):
        expect(session.get_by_role("radio", name="▲ Needs help · 1")).to_be_visible()
    wait_until_idle(page)
    page.get_by_role("combobox", name="Assign to").click()
    page.get_by_role("option", name="demo").click()
    expect(other.get_by_text("Assigned to me · 1")).to_be_visible()
    assert_usable_by_everyone(page)

    # A refresh and a way back keep the filters.
    other.get_by_text("Assigned to me · 1").click()
    expect(other).to_have_url(re.compile("mine="))
    other.reload()
    rows = other.locator(".st-key-affected").get_by_role("row")
    expect(rows).to_have_count(2)
    expect(rows.nth(1)).to_contain_text("● Safe: At the hotel")


def test_an_incident_works_with_the_keyboard_alone(
    open_screen: Callable[..., Page], wait_until_idle: WaitUntilIdle, tmp_path: Path
) -> None:
    page = open_screen(SCREEN)

    def press_enter(name: str) -> None:
        page.get_by_role("button", name=name).first.focus()
        page.keyboard.press("Enter")

    page.get_by_role("textbox", name="Area").focus()
    page.keyboard.type("Singapore")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("area="))
    wait_until_idle(page)
    page.get_by_role("combobox", name="When").focus()
    page.keyboard.type("Next 24")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("when="))
    wait_until_idle(page)
    row = page.locator(".st-key-affected").get_by_role("row").nth(1)
    row.get_by_role("checkbox").focus()
    page.keyboard.press("Space")
    expect(page.get_by_role("link", name="Open trip")).to_be_visible()
    expect(page.get_by_text("inside the area").last).to_be_visible()

    press_enter("Save incident")
    page.get_by_role("textbox", name="Name").focus()
    page.keyboard.type("Haze")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("incident="))
    wait_until_idle(page)
    press_enter("● Safe")
    expect(page.get_by_role("radio", name="● Safe · 1")).to_be_visible()
    count, link = read_count(wait_until_idle(page)), page.url[page.url.index("/who") :]

    with page.expect_download() as download:
        press_enter("Briefing")
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    assert "<svg" in path.read_text(encoding="utf-8")

    press_enter("Draft contact filter")
    expect(page.get_by_text("By country")).to_be_visible()
    press_enter("Open draft")
    expect(page.get_by_role("heading", name=re.compile("^Haze: "))).to_be_visible()
    wait_until_idle(page)
    page.go_back()
    assert read_count(wait_until_idle(page)) == count
    press_enter("Draft public alert")
    expect(page.get_by_text("Area: Singapore").first).to_be_visible()

    colleague = open_screen(link)
    assert read_count(colleague) == count
    expect(colleague.get_by_text("● Safe").first).to_be_visible()


@pytest.mark.parametrize(("width", "height", "theme"), [(390, 844, "dark"), (1280, 720, "light")])
def test_the_page_fits_and_an_area_is_added_and_removed_by_keyboard_alone(
    open_screen: Callable[..., Page], wait_until_idle: WaitUntilIdle, width: int, height: int, theme: str
) -> None:
    page = open_screen(SCREEN, width, height, theme=theme)
    page.get_by_role("textbox", name="Area").focus()
    page.keyboard.type("60 km around LHR")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("area=60"))
    wait_until_idle(page)
    assert_usable_by_everyone(page)
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow <= 0
    page.get_by_role("button", name="Remove").focus()
    page.keyboard.press("Enter")
    expect(page).not_to_have_url(re.compile("area="))
