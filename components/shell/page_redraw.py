"""Rerun the whole page from a fragment with a timer."""

from __future__ import annotations

from typing import Final

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from components.shell.state import StateKey

IS_BY_TIMER: Final = StateKey("page_redraw.is_by_timer", bool)


def redraw_page(*, by_person: bool = False) -> None:
    """End the run of this fragment and rerun the page. In a run of the whole page nothing happens.

    There it would lose a press that is handled further down. The fragment does the same at its next run. The run of the
    page counts as activity of the session only if it is caused `by_person`.
    """
    if is_part_by_itself():
        IS_BY_TIMER.set(not by_person)
        st.rerun(scope="app")


def take_activity() -> bool:
    """Return whether a person caused this run of the page. Call it once per run."""
    by_timer = IS_BY_TIMER.get()
    IS_BY_TIMER.clear()
    return not by_timer


def is_part_by_itself() -> bool:
    """Return whether this run draws only a fragment."""
    context = get_script_run_ctx()
    return context is not None and bool(context.fragment_ids_this_run)
