"""Draws the people: those at the picked places or all of them, a page at a time, and those who are at no place."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

import pandas as pd
import streamlit as st

from components.expected_locations import expected_words, result_frames
from components.expected_locations.result_frames import SHOWN_COLUMNS, USUAL_COLUMNS
from components.expected_locations.roster_view import View
from components.records.record_table import record_table
from components.shell.navigation import link_to
from components.shell.screens import TRIP
from components.shell.state import StateKey
from components.widgets.markdown_text import plain
from components.widgets.number_text import count

_COLUMNS: Final = StateKey[list[str]]("expected.columns", list)


def draw_people(view: View, places: Sequence[str], roster_name: str) -> None:
    """Draw the people at the picked places, or at all places where none is picked, with downloads of all of them."""
    now = datetime.now(UTC)
    table = view.people_at(list(places) or None)
    people = result_frames.distinct_people(table)
    where = f"at {count(len(places), 'picked place', 'picked places')}" if places else "at all places"
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.subheader(f"{count(people, 'person', 'people')} {where}", anchor=False, width="content")
        columns = _draw_columns()
    picked = record_table(
        table,
        {name: SHOWN_COLUMNS[name] for name in columns},
        "expected",
        id_column=("person", "itinerary", "place_id", "locator"),
        shown=lambda page: result_frames.shown(page, now),
        by="name",
        in_address=True,
        file=result_frames.file_of,
        stem=result_frames.stem(roster_name, now),
    )
    _draw_ways_to_trips(picked.rows)
    st.caption(expected_words.STATUS_HELP)


def draw_not_covered(view: View, roster_name: str) -> None:
    """Draw who is on a trip but at no place, folded away until asked for; nothing where there is nobody."""
    if not view.not_covered_count:
        return
    folded = st.expander(
        # Without their number, which changes while somebody reads: with another label it would fold by itself.
        "Not covered: on a trip, expected at no place then",
        icon=":material/person_alert:",
        key="expected-not-covered",
        on_change="rerun",
    )
    if not folded.open:
        return
    now = datetime.now(UTC)
    with folded:
        table = view.not_covered()
        picked = record_table(
            table,
            result_frames.NOT_COVERED,
            "expected-not-covered-people",
            id_column=("external_id", "name", "locator"),
            noun=("person", "people"),
            by="name",
            file=lambda ordered: ordered,
            stem=result_frames.stem(roster_name, now).replace("expected-", "not-covered-", 1),
        )
        _draw_ways_to_trips(picked.rows)


def _draw_ways_to_trips(rows: pd.DataFrame) -> None:
    for row in rows.itertuples():
        link_to(
            TRIP,
            f"Open {plain(str(row.locator))}, the trip of {plain(str(row.name))}",
            locator=str(row.locator),
            id=str(row.itinerary),
        )


def _draw_columns() -> list[str]:
    with st.popover("Columns", icon=":material/view_column:"):
        chosen = st.pills(
            "Columns shown",
            list(SHOWN_COLUMNS),
            default=list(USUAL_COLUMNS),
            selection_mode="multi",
            format_func=lambda name: SHOWN_COLUMNS[name].label,
            key=_COLUMNS.widget_key,
            persist_state="session",
        )
    return [name for name in SHOWN_COLUMNS if name in chosen] or ["name"]
