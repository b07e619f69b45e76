"""Assets in a real browser: 500 from a file with 4 errors, fixed in their cells. Only those are resent."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable

from playwright.sync_api import Page, expect

from service.demo.sites import assets_by_id, office_id, offices
from tests.browser.usable import assert_usable

PageAt = Callable[..., Page]
WaitUntilIdle = Callable[[Page], Page]
SignIn = Callable[..., Page]

NOWHERE = range(10, 30, 10)
"""Rows with an invalid latitude."""
DUPLICATES = range(115, 135, 10)
"""Rows with the external ID of an asset of the demo."""


def file_of_500() -> bytes:
    sink = io.StringIO()
    writer = csv.writer(sink)
    writer.writerow(["Name", "External id", "Asset type", "Latitude", "Longitude", "Properties"])
    external_ids = dict(zip(DUPLICATES, map(office_id, offices()), strict=False))
    for row in range(2, 502):
        latitude = "97.5" if row in NOWHERE else f"{47 + row / 1000:.3f}"
        writer.writerow([f"Depot {row}", external_ids.get(row, f"D-{row}"), "depot", latitude, "8.54", '{"Floors": 3}'])
    return sink.getvalue().encode()


def fix_cells(page: Page, heading: str, rows: range, text: Callable[[int], str]) -> None:
    for row in rows:
        cell = page.get_by_role("textbox", name=f"{heading}, row {row}", exact=True)
        cell.fill(text(row))
        cell.press("Enter")


def test_500_assets_are_added_and_only_failed_rows_are_resent(
    page_at: PageAt, sign_in_demo: SignIn, wait_until_idle: WaitUntilIdle
) -> None:
    """Two rows are invalid before sending, the service rejects two, and no asset is sent twice."""
    page = sign_in_demo(page_at(), "/assets?assets-task=add")
    file = {"name": "depots.csv", "mimeType": "text/csv", "buffer": file_of_500()}
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text("498 rows are ready · 2 with errors")).to_be_visible()
    wait_until_idle(page)
    assert_usable(page)
    fix_cells(page, "Latitude", NOWHERE, lambda row: f"47.{row}")
    expect(page.get_by_text("500 rows are ready")).to_be_visible()
    wait_until_idle(page)
    page.get_by_role("button", name="Add 500 assets").click()
    expect(page.get_by_text("498 added · 2 failed").first).to_be_visible()
    wait_until_idle(page)

    page.get_by_role("button", name="Fix 2").click()
    expect(page.get_by_text("0 rows are ready · 2 with errors")).to_be_visible()
    wait_until_idle(page)
    fix_cells(page, "External ID", DUPLICATES, lambda row: f"D-{row}")
    expect(page.get_by_text("2 rows are ready")).to_be_visible()
    wait_until_idle(page)
    page.get_by_role("button", name="Add 2 assets").click()
    expect(page.get_by_text("2 added").first).to_be_visible()
    wait_until_idle(page)

    page.goto(f"{page.url.partition('?')[0]}?assets-sort=name+ascending")
    total = 500 + len(assets_by_id())
    expect(page.get_by_text(f"{total} assets added or edited in Muster")).to_be_visible()
    wait_until_idle(page)
    page.get_by_label("Find an asset").fill("Depot 10")
    page.keyboard.press("Enter")
    expect(page.get_by_role("table").first.get_by_role("row").nth(1)).to_contain_text("Depot 10")
    wait_until_idle(page)
    page.get_by_role("table").first.get_by_role("row").nth(1).get_by_role("checkbox").check()
    wait_until_idle(page)
    expect(page.get_by_role("heading", name="Depot 10", exact=True)).to_be_visible()
    assert_usable(page)
