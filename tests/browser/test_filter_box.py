"""A box drawn on the map becomes the rules of a contact filter that is saved."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from client.models.contact_filters import ContactFilter
from domain.maps.palette import GROUNDS, rgb
from tests.browser.dashboards import Dashboard
from tests.browser.map_presses import wait_for_color
from tests.browser.usable import assert_usable

PageAt = Callable[..., Page]
WaitUntilIdle = Callable[[Page], Page]
EDGES = ("North edge", "South edge", "West edge", "East edge")


def store_known_ids(dashboard: Dashboard) -> None:
    """Store a filter from which Muster learns the IDs of the contact fields."""
    rules = [
        {
            "contactFieldId": number,
            "columnName": name,
            "columnValue": 1,
            "type": "SYSTEM_OBJECT",
            "dataType": "NUMBER",
            "embeddedColumnName": "address",
            "operator": "LT",
            "contactFilterOption": "LT",
        }
        for name, number in (("gisLocation.lat", 227), ("gislocation.lon", 228))
    ]
    with dashboard.service.client() as client:
        client.contact_filters.create(ContactFilter.from_wire({"name": "Coordinates", "contactFilterRules": rules}))


@pytest.mark.maps
def test_a_box_is_drawn_on_the_map_and_saved_as_rules(
    dashboard: Dashboard, page_at: PageAt, wait_until_idle: WaitUntilIdle
) -> None:
    """The drawn edges are in the fields and in the filter that the service returns."""
    store_known_ids(dashboard)
    # The filters may have been read for an earlier test.
    page = dashboard.open(page_at(), "/contact-filters")
    wait_until_idle(page)
    page.get_by_role("button", name="Refresh").click()
    wait_until_idle(page)
    page.goto(f"{dashboard.muster.url}/contact-filter")
    wait_until_idle(page)
    page.get_by_role("textbox", name="Name", exact=True).fill("In the box")
    page.get_by_role("textbox", name="Name", exact=True).press("Tab")
    wait_until_idle(page)
    page.get_by_role("button", name="Select a box on a map").click()
    chart = page.locator(".place-map .frame")
    wait_for_color(page, rgb(GROUNDS["light"].land), at_least=2000, chart=chart)
    wait_until_idle(page)
    page.get_by_role("button", name="Rectangle").click()
    frame = chart.bounding_box()
    assert frame is not None
    middle = frame["x"] + frame["width"] / 2
    page.mouse.move(middle - 60, frame["y"] + 120)
    page.mouse.down()
    page.mouse.move(middle + 60, frame["y"] + 220, steps=3)
    page.mouse.up()
    expect(page.get_by_role("button", name="Clear area")).to_be_enabled()
    north, south, west, east = (page.get_by_role("textbox", name=name) for name in EDGES)
    expect(north).not_to_have_value("")
    wait_until_idle(page)
    assert_usable(page)
    edges = [float(field.input_value()) for field in (north, south, west, east)]
    assert edges[0] > edges[1]
    assert edges[2] < edges[3]
    page.get_by_role("button", name="Add 4 rules").click()
    expect(page.get_by_role("textbox", name="Rule 4: value")).to_be_visible()
    expect(chart).to_have_count(0)
    wait_until_idle(page)
    page.get_by_role("button", name="Save filter").click()
    expect(page.get_by_text("Last changed by")).to_be_visible()
    with dashboard.service.client() as client:
        (saved,) = [each for each in client.contact_filters.list() if each.name == "In the box"]
        stored = client.contact_filters.retrieve(saved.id or 0)
    assert [(each.column_name, each.operator) for each in stored.rules] == [
        ("gisLocation.lat", "LTE"),
        ("gisLocation.lat", "GTE"),
        ("gislocation.lon", "GTE"),
        ("gislocation.lon", "LTE"),
    ]
    assert [each.column_value for each in stored.rules] == edges
