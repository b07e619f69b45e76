"""Draws the map with its scrubber, in a part of the page of its own: moving the map runs nothing else."""

from __future__ import annotations

from datetime import datetime
from typing import Final

import streamlit as st

from components.expected_locations.controls import AT, CLOCK, MODE, PERSON, PLACES
from components.expected_locations.saved_views import AREA, WANTED_AREA
from components.maps.place_map import place_map
from components.record_list.record_table import record_table
from components.shell.page_redraw import redraw_page
from components.shell.state import StateKey
from domain.expected_locations.bounds import Bounds, positions_of
from domain.expected_locations.map_hours import hours_on_map
from domain.expected_locations.roster_view import View, without_coordinates
from domain.expected_locations.time_choice import hour_of, time_of
from domain.tables.table_pages import numbers
from domain.text.plain_text import count

MAP_HEIGHT: Final = "max(300px, min(640px, 100dvh - 365px, 100vw))"
"""With its scrubber it ends where a wide window does."""
_KEY: Final = "expected-map"
_IS_CHANGED: Final = StateKey[bool]("expected.map_changed", bool)
"""Whether a person selected a place or a time on the map, which the rest of the page has to follow."""
_FIRST_HOUR: Final[StateKey[datetime | None]] = StateKey("expected.first_hour", lambda: None)
"""The first hour of the scrubber in the last run."""


def draw_map(view: View, at: datetime, now: datetime, *, limit: int | None) -> None:
    """Draw the map at a moment, and under it the way to the places that it cannot show."""
    hours = hours_on_map(view, at, now, _FIRST_HOUR.get())
    _FIRST_HOUR.set(hours.first_hour)

    @st.fragment
    def redraw() -> None:
        if _IS_CHANGED.get():
            _IS_CHANGED.clear()
            redraw_page(by_person=True)
        place_map(
            hours,
            key=_KEY,
            hour=hour_of(at, hours.first_hour),
            selected=PLACES.get(),
            limit=limit,
            bounds=WANTED_AREA.get(),
            focus=_focus(view),
            clock="local" if CLOCK.get() == "Local" else "UTC",
            height=MAP_HEIGHT,
            on_select=_select,
            on_hour=lambda hour: _show_hour(hour, hours.first_hour),
            on_view=_note_area,
        )

    redraw()
    _draw_places_without_coordinates(view)


def _focus(view: View) -> list[tuple[float, float]]:
    """Return the positions of the selected person's place, or else of the selected places."""
    place_ids = PLACES.get()
    if (person := PERSON.get()) is not None:
        present = view.people_at(None)
        place_ids = present.loc[present["person"] == person, "place_id"].astype(str).tolist()
    return positions_of(view.locations.places, "place_id", place_ids)


def _select(place_ids: list[str]) -> None:
    PLACES.set(place_ids)
    PERSON.set(None)
    _IS_CHANGED.set(True)


def _show_hour(hour: int, first_hour: datetime) -> None:
    MODE.set("Moment")
    AT.set(time_of(hour, first_hour))
    _IS_CHANGED.set(True)


def _note_area(area: Bounds) -> None:
    AREA.set(area)
    # A view that is opened a second time leads back to its area.
    WANTED_AREA.clear()


def _draw_places_without_coordinates(view: View) -> None:
    hidden = without_coordinates(view.places)
    if hidden.empty:
        return
    folded = st.popover(
        f"{count(len(hidden), 'place', 'places')} without coordinates, not on the map",
        icon=":material/location_off:",
        type="tertiary",
        key="expected-not-on-the-map",
        on_change="rerun",
    )
    if folded.open:
        with folded:
            record_table(
                hidden,
                {"label": "Place", "people": numbers("People"), "locations": numbers("Locations")},
                "expected-without-coordinates",
                selection=None,
                noun=("place", "places"),
            )
