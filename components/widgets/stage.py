"""Stages of a screen, such as writing, review and result: each starts at the top of the page."""

from __future__ import annotations

from typing import Final

import streamlit as st

from components.shell.session_scripts import draw_static_script

SCRIPT: Final = "stage.js"


def new_stage(*names: str) -> None:
    """Bring the page to its top where these names are not those of the run before; else nothing moves.

    Call it once a run with what makes the stage: what it is of, and its name. Another page starts at its top by itself.
    """
    with st.sidebar:  # where it shifts nothing
        draw_static_script(SCRIPT, {"stage": "/".join(names)})
