"""The process that reads a workbook: `python -m components.intake.workbook_process [SHEET] < FILE`; it prints JSON.

A file of a few kilobytes can name two cells so far apart that there is no room for all that lie between them, and who
asks for it all the same is ended by the system. That is this process then, and not the one that serves everybody.
"""

from __future__ import annotations

import io
import json
import re
import sys
import zipfile
from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from typing import Any, Final

from defusedxml import ElementTree

from shapes.confinement import limit

MOST_MEMORY_BYTES: Final = 2 * 2**30
READING_SECONDS: Final = 60
_PLACE: Final = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")


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
        _fill_errors(cells, content, name)
        _fill_merged(cells, page.merged_cell_ranges or [])
        rows = [(number, row) for number, row in enumerate(cells, start=1) if any(map(str.strip, row))]
        if len(rows) > 1 or (rows and not read):
            read = {"sheets": [name, *(other for other in found if other != name)], "rows": rows}
        if len(rows) > 1:
            break
    return read


def _fill_errors(rows: list[list[str]], content: bytes, sheet: str) -> None:
    """Write into cells that could not be worked out what they show, such as #REF!: the reader leaves them empty."""
    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        part = parts.read(_part_of(parts, sheet))
    if b't="e"' not in part:
        return
    for _, each in ElementTree.iterparse(io.BytesIO(part), forbid_dtd=True):
        place = _PLACE.fullmatch(each.get("r", "")) if each.get("t") == "e" else None
        if place is not None:
            row, column = int(place[2]) - 1, _number_of(place[1]) - 1
            if row < len(rows) and column < len(rows[row]):
                rows[row][column] = next((value.text or "" for value in each if value.tag.endswith("}v")), "")
        if each.tag.endswith("}row"):
            each.clear()


def _part_of(parts: zipfile.ZipFile, sheet: str) -> str:
    """The name of a sheet's part of the workbook."""
    book = ElementTree.fromstring(parts.read("xl/workbook.xml"), forbid_dtd=True)
    relations = ElementTree.fromstring(parts.read("xl/_rels/workbook.xml.rels"), forbid_dtd=True)
    [its] = [each for each in book.iter() if each.tag.endswith("}sheet") and each.get("name") == sheet]
    key = next(value for name, value in its.attrib.items() if name.endswith("}id"))
    [target] = [each.get("Target", "") for each in relations if each.get("Id") == key]
    return target.lstrip("/") if target.startswith("/") else f"xl/{target}"


def _number_of(letters: str) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


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
