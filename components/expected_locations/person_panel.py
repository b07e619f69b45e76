"""Draws a person beside the map: where they are, who else is there, and their trips."""

from __future__ import annotations

from datetime import UTC, datetime

import pandas as pd
import streamlit as st

from components.expected_locations.controls import PERSON, PLACES
from components.expected_locations.place_panel import PANEL_HEIGHT
from components.shell.address import link_to
from domain.expected_locations.at_moment import IN_TRANSIT
from domain.expected_locations.expected_words import distinct_people, status_badge, when_text
from domain.expected_locations.roster_view import Filters, View, look
from domain.runtime.screens import TRIP
from domain.text.plain_text import count, plain


def draw_person(view: View, *, is_whole: bool) -> None:
    """Draw the selected person at the moment of the view, whatever its filters."""
    person, people = PERSON.get(), view.locations.people
    known = people[people["person"] == person]
    with st.container(height=PANEL_HEIGHT, border=True, key="expected-person"):
        if known.empty:
            where = "the selected rosters" if is_whole else "the trips that were read"
            st.warning(f"{plain(str(person))} is not in {where}.", icon=":material/search_off:")
        else:
            _draw_whereabouts(look(view.locations, view.stretch, Filters()), str(person), str(known.iloc[0]["name"]))
        st.button("Close", icon=":material/close:", key="expected-close-person", on_click=PERSON.set, args=(None,))


def _draw_whereabouts(everyone: View, person: str, name: str) -> None:
    now = datetime.now(UTC)
    st.markdown(f"**{plain(name)}**")
    table = everyone.people_at(None)
    rows = table[table["person"] == person]
    if rows.empty:
        st.markdown("Not at a place and not in transit at this time.")
    for row in rows.to_dict("records"):
        place = row["route"] if row["status"] == IN_TRANSIT else row["place"]
        st.markdown(f"{status_badge(str(row['status']))} **{plain(str(place))}**")
        st.caption(plain(when_text(row, now)))
        if row["status"] != IN_TRANSIT:
            _draw_others_there(everyone, str(row["place_id"]))
    _draw_other_places(everyone, person, now)
    for trip in rows.drop_duplicates("itinerary").to_dict("records"):
        link_to(TRIP, f"Trip {plain(str(trip['locator']))}", locator=str(trip["locator"]), id=str(trip["itinerary"]))


def _draw_others_there(everyone: View, place_id: str) -> None:
    people = everyone.people_at([place_id])
    others = distinct_people(people[people["status"] != IN_TRANSIT]) - 1
    if others:
        label = f"Show {count(others, 'other person', 'other people')} at this place"
        st.button(label, icon=":material/group:", type="tertiary", on_click=select_places, args=([place_id],))


def _draw_other_places(everyone: View, person: str, now: datetime) -> None:
    others = st.expander("May also be at", key="expected-other-places", on_change="rerun")
    if not others.open:
        return
    with others:
        candidates: pd.DataFrame = everyone.other_candidates(None)
        rows = candidates[candidates["person"] == person]
        if rows.empty:
            st.caption("No other place.")
        for row in rows.to_dict("records"):
            st.markdown(f"{status_badge(str(row['status']))} {plain(str(row['place']))}")
            st.caption(plain(when_text(row, now)))


def select_places(place_ids: list[str]) -> None:
    """Show places beside the map, in a callback."""
    PLACES.set(place_ids)
    PERSON.set(None)
