"""Draw the map of the recipients in the review, and the map to select and draw on in the composer.

Streamlit's map reports the selected objects but neither the position of a click nor the visible part of the world. A
component of our own handles freehand drawing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import streamlit as st

from components.alerts.alert_session import IS_PAGE_OUTDATED, on_press
from components.alerts.recipients import region_actions
from components.alerts.recipients.reach_map import (
    COUNTIES,
    FEWEST_CORNERS,
    FOUND,
    PLACES,
    Area,
    ReachMap,
    around,
    circle,
    corner_lines,
    corners_in,
    enclosed,
    ground_of,
    ids_of,
    inside,
    reach_map_of,
    through,
)
from components.alerts.recipients.region_actions import (
    AREA_CENTRE,
    AREA_CORNERS,
    AREA_KIND,
    AREA_MILES,
    AREA_RING,
    STATE,
    TEXT,
    Ring,
)
from components.maps.map_view import VIEWS, base_path_here, draw_map, theme_here
from components.shell.state import StateKey
from components.streamlit_workarounds.map_picks import pinned_rows
from components.streamlit_workarounds.own_scripts import draw_component
from domain.alerts.draft import AlertDraft
from domain.alerts.recipients.place_names import estimate_people
from domain.alerts.recipients.regions import RegionCatalog, kind_counts
from domain.alerts.recipients.saved_areas import usual_places
from domain.maps.viewport import window_size
from domain.runtime.workspace import Workspace
from domain.text.plain_text import count, make_unique, names, plain
from domain.text.text_limits import MAX_PASTE

_HEIGHT: Final = 340
_WIDTH: Final = 280
"""The width of a column of the composer in pixels. A wider window shows more around the places."""
_FOUND_SHOWN: Final = 50
MAP_OPEN: Final = StateKey[bool]("public_alerts.map_open", bool)
_FREEHAND, _AROUND, _CORNERS = "Freehand", "Radius", "Corners"


def reach_map(draft: AlertDraft, catalog: RegionCatalog | None, *, key: str) -> None:
    """Draw the recipients' map, or nothing if no place is known."""
    if catalog is None or not any(catalog.us_place(each) for each in draft.regions):
        return
    _draw(_map(draft, catalog, key=key, is_picked_on=False), key=key, on_select="ignore")


@st.fragment
def map_picker(workspace: Workspace, draft: AlertDraft, catalog: RegionCatalog) -> None:
    """Draw the map behind a toggle, the selection on it, and the tools to draw an area."""
    if IS_PAGE_OUTDATED.get():
        st.rerun()
    st.toggle("Map", key=MAP_OPEN.widget_key, persist_state="page", help="Select counties and places, or draw an area.")
    if not MAP_OPEN.get():
        return
    key = f"public_alerts.map/{draft.uid}"
    pinned = {layer: pinned_rows(st.session_state.get(key), layer) for layer in (COUNTIES, PLACES, FOUND)}
    picked = [each for rows in pinned.values() for each in rows.values() if each]
    area = _area_meant(draft, catalog, picked)
    home = () if draft.regions else _home(workspace, catalog)
    by_hand = AREA_KIND.get() == _FREEHAND
    # A freehand area stays where it was drawn, so the sheet does not move.
    drawn = None if by_hand else area
    made = _map(draft, catalog, key=key, selected_ids=picked, pinned=pinned, area=drawn, home=home, is_picked_on=True)
    if by_hand:
        ground = ground_of(catalog, draft.regions, made, theme=theme_here(), base_path=base_path_here())
        drawing_sheet(ground, AREA_RING.get(), key=f"{key}/sheet", then=AREA_RING.set)
    else:
        _draw(made, key=key, on_select="rerun")
        _of_picked(draft, catalog, picked)
    _drawing(draft, catalog, picked, area)


def _home(workspace: Workspace, catalog: RegionCatalog) -> Sequence[int]:
    """Return where a map without places opens: the state of the search, else the organization's usual places."""
    state = STATE.get()
    return [place.id for place in catalog.search.find_places("", state=state)] if state else usual_places(workspace)


