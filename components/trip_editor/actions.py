"""What the buttons of the form do to the draft in the session; each keeps the way back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import streamlit as st

from components.forms.on_screen import take_up
from components.trip_editor import editing
from components.trip_editor.draft import Stage, TravellerDraft, TripDraft
from components.trip_editor.field_problems import problems_of
from components.trip_editor.form_state import TRIP_FORM
from components.trip_editor.state import DRAFT, HELD, SEND_ERROR, UNDO

STEPS_KEPT: Final = 20
PASTE_KEY: Final = f"{TRIP_FORM.name}.paste"


def current() -> TripDraft | None:
    """The draft with everything that stands in the fields at this moment."""
    return take_up(TRIP_FORM, DRAFT)


def change(what: str, step: Callable[[TripDraft], TripDraft]) -> None:
    """Do a step to the draft, keeping the draft before it under `what` was done."""
    draft = current()
    if draft is None:
        return
    after = step(draft)
    if after != draft:
        UNDO.set([*UNDO.get(), (what, draft)][-STEPS_KEPT:])
    DRAFT.set(after)


def undo() -> None:
    """Go back before the last step; what was typed since into what is still there stays."""
    steps, draft = UNDO.get(), current()
    if not steps or draft is None:
        return
    *rest, (_, before) = steps
    UNDO.set(rest)
    DRAFT.set(TRIP_FORM.with_values(before, TRIP_FORM.values(draft)))


def choose(uid: str, path: str, value: str) -> None:
    """Write one of the values that were suggested into a field."""
    draft = current()
    if draft is not None:
        DRAFT.set(TRIP_FORM.with_values(draft, {(uid, path): value}))


def add_segment(kind: str) -> None:
    """Add a segment of a kind at the end."""
    change(f"add a segment ({kind})", lambda draft: editing.add_segment(draft, kind))


def add_return() -> None:
    """Add the way back."""
    change("add the return leg", editing.add_return)


def add_hotel(uid: str) -> None:
    """Add a hotel for the nights after a leg."""
    change("add a hotel", lambda draft: editing.add_hotel_after(draft, uid))


def sort_segments() -> None:
    """Put the segments in the order of time."""
    change("put the segments in order", editing.sort_by_time)


def duplicate_segment(uid: str, number: int) -> None:
    """Copy a segment."""
    change(f"duplicate segment {number}", lambda draft: editing.duplicate(draft, uid))


def remove_segment(uid: str, words: str) -> None:
    """Take a segment out."""
    change(f"remove {words}", lambda draft: editing.remove(draft, uid))


def add_traveller() -> None:
    """Add an empty traveller."""
    change("add a traveller", editing.add_traveller)


def remove_traveller(uid: str, words: str) -> None:
    """Take a traveller out."""
    change(f"remove {words}", lambda draft: editing.remove_traveller(draft, uid))


def paste_travellers() -> None:
    """Add the travellers pasted as rows, and empty the field they were pasted into."""
    rows = editing.pasted_travellers(str(st.session_state.get(PASTE_KEY) or ""))
    if not rows:
        return
    st.session_state[PASTE_KEY] = ""

    def paste(draft: TripDraft) -> TripDraft:
        typed = [traveller for traveller in draft.travellers if not traveller.is_empty]
        return draft.model_copy(update={"travellers": [*typed, *rows]})

    change(f"paste {len(rows):,} travellers", paste)


def set_arranger(present: bool) -> None:
    """Add or take out the arranger."""
    arranger = TravellerDraft() if present else None
    change(
        "add the arranger" if present else "remove the arranger",
        lambda draft: draft.model_copy(update={"arranger": arranger}),
    )


def ask_review() -> None:
    """Go on to the review where nothing has to be mended; otherwise point out everything that has."""
    draft = current()
    if draft is None:
        return
    HELD.clear()
    SEND_ERROR.clear()
    stage: Stage = "edit" if problems_of(draft.model_copy(update={"refused": []})) else "review"
    DRAFT.set(draft.model_copy(update={"checked": True, "stage": stage, "refused": []}))


def back_to_edit() -> None:
    """Leave the review for the form."""
    draft = current()
    if draft is not None:
        DRAFT.set(draft.model_copy(update={"stage": "edit"}))
