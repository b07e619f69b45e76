"""Dialogs that cancel or delete a trip: they say what goes, ask first, and stay open with the reason when it fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from client import ServiceError
from components.journal.recorded import outcome_of
from components.shell.notices import done, show_problem
from components.trip_editor import changes
from components.trip_editor.removal_words import Way, WhatGoes, action_label, lines, success, what_goes
from components.trip_editor.state import REMOVAL_DONE, REMOVAL_ERROR
from components.widgets.markdown_text import plain

if TYPE_CHECKING:
    from components.shell.workspace import Workspace
    from components.trips.known_trip import KnownTrip


@st.dialog("Cancel this trip?", icon=":material/event_busy:", on_dismiss="rerun")
def cancel_trip_dialog(workspace: Workspace, known_trip: KnownTrip) -> None:
    """Ask before canceling the trip (interface: Update itinerary, canceled); open it on a click."""
    _ask(workspace, known_trip, "cancel")


@st.dialog("Delete this trip?", icon=":material/delete_forever:", on_dismiss="rerun")
def delete_trip_dialog(workspace: Workspace, known_trip: KnownTrip) -> None:
    """Ask before deleting the trip (interface: DELETE itinerary); open it on a click."""
    _ask(workspace, known_trip, "delete")


def _ask(workspace: Workspace, known: KnownTrip, way: Way) -> None:
    goes = what_goes(known)
    subject = f"{way}:{known.itinerary_id}:{known.asked_at.isoformat()}"
    if REMOVAL_DONE.get() == subject:
        st.rerun()
    locator = known.locator or ""
    st.markdown(f"**{plain(goes.title)}**")
    for line in lines(goes, way):
        st.markdown(line)
    if way == "cancel" and not known.locator:
        locator = st.text_input(
            "Record locator",
            key="trip_editor.removal_locator",
            help="The service asks for the record locator of a trip that is canceled, and this desk does not know it.",
        ).strip()
    failed = REMOVAL_ERROR.get()
    if failed is not None and failed[0] == subject:
        show_problem(failed[1], doing=_doing(goes, way), key="trip_editor-removal")
        if outcome_of(failed[1]) == "unknown":
            st.info(
                "Doing it again does no harm: a trip that is already gone is reported as not found.",
                icon=":material/info:",
            )
    st.button(
        f":red[**{plain(action_label(goes, way))}**]",
        key="trip_editor.remove",
        icon=":material/event_busy:" if way == "cancel" else ":material/delete_forever:",
        width="stretch",
        disabled=known.itinerary_id is None or (way == "cancel" and not locator),
        on_click=_remove,
        args=(workspace, known, way, locator, goes, subject),
    )
    if st.button("Keep the trip", key="trip_editor.keep", width="stretch"):
        REMOVAL_ERROR.clear()
        st.rerun()


def _remove(workspace: Workspace, known: KnownTrip, way: Way, locator: str, goes: WhatGoes, subject: str) -> None:
    # A second click of a double click finds it done.
    if known.itinerary_id is None or REMOVAL_DONE.get() == subject:
        return
    REMOVAL_ERROR.clear()
    try:
        if way == "cancel":
            changes.cancel(workspace, known.itinerary_id, record_locator=locator, last_sent=known.itinerary)
        else:
            changes.delete(workspace, known.itinerary_id, record_locator=known.locator)
    except ServiceError as error:
        REMOVAL_ERROR.set((subject, error))
    else:
        REMOVAL_DONE.set(subject)
        done(success(goes, way))


def _doing(goes: WhatGoes, way: Way) -> str:
    return f"{'canceling' if way == 'cancel' else 'deleting'} trip {goes.title}"
