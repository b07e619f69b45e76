"""Dialogs that cancel or delete a trip: they say what goes, ask first, and stay open with the reason when it fails."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

from components.journal.recorded import outcome_of
from components.shell.changing import change, is_same_press, outcome_drawn
from components.shell.notices import done, show_problem
from components.trip_editor import changes
from components.trip_editor.removal_words import Way, WhatGoes, action_label, doing, lines, success, what_goes
from components.trip_editor.state import REMOVAL_ERROR
from components.widgets.markdown_text import plain

if TYPE_CHECKING:
    from components.shell.calls import End
    from components.shell.workspace import Workspace
    from components.trips.known_trip import KnownTrip


REMOVAL: Final = "trip removal"


def ask_to_remove(workspace: Workspace, known: KnownTrip, way: Way) -> None:
    """Ask before canceling the trip or deleting it (interface: What itinerary calls do)."""
    icon = ":material/event_busy:" if way == "cancel" else ":material/delete_forever:"
    title = "Cancel this trip?" if way == "cancel" else "Delete this trip?"
    st.dialog(title, icon=icon, on_dismiss=REMOVAL_ERROR.clear)(_ask)(workspace, known, way, icon)


def way_that_failed(known: KnownTrip) -> Way | None:
    """How the trip was to be removed where that failed, and its reason was not yet taken note of."""
    failed = REMOVAL_ERROR.get()
    return failed[1] if failed is not None and failed[0] == known.itinerary_id else None


def show_failure(known: KnownTrip) -> None:
    """Say why the trip was not removed, where it was to be."""
    failed = REMOVAL_ERROR.get()
    if failed is None or failed[0] != known.itinerary_id:
        return
    show_problem(failed[2], doing=doing(what_goes(known), failed[1]), key="trip_editor-removal")
    if outcome_of(failed[2]) == "unknown":
        st.info(
            "Doing it again does no harm: a trip that is already gone is reported as not found.",
            icon=":material/info:",
        )


def _ask(workspace: Workspace, known: KnownTrip, way: Way, icon: str) -> None:
    goes = what_goes(known)
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
    show_failure(known)
    pressed = st.button(
        f":red[**{plain(action_label(goes, way))}**]",
        key="trip_editor.remove",
        icon=icon,
        width="stretch",
        disabled=known.itinerary_id is None or (way == "cancel" and not locator),
        on_click=_remove,
        args=(workspace, known, way, locator, goes),
    )
    if pressed and REMOVAL_ERROR.get() is None:
        # Done, or under way: inside the dialog only the dialog is run again, and the page closes it.
        st.rerun()
    if st.button("Keep the trip", key="trip_editor.keep", width="stretch"):
        REMOVAL_ERROR.clear()
        st.rerun()
    outcome_drawn()


def _remove(workspace: Workspace, known: KnownTrip, way: Way, locator: str, goes: WhatGoes) -> None:
    itinerary_id = known.itinerary_id
    if itinerary_id is None or is_same_press(workspace, REMOVAL, str(itinerary_id)):
        return

    def remove() -> None:
        if way == "cancel":
            changes.cancel(workspace, itinerary_id, record_locator=locator, last_sent=known.itinerary)
        else:
            changes.delete(workspace, itinerary_id, record_locator=known.locator)

    def removed(end: End) -> None:
        REMOVAL_ERROR.set(None if end.error is None else (itinerary_id, way, end.error))
        if end.error is None:
            done(success(goes, way))

    REMOVAL_ERROR.clear()
    change(workspace, REMOVAL, str(itinerary_id), remove, doing=doing(goes, way), then=removed)
