"""Draws the area of the incident: its parts in a list, and the ways to add one that need no map."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import streamlit as st

from components.incidents.incident_controls import AREA_PARTS
from components.shell.notices import field_problem
from components.shell.state import StateKey
from domain.geography.countries import all_countries, country_name
from domain.incidents.area import Area, AreaError
from domain.incidents.area_parts import AreaPart, editable_ring, file_parts
from domain.incidents.area_text import FILE_ENDINGS, parse_area, read_area_file, read_cap_area
from domain.text.plain_text import in_short, plain

FILES: Final = StateKey[dict[str, Area]]("incidents.files", dict)
"""The parts of files that were added in this browser session, by name."""
EDITED: Final = StateKey[str | None]("incidents.edited_part", lambda: None)
"""The text of the part that the map edits."""
_TEXT: Final = StateKey[str]("incidents.area_text", str)
_REPLACED: Final = StateKey[str | None]("incidents.replaced_part", lambda: None)
"""The text of the part that the field replaces."""
_COUNTRIES: Final = StateKey[list[str]]("incidents.countries", list)
_CAP: Final = StateKey[str]("incidents.cap_text", str)
_PROBLEM: Final = StateKey[tuple[str, str] | None]("incidents.area_problem", lambda: None)
"""The way of adding that failed, and why."""
_FILE_KEY: Final = "incidents.file"
_TYPES: Final = sorted(ending.removeprefix(".") for ending in FILE_ENDINGS)
_LONGEST_LABEL: Final = 60


def draw_area_parts(parts: Sequence[AreaPart]) -> None:
    """Draw the field for an area, the other ways to add one, and the parts, each with its ways to change it."""
    replaced = _REPLACED.get()
    with st.form("incident-area-form", border=False, enter_to_submit=True):
        st.text_input(
            "Area" if replaced is None else "Replace the area",
            key=_TEXT.widget_key,
            placeholder="40 km around Kathmandu",
            help="Write “40 km around Kathmandu”, “25 km around 27.7, 85.3”, “40 km around KTM”, “Nepal”, or draw the "
            "area on the map.",
        )
        st.form_submit_button(
            "Add area" if replaced is None else "Replace area",
            key="incident-add-area",
            icon=":material/add:",
            type="primary" if not parts else "secondary",
            on_click=_attempt,
            args=("text", _add_text),
        )
    _draw_problem("text")
    with st.container(horizontal=True):
        with st.popover("Countries", icon=":material/flag:", key="incident-countries"):
            st.multiselect(
                "Countries",
                list(all_countries()),
                format_func=country_name,
                key=_COUNTRIES.widget_key,
                select_all=False,
            )
            st.button("Add countries", key="incident-add-countries", on_click=_attempt, args=("countries", _add_lands))
            _draw_problem("countries")
        with st.popover("File", icon=":material/upload_file:", key="incident-file"):
            st.file_uploader("GeoJSON, KML, zipped shapefile, or CAP alert", type=_TYPES, key=_FILE_KEY)
            st.button("Add area from file", key="incident-add-file", on_click=_attempt, args=("file", _add_file))
            _draw_problem("file")
        with st.popover("CAP text", icon=":material/rss_feed:", key="incident-cap"):
            st.text_area("Text of a CAP alert", key=_CAP.widget_key, placeholder="<alert xmlns=…", height=140)
            st.button("Add area of the alert", key="incident-add-cap", on_click=_attempt, args=("cap", _add_cap))
            _draw_problem("cap")
    for number, part in enumerate(parts):
        _draw_part(number, part)
    if any(part.text.startswith("file:") for part in parts):
        st.caption(
            "An area from a file is in this browser session only. Save the incident to keep it and to share its link."
        )


def drawn_on_map(text: str | None) -> None:
    """Take over what was drawn: a new part, or the new shape of the part that the map edits; None clears that one."""
    edited, texts = EDITED.get(), AREA_PARTS.get()
    EDITED.set(None)
    if edited in texts:
        AREA_PARTS.set([each for each in (text if each == edited else each for each in texts) if each])
        if text is not None:
            EDITED.set(text)
    elif text is not None:
        _extend(text)


def _draw_part(number: int, part: AreaPart) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"incident-part-{number}"):
        if part.problem:
            st.markdown(f":red[:material/error: {plain(in_short(part.text, _LONGEST_LABEL))}]", width="stretch")
        else:
            st.markdown(f":material/location_on: {plain(in_short(part.label, _LONGEST_LABEL))}", width="stretch")
        if editable_ring(part) is not None:
            is_edited = EDITED.get() == part.text
            st.button(
                "Done" if is_edited else "Edit on map",
                key=f"incident-edit-map-{number}",
                type="tertiary",
                on_click=EDITED.set,
                args=(None if is_edited else part.text,),
            )
        if part.is_text and not part.text.startswith("polygon:"):
            st.button("Edit", key=f"incident-edit-{number}", type="tertiary", on_click=_edit, args=(part.text,))
        st.button(
            "Remove",
            key=f"incident-remove-{number}",
            icon=":material/close:",
            type="tertiary",
            on_click=_remove,
            args=(part.text,),
        )
    field_problem(part.problem)


def _edit(text: str) -> None:
    _REPLACED.set(text)
    _TEXT.set(text)


def _remove(text: str) -> None:
    AREA_PARTS.set([each for each in AREA_PARTS.get() if each != text])
    for key in (_REPLACED, EDITED):
        if key.get() == text:
            key.set(None)


def _extend(*texts: str) -> None:
    AREA_PARTS.set(list(dict.fromkeys([*AREA_PARTS.get(), *texts])))


def _attempt(way: str, add: Callable[[], None]) -> None:
    _PROBLEM.set(None)
    try:
        add()
    except AreaError as error:
        _PROBLEM.set((way, str(error)))


def _draw_problem(way: str) -> None:
    problem = _PROBLEM.get()
    if problem is not None and problem[0] == way:
        field_problem(problem[1])


def _add_text() -> None:
    text = " ".join(_TEXT.get().split())
    parse_area(text)
    replaced, texts = _REPLACED.get(), AREA_PARTS.get()
    if replaced in texts:
        AREA_PARTS.set(list(dict.fromkeys(text if each == replaced else each for each in texts)))
    else:
        _extend(text)
    _REPLACED.set(None)
    _TEXT.set("")


def _add_lands() -> None:
    codes = _COUNTRIES.get()
    if not codes:
        raise AreaError("Select at least one country.")
    _extend(*(f"country:{code}" for code in codes))
    _COUNTRIES.set([])


def _add_file() -> None:
    file = st.session_state.get(_FILE_KEY)
    if file is None:
        raise AreaError("Select a file.")
    _hold(read_area_file(file.name, file.getvalue()))


def _add_cap() -> None:
    text = _CAP.get().strip()
    if not text:
        raise AreaError("Paste the text of a CAP alert.")
    _hold(read_cap_area(text))
    _CAP.set("")


def _hold(area: Area) -> None:
    parts = file_parts(area)
    FILES.set(FILES.get() | parts)
    _extend(*parts)
