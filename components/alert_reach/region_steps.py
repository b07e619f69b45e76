"""What the region picker keeps in a browser session, and what its controls do to the draft in it.

    st.button(..., on_click=step(draft, add_place, (80302,)))     # where the control is drawn
    carry_out() -> bool              # before anything reads the draft: what was asked for and is not done yet

Whatever reads or writes the session can be cut short by the next run that the browser asks for, callbacks included: a
place would then not be taken, or a pasted list be gone that was never taken in. So a callback first writes down what
is asked for in a list it was given, which nothing cuts short; and a line of that list goes only once it is done. Each
can be begun again from its start. Steps over many places can be taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Final, NamedTuple

import streamlit as st

from client.vocabulary.public_alerts import JURISDICTION_SOME
from components.alert_reach.region_paste import Pasted, read_pasted
from components.alert_reach.regions import KINDS, RegionCatalog, RegionKind
from components.alert_reach.saved_areas import SavedArea, with_area
from components.public_alerts.alert_session import DRAFT, Asked, do_asked
from components.public_alerts.draft import AlertDraft
from components.shell.state import StateKey
from components.widgets.plain_text import count


class Step(NamedTuple):
    """The places before a step that changed many at once, and what the step did; `uid` is the draft's."""

    uid: str
    words: str
    regions: list[int]


TEXT: Final = StateKey[str]("public_alerts.region_text", str)
KIND: Final = StateKey[str]("public_alerts.region_kind", str)
STATE: Final = StateKey[str]("public_alerts.region_state", str)
PASTED_TEXT: Final = StateKey[str]("public_alerts.region_pasted_text", str)
PASTED: Final = StateKey[tuple[str, Pasted] | None]("public_alerts.region_pasted", lambda: None)
SHOWN: Final = StateKey[int]("public_alerts.region_shown", int)
STEP: Final = StateKey[Step | None]("public_alerts.region_step", lambda: None)
CHANGED: Final = StateKey[bool]("public_alerts.region_changed", bool)
ASKED: Final = StateKey[list[Asked]]("public_alerts.region_asked", list)
SEARCHED_FOR: Final = StateKey[str]("public_alerts.region_searched_for", str)


def step(draft: AlertDraft, do: Callable[..., None], *given: Any) -> Callable[[], None]:
    """What a control that is drawn of this draft does when it is pressed: `do`, with what is given and the draft."""
    asked, one = ASKED.get(), Asked(draft.uid, partial(do, *given))

    def ask() -> None:
        asked.append(one)
        carry_out()

    return ask


def carry_out() -> bool:
    """Do what was asked for and is not done yet, in its order; tell whether there was something."""
    asked = ASKED.get()
    was_asked = bool(asked)
    do_asked(asked)
    return was_asked


def everywhere() -> None:
    """Search in all states, for places of every kind."""
    for key in (STATE, KIND):
        key.set("")
    SHOWN.clear()


def kind_chosen() -> RegionKind | None:
    """The kind of place that is searched for; None for all."""
    return next((kind for kind in KINDS if kind == KIND.get()), None)


def begin_search(draft: AlertDraft) -> None:
    """Empty the search where another draft was on the screen before; for one draft it stays, drawn or not."""
    if SEARCHED_FOR.get() not in ("", draft.uid):
        everywhere()
        for key in (TEXT, PASTED_TEXT):
            key.set("")
    SEARCHED_FOR.set(draft.uid)


def only_these(draft: AlertDraft) -> None:
    """Mean the places chosen, and no others."""
    _write(draft, jurisdiction=JURISDICTION_SOME)


def add_place(ids: Iterable[int], draft: AlertDraft) -> None:
    """Take one place in, under each id that the lookup lists it by."""
    if fresh := [each for each in ids if each not in draft.regions]:
        _write(draft, regions=[*draft.regions, *fresh])


def remove_place(ids: Iterable[int], draft: AlertDraft) -> None:
    """Take one place out."""
    gone = frozenset(ids)
    _write(draft, regions=[each for each in draft.regions if each not in gone])


def add(ids: Iterable[int], draft: AlertDraft) -> None:
    """Take many places in."""
    held = set(draft.regions)
    if fresh := [each for each in dict.fromkeys(ids) if each not in held]:
        _note(draft, f"Added {count(len(fresh), 'place', 'places')}.")
        add_place(fresh, draft)


def remove(ids: Iterable[int], draft: AlertDraft) -> None:
    """Take many places out."""
    if number := len(frozenset(ids).intersection(draft.regions)):
        _note(draft, f"Removed {count(number, 'place', 'places')}.")
        remove_place(ids, draft)


def take_area(area: SavedArea, draft: AlertDraft) -> None:
    """Take the places of a saved area in, as it is by now."""
    after = with_area(draft, area)
    if after.regions != draft.regions:
        _note(draft, f"Chose {count(len(area.regions), 'place', 'places')} of “{area.name}”.")
    _write(draft, regions=after.regions, areas=after.areas)


def came_from(area: SavedArea, draft: AlertDraft) -> None:
    """Know the places that are chosen as this area."""
    _write(draft, areas=with_area(draft, area).areas)


def undo(draft: AlertDraft) -> None:
    """Choose the places that were chosen before the last step over many."""
    before = STEP.get()
    if before is not None and before.uid == draft.uid:
        _write(draft, regions=before.regions)
    STEP.clear()


def paste(catalog: RegionCatalog, draft: AlertDraft) -> None:
    """Take in what the pasted list names; what could not be read stays in the field."""
    text = str(st.session_state.get(PASTED_TEXT.widget_key) or "")
    if not text.strip():
        return
    pasted = read_pasted(catalog, text, kind=kind_chosen(), state=STATE.get() or None)
    PASTED.set((draft.uid, pasted))
    add([place.id for place in pasted.found], draft)
    # Only once the places are taken in: until then the list must not be gone.
    PASTED_TEXT.set(pasted.remaining)


def _write(draft: AlertDraft, **fields: object) -> None:
    CHANGED.set(True)
    DRAFT.set(draft.model_copy(update=fields))


def _note(draft: AlertDraft, words: str) -> None:
    STEP.set(Step(draft.uid, words, draft.regions))
