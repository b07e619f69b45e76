"""The map of the recipients: counties as areas, cities and ZIP codes as points, and areas to draw.

An area is a circle, a polygon, or a freehand line. It selects the places in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd
from shapely import bounds, contains_xy
from shapely.affinity import translate
from shapely.geometry import LinearRing, Polygon, mapping, shape
from shapely.geometry.base import BaseGeometry
from shapely.ops import polygonize, unary_union

from components.maps.deck import (
    SplicedDeck,
    feature,
    geojson_layer,
    ground_layers,
    harmless_in_tooltip,
    static_url,
    tooltip,
)
from components.maps.surroundings import scale_layers
from components.maps.text_layers import names_layer
from components.streamlit_workarounds.map_picks import arranged
from domain.alerts.recipients.region_place import KIND_WORDS, Place
from domain.alerts.recipients.regions import RegionCatalog
from domain.alerts.recipients.us_places import County, UsPlace, us_counties
from domain.geography.distance import WGS84
from domain.maps.labels import LONGEST, placed_labels
from domain.maps.palette import GROUNDS, KIND_COLOURS, Theme, rgb
from domain.maps.viewport import CLOSEST_FIT, View, steady_view
from domain.text.plain_text import in_short, names

COUNTIES: Final = "counties"
PLACES: Final = "places"
FOUND: Final = "found"
MOST_COUNTIES: Final = 600
MOST_POINTS: Final = 2_000
MOST_TOWNS: Final = 80
NARROW: Final = 600
_NAMES_TRIED: Final = 80
_RADIUS: Final = 6
_BY_ID: Final = "id "
"""The prefix of a point's ID on the map, because a place and a county may have the same number."""
_NOWHERE: Final[Mapping[str, Any]] = {"type": "MultiPoint", "coordinates": []}
_NAMED: Final = 6
_CLOSEST_TO_READ: Final = 9.0
"""The zoom of a map without selection: a few ZIP codes fill it, with the towns around them."""
# The contiguous states, for a map without places: south, north, west, east.
_EVERYWHERE: Final = (24.5, 49.4, -124.8, -66.9)
_REACHED, _FOUND = "Air", "Hotel"
_FILL: Final = 110
_BARELY: Final = 1
"""The opacity of counties that are not selected: the browser can pick them, and no one sees them."""
Area: TypeAlias = BaseGeometry
"""Longitude and latitude in degrees."""
KM_A_MILE: Final = 1.609344
FEWEST_CORNERS: Final = 3
_ON_THE_CIRCLE: Final = 72
_CORNER: Final = re.compile(r"(-?\d{1,3}(?:\.\d+)?)(?:\s++(?:[,;]\s*+)?|[,;]\s*+)(-?\d{1,3}(?:\.\d+)?)")


@dataclass(frozen=True)
class ReachMap:
    """A map with its text alternative, the part of the world it shows, and the number of places left out."""

    deck: SplicedDeck
    description: str
    view: View
    left_out: int


