"""An editable table with messages at the cells. Rows can be skipped.

The framework's own editor drops invalid input without a message. In this table every cell is a text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from components.streamlit_workarounds.own_scripts import draw_component
from domain.file_import.check_notes import cell_notes
from domain.file_import.checking import Check
from domain.file_import.column_matching import Column

HEIGHT: Final = 560


def cell_table(check: Check, rows: Sequence[int], columns: Sequence[Column], *, key: str) -> None:
    """Draw some rows of a file. Corrections and skipped rows go to `check`."""
    all_rows = check.rows
    texts = {column.name: all_rows.texts[column.name] for column in columns}

    def fix(cell: Mapping[str, Any]) -> None:
        check.fix_cell(int(cell["row"]), str(cell["column"]), " ".join(str(cell["text"]).split()))

    draw_component(
        "muster_file_import",
        "cell_table",
        __file__,
        key=key,
        data={
            "label": "Rows of the file",
            "height": f"{HEIGHT}px",
            "columns": [{"name": column.name, "label": column.label} for column in columns],
            "rows": [_row(check, row, [str(texts[column.name].iloc[row]) for column in columns]) for row in rows],
        },
        on_press={"fix": fix, "drop": lambda row: check.skip_rows([int(row)])},
    )


def _row(check: Check, row: int, cells: list[str]) -> dict[str, Any]:
    messages = {
        column: [
            (message, "error" if is_error else "warning") for message, is_error in sorted(cell, key=lambda s: not s[1])
        ]
        for column, cell in check.cell_messages(row).items()
    }
    for column, notes in cell_notes(check, row).items():
        messages.setdefault(column, []).extend((note, "note") for note in notes)
    number = check.source.row_number(row)
    corrected = [name for name, texts in check.decisions.corrections.items() if row in texts]
    return {
        "id": str(row),
        "number": number,
        "cells": cells,
        "messages": messages.pop("", []),
        "cell_messages": messages,
        "corrected": corrected,
    }
