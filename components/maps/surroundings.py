"""What tells where a map of shapes lies: the names of the larger cities in its view, and a scale."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import numpy as np
import pandas as pd

from components.maps.deck import feature, geojson_layer
from components.maps.text_layers import names_layer, text_layer
from domain.geography.city_names import city_names_by_size
from domain.geography.city_positions import city_position
from domain.maps.labels import placed_labels
from domain.maps.palette import GROUNDS, Theme, rgb
from domain.maps.viewport import View, latitude_at, mercator, scale_at

MOST_CITIES: Final = 12
_CANDIDATES: Final = 60
_DOT: Final = 3.0
_SCALE_FROM_FOOT: Final = 16


def city_layers(view: View, theme: Theme) -> list[dict[str, Any]]:
    """Return dots and names of the largest cities in a view."""
    names, lat, lon = _all_cities()
    x, y = view.screen(lat, lon)
    inside = np.flatnonzero((x >= 0) & (x <= view.width) & (y >= 0) & (y <= view.height))[:_CANDIDATES]
    texts = [names[number] for number in inside]
    radius = np.full(len(inside), _DOT)
    labels = placed_labels(x[inside], y[inside], radius, texts, width=view.width, height=view.height, most=MOST_CITIES)
    rows = pd.DataFrame({"x": lon[inside], "y": lat[inside]})
    ground = GROUNDS[theme]
    shown = rows.iloc[[label.index for label in labels]]
    dots = [feature({"type": "Point", "coordinates": at}) for at in shown[["x", "y"]].to_numpy().tolist()]
    circle = {"getFillColor": [*rgb(ground.ink), 255]}
    return [
        geojson_layer(
            "cities",
            dots,
            filled=True,
            stroked=False,
            pointType="circle",
            pointRadiusUnits="pixels",
            getPointRadius=_DOT,
            _subLayerProps={"points-circle": circle},
        ),
        names_layer(rows, labels, ground.ink, weight=500, under=ground.land),
    ]


def scale_layers(view: View, theme: Theme) -> list[dict[str, Any]]:
    """Return a line of a round length at the middle of a map's foot, with its length; it stays true at any zoom."""
    south = latitude_at(float(mercator(view.latitude)) + (view.height / 2 - _SCALE_FROM_FOOT) / view.world)
    scale = scale_at(view, south)
    half = scale.pixels / 2 * 360.0 / view.world
    ground = GROUNDS[theme]
    line = [[view.longitude - half, south], [view.longitude + half, south]]
    above = latitude_at(float(mercator(south)) - 9 / view.world)
    frame = pd.DataFrame({"x": [view.longitude], "y": [above], "t": [scale.text]})
    colour = {"linestrings": {"getColor": [*rgb(ground.ink), 255], "getWidth": 3}}
    return [
        geojson_layer("scale", [feature({"type": "LineString", "coordinates": line})], _subLayerProps=colour),
        text_layer("scale-text", frame, ground.ink, weight=600, under=ground.land, size=11),
    ]


@cache
def _all_cities() -> tuple[list[str], Any, Any]:
    """Names, latitudes and longitudes of cities, the largest first."""
    found = ((name, city_position(name, country)) for country, name in city_names_by_size())
    cities = [(name.title(), *at) for name, at in found if at is not None]
    lat, lon = (np.array([each[part] for each in cities]) for part in (1, 2))
    return [name for name, _, _ in cities], lat, lon
