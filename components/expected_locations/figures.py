"""Draws the answer in figures, four of them large; the selected one is what the table lists."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components.expected_locations.controls import SHOWN
from domain.expected_locations import expected_words
from domain.expected_locations.roster_load import Failure
from domain.expected_locations.roster_view import View


def draw_figures(view: View, *, reading: bool, failures: Sequence[Failure]) -> None:
    """Draw the figures, or why there are none yet."""
    if expected_words.has_figures(view, reading=reading, failures=failures):
        figures = expected_words.figures(view, failures)
        if SHOWN.get() not in figures:
            SHOWN.set(None)
        with st.container(key="figures"):
            st.pills(
                "Figures",
                list(figures),
                format_func=figures.__getitem__,
                key=SHOWN.widget_key,
                label_visibility="collapsed",
            )
    else:
        st.markdown(expected_words.no_figures(reading=reading, failures=failures))
