"""The first screen in a real browser: the demo roster loads, a place is picked, its people are listed and kept."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import with_roster_read
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
def opened(sign_in_demo: SignIn, page_at: PageAt) -> Callable[..., Page]:
    """The screen in the demo organization, once its roster has been read."""

    def open_screen(path: str = "/", *size: int, theme: str = "light") -> Page:
        return with_roster_read(sign_in_demo(page_at(*size, theme=theme), path))

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


def test_a_place_is_selected_and_filters_stand_in_the_address_after_a_refresh(
    opened: Callable[..., Page], settled: Settled, tmp_path: Path
) -> None:
    """From the demo roster to the people of a place, in the file as on the page, and on to a moment and a kind."""
    page = opened()
    expect(page.get_by_text(ANSWER)).to_be_visible()
    assert_usable_by_everyone(page)
    pick(page, "Heathrow")
    heading = page.get_by_role("heading", name=re.compile(r"^[\d,]+ (person|people) at 1 selected place"))
    expect(heading).to_be_visible()
    expect(page.locator(".st-key-expected").get_by_role("table")).to_be_visible()
    expect(page).to_have_url(re.compile("expected_place=LHR"))
    settled(page)
    rows = rows_in_file(page, tmp_path)
    assert {row["Place"] for row in rows} == {"London Heathrow Airport (LHR)"}
    people = {row["Employee ID"] for row in rows if row["Status"] != "in transit"}
    expect(heading).to_have_text(re.compile(f"^{len(people):,} "))

    page.get_by_role("button", name="Hotel", exact=True).click()
    settled(page)  # nobody presses in the very frame in which something is drawn anew
    page.get_by_role("radio", name="Moment", exact=True).click()
    settled(page)
    page.get_by_role("radio", name="Place-local", exact=True).click()
    settled(page)
    answer = page.get_by_text("by the clock at each place")
    expect(answer).to_be_visible()
    expect(page).to_have_url(re.compile("expected_clock=Place-local"))
    address = query(page)
    assert address["expected_place"] == ["LHR"]
    assert address["expected_kind"] == ["Hotel"]
    assert address["expected_time"] == ["Moment"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d", address["expected_at"][0])
    words = answer.inner_text()
    page.reload()
    expect(answer).to_have_text(words)
    expect(page).to_have_url(re.compile("expected_clock=Place-local"))
    assert query(page) == address


def test_where_no_map_can_be_painted_a_sentence_says_so_and_places_are_cleared_in_the_list(
    opened: Callable[..., Page], settled: Settled
) -> None:
    """As on a remote desktop: one sentence instead of the map, with no blank under it, however often the page runs."""
    page = opened(ONE_PLACE + "&expected_place=SIN")
    sentence = page.get_by_text("This browser cannot draw maps")
    expect(sentence).to_be_visible()
    around = page.get_by_test_id("stVerticalBlock").filter(has=sentence).last.bounding_box()
    box = sentence.bounding_box()
    assert around is not None
    assert box is not None
    assert around["height"] < box["height"] + 40
    expect(page.get_by_role("heading", name=re.compile("at 1 selected place"))).to_be_visible()
    page.locator(".st-key-expected_place").get_by_role("button", name="Clear all").click()
    expect(page.get_by_role("heading", name=re.compile("at all places"))).to_be_visible()
    expect(page).not_to_have_url(re.compile("expected_place"))
    settled(page)
    expect(sentence).to_have_count(1)
