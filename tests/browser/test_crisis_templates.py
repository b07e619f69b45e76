"""Crisis task list templates in a real browser: filtered by folder, opened, and accessible."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.usable import assert_usable

PageAt = Callable[..., Page]
WaitUntilIdle = Callable[[Page], Page]
SignIn = Callable[..., Page]


def test_a_template_is_opened_and_links_to_its_folder(
    page_at: PageAt, sign_in_demo: SignIn, wait_until_idle: WaitUntilIdle
) -> None:
    page = sign_in_demo(page_at(), "/task-list-templates")
    expect(page.get_by_text(re.compile(r"\d+ unused templates")).first).to_be_visible()
    wait_until_idle(page)
    page.get_by_role("table").first.get_by_role("row").filter(has_text="Gas leak").get_by_role("checkbox").check()
    expect(page.get_by_role("heading", name="Gas leak")).to_be_visible()
    expect(page.get_by_text("2 task lists")).to_be_visible()
    assert_usable(page)
    page.get_by_role("link", name="All templates in Sites").click()
    expect(page).to_have_url(re.compile("templates-folder=folder-sites"))
    wait_until_idle(page)
    expect(page.get_by_role("cell", name="Power outage at a plant", exact=True)).to_be_visible()
    expect(page.get_by_role("cell", name="Airline strike", exact=True)).to_have_count(0)
