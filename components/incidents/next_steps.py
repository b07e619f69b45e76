"""Draws what can be done with the list of affected people: files, a briefing, a contact filter, a public alert."""

from __future__ import annotations

from datetime import datetime

import streamlit as st

from components.widgets.downloads import download_row
from domain.incidents.affected import Affected
from domain.incidents.affected_words import file_stem, people_file


def draw_next_steps(found: Affected, name: str, now: datetime) -> None:
    """Draw the next steps in one row."""
    with st.container(horizontal=True, vertical_alignment="center", key="incident-next-steps"):
        download_row(lambda: people_file(found), file_stem(name, now), "affected-file")
