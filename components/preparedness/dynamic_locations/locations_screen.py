"""The screen for dynamic locations: a file, its rows on a map, and its upload."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

from components.file_import.import_view import draw_import
from components.maps.map_view import shapes_map
from components.shell.page_header import draw_page_header
from domain.file_import.import_declaration import ImportDeclaration
from domain.file_import.row_marks import find_marks
from domain.preparedness.assets.asset_rows import KINDS as ASSET_KINDS
from domain.preparedness.dynamic_locations.location_rows import KIND, KnownIds, read_known_ids
from domain.preparedness.dynamic_locations.location_upload import build_intake
from domain.text.plain_text import count, plain

if TYPE_CHECKING:
    from domain.file_import.checking import Check
    from domain.runtime.workspace import Workspace


def draw_row_map(check: Check, *, key: str) -> None:
    """Draw a map with one mark per place of the rows; nothing for a file without positions."""
    position = check.declaration.position
    if position is None or not all(check.matches[each].headers for each in (position.latitude, position.longitude)):
        return
    with st.expander("Map of the rows", icon=":material/map:", key=f"{key}-row-map", expanded=True):
        marks = find_marks(position, check)
        if not marks:
            st.caption("No row has a location on the map.")
            return
        shapes_map(marks, key=f"{key}-rows", height=380)
        tones = {mark.tone for mark in marks}
        notes = ["Each mark is a place with its number of rows."]
        notes += ["Large red marks have errors."] if "error" in tones else []
        notes += ["Large orange marks have warnings."] if "warning" in tones else []
        missing = int(check.is_open.sum()) - sum(mark.number for mark in marks)
        notes += [f"{count(missing, 'row has', 'rows have')} no valid location."] if missing else []
        st.caption(" ".join(notes))


KEY: Final = "locations"
_CACHE: Final = "locations.known"


def locations_screen(workspace: Workspace) -> None:
    """Draw the screen."""
    draw_page_header()
    st.markdown(
        "Upload the current locations of people. Each row replaces the person’s previous location from the same "
        "source. Check the rows before you send them."
    )
    known, declaration = _intake(workspace)

    def preview(check: Check) -> None:
        if not check.missing:
            st.caption(f":material/person_search: {plain(known.describe_coverage(check.rows.texts[check.is_open]))}")
            draw_row_map(check, key=KEY)

    draw_import(workspace, declaration, key=KEY, preview=preview)


def _intake(workspace: Workspace) -> tuple[KnownIds, ImportDeclaration]:
    """Return the known IDs and the import that checks rows against them. Both are renewed after changes, and regularly.

    All tabs of a user share them, so that each asks about the same expired rows.
    """
    history = workspace.journal.ledger_history
    version = [(workspace.actor, history.count_done_writes(workspace.actor, kinds)) for kinds in ([KIND], ASSET_KINDS)]
    cached: tuple[object, KnownIds, ImportDeclaration] | None = workspace.unsaved_work.get(_CACHE)
    known = (cached[1] if cached is not None and cached[0] == version else read_known_ids(workspace)).refreshed()
    if cached is None or known is not cached[1]:
        cached = workspace.unsaved_work[_CACHE] = (version, known, build_intake(known))
    return cached[1], cached[2]
