"""Takes the pictures of the README and the guide: python -m scripts.take_screenshots [FOLDER].

Starts a dashboard of its own on the demo organization with an empty data folder, walks through it in Chromium, and
writes one PNG per screen.
"""

from __future__ import annotations

import re
import shutil
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.conftest import Theme, wait_until_idle
from tests.browser.contexts import CHROMIUM_ARGUMENTS, CHROMIUM_NAMES
from tests.running_muster import Muster, start_muster

WIDE = (1440, 900)
PHONE = (390, 844)
PHONE_AGENT = (
    "Mozilla/5.0 (Linux; Android 16; Phone) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Mobile Safari/537.36"
)
TOMORROW = datetime.now(UTC).date() + timedelta(days=1)
CONTACTS = f"""External id,First name,Last name,Expected date,Airport · expected location
E100,Ana,Silva,{TOMORROW},LHR
E101,Ben,Okafor,{TOMORROW},LHR
E102,Chloe,Martin,{TOMORROW},CDG
E103,Dai,Tanaka,{TOMORROW + timedelta(days=30)},LHR
"""
TRIPS = f"""PNR,Traveller,Employee no,Flight,From,To,Departs,Arrives
AG7Q21,Silva/Ana,E100,TP942,LIS,GVA,{TOMORROW} 07:20,{TOMORROW} 11:00
AG7Q21,Silva/Ana,E100,TP945,GVA,LIS,{TOMORROW + timedelta(days=3)} 18:05,{TOMORROW + timedelta(days=3)} 19:45
AG7Q22,Okafor/Ben,E101,BA710,LHR,ZRH,{TOMORROW} 08:40,{TOMORROW} 11:20
AG7Q23,Martin/Chloe,E102,AF1780,CDG,XQX,{TOMORROW} 09:15,{TOMORROW} 10:30
AG7Q24,Tanaka/Dai,E103,JL043,HND,LHR,{TOMORROW} 11:50,{TOMORROW} 15:25
"""
MAP_PAINT_MS = 4_000
"""How long a map is given to paint before its picture is taken, on a machine without a graphics processor."""


class Walk:
    """Walks through the screens and takes a screenshot of each."""

    def __init__(self, browser: Browser, muster: Muster, folder: Path, size: tuple[int, int], theme: Theme) -> None:
        width, height = size
        self.page: Page = browser.new_page(
            viewport={"width": width, "height": height},
            color_scheme=theme,
            locale="en-GB",
            timezone_id="UTC",
            # A map is fitted for a phone where the browser says that it is one.
            user_agent=PHONE_AGENT if size == PHONE else None,
        )
        self.page.set_default_timeout(60_000)
        self.url = muster.url
        self.folder = folder
        self.height = height

    def sign_in(self, picture: str | None = None) -> None:
        """Open the demo organization."""
        self.page.goto(self.url)
        button = self.page.get_by_role("button", name="Open the demo organization")
        expect(button).to_be_visible()
        if picture:
            self.take(picture)
        button.click()
        expect(self.page.get_by_text("people at").first).to_be_visible(timeout=60_000)
        expect(self.page.get_by_role("button", name="Refresh")).to_be_enabled(timeout=60_000)

    def open(self, path: str) -> None:
        """Open an address of the dashboard."""
        self.page.goto(f"{self.url}/{path}")
        wait_until_idle(self.page)

    def take(self, name: str, *, height: int | None = None) -> None:
        """Write the picture of the screen from its top, as tall as asked for."""
        width = (self.page.viewport_size or {"width": WIDE[0]})["width"]
        self.page.set_viewport_size({"width": width, "height": height or self.height})
        wait_until_idle(self.page)
        self.page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 0)")
        self.page.wait_for_timeout(MAP_PAINT_MS)
        path = self.folder / f"{name}.png"
        self.page.screenshot(path=path)
        print(f"{path.name}: {path.stat().st_size // 1024} KB")

    def type(self, label: str, value: str, nth: int = 0) -> None:
        """Type into a field and wait for what follows."""
        field = self.page.get_by_role("textbox", name=label, exact=True).nth(nth)
        field.fill(value)
        field.press("Tab")
        wait_until_idle(self.page)

    def choose_day(self, label: str, day: str) -> None:
        """Type a day, part by part."""
        field = self.page.get_by_role("group", name=label)
        field.get_by_role("spinbutton").first.click()
        self.page.keyboard.type(day.replace("-", ""))
        self.page.keyboard.press("Tab")
        wait_until_idle(self.page)


