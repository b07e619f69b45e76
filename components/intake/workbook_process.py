"""The process that reads a workbook: `python -m components.intake.workbook_process [SHEET] < FILE`; it prints JSON.

A file of a few kilobytes can name two cells so far apart that there is no room for all that lie between them, and who
asks for it all the same is ended by the system. That is this process then, and not the one that serves everybody.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from typing import Any, Final

from shapes.confinement import limit

MOST_MEMORY_BYTES: Final = 2 * 2**30
READING_SECONDS: Final = 60


def read(content: bytes, sheet: str | None) -> dict[str, Any]:
    """The rows of a sheet, with their numbers: where none is named, of the first that is shown and has two or more.

    Where none has, it is the first with one row, and a hidden one only where all that are shown are empty. `sheets` are
    all of them, that one first. Without `rows` there is nothing in any.
    """
    from python_calamine import CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

    book = CalamineWorkbook.from_filelike(io.BytesIO(content))
    tables = [each for each in book.sheets_metadata if each.typ == SheetTypeEnum.WorkSheet]
    shown = [each.name for each in tables if each.visible == SheetVisibleEnum.Visible]
    found = [*shown, *(each.name for each in tables if each.name not in shown)]
    read: dict[str, Any] = {}
    for name in [sheet] if sheet in found else found:
        if read and name not in shown:
            break
        page = book.get_sheet_by_name(name)
        cells = [[_text(cell) for cell in row] for row in page.to_python(skip_empty_area=False)]
        _fill_merged(cells, page.merged_cell_ranges or [])
        rows = [(number, row) for number, row in enumerate(cells, start=1) if any(map(str.strip, row))]
        if len(rows) > 1 or (rows and not read):
            read = {"sheets": [name, *(other for other in found if other != name)], "rows": rows}
        if len(rows) > 1:
            break
    return read


def _fill_merged(rows: list[list[str]], ranges: Iterable[tuple[tuple[int, int], tuple[int, int]]]) -> None:
    """Write what a merged cell says into every cell that it covers."""
    for (top, left), (bottom, right) in ranges:
        for row in rows[top : bottom + 1]:
            for place in range(left, min(right + 1, len(row))):
                row[place] = row[place] or rows[top][left]


def _text(value: object) -> str:
    """A cell as somebody would have typed it."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    if isinstance(value, datetime):
        return (
            value.isoformat(sep=" ") if (value.hour, value.minute, value.second) != (0, 0, 0) else f"{value:%Y-%m-%d}"
        )
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return str(value)
    return "" if value is None else str(value)


if __name__ == "__main__":
    limit(most_seconds=READING_SECONDS, most_memory_bytes=MOST_MEMORY_BYTES, most_file_bytes=0)
    json.dump(read(sys.stdin.buffer.read(), sys.argv[1] if len(sys.argv) > 1 else None), sys.stdout)
