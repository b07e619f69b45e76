"""The preview beside the form: where who will be expected, on a map and as a table, and what looks wrong."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import streamlit as st

from client.models.itineraries import Itinerary
from components.maps.map_view import legs_map
from components.records.record_table import record_table
from components.trip_editor.preview_frames import answer_line, table_frame
from components.trips.checks import trip_checks
from components.trips.legs import legs_of
from components.trips.prediction import predict
from components.trips.trip_view import list_findings
from components.widgets.table_pages import Column, numbers

COLUMNS: Final[dict[str, str | Column]] = {
    "place": "Place",
    "why": "Why",
    "people": numbers("People"),
    "from_here": "From, at the place",
    "until_here": "Until, at the place",
    "from_utc": "From, UTC",
    "until_utc": "Until, UTC",
    "problem": "Problem",
}
MAP_WIDTH: Final = 340


def preview(itinerary: Itinerary, *, key: str, unfinished: Collection[int] = ()) -> None:
    """Draw what will follow from the trip, worked out here and now; nothing is asked of the service.

    `unfinished` are the segments (indexes) that are still being typed: nothing is found wrong with them yet.
    """
    predicted = [each for each in predict(itinerary) if each.follows]
    st.subheader("What will follow")
    if itinerary.is_canceled:
        st.info("A canceled trip is removed: nobody will be expected anywhere for it.", icon=":material/event_busy:")
        return
    if not predicted:
        st.info(
            "Nothing yet. As soon as a segment has its places and times, and a traveller an employee id or a name, "
            "this shows where they will be expected.",
            icon=":material/travel_explore:",
        )
    else:
        travellers = len({each.employee_id or each.traveller for each in predicted})
        st.caption(answer_line(predicted, travellers))
        legs, points = legs_of(itinerary)
        if points.empty:
            st.info("None of these places has coordinates or an airport: there is nothing to show on a map.")
        else:
            legs_map(legs, points, key=f"{key}-map", height=300, width=MAP_WIDTH)
        table = table_frame(predicted)
        shown = {name: column for name, column in COLUMNS.items() if name != "problem" or table["problem"].any()}
        record_table(table, shown, f"{key}-table", selection=None, noun=("location", "locations"))
    if predicted:
        list_findings((found for found in trip_checks(itinerary) if found.segment not in unfinished), numbered=True)
