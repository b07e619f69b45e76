"""Rerun the whole page from a fragment with a timer."""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx


def redraw_page() -> None:
    """End the run of this fragment and rerun the page. In a run of the whole page nothing happens.

    There it would lose a press that is handled further down. The fragment does the same at its next run.
    """
    if is_part_by_itself():
        st.rerun(scope="app")


def is_part_by_itself() -> bool:
    """Return whether this run draws only a fragment."""
    context = get_script_run_ctx()
    return context is not None and bool(context.fragment_ids_this_run)
