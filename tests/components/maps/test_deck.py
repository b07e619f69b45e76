"""The fast writer of the JSON of deck.gl."""

import json
import time
from typing import Any

import numpy as np
import pandas as pd
import pydeck as pdk
import pytest

from components.maps.deck import SplicedDeck
from domain.maps.viewport import View

VIEW = View(longitude=10, latitude=20, zoom=1.5, width=800, height=500)
ODD = ['a "quoted" \\ name', "line\nbreak", "\u0000data\u0000", '"\\u0000data\\u0000"', "日本 é 🧳", "</script>", ""]


def frame(rows: int = 7) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "x": np.linspace(-180, 180, rows).round(4),
            "y": np.linspace(-85, 85, rows).round(4),
            "n": [ODD[i % len(ODD)] for i in range(rows)],
            "s": np.arange(rows),
        }
    )


def scatter(data: Any, name: str = "dots") -> dict[str, Any]:
    return {
        "@@type": "ScatterplotLayer",
        "id": name,
        "data": data,
        "getPosition": "@@=[x, y]",
        "getRadius": "@@=s",
        "pickable": True,
    }


def with_pydeck(data: pd.DataFrame) -> pdk.Deck:
    layer = pdk.Layer(
        "ScatterplotLayer",
        id="dots",
        data=data.to_dict(orient="records"),
        get_position="[x, y]",
        get_radius="s",
        pickable=True,
    )
    return pdk.Deck(
        layers=[layer], views=SplicedDeck([], view=VIEW).views, map_provider=None, initial_view_state=VIEW.to_deck()
    )


def test_the_json_equals_that_of_pydeck() -> None:
    assert json.loads(SplicedDeck([scatter(frame())], view=VIEW).to_json()) == json.loads(
        with_pydeck(frame()).to_json()
    )


def test_each_table_is_written_into_its_own_layer() -> None:
    layers = [scatter(frame(3), "one"), {"@@type": "X", "id": "url", "data": "/a.geojson"}, scatter(frame(2), "two")]
    result = json.loads(SplicedDeck(layers, view=VIEW).to_json())["layers"]
    assert [len(result[0]["data"]), result[1]["data"], len(result[2]["data"])] == [3, "/a.geojson", 2]
    assert result[0]["data"][2]["n"] == ODD[2]


def test_an_empty_table_becomes_an_empty_list() -> None:
    assert json.loads(SplicedDeck([scatter(frame(0))], view=VIEW).to_json())["layers"][0]["data"] == []


def test_the_deck_has_no_map_provider_so_the_browser_loads_nothing_from_other_hosts() -> None:
    deck = json.loads(SplicedDeck([], view=VIEW).to_json())
    assert "mapProvider" not in deck
    assert deck["mapStyle"] == "__MAP_STYLE__"
    assert deck["views"][0]["repeat"] is True


@pytest.mark.parametrize(
    ("longitude", "zoom", "west", "east"), [(10.0, 3.0, -180, 180), (10.0, 0.37, -170, 190), (175.0, 3.0, -5, 355)]
)
def test_a_map_never_shows_more_than_one_world(longitude: float, zoom: float, west: float, east: float) -> None:
    """A window wider than the view would show the next world and every place twice."""
    view = View(longitude, 20.0, zoom, 660, 540)
    bounds = json.loads(SplicedDeck([], view=view).to_json())["views"][0]["controller"]["maxBounds"]
    assert [corner[0] for corner in bounds] == [west, east]


def test_the_writer_is_at_least_three_times_as_fast_as_pydeck() -> None:
    data = frame(4_000)

    def measure_seconds(make: Any) -> float:
        began = time.process_time()
        make().to_json()
        return time.process_time() - began

    ours = min(measure_seconds(lambda: SplicedDeck([scatter(data)], view=VIEW)) for _ in range(3))
    theirs = min(measure_seconds(lambda: with_pydeck(data)) for _ in range(2))
    assert ours * 3 < theirs
