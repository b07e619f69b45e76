"""Adding a rule: the columns by the groups people look for them in, with a search over names and what they mean."""

from __future__ import annotations

from itertools import groupby
from typing import Any

import streamlit as st

from components.contact_filters.column_words import WORDS, ColumnWords
from components.contact_filters.columns import search_columns
from components.filter_builder import actions
from components.filter_builder.form_values import PREFIX
from components.widgets.markdown_text import plain

MOST_SHOWN = 12


def add_a_rule(*, first: bool) -> None:
    """Draw the button that opens the choice of columns; `first` where there is no rule yet."""
    key = actions.add_key()
    adding = st.popover(
        "Add a rule",
        icon=":material/add:",
        type="primary" if first else "secondary",
        key=key,
        on_change="rerun",
    )
    if not adding.open:
        return
    with adding:
        text = st.text_input(
            "What should it look at?",
            key=f"{key}.find",
            type="search",
            placeholder="Search: country, mobile phone, shift …",
            live=True,
            width=520,
        )
        if text and text.strip():
            _found(text)
        else:
            _groups()


def _groups() -> None:
    for group, columns in groupby(WORDS, key=lambda words: words.group):
        st.markdown(f"**{plain(group)}**")
        with st.container(horizontal=True, gap="xsmall"):
            for words in columns:
                _column(words, help=plain(words.help))


def _found(text: str) -> None:
    found = search_columns(text)
    if not found:
        st.caption(f"Nothing about a person is called “{plain(text.strip())}”. Try another word.")
    for words in found[:MOST_SHOWN]:
        with st.container(gap="xxsmall"):
            _column(words)
            st.caption(f"{plain(words.group)} · {plain(words.help)}")
    if len(found) > MOST_SHOWN:
        st.caption(f"and {len(found) - MOST_SHOWN} more: type on")


def _column(words: ColumnWords, **drawing: Any) -> None:
    key = f"{PREFIX}.add_column/{words.key}"
    st.button(plain(words.label), key=key, on_click=actions.add_rule, args=(words.key,), **drawing)
