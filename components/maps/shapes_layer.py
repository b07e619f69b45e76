"""The map of shapes: points, lines and polygons as GeoJSON has them, each with its name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, get_args

import pandas as pd

from components.maps.deck import (
    Drawn,
    SplicedDeck,
    feature,
    geojson_layer,
    ground_layers,
    harmless_in_tooltip,
    tooltip,
)
from components.maps.surroundings import city_layers, scale_layers
from domain.maps.map_shape import MOST_SHAPES, Shape, Tone
from domain.maps.palette import GROUNDS, OTHER_KIND, PROBLEM_COLOURS, Theme, kind_colour, rgb
from domain.maps.viewport import CLOSEST_FIT, MAX_ZOOM, fitted_view

MOST_POSITIONS: Final = 100_000
_OPAQUE_FILL: Final = 90


def shapes_map_of(
    shapes: Sequence[Shape],
    *,
    outlines: Sequence[Shape] = (),
    theme: Theme,
    width: float,
    height: float,
    base_path: str = "",
    has_surroundings: bool = False,
    selected: str = "",
) -> Drawn:
    """Return the map of shapes, as many of them, in their order, as one map can hold; `outlines` lie over them.

    With surroundings, it has the names of cities and a scale. The shape with the ID `selected` stands out. The layers
    have other names after each selection, so the browser reports another click on the same shape as a new one.
    """
    drawn: list[tuple[Shape, list[dict[str, Any]]]] = []
    every: list[Sequence[float]] = []
    for shape in shapes[:MOST_SHAPES]:
        parts = list(_parts(shape.geometry))
        places = [place for part in parts for place in _positions(part["coordinates"])]
        if len(every) + len(places) > MOST_POSITIONS:
            break
        every += places
        drawn.append((shape, parts))
    names = harmless_in_tooltip(pd.Series([shape.name for shape, _ in drawn], dtype="str"))
    about = harmless_in_tooltip(pd.Series([shape.about for shape, _ in drawn], dtype="str"))
    features: dict[Tone, list[dict[str, Any]]] = {tone: [] for tone in get_args(Tone)}
    for (shape, parts), name, words in zip(drawn, names, about, strict=True):
        tone: Tone = "warning" if shape.id and shape.id == selected else shape.tone
        features[tone] += [{**feature(part, n=name, d=words), "id": shape.id} for part in parts]
    is_spot = all(part["type"] in ("Point", "MultiPoint") for _, parts in drawn for part in parts)
    view = fitted_view(
        [place[1] for place in every],
        [place[0] for place in every],
        width=width,
        height=height,
        closest=CLOSEST_FIT if is_spot else MAX_ZOOM,
    )
    suffix = f"/{selected}" if selected else ""
    layers = [*ground_layers(theme, view.zoom, base_path), _layer(features["plain"], theme, suffix=suffix)]
    layers += [_layer(features[tone], theme, tone, suffix) for tone in PROBLEM_COLOURS if features[tone]]
    layers += [*city_layers(view, theme), *scale_layers(view, theme)] if has_surroundings else []
    if outlines:
        layers.append(_outlines([part for shape in outlines for part in _parts(shape.geometry)], theme))
    deck = SplicedDeck(layers, view=view, tooltip=tooltip(theme))
    labels = ", ".join(shape.name for shape, _ in drawn[:8])
    description = f"Map of {len(drawn)} {'place' if len(drawn) == 1 else 'places'}: {labels}." if labels else "Map."
    return Drawn(deck, description, len(shapes) - len(drawn))


def _layer(features: list[dict[str, Any]], theme: Theme, tone: Tone = "plain", suffix: str = "") -> dict[str, Any]:
    colour = kind_colour(OTHER_KIND, theme) if tone == "plain" else rgb(PROBLEM_COLOURS[tone][theme])
    circle = {"getFillColor": [*colour, 255], "getLineColor": [*rgb(GROUNDS[theme].casing), 255]}
    return geojson_layer(
        f"shapes{'' if tone == 'plain' else f'-{tone}'}{suffix}",
        features,
        pickable=True,
        stroked=True,
        filled=True,
        pointType="circle",
        pointRadiusUnits="pixels",
        getPointRadius=7 if tone == "plain" else 9,
        getLineWidth=2,
        getLineColor=[*colour, 255],
        getFillColor=[*colour, _OPAQUE_FILL],
        _subLayerProps={"points-circle": circle},
    )


def _outlines(parts: list[dict[str, Any]], theme: Theme) -> dict[str, Any]:
    return geojson_layer(
        "outlines",
        [feature(part) for part in parts],
        filled=False,
        stroked=True,
        pointRadiusUnits="pixels",
        getPointRadius=9,
        getLineWidth=1,
        getLineColor=[*rgb(GROUNDS[theme].ink), 255],
    )


def _parts(geometry: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The geometries of a collection, or the one, each with nothing but what is drawn."""
    if geometry["type"] == "GeometryCollection":
        for part in geometry["geometries"]:
            yield from _parts(part)
    else:
        yield {"type": geometry["type"], "coordinates": geometry["coordinates"]}


def _positions(coordinates: Sequence[Any]) -> Iterator[Sequence[float]]:
    if isinstance(coordinates[0], int | float):
        yield coordinates
    else:
        for part in coordinates:
            yield from _positions(part)
