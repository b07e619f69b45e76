"""The map of a trip, as sent to the browser."""

import json
from typing import Any

import pandas as pd

from components.maps.legs_layer import legs_map_of
from domain.maps.palette import kind_colour

AKL, SFO, LHR = (-37.0, 174.8), (37.6, -122.4), (51.5, -0.5)
LEG_COLUMNS = ["from_lat", "from_lon", "to_lat", "to_lon", "kind", "label"]
POINT_COLUMNS = ["lat", "lon", "label", "kind"]


def legs(*rows: tuple[Any, ...]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=LEG_COLUMNS)


def points(*rows: tuple[Any, ...]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=POINT_COLUMNS)


def draw_map(the_legs: pd.DataFrame, the_points: pd.DataFrame) -> tuple[dict[str, Any], dict[str, Any], str]:
    legs_map = legs_map_of(the_legs, the_points, theme="dark", width=1000, height=400)
    deck = json.loads(legs_map.deck.to_json())
    return {layer["id"]: layer for layer in deck["layers"]}, deck["initialViewState"], legs_map.description


def test_a_segment_across_the_date_line_takes_the_shorter_way() -> None:
    layers, view, _ = draw_map(
        legs((*AKL, *SFO, "Air", "NZ8")), points((*AKL, "Auckland (AKL)", "Air"), (*SFO, "San Francisco (SFO)", "Air"))
    )
    assert all(layers[name]["wrapLongitude"] for name in ("legs", "leg-casings"))
    assert len(layers["legs"]["data"]) == 1
    assert view["zoom"] > 1.5
    assert abs(view["longitude"]) > 140


def test_segments_and_points_have_the_colors_of_their_kinds() -> None:
    layers, _, _ = draw_map(
        legs((*LHR, *SFO, "Air", "BA285"), (*SFO, *SFO, "Hotel", "x")), points((*SFO, "Hotel Nikko", "Hotel"))
    )
    assert layers["legs"]["data"][0]["c"][:3] == list(kind_colour("Air", "dark"))
    assert layers["stops"]["data"][0]["c"][:3] == list(kind_colour("Hotel", "dark"))


def test_points_are_numbered_in_order_and_a_place_visited_twice_has_one_mark() -> None:
    layers, _, _ = draw_map(legs(), points((*LHR, "London", "Air"), (*SFO, "Home", "Air"), (*LHR, "London", "Air")))
    assert [row["t"] for row in layers["numbers"]["data"]] == ["1·3", "2"]
    assert layers["stops"]["data"][0]["d"] == "Stop 1, 3"


def test_points_without_coordinates_are_omitted_and_the_others_keep_their_numbers() -> None:
    layers, _, description = draw_map(
        legs((None, None, *SFO, "Car", "x")), points((None, None, "Somewhere", "Car"), (*SFO, "San Francisco", None))
    )
    assert "legs" not in layers
    assert [row["t"] for row in layers["numbers"]["data"]] == ["2"]
    assert description == "Map of 0 segments: San Francisco."


def test_a_trip_without_places_shows_a_map_of_the_world() -> None:
    layers, _, description = draw_map(legs(), points())
    assert set(layers) == {"world"}
    assert description == "Map of a trip without places."


def test_texts_from_trips_are_not_evaluated() -> None:
    layers, _, _ = draw_map(legs((*LHR, *SFO, "Air", "@@=alert")), points((*LHR, "@@=1", "Air"), (*SFO, "{d}", "Air")))
    data = json.dumps([layers[name]["data"] for name in ("legs", "stops", "names")])
    assert '"@@=' not in data
    assert not [row for name in ("legs", "stops") for row in layers[name]["data"] if "{d}" in row["n"]]


def test_an_unchanged_trip_returns_the_same_map() -> None:
    """A form redraws the map after every change of a field."""

    def draw_trip(label: str, width: int = 1000) -> object:
        at = (legs((*LHR, *SFO, "Air", "BA285")), points((*LHR, label, "Air"), (None, None, "Somewhere", None)))
        return legs_map_of(*at, theme="dark", width=width, height=400)

    first = draw_trip("London")
    assert draw_trip("London") is first
    assert draw_trip("Londres") is not first
    assert draw_trip("London", width=400) is not first
