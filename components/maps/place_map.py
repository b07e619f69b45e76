"""The map of expected locations: places with the people at them hour by hour, in a component of our own.

The counts travel to the browser once, as bytes, in an element of their own: the web framework sends an unchanged
element as a hash. What changes from run to run (hour, theme, selection) is a second element of the same component.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Final, Literal

import streamlit as st

from components.streamlit_workarounds.own_scripts import draw_component
from domain.expected_locations.at_moment import STATUSES
from domain.expected_locations.bounds import Bounds
from domain.expected_locations.place_hours import NO_PEOPLE, PlaceHours
from domain.expected_locations.place_hours_payload import payload_of
from domain.maps.drawn_area import read_drawn_area
from domain.maps.map_shape import Outline
from domain.maps.palette import GROUNDS, PROBLEM_COLOURS, STATUS_COLORS, Theme

Clock = Literal["UTC", "local"]
"""The time that the scrubber shows: UTC, or the local time of the person who looks at it."""
Area = Mapping[str, Any]
"""A GeoJSON geometry."""
Tool = Literal["circle", "rectangle", "freehand", "edit"]
ALL_TOOLS: Final[tuple[Tool, ...]] = ("circle", "rectangle", "freehand", "edit")

_PACKAGE: Final = "muster_maps"
_COMPONENT: Final = "place_map"


def _colors(theme: Theme) -> dict[str, Any]:
    return {
        **asdict(GROUNDS[theme]),
        "statuses": [STATUS_COLORS[status][theme] for status in STATUSES],
        "limit": PROBLEM_COLOURS["error"][theme],
    }


def place_map(
    data: PlaceHours,
    *,
    key: str,
    hour: int,
    on_select: Callable[[list[str]], object],
    on_hour: Callable[[int], object],
    on_view: Callable[[Bounds], object] | None = None,
    selected: Sequence[str] = (),
    limit: int | None = None,
    bounds: Bounds | None = None,
    focus: Sequence[tuple[float, float]] = (),
    clock: Clock = "UTC",
    height: str = "520px",
    tools: Sequence[Tool] = (),
    area: Area | None = None,
    outlines: Sequence[Outline] = (),
    on_area: Callable[[Area | None], object] | None = None,
    fallback: str = "The list below has the places with the most people.",
) -> None:
    """Draw the map with the scrubber under it; `height` is that of the map alone, as in CSS.

    `hour` is a row of the tables in `data`. The browser changes the hour by itself: `on_hour` is called once the handle
    rests. `on_select` gets the IDs of all selected places, `on_view` the part of the world after each movement.
    `bounds` moves the map only when they change; without them the map begins with all people in view. `focus` moves it
    to these positions (longitude, latitude) when they change, unless they were selected on the map. Places with more
    people than `limit` are marked. With `tools`, people draw an area: `on_area` gets it, or None once it is cleared.
    `outlines` are drawn beside it and cannot be edited: filled if they count, dashed if not, with their names on hover.
    `fallback` says what to do in a browser that cannot draw maps.
    """
    payload = payload_of(data)
    handlers: dict[str, Callable[[Any], object]] = {
        "select": lambda ids: on_select([str(each) for each in ids]),
        "hour": lambda index: on_hour(min(max(int(index), 0), len(data.people) - 1)),
    }
    if on_view is not None:
        handlers["view"] = lambda corners: on_view(Bounds(*(float(each) for each in corners)))
    if on_area is not None:
        handlers["area"] = lambda value: on_area(read_drawn_area(value))
    with st.container(gap=None):
        draw_component(_PACKAGE, _COMPONENT, __file__, key=f"{key}-hours", data=payload.content, on_press={})
        draw_component(
            _PACKAGE,
            _COMPONENT,
            __file__,
            key=key,
            data={
                "key": key,
                "version": payload.version,
                "hour": hour,
                "selected": list(selected),
                "limit": limit,
                "bounds": bounds and list(bounds),
                "focus": focus,
                "clock": clock,
                "height": height,
                "colors": {each: _colors(each) for each in GROUNDS},
                "showsPeople": data is not NO_PEOPLE,
                "fallback": fallback,
                "reportsView": on_view is not None,
                "tools": list(tools),
                "area": area,
                "outlines": [each._asdict() for each in outlines],
            },
            on_press=handlers,
        )


def area_map(
    *,
    key: str,
    tools: Sequence[Tool],
    area: Area | None,
    on_area: Callable[[Area | None], object],
    bounds: Bounds | None,
    height: str,
    fallback: str,
) -> None:
    """Draw the map without people and time, to draw an area on it."""
    place_map(
        NO_PEOPLE,
        key=key,
        hour=0,
        on_select=lambda _: None,
        on_hour=lambda _: None,
        bounds=bounds,
        height=height,
        tools=tools,
        area=area,
        on_area=on_area,
        fallback=fallback,
    )
