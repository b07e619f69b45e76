"""Draws the places that are chosen: few of them each by name, many of them by state; each can be taken out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import streamlit as st

from components.alert_reach import region_steps
from components.alert_reach.picker_session import LOOKED_AT, STEP
from components.alert_reach.region_words import distinct_words, not_offered, summary
from components.alert_reach.regions import Chosen, Place, RegionCatalog
from components.alert_reach.us_states import state_name
from components.public_alerts.draft import AlertDraft
from components.records.record_table import pager
from components.widgets.markdown_text import plain
from components.widgets.number_text import count

MOST_BY_NAME: Final = 30
_PAGE: Final = 60
_NOT_OFFERED: Final = "-"


def chosen_places(catalog: RegionCatalog | None, draft: AlertDraft) -> None:
    """Draw what is chosen. Without the lookup there are only numbers: they are counted, and kept."""
    if draft.regions:
        number = count(len(dict.fromkeys(draft.regions)), "place chosen", "places chosen")
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.markdown(f"**{plain(number)}**", width="content")
            if len(draft.regions) > 1:
                st.button(
                    "Remove all",
                    key="public_alerts.regions.remove_all",
                    icon=":material/delete_sweep:",
                    type="tertiary",
                    on_click=region_steps.steps_of(draft).remove,
                    args=(list(draft.regions),),
                )
    take_back(draft)
    if catalog is None:
        if draft.regions:
            st.caption("Their names follow when the list of places has been read.")
        return
    chosen = catalog.chosen(draft.regions)
    if len(chosen.places) + len(chosen.unknown) <= MOST_BY_NAME:
        _by_name(draft, chosen)
    else:
        _by_state(catalog, draft, chosen)
    if chosen.unknown:
        _unknown(draft, chosen.unknown)


def take_back(draft: AlertDraft) -> None:
    """Draw what the last step over many places did, and the way back."""
    step = STEP.get()
    if step is None or step.uid != draft.uid:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(plain(step.words), width="content")
        st.button(
            "Undo",
            key="public_alerts.regions.undo",
            icon=":material/undo:",
            type="tertiary",
            on_click=region_steps.steps_of(draft).undo,
        )


def _by_name(draft: AlertDraft, chosen: Chosen) -> None:
    words = distinct_words(chosen.places) | not_offered(chosen.unknown)
    if words:
        _list(draft, f"public_alerts.chosen/{draft.uid}", words)


def _by_state(catalog: RegionCatalog, draft: AlertDraft, chosen: Chosen) -> None:
    st.markdown("\n".join(f"- {plain(line)}" for line in summary(chosen.places)))
    # What nobody looks at is not sent to the browser: a state can have thousands.
    states = {each.state: f"{each.name} · {each.words}" for each in catalog.per_state(draft.regions)}
    if chosen.unknown:
        states[_NOT_OFFERED] = f"Not offered · {count(len(chosen.unknown), 'place', 'places')}"
    state = LOOKED_AT.get() if LOOKED_AT.get() in states else None
    key = f"public_alerts.chosen/{draft.uid}"
    # The browser knows an option by its words, which change with every place that is taken out.
    look_at = f"{key}/state"
    st.session_state[look_at] = state
    st.selectbox(
        "Show those chosen in",
        list(states),
        index=None,
        key=look_at,
        format_func=lambda each: states.get(each, each),
        placeholder="Choose a state",
        on_change=region_steps.look_at,
        args=(look_at,),
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
        on_click=region_steps.steps_of(draft).remove,
        args=([place.id for place in places],),
    )


def _list(draft: AlertDraft, key: str, words: dict[int, str]) -> None:
    """Draw places by name, each a button that takes it out.

    Not a multiselect: what a browser sends of one may be older than what is chosen, and would take places out.
    """
    steps = region_steps.steps_of(draft)
    with st.container(horizontal=True, gap="xxsmall", key=key.replace("/", "-")):
        for region_id, said in words.items():
            st.button(
                plain(said),
                key=f"{key}/{region_id}",
                icon=":material/close:",
                icon_position="right",
                help="Remove",
                on_click=steps.remove_place,
                args=((region_id,),),
            )


def _unknown(draft: AlertDraft, unknown: tuple[int, ...]) -> None:
    one = "It stays until you remove it" if len(unknown) == 1 else "They stay until you remove them"
    said = count(len(unknown), "chosen place is", "chosen places are")
    words = f"{said} not among those the service offers. {one}; the service may refuse the alert for it."
    st.markdown(f":orange[:material/warning: {plain(words)}]")
    st.button(
        plain(f"Remove {count(len(unknown), 'place', 'places')} not offered"),
        key="public_alerts.regions.remove_unknown",
        icon=":material/delete_sweep:",
        type="tertiary",
        on_click=region_steps.steps_of(draft).remove,
        args=(unknown,),
    )
