"""Listing what keeps a form from being sent, for those who cannot see its fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import streamlit as st

from components.widgets.markdown_text import plain
from components.widgets.number_text import count

LINES_SHOWN: Final = 6


def to_mend(lines: Sequence[str], *, before: str = "sent") -> None:
    """Draw the first of the lines and how many more there are; nothing where there are none."""
    if not lines:
        return
    shown = "\n".join(f"- {plain(line)}" for line in lines[:LINES_SHOWN])
    more = f"\n- and {len(lines) - LINES_SHOWN:,} more" if len(lines) > LINES_SHOWN else ""
    st.error(
        f"**{count(len(lines), 'thing', 'things')} to mend before it can be {before}**\n{shown}{more}",
        icon=":material/error:",
    )
