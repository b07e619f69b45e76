"""Counts the presses from an empty alert to its review, for eight kinds of alert: python -m scripts.count_presses.

Starts a dashboard of its own on the demo organization and writes each alert in Chromium, once begun with a ready alert
and once without. A press is a click, or a text typed into one field; the sender is remembered from the alert before.
"""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from playwright.sync_api import Locator, Page, expect, sync_playwright

from tests.browser.conftest import settled
from tests.browser.contexts import Contexts
from tests.browser.signing_in import open_demo
from tests.running_muster import start_muster

MOST_WITH: Final = 8
MOST_WITHOUT: Final = 14


@dataclass(frozen=True)
class Kind:
    """An alert to be written: the ready alert for it, and what is chosen where it is written without one."""

    ready: str
    event: str
    place: str


KINDS: Final = (
    Kind("Boil water: Boulder", "Boil Order", "Boulder County"),
    Kind("Evacuate: wildfire west of Boulder", "Evacuation Immediate", "80302"),
    Kind("Gas leak: leave the street", "Gas Leak", "80302"),
    Kind("Missing child", "Missing Child", "Boulder"),
    Kind("Power cut, planned", "Power Outage", "80303"),
    Kind("Road closed", "Road Closure", "80304"),
    Kind("Tornado: take shelter", "Tornado Warning", "Boulder County"),
    Kind("Weekly test", "Routine Weekly Test", "80302"),
)


class Hand:
    """A person's hand on a page, whose presses are counted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.presses = 0

    def press(self, what: Locator) -> None:
        """Click once, and wait for what follows."""
        what.click()
        self.presses += 1
        settled(self.page)

    def type(self, field: Locator, text: str) -> None:
        """Click into a field and type."""
        field.click()
        field.fill(text)
        self.presses += 2
        settled(self.page)

    def choose(self, label: str, option: str) -> None:
        """Open a list, type for what is wanted, and pick it."""
        field = self.page.get_by_role("combobox", name=label, exact=True)
        field.click()
        field.fill(option)
        self.page.get_by_role("option", name=re.compile(rf"^{re.escape(option)}\b")).first.click()
        self.presses += 3
        settled(self.page)
        expect(field).to_have_value(re.compile(rf"^{re.escape(option)}\b"))

    def fill_blanks(self) -> None:
        """Fill in whatever the text still leaves open."""
        blanks = self.page.locator(".st-key-public_alert-blanks").get_by_role("textbox")
        while left := blanks.count():
            self.type(blanks.first, "Main Street")
            blanks.first.blur()
            expect(blanks).to_have_count(left - 1)

    def review(self) -> int:
        """Ask for the review, which has to follow at once; the presses it took."""
        self.press(self.page.get_by_role("button", name="Review and send"))
        expect(self.page.get_by_role("heading", name=re.compile("Review the (alert|test)"))).to_be_visible()
        return self.presses


def empty_alert(page: Page, url: str) -> Hand:
    """Open a new alert, with the places read."""
    page.goto(f"{url}/public-alert")
    expect(page.get_by_role("heading", name="What the public reads")).to_be_visible()
    expect(page.get_by_text("Being looked up")).to_have_count(0)
    expect(page.get_by_text("Reading the cities")).to_have_count(0)
    settled(page)
    return Hand(page)


def with_ready_alert(page: Page, url: str, kind: Kind) -> int:
    """The presses from nothing to the review with a ready alert."""
    hand = empty_alert(page, url)
    hand.press(page.get_by_role("button", name=kind.ready))
    hand.fill_blanks()
    return hand.review()


def without(page: Page, url: str, kind: Kind) -> int:
    """The presses from nothing to the review, everything chosen and written by hand."""
    hand = empty_alert(page, url)
    hand.choose("Event", kind.event)
    hand.type(page.get_by_role("searchbox"), kind.place)
    match = (
        page.locator('[class*="region-matches"]').get_by_role("button", name=re.compile(rf"{kind.place}.*, CO")).first
    )
    hand.press(match)
    hand.press(page.get_by_role("button", name="Insert the skeleton"))
    hand.fill_blanks()
    return hand.review()


def main() -> None:
    """Write every kind both ways, and print the presses."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        muster, contexts = start_muster(Path(folder)), Contexts(playwright)
        try:
            page = contexts.take(maps=False)
            page.set_viewport_size({"width": 1440, "height": 900})
            open_demo(page, muster, "/public-alert")
            settled(page)
            begun = {kind: with_ready_alert(page, muster.url, kind) for kind in KINDS}
            written = {kind: without(page, muster.url, kind) for kind in KINDS}
        finally:
            contexts.close()
            muster.stop()
    print(f"{'':<24}{'ready alert':>12}{'without':>10}")
    for kind in KINDS:
        print(f"{kind.event:<24}{begun[kind]:>12}{written[kind]:>10}")
    print(f"{'at most':<24}{max(begun.values()):>12}{max(written.values()):>10}")


if __name__ == "__main__":
    main()
