"""The screens on a phone: folded filters, rows as cards, and the low bar of the composer."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.conftest import wait_until_idle
from tests.browser.usable import assert_usable, fits

WIDTH, HEIGHT = 390, 844


def test_on_a_phone_filters_fold_rows_are_cards_and_the_composer_bar_is_low(
    page_at: Callable[..., Page], sign_in_demo: Callable[..., Page]
) -> None:
    page = sign_in_demo(page_at(WIDTH, HEIGHT), "/public-alert")
    bar = page.get_by_test_id("stBottom")
    expect(bar.get_by_role("button", name="Review alert")).to_be_visible()
    wait_until_idle(page)
    box = bar.bounding_box()
    assert box is not None
    assert box["height"] <= 0.15 * HEIGHT

    page.goto(re.sub("/public-alert.*", "/sent-notifications", page.url))
    wait_until_idle(page)
    link = page.get_by_test_id("stMain").get_by_role("link", name=re.compile("in force · (first )?ends"))
    expect(link).to_be_visible()
    assert link.evaluate(
        'link => [...link.querySelectorAll("span, p")].every((each) => each.scrollWidth <= each.clientWidth)'
    )
    kind = page.get_by_role("combobox", name="Type")
    expect(kind).to_be_hidden()
    page.get_by_role("button", name="Filters", exact=True).click()
    expect(kind).to_be_visible()
    wait_until_idle(page)
    table = page.get_by_role("table").first
    assert fits(table)
    expect(table.get_by_role("row").nth(1)).to_have_css("display", "flex")
    assert_usable(page)
