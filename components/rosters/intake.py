"""Drawing how trips get into a roster: pasted text, a file, and a preview of what was understood."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from components.rosters.roster_file import MAX_ROWS, RosterFile, read_roster
from components.rosters.roster_frame import preview_frame, preview_words, together
from components.rosters.state import READ
from components.widgets.field_problem import field_problem
from components.widgets.file_intake import HEIGHT, file_field, row_problems
from components.widgets.markdown_text import plain
from components.widgets.record_table import record_table
from journal import RosterEntry

PREVIEWED = 500


def intake(*, text_key: str, file_key: str, problem: str | None) -> list[RosterEntry] | None:
    """Draw the two ways in and the preview; give back the trips that both hold together, None where one is refused.

    `problem` stands at the fields.
    """
    text = st.text_area(
        "Record locators",
        key=text_key,
        height=140,
        persist_state="session",
        placeholder="WSVM7K, QX2R9T …\nor rows with a heading: record_locator, employee_id, first_name, last_name",
        help="Parted by commas, spaces or lines. Rows copied from a spreadsheet work too, with their headings.",
    )
    upload = file_field(
        "Or a CSV file",
        key=file_key,
        help_text="One row a traveller a trip. Headings such as record_locator, locator or PNR are understood. "
        f"Up to {MAX_ROWS:,} rows.",
    )
    field_problem(problem)
    pasted = _read_once("text", (text_key, text), lambda: text) if text.strip() else RosterFile()
    uploaded = RosterFile()
    if upload is not None:
        uploaded = _read_once("file", (file_key, upload.file_id), upload.getvalue)
    _preview(pasted, "the pasted text")
    _preview(uploaded, "the file")
    return None if pasted.refused or uploaded.refused else together(pasted, uploaded)


def _read_once(slot: str, identity: tuple[str, str], source: Callable[[], str | bytes]) -> RosterFile:
    """What is read of a source, kept until there is another: not read again at every run of the page."""
    held = READ.get().get(slot)
    if held is None or held[0] != identity:
        held = (identity, read_roster(source()))
        READ.set({**READ.get(), slot: held})
    return held[1]


def _preview(read: RosterFile, source: str) -> None:
    if read.refused:
        st.error(f"Nothing was read of {source}. {plain(read.refused)}", icon=":material/error:")
    for note in read.notes:
        st.caption(f":material/info: {plain(note)}")
    if read.entries or read.problems.listed:
        st.markdown(f"**Understood of {source}:** {preview_words(read)}")
    row_problems(read.problems, key=f"rosters-problems-of-{source}")
    if not read.entries:
        return
    record_table(
        preview_frame(read.entries[:PREVIEWED]),
        {"locator": "Record locator", "travellers": "Travellers"},
        f"rosters-understood-of-{source}",
        selection=None,
        noun=("trip", "trips"),
        height=HEIGHT,
    )
    if len(read.entries) > PREVIEWED:
        st.caption(f"The first {PREVIEWED:,} are shown; all {len(read.entries):,} are taken.")
