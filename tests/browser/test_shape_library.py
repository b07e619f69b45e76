"""The shape library in a real browser: a projected shapefile above the limit is repaired, fitted, sent and deleted."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import shapely
from playwright.sync_api import Locator, Page, expect

from domain.maps.palette import OTHER_KIND, kind_colour
from tests.browser.map_presses import pick_mark
from tests.browser.usable import assert_usable
from tests.generated_shapes import in_system, kml_of, neighbors, shapefile_of

SignIn = Callable[..., Page]
PageAt = Callable[..., Page]
WaitUntilIdle = Callable[[Page], Page]

MEGABYTE = 2**20


def above_the_limit() -> bytes:
    """Return sixteen neighboring areas in UTM, and one that intersects itself."""
    bowtie = shapely.Polygon([(20, 50), (21, 51), (21, 50), (20, 51)])
    shapes = np.array([*neighbors(4, 4, 1700), bowtie])
    return shapefile_of(in_system(shapes, "EPSG:25832"), "EPSG:25832")


def test_a_projected_shapefile_above_the_limit_is_repaired_fitted_sent_and_deleted(
    sign_in_demo: SignIn, page_at: PageAt, wait_until_idle: WaitUntilIdle
) -> None:
    content = above_the_limit()
    assert len(content) > MEGABYTE
    page = sign_in_demo(page_at(1440, 900), "/shape-library?region=new")
    field = page.locator("input[type=file]").first
    field.set_input_files({"name": "land.zip", "mimeType": "application/zip", "buffer": content})
    expect(page.get_by_text("17 areas · ")).to_be_visible()
    expect(page.get_by_text("The coordinates are in EPSG:25832")).to_be_visible()
    expect(page.get_by_text("The limit is 1.00 MB")).to_be_visible()
    wait_until_idle(page)
    assert_usable(page)

    page.get_by_role("button", name="Repair").click()
    expect(page.get_by_role("button", name="Leave as it is")).to_be_visible()
    wait_until_idle(page)
    page.get_by_role("button", name="Fit to the limit").click()
    expect(page.get_by_text("MB of 1.00 MB allowed")).to_be_visible()
    expect(page.get_by_text("moved at most")).to_be_visible()
    wait_until_idle(page)
    assert_usable(page)

    page.get_by_role("textbox", name="Folder").fill("Europe")
    page.get_by_role("textbox", name="Region name").fill("Land of neighbours")
    page.get_by_role("textbox", name="Region name").press("Enter")
    wait_until_idle(page)
    page.get_by_role("button", name="Send to the library").click()
    expect(page.get_by_role("heading", name="Shapes")).to_be_visible()
    expect(page.get_by_text("In the library, in the folder Europe")).to_be_visible()
    wait_until_idle(page)
    assert_usable(page)

    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Delete region").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete Land of neighbours").click()
    expect(page.get_by_text("Deleted: Land of neighbours")).to_be_visible()


@pytest.mark.maps
def test_selecting_a_shape_on_the_map_selects_its_row_and_selecting_it_again_clears_it(
    sign_in_demo: SignIn, page_at: PageAt, wait_until_idle: WaitUntilIdle
) -> None:
    page = sign_in_demo(page_at(1440, 900), "/shape-library?region=new")
    shapes = neighbors(5, 5, 1)
    # The shape in the middle of the map is the last one: its row is on the second page.
    content = kml_of(np.array([*np.delete(shapes, 12), shapes[12]]))
    field = page.locator("input[type=file]").first
    field.set_input_files({"name": "grid.kml", "mimeType": "application/xml", "buffer": content})
    expect(page.get_by_test_id("stDeckGlJsonChart")).to_be_visible()
    wait_until_idle(page)

    def row(number: int, *, checked: bool) -> Locator:
        return page.get_by_role("checkbox", name=f"Select {number},", checked=checked)

    def select(*, is_then_checked: bool) -> None:
        color = kind_colour(OTHER_KIND, "light")
        pick_mark(page, color, tooltip="Feature 25", answer=row(25, checked=is_then_checked))
        wait_until_idle(page)

    select(is_then_checked=True)
    select(is_then_checked=False)
    row(24, checked=False).click()
    expect(row(24, checked=True)).to_be_visible()
    wait_until_idle(page)
    select(is_then_checked=True)
    expect(row(24, checked=False)).to_be_visible()
