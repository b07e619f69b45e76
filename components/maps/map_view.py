"""The maps without time as they are drawn on a page: the legs of a trip, and shapes."""

from collections.abc import Callable, Sequence
from typing import Literal

import pandas as pd
import pydeck as pdk
import streamlit as st

from components.maps.kind_chips import kinds_legend
from components.maps.legs_layer import legs_map_of
from components.maps.shapes_layer import shapes_map_of
from components.shell.state import StateKey
from components.streamlit_workarounds.map_picks import picked_ids
from components.streamlit_workarounds.own_scripts import draw_component, draw_map_status
from domain.maps.map_shape import Shape
from domain.maps.palette import Theme, theme_of
from domain.maps.viewport import View, window_size

VIEWS: StateKey[dict[str, View]] = StateKey("maps.views", dict)
"""The part of the world that each map of a session shows."""


def legs_map(
    legs: pd.DataFrame,
    points: pd.DataFrame,
    *,
    key: str,
    height: int = 360,
    width: int | None = None,
) -> None:
    """Draw the legs of a trip along great circles, and its points with their numbers in the order of travel.

    `legs` has from_lat, from_lon, to_lat, to_lon (degrees), kind, label; `points` has lat, lon, label, kind. What
    has no coordinates is not drawn.
    """
    width_px, height_px = window_size(st.context.headers.get("User-Agent"), width, height)
    theme = theme_here()
    drawn = legs_map_of(legs, points, theme=theme, width=width_px, height=height_px, base_path=base_path_here())
    legend = kinds_legend(legs["kind"], theme)
    draw_map(drawn.deck, drawn.description, key=key, height=height_px, legend=legend)


def shapes_map(
    shapes: Sequence[Shape],
    *,
    key: str,
    outlines: Sequence[Shape] = (),
    height: int = 360,
    width: int | None = None,
    has_surroundings: bool = False,
    selected: str = "",
    on_select: Callable[[str], object] | None = None,
) -> None:
    """Draw points, lines and polygons, each with its name; says so where they are too many to be drawn.

    `outlines` are drawn thinly over them, as what they were before. With surroundings, the map has the names of cities
    and a scale. `on_select` gets the ID of a shape that someone selects on the map; `selected` is the one that stands
    out.
    """
    width_px, height_px = window_size(st.context.headers.get("User-Agent"), width, height)
    drawn = shapes_map_of(
        shapes,
        outlines=outlines,
        theme=theme_here(),
        width=width_px,
        height=height_px,
        base_path=base_path_here(),
        has_surroundings=has_surroundings,
        selected=selected,
    )

    def select() -> None:
        # Empty once the layers have other names: a selection that was handled before.
        if on_select is not None and (ids := picked_ids(st.session_state.get(key))):
            on_select(ids[-1])

    draw_map(drawn.deck, drawn.description, key=key, height=height_px, on_select=select if on_select else "ignore")
    if drawn.left_out:
        st.caption(f"The map does not show {drawn.left_out:,} others, because there are too many.")


def draw_map(
    deck: pdk.Deck,
    description: str,
    *,
    key: str,
    height: int,
    legend: str = "",
    on_select: Literal["ignore", "rerun"] | Callable[[], None] = "ignore",
) -> None:
    """Draw a deck with its words, and where the browser can paint none a sentence that says so; `height` in pixels."""
    with st.container(horizontal=True, wrap=False, vertical_alignment="center", gap=None):
        st.markdown(f":small[{legend}]" if legend else "")
        # The framework lays a map's full-screen button over the end of the line above it.
        st.container(width=44, height=28, border=False)
    with st.container(gap=None):
        # The framework does not run a page again for another theme.
        draw_component(
            "muster_maps",
            "theme",
            __file__,
            key=f"{key}-theme",
            data={"theme": theme_here()},
            on_press={"theme": _follow},
        )
        draw_map_status()
        st.pydeck_chart(
            deck, height=height, key=key, on_select=on_select, selection_mode="multi-object", alt=description
        )


def _follow(_: object) -> None:
    """Nothing to do: what runs again is drawn for the theme of the browser."""


def theme_here() -> Theme:
    """The theme of the browser that is drawn for."""
    return theme_of(st.context.theme.type)


def base_path_here() -> str:
    """Below which path the app is served."""
    return str(st.get_option("server.baseUrlPath") or "")
