"""The map of a briefing: a drawing of the area with the people in it, place names, and a scale."""

from __future__ import annotations

import json
import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import astuple
from functools import cache
from html import escape
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
import shapely
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from domain.expected_locations.bounds import Bounds
from domain.incidents.area_parts import bounds_of, unwrapped
from domain.maps.labels import Label, placed_labels, short_name
from domain.maps.palette import GROUNDS, PROBLEM_COLOURS, STATUS_COLORS
from domain.maps.viewport import TILE, View, latitude_at, mercator, scale_at

_STATIC: Final = Path(__file__).resolve().parents[2] / "static"
_WORLD: Final = Bounds(-180, -60, 180, 80)
_WIDTH: Final = 720
_HEIGHT: Final = 400
_MARGIN: Final = 24
"""Between the area and the edge of the map, in pixels."""
_AROUND: Final = 440
"""Ground beyond the map, in pixels, for a page that gives it another shape."""
_CLOSEST: Final = 13.0
_WATERS_FROM: Final = 5.5
"""The zoom from which rivers and lakes are drawn."""
_CELL: Final = 26
"""People whose places are in one cell of this size, in pixels, have one mark."""
_SMALLEST: Final = 10.5
_LARGEST: Final = 14.0
_MOST_BELOW: Final = 2
_DOT: Final = 2.0
_MOST_NAMES: Final = 32
_MOST_CITIES: Final = 60
_FONT: Final = 11.0
_LARGE_FONT: Final = 14.0
_SCALE_BOX: Final = (0.0, _HEIGHT - 34.0, 0.25 * _WIDTH + 24, float(_HEIGHT))
_INSIDE: Final = ("affected", "possiblyAffected")


class _PlaceName(NamedTuple):
    kind: str
    """"country", "sea", or "city"."""
    name: str
    longitude: float
    latitude: float
    zoom: float
    """The zoom from which the name is shown."""


def draw_map(area: BaseGeometry, label: str, people: pd.DataFrame) -> str:
    """Return an SVG element: the area fills it. `people` are those of `Affected`."""
    view = _view_of(bounds_of([area], room=0.0) or _WORLD)
    marks = _marks_of(people, view)
    names = _names_in(view)
    # The names of the largest cities are under the marks, so that marks don't drive them away.
    largest, points = names.head(_MOST_BELOW), pd.concat([marks, names.iloc[_MOST_BELOW:]], ignore_index=True)
    city_labels = _place(largest, _LARGE_FONT, [_SCALE_BOX])
    boxes = [astuple(label.box) for label in city_labels]
    labels = _place(points, _FONT, [_SCALE_BOX, *boxes])
    ground, danger = GROUNDS["light"], PROBLEM_COLOURS["error"]["light"]
    land = "".join(_path(each, view) for each in _countries())
    lakes, rivers = (_path(each, view) for each in _waters()) if view.zoom >= _WATERS_FROM else ("", "")
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="Map of {escape(label, quote=True)}">'
        f'<rect x="-{_AROUND}" y="-{_AROUND}" width="{_WIDTH + 2 * _AROUND}" height="{_HEIGHT + 2 * _AROUND}" '
        f'fill="{ground.sea}"/>'
        f'<path d="{land}" fill="{ground.land}" stroke="{ground.border}" stroke-width=".8"/>'
        f'<path d="{lakes}" fill="{ground.sea}"/><path d="{rivers}" fill="none" stroke="{ground.river}"/>'
        f'<path d="{_path(unwrapped(area), view)}" fill="{danger}" fill-opacity=".14" stroke="{danger}" '
        f'stroke-width="1.5"/>'
        f"{_labels_svg(city_labels, largest, _LARGE_FONT)}{''.join(map(_mark_svg, marks.to_dict('records')))}"
        f"{_labels_svg(labels, points, _FONT)}{_scale_svg(view)}</svg>"
    )


def _view_of(bounds: Bounds) -> View:
    """Return the closest view of the bounds."""
    width = (bounds.east - bounds.west) % 360 or 360.0
    north, south = (float(mercator(each)) for each in (bounds.north, bounds.south))
    across = (_WIDTH - 2 * _MARGIN) / (TILE * max(width / 360, 1e-9))
    down = (_HEIGHT - 2 * _MARGIN) / (TILE * max(south - north, 1e-9))
    zoom = min(math.log2(min(across, down)), _CLOSEST)
    longitude = (bounds.west + width / 2 + 180) % 360 - 180
    return View(longitude, latitude_at((north + south) / 2), zoom, _WIDTH, _HEIGHT)


