"""Draw the map of the incident, on which its area can be drawn, in a fragment of the page."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, Final

import streamlit as st

from components.incidents.area_panel import EDITED, drawn_on_map
from components.incidents.incident_controls import MAP_AT, PEOPLE
from components.maps.place_map import ALL_TOOLS, place_map
from components.shell.page_redraw import redraw_page
from components.shell.state import StateKey
from domain.expected_locations.at_moment import moment
from domain.expected_locations.bounds import Bounds, positions_of
from domain.expected_locations.location_frame import Locations
from domain.expected_locations.map_hours import hours_on_map
from domain.expected_locations.roster_view import Filters, look
from domain.expected_locations.time_choice import hour_of, time_of
from domain.incidents.affected import Affected
from domain.incidents.area_parts import AreaPart, bounds_around, drawn_text, editable_ring, outlines

_HEIGHT: Final = 330
_IS_CHANGED: Final = StateKey[bool]("incidents.map_changed", bool)
_FIRST_HOUR: Final[StateKey[datetime | None]] = StateKey("incidents.first_hour", lambda: None)
_FRAMED: Final = StateKey[list[str]]("incidents.framed_parts", list)
"""The parts that the view was last set to, or that were drawn on the map."""
_BOUNDS: Final[StateKey[Bounds | None]] = StateKey("incidents.map_bounds", lambda: None)
_IS_DRAWN: Final = StateKey[bool]("incidents.is_drawn", bool)


def draw_incident_map(
    locations: Locations, parts: Sequence[AreaPart], affected: Affected | None, begins: datetime, now: datetime
) -> None:
    """Draw the people at the beginning of the incident, or at the selected hour, with the area above them.

    The map moves to the people who are selected in the list.
    """
    hour_shown = MAP_AT.get()
    at = hour_shown.replace(tzinfo=UTC) if hour_shown is not None else begins
    hours = hours_on_map(look(locations, moment(at), Filters()), at, now, _FIRST_HOUR.get())
    _FIRST_HOUR.set(hours.first_hour)
    bounds = _wanted_bounds(parts)
    edited = next((part for part in parts if part.text == EDITED.get()), None)

    @st.fragment
    def redraw() -> None:
        if _IS_CHANGED.get():
            _IS_CHANGED.clear()
            redraw_page(by_person=True)
        place_map(
            hours,
            key="incident-map",
            hour=hour_of(at, hours.first_hour),
            bounds=bounds,
            focus=positions_of(affected.people, "person", PEOPLE.get()) if affected is not None else (),
            height=f"{_HEIGHT}px",
            tools=ALL_TOOLS,
            area=editable_ring(edited) if edited is not None else None,
            outlines=outlines(part for part in parts if part is not edited),
            on_select=lambda _: None,
            on_hour=lambda hour: _show_hour(hour, hours.first_hour),
            on_area=_store_area,
        )

    redraw()


def _show_hour(hour: int, first_hour: datetime) -> None:
    MAP_AT.set(time_of(hour, first_hour))
    _IS_CHANGED.set(True)


def _store_area(area: Any) -> None:
    _IS_DRAWN.set(True)
    drawn_on_map(drawn_text(area) if area is not None else None)
    _IS_CHANGED.set(True)


def _wanted_bounds(parts: Sequence[AreaPart]) -> Bounds | None:
    """Return the bounds of an area that was typed, loaded from a file, or opened. Drawing on the map does not move
    the view.
    """
    texts = [part.text for part in parts]
    if _FRAMED.get() != texts:
        _FRAMED.set(texts)
        if not _IS_DRAWN.get():
            _BOUNDS.set(bounds_around(parts))
    _IS_DRAWN.set(False)
    return _BOUNDS.get()
