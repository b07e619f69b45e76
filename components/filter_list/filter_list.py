"""Drawing the list of contact filters: how fresh it is, what it is narrowed to, one to open, and its rows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from client import NotFound, ServiceError
from components.contact_filters.draft import new_uid
from components.contact_filters.filter_frame import (
    NOT_TOLD,
    SORTED_BY,
    downloaded,
    found,
    ordered,
    picked_keys,
    query_for,
    still_picked,
)
from components.contact_filters.listing import Listing, alike, find_one, read_listing
from components.contact_filters.state import DETAIL, LISTING
from components.filter_list.state import FIND, LAST_FIRST, PAGE, SEARCH, SEARCH_PROBLEM, SORT
from components.shell.navigation import go_to
from components.shell.notices import show_problem
from components.shell.screens import CONTACT_FILTER
from components.widgets.downloads import download_row
from components.widgets.field_problem import field_problem
from components.widgets.number_text import names
from components.widgets.pager import pager
from components.widgets.record_table import number_column, record_table
from components.widgets.time_text import moment

if TYPE_CHECKING:
    from components.shell.workspace import Workspace

FIND_WIDTH = 250
CHOICE_WIDTH = 180
LONG = 14


@dataclass(frozen=True)
class Asked:
    """What the list is narrowed to, and its order."""

    text: str
    sorted_by: str
    last_first: bool


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


def draw_filters() -> Asked:
    """Draw what the list is narrowed to; all of it stands in the URL."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        text = st.text_input(
            "Find by name",
            type="search",
            key=FIND.widget_key,
            bind="query-params",
            placeholder="Part of a name, or an id",
            on_change=_first_page,
            width=FIND_WIDTH,
        )
        sorted_by = st.selectbox(
            "Sort by",
            list(SORTED_BY),
            key=SORT.widget_key,
            bind="query-params",
            on_change=_first_page,
            width=CHOICE_WIDTH,
        )
        last_first = st.toggle("Last first", key=LAST_FIRST.widget_key, bind="query-params", on_change=_first_page)
    return Asked(text or "", sorted_by or next(iter(SORTED_BY)), last_first)


def draw_table(table: pd.DataFrame, asked: Asked, stem: str) -> list[str]:
    """Draw the rows that are asked for, a page at a time, and give back what is picked; that stands in the URL too."""
    shown = ordered(found(table, asked.text), asked.sorted_by, last_first=asked.last_first)
    given = {name: st.query_params.get_all(name) for name in ("id", "name")}
    in_url = picked_keys(given, table)
    if shown.empty:
        st.info(f"No filter is called anything like “{asked.text}”.", icon=":material/filter_alt_off:")
        st.button("Show all filters", key="contact-filters-clear", on_click=_clear)
        return in_url
    hint = st.empty()
    place = st.container()
    bounds = pager(len(shown), key=PAGE.widget_key, noun=("filter", "filters"), bind="query-params")
    page = shown.iloc[bounds.start : bounds.stop]
    with place:
        rows = record_table(
            page,
            {
                "name": st.column_config.TextColumn("Name", width="medium"),
                "rules": number_column("Rules"),
                "changed": st.column_config.DatetimeColumn(
                    "Last changed (UTC)", format="ddd D MMM YYYY, HH:mm", timezone="UTC"
                ),
                "by": "By",
            },
            key="contact-filters-list",
            page_size=None,
            selection="many",
            id_column="key",
            selected=in_url,
            height=560 if len(page) > LONG else "auto",
            placeholder=NOT_TOLD,
        )
    download_row(lambda: downloaded(shown), stem, key="contact-filters-download")
    # The table's own buttons float above it when rows are picked: this line gives them a place.
    hint.caption("Tick one to read it, several to delete them together.")
    picked = still_picked(list(rows["key"]), set(page["key"]), in_url)
    query = query_for(picked)
    for name in given:
        if query[name] and query[name] != given[name]:
            st.query_params[name] = query[name]
        elif not query[name]:
            st.query_params.pop(name, None)
    return picked


def _first_page() -> None:
    PAGE.set(1)


def _clear() -> None:
    FIND.set("")
    PAGE.set(1)
