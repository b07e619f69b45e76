"""Tables in a real browser: every page is reachable, and sorting and downloads cover all rows."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import wait_for_roster
from tests.browser.usable import assert_usable, fits, set_viewport
from tests.running_muster import Muster

SignIn = Callable[..., Page]
PageAt = Callable[..., Page]
WaitUntilIdle = Callable[[Page], Page]
BIG_ENOUGH_TO_PRESS = 24
ONE_LINE_AND_A_HALF = 33


def read_column(table: Locator, heading: str) -> list[str]:
    """Return the cells under a heading, from the top."""
    place = table.get_by_role("columnheader").all_inner_texts().index(heading)
    rows = table.get_by_role("row").all()[1:]
    return [row.get_by_role("cell").nth(place + 1).inner_text() for row in rows]


def test_pages_order_selection_and_downloads_apply_to_the_whole_result(
    sign_in_demo: SignIn, page_at: PageAt, wait_until_idle: WaitUntilIdle, tmp_path: Path
) -> None:
    """Wide, and on a phone, where rows are cards and the button to the next page is reachable."""
    page = wait_for_roster(sign_in_demo(page_at()))
    section = page.locator(".st-key-expected")
    table = section.get_by_role("table")
    expect(page.get_by_text(re.compile(r"^1–50 of [\d,]+ rows$"))).to_be_visible()

    assert fits(table)

    page.get_by_role("button", name="Next page").click()
    range_label = page.get_by_text(re.compile(r"^51–100 of [\d,]+ rows$"))
    expect(range_label).to_be_visible()
    expect(page).to_have_url(re.compile("expected-page=2"))
    total = int(range_label.inner_text().split()[2].replace(",", ""))

    table.get_by_role("button", name="Person").click()
    expect(table.get_by_role("columnheader", name="Person")).to_have_attribute("aria-sort", "descending")
    expect(page.get_by_text(re.compile(r"^1–50 of [\d,]+ rows$"))).to_be_visible()
    expect(page).to_have_url(re.compile(r"expected-sort=name"))
    wait_until_idle(page)
    assert "expected-page" not in page.url
    visible_names = read_column(table, "Person↓")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
        page.locator(".st-key-expected-file-csv button").click()
    path = tmp_path / "people.csv"
    download.value.save_as(path)
    with path.open(encoding="utf-8-sig", newline="") as file:
        downloaded_names = [row["Person"].removeprefix("'") for row in csv.DictReader(file)]
    assert len(downloaded_names) == total
    assert downloaded_names[:50] == visible_names
    assert downloaded_names[0].casefold() == max(name.casefold() for name in downloaded_names)

    box_of_row = table.get_by_role("row").nth(3).get_by_role("checkbox")
    box_of_row.check()
    link = page.get_by_role("link", name=re.compile(r"^Open .*, the trip of "))
    expect(link).to_have_text(re.compile(re.escape(visible_names[2])))
    expect(box_of_row).to_be_focused()
    table.get_by_role("row").nth(5).get_by_role("cell").nth(1).click()
    expect(link).to_have_text(re.compile(re.escape(visible_names[4])))
    expect(box_of_row).not_to_be_checked()
    assert_usable(page)
    assert_usable(set_viewport(page, to_phone=True))

    page.reload()
    expect(table.get_by_role("columnheader", name="Person")).to_have_attribute("aria-sort", "descending")
    wait_until_idle(page)
    assert read_column(table, "Person↓") == visible_names
    assert fits(table)
    box = page.get_by_role("button", name="Next page").bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= BIG_ENOUGH_TO_PRESS


def test_rows_are_selected_by_keyboard_and_two_simultaneous_clicks_both_count(
    sign_in_demo: SignIn, page_at: PageAt, wait_until_idle: WaitUntilIdle
) -> None:
    """Selections are in the URL. Streamlit would keep only the last of several queued messages."""
    page = sign_in_demo(page_at(), "/contact-filters")
    table = page.locator(".st-key-contact-filters").get_by_role("table")
    heading = table.get_by_role("button", name="Rules")
    heading.press("Enter")
    expect(table.get_by_role("columnheader", name="Rules")).to_have_attribute("aria-sort", "ascending")
    heading.press("Enter")
    expect(table.get_by_role("columnheader", name="Rules")).to_have_attribute("aria-sort", "descending")
    expect(heading).to_be_focused()
    wait_until_idle(page)
    rules = [int(number) for number in read_column(table, "Rules↓") if number.isdecimal()]
    assert rules == sorted(rules, reverse=True)
    page.keyboard.press("Shift+Tab")
    expect(table.get_by_role("button", name="Name")).to_be_focused()
    for _ in range(table.get_by_role("columnheader").get_by_role("button").count()):
        page.keyboard.press("Tab")
    expect(table.get_by_role("row").nth(1).get_by_role("checkbox")).to_be_focused()
    page.keyboard.press("Space")
    wait_until_idle(page)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Space")
    wait_until_idle(page)
    expect(table.get_by_role("row").nth(2).get_by_role("checkbox")).to_be_focused()
    page.keyboard.press("Tab")
    expect(table.locator(":focus")).to_have_count(0)
    expect(page.get_by_text("2 filters selected")).to_be_visible()
    expect(page).to_have_url(re.compile(r"id=\d+&id=\d+"))
    page.reload()
    expect(page.get_by_text("2 filters selected")).to_be_visible()
    expect(table.get_by_role("checkbox", checked=True)).to_have_count(2)
    wait_until_idle(page)

    table.evaluate(
        """async (table) => {
            const boxes = [...table.querySelectorAll("input")];
            const rules = [...table.querySelectorAll("button")].find((each) => each.textContent.startsWith("Rules"));
            for (const each of [...boxes.filter((box) => !box.checked).slice(0, 2), rules, rules]) {
                each.click();
                await new Promise((resolve) => setTimeout(resolve));
            }
        }"""
    )
    expect(page.get_by_text("4 filters selected")).to_be_visible()
    expect(table.get_by_role("columnheader", name="Rules")).to_have_attribute("aria-sort", "ascending")
    expect(page).to_have_url(re.compile(r"(id=\d+&?){4}"))


def test_on_a_phone_the_selected_record_scrolls_into_view(
    muster: Muster, sign_in_demo: SignIn, page_at: PageAt, wait_until_idle: WaitUntilIdle
) -> None:
    """Below the list, like a new form. Redrawing does not scroll."""
    page = sign_in_demo(page_at(390, 844), "/notification-events")
    page.get_by_role("button", name="New event").click()
    expect(page.get_by_role("textbox", name="Name")).to_be_in_viewport()
    page.goto(f"{muster.url}/contact-filters")
    box = page.get_by_role("table").get_by_role("row").nth(2).get_by_role("checkbox")
    box.check()
    edit = page.get_by_role("button", name="Edit filter")
    expect(edit).to_be_visible()
    wait_until_idle(page)
    expect(edit).to_be_in_viewport()
    page.evaluate("() => document.getElementById('stMain').scrollTo(0, 0)")
    page.get_by_role("button", name="Refresh").click()
    wait_until_idle(page)
    expect(edit).not_to_be_in_viewport()


def test_a_list_next_to_a_record_is_not_cut_off_and_checkboxes_are_named_after_rows(
    muster: Muster, sign_in_demo: SignIn, page_at: PageAt, wait_until_idle: WaitUntilIdle
) -> None:
    """On a wide screen, every column and page number is visible, and times are on one line."""
    page = sign_in_demo(page_at(), "/sent-notifications")
    for list_ in ("sent-notifications", "templates", "contact-filters", "journal", "shape-library", "assets"):
        page.goto(f"{muster.url}/{list_}")
        wait_until_idle(page)
        table = page.get_by_role("table").first
        table.get_by_role("row").nth(1).get_by_role("checkbox").check()
        wait_until_idle(page)
        assert fits(table), list_
        lines = table.locator(".line").evaluate_all("times => times.map((each) => each.getClientRects()[0].height)")
        assert max(lines, default=0) < ONE_LINE_AND_A_HALF, list_
        row = table.get_by_role("row").nth(1)
        first = row.get_by_role("cell").nth(1).inner_text()
        expect(row.get_by_role("checkbox")).to_have_accessible_name(re.compile(f"^Select {re.escape(first)}, "))
    page.goto(f"{muster.url}/lookup-mappings")
    wait_until_idle(page)
    table.get_by_role("row").nth(1).get_by_role("checkbox").check()
    wait_until_idle(page)
    assert fits(table)
    numbers = page.get_by_role("navigation", name="Pagination").get_by_role("button", name=re.compile("^Page "))
    expect(numbers).to_have_text(["1", "2", "3", "4"])
