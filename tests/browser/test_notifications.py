"""Sent notifications, events and categories in a real browser: picked, narrowed, duplicated, created, read by all."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.usable import assert_nothing_serious, assert_usable_by_everyone

PageAt = Callable[..., Page]
Settled = Callable[[Page], Page]
SignIn = Callable[..., Page]


def click_row(page: Page, settled: Settled, number: int) -> None:
    """Press the box at the beginning of a table's row, counted from 1."""
    settled(page)
    page.get_by_role("table").first.get_by_role("row").nth(number).get_by_role("checkbox").check()


def test_a_sent_alert_is_picked_read_and_duplicated_as_a_draft(
    page_at: PageAt, sign_in_demo: SignIn, settled: Settled
) -> None:
    """From the list to the composer, with its words and its reach; nothing is sent on the way."""
    page = sign_in_demo(page_at(), "/sent-notifications")
    expect(page.get_by_text(re.compile(r"^\d+ notifications · "))).to_be_visible()
    expect(page.get_by_text("Pick a notification to read it", exact=False)).to_be_visible()
    click_row(page, settled, 1)
    settled(page)
    heading = page.get_by_role("heading", name="Hurricane watch for Miami-Dade")
    expect(heading).to_be_visible()
    expect(page).to_have_url(re.compile(r"notification=\d+"))
    page.reload()
    expect(heading).to_be_visible()
    expect(page.get_by_text("2 event groups: Schools and Hospitals")).to_be_visible()
    page.get_by_role("button", name="Duplicate as a new draft").click()
    expect(page.get_by_role("heading", name="What the public reads")).to_be_visible()
    expect(page.get_by_role("textbox", name="Text message")).to_have_value(re.compile("^Hurricane watch"))
    expect(page.get_by_text("SOME of the jurisdiction")).to_be_visible()


def test_the_list_is_searched_and_narrowed_by_its_address(
    page_at: PageAt, sign_in_demo: SignIn, settled: Settled
) -> None:
    """A copied link shows somebody else the same."""
    page = sign_in_demo(page_at(), "/sent-notifications?kind=Live+alert")
    find = page.get_by_role("searchbox", name="Find a notification")
    find.fill("hurricane")
    find.press("Enter")
    settled(page)
    expect(page).to_have_url(re.compile(r"notifications-find=hurricane"))
    expect(page.get_by_text(re.compile(r"^1 notification · \d in force now"))).to_be_visible()
    page.goto(page.url.partition("?")[0])
    settled(page)
    page.get_by_role("combobox", name="Filed under the event").click()
    page.get_by_role("option", name="Autumn storms").click()
    settled(page)
    expect(page.get_by_text("filed under Autumn storms")).to_be_visible()
    expect(page).to_have_url(re.compile(r"event=\d+"))
    page.goto(page.url)
    expect(page.get_by_text("filed under Autumn storms")).to_be_visible()
    page.locator("label").filter(has_text="In force now").click()
    settled(page)
    expect(page).to_have_url(re.compile(r"active=true"))


def test_an_event_is_created_found_and_leads_to_its_notifications(
    page_at: PageAt, sign_in_demo: SignIn, settled: Settled
) -> None:
    """Its name is checked first; created once, however often the button is pressed."""
    page = sign_in_demo(page_at(), "/notification-events")
    expect(page.get_by_text(re.compile(r"^\d+ events · "))).to_be_visible()
    page.get_by_role("button", name="New event").click()
    name = page.get_by_role("textbox", name="Name", exact=True)
    name.fill("autumn storms")
    page.get_by_role("button", name="Create the event").click()
    expect(page.get_by_text("called “Autumn storms” already")).to_be_visible()
    name.fill("Harbor fair")
    page.get_by_role("button", name="Create the event").dblclick()
    expect(page.get_by_role("heading", name="Harbor fair")).to_be_visible()
    expect(page.get_by_text("No notification is filed under it.")).to_be_visible()
    expect(page.get_by_text(re.compile(r"^7 events · "))).to_be_visible()
    page.get_by_role("searchbox", name="Find an event").fill("storm")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 event", exact=True)).to_be_visible()
    settled(page)
    click_row(page, settled, 1)
    page.get_by_role("link", name="See its notifications").click()
    expect(page.get_by_text("filed under Autumn storms")).to_be_visible()


def test_nothing_serious_is_in_the_way_of_anybody(page_at: PageAt, sign_in_demo: SignIn, settled: Settled) -> None:
    """On the three screens, wide and narrow, light and dark."""
    page = sign_in_demo(page_at(390, 844, theme="dark"), "/sent-notifications?notification=22")
    for path, heading in (
        (None, "Sent notifications"),
        ("/notification-events?record=1", "Notification events"),
        ("/notification-categories", "Notification categories"),
    ):
        if path is not None:
            page.goto(page.url.split("/sent")[0].split("/notification")[0] + path)
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
        settled(page)
        assert_usable_by_everyone(page, assert_nothing_serious)
