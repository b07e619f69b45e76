"""Drawing which page of a long list is shown, and letting another one be taken."""

from __future__ import annotations

import streamlit as st

from components.widgets.paging import PAGE_SIZE, PageBounds, page_bounds


def pager(total: int, *, key: str, page_size: int = PAGE_SIZE, noun: tuple[str, str] = ("row", "rows")) -> PageBounds:
    """Draw how many there are and, past one page, the page numbers; give back what the taken page shows."""
    bounds = page_bounds(total, 1, page_size)
    if bounds.pages == 1:
        st.caption(f"{bounds.words} {noun[0] if total == 1 else noun[1]}")
        return bounds
    held = st.session_state.get(key)
    if isinstance(held, int) and held > bounds.pages:
        st.session_state[key] = bounds.pages
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        slot = st.empty()
        number = st.pagination(bounds.pages, key=key)
        bounds = page_bounds(total, number, page_size)
        slot.caption(f"{bounds.words} {noun[1]}")
    return bounds
