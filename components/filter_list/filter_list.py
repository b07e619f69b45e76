"""Drawing the list of contact filters: how fresh it is, what it is narrowed to, one to open, and its rows."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from client import NotFound, ServiceError
from components.contact_filters.filter_frame import (
    NOT_TOLD,
    downloaded,
    found,
    picked_keys,
    query_for,
)
from components.contact_filters.listing import Listing, alike, find_one, read_listing
from components.contact_filters.state import DETAIL, LISTING
from components.filter_list.state import FIND, PAGE, SEARCH, SEARCH_PROBLEM
from components.forms.form import new_uid
from components.shell.address import in_address
from components.shell.navigation import go_to
from components.shell.notices import show_problem
from components.shell.screens import CONTACT_FILTER
from components.widgets.field_problem import field_problem
from components.widgets.markdown_text import plain
from components.widgets.number_text import names
from components.widgets.paging import Column, numbers
from components.widgets.record_table import record_table
from components.widgets.time_text import moment

if TYPE_CHECKING:
    from components.shell.workspace import Workspace

FIND_WIDTH = 250


def load_list(workspace: Workspace, now: datetime) -> Listing:
    """Give the list that was read before, or read it now and say how far it is."""
    held = LISTING.get()
    if held is not None and held.is_fresh(now):
        return held
    place = st.empty()
    place.info("Asking the service for its contact filters.", icon=":material/hourglass:")

    def say(words: str) -> None:
        place.info(f"{words}.", icon=":material/hourglass:")

    listing = read_listing(workspace.client, say)
    place.empty()
    LISTING.set(listing)
    return listing


def read_again() -> None:
    """Forget what was read, so that the service is asked anew."""
    LISTING.clear()
    DETAIL.clear()


def draw_new() -> None:
    """Draw the way to a new filter."""
    if st.button("New filter", key="contact-filters-new", type="primary", icon=":material/add:"):
        go_to(CONTACT_FILTER, draft=new_uid())


def draw_freshness(listing: Listing) -> None:
    """Say when the list was read, with a way to read it again."""
    with st.container(horizontal=True, width="content", vertical_alignment="center"):
        st.caption(f"as of {moment(listing.read_at)}", width="content")
        st.button(
            "Refresh", key="contact-filters-refresh", icon=":material/refresh:", type="tertiary", on_click=read_again
        )


def draw_failure(listing: Listing) -> None:
    """Say that the list, or the rest of it, could not be read."""
    if listing.error is None:
        return
    show_problem(listing.error, doing="reading the list of contact filters", key="contact-filters-list")
    if listing.filters:
        st.warning(
            f"Only the first {len(listing.filters):,} filters could be read. What is not in this list may exist.",
            icon=":material/warning:",
        )
    st.button("Read the list again", key="contact-filters-again", icon=":material/refresh:", on_click=read_again)


def draw_empty() -> None:
    """Say what a filter is and how to make the first one."""
    st.info(
        "There is no contact filter yet. A filter describes people by rules, such as “expected in France this week” or "
        "“has no mobile number”, and the service finds whoever fits at that time. Make the first one: choose what a "
        "rule looks at, how it compares, and the value; the sentence below says who is meant.",
        icon=":material/filter_alt:",
    )


def draw_open(workspace: Workspace, listing: Listing) -> None:
    """Draw the field that takes an id or a name, and open what it stands for."""
    with (
        st.form("contact-filters-open-form", border=False, width="content"),
        st.container(horizontal=True, vertical_alignment="bottom", width="content"),
    ):
        text = st.text_input(
            "Open by id or name",
            key=SEARCH.widget_key,
            placeholder="214901148 or Contractors",
            width=FIND_WIDTH,
        ).strip()
        pressed = st.form_submit_button("Open", key="contact-filters-open", icon=":material/open_in_new:")
    if pressed and text:
        SEARCH_PROBLEM.clear()
        try:
            stored = find_one(workspace.client, text)
        except ServiceError as error:
            SEARCH_PROBLEM.set((text, error))
        else:
            go_to(CONTACT_FILTER, id=stored.id or None, name=None if stored.id else stored.name)
    problem = SEARCH_PROBLEM.get()
    if problem is None or problem[0] != text:
        return
    if isinstance(problem[1], NotFound):
        near = alike(listing.filters, text)
        meant = f" Did you mean {names(near)}?" if near else " It may have been deleted, or be spelled in another way."
        field_problem(f"No filter has the id or the name “{text}”.{meant}")
    else:
        show_problem(problem[1], doing=f"looking for “{text}”", key="contact-filters-open-problem")


def draw_filters() -> str:
    """Draw what the list is narrowed to, which stands in the URL; give back what is to be found."""
    with in_address(FIND):
        text = st.text_input(
            "Find by name",
            type="search",
            key=FIND.widget_key,
            placeholder="Part of a name, or an id",
            on_change=_first_page,
            width=FIND_WIDTH,
        )
    return text or ""


def draw_table(table: pd.DataFrame, text: str, stem: str) -> list[str]:
    """Draw the rows that are asked for, a page at a time, and give back what is picked; that stands in the URL too."""
    shown = found(table, text)
    given = {name: st.query_params.get_all(name) for name in ("id", "name")}
    in_url = picked_keys(given, table)
    if shown.empty:
        st.info(f"No filter is called anything like “{plain(text)}”.", icon=":material/filter_alt_off:")
        st.button("Show all filters", key="contact-filters-clear", on_click=_clear)
        return in_url
    st.caption("Tick one to read it, several to delete them together.")
    picked = record_table(
        shown,
        {"name": "Name", "rules": numbers("Rules"), "changed": Column("Last changed", moment), "by": "By", "id": "Id"},
        key="contact-filters",
        selection="many",
        id_column="key",
        selected=in_url,
        noun=("filter", "filters"),
        by="name",
        in_address=True,
        file=downloaded,
        stem=stem,
        placeholder=NOT_TOLD,
    ).ids
    query = query_for(picked)
    for name in given:
        if query[name] and query[name] != given[name]:
            st.query_params[name] = query[name]
        elif not query[name]:
            st.query_params.pop(name, None)
    return list(picked)


def _first_page() -> None:
    PAGE.set(1)


def _clear() -> None:
    FIND.set("")
    PAGE.set(1)
