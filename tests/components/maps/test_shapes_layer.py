"""The map of shapes: the drawn geometry, its labels, and the limit of one map."""

from __future__ import annotations

import json
from typing import Any

from components.maps import shapes_layer
from components.maps.deck import Drawn
from components.maps.shapes_layer import shapes_map_of
from domain.geography.distance import WGS84
from domain.maps.map_shape import Shape
from domain.maps.viewport import CLOSEST_FIT

POINT = {"type": "Point", "coordinates": [8.5, 47.4]}
LINE = {"type": "LineString", "coordinates": [[8.5, 47.4], [8.6, 47.5, 400]]}
AREA = {"type": "Polygon", "coordinates": [[[8.5, 47.4], [8.6, 47.4], [8.6, 47.5], [8.5, 47.4]]]}


def draw_map(*shapes: Shape) -> Drawn:
    return shapes_map_of(shapes, theme="light", width=600, height=300)


def features(shapes_map: Drawn) -> list[dict[str, Any]]:
    layers = {layer["id"]: layer for layer in json.loads(shapes_map.deck.to_json())["layers"]}
    found: list[dict[str, Any]] = layers["shapes"]["data"]["features"]
    return found


def read_zoom(shapes_map: Drawn) -> float:
    return float(json.loads(shapes_map.deck.to_json())["initialViewState"]["zoom"])


def test_points_lines_and_polygons_are_drawn_with_their_names() -> None:
    shapes_map = draw_map(Shape("Depot", "D-1", POINT), Shape("Road", "", LINE), Shape("Plant", "", AREA))
    assert [each["geometry"] for each in features(shapes_map)] == [POINT, LINE, AREA]
    assert features(shapes_map)[0]["properties"] == {"n": "Depot", "d": "D-1"}
    assert shapes_map.description == "Map of 3 places: Depot, Road, Plant."


def test_shapes_with_issues_are_drawn_on_top_larger_and_in_another_color() -> None:
    shapes_map = draw_map(
        Shape("Bad", "", POINT, "error"), Shape("Depot", "", POINT), Shape("Odd", "", POINT, "warning")
    )
    layers = [layer for layer in json.loads(shapes_map.deck.to_json())["layers"] if layer["id"].startswith("shapes")]
    assert [layer["id"] for layer in layers] == ["shapes", "shapes-warning", "shapes-error"]
    assert [layer["data"]["features"][0]["properties"]["n"] for layer in layers] == ["Depot", "Odd", "Bad"]
    assert layers[0]["getPointRadius"] < layers[1]["getPointRadius"] == layers[2]["getPointRadius"]
    assert len({tuple(layer["getFillColor"]) for layer in layers}) == 3


def test_each_selection_renames_the_layers_so_that_the_browser_forgets_its_own() -> None:
    shapes = [Shape("Depot", "", POINT, id="1"), Shape("Road", "", LINE, id="2")]
    shapes_map = shapes_map_of(shapes, theme="light", width=600, height=300, selected="2")
    layers = {layer["id"]: layer for layer in json.loads(shapes_map.deck.to_json())["layers"]}
    assert [each["id"] for each in layers["shapes/2"]["data"]["features"]] == ["1"]
    assert [each["id"] for each in layers["shapes-warning/2"]["data"]["features"]] == ["2"]


def test_each_part_of_a_geometry_collection_is_drawn() -> None:
    inner = {"type": "GeometryCollection", "geometries": [LINE]}
    shapes_map = draw_map(Shape("Both", "", {"type": "GeometryCollection", "geometries": [POINT, inner]}))
    assert [(each["geometry"], each["properties"]["n"]) for each in features(shapes_map)] == [
        (POINT, "Both"),
        (LINE, "Both"),
    ]


def test_unknown_fields_of_a_geometry_are_not_mistaken_for_parts() -> None:
    assert [each["geometry"] for each in features(draw_map(Shape("Odd", "", POINT | {"geometries": 3})))] == [POINT]


def test_texts_of_a_shape_are_not_evaluated_in_the_browser() -> None:
    shapes_map = draw_map(Shape("@@=alert(1)", "{n}", {**POINT, "extra": "@@=alert(1)"}))
    assert "@@=" not in json.dumps(features(shapes_map)).replace("\\u2060@@=", "")
    assert features(shapes_map)[0]["properties"]["d"] != "{n}"


def test_a_map_zooms_in_closer_on_a_polygon_than_on_a_point() -> None:
    assert read_zoom(draw_map(Shape("Depot", "", POINT))) == CLOSEST_FIT
    assert read_zoom(draw_map(Shape("Plant", "", AREA))) > CLOSEST_FIT


def test_a_map_with_surroundings_has_city_names_and_a_scale_of_round_length() -> None:
    area = {"type": "Polygon", "coordinates": [[[11.3, 48.0], [11.8, 48.0], [11.8, 48.3], [11.3, 48.0]]]}
    shapes_map = shapes_map_of([Shape("", "", area)], theme="light", width=600, height=300, has_surroundings=True)
    layers = {layer["id"]: layer for layer in json.loads(shapes_map.deck.to_json())["layers"]}
    assert "Munich" in [each["t"] for each in layers["names"]["data"]]
    [[west, south], [east, _]] = layers["scale"]["data"]["features"][0]["geometry"]["coordinates"]
    _, _, meters = WGS84.inv(west, south, east, south)
    [scale] = layers["scale-text"]["data"]
    assert scale["t"] == f"{meters / 1000:.0f} km" == "20 km"


def test_shapes_beyond_the_limit_of_a_map_are_counted(monkeypatch: Any) -> None:
    monkeypatch.setattr(shapes_layer, "MOST_POSITIONS", 5)
    shapes_map = draw_map(Shape("Plant", "", AREA), Shape("Depot", "", POINT), Shape("Other", "", POINT))
    assert (len(features(shapes_map)), shapes_map.left_out) == (2, 1)


def test_a_map_without_shapes_has_an_empty_description() -> None:
    assert draw_map().description == "Map."
