"""Fitting to a limit: the result always fits, has every feature with its type, and is valid."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shapes.features import Layer
from shapes.file_writers import write_kml, write_layer
from shapes.polygon_repairs import repair_invalid
from shapes.simplifying import NoFitError, measure_loss, simplify_to_fit, split
from tests.generated_shapes import neighbors

KIND = st.sampled_from([".zip", ".kml"])
STEPS = st.integers(-1000, 1000)


def layer_of(shapes: Any) -> Layer:
    """Return a layer of these shapes with names."""
    return Layer(np.asarray(shapes, dtype=object), {"name": [f"Region {place}" for place in range(len(shapes))]})


@st.composite
def lands(draw: st.DrawFn) -> Any:
    """Draw neighboring areas with rugged borders anywhere, and others with holes and islands."""
    across, along, steps = draw(st.integers(1, 3)), draw(st.integers(1, 3)), draw(st.integers(1, 40))
    west, south = draw(st.floats(-170, 160)), draw(st.floats(-80, 70))
    shapes = list(neighbors(across, along, steps, west=west, south=south, size=draw(st.sampled_from([0.001, 0.5, 2]))))
    for _ in range(draw(st.integers(0, 3))):
        positions = draw(st.lists(st.tuples(STEPS, STEPS), min_size=3, max_size=20))
        at = np.array(positions) / 1000 + np.array([west, south])
        area = repair_invalid(np.array([shapely.polygons(at)]))[0]
        shapes += [] if area.is_empty else [area]
    if draw(st.booleans()):
        shapes.append(shapely.union_all(shapely.buffer(shapely.points(west + np.arange(4) / 3, [south] * 4), 0.1)))
        shapes.append(
            shapely.difference(
                shapely.box(west, south, west + 1, south + 1),
                shapely.buffer(shapely.Point(west + 0.5, south + 0.5), 0.2),
            )
        )
    return np.array(shapes, dtype=object)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(shapes=lands(), kind=KIND, share=st.floats(0, 1), data=st.data())
def test_simplified_shapes_fit_and_stay_valid_and_complete(
    shapes: Any, kind: str, share: float, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.getbasetemp()
    lines = data.draw(st.booleans()) and kind == ".kml"
    if lines:
        road = shapely.linestrings(np.column_stack([np.linspace(0, 3, 200), np.sin(np.linspace(0, 60, 200))]))
        shapes = np.array([*shapes, road, shapely.Point(1, 2)], dtype=object)
    layer = layer_of(shapes)

    def size(each: Layer) -> int:
        return len(write_layer(each, kind, folder))

    plainest = layer_of([to_boxes(each) for each in shapes])
    least, most = size(plainest) * 1.25, size(layer)
    limit = int(least + share * max(0, most - least))
    after = simplify_to_fit(layer, limit, size)
    assert size(after) <= limit
    assert after.columns == layer.columns
    assert len(after.shapes) == len(shapes)
    assert shapely.is_valid(after.shapes).all()
    assert not shapely.is_empty(after.shapes).any()
    assert (shapely.get_dimensions(after.shapes) == shapely.get_dimensions(shapes)).all()
    assert measure_loss(layer.shapes, after.shapes).shift >= 0


def to_boxes(shape: Any) -> Any:
    """Return the bounding boxes of all rings of an area, and other shapes unchanged."""
    if shapely.get_dimensions(shape) < 2:
        return shape
    return shapely.multipolygons(shapely.box(*shapely.bounds(shapely.get_rings(shape)).T))


def test_an_area_whose_border_overlaps_itself_is_made_valid() -> None:
    """GEOS makes two parts of it that share a piece of an edge."""
    at = [(1, 9.5), (1.999, 9.5), (1, 10.00001), (1, 10), (0.5, 10.000061), (1, 10.999), (1, 10 + 1 / 3)]
    repaired = repair_invalid(np.array([shapely.Polygon(at)]))
    assert shapely.is_valid(repaired).all()
    assert shapely.area(repaired).sum() == pytest.approx(0.5, rel=0.01)


@pytest.mark.parametrize("kind", [".zip", ".kml"])
def test_shared_borders_stay_shared(kind: str, tmp_path: Path) -> None:
    shapes = neighbors(4, 3, 300)
    layer = layer_of(shapes)
    assert shapely.coverage_is_valid(shapes)

    def size(each: Layer) -> int:
        return len(write_layer(each, kind, tmp_path))

    after = simplify_to_fit(layer, size(layer) // 8, size).shapes
    assert shapely.get_num_coordinates(after).sum() < shapely.get_num_coordinates(shapes).sum() / 3
    assert shapely.coverage_is_valid(after)


def test_coordinates_are_rounded_to_a_tenth_of_a_meter_before_vertices_are_removed(tmp_path: Path) -> None:
    layer = layer_of(neighbors(3, 3, 200))

    def size(each: Layer) -> int:
        return len(write_layer(each, ".zip", tmp_path))

    result = measure_loss(layer.shapes, simplify_to_fit(layer, int(size(layer) * 0.9), size).shapes)
    assert result.vertices_after == result.vertices_before
    assert 0 < result.shift < 0.1


def test_simplified_shapes_use_most_of_the_limit(tmp_path: Path) -> None:
    layer = layer_of(neighbors(4, 4, 400))

    def size(each: Layer) -> int:
        return len(write_layer(each, ".zip", tmp_path))

    for limit in (size(layer) // 3, size(layer) // 10):
        assert 0.9 * limit < size(simplify_to_fit(layer, limit, size)) <= limit


def test_the_largest_shift_is_in_meters() -> None:
    # A degree of latitude is 110.6 km at the equator. The removed corner is 0.01 degrees high.
    before = np.array([shapely.Polygon([(10, 0), (10.5, 0), (10.5, -0.01), (10.51, 0), (11, 0), (11, 1), (10, 1)])])
    after = np.array([shapely.Polygon([(10, 0), (11, 0), (11, 1), (10, 1)])])
    result = measure_loss(before, after)
    assert result.shift == pytest.approx(1106, rel=0.01)
    assert (result.vertices_before, result.vertices_after) == (8, 5)
    assert 0 < result.area_before - result.area_after < result.area_before / 1000


def test_islands_are_removed_if_fewer_vertices_are_not_enough_and_every_feature_stays(tmp_path: Path) -> None:
    islands = [shapely.Point(at % 40, at // 40).buffer(0.001 * (1 + at % 7)) for at in range(1200)]
    layer = layer_of([shapely.MultiPolygon(islands), shapely.box(100, 10, 101, 11)])
    after = simplify_to_fit(layer, 9_000, lambda each: len(write_kml(each))).shapes
    assert shapely.is_valid(after).all()
    assert measure_loss(layer.shapes, after).parts_removed > 900
    assert shapely.area(after[1]) == pytest.approx(1)


def test_a_shape_smaller_than_the_rounding_is_unchanged(tmp_path: Path) -> None:
    tiny = shapely.box(20.1, 50.1, 20.1 + 1e-8, 50.1 + 1e-8)
    layer = layer_of([*neighbors(2, 2, 200), tiny])
    after = simplify_to_fit(layer, 9_000, lambda each: len(write_layer(each, ".zip", tmp_path))).shapes
    assert shapely.is_valid(after).all()
    assert after[-1].equals(tiny)


def test_too_many_features_are_split_into_groups_of_neighbors() -> None:
    layer = layer_of([shapely.box(x, y, x + 1, y + 1) for x in range(20) for y in range(10)])

    def size(each: Layer) -> int:
        return len(write_kml(each))

    with pytest.raises(NoFitError, match="200 features"):
        simplify_to_fit(layer, 10_000, size)
    parts = split(layer, 10_000, size)
    assert 4 <= len(parts) <= 8
    assert all(size(part) <= 10_000 for part in parts)
    assert sorted(name for part in parts for name in part.columns["name"]) == sorted(layer.columns["name"])
    assert all(shapely.union_all(part.shapes).geom_type == "Polygon" for part in parts), (
        "each part is one group of neighbors"
    )


def test_a_feature_larger_than_the_limit_is_simplified_in_its_own_part() -> None:
    layer = layer_of([*neighbors(1, 1, 3000), shapely.box(20, 50, 21, 51)])
    parts = split(layer, 20_000, lambda each: len(write_kml(each)))
    assert [len(part.shapes) for part in parts] == [1, 1]
    assert all(len(write_kml(part)) <= 20_000 for part in parts)