def reach_map_of(
    catalog: RegionCatalog,
    ids: Iterable[int],
    *,
    matches: Sequence[Place] = (),
    home: Iterable[int] = (),
    selected_ids: Sequence[str] = (),
    pinned: Mapping[str, Mapping[int, str]] | None = None,
    area: BaseGeometry | None = None,
    previous_view: View | None = None,
    is_picked_on: bool,
    theme: Theme,
    width: float,
    height: float,
    base_path: str = "",
) -> ReachMap:
    """Return the map of the places of these IDs. Places `matches` by a search are hollow points.

    `selected_ids` are the map's IDs of counties and points. `pinned` has, by layer, the row in which a point was
    selected. `area` is outlined. `previous_view` is the part of the world shown last, which stays if it fits. Without a
    place, the map opens on the places with the IDs in `home`.
    """
    chosen = catalog.places_of(ids).places
    counties = [county for place in chosen if (county := _county(place, catalog))]
    points = [place for place in chosen if place.kind != "county" or _county(place, catalog) is None]
    drawn, pinned, chosen_ids = counties[:MOST_COUNTIES], pinned or {}, {place.id for place in chosen}
    dots = _points(points[:MOST_POINTS], catalog, pinned.get(PLACES, {}))
    open_to = [place for place in matches if place.id not in chosen_ids and place.kind != "county"]
    hollow = _points(open_to, catalog, pinned.get(FOUND, {}))
    rings = [county for number in selected_ids if (county := us_counties().find_by_number(number))]
    shapes = [shape(each.geometry) for each in (*drawn, *rings)] + ([area] if area is not None else [])
    spots = [dot["geometry"]["coordinates"] for dot in (*dots, *hollow) if dot["geometry"] != _NOWHERE]
    if not (shapes or spots):
        spots = [(known.lon, known.lat) for each in home if (known := catalog.us_place(each))]
    view = _view(previous_view, shapes, spots, width, height, closest=CLOSEST_FIT if is_picked_on else _CLOSEST_TO_READ)
    colour, casing = rgb(KIND_COLOURS[_REACHED][theme]), rgb(GROUNDS[theme].casing)
    hollow_colour, meant = rgb(KIND_COLOURS[_FOUND][theme]), [] if area is None else [feature(mapping(area))]
    layers = [
        *ground_layers(theme, view.zoom, base_path),
        _borders(theme, base_path, is_picked_on=is_picked_on),
        _areas("reached", [feature(each.geometry) for each in drawn], fill=[*colour, _FILL], line=[*colour, 255]),
        _areas("ringed", [feature(each.geometry) for each in rings], line=[*rgb(GROUNDS[theme].ink), 255], width=2.5),
        # Below the points: across the date line, one copy of the world covers what is under it in the next.
        _areas("area", meant, fill=[*hollow_colour, _FILL // 3], line=[*hollow_colour, 255], width=2.5),
        _dots(FOUND, hollow, fill=[*casing, 255], line=[*hollow_colour, 255]),
        _dots(PLACES, dots, fill=[*colour, 255], line=[*casing, 255]),
    ]
    around = [] if is_picked_on else [place for place, _ in _towns_around(catalog, view)]
    layers.append(_names([*chosen, *matches], catalog, view, theme, around=around))
    if not is_picked_on:
        layers += scale_layers(view, theme)
    deck = SplicedDeck(layers, view=view, tooltip=tooltip(theme, is_narrow=width < NARROW))
    left_out = len(counties) - len(drawn) + len(points) - sum(dot["geometry"] != _NOWHERE for dot in dots)
    listed = names([place.label for place in chosen], at_most=_NAMED)
    return ReachMap(deck, f"Map of the recipients: {listed or 'no place selected'}.", view, left_out)


def ground_of(
    catalog: RegionCatalog, ids: Iterable[int], reach_map: ReachMap, *, theme: Theme, base_path: str = ""
) -> dict[str, Any]:
    """Return the sheet for freehand drawing, with the content of the map of the same places."""
    chosen, view, ground = catalog.places_of(ids).places, reach_map.view, GROUNDS[theme]
    counties = [county.number for place in chosen if (county := _county(place, catalog))]
    points = [place for place in chosen if _county(place, catalog) is None][:MOST_POINTS]
    return {
        "label": f"{reach_map.description} Drag to draw an area, or enter its corners with the keyboard.",
        "ground": static_url("basemap/counties.geojson", base_path),
        "view": {
            "longitude": round(view.longitude, 4),
            "latitude": round(view.latitude, 4),
            "zoom": round(view.zoom, 2),
        },
        "height": round(view.height),
        "counties": counties[:MOST_COUNTIES],
        "dots": [[at.lon, at.lat, place.name] for place in points if (at := catalog.us_place(place.id))],
        "towns": [[at.lon, at.lat, place.name] for place, at in _towns_around(catalog, view)],
        "colours": {
            **{name: getattr(ground, name) for name in ("sea", "land", "border", "ink", "casing")},
            "reached": KIND_COLOURS[_REACHED][theme],
            "drawn": KIND_COLOURS[_FOUND][theme],
        },
    }


def ids_of(catalog: RegionCatalog, selected_rows: Sequence[str]) -> tuple[list[int], list[str]]:
    """Return the IDs of what was picked on the map, and the names of unavailable counties among it."""
    ids: list[int] = []
    missing: list[str] = []
    for each in selected_rows:
        if each.startswith(_BY_ID):
            ids.append(int(each.removeprefix(_BY_ID)))
        elif found := catalog.of_county(each):
            ids += found
        elif county := us_counties().find_by_number(each):
            missing.append(county.label)
    return list(dict.fromkeys(ids)), missing


def _county(place: Place, catalog: RegionCatalog) -> County | None:
    known = catalog.us_place(place.id) if place.kind == "county" else None
    return us_counties().find_by_number(known.county) if known is not None else None


def _points(places: Sequence[Place], catalog: RegionCatalog, pinned: Mapping[int, str]) -> list[dict[str, Any]]:
    """Return the places as points. Pinned ones stay in the rows in which they were picked; unused rows are off the
    map.
    """
    located = [(place, known) for place in places if (known := catalog.us_place(place.id))]
    labels = harmless_in_tooltip(pd.Series([place.label for place, _ in located], dtype="str"))
    dots = [
        {
            "id": f"{_BY_ID}{place.id}",
            **feature({"type": "Point", "coordinates": [known.lon, known.lat]}, n=label, d=KIND_WORDS[place.kind][0]),
        }
        for (place, known), label in zip(located, labels, strict=True)
    ]
    rows = enumerate(arranged([dot["id"] for dot in dots], pinned))
    return [dots[at] if at >= 0 else {"id": pinned.get(row, ""), **feature(_NOWHERE)} for row, at in rows]


def _towns_around(catalog: RegionCatalog, view: View) -> list[tuple[Place, UsPlace]]:
    """Return the largest cities within three times the view, for small moves of the map."""
    places, lat, lon = catalog.located
    x, y = view.screen(lat, lon)
    near = (abs(x - view.width / 2) < 1.5 * view.width) & (abs(y - view.height / 2) < 1.5 * view.height)
    cities = [
        (place, at)
        for number in near.nonzero()[0]
        if (place := places[number]).kind == "city" and (at := catalog.us_place(place.id))
    ]
    return sorted(cities, key=lambda each: -each[1].zip_codes)[:MOST_TOWNS]


def _names(
    places: Sequence[Place], catalog: RegionCatalog, view: View, theme: Theme, *, around: Sequence[Place]
) -> dict[str, Any]:
    """Return the labels of points and counties, the largest places first, then those in `around`, as many as fit."""
    known = [(place, at) for place in dict.fromkeys(places) if (at := catalog.us_place(place.id))]
    known.sort(key=lambda each: -each[1].zip_codes)
    known += [(place, at) for place in around if place not in places and (at := catalog.us_place(place.id))]
    named = known[:_NAMES_TRIED]
    rows = pd.DataFrame([(at.lon, at.lat) for _, at in named], columns=["x", "y"], dtype="float64")
    x, y = view.screen(rows["y"], rows["x"])
    radius = [2 if place.kind == "county" else _RADIUS for place, _ in named]
    labels = placed_labels(
        x, y, radius, [in_short(place.name, LONGEST) for place, _ in named], width=view.width, height=view.height
    )
    return names_layer(rows, labels, GROUNDS[theme].ink, weight=600, under=GROUNDS[theme].land)


def _view(
    before: View | None,
    shapes: Sequence[BaseGeometry],
    spots: Sequence[Sequence[float]],
    width: float,
    height: float,
    *,
    closest: float,
) -> View:
    lat = [spot[1] for spot in spots]
    lon = [spot[0] for spot in spots]
    for west, south, east, north in bounds(list(shapes)) if shapes else ():
        lat += [south, north]
        lon += [west, east]
    if not lat:
        lat, lon = list(_EVERYWHERE[:2]), list(_EVERYWHERE[2:])
    return steady_view(before, lat, lon, width=width, height=height, closest=closest)


# Colors are in _subLayerProps and not in getFillColor: Streamlit fades every layer that has one as soon as something is
# picked.


def _borders(theme: Theme, base_path: str, *, is_picked_on: bool) -> dict[str, Any]:
    # The browser must find the county of a click within a quarter of a second, and lines are slow.
    line = {"getColor": [*rgb(GROUNDS[theme].border), 255], "getWidth": 0.6, "pickable": False}
    fill = {"getFillColor": [0, 0, 0, _BARELY]}
    return geojson_layer(
        COUNTIES,
        static_url("basemap/counties.geojson", base_path),
        pickable=is_picked_on,
        filled=is_picked_on,
        stroked=False,
        _subLayerProps={"polygons-fill": fill, "linestrings": line},
    )


def _areas(
    layer: str, features: list[dict[str, Any]], *, line: list[int], fill: list[int] | None = None, width: float = 1.2
) -> dict[str, Any]:
    colours = {
        "polygons-fill": {"getFillColor": fill or []},
        "polygons-stroke": {"getColor": line, "getWidth": width},
    }
    # A click passes through to the counties below.
    return geojson_layer(layer, features, stroked=True, filled=fill is not None, _subLayerProps=colours)


def _dots(layer: str, features: list[dict[str, Any]], *, fill: list[int], line: list[int]) -> dict[str, Any]:
    return geojson_layer(
        layer,
        features,
        pickable=True,
        stroked=True,
        pointType="circle",
        pointRadiusUnits="pixels",
        getPointRadius=_RADIUS,
        getLineWidth=2,
        _subLayerProps={"points-circle": {"getFillColor": fill, "getLineColor": line}},
    )


class Inside(NamedTuple):
    """The available places in an area: ZIP codes and cities by their center, and counties that touch it."""

    zip_codes: list[Place]
    cities: list[Place]
    counties: list[Place]


def circle(lat: float, lon: float, miles: float) -> Polygon:
    """Return the circle of this radius in miles around a center in degrees. Across the date line, it continues
    beyond 180.
    """
    turns = np.linspace(0, 360, _ON_THE_CIRCLE, endpoint=False)
    here, there = np.full(_ON_THE_CIRCLE, lon), np.full(_ON_THE_CIRCLE, lat)
    east, north, _ = WGS84.fwd(here, there, turns, np.full(_ON_THE_CIRCLE, miles * KM_A_MILE * 1000))
    return Polygon(zip(lon + np.remainder(east - lon + 180, 360) - 180, north, strict=True))


def through(corners: Sequence[tuple[float, float]]) -> Area:
    """Return the polygon with these corners (latitude, longitude). If its sides cross, the whole ground between the
    corners.
    """
    area = Polygon(_side_by_side(corners))
    return area if area.is_valid else area.convex_hull


def _side_by_side(corners: Sequence[tuple[float, float]]) -> npt.NDArray[np.float64]:
    """Return longitude and latitude of each corner, the shorter way from the previous one, beyond 180 across the
    date line.
    """
    lat, lon = np.array(corners, dtype=np.float64).T
    return np.column_stack([np.unwrap(lon, period=360), lat])


def enclosed(ring: Sequence[tuple[float, float]]) -> Area:
    """Return the ground inside a freehand line, with its ends joined and wherever it crosses itself."""
    line = LinearRing([(lon, lat) for lat, lon in ring])
    return unary_union(list(polygonize(unary_union(line))))


def corners_in(text: str) -> tuple[list[tuple[float, float]], str]:
    """Return the corners in a text, one per line or as CAP writes polygons, and an error if there is one."""
    corners = [(float(lat), float(lon)) for lat, lon in _CORNER.findall(text)]
    if len(corners) > 1 and corners[0] == corners[-1]:
        corners.pop()
    if re.sub(r"[\s,;]", "", _CORNER.sub("", text)):
        return [], "Enter each corner as latitude and longitude in degrees: 40.05, -105.30."
    if any(abs(lat) > 90 or abs(lon) > 180 for lat, lon in corners):
        return [], "Latitude must be between -90 and 90, and longitude between -180 and 180. They may be swapped."
    if corners and len(set(corners)) < FEWEST_CORNERS:
        return [], f"Enter at least {FEWEST_CORNERS} corners."
    return corners, ""


def corner_lines(corners: Sequence[tuple[float, float]]) -> str:
    """Return the corners as text, one per line, with longitudes between -180 and 180."""
    return "\n".join(f"{lat:.3f}, {(lon + 180) % 360 - 180:.3f}" for lat, lon in corners)


def around(corners: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the convex hull of some corners, in order."""
    hull = Polygon(_side_by_side(corners)).convex_hull
    return [(lat, lon) for lon, lat in list(hull.exterior.coords)[:-1]] if isinstance(hull, Polygon) else list(corners)


def inside(catalog: RegionCatalog, area: Area) -> Inside:
    """Return the available places in an area."""
    if area.bounds[0] < -180 or area.bounds[2] > 180:
        area = unary_union([translate(area, turn) for turn in (-360, 0, 360)])
    places, lat, lon = catalog.located
    within = contains_xy(area, lon, lat)
    found = [places[at] for at in np.flatnonzero(within)]
    return Inside(
        [place for place in found if place.kind == "zip"],
        [place for place in found if place.kind == "city"],
        catalog.counties_touched_by(area),
    )
