"""Drawing how trips get into a roster: a file or pasted text, and what was understood of it."""

from __future__ import annotations

import streamlit as st

from components.intake.steps import take_rows
from components.rosters.roster_file import ROSTER, trips_of
from components.rosters.roster_frame import trips_words
from components.shell.workspace import Workspace
from components.widgets.markdown_text import plain
from journal import RosterEntry


def roster_intake(workspace: Workspace, *, key: str, problem: str | None) -> list[RosterEntry]:
    """Draw the steps; give back the trips of the rows that are ready. `problem` stands at the field."""
    check = take_rows(workspace, ROSTER, key=key, problem=problem)
    if check is None:
        return []
    trips = trips_of(check.ready)
    if trips.entries:
        st.markdown(f"**Understood:** {plain(trips_words(trips))}")
    return trips.entries
