"""What a press in a real browser goes to: the thing under the pointer when it began, and nothing that nobody meant."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.desk import Desk

PageAt = Callable[..., Page]
Settled = Callable[[Page], Page]
FOLLOW = "addEventListener('mouseup', event => window.lastPress = { x: event.x, y: event.y }, true)"
AT = "window.lastPress"
# Longer than the test: what is looked at is a page that is still waiting.
SLOW = {"kind": "latency", "milliseconds": 300_000, "path": "/itineraries/expectedLocations/*"}


def test_the_second_click_of_two_goes_to_nothing_that_slid_under_the_pointer(
    desk: Desk, page_at: PageAt, settled: Settled
) -> None:
    page = desk.open(page_at(), "/contact-filter")
    expect(page.get_by_role("heading", name="New contact filter")).to_be_visible()
    settled(page)
    page.evaluate(FOLLOW)
    remove = page.get_by_role("button", name=re.compile("^Remove rule"))
    for number in (1, 2, 3):
        page.get_by_role("button", name="Add a rule", exact=True).click()
        page.get_by_role("button", name="Last name", exact=True).click()
        expect(remove).to_have_count(number)
        settled(page)
    remove.first.click()
    expect(remove).to_have_count(2)
    settled(page)
    box, at = remove.first.bounding_box(), page.evaluate(AT)
    assert box is not None
    assert box["x"] < at["x"] < box["x"] + box["width"]
    assert box["y"] < at["y"] < box["y"] + box["height"]
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    settled(page)
    assert remove.count() == 2
    remove.first.click()
    expect(remove).to_have_count(1)


def test_what_a_page_is_doing_cannot_be_stopped_half_way(desk: Desk, page_at: PageAt) -> None:
    """That it is doing something is shown; the menu, with its choice of light or dark, stays."""
    with desk.service.failing(SLOW):
        page = desk.open(page_at(), "/trip?id=1")
        expect(page.get_by_text("Asking the service about the trip")).to_be_visible()
        working = page.get_by_test_id("stStatusWidgetRunningIcon")
        expect(working).to_be_visible()
        assert page.get_by_role("button", name="Stop").count() == 0
        assert working.is_visible()
        page.get_by_test_id("stMainMenuButton").click()
        expect(page.get_by_role("menuitemradio", name="Dark")).to_be_visible()
        expect(page.get_by_role("menuitem")).to_have_text(["About"])
