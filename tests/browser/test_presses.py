"""Double clicks in a real browser, and the Stop button that Muster hides."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.dashboards import Dashboard

PageAt = Callable[..., Page]
WaitUntilIdle = Callable[[Page], Page]
# Longer than the test, which checks a waiting page.
SLOW = {"kind": "latency", "milliseconds": 300_000, "path": "/itineraries/expectedLocations/*"}


def test_a_double_click_removes_one_rule_and_two_clicks_remove_two(
    dashboard: Dashboard, page_at: PageAt, wait_until_idle: WaitUntilIdle
) -> None:
    page = dashboard.open(page_at(), "/contact-filter")
    expect(page.get_by_role("heading", name="New contact filter")).to_be_visible()
    wait_until_idle(page)
    remove = page.get_by_role("button", name=re.compile("^Remove rule"))
    for number in (1, 2, 3, 4):
        page.get_by_role("button", name="Add a rule", exact=True).click()
        page.get_by_role("button", name="Last name", exact=True).click()
        expect(remove).to_have_count(number)
        wait_until_idle(page)
    remove.first.dblclick()
    expect(remove).to_have_count(3)
    wait_until_idle(page)
    assert remove.count() == 3
    remove.first.click()
    expect(remove).to_have_count(2)
    wait_until_idle(page)
    remove.first.click()
    expect(remove).to_have_count(1)


def test_a_running_page_has_no_stop_button(dashboard: Dashboard, page_at: PageAt) -> None:
    """The page shows that it is working, and the menu with its themes stays."""
    with dashboard.service.failing(SLOW):
        page = dashboard.open(page_at(), "/trip?id=1")
        expect(page.get_by_text("Loading the trip")).to_be_visible()
        working = page.get_by_test_id("stStatusWidgetRunningIcon")
        expect(working).to_be_visible()
        assert page.get_by_role("button", name="Stop").count() == 0
        assert working.is_visible()
        page.get_by_test_id("stMainMenuButton").click()
        expect(page.get_by_role("menuitemradio", name="Dark")).to_be_visible()
        expect(page.get_by_role("menuitem")).to_have_text(["About"])
