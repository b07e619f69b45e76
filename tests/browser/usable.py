"""Whether everyone can use what a page shows: no serious fault by axe's rules, nothing that scrolls sideways."""

from __future__ import annotations

from typing import Any, Final

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page

MAIN: Final = "[data-testid=stMain]"
# The menu beside the page is the framework's. So is the text of what is chosen of several, drawn in the very colour
# that white text on a button needs dark; that it is chosen is also told by its border and to screen readers.
_CHOSEN: Final = ['button[data-selected="true"]']


def serious_faults(page: Page, part: str = MAIN) -> list[tuple[str, list[Any]]]:
    """What axe finds serious or critical in a part of the page: the rule, and where it is broken."""
    found = Axe().run(page, context={"include": part, "exclude": _CHOSEN}).response["violations"]
    return [
        (each["id"], [node["html"][:200] for node in each["nodes"]])
        for each in found
        if each["impact"] in {"serious", "critical"}
    ]


def fits(table: Locator) -> bool:
    """Whether a table is to be seen in its whole width without scrolling."""
    return bool(table.evaluate("table => table.offsetWidth <= table.parentElement.clientWidth"))


def assert_usable(page: Page) -> None:
    """No serious fault in the page, and nothing but tables scrolls sideways."""
    assert serious_faults(page) == []
    assert not page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")
