"""What a screen shows where there is nothing yet: an icon, one sentence, and one button."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import streamlit as st

from domain.text.plain_text import plain


class EmptyAction(NamedTuple):
    """The button of an empty state: its label, what it does in the run after it was pressed, and its icon."""

    label: str
    run: Callable[[], None]
    icon: str = ":material/add:"


def draw_empty_state(icon: str, sentence: str, action: EmptyAction | None = None, *, key: str) -> None:
    """Draw an empty state; `icon` is the name of a Material icon, `sentence` says what belongs in this place."""
    with st.container(border=True, key=f"empty-{key}", horizontal_alignment="center", gap="medium"):
        st.space("small")
        with st.container(width=560, horizontal_alignment="center", gap="medium"):
            with st.container(key=f"empty-icon-{key}", width="content"):
                st.markdown(f":gray[:material/{icon}:]", width="content")
            st.markdown(plain(sentence), text_alignment="center")
            if action is not None and st.button(action.label, key=f"{key}-empty", type="primary", icon=action.icon):
                action.run()
        st.space("small")
