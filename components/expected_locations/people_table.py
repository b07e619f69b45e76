"""Draws the table under the map: the people of the figure that is selected, or the trips that were not found."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Final

import pandas as pd
import streamlit as st

from components.expected_locations.controls import PERSON, SHOWN, due_movements, select_places
from components.record_list.record_table import record_table
from components.shell.address import link_to
from components.shell.state import StateKey
from domain.expected_locations import expected_words
from domain.expected_locations.at_moment import IN_TRANSIT
from domain.expected_locations.country_counts import with_countries
from domain.expected_locations.expected_words import SHOWN_COLUMNS, USUAL_COLUMNS
from domain.expected_locations.movement_texts import (
    movement_columns,
    movements_file,
    movements_heading,
    shown_movements,
)
from domain.expected_locations.movements import Direction, find_movements
from domain.expected_locations.roster_load import Failure
from domain.expected_locations.roster_view import View
from domain.runtime.screens import TRIP
from domain.text.plain_text import count, plain

_COLUMNS: Final = StateKey[list[str]]("expected.columns", list)


def draw_table(view: View, places: Sequence[str], roster_name: str, failures: Sequence[Failure], at: datetime) -> None:
    """Draw who is at or in transit to the selected places, or all places; or what the selected figure counts.

    If the selected places list arrivals or departures, the table lists all of them.
    """
    if SHOWN.get() == "not-covered":
        _draw_not_covered(view, roster_name)
    elif SHOWN.get() == "places":
        _draw_places(view, roster_name)
    elif SHOWN.get() == "not-found":
        draw_failures_table([each for each in failures if each.reason == "not found"])
    elif places and (due := due_movements()) is not None:
        _draw_movements(view, places, roster_name, at, *due)
    else:
        _draw_people(view, places, roster_name)


def draw_failures_table(failures: Sequence[Failure]) -> None:
    """Draw the trips that were not read, and why."""
    record_table(
        pd.DataFrame({"locator": [each.locator for each in failures], "reason": [each.words for each in failures]}),
        {"locator": "Record locator", "reason": "Reason"},
        "expected-failure-list",
        selection=None,
        noun=("trip", "trips"),
    )


def _draw_people(view: View, places: Sequence[str], roster_name: str) -> None:
    now = datetime.now(UTC)
    table = view.people_at(list(places) or None)
    if SHOWN.get() in ("people", "transit"):
        table = table[(table["status"] == IN_TRANSIT) == (SHOWN.get() == "transit")]
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.header(expected_words.heading(table, len(places)), anchor=False, width="content")
        columns = _draw_columns()
    picked = record_table(
        table,
        {name: SHOWN_COLUMNS[name] for name in columns},
        "expected",
        id_column=("person", "itinerary", "place_id", "locator", "origin"),
        format_page=lambda page: expected_words.shown(page, now),
        default_order="name",
        has_url_state=True,
        noun=("row", "rows"),
        build_file=expected_words.file_of,
        has_cards=True,
        stem=expected_words.stem(roster_name, now),
    )
    _draw_ways_on(picked.rows)
    st.caption(expected_words.STATUS_HELP)


def _draw_movements(
    view: View, places: Sequence[str], roster_name: str, at: datetime, direction: Direction, hours: int
) -> None:
    now = datetime.now(UTC)
    table = find_movements(view.locations, direction, places, at, hours, view.filters)
    heading = f"{movements_heading(table, direction, hours)} · {count(len(places), 'place', 'places')}"
    st.header(heading, anchor=False)
    picked = record_table(
        table,
        movement_columns(direction),
        f"expected-{direction.lower()}",
        id_column=("person", "place_id", "time"),
        format_page=lambda page: shown_movements(page, now),
        default_order="time_local",
        noun=("row", "rows"),
        build_file=partial(movements_file, direction=direction),
        has_cards=True,
        stem=expected_words.stem(roster_name, now).replace("expected-", f"{direction.lower()}-", 1),
    )
    _draw_ways_on(picked.rows)


def _draw_places(view: View, roster_name: str) -> None:
    table = with_countries(view)
    st.header(count(len(table), "place", "places"), anchor=False)
    picked = record_table(
        table,
        expected_words.PLACE_COLUMNS,
        "expected-places",
        id_column="place_id",
        noun=("place", "places"),
        default_order="people descending",
        build_file=expected_words.places_file,
        stem=expected_words.stem(roster_name, datetime.now(UTC)).replace("expected-", "places-", 1),
    )
    for row in picked.rows.to_dict("records"):
        st.button(
            f"Show {plain(str(row['label']))}",
            key=f"expected-show-place-{row['place_id']}",
            icon=":material/location_on:",
            on_click=select_places,
            args=([row["place_id"]],),
        )


def _draw_not_covered(view: View, roster_name: str) -> None:
    now = datetime.now(UTC)
    st.header(count(view.not_covered_count, "person", "people") + " not covered", anchor=False)
    st.caption(
        "On a trip, neither at a place nor in transit. For these people, filters use the last and next place. "
        "The status filter does not apply."
    )
    picked = record_table(
        view.not_covered(),
        expected_words.NOT_COVERED,
        "expected-not-covered-people",
        id_column=("external_id", "name", "locator"),
        noun=("person", "people"),
        default_order="name",
        build_file=expected_words.not_covered_file,
        has_cards=True,
        stem=expected_words.stem(roster_name, now).replace("expected-", "not-covered-", 1),
    )
    _draw_ways_on(picked.rows)


def _draw_ways_on(rows: pd.DataFrame) -> None:
    for row in rows.to_dict("records"):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                f"Show {plain(str(row['name']))}",
                key=f"expected-show-{row['person']}",
                icon=":material/person:",
                on_click=select_person,
                args=(str(row["person"]),),
            )
            link_to(
                TRIP,
                f"Open {plain(str(row['locator']))}, the trip of {plain(str(row['name']))}",
                locator=str(row["locator"]),
                id=str(row["itinerary"]),
            )


def select_person(person: str) -> None:
    """Show a person beside the map, in a callback."""
    PERSON.set(person)


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
