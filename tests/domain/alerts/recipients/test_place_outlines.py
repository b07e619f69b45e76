"""Outlines and county codes of places in a CAP document."""

from __future__ import annotations

import pytest
from shapely.geometry import Point, Polygon, shape

from client.models.public_lookups import Regions
from domain.alerts.cap.cap_writing import CapArea
from domain.alerts.recipients.place_outlines import areas_of
from domain.alerts.recipients.regions import RegionCatalog
from domain.alerts.recipients.us_places import us_counties, us_places
from tests.domain.alerts.recipients.sample_regions import region

BOULDER, LYONS, ZIP_CODE, BOX, COUNTY, DENVER, NOWHERE = range(1, 8)


@pytest.fixture(scope="module")
def catalog() -> RegionCatalog:
    return RegionCatalog(
        Regions(
            cities=[region(BOULDER, "Boulder", "CO"), region(LYONS, "Lyons", "CO"), region(NOWHERE, "Atlantis", "CO")],
            zipcodes=[region(ZIP_CODE, "80302", "CO"), region(BOX, "80306", "CO")],
            counties=[region(COUNTY, "Boulder County", "CO"), region(DENVER, "Denver County", "CO")],
        ),
        us_places(),
    )


def outline(area: CapArea) -> list[Polygon]:
    """Read the polygons as another system would: closed, at least four corners, latitude first."""
    found = []
    for text in area.polygons:
        corners = [tuple(map(float, corner.split(","))) for corner in text.split(" ")]
        assert corners[0] == corners[-1]
        assert len(corners) >= 4
        found.append(Polygon([(lon, lat) for lat, lon in corners]))
    return found


@pytest.mark.parametrize("place", [BOULDER, LYONS, ZIP_CODE, BOX, COUNTY])
def test_a_place_has_the_codes_of_its_county_and_an_outline_in_it(place: int, catalog: RegionCatalog) -> None:
    area = areas_of(catalog, [place])[place]
    assert area.codes == (("FIPS6", "008013"), ("SAME", "008013"))
    county, us = us_counties().find_by_number("08013"), catalog.us_place(place)
    assert county is not None
    assert us is not None
    polygons = outline(area)
    assert any(polygon.buffer(0.001).contains(Point(us.lon, us.lat)) for polygon in polygons)
    assert all(polygon.is_valid and shape(county.geometry).buffer(0.001).contains(polygon) for polygon in polygons)


def test_outlines_of_places_are_smaller_than_their_county_and_do_not_overlap(catalog: RegionCatalog) -> None:
    areas = areas_of(catalog, [BOULDER, LYONS, ZIP_CODE, COUNTY])
    boulder, lyons, zip_code, county = (sum(each.area for each in outline(area)) for area in areas.values())
    assert zip_code < boulder < county / 2
    assert lyons < county / 2
    one, other = (outline(areas[place])[0].buffer(-0.001) for place in (BOULDER, LYONS))
    assert not one.intersects(other)


def test_an_unknown_place_has_only_its_name(catalog: RegionCatalog) -> None:
    assert areas_of(catalog, [NOWHERE, 99]) == {NOWHERE: CapArea("Atlantis, CO")}