def walk_through(walk: Walk) -> None:
    """Open each screen once in a wide window with the light theme."""
    page = walk.page
    walk.sign_in("sign-in")
    walk.take("expected-locations", height=1000)
    page.get_by_role("button", name="Singapore", exact=False).first.click()
    wait_until_idle(page)
    page.get_by_role("button", name="Singapore, Singapore").click()
    wait_until_idle(page)
    walk.take("expected-locations-place", height=1000)
    walk.open("find-trip?q=WSVM7K%20MSRTQM%20QQQQQQ&by=both")
    expect(page.get_by_text("not found").first).to_be_visible()
    walk.take("find-trip")
    walk.open("trip?locator=WSVM7K")
    walk.take("trip")

    walk.open("trip-editor")
    walk.type("Record locator", "QX2P9L")
    walk.type("Departs: airport", "AUH")
    walk.type("Arrives: airport", "KWI")
    walk.choose_day("Departs: day", TOMORROW.isoformat())
    walk.choose_day("Arrives: day", TOMORROW.isoformat())
    walk.type("Local time", "14:05", 0)
    walk.type("Local time", "14:50", 1)
    walk.type("Airline code", "EY")
    walk.type("Flight number", "EY301")
    walk.type("Employee ID", "E100")
    walk.type("First name", "Ana")
    walk.type("Last name", "Silva")
    wait_until_idle(page)
    walk.take("trip-editor", height=1200)
    page.get_by_role("button", name="Review and send").click()
    expect(page.get_by_role("heading", name="Review trip QX2P9L")).to_be_visible()
    walk.take("trip-review", height=1200)
    page.get_by_role("button", name="Add trip QX2P9L").click()
    expect(page).to_have_title(re.compile("^QX2P9L · "))

    walk.open("import")
    page.locator("input[type=file]").first.set_input_files(
        {"name": "agency.csv", "mimeType": "text/csv", "buffer": TRIPS.encode()}
    )
    expect(page.get_by_role("button", name=re.compile("^Import [34] trips"))).to_be_visible()
    walk.take("import", height=1300)
    walk.open("rosters")
    walk.take("rosters")
    contacts_and_messages(walk)
    walk.open("journal")
    walk.take("journal")
    walk.open("connection")
    walk.take("connection")


def contacts_and_messages(walk: Walk) -> None:
    """Contact filters with the test bench, and a public alert from the composer to its review."""
    page = walk.page
    walk.open("contact-filters?name=Expected%20at%20Heathrow%20this%20week")
    walk.take("contact-filters")
    page.get_by_role("button", name=re.compile("^Edit")).first.click()
    expect(page.get_by_role("heading", name="Filter test")).to_be_visible()
    walk.type("Or paste text", CONTACTS)
    walk.take("contact-filter", height=1900)

    walk.open("sent-notifications")
    walk.take("sent-notifications")
    walk.open("public-alert")
    page.get_by_role("button", name="Evacuate: wildfire west of Boulder").click()
    expect(page.get_by_text("Loading the cities")).to_have_count(0, timeout=120_000)
    wait_until_idle(page)
    walk.take("public-alert", height=1200)
    blanks = page.locator(".st-key-public_alert-blanks")
    for name, text in (("street", "Flagstaff Road"), ("road", "Broadway"), ("shelter", "Boulder High School")):
        blanks.get_by_role("textbox", name=name, exact=True).fill(text)
        page.keyboard.press("Tab")
        wait_until_idle(page)
    page.get_by_role("button", name="Review alert").click()
    expect(page.get_by_role("heading", name="Review the alert")).to_be_visible()
    wait_until_idle(page)
    walk.take("public-alert-review", height=1200)
    walk.open("templates")
    page.locator("tbody tr").first.click()
    walk.take("alert-templates")
    walk.open("notification-events?record=1")
    walk.take("notification-events")
    walk.open("lookup-mappings?mappings-attribute=department%3DSales&mappings-attribute=department%3DLegal")
    walk.take("lookup-mappings")
    walk.open("task-list-templates")
    walk.take("task-list-templates")
    walk.open("assets")
    walk.take("assets")
    walk.open("shape-library")
    walk.take("shape-library")
    walk.open("dynamic-locations")
    walk.take("dynamic-locations")


def main() -> None:
    """Take all pictures into the folder named on the command line, else docs/images."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/images")
    folder.mkdir(parents=True, exist_ok=True)
    executable = next((path for name in CHROMIUM_NAMES if (path := shutil.which(name))), None)
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=CHROMIUM_ARGUMENTS)
        muster = start_muster(Path(data))
        try:
            walk_through(Walk(browser, muster, folder, WIDE, "light"))
            dark = Walk(browser, muster, folder, WIDE, "dark")
            dark.sign_in()
            dark.take("expected-locations-dark", height=1000)
            phone = Walk(browser, muster, folder, PHONE, "light")
            phone.sign_in()
            phone.take("expected-locations-phone", height=1200)
            phone.open("public-alert")
            phone.take("public-alert-phone", height=1200)
        finally:
            muster.stop()
            browser.close()


if __name__ == "__main__":
    main()
