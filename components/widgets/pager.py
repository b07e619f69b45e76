"""Drawing which page of a long list is shown, and letting another one be taken."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from components.shell.address import AddressField
from components.widgets.paging import PAGE_SIZE, PageBounds, page_bounds


def pager(
    total: int,
    *,
    key: str,
    page_size: int = PAGE_SIZE,
    noun: tuple[str, str] = ("row", "rows"),
    sizes: Sequence[int] = (),
    sized: AddressField[str] | None = None,
) -> PageBounds:
    """Draw how many there are and, past one page, the page numbers; give back what the taken page shows.

    `sizes` are what a page may have, chosen as `sized`.
    """
    bounds = page_bounds(total, 1, page_size)
    offers_sizes = sized is not None and total > min(sizes)
    if bounds.pages == 1 and not offers_sizes:
        st.caption(f"{bounds.words} {noun[0] if total == 1 else noun[1]}")
        return bounds
    held = st.session_state.get(key)
    if isinstance(held, int) and held > bounds.pages:
        st.session_state[key] = bounds.pages
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        slot = st.empty()
        if bounds.pages > 1:
            bounds = page_bounds(total, st.pagination(bounds.pages, key=key), page_size)
        if sized is not None and offers_sizes:
            st.selectbox(
                "Rows a page",
                [str(size) for size in sizes],
                key=sized.widget_key,
                format_func="{} a page".format,
                label_visibility="collapsed",
                on_change=_first_page,
                args=(key,),
                width=130,
            )
        slot.caption(f"{bounds.words} {noun[1]}")
    return bounds


def _first_page(key: str) -> None:
    if key in st.session_state:
        st.session_state[key] = 1
