"""Draws the choice of the jurisdiction, some of it, all of it or nobody by place; and that of places by their names.

    region_picker(workspace, draft, found=None, with_jurisdiction=True) -> None

Call it in the composer's whole run, outside of its fragments. It writes `jurisdiction` and `regions` of state.DRAFT in
callbacks; searching runs in a fragment of its own, and a choice made there draws the whole page. Where `found`
(Problems) is given, what is wrong with both stands at them. `with_jurisdiction=False` leaves the first choice to
the caller. The picker begins to read both lookups in the background and says how that is getting on.
"""

from __future__ import annotations

from typing import Final

import streamlit as st

from client.vocabulary.public_alerts import JURISDICTION_ALL, JURISDICTION_SOME
from components.alert_reach import region_steps
from components.alert_reach.lookup_status import freshness, lookup_status
from components.alert_reach.region_catalog import RegionLookups, region_lookups
from components.alert_reach.region_chosen import chosen_places, take_back
from components.alert_reach.region_search import region_search
from components.alert_reach.state import CHANGED
from components.forms.form import Problems
from components.public_alerts.draft import AlertDraft
from components.shell.workspace import Workspace
from components.widgets.field_problem import field_problem
from components.widgets.markdown_text import plain
from components.widgets.number_text import count

_CHOICES: Final = {
    JURISDICTION_SOME: ("Some places", "The cities, zip codes and counties you choose."),
    JURISDICTION_ALL: ("ALL of the jurisdiction", "Everybody this organization can warn."),
    "": ("Nobody by place", "Only event groups, if any."),
}


def region_picker(
    workspace: Workspace, draft: AlertDraft, found: Problems | None = None, *, with_jurisdiction: bool = True
) -> None:
    """Draw who is meant by place, and let it be chosen."""
    if region_steps.carry_out():
        # What is drawn above this tells of the draft as it was.
        st.rerun()
    CHANGED.clear()
    region_steps.begin_search(draft)
    held = region_lookups(workspace)
    if with_jurisdiction:
        _jurisdiction(draft)
        if found is not None:
            field_problem(*found.at(draft.uid, "jurisdiction"))
    lookup_status(held)
    if draft.jurisdiction == JURISDICTION_SOME:
        _places(held, draft)
    else:
        take_back(draft)
        if draft.regions:
            _left_over(draft)
    if found is not None:
        field_problem(*found.at(draft.uid, "regions"))


def jurisdiction_key(draft: AlertDraft) -> str:
    """The key of the choice between some, all and nobody by place."""
    return f"public_alerts.jurisdiction/{draft.uid}"


def _jurisdiction(draft: AlertDraft) -> None:
    key = jurisdiction_key(draft)
    options = list(_CHOICES)
    if draft.jurisdiction not in _CHOICES:
        # A sent alert may have come with a word the interface does not know; it stays in sight until it is changed.
        options.append(draft.jurisdiction)
    # It begins with the draft's value: one only written into the session is lost where a run is cut short, and the
    # browser would show the first choice.
    if st.session_state.get(key, draft.jurisdiction) != draft.jurisdiction:
        st.session_state[key] = draft.jurisdiction
    steps = region_steps.steps_of(draft)
    st.radio(
        "Who is warned, by place",
        options,
        index=options.index(draft.jurisdiction),
        key=key,
        format_func=lambda each: _CHOICES[each][0] if each in _CHOICES else plain(f"“{each}”, which is not allowed"),
        captions=[_CHOICES[each][1] if each in _CHOICES else "Choose another." for each in options],
        on_change=steps.choose_jurisdiction,
        args=(key,),
    )


def _places(held: RegionLookups, draft: AlertDraft) -> None:
    catalog = held.regions.value
    if catalog is not None:
        region_search(catalog)
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
