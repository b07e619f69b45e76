"""Whether everyone can use what a page shows: no serious fault by axe's rules, nothing that scrolls sideways."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import settled

Look = tuple[int, int, Literal["light", "dark"]]
MAIN: Final = "[data-testid=stMain]"
_DESK: Final[Look] = (1440, 900, "light")
_PHONE: Final[Look] = (390, 844, "dark")
# Style sheets and films would be fetched anew for two rules: one is never asked, and the other is not serious.
_OPTIONS: Final = {"resultTypes": ["violations"], "preload": False}


def serious_faults(page: Page, part: str = MAIN) -> list[tuple[str, list[Any]]]:
    """What axe finds serious or critical in a part of the page: the rule, and where it is broken."""
    found = Axe().run(page, {"include": part}, _OPTIONS).response["violations"]
    return [
        (each["id"], [node["html"][:200] for node in each["nodes"]])
        for each in found
        if each["impact"] in {"serious", "critical"} or each["id"] == "heading-order"
    ]


def fits(table: Locator) -> bool:
    """Whether a table is to be seen in its whole width without scrolling."""
    return bool(table.evaluate("table => table.offsetWidth <= table.parentElement.clientWidth"))


def assert_usable(page: Page) -> None:
    """No serious fault in the page, and nothing but tables scrolls sideways."""
    assert serious_faults(page) == []
    assert not page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")


def turn(page: Page, *, to_phone: bool) -> Page:
    """Show what stands on the page on a phone in the dark, or else wide in the light."""
    width, height, theme = _PHONE if to_phone else _DESK
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=theme)
    expect(page.get_by_test_id("stApp")).to_have_css("color-scheme", theme)
    return settled(page)


def assert_usable_by_everyone(page: Page, check: Callable[[Page], None] = assert_usable) -> None:
    """Hold what stands on the page to the check, wide in the light and on a phone in the dark; it ends as it began."""
    assert page.viewport_size is not None
    was_phone = page.viewport_size["width"] < _DESK[0]
    check(page)
    check(turn(page, to_phone=not was_phone))
    turn(page, to_phone=was_phone)


def assert_nothing_serious(page: Page) -> None:
    """No serious fault in the page."""
    assert serious_faults(page) == []
