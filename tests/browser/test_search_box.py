"""The search box in a real browser: by keyboard from the composer, and on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import wait_for_roster, wait_until_idle
from tests.browser.usable import assert_usable

PageAt = Callable[..., Page]
SignIn = Callable[..., Page]


def search_box(page: Page) -> Locator:
    return page.get_by_role("dialog", name="Search")


def test_a_person_is_found_from_the_composer_by_keyboard_and_the_text_of_the_alert_stays(
    page_at: PageAt, sign_in_demo: SignIn
) -> None:
    page = wait_for_roster(sign_in_demo(page_at(), "/"))
    page.get_by_test_id("stSidebarNav").get_by_role("link", name="Public alert").click()
    text = page.get_by_role("textbox", name="Text message")
    text.click()
    page.keyboard.type("Gas leak at the school. ")
    page.keyboard.press("Control+k")
    box = search_box(page)
    expect(box.get_by_role("combobox")).to_be_focused()
    # The text is stored, although the box opened before the pause after which it is sent.
    expect(page).to_have_url(re.compile("draft="))
    page.keyboard.type("cruz mar")
    option = box.get_by_role("option", name=re.compile("^.*Cruz, Maria"))
    expect(option).to_be_visible()
    expect(option).to_have_attribute("aria-selected", "true")
    assert_usable(wait_until_idle(page))
    page.keyboard.press("Escape")
    expect(box).to_be_hidden()
    expect(text).to_be_focused()
    page.keyboard.type("Leave now.")
    expect(text).to_have_value("Gas leak at the school. Leave now.")
    # Enter before the results are there opens the first one once they are.
    page.keyboard.press("Control+k")
    page.keyboard.type("maria cruz")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/\\?.*expected_person=E11739"))
    expect(page.get_by_test_id("stMain").get_by_text("Cruz, Maria").first).to_be_visible()


def test_on_a_phone_a_question_is_answered_and_opens_the_map(page_at: PageAt, sign_in_demo: SignIn) -> None:
    page = wait_for_roster(sign_in_demo(page_at(390, 844, theme="dark"), "/"))
    page.get_by_role("button", name="Search").click()
    box = search_box(page)
    box.get_by_role("button", name="in the air").click()
    expect(box.get_by_role("status")).to_have_text(re.compile(r"people are in the air now\.$"))
    expect(box.get_by_text(re.compile("^The locations were loaded"))).to_be_visible()
    assert_usable(wait_until_idle(page))
    box.get_by_role("option", name=re.compile("Show people in transit on the map")).click()
    expect(box).to_be_hidden()
    expect(page).to_have_url(re.compile("expected_status=in.transit&expected_kind=Air"))
    wait_until_idle(page)
