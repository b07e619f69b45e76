"""Drawing the whole page again from a part that looks by itself, every few moments, whether something has changed."""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx


def redraw_page() -> None:
    """End the run of this part and run the page; nothing happens in a run of the page that draws the part itself.

    There it would drop a press that is looked for further down. The part finds the same at its next look.
    """
    if is_part_by_itself():
        st.rerun(scope="app")


def is_part_by_itself() -> bool:
    """Whether this run draws a part of the page alone."""
    context = get_script_run_ctx()
    return context is not None and bool(context.fragment_ids_this_run)
