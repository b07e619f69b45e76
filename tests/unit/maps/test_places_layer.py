"""The map of places, as it is sent."""

import json
from typing import Any

import pandas as pd
import pytest

from components.maps.deck import Drawn
from components.maps.places_layer import LAYER, place_map_of
from components.maps.viewport import fitted_view

ROWS = [
    ("SIN", "Singapore Changi International Airport (SIN)", 1.35, 103.99, 70, 90, "Air", "there"),
    ("h@1", "Sheraton, Kuwait City", 29.37, 47.98, 12, 12, "Hotel", "leaving"),
    ("KWI", "Kuwait International Airport (KWI)", 29.22, 47.97, 1, 1, "Air", "arriving"),
    ("AKL", "Auckland International Airport (AKL)", -37.0, 174.8, 33, 35, "Air", "possible"),
    ("nowhere", "An office", float("nan"), float("nan"), 9, 9, None, "there"),
]
COLUMNS = ["place_id", "label", "lat", "lon", "people", "locations", "kind", "status"]


def places(rows: list[tuple[Any, ...]] | None = None) -> pd.DataFrame:
    return pd.DataFrame(ROWS if rows is None else rows, columns=COLUMNS)


def made(frame: pd.DataFrame | None = None, **changes: Any) -> Drawn:
    table = places() if frame is None else frame
    view = fitted_view(table["lat"], table["lon"], width=1000, height=500)
    options: dict[str, Any] = {"theme": "light", "view": view, "pinned": {}, "selected": []}
    return place_map_of(table, **(options | changes))


def layers(made_map: Drawn) -> dict[str, dict[str, Any]]:
    return {layer["id"]: layer for layer in json.loads(made_map.deck.to_json())["layers"]}


def test_the_biggest_place_is_drawn_first_and_those_without_coordinates_are_not() -> None:
    rows = layers(made())[LAYER]["data"]
    assert [row["id"] for row in rows] == ["SIN", "AKL", "h@1", "KWI"]
    assert rows[0]["s"] > rows[1]["s"] > rows[3]["s"]
    assert [row["i"] for row in rows] == ["A0", "A3", "H2", "A1"]


def test_only_what_is_drawn_or_told_is_sent() -> None:
    secret = places().assign(passport="P1234567", traveller="Silva, Ana")
    text = made(secret).deck.to_json()
    assert "P1234567" not in text
    assert "Silva" not in text
    assert set(layers(made(secret))[LAYER]["data"][0]) == {"id", "x", "y", "s", "i", "n", "d"}


def test_tooltips_tell_people_and_locations_apart() -> None:
    rows = {row["id"]: row for row in layers(made())[LAYER]["data"]}
    assert rows["SIN"]["d"] == "70 people, most there · 90 locations, most air"
    assert rows["KWI"]["d"] == "1 person, arriving · air"


def test_each_count_is_shown_once_in_the_mark_or_with_the_name() -> None:
    drawn = layers(made())
    counts = [row["t"] for name in ("counts", "counts-pale") for row in drawn[name]["data"]]
    names = [row["t"] for row in drawn["names"]["data"]]
    assert sorted(counts) == ["33", "70"]
    assert "Singapore SIN" in names
    assert "Sheraton · 12" in names
    assert "33" in [row["t"] for row in drawn["counts-pale"]["data"]]


def test_selected_places_are_ringed() -> None:
    drawn = layers(made(selected=["AKL", "unknown"]))
    assert [(row["x"], row["y"]) for row in drawn["rings"]["data"]] == [(174.8, -37.0)]
    assert layers(made())["rings"]["data"] == []


def test_a_picked_place_keeps_its_row_when_others_come_and_go() -> None:
    fewer = places([ROWS[1], ROWS[3]])
    rows = layers(made(fewer, pinned={0: "SIN", 2: "h@1"}))[LAYER]["data"]
    assert [row["id"] for row in rows] == ["SIN", "AKL", "h@1"]
    assert rows[0]["s"] == 0


def test_only_the_layer_of_marks_can_be_picked() -> None:
    assert [name for name, layer in layers(made()).items() if layer.get("pickable")] == [LAYER]


def test_no_layer_has_a_colour_that_picking_fades() -> None:
    for layer in layers(made(selected=["SIN"])).values():
        assert not {"getFillColor", "getColor", "getLineColor"} & set(layer)


def test_an_unchanged_map_is_not_made_again() -> None:
    assert made() is made(places().copy())


@pytest.mark.parametrize(
    "change", [{"theme": "dark"}, {"selected": ["SIN"]}, {"pinned": {0: "KWI"}}, {"base_path": "x"}]
)
def test_whatever_is_drawn_differently_is_made_anew(change: dict[str, Any]) -> None:
    assert made(**change).deck.to_json() != made().deck.to_json()


def test_one_person_more_makes_another_map() -> None:
    more = places()
    more.loc[0, "people"] = 71
    assert made(more) is not made()


def test_texts_from_trips_are_taken_as_texts() -> None:
    evil = places([("@@=id", "<img src=x onerror=alert(1)> {d} @@=1", 1.0, 2.0, 5, 5, "Air", "there")])
    (row,) = layers(made(evil))[LAYER]["data"]
    assert not row["id"].startswith("@@")
    assert "{d}" not in row["n"]


def test_a_map_without_places_is_still_a_map() -> None:
    empty = made(places([]))
    assert layers(empty)[LAYER]["data"] == []
    assert empty.description == "Map of the world without places."


def test_the_description_says_where_most_people_are() -> None:
    assert made().description == (
        "Map of 4 places where people are expected. Most people: Singapore Changi International Airport (SIN) (70), "
        "Auckland International Airport (AKL) (33), Sheraton, Kuwait City (12)."
    )


def test_the_table_is_left_as_it_was() -> None:
    table = places()
    made(table, pinned={3: "SIN"}, selected=["SIN"])
    pd.testing.assert_frame_equal(table, places())
