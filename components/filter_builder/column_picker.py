"""Adding a rule: the columns by the groups people look for them in, with a search over names and what they mean."""

from __future__ import annotations

import streamlit as st

from components.contact_filters.columns import GROUP_OF, GROUPS, describe, label, search_columns
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
    for group, keys in GROUPS.items():
        st.markdown(f"**{plain(group)}**")
        with st.container(horizontal=True, gap="xsmall"):
            for key in keys:
                st.button(
                    plain(label(key)),
                    key=f"{PREFIX}.add_column/{key}",
                    help=plain(describe(key)),
                    on_click=actions.add_rule,
                    args=(key,),
                )


def _found(text: str) -> None:
    keys = search_columns(text)
    if not keys:
        st.caption(f"Nothing about a person is called “{plain(text.strip())}”. Try another word.")
    for key in keys[:MOST_SHOWN]:
        with st.container(gap="xxsmall"):
            st.button(plain(label(key)), key=f"{PREFIX}.add_column/{key}", on_click=actions.add_rule, args=(key,))
            st.caption(f"{plain(GROUP_OF[key])} · {plain(describe(key))}")
    if len(keys) > MOST_SHOWN:
        st.caption(f"and {len(keys) - MOST_SHOWN} more: type on")
