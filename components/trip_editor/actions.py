"""The trip on the screen, and what buttons of its form take from beside the draft."""

from __future__ import annotations

from functools import partial
from typing import Final

import streamlit as st

from components.change.drafting import Editor
from components.forms.on_screen import take_up
from components.trip_editor import trip_steps
from components.trip_editor.draft import TripDraft
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


def paste_travellers() -> None:
    """Add the travellers pasted as rows, and empty the field they were pasted into."""
    rows = trip_steps.pasted_travellers(str(st.session_state.get(PASTE_KEY) or ""))
    if not rows:
        return
    st.session_state[PASTE_KEY] = ""

    def paste(draft: TripDraft) -> TripDraft:
        typed = [traveller for traveller in draft.travellers if not traveller.is_empty]
        return draft.model_copy(update={"travellers": [*typed, *rows]})

    EDITOR.do(f"paste {len(rows):,} travellers", paste)
