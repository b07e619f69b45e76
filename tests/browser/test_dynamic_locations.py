"""Dynamic locations in a real browser: 1,000 rows with errors are fixed and sent as one upload, which finishes."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.usable import assert_usable

PageAt = Callable[..., Page]
WaitUntilIdle = Callable[[Page], Page]
SignIn = Callable[..., Page]

PEOPLE = [f"E{10_000 + number}" for number in range(215) if number % 40 != 7][:200]
"""Contacts of the demo organization."""
SWAPPED = range(40, 50)
NOWHERE = range(60, 62)
NO_DAY = range(80, 82)


def file_of_1000() -> bytes:
    sink = io.StringIO()
    writer = csv.writer(sink, delimiter=";")
    writer.writerow(["Employee ID", "Arrival", "Expiry date", "Latitude", "Longitude", "System"])
    for row in range(2, 1002):
        place = [f"{37 + row % 10 / 10}", f"{-122 - row % 7 / 10}"]
        if row in SWAPPED:
            place.reverse()
        if row in NOWHERE:
            place[0] = "x"
        ends = "31.02.2099" if row in NO_DAY else "20.11.2099 18:00"
        writer.writerow([PEOPLE[row % 200], "20.11.2026 08:00", ends, *place, f"Reader {row // 200}"])
    return sink.getvalue().encode()


def fix_cells(page: Page, heading: str, rows: range, text: str) -> None:
    for row in rows:
        cell = page.get_by_role("textbox", name=f"{heading}, row {row}", exact=True)
        cell.fill(text)
        cell.press("Enter")
        expect(cell).to_have_count(0)  # a fixed row is no longer among the errors


def test_a_file_of_1000_rows_is_fixed_and_sent_and_its_upload_finishes(
    page_at: PageAt, sign_in_demo: SignIn, wait_until_idle: WaitUntilIdle
) -> None:
    """One click fixes 10 rows, 4 are fixed in their cells. The times are local times of their places."""
    page = sign_in_demo(page_at(), "/dynamic-locations")
    file = {"name": "badges.csv", "mimeType": "text/csv", "buffer": file_of_1000()}
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text("986 rows are ready · 14 with errors")).to_be_visible()
    wait_until_idle(page)
    assert_usable(page)
    page.get_by_role("button", name="Swap latitude and longitude in 10 rows").click()
    expect(page.get_by_text("996 rows are ready · 4 with errors")).to_be_visible()
    wait_until_idle(page)
    fix_cells(page, "Latitude", NOWHERE, "37.5")
    fix_cells(page, "Expires", NO_DAY, "20.11.2099")
    expect(page.get_by_text("1,000 rows are ready")).to_be_visible()
    wait_until_idle(page)
    page.get_by_role("button", name="Read times as America/Los_Angeles").click()
    expect(page.get_by_text("as local times in America/Los_Angeles")).to_be_visible()
    wait_until_idle(page)
    page.get_by_role("button", name="Upload 1,000 locations").click()
    expect(page.get_by_role("combobox", name="Sent files")).to_have_value(re.compile("^badges.csv"))
    page.reload()  # the upload is still shown after a return to the page
    expect(page.get_by_text("1,000 stored").first).to_be_visible()
    wait_until_idle(page)
    expect(page.get_by_text("badges.csv · SHA-256")).to_be_visible()
    assert_usable(page)
