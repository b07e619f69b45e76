"""Saying what is wrong: under the field it is wrong with, and in one list for those who cannot see the fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import streamlit as st

from components.widgets.markdown_text import plain
from components.widgets.number_text import count

LINES_SHOWN: Final = 6


def field_problem(*problems: str | None) -> None:
    """Draw what is wrong right under the field that was drawn before; nothing when nothing is."""
    for words in filter(None, problems):
        st.markdown(f":small[:red[:material/error: {plain(words)}]]")


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
