"""Draws what is next to the map: the selected places with their people, a person, or the places with most people."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

import pandas as pd
import streamlit as st

from components.expected_locations.controls import PERSON, PLACES, draw_due, due_movements
from components.expected_locations.people_table import select_person
from components.streamlit_workarounds.own_scripts import scroll_to_detail
from components.widgets.status_badge import status_markdown
from domain.expected_locations.at_moment import IN_TRANSIT
from domain.expected_locations.expected_words import STATUSES, distinct_people, statuses_in_words, when_text
from domain.expected_locations.location_frame import find_known_id
from domain.expected_locations.movement_texts import STATES, movement_text, movements_heading
from domain.expected_locations.movements import Direction, find_movements
from domain.expected_locations.roster_view import View
from domain.text.plain_text import count, names, plain
from domain.text.time_text import at_place

PANEL_HEIGHT: Final = 460
"""Of what stands below the list of places, in pixels. On a wide screen, a style of `static/muster.css` replaces it."""
_PEOPLE_SHOWN: Final = 20
_PLACES_SHOWN: Final = 3


def draw_place_list(view: View, *, is_whole: bool) -> list[str]:
    """Draw the list of places; return the IDs of the selected places that the rosters know.

    Only if `is_whole`, when all trips of the rosters are read, an unknown place is one where no one is ever expected.
    """
    labels = dict(zip(view.locations.places["place_id"], view.locations.places["label"], strict=True))
    if is_whole:
        known = list(labels)
        PLACES.set([find_known_id(each, known) for each in PLACES.get()])
    chosen = st.multiselect(
        "Places",
        # A filter never clears a selected place.
        list(dict.fromkeys([*view.places["place_id"], *view.destinations()["place_id"], *PLACES.get()])),
        format_func=lambda place_id: labels.get(place_id, place_id),
        key=PLACES.widget_key,
        placeholder="Find a place",
        select_all=False,
        label_visibility="collapsed",
        on_change=PERSON.set,
        args=(None,),
    )
    # On a phone, what is selected on the map is below it.
    scroll_to_detail("/".join(filter(None, [*chosen, PERSON.get()])), is_new=False)
    unknown = [each for each in chosen if each not in labels]
    if is_whole and unknown:
        st.warning(
            f"No one on the selected rosters is ever expected at {plain(names(unknown))}. The link may be for another "
            "roster, or the trips may have changed.",
            icon=":material/search_off:",
        )
        st.button("Clear unknown places", key="expected-clear-unknown", on_click=_clear, args=(tuple(unknown),))
    return [place_id for place_id in chosen if place_id in labels]


def draw_places(view: View, place_ids: Sequence[str], at: datetime, *, is_whole: bool) -> None:
    """Draw the selected places, each with its people at that moment."""
    with st.container(height=PANEL_HEIGHT, border=True, key="expected-picked"):
        draw_due()
        for place_id in place_ids[:_PLACES_SHOWN]:
            _draw_place(view, place_id, at, is_whole=is_whole)
        if len(place_ids) > _PLACES_SHOWN:
            st.caption(f"{count(len(place_ids) - _PLACES_SHOWN, 'more place', 'more places')} in the table below.")


def _draw_place(view: View, place_id: str, at: datetime, *, is_whole: bool) -> None:
    known = view.locations.places
    place = known[known["place_id"] == place_id].iloc[0]
    if (due := due_movements()) is not None:
        _draw_movements(view, place, at, *due)
        return
    people = view.people_at([place_id])
    zone = place["zone"] if isinstance(place["zone"], str) else None
    is_coming = people["status"].isin(["arriving", IN_TRANSIT])
    present = distinct_people(people[people["status"] != IN_TRANSIT])
    st.markdown(f"**{plain(str(place['label']))} · {count(present, 'person', 'people')}**")
    lines = [str(place["address"]), at_place(at, zone, now=datetime.now(UTC)), statuses_in_words(people)]
    st.caption("  \n".join(plain(line) for line in lines if line))
    if people.empty:
        who = "No one" if is_whole else "No one on the loaded trips"
        st.markdown(f"{who} is expected at this place at that time.")
    _draw_people(people[~is_coming])
    if is_coming.any():
        st.markdown("**Arriving**")
        _draw_people(people[is_coming])
    others = st.expander("May also be at this place", key=f"expected-others-{place_id}", on_change="rerun")
    if others.open:
        with others:
            candidates = view.other_candidates([place_id])
            st.caption("Another place is more likely for these people." if len(candidates) else "No one else.")
            _draw_people(candidates)


def _draw_movements(view: View, place: pd.Series, at: datetime, direction: Direction, hours: int) -> None:
    now, place_id = datetime.now(UTC), str(place["place_id"])
    table = find_movements(view.locations, direction, [place_id], at, hours, view.filters)
    st.markdown(f"**{plain(str(place['label']))} · {movements_heading(table, direction, hours)}**")
    for row in table.head(_PEOPLE_SHOWN).to_dict("records"):
        with st.container(gap=None):
            _draw_person_button(row, f"{direction}-{place_id}-{row['person']}-{row['time']:%Y%m%d%H%M}")
            badge = f"{status_markdown(STATES[row['state']])} " if row["state"] else ""
            st.markdown(f"{badge}:small[{plain(movement_text(row, direction, now))}]")
    if len(table) > _PEOPLE_SHOWN:
        st.caption(f"{len(table) - _PEOPLE_SHOWN:,} more in the table below.")


def _draw_people(people: pd.DataFrame) -> None:
    now = datetime.now(UTC)
    for row in people.head(_PEOPLE_SHOWN).to_dict("records"):
        draw_person_row(row, now)
    if len(people) > _PEOPLE_SHOWN:
        st.caption(f"{len(people) - _PEOPLE_SHOWN:,} more in the table below.")


def draw_person_row(row: Mapping[Hashable, Any], now: datetime) -> None:
    """Draw a person at a place or in transit, to be selected."""
    with st.container(gap=None):
        _draw_person_button(row, f"{row['place_id']}-{row['person']}-{row['locator']}-{row['origin']}")
        st.markdown(f"{status_markdown(STATUSES[str(row['status'])])} :small[{plain(when_text(row, now))}]")


def _draw_person_button(row: Mapping[Hashable, Any], key: str) -> None:
    st.button(
        f"{plain(str(row['name']))} · {plain(str(row['locator']))}",
        key=f"expected-person-{key}",
        icon=":material/person:",
        type="tertiary",
        on_click=select_person,
        args=(str(row["person"]),),
    )


def _clear(place_ids: Sequence[str]) -> None:
    PLACES.set([each for each in PLACES.get() if each not in place_ids])
