"""Finding a demo trip by its locator and opening it, in a real browser, on a desk and on a phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.usable import serious_faults

LOCATOR = "WSVM7K"


@pytest.mark.parametrize(("width", "height", "theme"), [(1440, 900, "light"), (390, 844, "dark")])
def test_a_trip_is_found_by_its_locator_and_opened(
    page_at: Callable[..., Page],
    sign_in_demo: Callable[..., Page],
    settled: Callable[[Page], Page],
    width: int,
    height: int,
    theme: str,
) -> None:
    page = sign_in_demo(page_at(width, height, theme), "/find-trip")
    page.get_by_role("textbox", name="Record locators or external ids").fill(f"{LOCATOR.lower()}, NOSUCH1")
    page.get_by_role("button", name="Find", exact=True).click()
    expect(page.get_by_text("1 trip found for 1 of 2 record locators · 1 not found")).to_be_visible()
    expect(page.get_by_text("NOSUCH1", exact=True)).to_be_visible()
    assert "q=" in page.url
    settled(page)
    assert serious_faults(page) == []

    page.get_by_role("link", name=f"Open {LOCATOR}").click()
    expect(page.get_by_role("heading", name=LOCATOR)).to_be_visible()
    settled(page)
    assert "/trip?" in page.url
    assert f"locator={LOCATOR}" in page.url
    expect(page.get_by_text("This trip was made elsewhere")).to_be_visible()
    expect(page.get_by_text("KWI Kuwait City → SIN Singapore")).to_be_visible()
    expect(page.get_by_text("No hotel").first).to_be_visible()
    expect(page.get_by_test_id("stDeckGlJsonChart")).to_be_visible()
    expect(page.get_by_role("heading", name="Expected locations")).to_be_visible()
    expect(page.get_by_text("2 people, 24 locations, as the service tells them.")).to_be_visible()
    overflow = page.get_by_test_id("stMain").evaluate("main => main.scrollWidth - main.clientWidth")
    assert overflow == 0
    assert serious_faults(page) == []


def test_a_query_survives_a_refresh(
    page_at: Callable[..., Page], sign_in_demo: Callable[..., Page], settled: Callable[[Page], Page]
) -> None:
    page = sign_in_demo(page_at(), f"/find-trip?q={LOCATOR}+NOSUCH1")
    expect(page.get_by_text("1 trip found for 1 of 2 record locators · 1 not found")).to_be_visible()
    settled(page).reload()
    expect(page.get_by_text("1 trip found for 1 of 2 record locators · 1 not found")).to_be_visible()
    expect(page.get_by_role("textbox", name="Record locators or external ids")).to_have_value(f"{LOCATOR} NOSUCH1")
