"""What the region picker keeps in a browser session, and what is done to the places of an alert, to be undone.

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
"""The way around an area: latitudes and longitudes in degrees."""
TEXT: Final = StateKey[str]("public_alerts.region_text", str)
KIND: Final = StateKey[str]("public_alerts.region_kind", str)
STATE: Final = StateKey[str]("public_alerts.region_state", str)
PASTED_TEXT: Final = StateKey[str]("public_alerts.region_pasted_text", str)
PASTED: Final = StateKey[tuple[str, Pasted] | None]("public_alerts.region_pasted", lambda: None)
SHOWN: Final = StateKey[int]("public_alerts.region_shown", int)
SEARCHED_FOR: Final = StateKey[str]("public_alerts.region_searched_for", str)
AREA_KIND: Final = StateKey[str | None]("public_alerts.area_kind", lambda: None)
AREA_CENTRE: Final = StateKey[int]("public_alerts.area_centre", int)
AREA_MILES: Final = StateKey[float]("public_alerts.area_miles", lambda: 10.0)
AREA_CORNERS: Final = StateKey[str]("public_alerts.area_corners", str)
AREA_RING: Final = StateKey[Ring]("public_alerts.area_ring", list)


def everywhere() -> None:
    """Search in all states, for places of every kind."""
    for key in (STATE, KIND):
        key.set("")
    SHOWN.clear()


def kind_chosen() -> RegionKind | None:
    """The kind of place that is searched for; None for all."""
    return next((kind for kind in KINDS if kind == KIND.get()), None)


def begin_search(draft: AlertDraft) -> None:
    """Empty the search and the drawn area where another draft was on the screen before; for one draft they stay."""
    if SEARCHED_FOR.get() not in ("", draft.uid):
        everywhere()
        for key in (TEXT, PASTED_TEXT, AREA_CORNERS):
            key.set("")
        AREA_KIND.set(None)
        AREA_RING.clear()
    SEARCHED_FOR.set(draft.uid)


def only_these(draft: AlertDraft) -> None:
    """Mean the places chosen, and no others."""
    _write(draft, "alert only these places", jurisdiction=JURISDICTION_SOME)


def add(ids: Iterable[int], draft: AlertDraft) -> None:
    """Take places in, one under each id that the lookup lists it by."""
    chosen_ids = set(draft.regions)
    if fresh := [each for each in dict.fromkeys(ids) if each not in chosen_ids]:
        _write(draft, f"add {count(len(fresh), 'place', 'places')}", regions=[*draft.regions, *fresh])


def remove(ids: Iterable[int], draft: AlertDraft) -> None:
    """Take places out."""
    gone = frozenset(ids).intersection(draft.regions)
    if gone:
        rest = [each for each in draft.regions if each not in gone]
        _write(draft, f"remove {count(len(gone), 'place', 'places')}", regions=rest)


def take_area(area: SavedArea, draft: AlertDraft) -> None:
    """Take the places of a saved area in, as it is by now."""
    after = with_area(draft, area)
    what = f"add {count(len(area.regions), 'place', 'places')} of “{area.name}”"
    _write(draft, what, regions=after.regions, areas=after.areas)


def came_from(area: SavedArea, draft: AlertDraft) -> None:
    """Know the places that are chosen as this area."""
    DRAFT.set(draft.model_copy(update={"areas": with_area(draft, area).areas}))


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


def _write(draft: AlertDraft, what: str, **fields: object) -> None:
    after = draft.model_copy(update=fields)
    if after != draft:
        remember(STEPS, what, draft, after)
        DRAFT.set(after)
