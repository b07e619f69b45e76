"""Sent notifications, events, and categories in a real browser: selected, duplicated, and accessible."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.usable import assert_no_serious_violations, assert_usable_by_everyone
from tests.running_muster import Muster

PageAt = Callable[..., Page]
WaitUntilIdle = Callable[[Page], Page]
SignIn = Callable[..., Page]


def test_a_sent_alert_is_selected_shown_and_duplicated_as_a_draft(
    page_at: PageAt, sign_in_demo: SignIn, wait_until_idle: WaitUntilIdle
) -> None:
    """The composer has its text and recipients, and nothing is sent."""
    page = sign_in_demo(page_at(), "/sent-notifications")
    expect(page.get_by_text(re.compile(r"^\d+ notifications · "))).to_be_visible()
    wait_until_idle(page)
    title = "Hurricane watch for Miami-Dade"
    # Other tests send alerts in the demo organization, too.
    page.get_by_role("table").first.get_by_role("row").filter(has_text=title).get_by_role("checkbox").check()
    heading = page.get_by_role("heading", name=title)
    expect(heading).to_be_visible()
    expect(page).to_have_url(re.compile(r"notification=\d+"))
    wait_until_idle(page)
    assert_usable_by_everyone(page, assert_no_serious_violations)
    page.reload()
    expect(heading).to_be_visible()
    expect(page.get_by_text("2 event groups: Schools and Hospitals")).to_be_visible()
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Copy to new draft").click()
    expect(page.get_by_role("heading", name="Message")).to_be_visible()
    expect(page.get_by_role("textbox", name="Text message")).to_have_value(re.compile("^Hurricane watch"))
    expect(page.get_by_text("Selected places", exact=True)).to_be_visible()


def test_events_and_categories_are_usable_by_everyone(
    muster: Muster, page_at: PageAt, sign_in_demo: SignIn, wait_until_idle: WaitUntilIdle
) -> None:
    page = sign_in_demo(page_at(390, 844, theme="dark"), "/notification-events?record=1")
    expect(page.get_by_role("heading", name="Events and categories", exact=True)).to_be_visible()
    wait_until_idle(page)
    assert_usable_by_everyone(page, assert_no_serious_violations)
    page.goto(f"{muster.url}/notification-categories")
    expect(page.get_by_role("heading", name="Events and categories", exact=True)).to_be_visible()
    wait_until_idle(page)
    assert_no_serious_violations(page)
