"""Keyboard and screen reader: the focus order, announcements, and the field of each error."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.usable import find_serious_violations

PageAt = Callable[..., Page]
SignIn = Callable[..., Page]
WaitUntilIdle = Callable[[Page], Page]


def test_a_popover_receives_the_focus_and_returns_it(page_at: PageAt, sign_in_demo: SignIn) -> None:
    page = sign_in_demo(page_at(), "/contact-filter")
    opener = page.get_by_role("button", name="Add a rule", exact=True)
    opener.focus()
    page.keyboard.press("Enter")
    popover = page.get_by_role("dialog")
    expect(popover).to_be_visible()
    expect(popover.locator(":focus")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(popover).to_have_count(0)
    expect(opener).to_be_focused()


def test_an_error_is_linked_to_its_field_and_saving_with_errors_does_not_move_the_focus(
    page_at: PageAt, sign_in_demo: SignIn, wait_until_idle: WaitUntilIdle
) -> None:
    page = sign_in_demo(page_at(), "/contact-filter")
    save = page.get_by_role("button", name="Save filter")
    save.focus()
    page.keyboard.press("Enter")
    name = page.get_by_role("textbox", name="Name", exact=True)
    expect(name).to_have_attribute("aria-invalid", "true")
    expect(name).to_have_accessible_description("error icon Enter a name for the filter.")
    wait_until_idle(page)
    expect(save).to_be_focused()
    name.fill("Everyone named Silva")
    expect(name).not_to_have_attribute("aria-invalid", "true")


def test_removing_an_item_moves_the_focus_and_search_results_are_announced(
    page_at: PageAt, sign_in_demo: SignIn, wait_until_idle: WaitUntilIdle
) -> None:
    page = sign_in_demo(page_at(), "/contact-filters")
    search = page.get_by_role("searchbox", name="Find a filter")
    search.fill("Singapore")
    search.press("Enter")
    expect(page.get_by_role("status").filter(has_text=re.compile(r"^\d of \d+ filters$"))).to_have_count(1)
    wait_until_idle(page)
    page.get_by_role("checkbox", name="Expected in Singapore now").check()
    expect(page.get_by_role("status").filter(has_text="Expected in Singapore now")).to_have_count(1)
    page.get_by_role("button", name="Edit filter", exact=True).click()
    expect(page).to_have_title("Expected in Singapore now · Muster")
    wait_until_idle(page)
    page.get_by_role("button", name=re.compile("^Remove rule 1")).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=re.compile("^Remove rule 2"))).to_have_count(0)
    wait_until_idle(page)
    expect(page.get_by_test_id("stMain").locator(":focus")).to_have_count(1)
    assert find_serious_violations(page) == []
