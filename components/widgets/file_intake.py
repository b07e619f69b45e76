"""Drawing a field for a file of rows, and which rows of it, or of a pasted text, were not taken as they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from components.intake.delimited import MAX_BYTES, MEGABYTE, RowProblems
from components.widgets.paging import numbers
from components.widgets.record_table import record_table

if TYPE_CHECKING:
    from streamlit.runtime.uploaded_file_manager import UploadedFile

HEIGHT = 220


def file_field(label: str, *, key: str, help_text: str) -> UploadedFile | None:
    """Draw the field, which promises no more than both the server and the reader take; give back what was chosen."""
    return st.file_uploader(
        label,
        type=["csv", "txt", "tsv"],
        key=key,
        max_upload_size=min(MAX_BYTES // MEGABYTE, st.get_option("server.maxUploadSize")),
        help=help_text,
    )


def row_problems(problems: RowProblems, *, key: str) -> None:
    """Draw how many there are and, row by row, what is wrong; nothing when nothing is."""
    if not problems.listed:
        return
    st.warning(f"{problems.words}.", icon=":material/warning:")
    record_table(
        problems.frame(),
        {"row": numbers("Row"), "words": "What is wrong", "text": "What it says"},
        key,
        selection=None,
        height=HEIGHT,
    )
