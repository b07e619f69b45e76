"""Draw the area of the incident: the list of its parts, and the sources of an area other than the map."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import partial
from typing import Final, Literal

import streamlit as st

from components.incidents.incident_controls import AREA_PARTS, INCIDENT
from components.shell.notices import field_problem
from components.shell.state import StateKey
from components.streamlit_workarounds.icon_name import icon_name
from domain.geography.countries import country_name
from domain.geography.country_order import order_countries
from domain.incidents.area import AreaError
from domain.incidents.area_file import AreaFile, merge_parts
from domain.incidents.area_parts import NO_PARTS, AreaPart, editable_ring
from domain.incidents.area_reading import FILE_ENDINGS, read_area_file, read_cap_area
from domain.incidents.area_text import parse_area
from domain.incidents.stored_areas import save_area
from domain.preparedness.shape_library.region_outlines import load_outline
from domain.preparedness.shape_library.sent_regions import Region, list_sent_regions
from domain.runtime.workspace import Workspace
from domain.text.plain_text import count, in_short, plain
from domain.text.text_limits import MAX_LINE, MAX_PASTE
from journal.journal_errors import JournalError

EDITED: Final = StateKey[str | None]("incidents.edited_part", lambda: None)
"""The text of the part that the map edits."""
_TEXT: Final = StateKey[str]("incidents.area_text", str)
_REPLACED: Final = StateKey[str | None]("incidents.replaced_part", lambda: None)
"""The text of the part that the field replaces."""
_SOURCE: Final = StateKey[str]("incidents.area_source", lambda: "Countries")
_COUNTRIES: Final = StateKey[list[str]]("incidents.countries", list)
_REGION: Final[StateKey[str | None]] = StateKey("incidents.library_shape", lambda: None)
_CAP: Final = StateKey[str]("incidents.cap_text", str)
_PROBLEM: Final = StateKey[tuple[str, str] | None]("incidents.area_problem", lambda: None)
"""The source that failed, and why."""
_FILES_READ: Final = StateKey[int]("incidents.files_read", int)
"""The number of files that were read. Each file gets a new field."""
_SOURCES_BOX: Final = "incident-sources"
_SOURCES: Final = ("Countries", "Shape library", "File", "CAP text")
_TYPES: Final = sorted(ending.removeprefix(".") for ending in FILE_ENDINGS)
_LONGEST_LABEL: Final = 60
_PARTS_IN_SIGHT: Final = 3
_PARTS_HEIGHT: Final = 150
_FILE_PARTS_HEIGHT: Final = 240
_MOST_FILE_PARTS: Final = 100


def draw_area_fields(workspace: Workspace, *, is_empty: bool) -> None:
    """Draw the field for an area, and the other sources behind a button."""
    is_replaced = _REPLACED.get() is not None
    with st.container(horizontal=True, vertical_alignment="bottom", key="incident-area-fields"):
        with (
            st.form("incident-area-form", border=False, enter_to_submit=True, width="stretch"),
            st.container(horizontal=True, vertical_alignment="bottom"),
        ):
            st.text_input(
                "Replace the area" if is_replaced else "Area",
                key=_TEXT.widget_key,
                max_chars=MAX_LINE,
                placeholder="40 km around Kathmandu",
                help="Enter “40 km around Kathmandu”, “25 km around 27.7, 85.3”, “40 km around KTM”, “Nepal”, or draw "
                "the area on the map.",
            )
            st.form_submit_button(
                "Replace area" if is_replaced else "Add area",
                key="incident-add-area",
                icon=":material/add:",
                type="primary" if is_empty else "secondary",
                on_click=_attempt,
                args=("text", _add_text),
            )
        box = st.popover("Other areas", icon=":material/layers:", key=_SOURCES_BOX, on_change="rerun")
        if box.open:
            with box:
                _draw_sources(workspace)
    _draw_problem("text")


def _draw_sources(workspace: Workspace) -> None:
    source = st.segmented_control("Add an area from", _SOURCES, key=_SOURCE.widget_key, required=True)
    if source == "Countries":
        st.multiselect(
            "Countries",
            order_countries(),
            format_func=country_name,
            key=_COUNTRIES.widget_key,
            select_all=False,
        )
        st.button("Add countries", key="incident-add-countries", on_click=_attempt, args=(source, _add_countries))
    elif source == "Shape library":
        _draw_library(workspace)
    elif source == "File":
        key = f"incidents.file-{_FILES_READ.get()}"
        st.file_uploader(
            "GeoJSON, KML, zipped shapefile, or CAP alert",
            type=_TYPES,
            key=key,
            on_change=_attempt,
            args=(source, partial(_add_file, workspace, key)),
        )
    else:
        st.text_area(
            "Text of a CAP alert", key=_CAP.widget_key, max_chars=MAX_PASTE, placeholder="<alert xmlns=…", height=140
        )
        st.button(
            "Add area of the alert",
            key="incident-add-cap",
            on_click=_attempt,
            args=(source, partial(_add_cap, workspace)),
        )
    _draw_problem(source or "")


def _draw_library(workspace: Workspace) -> None:
    regions = {region.name: region for region in list_sent_regions(workspace) if region.state == "there"}
    if not regions:
        st.caption(
            "No shapes have been sent to the shape library from Muster. Add shapes under **Shapes**, or add a file."
        )
        return
    st.selectbox(
        "Shape",
        sorted(regions),
        index=None,
        format_func=lambda name: f"{regions[name].folder}/{name}" if regions[name].folder else name,
        key=_REGION.widget_key,
        placeholder="Select a shape",
    )
    st.caption("The service cannot list its library. Muster lists the shapes that were sent from Muster.")
    st.button(
        "Add shape",
        key="incident-add-shape",
        on_click=_attempt,
        args=("Shape library", partial(_add_region, workspace, regions)),
    )


def draw_area_parts(workspace: Workspace, parts: Sequence[AreaPart]) -> None:
    """Draw the parts of the area, each with its buttons."""
    if not parts:
        if AREA_PARTS.get():
            st.warning("The incident has no area. Add one, or discard the changes.", icon=":material/location_off:")
        return
    rows = sum(1 if part.file is None else len(part.file.parts) for part in parts)
    tall = _FILE_PARTS_HEIGHT if rows > len(parts) else _PARTS_HEIGHT
    height: int | Literal["content"] = tall if rows > _PARTS_IN_SIGHT else "content"
    with st.container(gap="xxsmall", height=height, border=False, key="incident-parts"):
        for number, part in enumerate(parts):
            _draw_part(workspace, number, part)


def drawn_on_map(text: str | None) -> None:
    """Store what was drawn: a new part, or the new shape of the part that the map edits. None removes that part."""
    edited, texts = EDITED.get(), AREA_PARTS.get()
    EDITED.set(None)
    if edited in texts:
        _set_parts([each for each in (text if each == edited else each for each in texts) if each])
        if text is not None:
            EDITED.set(text)
    elif text is not None:
        _extend(text)


def _draw_part(workspace: Workspace, number: int, part: AreaPart) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"incident-part-{number}"):
        if part.problem:
            st.markdown(f":red[:material/error: {plain(in_short(part.label, _LONGEST_LABEL))}]", width="stretch")
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
        elif part.area is not None:
            st.caption("Can’t be edited on the map", width="content")
        if part.is_text and not part.text.startswith("polygon:"):
            st.button("Edit text", key=f"incident-edit-{number}", type="tertiary", on_click=_edit, args=(part.text,))
        st.button(
            f"Remove {icon_name(part.label)}",
            key=f"incident-remove-{number}",
            icon=":material/close:",
            type="tertiary",
            on_click=_remove,
            args=(part.text,),
        )
    field_problem(part.problem)
    if part.file is not None and part.file.looks_swapped:
        st.button(
            "Swap latitude and longitude",
            key=f"incident-swap-{number}",
            icon=":material/swap_horiz:",
            on_click=_attempt,
            args=("text", partial(_swap, workspace, part, part.file)),
        )
    if part.file is not None and len(part.file.parts) > 1:
        _draw_file_parts(number, part, part.file)


def _draw_file_parts(number: int, part: AreaPart, file: AreaFile) -> None:
    """Draw a check box for each part of a file, with its kind and size."""
    with st.container(gap=None, key=f"incident-file-parts-{number}"):
        if file.has_different_kinds and len(part.selected) < len(file.parts):
            st.button(
                "Select all",
                key=f"incident-all-parts-{number}",
                type="tertiary",
                on_click=_choose_file_parts,
                args=(part, range(1, len(file.parts) + 1)),
            )
        for place, each in enumerate(file.parts[:_MOST_FILE_PARTS], 1):
            key = f"incidents.file_part/{number}/{place}"
            st.session_state[key] = place in part.selected
            st.checkbox(
                f"{plain(in_short(each.label, _LONGEST_LABEL))}"
                f"{f' · {plain(each.kind)}' if each.kind else ''} · {round(each.square_kilometers):,} km²",
                key=key,
                on_change=_choose_file_part,
                args=(part, place, key),
            )
        if len(file.parts) > _MOST_FILE_PARTS:
            rest = count(len(file.parts) - _MOST_FILE_PARTS, "more part", "more parts")
            st.caption(f"The file has {rest}. To select among them, split the file.")


def _choose_file_part(part: AreaPart, place: int, key: str) -> None:
    """Count a part of the file or leave it out."""
    others = {*part.selected} - {place}
    _choose_file_parts(part, others | {place} if st.session_state.get(key) else others)


def _choose_file_parts(part: AreaPart, places: Collection[int]) -> None:
    _replace_part(part, part.with_selection(places))


def _swap(workspace: Workspace, part: AreaPart, file: AreaFile) -> None:
    """Store the file with latitude and longitude exchanged. The same parts count."""
    stored = save_area(workspace, file.swap())
    _replace_part(part, f"{stored}{part.text[len(stored) :]}")


def _replace_part(part: AreaPart, text: str) -> None:
    _set_parts([text if each == part.text else each for each in AREA_PARTS.get()])


def _edit(text: str) -> None:
    _REPLACED.set(text)
    _TEXT.set(text)


def _remove(text: str) -> None:
    _set_parts([each for each in AREA_PARTS.get() if each != text])
    for key in (_REPLACED, EDITED):
        if key.get() == text:
            key.set(None)


def _extend(*texts: str) -> None:
    _set_parts([*AREA_PARTS.get(), *texts])


def _set_parts(texts: Sequence[str]) -> None:
    """Store the parts in the link. A link without parts says so for a saved incident; otherwise its stored area
    would return.
    """
    parts = [text for text in dict.fromkeys(texts) if text != NO_PARTS]
    AREA_PARTS.set(parts or ([NO_PARTS] if INCIDENT.get() is not None else []))


def _attempt(source: str, add: Callable[[], None]) -> None:
    _PROBLEM.set(None)
    try:
        add()
    except (AreaError, JournalError) as error:
        _PROBLEM.set((source, str(error)))
    else:
        if source != "text":
            st.session_state[_SOURCES_BOX] = False


def _draw_problem(source: str) -> None:
    problem = _PROBLEM.get()
    if problem is not None and problem[0] == source:
        field_problem(problem[1])


def _add_text() -> None:
    text = " ".join(_TEXT.get().split())
    replaced, texts = _REPLACED.get(), AREA_PARTS.get()
    if not text and texts:
        # The second click of a double click.
        return
    parse_area(text)
    if replaced in texts:
        _set_parts([text if each == replaced else each for each in texts])
    else:
        _extend(text)
    _REPLACED.set(None)
    _TEXT.set("")


def _add_countries() -> None:
    codes = _COUNTRIES.get()
    if not codes:
        raise AreaError("Select at least one country.")
    _extend(*(f"country:{code}" for code in codes))
    _COUNTRIES.set([])


def _add_region(workspace: Workspace, regions: dict[str, Region]) -> None:
    region = regions.get(_REGION.get() or "")
    if region is None:
        raise AreaError("Select a shape.")
    outline = load_outline(workspace.journal, workspace.actor, region.digest)
    if outline is None:
        raise AreaError(f"Muster has not stored the outline of “{region.name}”. Add its file instead.")
    area = AreaFile.from_geojson(outline)
    parts = merge_parts([replace(part, label=region.name) for part in area.parts])
    _extend(save_area(workspace, replace(area, name=region.name, parts=parts)))
    _REGION.set(None)


def _add_file(workspace: Workspace, key: str) -> None:
    file = st.session_state.get(key)
    if file is None:
        return
    _FILES_READ.set(_FILES_READ.get() + 1)
    _extend(save_area(workspace, read_area_file(file.name, file.getvalue())))


def _add_cap(workspace: Workspace) -> None:
    text = _CAP.get().strip()
    if not text:
        raise AreaError("Paste the text of a CAP alert.")
    _extend(save_area(workspace, read_cap_area(text)))
    _CAP.set("")
