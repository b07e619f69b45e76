"""What the buttons of the trip's form do to the draft in the session; each keeps the way back."""

from __future__ import annotations

from functools import partial
from typing import Final

import streamlit as st

from components.change.drafting import Editor
from components.forms.on_screen import take_up
from components.trip_editor import editing
from components.trip_editor.draft import TravellerDraft, TripDraft
from components.trip_editor.form_state import TRIP_FORM
from components.trip_editor.trip_change import TRIP

PASTE_KEY: Final = f"{TRIP_FORM.name}.paste"
EDITOR: Final = Editor(
    TRIP,
    take_up=partial(take_up, TRIP_FORM),
    restored=lambda before, now: TRIP_FORM.with_values(before, TRIP_FORM.values(now)),
)


def choose(uid: str, path: str, value: str) -> None:
    """Write one of the values that were suggested into a field."""
    draft = EDITOR.current()
    if draft is not None:
        EDITOR.draft.set(TRIP_FORM.with_values(draft, {(uid, path): value}))


def add_segment(kind: str) -> None:
    """Add a segment of a kind at the end."""
    EDITOR.do(f"add a segment ({kind})", lambda draft: editing.add_segment(draft, kind))


def add_return() -> None:
    """Add the way back."""
    EDITOR.do("add the return leg", editing.add_return)


def add_hotel(uid: str) -> None:
    """Add a hotel for the nights after a leg."""
    EDITOR.do("add a hotel", lambda draft: editing.add_hotel_after(draft, uid))


def sort_segments() -> None:
    """Put the segments in the order of time."""
    EDITOR.do("put the segments in order", editing.sort_by_time)


def duplicate_segment(uid: str, number: int) -> None:
    """Copy a segment."""
    EDITOR.do(f"duplicate segment {number}", lambda draft: editing.duplicate(draft, uid))


def remove_segment(uid: str, words: str) -> None:
    """Take a segment out."""
    EDITOR.do(f"remove {words}", lambda draft: editing.remove(draft, uid))


def add_traveller() -> None:
    """Add an empty traveller."""
    EDITOR.do("add a traveller", editing.add_traveller)


def remove_traveller(uid: str, words: str) -> None:
    """Take a traveller out."""
    EDITOR.do(f"remove {words}", lambda draft: editing.remove_traveller(draft, uid))


def paste_travellers() -> None:
    """Add the travellers pasted as rows, and empty the field they were pasted into."""
    rows = editing.pasted_travellers(str(st.session_state.get(PASTE_KEY) or ""))
    if not rows:
        return
    st.session_state[PASTE_KEY] = ""

    def paste(draft: TripDraft) -> TripDraft:
        typed = [traveller for traveller in draft.travellers if not traveller.is_empty]
        return draft.model_copy(update={"travellers": [*typed, *rows]})

    EDITOR.do(f"paste {len(rows):,} travellers", paste)


def set_arranger(present: bool) -> None:
    """Add or take out the arranger."""
    arranger = TravellerDraft() if present else None
    EDITOR.do(
        "add the arranger" if present else "remove the arranger",
        lambda draft: draft.model_copy(update={"arranger": arranger}),
    )
