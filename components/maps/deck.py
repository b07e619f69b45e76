"""What all maps are made of: a pydeck Deck that writes its JSON fast, the ground they stand on, and their tooltips."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import pydeck as pdk

from domain.maps.palette import GROUNDS, Theme, rgb
from domain.maps.viewport import MAX_LATITUDE, View

Layer = Mapping[str, Any]

_DATA_MARK = "\u0000data\u0000"
# As json.dumps writes it. What the tables hold is never looked through for it: they go in afterwards.
_WRITTEN_MARK = json.dumps(_DATA_MARK)

STATIC_PATH = "app/static"
"""Where the app serves the folder static, below its base path. It is public: no sign-in protects it."""
PICTURE_LATITUDE = 85.0511
"""The picture of the world is a square in Web Mercator, as far north and south as this."""
PICTURE_UP_TO = 2.5
"""The zoom of a first view up to which the ground is a picture of the world, which paints faster than polygons do."""
# deck.gl's JSON converter runs a text that begins like this, also within data.
_RUN_BY_DECK = "@@"
# Streamlit fills {name} into the template one after another, and fills again what an earlier value brought in.
_WORD_JOINER = "\u2060"
TEMPLATE = "<b>{n}</b><br>{d}"
"""Streamlit escapes the values as HTML; the template itself it does not, so it never holds anything but this."""


class SplicedDeck(pdk.Deck):  # type: ignore[misc]  # pydeck has no types
    """A map of layers given in deck.gl's own words, whose `data` may be DataFrames.

    Equal, once parsed, to what pydeck writes for the same layers with records in place of the DataFrames. pydeck makes
    a dictionary of each row and indents; at 20,000 rows that takes nine times as long. There is no map provider and no
    style, the only way in which nothing is fetched from another host.
    """

    def __init__(self, layers: Sequence[Layer], *, view: View, tooltip: Mapping[str, Any] | bool = False) -> None:
        """Take the layers from the bottom up. The world repeats sideways, so that the date line is no edge."""
        map_view = pdk.View(
            type="MapView",
            controller={
                "dragRotate": False,
                "touchRotate": False,
                "keyboard": True,
                "doubleClickZoom": True,
                "maxBounds": view.bounds,
            },
            repeat=True,
        )
        super().__init__(
            layers=[],
            views=[map_view],
            map_provider=None,
            initial_view_state=view.to_deck(),
            tooltip=tooltip,
        )
        self._json = _spliced(json.loads(super().to_json()), layers)

    def to_json(self) -> str:
        """Return the map as deck.gl's JSON converter reads it."""
        return self._json


@dataclass(frozen=True)
class Drawn:
    """What is drawn: the deck, a sentence for those who cannot see it, and how much of it had to be left out."""

    deck: SplicedDeck
    description: str
    left_out: int = 0


def _spliced(frame: dict[str, Any], layers: Sequence[Layer]) -> str:
    bare: list[dict[str, Any]] = []
    tables: list[str] = []
    for layer in layers:
        data = layer.get("data")
        if isinstance(data, pd.DataFrame):
            tables.append(data.to_json(orient="records", double_precision=4, force_ascii=False))
            bare.append({**layer, "data": _DATA_MARK})
        else:
            bare.append(dict(layer))
    frame["layers"] = bare
    around = json.dumps(frame, separators=(",", ":")).split(_WRITTEN_MARK)
    pieces = [around[0]]
    for table, after in zip(tables, around[1:], strict=True):
        pieces += [table, after]
    return "".join(pieces)


def static_url(name: str, base_path: str = "") -> str:
    """Return the address of a file in static, such as "basemap/countries.geojson", from the root of the host."""
    root = base_path.strip("/")
    return f"/{root}/{STATIC_PATH}/{name}" if root else f"/{STATIC_PATH}/{name}"


def ground_layers(theme: Theme, zoom: float, base_path: str = "") -> list[dict[str, Any]]:
    """Return the layers of the ground for a map whose first view has this zoom, from the bottom up."""
    if zoom <= PICTURE_UP_TO:
        return [_world(static_url(f"map/world-{theme}.png", base_path))]
    return [_sea(theme), _graticule(theme), _countries(theme, static_url("basemap/countries.geojson", base_path))]


