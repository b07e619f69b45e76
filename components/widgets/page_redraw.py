"""Drawing the whole page again from a part that looks by itself, every few moments, whether something has changed."""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx


def redraw_page() -> None:
    """End the run of this part and run the page; nothing happens in a run of the page that draws the part itself.

    There it would drop a press that is looked for further down. The part finds the same at its next look.
    """
    context = get_script_run_ctx()
    if context is not None and context.fragment_ids_this_run:
        st.rerun(scope="app")
