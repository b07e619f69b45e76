"""Draw whom a filter would reach now, among the people of the rosters that the map opens on."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import pandas as pd
import streamlit as st

from components.expected_locations.load_status import open_load
from components.record_list.record_table import record_table
from components.shell.background_changes import redraw_when
from components.shell.state import StateKey
from domain.expected_locations.roster_load import find_load
from domain.filters.filter_draft import FilterDraft
from domain.filters.reach.reach_count import LoadedPeople, options_at
from domain.filters.reach.reach_text import headline, missing_note, people_frame, separate_note, uncounted_note
from domain.text.plain_text import plain

if TYPE_CHECKING:
    from domain.expected_locations.roster_choice import RosterChoice
    from domain.expected_locations.roster_load import RosterLoad
    from domain.runtime.workspace import Workspace

_IS_WANTED: Final = StateKey[bool]("filter_reach.is_wanted", bool)
"""Whether this person has asked for trips to be loaded for the count."""


def draw_reach(workspace: Workspace, draft: FilterDraft, choice: RosterChoice | None) -> None:
    """Draw the count with names. Trips are loaded only if someone asks for it, or if the map has loaded them."""
    if choice is None or not draft.active_rules:
        return
    load = open_load(workspace, choice) if _IS_WANTED.get() else find_load(workspace, choice)
    with st.container(border=True, key="contact_filter-reach"):
        if load is None:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown("**Who would this filter reach now?**", width="content")
                st.button(
                    "Load trips and count",
                    key="filter-reach-load",
                    icon=":material/person_search:",
                    help=plain(f"Loads the trips of {choice.description}, as the map does."),
                    on_click=_IS_WANTED.set,
                    args=(True,),
                )
            return
        _draw_count(load, draft, choice.description)


def _draw_count(load: RosterLoad, draft: FilterDraft, source: str) -> None:
    locations, is_reading = load.locations(), load.now.is_running
    reach = LoadedPeople.of(locations).count(draft, options_at(datetime.now(UTC)))
    st.markdown(f":material/groups: {headline(reach, locations, source)}")
    notes = [separate_note(reach, locations), uncounted_note(reach, draft)]
    if is_reading:
        drawn = load.version
        notes.insert(0, f"Loading trips: {load.now.done:,} of {load.now.total or 0:,}.")
        redraw_when(lambda: load.version != drawn, every=3)
    elif failures := load.failures():
        notes.insert(0, missing_note(failures))
    for note in filter(None, notes):
        st.caption(plain(note))
    if not len(reach.same_stay) and not len(reach.only_separately):
        return
    names = st.expander("Names", icon=":material/list:", key="filter-reach-names", on_change="rerun")
    if names.open:
        with names:
            _draw_names(people_frame(reach, locations))


def _draw_names(people: pd.DataFrame) -> None:
    record_table(
        people,
        {"name": "Name", "external_id": "External ID", "match": "Match"},
        "filter-reach-people",
        selection=None,
        noun=("person", "people"),
        build_file=lambda ordered: ordered,
        stem="filter-reach",
    )
