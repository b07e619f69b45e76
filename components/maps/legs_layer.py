"""The map of a trip: its legs along great circles, and its points in the order of travel."""

from threading import Lock
from typing import Any

import numpy as np
import pandas as pd
from cachetools import LRUCache, cached

from components.maps.deck import Drawn, SplicedDeck, ground_layers, harmless_in_tooltip, tooltip
from components.maps.text_layers import names_layer, text_layer
from domain.geography.distance import WGS84
from domain.maps.labels import placed_labels, short_name
from domain.maps.palette import GROUNDS, Theme, kind_colour, kind_or_other, rgb
from domain.maps.viewport import View, fitted_view

LonLat = tuple[float, float]

METRES_A_STEP = 40_000.0
FEWEST_STEPS = 24
"""Names keep clear of a line's points, on a short one too."""
DRAWN_EACH = 4
"""Of a line's points, the fourth part is enough to be drawn."""

POINT_RADIUS = 10.0
LINE_WIDTH = 3.0
Way = tuple[list[LonLat], str, str]
"""A leg: its line, its kind, and its name as a tooltip may show it."""


def great_circle(from_lat: float, from_lon: float, to_lat: float, to_lon: float) -> list[LonLat]:
    """Return points along the shortest way, both ends included, as (lon, lat) in degrees.

    Between opposite ends of the world, where every way is as short, it goes over the northern side.
    """
    _, _, metres = WGS84.inv(from_lon, from_lat, to_lon, to_lat)
    steps = max(FEWEST_STEPS, int(metres // METRES_A_STEP))
    between = WGS84.npts(from_lon, from_lat, to_lon, to_lat, steps)
    return [(from_lon, from_lat), *between, (to_lon, to_lat)]


def _cache_key(legs: pd.DataFrame, points: pd.DataFrame, **drawing: Any) -> tuple[str, str, str]:
    return legs.to_json(), points.to_json(), repr(sorted(drawing.items()))


@cached(LRUCache(32), key=_cache_key, lock=Lock())
def legs_map_of(
    legs: pd.DataFrame, points: pd.DataFrame, *, theme: Theme, width: float, height: float, base_path: str = ""
) -> Drawn:
    """Return the map of a trip and a sentence for those who cannot see it, the same object while nothing has changed.

    `legs` has from_lat, from_lon, to_lat, to_lon (degrees), kind, label; `points` has lat, lon, label, kind, in the
    order of travel. What has no coordinates is left out; points keep their numbers.
    """
    ways = _ways(legs)
    stops = _stops(points)
    # The highest point of a great circle may lie far beyond its ends.
    every = [place for line, _, _ in ways for place in line]
    every += list(zip(stops["x"], stops["y"], strict=True))
    lon, lat = ([place[part] for place in every] for part in (0, 1))
    view = fitted_view(lat, lon, width=width, height=height, margin=48, worth_turning=1.0)
    layers = [*ground_layers(theme, view.zoom, base_path), *_way_layers(ways, theme)]
    if len(stops):
        numbers = text_layer("numbers", stops[["x", "y", "t"]], GROUNDS[theme].on_mark, weight=700, size=12)
        layers += [_stop_layer(stops, theme), numbers, _name_layer(stops, ways, view, theme)]
    deck = SplicedDeck(layers, view=view, tooltip=tooltip(theme))
    return Drawn(deck, _description(len(ways), stops))


def _ways(legs: pd.DataFrame) -> list[Way]:
    known = legs.dropna(subset=["from_lat", "from_lon", "to_lat", "to_lon"])
    names = harmless_in_tooltip(known["label"])
    ways = []
    ends = known[["from_lat", "from_lon", "to_lat", "to_lon"]].to_numpy(dtype=float).tolist()
    for (from_lat, from_lon, to_lat, to_lon), kind, name in zip(ends, known["kind"], names, strict=True):
        ways.append((great_circle(from_lat, from_lon, to_lat, to_lon), kind_or_other(kind), name))
    return ways


def _stops(points: pd.DataFrame) -> pd.DataFrame:
    """One row a place: points at one spot share a mark, which shows all their numbers."""
    numbered = points.assign(number=[str(each) for each in range(1, len(points) + 1)]).dropna(subset=["lat", "lon"])
    spots = {"x": numbered["lon"].astype(float).round(4), "y": numbered["lat"].astype(float).round(4)}
    stops = (
        numbered.assign(**spots, k=numbered["kind"].map(kind_or_other))
        .groupby(["x", "y"], sort=False, as_index=False)
        .agg(k=("k", "first"), label=("label", "first"), numbers=("number", list))
    )
    texts = ["·".join(numbers) if len(numbers) < 4 else f"{numbers[0]}…{numbers[-1]}" for numbers in stops["numbers"]]
    return stops.assign(t=pd.Series(texts, dtype="str"))


def _way_layers(ways: list[Way], theme: Theme) -> list[dict[str, Any]]:
    rows = [
        {
            "p": [[round(lon, 3), round(lat, 3)] for lon, lat in (*line[:-1:DRAWN_EACH], line[-1])],
            "c": [*kind_colour(kind, theme), 255],
            "n": name,
            "d": kind,
        }
        for line, kind, name in ways
    ]
    if not rows:
        return []
    path = {
        "@@type": "PathLayer",
        "data": rows,
        "getPath": "@@=p",
        # deck.gl takes the shorter way around the world, and cuts it at the date line.
        "wrapLongitude": True,
        "widthUnits": "pixels",
        "jointRounded": True,
        "capRounded": True,
    }
    casing = [*rgb(GROUNDS[theme].casing), 255]
    return [
        {**path, "id": "leg-casings", "getColor": casing, "getWidth": LINE_WIDTH + 3, "pickable": False},
        {**path, "id": "legs", "getColor": "@@=c", "getWidth": LINE_WIDTH, "pickable": True},
    ]


def _stop_layer(stops: pd.DataFrame, theme: Theme) -> dict[str, Any]:
    rows = [
        {"x": x, "y": y, "c": [*kind_colour(kind, theme), 255], "n": name, "d": f"Stop {', '.join(numbers)}", "r": r}
        for x, y, kind, name, numbers, r in zip(
            stops["x"],
            stops["y"],
            stops["k"],
            harmless_in_tooltip(stops["label"]),
            stops["numbers"],
            _radii(stops),
            strict=True,
        )
    ]
    return {
        "@@type": "ScatterplotLayer",
        "id": "stops",
        "data": rows,
        "getPosition": "@@=[x,y]",
        "getRadius": "@@=r",
        "radiusUnits": "pixels",
        "getFillColor": "@@=c",
        "stroked": True,
        "getLineColor": [*rgb(GROUNDS[theme].casing), 255],
        "getLineWidth": 2,
        "lineWidthUnits": "pixels",
        "pickable": True,
    }


def _radii(stops: pd.DataFrame) -> list[float]:
    return [max(POINT_RADIUS, 4.0 + 3.6 * len(text)) for text in stops["t"]]


def _name_layer(stops: pd.DataFrame, ways: list[Way], view: View, theme: Theme) -> dict[str, Any]:
    ground = GROUNDS[theme]
    x, y = view.screen(stops["y"].to_numpy(dtype=float), stops["x"].to_numpy(dtype=float))
    along = [place for line, _, _ in ways for place in line]
    line_x, line_y = view.screen([lat for _, lat in along], [lon for lon, _ in along])
    lines = np.column_stack([line_x - LINE_WIDTH, line_y - LINE_WIDTH, line_x + LINE_WIDTH, line_y + LINE_WIDTH])
    names = [short_name(label) for label in stops["label"]]
    labels = placed_labels(x, y, _radii(stops), names, width=view.width, height=view.height, size=13, obstacles=lines)
    return names_layer(stops, labels, ground.ink, weight=500, under=ground.land, size=13)


def _description(legs: int, stops: pd.DataFrame) -> str:
    names = " to ".join(short_name(label) for label in stops["label"].head(8))
    return (
        f"Map of {legs} {'segment' if legs == 1 else 'segments'}: {names}."
        if names
        else "Map of a trip without places."
    )
