"""The browser test that `make test` runs: from the sign-in over a painted map to a saved filter."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import wait_for_roster
from tests.running_muster import Muster


@pytest.mark.smoke
@pytest.mark.maps
def test_a_user_signs_in_selects_a_place_on_the_map_and_saves_a_filter(
    muster: Muster, page_at: Callable[..., Page], wait_until_idle: Callable[[Page], Page]
) -> None:
    """Under the security policy and without a request to another host, which the page fixture checks."""
    page = page_at(900, 600)
    page.goto(f"{muster.url}/?expected_country=Singapore&expected_kind=Air")
    page.get_by_role("button", name="Open the demo organization").click()
    expect(page.get_by_role("heading", name="Map", exact=True)).to_be_visible()

    # Muster continues to load the roster.
    page.get_by_role("link", name="Filters", exact=True).click()
    page.get_by_role("button", name="New filter").click()
    expect(page.get_by_role("heading", name="New contact filter")).to_be_visible()
    wait_until_idle(page)
    page.get_by_role("textbox", name="Name", exact=True).fill("Everyone named Silva")
    page.get_by_role("button", name="Add a rule", exact=True).click()
    page.get_by_role("button", name="Last name", exact=True).click()
    page.get_by_role("textbox", name="Rule 1: value").fill("Silva")
    page.get_by_role("button", name="Save filter").click()
    expect(page.get_by_text("Last changed by")).to_be_visible()

    page.goto(f"{muster.url}/?expected_country=Singapore&expected_kind=Air")
    wait_for_roster(page)
    heading = page.get_by_role("heading", name=re.compile("at 1 selected place"))
    page.locator(".place-map").get_by_role("button", name=re.compile("Singapore Changi")).press("Enter")
    expect(heading).to_be_visible()
    expect(page).to_have_url(re.compile("expected_place=SIN"))
    expect(page.locator(".st-key-expected-picked").get_by_text("Singapore Changi")).to_be_visible()
