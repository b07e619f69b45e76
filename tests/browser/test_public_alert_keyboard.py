"""A public alert by keyboard: from an alert template to the review, the countdown, and Stop."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, ViewportSize, expect

from scripts.count_presses import Hand

PageAt = Callable[..., Page]
WaitUntilIdle = Callable[[Page], Page]
SignIn = Callable[..., Page]


PHONE, DESKTOP = ViewportSize(width=390, height=844), ViewportSize(width=1440, height=900)
SMALLEST_PRESS = 48
"""The height in pixels of a button that is pressed with gloves."""


def test_an_alert_template_is_sent_and_stopped_by_keyboard(
    page_at: PageAt, sign_in_demo: SignIn, wait_until_idle: WaitUntilIdle
) -> None:
    """A number key starts the template, with the cursor in the first placeholder. Tab continues, a shortcut opens the
    review, with the cursor in the field of the place. Enter leads to Send and sends, and Escape stops.
    """
    page = sign_in_demo(page_at(), "/public-alert")
    expect(page.get_by_text("Loading the cities")).to_have_count(0)
    wait_until_idle(page)
    page.keyboard.press("4")
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
    place, send = (
        page.get_by_role("textbox", name="Recipients"),
        page.get_by_role("button", name="Send this live alert"),
    )
    expect(place).to_be_focused()
    page.keyboard.type(place.get_attribute("placeholder") or "")
    page.set_viewport_size(PHONE)
    assert height_of(send) >= SMALLEST_PRESS
    page.set_viewport_size(DESKTOP)
    place.focus()
    page.keyboard.press("Enter")
    # Also after the check of the typed place, which redraws the button.
    wait_until_idle(page)
    expect(send).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Sending in")).to_be_visible()
    largest = page.evaluate(LARGEST_IN_SIGHT)
    page.set_viewport_size(PHONE)
    assert [largest, page.evaluate(LARGEST_IN_SIGHT)] == ["Stop alert", "Stop alert"]
    page.keyboard.press("Escape")
    expect(page.get_by_text("Stopped. Nothing was sent.")).to_be_visible()
    wait_until_idle(page)
    expect(page.get_by_text("Stopped. Nothing was sent.")).to_be_visible()


LARGEST_IN_SIGHT = """() => {
  const area = (element) => {
    const { top, bottom, left, right } = element.getBoundingClientRect();
    return Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0)) * (right - left);
  };
  const things = [...document.querySelectorAll("main button, main h1, main h2, main p, [data-testid=stAlert]")];
  return things.reduce((one, other) => (area(other) > area(one) ? other : one)).querySelector("p").textContent;
}"""


def height_of(target: Locator) -> float:
    box = target.bounding_box()
    assert box is not None
    return box["height"]


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
    review = page.get_by_role("button", name="Review alert")
    page.set_viewport_size(PHONE)
    assert height_of(review) >= SMALLEST_PRESS
    page.set_viewport_size(DESKTOP)
    review.click()
    expect(page.get_by_role("heading", name="Review the alert")).to_be_in_viewport()
    expect(page.get_by_role("textbox", name="Recipients")).to_be_focused()
    wait_until_idle(page)
    expect(page.get_by_role("heading", name="Review the alert")).to_be_in_viewport()


def test_a_template_that_is_searched_for_and_started_by_enter_has_the_cursor_in_its_first_placeholder(
    page_at: PageAt, sign_in_demo: SignIn, wait_until_idle: WaitUntilIdle
) -> None:
    page = sign_in_demo(page_at(), "/public-alert")
    expect(page.get_by_text("Loading the cities")).to_have_count(0)
    wait_until_idle(page)
    page.get_by_role("button", name=re.compile("^All .* templates")).focus()
    page.keyboard.press("Enter")
    page.get_by_role("textbox", name="Find").focus()
    page.keyboard.type("planned pow")
    found = page.locator('[class*="all_ready-"]').get_by_role("button")
    expect(found).to_have_count(1)
    wait_until_idle(page)
    page.keyboard.press("Tab")
    expect(found).to_be_focused()
    page.keyboard.press("Enter")
    blanks = page.locator(".st-key-public_alert-blanks").get_by_role("textbox")
    expect(blanks.first).to_be_focused()
