"""A public alert by keyboard: from an alert template to the review, the countdown, and Stop."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from scripts.count_presses import Hand

PageAt = Callable[..., Page]
WaitUntilIdle = Callable[[Page], Page]
SignIn = Callable[..., Page]


def test_an_alert_template_is_sent_and_stopped_by_mouse_and_keyboard(
    page_at: PageAt, sign_in_demo: SignIn, wait_until_idle: WaitUntilIdle
) -> None:
    """The cursor starts in the first placeholder, Tab continues, a shortcut opens the review, and Escape stops."""
    page = sign_in_demo(page_at(), "/public-alert")
    expect(page.get_by_text("Loading the cities")).to_have_count(0)
    wait_until_idle(page)
    Hand(page).start_from("Missing child")
    blanks = page.locator(".st-key-public_alert-blanks").get_by_role("textbox")
    expect(blanks.first).to_be_focused()
    wait_until_idle(page)
    for text in ("Ana, 6", "Elm Street", "a red coat"):
        remaining = blanks.count()
        page.keyboard.type(text)
        page.keyboard.press("Tab")
        expect(blanks).to_have_count(remaining - 1)
        wait_until_idle(page)
        if remaining > 1:
            expect(blanks.first).to_be_focused()
    expect(page.get_by_role("textbox", name="Text message")).to_have_value(
        re.compile("Ana, 6, last seen at Elm Street, wearing a red coat")
    )
    page.keyboard.press("Control+Shift+Enter")
    heading = page.get_by_role("heading", name="Review the alert")
    expect(heading).to_be_visible()
    wait_until_idle(page)
    place = page.get_by_role("textbox", name="Recipients")
    place.click()
    page.keyboard.type(place.get_attribute("placeholder") or "")
    page.keyboard.press("Tab")
    # Also after the check of the typed place, which redraws the button.
    wait_until_idle(page)
    expect(page.get_by_role("button", name="Send this live alert")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Sending in")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_text("Stopped. Nothing was sent.")).to_be_visible()
    wait_until_idle(page)
    expect(page.get_by_text("Stopped. Nothing was sent.")).to_be_visible()


def test_a_click_on_review_focuses_the_field_of_the_place(
    page_at: PageAt, sign_in_demo: SignIn, wait_until_idle: WaitUntilIdle
) -> None:
    """Without scrolling: the text to check is at the top."""
    page = sign_in_demo(page_at(), "/public-alert")
    expect(page.get_by_text("Loading the cities")).to_have_count(0)
    wait_until_idle(page)
    Hand(page).start_from("Missing child")
    wait_until_idle(page)
    Hand(page).fill_placeholders()
    page.get_by_role("button", name="Review alert").click()
    expect(page.get_by_role("heading", name="Review the alert")).to_be_in_viewport()
    expect(page.get_by_role("textbox", name="Recipients")).to_be_focused()
    wait_until_idle(page)
    expect(page.get_by_role("heading", name="Review the alert")).to_be_in_viewport()
