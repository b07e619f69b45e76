"""Finding a demo trip by its record locator and opening it, in a real browser, on a desktop and on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.usable import assert_no_serious_violations, assert_usable_by_everyone

LOCATOR = "WSVM7K"


def test_a_trip_is_found_by_its_record_locator_and_opened(
    page_at: Callable[..., Page], sign_in_demo: Callable[..., Page], wait_until_idle: Callable[[Page], Page]
) -> None:
    """The search is in the URL and survives a refresh."""
    page = sign_in_demo(page_at(390, 844, theme="dark"), "/find-trip")
    search_field = page.get_by_role("textbox", name="Record locators, external IDs, or a name")
    search_field.fill(f"{LOCATOR.lower()}, NOSUCH1")
    page.get_by_role("button", name="Find", exact=True).click()
    expect(page.get_by_text("1 trip found for 1 of 2 record locators · 1 not found")).to_be_visible()
    expect(page.get_by_text("NOSUCH1", exact=True)).to_be_visible()
    assert "q=" in page.url
    wait_until_idle(page)
    assert_usable_by_everyone(page, assert_no_serious_violations)
    page.reload()
    expect(page.get_by_text("1 trip found for 1 of 2 record locators · 1 not found")).to_be_visible()
    expect(search_field).to_have_value(f"{LOCATOR.lower()}, NOSUCH1")
    wait_until_idle(page)

    page.get_by_role("link", name=f"Open {LOCATOR}").click()
    expect(page.get_by_text(LOCATOR, exact=True).first).to_be_visible()
    wait_until_idle(page)
    assert "/trip?" in page.url
    assert f"locator={LOCATOR}" in page.url
    expect(page.get_by_text("This trip was created outside Muster")).to_be_visible()
    expect(page.get_by_text("KWI Kuwait City → SIN Singapore")).to_be_visible()
    expect(page.get_by_text("No hotel").first).to_be_visible()
    expect(page.get_by_text("This browser cannot draw maps")).to_be_visible()
    expect(page.get_by_role("heading", name="Expected locations")).to_be_visible()
    expect(page).to_have_title(re.compile(rf"^{LOCATOR} · \w.+ · Muster$"))
    expect(page.get_by_text("2 people, 24 locations, from the service.")).to_be_visible()
    assert_usable_by_everyone(page, assert_accessible_and_not_too_wide)


def assert_accessible_and_not_too_wide(page: Page) -> None:
    """Assert that the page has no serious issue, and that nothing is wider than the page."""
    assert page.get_by_test_id("stMain").evaluate("main => main.scrollWidth - main.clientWidth") == 0
    assert_no_serious_violations(page)
