"""Pressing on a map that the processor paints."""

from __future__ import annotations

from playwright.sync_api import Locator


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
