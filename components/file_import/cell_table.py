"""An editable table with messages at the cells. Rows can be skipped.

The framework's own editor drops invalid input without a message. In this table every cell is a text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from components.streamlit_workarounds.own_scripts import draw_component
from domain.file_import.checking import Check
from domain.file_import.column_matching import Column

HEIGHT: Final = 560


def cell_table(check: Check, rows: Sequence[int], columns: Sequence[Column], *, key: str) -> None:
    """Draw some rows of a file. Corrections and skipped rows go to `check`."""
    every = check.rows
    texts = {column.name: every.texts[column.name] for column in columns}

    def mend(cell: Mapping[str, Any]) -> None:
        check.fix_cell(int(cell["row"]), str(cell["column"]), " ".join(str(cell["text"]).split()))

    draw_component(
        "muster_intake",
        "cell_table",
        __file__,
        key=key,
        data={
            "label": "Rows of the file",
            "height": f"{HEIGHT}px",
            "columns": [{"name": column.name, "label": column.label} for column in columns],
            "rows": [_row(check, row, [str(texts[column.name].iloc[row]) for column in columns]) for row in rows],
        },
        on_press={"mend": mend, "drop": lambda row: check.drop([int(row)])},
    )


def _row(check: Check, row: int, cells: list[str]) -> dict[str, Any]:
    said = {
        column: [
            (words, "error" if is_error else "warning") for words, is_error in sorted(found, key=lambda s: not s[1])
        ]
        for column, found in check.cell_messages(row).items()
    }
    number = check.source.row_number(row)
    mended = [name for name, texts in check.decisions.corrected.items() if row in texts]
    return {"id": str(row), "number": number, "cells": cells, "said": said.pop("", []), "at": said, "mended": mended}
