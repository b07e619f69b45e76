"""Choosing from a pick list as people do."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import settled
from tests.browser.script_runs import PAINTED

# A box that is opened, or whose content grows, unfolds for half a second, and whatever is focused in it scrolls it.
_UNFOLDED = """
async (field) => {
  const box = field.closest("details");
  for (let unfolding; (unfolding = box?.getAnimations() ?? []).length; ) {
    await Promise.allSettled(unfolding.map((each) => each.finished));
  }
}
"""


def unfolded(field: Locator) -> Locator:
    """Give the field once the box that it stands in has unfolded: until then it moves under a pointer."""
    field.evaluate(_UNFOLDED)
    return field


def pick_list(page: Page, label: str, nth: int = 0) -> Locator:
    """The field of a pick list, in sight and at rest: once it is scrolled, its list closes and forgets the word."""
    field = page.get_by_role("combobox", name=label, exact=True).nth(nth)
    unfolded(field).scroll_into_view_if_needed()
    page.evaluate(PAINTED)
    return field


def choose(page: Page, label: str, option: str) -> None:
    """Choose the option that begins with these words by typing them.

    Typed for, it is in sight at once; an option that has to be scrolled to first can swallow the press.
    """
    begins = re.compile(rf"^{re.escape(option)}\b")
    field = pick_list(page, label)
    field.click()
    field.fill(option)
    page.get_by_role("option", name=begins).first.click()
    expect(field).to_have_value(begins)
    settled(page)
