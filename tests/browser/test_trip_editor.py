"""A trip in a real browser: added, shown on the map, changed, and canceled. A double click sends it once."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.browser.dashboards import Dashboard
from tests.browser.usable import assert_usable_by_everyone, fits

PageAt = Callable[..., Page]
WaitUntilIdle = Callable[[Page], Page]
SLOW = {"kind": "latency", "milliseconds": 1500, "methods": ["POST"], "path": "/itineraries/8800"}
SOMEBODY = re.compile(r"^1 person at ")
LONG_NAME = "Compagnie générale transatlantique des aéronefs et dirigeables réunis du Golfe persique"


@pytest.fixture(scope="module", autouse=True)
def roster_and_slow_service(dashboard: Dashboard) -> Iterator[None]:
    """An empty roster for a trip, and a service that adds trips slowly."""
    with dashboard.journal() as journal:
        journal.rosters.create(dashboard.actor(), "My people", [])
    with dashboard.service.failing(SLOW):
        yield


def count_stored(dashboard: Dashboard, locator: str) -> int:
    """Return how many trips with this record locator reached the service, including replaced ones."""
    with sqlite3.connect(dashboard.service.database_url.removeprefix("sqlite:///")) as database:
        (count,) = database.execute("SELECT count(*) FROM itineraries WHERE pnr = ?", [locator]).fetchone()
    database.close()
    return int(count)


def count_current(dashboard: Dashboard, locator: str) -> int:
    """Return how many trips with this record locator the service has now."""
    with dashboard.service.client() as client:
        return len(list(client.itineraries.search(field_name="pnr", values=[locator])))


@pytest.fixture
def type_in(wait_until_idle: WaitUntilIdle) -> Callable[..., None]:
    """A function that types into a field of the page and waits for the run."""

    def enter(page: Page, label: str, value: str, nth: int = 0) -> None:
        field = page.get_by_role("textbox", name=label, exact=True).nth(nth)
        field.fill(value)
        field.press("Tab")
        expect(field).to_have_value(value)
        wait_until_idle(page)

    return enter


def choose_day(page: Page, wait_until_idle: WaitUntilIdle, label: str, day: str) -> None:
    """Type a day, part by part, like a user."""
    field = page.get_by_role("group", name=label)
    field.get_by_role("spinbutton").first.click()
    page.keyboard.type(day.replace("-", ""))
    page.keyboard.press("Tab")
    for part, name in zip(day.split("-"), ("year", "month", "day"), strict=True):
        expect(page.get_by_role("spinbutton", name=f"{name}, {label}")).to_have_text(re.compile(f"^0?{int(part)}$"))
    wait_until_idle(page)


def fill_in(page: Page, type_in: Callable[..., None], wait_until_idle: WaitUntilIdle, locator: str) -> None:
    """Fill in a flight from Abu Dhabi to Kuwait for Ana Silva that is in the air now."""
    expect(page.get_by_role("heading", name="Trips")).to_be_visible()
    wait_until_idle(page)
    type_in(page, "Record locator", locator)
    expect(page).to_have_url(re.compile("draft="))
    type_in(page, "Departs: airport", "AUH")
    expect(page.get_by_text("Abu Dhabi International Airport")).to_be_visible()
    type_in(page, "Arrives: airport", "KWI")
    expect(page.get_by_text("Kuwait International Airport")).to_be_visible()
    wait_until_idle(page)
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).date().isoformat()
    choose_day(page, wait_until_idle, "Departs: day", tomorrow)
    choose_day(page, wait_until_idle, "Arrives: day", tomorrow)
    # In Abu Dhabi from 24 hours before: also at noon of today, UTC.
    type_in(page, "Local time", "00:10", 0)
    type_in(page, "Local time", "23:50", 1)
    type_in(page, "Employee ID", "E100")
    type_in(page, "First name", "Ana")
    type_in(page, "Last name", "Silva")
    expect(page.get_by_text("2 expected locations: 1 traveler at 2 places")).to_be_visible()


def test_a_trip_is_added_shown_on_the_map_changed_and_canceled(
    dashboard: Dashboard, page_at: PageAt, type_in: Callable[..., None], wait_until_idle: WaitUntilIdle
) -> None:
    """From the empty form to the map and back, with a refresh, a double click, and a second tab.

    Input survives the refresh, and the form is accessible. After sending, the other tab reports it.
    """
    page = dashboard.open(page_at(), "/trip-editor")
    type_in(page, "Departs: airport", "Nowhere")
    expect(page.get_by_text("“NOWHERE” is not a code of 3 letters.")).to_be_visible()
    departs, arrives = (page.get_by_role("group", name=f"{end}: day").bounding_box() for end in ("Departs", "Arrives"))
    assert departs is not None
    assert arrives is not None
    assert departs["y"] == arrives["y"], "an error on one side moves no field of the other"
    fill_in(page, type_in, wait_until_idle, "WSVM7K")
    expect(page.get_by_text("This browser cannot draw maps")).to_be_visible()
    page.reload()
    expect(page.get_by_role("textbox", name="Record locator", exact=True)).to_have_value("WSVM7K")
    expect(page.get_by_text("2 expected locations: 1 traveler at 2 places")).to_be_visible()
    wait_until_idle(page)
    page.get_by_role("button", name="Add the return segment").click()
    wait_until_idle(page)
    assert_usable_by_everyone(page)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("2 expected locations: 1 traveler at 2 places")).to_be_visible()
    wait_until_idle(page)
    page.get_by_role("button", name="Review and send").click()
    expect(page.get_by_role("heading", name="Review trip WSVM7K")).to_be_visible()
    wait_until_idle(page)
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.get_by_role("button", name="Add trip WSVM7K")).to_be_visible()
    wait_until_idle(other)
    page.get_by_role("combobox", name="Add to roster").click()
    page.get_by_role("option", name="My people").click()
    wait_until_idle(page)
    page.get_by_role("button", name="Add trip WSVM7K").dblclick(delay=60)
    expect(page).to_have_title(re.compile("^WSVM7K · "))
    expect(page).to_have_url(re.compile(r"/trip\?id=\d+&locator=WSVM7K"))
    wait_until_idle(page)
    other.get_by_role("button", name="Add trip WSVM7K").click()
    expect(other.get_by_role("heading", name="Sent: Trip WSVM7K")).to_be_visible()
    other.close()
    assert count_stored(dashboard, "WSVM7K") == 1

    page.goto(f"{dashboard.muster.url}/?expected_time=Moment&expected_at={datetime.now(UTC):%Y-%m-%d}T12:00")
    expect(page.get_by_role("heading", name="Map", exact=True)).to_be_visible()
    expect(page.get_by_text(SOMEBODY).first).to_be_visible()

    page.get_by_role("link", name="Trips", exact=True).first.click()
    page.goto(dashboard.muster.url + "/trip?locator=WSVM7K")
    page.get_by_role("button", name="Edit").click()
    expect(page.get_by_role("heading", name="Edit trip WSVM7K")).to_be_visible()
    wait_until_idle(page)
    type_in(page, "Flight number", "EY301")
    type_in(page, "Airline", LONG_NAME)
    page.get_by_role("button", name="Review and send").click()
    expect(page.get_by_role("heading", name="Differences")).to_be_visible()
    wait_until_idle(page)
    different = page.locator(".st-key-trip_editor-differences")
    assert fits(different.get_by_role("table"))
    page.set_viewport_size({"width": 390, "height": 844})
    frame, box = different.get_by_role("region").bounding_box(), different.get_by_text(LONG_NAME).bounding_box()
    assert frame is not None
    assert box is not None
    assert box["x"] + box["width"] <= frame["x"] + frame["width"], "what will be sent is cut off on a phone"
    page.set_viewport_size({"width": 1440, "height": 900})
    page.get_by_role("button", name="Send changes to trip WSVM7K").click()
    expect(page).to_have_title(re.compile("^WSVM7K · "))
    wait_until_idle(page)
    expect(page.get_by_text("EY301").first).to_be_visible()

    page.get_by_role("button", name="Cancel trip").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("2 expected locations of 1 traveler")).to_be_visible()
    expect(dialog.get_by_text("Silva, Ana")).to_be_visible()
    dialog.get_by_role("button", name="Cancel trip WSVM7K").click()
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name="Cancel trip")).to_have_count(0)
    assert count_current(dashboard, "WSVM7K") == 0

    page.get_by_role("link", name="Map", exact=True).click()
    expect(page.get_by_role("heading", name="Map", exact=True)).to_be_visible()
    wait_until_idle(page)
    refresh = page.get_by_role("button", name="Refresh")
    if refresh.count():
        refresh.first.click()
    expect(page.get_by_text(SOMEBODY)).to_have_count(0)
