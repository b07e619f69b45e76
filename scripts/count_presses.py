"""Counts the presses from an empty alert to a sent one, for the five usual alerts: python -m scripts.count_presses.

Starts a dashboard of its own on the demo organization, and writes and sends each alert in Chromium, once by mouse and
once by keyboard. The sender is remembered from the alert before.

By mouse, a press is a click, or a text typed into one field with the key (Tab or Enter) that leads out of it. By
keyboard, a press is every key or key combination, and the letters of one field's text together: they are the same for
every product. By keyboard every alert starts from a pinned template, which has a number key.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from playwright.sync_api import Locator, Page, expect, sync_playwright

from tests.browser.conftest import wait_until_idle
from tests.browser.contexts import Contexts
from tests.browser.signing_in import open_demo
from tests.running_muster import start_muster

_SENT_WITHIN_MS: Final = 30_000
MOST_BY_KEYBOARD: Final = 20
_MOST_TABS: Final = 60
_IS_FOCUSED: Final = "target => target === document.activeElement"


@dataclass(frozen=True)
class UsualAlert:
    """An alert to send, and its maximum number of presses by mouse."""

    title: str
    most: int
    ready: str
    """The pinned template it starts from."""
    event: str = ""
    """By mouse, it starts from this event and place instead."""
    place: str = ""


USUAL_ALERTS: Final = (
    UsualAlert("Tornado", 4, "Tornado: take shelter"),
    UsualAlert("Evacuation", 12, "Evacuate: wildfire west of Boulder", event="Evacuation Immediate", place="80302"),
    UsualAlert("Boil water", 5, "Boil water: Boulder"),
    UsualAlert("Missing child", 7, "Missing child"),
    UsualAlert("Weekly test", 3, "Weekly test"),
)


class Hand:
    """Operates a page and counts the presses."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.presses = 0

    def press(self, target: Locator) -> None:
        """Click once, and wait until the page has settled."""
        target.click()
        self.presses += 1
        wait_until_idle(self.page)

    def enter(self, field: Locator) -> None:
        """Put the cursor into a field."""
        self.press(field)

    def type(self, field: Locator, text: str, *, leave_by: str = "") -> None:
        """Put the cursor into a field unless it is there, type, and leave by a key if given."""
        if not field.evaluate(_IS_FOCUSED):
            self.enter(field)
        self.page.keyboard.insert_text(text)
        if leave_by:
            self.leave(leave_by)
        self.presses += 1
        wait_until_idle(self.page)

    def leave(self, key: str) -> None:
        """Press the key that leads out of a field, which counts with its text."""
        self.page.keyboard.press(key)

    def choose(self, label: str, option: str) -> None:
        """Open a list, and type what is wanted."""
        field = self.page.get_by_role("combobox", name=label, exact=True)
        self.enter(field)
        self.type(field, option, leave_by="Enter")
        expect(field).to_have_value(re.compile(rf"^{re.escape(option)}\b"))

    def start_from(self, template: str) -> None:
        """Select a template: one of the most used ones, or else one of all."""
        start = self.page.get_by_role("button", name=template)
        if not start.count():
            self.press(self.page.get_by_role("button", name=re.compile("^All .* templates")))
        self.press(start)

    def fill_placeholders(self) -> None:
        """Fill in the remaining placeholders of the text."""
        blanks = self.page.locator(".st-key-public_alert-blanks").get_by_role("textbox")
        while left := blanks.count():
            self.type(blanks.first, "Main Street", leave_by="Tab")
            expect(blanks).to_have_count(left - 1)
            wait_until_idle(self.page)

    def send(self) -> int:
        """Review and send the alert, and return the number of presses."""
        self.press(self.page.get_by_role("button", name=re.compile("^Review (alert|test)")))
        expect(self.page.get_by_role("heading", name=re.compile("Review the (alert|test)"))).to_be_visible()
        # Until the names of the recipients are loaded, the review has neither the field nor the button.
        send = self.page.get_by_role("button", name=re.compile("^Send (this|routine test)"))
        expect(send).to_be_visible()
        wait_until_idle(self.page)
        place = self.page.get_by_role("textbox", name="Recipients")
        if place.count():
            self.type(place, place.get_attribute("placeholder") or "")
        self.press(send)
        sent = self.page.get_by_role("heading", name="Sent: ")
        expect(sent).to_be_visible(timeout=_SENT_WITHIN_MS)
        return self.presses


class Keys(Hand):
    """Operates a page by keyboard: by the shortcut of a button, or by Tab, and Enter."""

    def press(self, target: Locator) -> None:
        """Press the shortcut that a button shows, or else go to the button and press Enter."""
        shortcut = target.locator("kbd")
        if shortcut.count():
            self._key(shortcut.inner_text().replace(" ", "").replace("Ctrl", "Control"))
            return
        self.enter(target)
        self._key("Enter")

    def enter(self, field: Locator) -> None:
        """Press Tab until the field or button is focused."""
        for _ in range(_MOST_TABS):
            if field.evaluate(_IS_FOCUSED):
                return
            self._key("Tab")
        raise AssertionError(f"not reached by {_MOST_TABS} tabs: {field}")

    def leave(self, key: str) -> None:
        """Press a key, which counts."""
        self._key(key)

    def _key(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.presses += 1
        wait_until_idle(self.page)


def count_presses(page: Page, url: str, alert: UsualAlert, hand_of: Callable[[Page], Hand] = Hand) -> int:
    """Return the presses from an empty alert to this one, sent."""
    page.goto(f"{url}/public-alert")
    expect(page.get_by_role("heading", name="Message")).to_be_visible()
    expect(page.get_by_text(re.compile("^Loading the "))).to_have_count(0)
    wait_until_idle(page)
    hand = hand_of(page)
    if isinstance(hand, Keys) or not alert.event:
        hand.start_from(alert.ready)
    else:
        hand.choose("Event", alert.event)
        hand.type(page.get_by_role("searchbox"), alert.place)
        name = re.compile(rf"{alert.place}.*, CO")
        hand.press(page.locator('[class*="region-matches"]').get_by_role("button", name=name).first)
        hand.press(page.get_by_role("button", name="Insert outline"))
    wait_until_idle(page)
    hand.fill_placeholders()
    return hand.send()


def main() -> None:
    """Send every usual alert, and print the presses."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        muster, contexts = start_muster(Path(folder)), Contexts(playwright)
        try:
            page = contexts.take(maps=False)
            page.set_viewport_size({"width": 1440, "height": 900})
            open_demo(page, muster, "/public-alert")
            wait_until_idle(page)
            # Once before it counts, so that the sender is known.
            count_presses(page, muster.url, USUAL_ALERTS[-1])
            presses = {
                alert: [count_presses(page, muster.url, alert, hand) for hand in (Hand, Keys)] for alert in USUAL_ALERTS
            }
        finally:
            contexts.close()
            muster.stop()
    print(f"{'':<16}{'by mouse':>10}{'at most':>10}{'by keyboard':>14}{'at most':>10}")
    for alert, (by_mouse, by_keyboard) in presses.items():
        print(f"{alert.title:<16}{by_mouse:>10}{alert.most:>10}{by_keyboard:>14}{MOST_BY_KEYBOARD:>10}")


if __name__ == "__main__":
    main()
