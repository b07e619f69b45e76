"""Maps painted without a graphics card: find what they show, and click on them."""

from __future__ import annotations

import io
import time
from contextlib import suppress

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from domain.maps.palette import GROUNDS, rgb
from tests.browser.contexts import TIMEOUT_MS


def wait_for_color(
    page: Page, color: tuple[int, int, int], *, at_least: int, number: int = 0, chart: Locator | None = None
) -> np.ndarray:
    """Wait until a map shows this many pixels of a color. Returns their (y, x) in the map's picture."""
    chart = chart or page.get_by_test_id("stDeckGlJsonChart").nth(number)
    chart.wait_for()
    chart.scroll_into_view_if_needed()
    until = time.monotonic() + TIMEOUT_MS / 1000
    while True:
        picture = np.asarray(Image.open(io.BytesIO(chart.screenshot())).convert("RGB")).astype(int)
        found = np.argwhere(np.abs(picture - np.array(color)).sum(axis=2) <= 6)
        if len(found) >= at_least:
            return found
        if time.monotonic() > until:
            pytest.fail(f"the map shows {len(found)} pixels of {color}, not {at_least}")
        page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")


def pick_mark(page: Page, color: tuple[int, int, int], *, tooltip: str, answer: Locator) -> None:
    """Click the middle of the marks in this color on a light map, until the page responds.

    A map accepts no click before it is completely painted, and then only on what it has found under the pointer.
    """
    # Picking reads the map's own rendering. Wait for the countries, which are painted last.
    wait_for_color(page, rgb(GROUNDS["light"].land), at_least=2000)
    y, x = wait_for_color(page, color, at_least=20).mean(axis=0)
    chart = page.get_by_test_id("stDeckGlJsonChart")
    point_at(chart, x, y)
    expect(chart.get_by_text(tooltip)).to_be_visible()
    for _ in range(9):
        click_map(chart, x, y)
        with suppress(PlaywrightTimeout):
            answer.wait_for(timeout=10_000)
            break
    expect(answer).to_be_visible()
    # Away from the mark, which is lighter under the pointer.
    page.mouse.move(4, 4)


def point_at(chart: Locator, x: float, y: float) -> None:
    """Move the pointer to a point of a map, from its upper left corner, and wait until that is painted."""
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    assert box is not None
    chart.page.mouse.move(box["x"] + x, box["y"] + y)
    chart.screenshot()


def click_map(chart: Locator, x: float, y: float) -> None:
    """Click at a point of a map, from its upper left corner.

    To the map, a press of more than a quarter of a second is not a click. A press takes longer while the map is
    painted, such as the mark under the pointer.
    """
    point_at(chart, x, y)
    chart.page.mouse.down()
    chart.page.mouse.up()
