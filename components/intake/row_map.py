"""Drawing where the rows of a file lie, those with something wrong in sight."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from components.maps.map_view import shapes_map
from components.widgets.number_text import count

if TYPE_CHECKING:
    from components.intake.checking import Check


def row_map(check: Check, *, key: str) -> None:
    """Draw a map of the rows that are here, one mark a place; nothing for a file that tells no positions."""
    position = check.intake.position
    if position is None or not all(check.matches[each].headers for each in (position.latitude, position.longitude)):
        return
    with st.expander("Map of the rows", icon=":material/map:", key=f"{key}-row-map", expanded=True):
        marks = position.marks(check)
        if not marks:
            st.caption("No row has a position that can be drawn.")
            return
        shapes_map(marks, key=f"{key}-rows", height=380)
        tones = {mark.tone for mark in marks}
        said = ["A mark is a place, with how many rows are there"]
        said += ["large and red where rows have errors"] if "error" in tones else []
        said += ["large and orange where they have warnings"] if "warning" in tones else []
        without = int(check.in_play.sum()) - sum(mark.number for mark in marks)
        left = f" {count(without, 'row has', 'rows have')} no position on earth." if without else ""
        st.caption(f"{', '.join(said)}.{left}")
