"""Draws the travelers of a name that is searched in the rosters, with their trips."""

from __future__ import annotations

import streamlit as st

from components.record_list.record_table import pager
from components.shell.address import link_to
from domain.runtime.screens import EXPECTED_LOCATIONS, TRIP
from domain.runtime.workspace import Workspace
from domain.text.plain_text import count, plain
from domain.trips.rosters.traveler_search import FoundTraveler, LoadedTravelers, TravelerSearch, find_travelers

ROWS_A_PAGE = 20
LINKED_TRIPS = 5
"""How many trips of a traveler are links. The map lists the others."""


def search_travelers(workspace: Workspace, text: str, loaded: LoadedTravelers) -> TravelerSearch:
    """Search the organization's rosters for a name, and draw the travelers found and what was searched."""
    actor = workspace.actor
    search = find_travelers(workspace.journal.rosters.list(actor.service, actor.organization_id), text, loaded)
    if search.found:
        number = count(len(search.found), "traveler", "travelers")
        st.markdown(f"**{number} with “{plain(text)}” in the name**")
        bounds = pager(len(search.found), key="find_trip.travelers", page_size=ROWS_A_PAGE)
        for traveler in search.found[bounds.start : bounds.stop]:
            _draw_traveler(traveler)
    st.caption(plain(search.scope))
    return search


def _draw_traveler(traveler: FoundTraveler) -> None:
    with st.container(border=True, horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        trips = count(len(traveler.locators), "trip", "trips")
        about = " · ".join(plain(each) for each in (traveler.external_id, trips) if each)
        st.markdown(f"**{plain(traveler.name)}**  \n:gray[{about}]", width="stretch")
        for locator in traveler.locators[:LINKED_TRIPS]:
            link_to(TRIP, f"Open {plain(locator)}", locator=locator)
        if traveler.external_id:
            link_to(
                EXPECTED_LOCATIONS,
                "Show on the map",
                expected_person=traveler.external_id,
                roster=[str(each) for each in traveler.roster_ids],
            )
