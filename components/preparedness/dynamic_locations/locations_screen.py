"""Drawing dynamic locations: a file of them, what it would do, and its upload followed to the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

from components.file_import.intake_screen import draw_import
from components.maps.map_view import shapes_map
from components.shell.page_header import draw_page_header
from domain.file_import.import_declaration import Intake
from domain.file_import.row_marks import find_marks
from domain.preparedness.assets.asset_rows import KINDS as ASSET_KINDS
from domain.preparedness.dynamic_locations.location_rows import KIND, Known, read_known
from domain.preparedness.dynamic_locations.location_upload import intake_knowing
from domain.text.plain_text import count, plain

if TYPE_CHECKING:
    from domain.file_import.checking import Check
    from domain.runtime.workspace import Workspace


def row_map(check: Check, *, key: str) -> None:
    """Draw a map of the rows that are here, one mark a place; nothing for a file that tells no positions."""
    position = check.intake.position
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
_KEPT: Final = "locations.known"


def locations_screen(workspace: Workspace) -> None:
    """Draw the screen."""
    draw_page_header()
    st.markdown(
        "Upload the current locations of people. Each row replaces the person’s previous location from the same "
        "source. Check the rows before you send them."
    )
    known, intake = _intake(workspace)

    def preview(check: Check) -> None:
        if not check.missing:
            st.caption(f":material/person_search: {plain(known.coverage(check.rows.texts[check.is_open]))}")
            row_map(check, key=KEY)

    draw_import(workspace, intake, key=KEY, preview=preview)


def _intake(workspace: Workspace) -> tuple[Known, Intake]:
    """What this desk knows, and the intake that holds rows against it; made anew as that changes, and as time goes.

    All tabs of a person hold a file against the same, so that one asks of no other moment than the others.
    """
    history = workspace.journal.ledger_history
    now = [(workspace.actor, *history.count_done(workspace.actor, kinds)) for kinds in ([KIND], ASSET_KINDS)]
    held: tuple[object, Known, Intake] | None = workspace.unsaved_work.get(_KEPT)
    known = (held[1] if held is not None and held[0] == now else read_known(workspace)).as_of_now()
    if held is None or known is not held[1]:
        held = workspace.unsaved_work[_KEPT] = (now, known, intake_knowing(known))
    return held[1], held[2]
