"""Areas that were drawn on a map."""

from typing import Any

import pytest

from domain.maps.drawn_area import read_drawn_area

TRIANGLE = [[179, 0], [181, 0], [180, 2], [179, 0]]


def test_a_drawn_polygon_is_read_across_the_date_line_too() -> None:
    area = read_drawn_area({"type": "Polygon", "coordinates": [TRIANGLE]})
    assert area == {"type": "Polygon", "coordinates": [TRIANGLE]}


@pytest.mark.parametrize(
    "value",
    [
        None,
        "Polygon",
        {"type": "Polygon", "coordinates": []},
        {"type": "Polygon", "coordinates": [TRIANGLE[:-1]]},
        {"type": "Polygon", "coordinates": [[[0, 0], [1, 1], [0, 0]]]},
        {"type": "Polygon", "coordinates": [[[0, 91], [1, 1], [2, 2], [0, 91]]]},
        {"type": "Polygon", "coordinates": [[[float("nan"), 0], [1, 1], [2, 2], [float("nan"), 0]]]},
    ],
)
def test_an_invalid_ring_is_not_an_area(value: Any) -> None:
    assert read_drawn_area(value) is None
