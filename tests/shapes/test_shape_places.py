"""Features outside the place in their attributes, at 0, 0, or far from all others."""

from __future__ import annotations

import json
from typing import Any

import pytest

from domain.preparedness.shape_library.shape_places import add_place_findings
from shapes.findings import Finding
from shapes.preparing import Prepared, PrepareOptions
from tests.shapes.conftest import Prepare


def areas(*corners: tuple[float, float], **properties: Any) -> bytes:
    """Return small areas at these corners, all with the same properties."""
    features = [
        {
            "type": "Feature",
            "properties": properties,
            "geometry": {
                "type": "Polygon",
                "coordinates": [[[x, y], [x + 0.1, y], [x + 0.1, y + 0.1], [x, y + 0.1], [x, y]]],
            },
        }
        for x, y in corners
    ]
    return json.dumps({"type": "FeatureCollection", "features": features}).encode()


def prepare_areas(prepare_file: Prepare, content: bytes, *repairs: str) -> Prepared:
    return add_place_findings(
        prepare_file("areas.geojson", content, *repairs), PrepareOptions(".zip", frozenset(repairs))
    )


def get_finding(result: Prepared, code: str) -> Finding:
    [only] = [each for each in result.findings if each.code == code]
    return only


@pytest.mark.parametrize(
    ("corners", "code"),
    [
        (((151.1, 33.8), (150.9, 33.7)), "latitude"),
        (((-151.1, -33.8),), "longitude"),
        (((-33.8, 151.1 - 90),), "elsewhere"),
        (((-33.8, 31.1),), "elsewhere"),
    ],
)
def test_swapped_coordinates_are_corrected_if_that_moves_features_into_their_country(
    prepare_file: Prepare, corners: tuple[tuple[float, float], ...], code: str
) -> None:
    content = areas(*corners, COUNTRY="Australia")
    result = prepare_areas(prepare_file, content)
    assert get_finding(result, code).count == len(corners)
    assert get_finding(result, code).blocks
    assert result.files == ()
    repaired = prepare_areas(prepare_file, content, code)
    assert get_finding(repaired, code).is_repaired
    assert repaired.files
    if code != "elsewhere":
        assert repaired.extent is not None
        assert repaired.extent[0] > 150
        assert repaired.extent[3] < -33


def test_each_country_that_does_not_match_its_features_is_reported(prepare_file: Prepare) -> None:
    content = areas((2.3, 48.8), (30.0, 10.0), COUNTRY="Italy").replace(b'"Italy"', b'"Germany"', 1)
    message = get_finding(prepare_areas(prepare_file, content), "elsewhere").message
    assert "(Germany)" in message
    assert "(Italy)" in message


def test_one_of_several_features_in_another_country_is_a_warning_and_one_at_sea_an_error(
    prepare_file: Prepare,
) -> None:
    inside, abroad, at_sea = (8.0, 47.0), (2.3, 48.8), (-30.0, 40.0)
    warned = get_finding(prepare_areas(prepare_file, areas(inside, abroad, ADMIN="CHE")), "elsewhere")
    assert (warned.blocks, warned.features) == (False, (2,))
    error = get_finding(prepare_areas(prepare_file, areas(inside, at_sea, ADMIN="CHE")), "elsewhere")
    assert (error.blocks, error.features) == (True, (2,))
    assert "1 feature is at sea." in error.message


def test_a_vertex_at_0_0_far_from_the_others_can_be_left_out(prepare_file: Prepare) -> None:
    content = areas((8.0, 47.0), (8.2, 47.0)).replace(b"[8.1, 47.1]", b"[0.0, 0.0]")
    assert get_finding(prepare_areas(prepare_file, content), "zero").features == [1]
    assert get_finding(prepare_areas(prepare_file, content), "zero").blocks
    assert prepare_areas(prepare_file, content, "zero", "loss").files[0].features == 1
    at_zero = areas((0.0, 0.0), (-0.1, 0.0))
    assert "zero" not in [each.code for each in prepare_areas(prepare_file, at_zero).findings], (
        "an area may have a corner at 0, 0"
    )


def test_a_feature_without_a_country_far_from_all_others_is_reported(prepare_file: Prepare) -> None:
    result = prepare_areas(prepare_file, areas(*((151 + number / 5, -33.0) for number in range(12)), (151.0, 33.0)))
    assert (get_finding(result, "far").features, get_finding(result, "far").blocks) == ((13,), False)
    assert result.files
