"""Parts of an area in a link: drawn shapes as text, stored parts by name, and the view that shows them."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
import shapely

from domain.incidents.area import Area, circle, country, polygon
from domain.incidents.area_parts import (
    NOT_STORED,
    bounds_around,
    drawn_text,
    editable_ring,
    file_parts,
    incident_parts,
    joined_area,
    read_parts,
)
from domain.incidents.area_text import parse_area


def ring_of(area: Area) -> dict[str, Any]:
    drawn: dict[str, Any] = json.loads(shapely.to_geojson(area.geometry))
    return drawn


def no_incident(_: int) -> None:
    return None


def test_a_drawn_circle_becomes_a_circle_and_a_drawn_polygon_keeps_its_corners() -> None:
    assert drawn_text(ring_of(circle(27.7, 85.3, 40))) == "circle:27.7000,85.3000,40km"
    text = drawn_text({"type": "Polygon", "coordinates": [[[179, -18], [182, -18], [182, -16], [179, -18]]]})
    assert text == "polygon:-18.0000,179.0000 -18.0000,182.0000 -16.0000,182.0000"
    assert parse_area(text).geometry.equals(polygon([(-18, 179), (-18, -178), (-16, -178)]).geometry)


def test_stored_parts_are_found_by_their_content() -> None:
    area = circle(27.7, 85.3, 40, label="Valley") | country("BT") | polygon([(1, 1), (1, 2), (2, 2)])
    stored = json.loads(json.dumps(area.to_geojson()))
    names = incident_parts(12, stored)
    parts = read_parts(names, {}, {12: stored}.get)
    joined = joined_area(parts)
    assert joined is not None
    assert joined.label == area.label
    assert [part.label for part in parts] == ["Valley", "Bhutan", "Drawn area"]
    changed = read_parts(names, {}, {12: country("NP").to_geojson()}.get)
    assert [(part.area, part.problem) for part in changed] == [(None, NOT_STORED)] * 3


def test_a_part_of_a_file_is_known_in_its_session_only() -> None:
    held = file_parts(polygon([(1, 1), (1, 2), (2, 2)]))
    (name,) = held
    assert read_parts([name], held, no_incident)[0].area is held[name]
    assert read_parts([name], {}, no_incident)[0].problem == NOT_STORED


def test_a_text_that_is_no_area_says_why() -> None:
    (part,) = read_parts(["nowhere at all"], {}, no_incident)
    assert part.area is None
    assert "isn't an area" in part.problem


def test_one_ring_is_edited_on_the_map_and_a_country_is_not() -> None:
    drawn, land = read_parts(["polygon:1,1 1,2 2,2", "country:BT"], {}, no_incident)
    ring = editable_ring(drawn)
    assert ring is not None
    assert len(ring["coordinates"][0]) == 4
    assert editable_ring(land) is None


@pytest.mark.parametrize(
    ("texts", "west_to_east"),
    [(["circle:-17,178,300km", "circle:-14,-171,300km"], (168, 197)), (["circle:50,0,300km"], (-12, 12))],
)
def test_the_view_holds_all_parts_the_shorter_way_around_the_world(
    texts: list[str], west_to_east: tuple[float, float]
) -> None:
    bounds = bounds_around(read_parts(texts, {}, no_incident))
    assert bounds is not None
    east = bounds.east + (360 if bounds.east < bounds.west else 0)
    assert np.allclose((bounds.west, east), west_to_east, atol=6)
