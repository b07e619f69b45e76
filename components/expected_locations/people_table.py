"""Draws the people: those at the picked places or all of them, a page at a time, and those who are at no place."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

import pandas as pd
import streamlit as st

from components.expected_locations import result_frames, state, words
from components.expected_locations.result_frames import SHOWN_COLUMNS, SORTED_BY, USUAL_COLUMNS
from components.expected_locations.view import View
from components.shell.navigation import link_to
from components.shell.screens import TRIP
from components.widgets.downloads import download_row
from components.widgets.markdown_text import plain
from components.widgets.number_text import count
from components.widgets.pager import pager
from components.widgets.paging import in_order
from components.widgets.record_table import record_table

PAGE_SIZE: Final = 50
_HEIGHT: Final = 560


def draw_people(view: View, picked: Sequence[str], roster_name: str) -> None:
    """Draw the people at the picked places, or at all places where none is picked, with downloads of all of them."""
    now = datetime.now(UTC)
    table = view.people_at(list(picked) or None)
    people = result_frames.distinct_people(table)
    where = f"at {count(len(picked), 'picked place', 'picked places')}" if picked else "at all places"
    st.subheader(f"{count(people, 'person', 'people')} {where}", anchor=False)
    columns, ordered = _draw_arrangement(table)
    bounds = pager(len(ordered), key="expected-page", page_size=PAGE_SIZE, noun=("row", "rows"))
    page = result_frames.shown(ordered.iloc[bounds.start : bounds.stop], now)
    chosen = record_table(
        page,
        {name: SHOWN_COLUMNS[name] for name in columns},
        "expected-people",
        page_size=None,
        selection="one",
        id_column=None,
        height=_HEIGHT,
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        stem = result_frames.stem(roster_name, now)
        download_row(lambda: result_frames.file_of(table), stem, "expected-people-file")
        for row in chosen.itertuples():
            link_to(
                TRIP,
                f"Open {plain(str(row.locator))}, the trip of {plain(str(row.name))}",
                locator=str(row.locator),
                id=str(row.itinerary),
            )
    st.caption(words.STATUS_HELP)


def draw_not_covered(view: View, roster_name: str) -> None:
    """Draw who is on a trip but at no place, folded away; nothing where there is nobody."""
    if not view.not_covered_count:
        return
    now = datetime.now(UTC)
    with st.expander(
        f"{count(view.not_covered_count, 'person', 'people')} not covered: on a trip, expected at no place then",
        icon=":material/person_alert:",
        key="expected-not-covered",
    ):
        table = view.not_covered()
        record_table(
            result_frames.not_covered_shown(table, now),
            {
                name: name
                for name in ("Person", "Record locator", "Last expected at", "Until", "Next expected at", "From")
            },
            "expected-not-covered-people",
            selection=None,
            page_size=PAGE_SIZE,
            noun=("person", "people"),
        )
        stem = result_frames.stem(roster_name, now).replace("expected-", "not-covered-", 1)
        download_row(lambda: table, stem, "expected-not-covered-file")


def _draw_arrangement(table: pd.DataFrame) -> tuple[list[str], pd.DataFrame]:
    """Draw what is shown and in which order; the order is that of all pages, not of the one in sight."""
    with st.container(horizontal=True, vertical_alignment="bottom", key="expected-arrangement"):
        by = st.selectbox(
            "Sort by",
            list(USUAL_COLUMNS),
            format_func=SHOWN_COLUMNS.__getitem__,
            key=state.SORT.widget_key,
            persist_state="page",
            width=180,
        )
        last_first = st.toggle("Last first", key=state.LAST_FIRST.widget_key, persist_state="page")
        with st.popover("Columns", icon=":material/view_column:"):
            chosen = st.pills(
                "Columns shown",
                list(SHOWN_COLUMNS),
                default=list(USUAL_COLUMNS),
                selection_mode="multi",
                format_func=SHOWN_COLUMNS.__getitem__,
                key=state.COLUMNS.widget_key,
                persist_state="session",
            )
    columns = [name for name in SHOWN_COLUMNS if name in chosen] or ["name"]
    if by == "name" and not last_first:
        return columns, table
    return columns, in_order(table, SORTED_BY.get(by, by), last_first)
