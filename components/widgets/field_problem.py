"""Saying at a field what is wrong with it."""

from __future__ import annotations

import streamlit as st

from components.widgets.markdown_text import plain


def field_problem(words: str | None) -> None:
    """Draw what is wrong right under the field that was drawn before; nothing when nothing is."""
    if words:
        st.markdown(f":red[:material/error: {plain(words)}]")