def _world(url: str) -> dict[str, Any]:
    bounds = [-180, -PICTURE_LATITUDE, 180, PICTURE_LATITUDE]
    return {"@@type": "BitmapLayer", "id": "world", "image": url, "bounds": bounds, "pickable": False}


# Colours stand in _subLayerProps and not in getFillColor or getColor: Streamlit fades every layer that has one of these
# as soon as something is picked.


def geojson_layer(name: str, data: str | Sequence[Mapping[str, Any]], **drawing: Any) -> dict[str, Any]:
    """Return a layer of GeoJSON, of features or by its address, that is not picked on unless it says so."""
    collection = data if isinstance(data, str) else {"type": "FeatureCollection", "features": list(data)}
    fixed = {"@@type": "GeoJsonLayer", "id": name, "data": collection, "lineWidthUnits": "pixels"}
    return {"pickable": False, **fixed, **drawing}


def feature(geometry: Mapping[str, Any], **properties: str) -> dict[str, Any]:
    """Return a GeoJSON feature."""
    return {"type": "Feature", "properties": properties, "geometry": geometry}


def _sea(theme: Theme) -> dict[str, Any]:
    # Not as the colour that the window is cleared with: that wipes out the copies of a world that repeats.
    corners = [[-180, -MAX_LATITUDE], [180, -MAX_LATITUDE], [180, MAX_LATITUDE], [-180, MAX_LATITUDE]]
    area = feature({"type": "Polygon", "coordinates": [[*corners, corners[0]]]})
    fill = {"getFillColor": [*rgb(GROUNDS[theme].sea), 255]}
    return geojson_layer("sea", [area], stroked=False, _subLayerProps={"polygons-fill": fill})


def _countries(theme: Theme, url: str) -> dict[str, Any]:
    ground = GROUNDS[theme]
    colours = {
        "polygons-fill": {"getFillColor": [*rgb(ground.land), 255]},
        "linestrings": {"getColor": [*rgb(ground.border), 255], "getWidth": 0.9},
    }
    return geojson_layer("countries", url, stroked=False, filled=True, lineWidthMinPixels=0.6, _subLayerProps=colours)


def _graticule(theme: Theme) -> dict[str, Any]:
    meridians = [[[lon, -MAX_LATITUDE], [lon, MAX_LATITUDE]] for lon in range(-180, 180, 30)]
    # In steps of 90 degrees: one step around the world would be none.
    parallels = [[[lon, lat] for lon in range(-180, 181, 90)] for lat in range(-60, 61, 30)]
    lines = feature({"type": "MultiLineString", "coordinates": [*meridians, *parallels]})
    colour = {"getColor": [*rgb(GROUNDS[theme].graticule), 255], "getWidth": 0.7}
    return geojson_layer("graticule", [lines], _subLayerProps={"linestrings": colour})


def tooltip(theme: Theme, *, is_narrow: bool = False) -> dict[str, Any]:
    """Return the tooltip of a layer whose rows have a name `n` and details `d`.

    Beside the pointer the map's edge would cut it where the map `is_narrow`: there it stands at the map's foot.
    """
    ground = GROUNDS[theme]
    style = {
        "backgroundColor": ground.tooltip_ground,
        "color": ground.tooltip_ink,
        "borderRadius": "6px",
        "padding": "6px 10px",
        "fontSize": "13px",
        "lineHeight": "1.4",
        "maxWidth": "320px",
        "margin": "8px",
    }
    if is_narrow:
        # deck.gl moves it to the pointer and then takes over what is given here.
        style |= {"transform": "none", "top": "auto", "bottom": "0", "left": "0", "maxWidth": "calc(100% - 40px)"}
    return {"html": TEMPLATE, "style": style}


def harmless(texts: "pd.Series[Any]") -> "pd.Series[str]":
    """Return texts that deck.gl draws as they are: none is taken for an expression."""
    plain = texts.fillna("").astype(str)
    return plain.where(~plain.str.startswith(_RUN_BY_DECK), _WORD_JOINER + plain)


def harmless_in_tooltip(texts: "pd.Series[Any]") -> "pd.Series[str]":
    """Return texts that a tooltip shows as they are: nor is a part of one taken for a value's name."""
    return harmless(texts).str.replace("{", "{" + _WORD_JOINER, regex=False)
