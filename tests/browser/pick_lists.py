"""Choosing from a pick list as people do."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import settled


def choose(page: Page, label: str, option: str) -> None:
    """Choose the option that begins with these words by typing them.

    Typed for, it is in sight at once; an option that has to be scrolled to first can swallow the press.
    """
    begins = re.compile(rf"^{re.escape(option)}\b")
    field = page.get_by_role("combobox", name=label, exact=True)
    field.click()
    field.fill(option)
    page.get_by_role("option", name=begins).first.click()
    expect(field).to_have_value(begins)
    settled(page)
