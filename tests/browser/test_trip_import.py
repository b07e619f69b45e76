"""An import of trips in a real browser: a file with bad rows from upload to map, with a refresh, and undone."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from playwright.sync_api import Page, expect

from tests.browser.usable import assert_usable

PageAt = Callable[..., Page]
WaitUntilIdle = Callable[[Page], Page]
SignIn = Callable[..., Page]

TRIPS = 200
BAD = range(20, 220, 20)
"""Rows with a date that does not exist, 5 in 100."""


def file_of_trips() -> bytes:
    """Return trips that leave Abu Dhabi in half a day, so that their travelers are expected there now."""
    leaves = datetime.now(UTC) + timedelta(hours=12)
    zones = ((leaves, "Asia/Dubai"), (leaves + timedelta(hours=2), "Asia/Kuwait"))
    departs, arrives = (f"{moment.astimezone(ZoneInfo(zone)):%d %b %Y %H:%M}" for moment, zone in zones)
    sink = io.StringIO()
    writer = csv.writer(sink, delimiter=";")
    writer.writerow(
        ["Record locator", "Employee id", "First name", "Last name", "Flight", "From", "To", "Departs", "Arrives"]
    )
    for row in range(2, TRIPS + 2):
        who = [f"NIGHT-{row}", "Noor", f"Traveller {row}"]
        writer.writerow(
            [f"NX{row:04}", *who, "EY301", "AUH", "KWI", "31 Feb 2027 08:25" if row in BAD else departs, arrives]
        )
    return sink.getvalue().encode()


def test_a_file_with_bad_rows_is_fixed_imported_and_undone_across_a_refresh(
    page_at: PageAt, sign_in_demo: SignIn, wait_until_idle: WaitUntilIdle
) -> None:
    good = TRIPS - len(BAD)
    page = sign_in_demo(page_at(), "/import")
    file = {"name": "night.csv", "mimeType": "text/csv", "buffer": file_of_trips()}
    page.locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text(f"{good} rows are ready · {len(BAD)} with errors")).to_be_visible()
    wait_until_idle(page)
    assert_usable(page)

    page.get_by_role("button", name=f"Import {good} trips").click()
    expect(page.get_by_text("night.csv · SHA-256")).to_be_visible()
    page.reload()
    expect(page.get_by_text(f"{good} added").first).to_be_visible()
    wait_until_idle(page)
    expect(page.get_by_text(f"{len(BAD)} with errors")).to_be_visible()
    assert_usable(page)

    page.get_by_role("button", name="Save as a separate roster").click()
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_role("link", name="Open on the map").click()
    expect(page.get_by_role("heading", name="Map", exact=True)).to_be_visible()
    expect(page.get_by_text(f"{good} people").first).to_be_visible()
    wait_until_idle(page)

    page.go_back()
    expect(page.get_by_role("button", name="Undo this import")).to_be_visible()
    wait_until_idle(page)
    page.get_by_role("button", name="Undo this import").click()
    expect(page.get_by_text(f"The service will delete {good} trips of this import")).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name=f"Undo import of {good} trips").click()
    expect(page.get_by_role("heading", name="Trips")).to_be_visible()
    expect(page.get_by_text(f"{good} canceled").first).to_be_visible()
    wait_until_idle(page)
    assert_usable(page)
