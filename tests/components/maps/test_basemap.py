"""The basemap: the committed file, and how polygons are cut at the date line."""

import importlib.util
import json
import math
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.maps.deck import ground_layers, static_url
from domain.geography.countries import all_countries

PROJECT = Path(__file__).resolve().parents[3]
FILE = PROJECT / "static" / "basemap" / "countries.geojson"


def load_script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_basemap", PROJECT / "scripts" / "build_basemap.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SCRIPT = load_script()


@pytest.fixture(scope="module")
def features() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))["features"]
    return found


def lines(feature: dict[str, Any]) -> Iterator[list[list[float]]]:
    for part in feature["geometry"]["coordinates"]:
        if feature["geometry"]["type"] == "MultiPolygon":
            yield from part
        else:
            yield part


def area(ring: list[tuple[float, float]]) -> float:
    return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairwise(ring))) / 2


def test_the_file_has_the_expected_size() -> None:
    assert 500_000 <= FILE.stat().st_size <= 1_000_000


def test_every_point_is_valid_and_no_edge_spans_more_than_half_the_world(features: list[dict[str, Any]]) -> None:
    for feature in features:
        for line in lines(feature):
            assert all(-180 <= lon <= 180 and -90 <= lat <= 90 for lon, lat in line), feature["properties"]
            for (lon1, lat1), (lon2, lat2) in pairwise(line):
                along_the_pole = lat1 == lat2 == -90
                assert along_the_pole or abs(lon2 - lon1) <= 180, feature["properties"]


def test_rings_are_closed(features: list[dict[str, Any]]) -> None:
    for feature in features:
        if feature["geometry"]["type"] == "MultiPolygon":
            for ring in lines(feature):
                assert ring[0] == ring[-1]
                assert len(ring) >= 4


def test_countries_have_the_same_codes_and_names_as_in_the_rest_of_muster(features: list[dict[str, Any]]) -> None:
    countries = all_countries()
    names = {feature["properties"]["code"]: feature["properties"]["name"] for feature in features}
    assert {"KW", "SG", "RU", "FJ", "US", "AQ", "XK", "NO", "FR"} <= set(names)
    for code, name in names.items():
        assert not code or countries[code] == name


def test_countries_on_the_date_line_extend_to_both_sides_of_it(features: list[dict[str, Any]]) -> None:
    for code in ("RU", "FJ", "AQ"):
        (country,) = [feature for feature in features if feature["properties"]["code"] == code]
        longitudes = [lon for line in lines(country) for lon, _ in line]
        assert min(longitudes) == -180
        assert max(longitudes) == 180


def test_no_border_runs_along_the_date_line(features: list[dict[str, Any]]) -> None:
    (borders,) = [feature for feature in features if feature["geometry"]["type"] == "MultiLineString"]
    for line in lines(borders):
        assert not [a for a, b in pairwise(line) if abs(a[0]) == abs(b[0]) == 180]


def test_a_polygon_across_the_date_line_is_cut_in_two_with_the_same_total_area() -> None:
    ring = [(170.0, 0.0), (-170.0, 0.0), (-170.0, 10.0), (170.0, 10.0), (170.0, 0.0)]
    pieces = SCRIPT.cut([ring])
    assert len(pieces) == 2
    assert sum(area(piece[0]) for piece in pieces) == pytest.approx(200)
    assert {max(x for x, _ in piece[0]) for piece in pieces} == {180, -170}


def test_a_hole_stays_in_its_piece() -> None:
    ring = [(160.0, 0.0), (-160.0, 0.0), (-160.0, 10.0), (160.0, 10.0), (160.0, 0.0)]
    hole = [(-175.0, 2.0), (-170.0, 2.0), (-170.0, 5.0), (-175.0, 5.0), (-175.0, 2.0)]
    pieces = SCRIPT.cut([ring, hole])
    assert sorted(len(piece) for piece in pieces) == [1, 2]
    (with_hole,) = [piece for piece in pieces if len(piece) == 2]
    assert max(x for x, _ in with_hole[0]) == -160


def test_a_hole_across_the_date_line_is_cut() -> None:
    ring = [(160.0, 0.0), (-160.0, 0.0), (-160.0, 10.0), (160.0, 10.0), (160.0, 0.0)]
    hole = [(175.0, 2.0), (-175.0, 2.0), (-175.0, 5.0), (175.0, 5.0), (175.0, 2.0)]
    pieces = SCRIPT.cut([ring, hole])
    assert sum(area(piece[0]) for piece in pieces) == pytest.approx(400 - 30)


def test_a_ring_around_the_pole_encloses_the_pole() -> None:
    ring = [(float(lon), -70.0) for lon in (-180, -90, 0, 90)] + [(-180.0, -70.0)]
    pieces = SCRIPT.cut([ring])
    assert sum(area(piece[0]) for piece in pieces) == pytest.approx(360 * 20)


def test_a_polygon_away_from_the_date_line_is_unchanged() -> None:
    ring = [(10.0, 0.0), (20.0, 0.0), (20.0, 10.0), (10.0, 0.0)]
    assert SCRIPT.cut([ring]) == [[ring]]


@given(st.lists(st.floats(1, 40), min_size=5, max_size=12), st.floats(-180, 180))
def test_cutting_a_star_at_any_longitude_preserves_its_area(reaches: list[float], center: float) -> None:
    count = len(reaches)
    # The same radius for both coordinates: the outline of a star must not cross itself.
    star = [
        (
            round(center + reach * math.cos(2 * math.pi * i / count), 6),
            round(reach * math.sin(2 * math.pi * i / count), 6),
        )
        for i, reach in enumerate(reaches)
    ]
    # As in the source data: every longitude is from -180 to 180.
    stitched = [((lon + 180) % 360 - 180, lat) for lon, lat in [*star, star[0]]]
    pieces = SCRIPT.cut([stitched])
    assert sum(area(piece[0]) for piece in pieces) == pytest.approx(area([*star, star[0]]), rel=1e-3, abs=1e-2)
    for piece in pieces:
        assert all(-180 <= x <= 180 for x, _ in piece[0])


def test_the_basemap_is_an_image_of_the_world_and_polygons_when_zoomed_in() -> None:
    (world,) = ground_layers("dark", 1.0, "/muster")
    assert world["image"] == "/muster/app/static/map/world-dark.png"
    assert (PROJECT / "static" / "map" / "world-dark.png").is_file()
    closer = ground_layers("dark", 4.0)
    assert closer[-1]["data"] == "/app/static/basemap/countries.geojson"
    for layer in [world, *closer]:
        # Streamlit fades these colors in every layer after a selection.
        assert not {"getFillColor", "getColor", "getLineColor"} & set(layer)
        assert layer["pickable"] is False


@pytest.mark.parametrize(("base", "url"), [("", "/app/static/x"), ("/muster/", "/muster/app/static/x")])
def test_addresses_respect_the_base_path(base: str, url: str) -> None:
    assert static_url("x", base) == url
