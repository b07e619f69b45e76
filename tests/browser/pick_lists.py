"""Select from a pick list as people do."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import settled
from tests.browser.script_runs import PAINTED

# A container that opens or grows is animated for half a second, and scrolls the focused element in it.
_UNFOLDED = """
async (field) => {
  const box = field.closest("details");
  for (let unfolding; (unfolding = box?.getAnimations() ?? []).length; ) {
    await Promise.allSettled(unfolding.map((each) => each.finished));
  }
}
"""


def unfolded(field: Locator) -> Locator:
    """Return the field once its container has opened. Until then it moves under the pointer."""
    field.evaluate(_UNFOLDED)
    return field


def pick_list(page: Page, label: str, nth: int = 0) -> Locator:
    """Return the field of a pick list, visible and at rest. Scrolling would close its list and lose the text."""
    field = page.get_by_role("combobox", name=label, exact=True).nth(nth)
    unfolded(field).scroll_into_view_if_needed()
    page.evaluate(PAINTED)
    return field


def choose(page: Page, label: str, option: str) -> None:
    """Select the option that begins with this text, by typing it.

    The typed option is visible at once. An option that must be scrolled to first can lose the click.
    """
    begins = re.compile(rf"^{re.escape(option)}\b")
    field = pick_list(page, label)
    field.click()
    field.fill(option)
    page.get_by_role("option", name=begins).first.click()
    expect(field).to_have_value(begins)
    settled(page)
