"""Lookup mappings in a real browser: found by two attributes, changed, reported as a duplicate, and deleted."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.pick_lists import pick_list
from tests.browser.usable import assert_usable

PageAt = Callable[..., Page]
WaitUntilIdle = Callable[[Page], Page]
SignIn = Callable[..., Page]


def enter_value(page: Page, wait_until_idle: WaitUntilIdle, label: str, text: str, nth: int = 0) -> None:
    """Type a value into a field with several values, like a user."""
    pick_list(page, label, nth).fill(text)
    # While its list is open, the other fields cannot be found by role.
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("listbox")).to_have_count(0)
    wait_until_idle(page)


def enter_text(page: Page, wait_until_idle: WaitUntilIdle, label: str, text: str, nth: int = 0) -> None:
    field = page.get_by_role("textbox", name=label, exact=True).nth(nth)
    field.fill(text)
    field.press("Tab")
    wait_until_idle(page)


def test_a_mapping_is_found_changed_reported_as_a_duplicate_and_deleted(
    page_at: PageAt, sign_in_demo: SignIn, wait_until_idle: WaitUntilIdle
) -> None:
    page = sign_in_demo(page_at(), "/lookup-mapping")
    expect(page.get_by_role("heading", name="New mapping")).to_be_visible()
    wait_until_idle(page)
    enter_text(page, wait_until_idle, "Attribute", "building")
    enter_value(page, wait_until_idle, "Values (any of them)", "North tower")
    page.get_by_role("button", name="Add an attribute").click()
    wait_until_idle(page)
    enter_text(page, wait_until_idle, "Attribute", "floor", nth=1)
    enter_value(page, wait_until_idle, "Values (any of them)", "12", nth=1)
    enter_text(page, wait_until_idle, "Group ID", "9223372036854775807")
    assert_usable(page)
    page.get_by_role("button", name="Create mapping").dblclick()
    heading = page.get_by_role("heading", name="building: North tower · floor: 12")
    expect(heading).to_be_visible()

    page.goto(f"{page.url.split('/lookup-mappings')[0]}/lookup-mappings")
    expect(page.get_by_text("All mappings, latest change first.")).to_be_visible()
    wait_until_idle(page)
    enter_value(page, wait_until_idle, "Attributes", "building=North tower")
    enter_value(page, wait_until_idle, "Attributes", "floor=12")
    expect(page.get_by_text("Mappings whose building is North tower and floor is 12")).to_be_visible()
    expect(page).to_have_url(re.compile(r"mappings-attribute=building%3DNorth\+tower.*mappings-attribute=floor%3D12"))
    expect(page.get_by_text("1 mapping", exact=True).first).to_be_visible()
    page.get_by_role("table").first.get_by_role("row").nth(1).get_by_role("checkbox").click()
    expect(heading).to_be_visible()
    assert_usable(page)

    page.get_by_role("button", name="Edit mapping").click()
    expect(page.get_by_role("heading", name="Edit mapping")).to_be_visible()
    wait_until_idle(page)
    enter_text(page, wait_until_idle, "Name", "Floor wardens")
    page.get_by_role("button", name="Save change").click()
    expect(page.get_by_role("heading", name="building: North tower · floor: 12")).to_be_visible()
    expect(page.get_by_text("Floor wardens").first).to_be_visible()

    page.get_by_role("button", name="Copy mapping").click()
    expect(page.get_by_role("heading", name="New mapping")).to_be_visible()
    wait_until_idle(page)
    page.get_by_role("button", name="Create mapping").click()
    expect(page.get_by_text("A mapping with exactly these attributes already exists.")).to_be_visible()
    page.get_by_role("link", name="Edit existing mapping").click()
    expect(page.get_by_role("heading", name="Edit mapping")).to_be_visible()
    wait_until_idle(page)
    page.get_by_role("link", name="Back to list").click()
    expect(heading).to_be_visible()

    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Delete mapping").click()
    dialog = page.get_by_role("dialog", name="Delete this mapping?")
    expect(dialog).to_contain_text("building = North tower; floor = 12")
    dialog.get_by_role("button", name=re.compile("^Delete ")).dblclick()
    expect(page.get_by_text(re.compile("^Deleted: building"))).to_be_visible()
    expect(heading).to_have_count(0)

    page.get_by_text("Simulate").click()
    wait_until_idle(page)
    for attribute in ("department=Sales", "site=Nowhere"):
        enter_value(page, wait_until_idle, "Attributes of a person", attribute)
    expect(page.get_by_text("1 mapping matches")).to_be_visible()
    enter_value(page, wait_until_idle, "Groups", "abc")  # and not the group of the Abu Dhabi office
    expect(page.get_by_text("“abc” is not a group ID.")).to_be_visible()
