"""The menu in a real browser: fully visible, the open screen marked, and closed on a phone."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.signing_in import choose_in_account_menu

PageAt = Callable[..., Page]


def test_the_whole_menu_is_visible_and_marks_the_open_screen(
    page_at: PageAt, sign_in_demo: Callable[..., Page]
) -> None:
    page = sign_in_demo(page_at(1440, 900), "/cancel-trips")
    menu = page.get_by_test_id("stSidebarNav")
    assert [text.split("\n")[-1] for text in menu.get_by_role("link").all_inner_texts()] == [
        "Public alert",
        *("Map", "Who is affected", "Trips", "Imports", "Rosters"),
        *("Filters", "Mappings", "IDs and names"),
        *("Templates", "Sent", "Events and categories"),
        *("Task lists", "Assets", "Shapes", "Live locations"),
    ]
    for part in (menu.get_by_role("link").last, page.get_by_test_id("stSidebar").get_by_role("button", name="demo")):
        expect(part).to_be_in_viewport(ratio=1)
    expect(menu.get_by_role("link", name="Trips")).to_have_attribute("aria-current", "page")

    menu.get_by_role("link", name="Rosters").click()
    expect(menu.get_by_role("link", name="Rosters")).to_have_attribute("aria-current", "page")
    expect(menu.locator("[aria-current]")).to_have_count(1)


def test_on_a_phone_the_menu_closes_when_another_screen_opens(
    page_at: PageAt, sign_in_demo: Callable[..., Page]
) -> None:
    page = sign_in_demo(page_at(390, 844), "/rosters")
    page.get_by_role("button", name="Expand sidebar").click()
    choose_in_account_menu(page, "Connection")
    expect(page).to_have_title("Connection · Muster")
    expect(page.get_by_test_id("stSidebar")).to_have_attribute("data-collapsed", "true")
