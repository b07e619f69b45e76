"""Select from a pick list as people do."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import wait_until_idle
from tests.browser.script_runs import NEXT_PAINT

# A container that opens or grows is animated for half a second, and scrolls the focused element in it.
_WAIT_UNTIL_UNFOLDED = """
async (field) => {
  const box = field.closest("details");
  for (let unfolding; (unfolding = box?.getAnimations() ?? []).length; ) {
    await Promise.allSettled(unfolding.map((each) => each.finished));
  }
}
"""


def wait_until_unfolded(field: Locator) -> Locator:
    """Return the field once its container has opened. Until then it moves under the pointer."""
    field.evaluate(_WAIT_UNTIL_UNFOLDED)
    return field


def pick_list(page: Page, label: str, nth: int = 0) -> Locator:
    """Return the field of a pick list, visible and at rest. Scrolling would close its list and lose the text."""
    field = page.get_by_role("combobox", name=label, exact=True).nth(nth)
    wait_until_unfolded(field).scroll_into_view_if_needed()
    page.evaluate(NEXT_PAINT)
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
    wait_until_idle(page)