def _map(
    draft: AlertDraft,
    catalog: RegionCatalog,
    *,
    key: str,
    is_picked_on: bool,
    home: Sequence[int] = (),
    **marked: Any,
) -> ReachMap:
    width, height = window_size(st.context.headers.get("User-Agent"), _WIDTH, _HEIGHT)
    text = TEXT.get().strip() if is_picked_on else ""
    made = reach_map_of(
        catalog,
        draft.regions,
        matches=catalog.search.find_places(text)[:_FOUND_SHOWN] if text else (),
        home=home,
        previous_view=VIEWS.get().get(key),
        is_picked_on=is_picked_on,
        theme=theme_here(),
        width=width,
        height=height,
        base_path=base_path_here(),
        **marked,
    )
    VIEWS.set({**VIEWS.get(), key: made.view})
    return made


def _draw(made: ReachMap, *, key: str, on_select: Any) -> None:
    draw_map(made.deck, made.description, key=key, height=round(made.view.height), on_select=on_select)
    if made.left_out:
        st.caption(f"{made.left_out:,} more places are not on the map.")


def _of_picked(draft: AlertDraft, catalog: RegionCatalog, picked: Sequence[str]) -> None:
    """Draw the selection on the map, with buttons to add or remove it."""
    if not picked:
        st.caption("Select a county or a point. Select it again to clear it.")
        return
    ids, missing = ids_of(catalog, picked)
    chosen_ids = set(draft.regions)
    fresh, chosen = [each for each in ids if each not in chosen_ids], [each for each in ids if each in chosen_ids]
    if ids:
        st.markdown(f"Selected on the map: **{plain(names(list(dict.fromkeys(catalog.names(ids))), at_most=8))}**")
        st.caption(plain(estimate_people(ids, catalog).words))
    if missing:
        st.markdown(f":orange[:material/help: {plain(f'The service does not have {names(missing)}.')}]")
    with st.container(horizontal=True, gap="xsmall"):
        if fresh:
            st.button(
                f"Add {count(len(fresh), 'place', 'places')}",
                key="public_alerts.map.add",
                icon=":material/add:",
                type="primary",
                on_click=on_press(draft, region_actions.add, fresh),
            )
        if chosen:
            st.button(
                f"Remove {count(len(chosen), 'place', 'places')}",
                key="public_alerts.map.remove",
                icon=":material/close:",
                on_click=on_press(draft, region_actions.remove, chosen),
            )


def _drawing(draft: AlertDraft, catalog: RegionCatalog, picked: Sequence[str], area: Area | None) -> None:
    with st.expander("Draw area", icon=":material/draw:", type="compact", expanded=AREA_KIND.get() is not None):
        ways = [_FREEHAND, _AROUND, _CORNERS]
        st.segmented_control("How", ways, key=AREA_KIND.widget_key, label_visibility="collapsed")
        if AREA_KIND.get() == _CORNERS:
            _corners(catalog, picked)
        elif AREA_KIND.get() == _AROUND:
            _circle(draft, catalog, picked)
        elif AREA_KIND.get() == _FREEHAND and area is None:
            st.caption("Draw the area on the map above with the mouse or a finger.")
        if area is not None:
            _inside(draft, catalog, area)


def _circle(draft: AlertDraft, catalog: RegionCatalog, picked: Sequence[str]) -> None:
    centres = _centres(draft, catalog, picked)
    if not centres:
        st.caption("Select a place first. Muster draws the area around that place.")
        return
    if AREA_CENTRE.get() not in centres:
        AREA_CENTRE.set(next(iter(centres)))
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="bottom"):
        st.number_input("Miles", 1.0, 200.0, step=1.0, format="%g", key=AREA_MILES.widget_key, width=110)
        st.selectbox("Around", list(centres), format_func=centres.__getitem__, key=AREA_CENTRE.widget_key, width=230)


