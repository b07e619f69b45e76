"""The form: the trip itself, its segments, its travellers."""

from __future__ import annotations

import streamlit as st

from client.vocabulary.itineraries import ACTIVE, CANCELED, SEGMENT_TYPES
from components.maps.palette import KIND_ICONS
from components.trip_editor import actions
from components.trip_editor.draft import TripDraft
from components.trip_editor.editing import can_return, is_sorted, nights_without_hotel
from components.trip_editor.field_problems import SEGMENTS, TRIP, FieldProblems
from components.trip_editor.fields import choice_field, say_problems, text_field
from components.trip_editor.segment_card import segment_card
from components.trip_editor.state import UNDO
from components.trip_editor.travellers import travellers_form
from components.widgets.markdown_text import plain


def trip_form(draft: TripDraft, problems: FieldProblems) -> None:
    """Draw every field of the draft, with the problems at them."""
    _trip(draft, problems)
    _segments(draft, problems)
    travellers_form(draft, problems)


def _trip(draft: TripDraft, problems: FieldProblems) -> None:
    first, second, third = st.columns(3)
    with first:
        text_field(
            draft,
            "record_locator",
            "Record locator",
            problems,
            owner=TRIP,
            placeholder="WSVM7K",
            help_text="The code under which airline and agency know the trip. It finds the trip again.",
        )
    with second:
        text_field(draft, "external_id", "External trip id", problems, owner=TRIP, placeholder="Optional")
    with third:
        text_field(
            draft, "source", "Source", problems, owner=TRIP, help_text="Where the trip comes from, in your words."
        )
    if draft.is_change:
        names = {draft.status: draft.status, ACTIVE: ACTIVE, CANCELED: f"{CANCELED} (removes the trip)"}
        choice_field(draft, "status", "Status", names, placeholder="No status")
    say_problems(problems, TRIP, "status", "")


def _segments(draft: TripDraft, problems: FieldProblems) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.subheader("Segments", width="content")
        st.space("stretch")
        if len(draft.segments) > 1 and not is_sorted(draft):
            st.button(
                "Put in order of time", key="trip_editor.sort", icon=":material/sort:", on_click=actions.sort_segments
            )
        steps = UNDO.get()
        if steps:
            st.button(
                "Undo",
                key="trip_editor.undo_last",
                icon=":material/undo:",
                help=f"Undo: {plain(steps[-1][0])}",
                on_click=actions.undo,
            )
    if UNDO.get() and UNDO.get()[-1][0].startswith("remove"):
        st.caption(f"Done: {plain(UNDO.get()[-1][0])}. *Undo* brings it back.")
    say_problems(problems, SEGMENTS, "")
    hotels = dict(nights_without_hotel(draft))
    for index, segment in enumerate(draft.segments):
        segment_card(segment, index + 1, problems)
        if index in hotels:
            st.button(
                f"No hotel between segment {index + 1} and {hotels[index] + 1}: add one",
                key=f"trip_editor.hotel/{segment.uid}",
                icon=":material/hotel:",
                type="tertiary",
                on_click=actions.add_hotel,
                args=(segment.uid,),
            )
    with st.container(horizontal=True):
        for kind in SEGMENT_TYPES:
            st.button(
                f"Add {kind.lower()}",
                key=f"trip_editor.add/{kind}",
                icon=KIND_ICONS[kind],
                on_click=actions.add_segment,
                args=(kind,),
            )
        if can_return(draft):
            st.button(
                "Add the return leg",
                key="trip_editor.return",
                icon=":material/keyboard_return:",
                on_click=actions.add_return,
            )
