"""The map of the recipients: counties as areas, cities and ZIP codes as points."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from client.models.public_lookups import Regions
from components.alerts.recipients.reach_map import (
    COUNTIES,
    FOUND,
    MOST_POINTS,
    PLACES,
    ReachMap,
    circle,
    ground_of,
    ids_of,
    reach_map_of,
)
from domain.alerts.recipients.regions import RegionCatalog
from domain.alerts.recipients.us_places import us_places
from tests.domain.alerts.recipients.sample_regions import CATALOG, region


@cache
def build_catalog() -> RegionCatalog:
    """Return a catalog with place data. Reading it takes a second, so only on first use."""
    return RegionCatalog(
        Regions(
            cities=[region(1, "Boulder", "CO"), region(2, "Denver", "CO"), region(3, "Nowhere", "CO")],
            zipcodes=[region(80302, "80302", "CO")],
            counties=[region(11, "Boulder County", "CO"), region(12, "Aleutians West Census Area", "AK")],
        ),
        us_places(),
    )


def draw_map(*ids: int, catalog: RegionCatalog | None = None, **options: Any) -> ReachMap:
    """Return the map of these places."""
    return reach_map_of(
        catalog or build_catalog(),
        ids,
        **{"is_picked_on": True, "theme": "light", "width": 400, "height": 300, **options},
    )


def layers(reach_map: ReachMap) -> dict[str, Any]:
    """Return the layers of a map by name."""
    return {layer["id"]: layer for layer in json.loads(reach_map.deck.to_json())["layers"]}


def list_names(reach_map: ReachMap, layer: str) -> list[str]:
    """Return the names of the places in a layer."""
    return [each["properties"]["n"] for each in layers(reach_map)[layer]["data"]["features"]]


def test_counties_are_areas_and_cities_and_zip_codes_points():
    reach_map = draw_map(11, 1, 80302)
    assert list_names(reach_map, PLACES) == ["Boulder, CO", "80302, CO"]
    (county,) = layers(reach_map)["reached"]["data"]["features"]
    assert county["geometry"]["type"] == "MultiPolygon"
    assert reach_map.description == "Map of the recipients: Boulder County, CO, Boulder, CO, and 80302, CO."
    assert reach_map.left_out == 0


def test_county_borders_are_loaded_by_url_and_selectable_only_on_an_editable_map():
    """The browser loads the borders once. The map of the review is read-only."""
    borders = layers(draw_map(11))[COUNTIES]
    assert borders["data"] == "/app/static/basemap/counties.geojson"
    assert (borders["pickable"], borders["filled"], borders["stroked"]) == (True, True, False)
    assert borders["_subLayerProps"]["linestrings"]["pickable"] is False, "selectable lines are slow"
    borders = layers(draw_map(11, is_picked_on=False, base_path="muster"))[COUNTIES]
    assert borders["data"] == "/muster/app/static/basemap/counties.geojson"
    assert borders["pickable"] is False


def test_selected_places_have_a_ring_and_drawn_areas_an_outline():
    reach_map = draw_map(1, selected_ids=["08013", "id 1"], area=circle(40.0, -105.3, 10))
    assert len(layers(reach_map)["ringed"]["data"]["features"]) == 1
    assert layers(reach_map)["area"]["data"]["features"][0]["geometry"]["type"] == "Polygon"
    order = list(layers(reach_map))
    assert order.index("area") < order.index(PLACES), "an area across the date line would cover its points"
    assert layers(draw_map(1))["area"]["data"]["features"] == []


def test_search_results_are_hollow_until_they_are_selected():
    found = build_catalog().search.find_places("boulder")
    assert list_names(draw_map(2, matches=found), "found") == ["Boulder, CO"]
    assert list_names(draw_map(1, matches=found), "found") == []


def test_the_map_shows_the_selected_places_or_the_country_without_any():
    near = draw_map(80302).view
    assert (round(near.latitude), round(near.longitude)) == (40, -105)
    assert draw_map().view.zoom < 4
    assert draw_map().description == "Map of the recipients: no place selected."
    assert draw_map(80302, previous_view=near).view == near


def test_places_without_coordinates_are_omitted_and_counted():
    assert draw_map(1, 3).left_out == 1
    assert draw_map(1, catalog=CATALOG).left_out == 1
    assert MOST_POINTS > 1_000


def test_a_county_across_the_date_line_is_drawn_without_a_streak():
    (county,) = layers(draw_map(12))["reached"]["data"]["features"]
    for polygon in county["geometry"]["coordinates"]:
        longitudes = [lon for lon, _ in polygon[0]]
        assert max(longitudes) - min(longitudes) < 90


def test_selecting_a_county_selects_all_its_ids_and_names_unavailable_places():
    """A county is identified by its number, a point by its ID."""
    assert ids_of(build_catalog(), ["08013", "id 80302", "08013"]) == ([11, 80302], [])
    assert ids_of(build_catalog(), ["08069"]) == ([], ["Larimer County, CO"])
    catalog = RegionCatalog(
        Regions(counties=[region(5, "Anchorage Municipality", "AK"), region(6, "Municipality of Anchorage", "AK")]),
        us_places(),
    )
    assert ids_of(catalog, ["02020"]) == ([5, 6], [])


def test_a_place_is_not_mistaken_for_a_county_with_the_same_number():
    """Some services use ZIP codes as IDs. 48201 is a ZIP code in Detroit and the number of a county in Houston."""
    catalog = RegionCatalog(
        Regions(zipcodes=[region(48201, "48201", "MI")], counties=[region(7, "Harris County", "TX")]), us_places()
    )
    (dot,) = layers(draw_map(48201, catalog=catalog))[PLACES]["data"]["features"]
    assert ids_of(catalog, [dot["id"]]) == ([48201], [])
    assert ids_of(catalog, ["48201"]) == ([7], [])
    assert layers(draw_map(48201, catalog=catalog, selected_ids=[dot["id"]]))["ringed"]["data"]["features"] == []


def test_a_selected_point_keeps_its_row_when_the_rows_change():
    """The browser stores a selection by row and would select the point that moves into the row."""
    before = layers(draw_map(2, matches=build_catalog().search.find_places("boulder")))[FOUND]["data"]["features"]
    assert [each["id"] for each in before] == ["id 1"]
    pinned = {PLACES: {1: "id 2"}, FOUND: {0: "id 1"}}
    reach_map = draw_map(1, 2, 80302, matches=build_catalog().search.find_places("boulder"), pinned=pinned)
    (blank,) = layers(reach_map)[FOUND]["data"]["features"]
    assert (blank["id"], blank["geometry"]["coordinates"]) == ("id 1", [])
    fewer = draw_map(2, pinned=pinned)
    assert [each["id"] for each in layers(fewer)[PLACES]["data"]["features"]] == ["", "id 2"]
    assert (reach_map.left_out, fewer.left_out) == (0, 0)


def test_points_and_counties_have_labels():
    """A phone has no pointer to show a tooltip."""
    names = layers(draw_map(11, 1, 2, is_picked_on=False))["names"]["data"]
    assert {each["t"] for each in names} == {"Boulder", "Boulder County", "Denver"}
    assert layers(draw_map())["names"]["data"] == []


def test_the_tooltip_is_not_cut_off_on_a_narrow_map():
    style = draw_map(1).deck._tooltip["style"]
    assert (style["transform"], style["bottom"]) == ("none", "0")
    assert "transform" not in draw_map(1, width=900).deck._tooltip["style"]


def test_a_map_without_places_opens_at_the_usual_places_of_the_organization():
    at_home = draw_map(home=[1, 2]).view
    assert (round(at_home.latitude), round(at_home.longitude)) == (40, -105)
    assert at_home.zoom > 5
    assert draw_map(80302, home=[12]).view == draw_map(80302).view


def test_the_drawing_sheet_shows_the_same_places_and_larger_cities_nearby():
    reach_map = draw_map(11, 1, 3)
    ground = ground_of(build_catalog(), [11, 1, 3], reach_map, theme="light", base_path="muster")
    assert ground["ground"] == "/muster/app/static/basemap/counties.geojson"
    assert (ground["counties"], [name for *_, name in ground["dots"]]) == (["08013"], ["Boulder"])
    assert [name for *_, name in ground["towns"]] == ["Denver", "Boulder"]
    assert ground["view"]["zoom"] == round(reach_map.view.zoom, 2)
