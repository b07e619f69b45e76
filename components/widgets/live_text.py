"""Text areas that are followed while they are typed in, where the framework's own wait until they are left."""

from __future__ import annotations

from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from components.shell.session_scripts import draw_static_script

SCRIPT: Final = "live_text.js"


def live_text(name: str, *, border: bool = False) -> DeltaGenerator:
    """A container whose text areas hand over what is typed at each pause; the page calls `follow_live_text` once."""
    return st.container(key=f"live_text-{name}", border=border)


def follow_live_text() -> None:
    """Draw the script that follows the text areas; without it they still hand over when they are left."""
    draw_static_script(SCRIPT)
