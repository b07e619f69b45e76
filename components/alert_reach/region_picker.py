"""Draws the choice of the jurisdiction, some of it, all of it or nobody by place; and that of places by their names.

Call it in the composer's whole run, outside of its fragments. Places are written into the draft in callbacks; searching
runs in a fragment of its own, and a choice made there draws the whole page. The picker begins to read both lookups in
the background and says how that is getting on.
"""

from __future__ import annotations

import streamlit as st

from client.vocabulary.public_alerts import JURISDICTION_SOME
from components.alert_reach import region_steps
from components.alert_reach.lookup_status import freshness, lookup_status
from components.alert_reach.picker_session import CHANGED
from components.alert_reach.reach_map_view import map_picker
from components.alert_reach.region_catalog import RegionLookups, region_lookups
from components.alert_reach.region_chosen import chosen_places, take_back
from components.alert_reach.region_search import region_search
from components.alert_reach.saved_area_box import area_lines, saved_area_box
from components.forms.on_screen import OnScreen
from components.public_alerts.draft import AlertDraft
from components.shell.workspace import Workspace
from components.widgets.markdown_text import plain
from components.widgets.number_text import count


def region_picker(workspace: Workspace, fields: OnScreen[AlertDraft]) -> None:
    """Draw who is meant by place, and let it be chosen."""
    if region_steps.carry_out():
        # What is drawn above this tells of the draft as it was.
        st.rerun()
    CHANGED.clear()
    draft = fields.draft
    region_steps.begin_search(draft)
    held = region_lookups(workspace)
    fields.draw("jurisdiction")
    lookup_status(held)
    if draft.jurisdiction == JURISDICTION_SOME:
        _places(workspace, held, draft)
    else:
        take_back(draft)
        if draft.regions:
            _left_over(draft)
    fields.say("regions")


def _places(workspace: Workspace, held: RegionLookups, draft: AlertDraft) -> None:
    catalog = held.regions.value
    saved_area_box(workspace, draft, catalog)
    area_lines(workspace, draft, is_changed_here=True)
    if catalog is not None:
        region_search(catalog)
        map_picker(workspace, draft, catalog)
    chosen_places(catalog, draft)
    freshness(held)


def _left_over(draft: AlertDraft) -> None:
    chosen = count(len(draft.regions), "place is", "places are")
    st.markdown(f":orange[:material/warning: {plain(f'{chosen} still chosen from before.')}]")
    steps, is_one = region_steps.steps_of(draft), len(draft.regions) == 1
    with st.container(horizontal=True):
        st.button(
            "Warn only this place" if is_one else "Warn only these places",
            key="public_alerts.regions.only_these",
            icon=":material/location_on:",
            on_click=steps.only_these,
        )
        st.button(
            "Take it out" if is_one else "Take them out",
            key="public_alerts.regions.take_out",
            icon=":material/close:",
            on_click=steps.remove,
            args=(list(draft.regions),),
        )
