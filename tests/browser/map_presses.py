"""Maps that the processor paints: what they show, and pressing on them."""

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


def painted(
    page: Page, colour: tuple[int, int, int], *, at_least: int, number: int = 0, chart: Locator | None = None
) -> np.ndarray:
    """Wait until a map shows so many pixels of a color, and return where: rows of (y, x) in the map's picture."""
    chart = chart or page.get_by_test_id("stDeckGlJsonChart").nth(number)
    chart.wait_for()
    chart.scroll_into_view_if_needed()
    until = time.monotonic() + TIMEOUT_MS / 1000
    while True:
        picture = np.asarray(Image.open(io.BytesIO(chart.screenshot())).convert("RGB")).astype(int)
        found = np.argwhere(np.abs(picture - np.array(colour)).sum(axis=2) <= 6)
        if len(found) >= at_least:
            return found
        if time.monotonic() > until:
            pytest.fail(f"the map shows {len(found)} pixels of {colour}, not {at_least}")
        page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")


def pick_mark(page: Page, colour: tuple[int, int, int], *, tooltip: str, answer: Locator) -> None:
    """Press the middle of the marks in this colour on a light map, until the page answers.

    A map takes no press before it is painted whole, and then only what it has looked at under the pointer.
    """
    # Picking reads the map's own rendering: wait for the countries, which come last.
    painted(page, rgb(GROUNDS["light"].land), at_least=2000)
    y, x = painted(page, colour, at_least=20).mean(axis=0)
    chart = page.get_by_test_id("stDeckGlJsonChart")
    point_at(chart, x, y)
    expect(chart.get_by_text(tooltip)).to_be_visible()
    for _ in range(9):
        press_on_map(chart, x, y)
        with suppress(PlaywrightTimeout):
            answer.wait_for(timeout=10_000)
            break
    expect(answer).to_be_visible()
    # Away from the mark, which is lighter under the pointer.
    page.mouse.move(4, 4)


def point_at(chart: Locator, x: float, y: float) -> None:
    """Bring the pointer to a place of a map, counted from its upper left corner, and wait until it is painted so."""
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    assert box is not None
    chart.page.mouse.move(box["x"] + x, box["y"] + y)
    chart.screenshot()


def press_on_map(chart: Locator, x: float, y: float) -> None:
    """Press at a place of a map, counted from its upper left corner.

    A press longer than a quarter of a second is no click to the map, and one that comes while the map is painted, such
    as the mark that the pointer came over, takes longer.
    """
    point_at(chart, x, y)
    chart.page.mouse.down()
    chart.page.mouse.up()
