"""Drawing how trips get into a roster: pasted text, a file, and a preview of what was understood."""

from __future__ import annotations

import streamlit as st

from components.rosters.roster_file import MAX_BYTES, RosterFile, read_roster
from components.rosters.roster_frame import preview_frame, preview_words, problem_frame, together
from components.widgets.field_problem import field_problem

PREVIEW_HEIGHT = 220


def intake(*, text_key: str, file_key: str, problem: str | None) -> RosterFile:
    """Draw the two ways in and the preview; give back what both hold together. `problem` stands at the fields."""
    text = st.text_area(
        "Record locators",
        key=text_key,
        height=140,
        persist_state="session",
        placeholder="WSVM7K, QX2R9T …\nor rows with a heading: record_locator, employee_id, first_name, last_name",
        help="Parted by commas, spaces or lines. Rows copied from a spreadsheet work too, with their headings.",
    )
    upload = st.file_uploader(
        "Or a CSV file",
        type=["csv", "txt", "tsv"],
        key=file_key,
        max_upload_size=MAX_BYTES // 1_000_000,
        help="One row a traveller a trip. Headings such as record_locator, locator or PNR are understood.",
    )
    field_problem(problem)
    read = together(read_roster(text or ""), read_roster(upload.getvalue()) if upload is not None else RosterFile())
    if read.entries or read.problems:
        _preview(read)
    return read


def _preview(read: RosterFile) -> None:
    st.markdown(f"**Understood:** {preview_words(read)}")
    if read.entries:
        st.dataframe(
            preview_frame(read.entries),
            column_config={"locator": "Record locator", "travellers": "Travellers"},
            hide_index=True,
            height=PREVIEW_HEIGHT if len(read.entries) > 5 else "content",
        )
    if read.problems:
        st.warning("These rows are left out, or taken in part, as they stand:", icon=":material/warning:")
        st.dataframe(
            problem_frame(read.problems),
            column_config={"row": "Row", "text": "What it says", "words": "What is wrong"},
            hide_index=True,
            height=PREVIEW_HEIGHT if len(read.problems) > 5 else "content",
        )
