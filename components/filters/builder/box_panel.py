"""Draw the panel in which a box on the map, or its four edges, becomes rules for latitude and longitude."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

import streamlit as st

from components.filters.builder import rule_actions
from components.filters.builder.rule_actions import EDITOR
from components.filters.builder.several_filters import save_several
from components.maps.place_map import Area, area_map
from components.shell.notices import field_problem
from components.shell.state import StateKey
from domain.expected_locations.bounds import Bounds
from domain.filters.alternatives import Alternative, name_for
from domain.filters.coordinate_box import (
    EDGES,
    Box,
    box_around,
    count_box_rules,
    find_box,
    format_degrees,
    polygon_of,
    read_box,
    split_at_date_line,
    with_box,
)
from domain.filters.filter_draft import FilterDraft
from domain.filters.filter_form import PREFIX
from domain.text.plain_text import plain
from domain.text.text_limits import MAX_LINE

_SHOWN_FOR: Final = StateKey[str]("contact_filters.box_of", str)
"""The uid of the draft whose box is on the screen."""
_VIEW: Final[StateKey[Bounds | None]] = StateKey("contact_filters.box_view", lambda: None)
"""What the map was last moved to. Drawing on the map does not move it."""
_TEXTS: Final = {name: StateKey[str](f"contact_filters.box_{name}", str) for name in EDGES}
_LABELS: Final = {name: f"{name.capitalize()} edge" for name in EDGES}
_HEIGHT: Final = "420px"
_FIELD_WIDTH: Final = 150


def draw_box_button(draft: FilterDraft) -> None:
    """Draw the button that opens the panel."""
    st.button(
        "Select a box on a map",
        key=f"{PREFIX}.box",
        icon=":material/select_all:",
        help="Adds rules for the latitude and longitude of addresses.",
        on_click=_open,
        args=(draft,),
    )


def draw_box_panel(draft: FilterDraft) -> None:
    """Draw the panel if it is open."""
    if _SHOWN_FOR.get() != draft.uid:
        return
    with st.container(border=True, key="contact_filter-box"):
        st.markdown("**Latitude and longitude of addresses**")
        st.caption("Select **Rectangle** and drag on the map, or enter the edges in decimal degrees.")
        box, problems = read_box({name: text.get() for name, text in _TEXTS.items()})
        area_map(
            key="contact-filter-box-map",
            tools=("rectangle",),
            area=polygon_of(box) if box is not None else None,
            on_area=_take_area,
            bounds=_VIEW.get(),
            height=_HEIGHT,
            fallback="Enter the four edges.",
        )
        with st.container(horizontal=True):
            for name, text in _TEXTS.items():
                with st.container(width=_FIELD_WIDTH, gap="xxsmall"):
                    st.text_input(
                        _LABELS[name], key=text.widget_key, max_chars=MAX_LINE, on_change=_move_view, placeholder="47.5"
                    )
                    field_problem(problems.get(name))
        _draw_actions(draft, box)


def _draw_actions(draft: FilterDraft, box: Box | None) -> None:
    crosses = box is not None and box.crosses_date_line
    has_name = bool(draft.name.strip())
    if box is not None and crosses:
        names = [f"- {plain(name_for(draft, label) or label)}" for label in map(_label, split_at_date_line(box))]
        st.info(
            "The box crosses the 180th meridian, and all rules of a filter must match. Muster saves 1 new filter for "
            "each side:\n" + "\n".join(names),
            icon=":material/info:",
        )
        field_problem(None if has_name else "Enter a name for the filter first.")
    with st.container(horizontal=True):
        if box is not None and crosses:
            st.button(
                "Save 2 filters",
                key=f"{PREFIX}.box_save",
                icon=":material/save:",
                disabled=not has_name,
                on_click=_save_both,
                args=(box,),
            )
        else:
            is_change = count_box_rules(draft) == len(EDGES)
            st.button(
                "Change 4 rules" if is_change else "Add 4 rules",
                key=f"{PREFIX}.box_add",
                icon=":material/edit:" if is_change else ":material/add:",
                disabled=box is None,
                on_click=_add,
                args=(box,),
            )
        st.button("Close map", key=f"{PREFIX}.box_close", on_click=_SHOWN_FOR.clear)


def _open(draft: FilterDraft) -> None:
    """Open the panel with the box that the rules have."""
    _SHOWN_FOR.set(draft.uid)
    _set_box(find_box(EDITOR.current() or draft))
    _move_view()


def _set_box(box: Box | None) -> None:
    for name, text in _TEXTS.items():
        text.set(box.texts[name] if box is not None else "")


def _take_area(area: Area | None) -> None:
    _set_box(box_around(area) if area is not None else None)


def _move_view() -> None:
    box, _ = read_box({name: text.get() for name, text in _TEXTS.items()})
    if box is not None:
        _VIEW.set(Bounds(box.west, box.south, box.east, box.north))


def _add(box: Box) -> None:
    _SHOWN_FOR.clear()
    EDITOR.do("select a box on the map", partial(_with_box, box=box))


def _with_box(draft: FilterDraft, box: Box) -> FilterDraft:
    return with_box(draft, box, rule_actions.known_ids(draft).field_ids)


def _save_both(box: Box) -> None:
    def split(draft: FilterDraft) -> Sequence[Alternative]:
        return [Alternative(_label(part), _with_box(draft, part)) for part in split_at_date_line(box)]

    save_several(split)


def _label(box: Box) -> str:
    """Return what distinguishes one side of the 180th meridian: "longitude 170 to 180"."""
    return f"longitude {format_degrees(box.west)} to {format_degrees(box.east)}"
