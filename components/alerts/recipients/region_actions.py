"""Session state of the region picker, and its callbacks, which change the places of an alert and can be undone.

st.button(..., on_click=on_press(draft, add, (80302,)))
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

import streamlit as st

from client.vocabulary.public_alerts import JURISDICTION_SOME
from components.alerts.alert_session import DRAFT, STEPS
from components.edits.draft_session import remember
from components.shell.state import StateKey
from domain.alerts.draft import AlertDraft
from domain.alerts.recipients.region_paste import Pasted, read_pasted
from domain.alerts.recipients.region_place import KINDS, RegionKind
from domain.alerts.recipients.regions import RegionCatalog
from domain.alerts.recipients.saved_areas import SavedArea, with_area
from domain.text.plain_text import count

Ring: TypeAlias = list[tuple[float, float]]
"""The corners of an area: latitudes and longitudes in degrees."""
TEXT: Final = StateKey[str]("public_alerts.region_text", str)
KIND: Final = StateKey[str]("public_alerts.region_kind", str)
STATE: Final = StateKey[str]("public_alerts.region_state", str)
PASTED_TEXT: Final = StateKey[str]("public_alerts.region_pasted_text", str)
"""The text that the field of the pasted list starts with."""
_PASTED_FIELD: Final = StateKey[int]("public_alerts.region_pasted_field", int)
PASTED: Final = StateKey[tuple[str, Pasted] | None]("public_alerts.region_pasted", lambda: None)
SHOWN: Final = StateKey[int]("public_alerts.region_shown", int)
SEARCHED_FOR: Final = StateKey[str]("public_alerts.region_searched_for", str)
AREA_KIND: Final = StateKey[str | None]("public_alerts.area_kind", lambda: None)
AREA_CENTRE: Final = StateKey[int]("public_alerts.area_centre", int)
AREA_MILES: Final = StateKey[float]("public_alerts.area_miles", lambda: 10.0)
AREA_CORNERS: Final = StateKey[str]("public_alerts.area_corners", str)
AREA_RING: Final = StateKey[Ring]("public_alerts.area_ring", list)


def search_everywhere() -> None:
    """Search in all states for places of every kind."""
    for key in (STATE, KIND):
        key.set("")
    SHOWN.clear()


def selected_kind() -> RegionKind | None:
    """Return the kind of places to search, or None for all."""
    return next((kind for kind in KINDS if kind == KIND.get()), None)


def begin_search(draft: AlertDraft) -> None:
    """Clear the search and the drawn area if another draft was on the screen before."""
    if SEARCHED_FOR.get() not in ("", draft.uid):
        search_everywhere()
        for key in (TEXT, AREA_CORNERS):
            key.set("")
        _start_pasted("")
        AREA_KIND.set(None)
        AREA_RING.clear()
    SEARCHED_FOR.set(draft.uid)


def select_only(draft: AlertDraft) -> None:
    """Select these places only."""
    _write(draft, "alert only these places", jurisdiction=JURISDICTION_SOME)


def add(ids: Iterable[int], draft: AlertDraft) -> None:
    """Add places, each with every ID that the lookup has for it."""
    chosen_ids = set(draft.regions)
    if fresh := [each for each in dict.fromkeys(ids) if each not in chosen_ids]:
        _write(draft, f"add {count(len(fresh), 'place', 'places')}", regions=[*draft.regions, *fresh])


def remove(ids: Iterable[int], draft: AlertDraft) -> None:
    """Remove places."""
    gone = frozenset(ids).intersection(draft.regions)
    if gone:
        rest = [each for each in draft.regions if each not in gone]
        _write(draft, f"remove {count(len(gone), 'place', 'places')}", regions=rest)


def add_area(area: SavedArea, draft: AlertDraft) -> None:
    """Add the current places of a saved area."""
    after = with_area(draft, area)
    what = f"add {count(len(area.regions), 'place', 'places')} of “{area.name}”"
    _write(draft, what, regions=after.regions, areas=after.areas)


def link_to_area(area: SavedArea, draft: AlertDraft) -> None:
    """Link the selected places to this area."""
    DRAFT.set(draft.model_copy(update={"areas": with_area(draft, area).areas}))


def paste(catalog: RegionCatalog, draft: AlertDraft) -> None:
    """Add the places in the pasted list. Unreadable entries stay in the field."""
    text = str(st.session_state.get(pasted_key()) or "")
    if not text.strip():
        return
    pasted = read_pasted(catalog, text, kind=selected_kind(), state=STATE.get() or None)
    PASTED.set((draft.uid, pasted))
    add([place.id for place in pasted.found], draft)
    # After the places are added: until then the list must stay.
    _start_pasted(pasted.remaining)


def pasted_key() -> str:
    """Return the key of the field of the pasted list, which is new whenever something else sets its text."""
    return f"public_alerts.region_pasted_text/{_PASTED_FIELD.get()}"


def _start_pasted(text: str) -> None:
    PASTED_TEXT.set(text)
    _PASTED_FIELD.set(_PASTED_FIELD.get() + 1)


def _write(draft: AlertDraft, what: str, **fields: object) -> None:
    after = draft.model_copy(update=fields)
    if after != draft:
        remember(STEPS, what, draft, after)
        DRAFT.set(after)