def _corners(catalog: RegionCatalog, picked: Sequence[str]) -> None:
    ids, _ = ids_of(catalog, picked)
    spots = [(known.lat, known.lon) for each in ids if (known := catalog.us_place(each))]
    if len(spots) > 2:
        st.button(
            f"Around {len(spots)} selected places",
            key="public_alerts.map.corners",
            icon=":material/polyline:",
            on_click=AREA_CORNERS.set,
            args=(corner_lines(around(spots)),),
        )
    st.text_area(
        "Corners (latitude, longitude), one per line",
        key=AREA_CORNERS.widget_key,
        max_chars=MAX_PASTE,
        height=110,
        placeholder="40.10, -105.40\n40.10, -105.10\n39.95, -105.25",
        help="Or select 3 or more places on the map to draw the area around them.",
    )
    _, wrong = corners_in(AREA_CORNERS.get())
    if wrong:
        st.markdown(f":red[:material/error: {plain(wrong)}]")


def _inside(draft: AlertDraft, catalog: RegionCatalog, area: Area) -> None:
    found = inside(catalog, area)
    summary = kind_counts({"zip": len(found.zip_codes), "city": len(found.cities), "county": len(found.counties)})
    st.markdown(f"**{plain(summary or 'No place')}** in this area, including counties that only touch the area.")
    if found.zip_codes:
        people = estimate_people([place.id for place in found.zip_codes], catalog).words
        st.caption(f"In the ZIP codes: {plain(people[:1].lower() + people[1:])}")
    chosen_ids = set(draft.regions)
    with st.container(horizontal=True, gap="xsmall"):
        for kind, places, words in (
            ("zips", found.zip_codes, ("ZIP code", "ZIP codes")),
            ("counties", found.counties, ("county", "counties")),
        ):
            fresh = [each for place in places for each in catalog.listed_as(place.id) if each not in chosen_ids]
            if fresh:
                st.button(
                    f"Add {count(len(fresh), *words)}",
                    key=f"public_alerts.map.inside/{kind}",
                    icon=":material/playlist_add:",
                    on_click=on_press(draft, region_actions.add, fresh),
                )


def _centres(draft: AlertDraft, catalog: RegionCatalog, picked: Sequence[str]) -> dict[int, str]:
    ids = [*ids_of(catalog, picked)[0], *draft.regions]
    near = [each for each in dict.fromkeys(ids) if catalog.us_place(each) is not None][:20]
    return make_unique(dict(zip(near, catalog.names(near), strict=True)))


def _area_meant(draft: AlertDraft, catalog: RegionCatalog, picked: Sequence[str]) -> Area | None:
    """Return the area that the fields describe, or None if they are incomplete."""
    kind = AREA_KIND.get()
    if kind == _FREEHAND:
        return enclosed(AREA_RING.get()) if AREA_RING.get() else None
    if kind == _CORNERS:
        corners, wrong = corners_in(AREA_CORNERS.get())
        return through(corners) if corners and not wrong else None
    centres = _centres(draft, catalog, picked)
    if kind != _AROUND or not centres:
        return None
    centre = AREA_CENTRE.get() if AREA_CENTRE.get() in centres else next(iter(centres))
    known = catalog.us_place(centre)
    return circle(known.lat, known.lon, AREA_MILES.get()) if known is not None else None


def drawing_sheet(
    ground: Mapping[str, Any], ring: Sequence[tuple[float, float]], *, key: str, then: Callable[[Ring], None]
) -> None:
    """Draw the component for freehand drawing on `ground_of` with the previous line. A new line is passed to `then`."""

    draw_component(
        "muster_alert_reach",
        "drawing_sheet",
        __file__,
        key=key,
        data={**ground, "ring": [list(corner) for corner in ring]},
        on_press={"ring": lambda value: then(corners_from_browser(value))},
    )


def corners_from_browser(value: Any) -> Ring:
    """Return the corners from the browser, in the nearest copy of the world; empty if they are no area."""
    try:
        ring = [(float(lat), float(lon)) for lat, lon in value or ()]
    except (TypeError, ValueError):
        return []
    if len(set(ring)) < FEWEST_CORNERS or not all(abs(lat) <= 90 and math.isfinite(lon) for lat, lon in ring):
        return []
    # The component repeats the world sideways.
    turns = round(ring[0][1] / 360)
    return [(lat, lon - 360 * turns) for lat, lon in ring]
