"""Check that everyone can use a page: no serious axe violation, and nothing scrolls sideways."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import wait_until_idle

Viewport = tuple[int, int, Literal["light", "dark"]]
MAIN: Final = "[data-testid=stMain]"
_WIDE: Final[Viewport] = (1440, 900, "light")
_PHONE: Final[Viewport] = (390, 844, "dark")
# axe would download style sheets and media again for two rules: one is disabled, and the other is not serious.
_OPTIONS: Final = {"resultTypes": ["violations"], "preload": False}


def find_serious_violations(page: Page, part: str = MAIN) -> list[tuple[str, list[Any]]]:
    """Return the serious and critical axe violations in a part of the page: the rule, and where it is violated."""
    violations = Axe().run(page, {"include": part}, _OPTIONS).response["violations"]
    return [
        (each["id"], [node["html"][:200] for node in each["nodes"]])
        for each in violations
        if each["impact"] in {"serious", "critical"} or each["id"] == "heading-order"
    ]


def fits(table: Locator) -> bool:
    """Return whether the whole width of a table is visible without scrolling.

    It is found and measured in one step, since a list that is drawn again replaces its table.
    """
    return bool(table.evaluate_all("([table]) => table.offsetWidth <= table.parentElement.clientWidth"))


def assert_usable(page: Page) -> None:
    """Assert that the page has no serious violation, and that nothing but tables scrolls sideways."""
    assert find_serious_violations(page) == []
    assert not page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")


def set_viewport(page: Page, *, to_phone: bool) -> Page:
    """Show the page as on a phone in dark mode, or as on a wide screen in light mode."""
    width, height, theme = _PHONE if to_phone else _WIDE
    page.set_viewport_size({"width": width, "height": height})
    page.emulate_media(color_scheme=theme)
    expect(page.get_by_test_id("stApp")).to_have_css("color-scheme", theme)
    return wait_until_idle(page)


def assert_usable_by_everyone(page: Page, check: Callable[[Page], None] = assert_usable) -> None:
    """Run the check on a wide screen in light mode and on a phone in dark mode. Restores the page afterwards."""
    assert page.viewport_size is not None
    was_phone = page.viewport_size["width"] < _WIDE[0]
    check(page)
    check(set_viewport(page, to_phone=not was_phone))
    set_viewport(page, to_phone=was_phone)


def assert_no_serious_violations(page: Page) -> None:
    """Assert that the page has no serious violation."""
    assert find_serious_violations(page) == []
