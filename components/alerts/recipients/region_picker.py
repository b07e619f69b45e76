"""Draw the choice of recipients by place: the jurisdiction, the search, and the selected places.

Call it in the composer's whole run, outside its fragments. Callbacks write places into the draft. The search is a
fragment, and a selection in it redraws the page. Both lookups load in the background.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import streamlit as st

from client.vocabulary.public_alerts import JURISDICTION_SOME
from components.alerts.alert_session import on_press
from components.alerts.recipients import region_actions
from components.alerts.recipients.reach_card import draw_lookup_age, lookup_status
from components.alerts.recipients.reach_map_view import map_picker
from components.alerts.recipients.region_search import region_search
from components.alerts.recipients.saved_area_box import area_lines, saved_area_box
from components.forms.form_view import FormView
from components.record_list.record_table import pager
from components.shell.state import StateKey
from components.streamlit_workarounds.icon_name import icon_name
from domain.alerts.draft import AlertDraft
from domain.alerts.recipients.region_catalog import region_lookups
from domain.alerts.recipients.region_place import Place
from domain.alerts.recipients.regions import Chosen, RegionCatalog, distinct_words, not_offered, summary
from domain.alerts.sending.known_recipients import used_places
from domain.geography.states import state_name
from domain.runtime.workspace import Workspace
from domain.text.plain_text import count, plain

MOST_BY_NAME: Final = 30
_PAGE: Final = 60
_NOT_OFFERED: Final = "-"
LOOKED_AT: Final = StateKey[str | None]("public_alerts.region_looked_at", lambda: None)


def region_picker(workspace: Workspace, fields: FormView[AlertDraft]) -> None:
    """Draw the recipients by place and the ways to change them."""
    draft = fields.draft
    region_actions.begin_search(draft)
    lookups = region_lookups(workspace)
    fields.draw("jurisdiction")
    lookup_status(lookups)
    if draft.jurisdiction == JURISDICTION_SOME:
        catalog = lookups.regions.value
        saved_area_box(workspace, draft, catalog)
        area_lines(workspace, draft, is_changed_here=True)
        if catalog is not None:
            region_search(draft, catalog, used_places(workspace))
            map_picker(workspace, draft, catalog)
        selected_places(catalog, draft)
        draw_lookup_age(lookups)
    elif draft.regions:
        _left_over(draft)
    fields.draw_problems("regions")


def _left_over(draft: AlertDraft) -> None:
    selected = count(len(draft.regions), "place is", "places are")
    st.markdown(f":orange[:material/warning: {selected} still selected.]")
    is_one = len(draft.regions) == 1
    with st.container(horizontal=True):
        st.button(
            "Alert only this place" if is_one else "Alert only these places",
            key="public_alerts.regions.only_these",
            icon=":material/location_on:",
            on_click=on_press(draft, region_actions.select_only),
        )
        st.button(
            "Remove place" if is_one else "Remove places",
            key="public_alerts.regions.take_out",
            icon=":material/close:",
            on_click=on_press(draft, region_actions.remove, draft.regions),
        )


def selected_places(catalog: RegionCatalog | None, draft: AlertDraft) -> None:
    """Draw the selected places. Without the lookup, only their number is known."""
    if draft.regions:
        number = count(len(dict.fromkeys(draft.regions)), "place selected", "places selected")
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.markdown(f"**{plain(number)}**", width="content")
            if len(draft.regions) > 1:
                st.button(
                    "Remove all places",
                    key="public_alerts.regions.remove_all",
                    icon=":material/delete_sweep:",
                    type="tertiary",
                    on_click=on_press(draft, region_actions.remove, draft.regions),
                )
    if catalog is None:
        if draft.regions:
            st.caption("The names appear when the list of places is loaded.")
        return
    chosen = catalog.places_of(draft.regions)
    if len(chosen.places) + len(chosen.unknown) > MOST_BY_NAME:
        _by_state(catalog, draft, chosen)
    elif words := distinct_words(chosen.places) | not_offered(chosen.unknown):
        _list(draft, f"public_alerts.chosen/{draft.uid}", words)
    if chosen.unknown:
        _unknown(draft, chosen.unknown)


def _by_state(catalog: RegionCatalog, draft: AlertDraft, chosen: Chosen) -> None:
    st.markdown("\n".join(f"- {plain(line)}" for line in summary(chosen.places)))
    # Hidden lists are not sent to the browser: a state can have thousands of places.
    states = {each.state: f"{each.name} · {each.words}" for each in catalog.per_state(draft.regions)}
    if chosen.unknown:
        states[_NOT_OFFERED] = f"Not available · {count(len(chosen.unknown), 'place', 'places')}"
    state = LOOKED_AT.get() if LOOKED_AT.get() in states else None
    key = f"public_alerts.chosen/{draft.uid}"
    # The browser identifies an option by its label, which changes with every place that is removed.
    look_at = f"{key}/state"
    st.session_state[look_at] = state
    st.selectbox(
        "Show places in",
        list(states),
        index=None,
        key=look_at,
        format_func=lambda each: states.get(each, each),
        placeholder="Select a state",
        on_change=lambda: LOOKED_AT.set(st.session_state[look_at]),
    )
    if state == _NOT_OFFERED:
        _list(draft, f"{key}/{state}", not_offered(chosen.unknown[:_PAGE]))
    elif state is not None:
        _page(draft, state_name(state), f"{key}/{state}", [place for place in chosen.places if place.state == state])


def _page(draft: AlertDraft, name: str, key: str, places: Sequence[Place]) -> None:
    shown = pager(len(places), key=f"{key}/page", page_size=_PAGE, noun=("place", "places"))
    _list(draft, key, distinct_words(places[shown.start : shown.stop]))
    st.button(
        plain(f"Remove all of {name}"),
        key=f"{key}/remove",
        icon=":material/delete_sweep:",
        type="tertiary",
        on_click=on_press(draft, region_actions.remove, [place.id for place in places]),
    )


def _list(draft: AlertDraft, key: str, words: dict[int, str]) -> None:
    """Draw places by name, each with a button that removes it.

    Not a multiselect: the browser may send an older selection, which would remove places.
    """
    with st.container(horizontal=True, gap="xxsmall", key=key.replace("/", "-")):
        for region_id, message in words.items():
            st.button(
                f"{icon_name('Remove')} {plain(message)}",
                key=f"{key}/{region_id}",
                icon=":material/close:",
                icon_position="right",
                on_click=on_press(draft, region_actions.remove, (region_id,)),
            )


def _unknown(draft: AlertDraft, unknown: tuple[int, ...]) -> None:
    unavailable = count(len(unknown), "selected place isn’t", "selected places aren’t")
    message = f"{unavailable} available in the service. The service may reject the alert."
    st.markdown(f":orange[:material/warning: {message}]")
    st.button(
        plain(f"Remove {count(len(unknown), 'unavailable place', 'unavailable places')}"),
        key="public_alerts.regions.remove_unknown",
        icon=":material/delete_sweep:",
        type="tertiary",
        on_click=on_press(draft, region_actions.remove, unknown),
    )
