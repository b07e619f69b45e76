"""What the region picker's controls do to the draft in the session; steps over many places can be taken back.

    steps = steps_of(draft)          # where the controls are drawn
    st.button(..., on_click=steps.add_place, args=((80302,),))
    carry_out() -> bool              # before anything reads the draft: what was asked for and is not done yet

Whatever reads or writes the session can be cut short by the next run that the browser asks for, callbacks included: a
place would then not be taken, or a pasted list be gone that was never taken in. So a callback first writes down what
is asked for in a list it was given, which nothing cuts short; and a line of that list goes only once it is done. Each
can be begun again from its start.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import partial

import streamlit as st

from client.vocabulary.public_alerts import JURISDICTION_SOME
from components.alert_reach.picker_session import (
    ASKED,
    CHANGED,
    KIND,
    LOOKED_AT,
    PASTED,
    PASTED_TEXT,
    SEARCHED_FOR,
    SHOWN,
    STATE,
    STEP,
    TEXT,
    Asked,
    Step,
)
from components.alert_reach.region_paste import read_pasted
from components.alert_reach.regions import KINDS, RegionCatalog, RegionKind
from components.alert_reach.saved_areas import SavedArea, with_area
from components.public_alerts.alert_session import DRAFT
from components.public_alerts.draft import AlertDraft
from components.widgets.number_text import count


@dataclass(frozen=True)
class Steps:
    """The steps for the controls that are drawn of one draft, by its `uid`; `asked` is where they are written down."""

    uid: str
    asked: list[Asked]

    def only_these(self) -> None:
        """Mean the places chosen, and no others."""
        self._ask(partial(_write, jurisdiction=JURISDICTION_SOME))

    def add_place(self, ids: tuple[int, ...]) -> None:
        """Take one place in, under each id that the lookup lists it by."""
        self._ask(partial(_add_place, ids))

    def remove_place(self, ids: tuple[int, ...]) -> None:
        """Take one place out."""
        self._ask(partial(_remove_place, ids))

    def add(self, ids: Iterable[int]) -> None:
        """Take many places in."""
        self._ask(partial(_add, tuple(ids)))

    def take_area(self, area: SavedArea) -> None:
        """Take the places of a saved area in, as it is by now."""
        self._ask(partial(_take_area, area))

    def came_from(self, area: SavedArea) -> None:
        """Know the places that are chosen as this area."""
        self._ask(partial(_came_from, area))

    def remove(self, ids: Collection[int]) -> None:
        """Take many places out."""
        self._ask(partial(_remove, frozenset(ids)))

    def undo(self) -> None:
        """Choose the places that were chosen before the last step over many."""
        self._ask(_undo)

    def paste(self, catalog: RegionCatalog) -> None:
        """Take in what the pasted list names; what could not be read stays in the field."""
        self._ask(partial(_paste, catalog))

    def _ask(self, do: Callable[[AlertDraft], None]) -> None:
        self.asked.append(Asked(self.uid, do))
        carry_out()


def steps_of(draft: AlertDraft) -> Steps:
    """The steps to be given to the controls that are drawn of this draft."""
    return Steps(draft.uid, ASKED.get())


def carry_out() -> bool:
    """Do what was asked for and is not done yet, in its order; tell whether there was something."""
    asked = ASKED.get()
    was_asked = bool(asked)
    while asked:
        draft = DRAFT.get()
        if draft is not None and draft.uid == asked[0].uid:
            try:
                asked[0].do(draft)
            except Exception:
                # What cannot be done is told once, not at every run; a run that is cut short is no such exception.
                asked.pop(0)
                raise
        asked.pop(0)
    return was_asked


def look_at(widget_key: str) -> None:
    """Show the chosen places of this state."""
    LOOKED_AT.set(st.session_state[widget_key])


def search_anew() -> None:
    """Begin with the best matches again."""
    SHOWN.clear()


def show_more(number: int) -> None:
    """Show so many more matches."""
    SHOWN.set(SHOWN.get() + number)


def everywhere() -> None:
    """Search in all states, for places of every kind."""
    STATE.set("")
    KIND.set("")
    SHOWN.clear()


def kind_chosen() -> RegionKind | None:
    """The kind of place that is searched for; None for all."""
    return next((kind for kind in KINDS if kind == KIND.get()), None)


def begin_search(draft: AlertDraft) -> None:
    """Empty the search where another draft was on the screen before; for one draft it stays, drawn or not."""
    before = SEARCHED_FOR.get()
    if before == draft.uid:
        return
    if before:
        for key in (TEXT, KIND, STATE, PASTED_TEXT):
            key.set("")
        SHOWN.clear()
    SEARCHED_FOR.set(draft.uid)


def _add_place(ids: tuple[int, ...], draft: AlertDraft) -> None:
    if fresh := [each for each in ids if each not in draft.regions]:
        _write(draft, regions=[*draft.regions, *fresh])


def _remove_place(ids: tuple[int, ...], draft: AlertDraft) -> None:
    _write(draft, regions=[each for each in draft.regions if each not in ids])


def _add(ids: tuple[int, ...], draft: AlertDraft) -> None:
    held = set(draft.regions)
    fresh = [each for each in dict.fromkeys(ids) if each not in held]
    if fresh:
        _note(draft, f"Added {count(len(fresh), 'place', 'places')}.")
        _write(draft, regions=[*draft.regions, *fresh])


def _take_area(area: SavedArea, draft: AlertDraft) -> None:
    after = with_area(draft, area)
    if after.regions != draft.regions:
        _note(draft, f"Chose {count(len(area.regions), 'place', 'places')} of “{area.name}”.")
    _write(draft, regions=after.regions, areas=after.areas)


def _came_from(area: SavedArea, draft: AlertDraft) -> None:
    _write(draft, areas=with_area(draft, area).areas)


def _remove(gone: frozenset[int], draft: AlertDraft) -> None:
    kept = [each for each in draft.regions if each not in gone]
    if len(kept) < len(draft.regions):
        _note(draft, f"Removed {count(len(draft.regions) - len(kept), 'place', 'places')}.")
        _write(draft, regions=kept)


def _undo(draft: AlertDraft) -> None:
    step = STEP.get()
    if step is not None and step.uid == draft.uid:
        _write(draft, regions=list(step.regions))
    STEP.clear()


def _paste(catalog: RegionCatalog, draft: AlertDraft) -> None:
    text = str(st.session_state.get(PASTED_TEXT.widget_key) or "")
    if not text.strip():
        return
    pasted = read_pasted(catalog, text, kind=kind_chosen(), state=STATE.get() or None)
    PASTED.set((draft.uid, pasted))
    _add(tuple(place.id for place in pasted.found), draft)
    # Only once the places are taken in: until then the list must not be gone.
    PASTED_TEXT.set(pasted.remaining)


def _note(draft: AlertDraft, words: str) -> None:
    STEP.set(Step(draft.uid, words, tuple(draft.regions)))


def _write(draft: AlertDraft, **fields: object) -> None:
    CHANGED.set(True)
    DRAFT.set(draft.model_copy(update=fields))