def _marks_of(people: pd.DataFrame, view: View) -> pd.DataFrame:
    """Return the marks, the largest first: x, y, radius, people, label, and whether they may be affected."""
    placed = people.dropna(subset=["latitude", "longitude"])
    x, y = view.screen(placed["latitude"], placed["longitude"])
    spots = placed.assign(x=x, y=y, is_inside=placed["section"].isin(_INSIDE))
    spots = spots[(x >= 0) & (x <= _WIDTH) & (y >= 0) & (y <= _HEIGHT)]
    cells = [(spots["x"] // _CELL).astype(int), (spots["y"] // _CELL).astype(int)]
    # A mark counts only those who are or may be affected, if there are any at it.
    spots = spots[spots["is_inside"] | ~spots.groupby(cells)["is_inside"].transform("any")]
    marks = spots.groupby([each[spots.index] for each in cells], sort=False).agg(
        x=("x", "mean"),
        y=("y", "mean"),
        people=("person", "size"),
        places=("place_id", "nunique"),
        label=("place", lambda names: names.mode().iloc[0]),
        inside=("is_inside", "first"),
    )
    marks["label"] = [
        short_name(str(name)) + (f" +{places - 1}" if places > 1 else "")
        for name, places in zip(marks["label"], marks["places"], strict=True)
    ]
    marks["radius"] = np.clip(6 + np.sqrt(marks["people"]), _SMALLEST, _LARGEST)
    marks["kind"] = "people"
    return marks.sort_values(["inside", "people"], ascending=False).reset_index(drop=True)


def _names_in(view: View) -> pd.DataFrame:
    """Return the names of cities, countries, and seas in view, the most important first: kind, label, x, y, radius."""
    names = pd.DataFrame(_place_names())
    names = names[names["zoom"] <= view.zoom + 1]
    x, y = view.screen(names["latitude"], names["longitude"])
    names = names.assign(x=x, y=y, label=names["name"], radius=_DOT)
    return names[(x >= 0) & (x <= _WIDTH) & (y >= 0) & (y <= _HEIGHT)].head(_MOST_CITIES).reset_index(drop=True)


def _mark_svg(mark: Mapping[Hashable, Any]) -> str:
    color = STATUS_COLORS["there" if mark["inside"] else "possible"]["light"]
    at = f'cx="{mark["x"]:.1f}" cy="{mark["y"]:.1f}" r="{mark["radius"]:.1f}"'
    text = f'<text x="{mark["x"]:.1f}" y="{mark["y"]:.1f}" font-size="10" font-weight="600" text-anchor="middle"'
    return (
        f'<circle {at} fill="{color}" stroke="#fff"/>{text} dominant-baseline="central" fill="#fff">'
        f"{mark['people']:,}</text>"
    )


def _place(points: pd.DataFrame, size: float, obstacles: Sequence[tuple[float, ...]]) -> list[Label]:
    return placed_labels(
        points["x"],
        points["y"],
        points["radius"],
        points["label"].tolist(),
        width=_WIDTH,
        height=_HEIGHT,
        most=_MOST_NAMES,
        size=size,
        obstacles=np.array(obstacles),
        leading=0,
    )


def _labels_svg(labels: Iterable[Label], points: pd.DataFrame, size: float) -> str:
    ground = GROUNDS["light"]
    svg = ""
    for label in labels:
        kind, x, y = (points[column][label.index] for column in ("kind", "x", "y"))
        if kind == "city":
            svg += f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_DOT}" stroke-width="0"/>'
        svg += (
            f'<text x="{x + label.dx:.1f}" y="{y + label.dy:.1f}" text-anchor="{label.anchor}" '
            f'font-weight="{600 if kind == "people" else 400}">{escape(label.text)}</text>'
        )
    return (
        f'<g font-size="{size}" fill="{ground.ink}" stroke="{ground.land}" stroke-width="3" stroke-linejoin="round" '
        f'paint-order="stroke" dominant-baseline="central">{svg}</g>'
    )


def _scale_svg(view: View) -> str:
    foot = latitude_at(float(mercator(view.latitude)) + (view.height / 2 - 12) / view.world)
    scale, ink = scale_at(view, foot), GROUNDS["light"].ink
    return (
        f'<path d="M12,{_HEIGHT - 18}v6h{scale.pixels:.1f}v-6" fill="none" stroke="{ink}" stroke-width="1.5"/>'
        f'<text x="{12 + scale.pixels / 2:.1f}" y="{_HEIGHT - 17}" font-size="{_FONT}" text-anchor="middle" '
        f'fill="{ink}" stroke="#fff" stroke-width="3" paint-order="stroke">{scale.text}</text>'
    )


def _path(geometry: BaseGeometry, view: View) -> str:
    """Return the part of a geometry that is in view as the data of a path."""
    half = (view.width / 2 + _AROUND) / view.world * 360
    middle, down = float(mercator(view.latitude)), (view.height / 2 + _AROUND) / view.world
    north, south = latitude_at(max(middle - down, 0)), latitude_at(min(middle + down, 1))
    paths = []
    for turn in (-360, 0, 360):
        turned = translate(geometry, turn)
        west, east = view.longitude - half, view.longitude + half
        if turned.bounds[0] > east or turned.bounds[2] < west:
            continue
        clipped = shapely.clip_by_rect(turned, west, south, east, north)
        for line in _lines_of(clipped):
            at = shapely.get_coordinates(line)
            x = (at[:, 0] - view.longitude) / 360 * view.world + view.width / 2
            y = (mercator(at[:, 1]) - mercator(view.latitude)) * view.world + view.height / 2
            paths.append(f"M{'L'.join(f'{x:.1f},{y:.1f}' for x, y in zip(x, y, strict=True))}")
    return "".join(paths)


def _lines_of(geometry: BaseGeometry) -> list[BaseGeometry]:
    parts = shapely.get_parts(geometry)
    return list(
        chain.from_iterable(shapely.get_rings(each) if each.geom_type == "Polygon" else [each] for each in parts)
    )


@cache
def _countries() -> list[BaseGeometry]:
    text = (_STATIC / "basemap" / "countries.geojson").read_text(encoding="utf-8")
    shapes = [shapely.from_geojson(json.dumps(each["geometry"])) for each in json.loads(text)["features"]]
    return [shapely.make_valid(each) for each in shapes if each.geom_type.endswith("Polygon")]


@cache
def _waters() -> list[BaseGeometry]:
    """Return all lakes and all rivers."""
    text = (_STATIC / "basemap" / "waters.geojson").read_text(encoding="utf-8")
    return [shapely.from_geojson(json.dumps(each["geometry"])) for each in json.loads(text)["features"]]


@cache
def _place_names() -> list[_PlaceName]:
    return [_PlaceName(*each) for each in json.loads((_STATIC / "map" / "names.json").read_text(encoding="utf-8"))]
