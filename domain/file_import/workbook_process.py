"""The process that reads a workbook: `python -m domain.file_import.workbook_process [SHEET] < FILE`. It prints JSON.

The reader allocates all cells between the first and the last. A small file with distant cells can exhaust the memory.
The system then ends this process, not the server.
"""

from __future__ import annotations

import io
import json
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any, Final

from defusedxml import ElementTree

from shapes.confinement import limit

MOST_MEMORY_BYTES: Final = 2 * 2**30
READING_SECONDS: Final = 60
_PLACE: Final = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_DATE_AND_TIME: Final = 22
"""The built-in number format that shows both a date and a time of day."""
_IDENTIFIER_PART: Final = re.compile(r'0|"[^"]*"|\\.|[-+/() ]')
_NO_DATE_CODE: Final = re.compile(r'"[^"]*"|\\.|_.|\[[^\]]*\]')
MIDNIGHT: Final = " 00:00:00"
MANY: Final = 3
"""From this number on, dates at midnight in a column are not a coincidence."""


def read(content: bytes, sheet: str | None) -> dict[str, Any]:
    """Return the numbered rows of a sheet, by default the first visible sheet with two or more rows.

    Otherwise it is the first sheet with one row, or a hidden sheet if all visible sheets are empty. `sheets` are all
    sheets, that one first. If all sheets are empty, the result is empty.
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
        values = page.to_python(skip_empty_area=False)
        cells = [[_text(cell) for cell in row] for row in values]
        _fill_from_parts(cells, values, content, name)
        _fill_merged(cells, page.merged_cell_ranges or [])
        rows = [(number, row) for number, row in enumerate(cells, start=1) if any(map(str.strip, row))]
        if len(rows) > 1 or (rows and not read):
            read = {"sheets": [name, *(other for other in found if other != name)], "rows": rows}
        if len(rows) > 1:
            break
    return read


def _fill_from_parts(rows: list[list[str]], values: Sequence[Sequence[object]], content: bytes, sheet: str) -> None:
    """Fill in what the reader leaves out: errors, and what number formats show."""
    with zipfile.ZipFile(io.BytesIO(content)) as parts:
        part = parts.read(_part_of(parts, sheet))
        styles = parts.read("xl/styles.xml") if "xl/styles.xml" in parts.namelist() else b""
    _fill_errors(rows, part)
    codes = dict(_telling_formats(styles))
    midnights: dict[int, list[int]] = {}
    for style, row, column in _styled_cells(part, codes) if codes else ():
        value = values[row][column] if row < len(values) and column < len(values[row]) else None
        if isinstance(value, float) and value.is_integer() and 0 <= value < 2**53:
            rows[row][column] = _digits_shown(codes[style], str(int(value))) or rows[row][column]
        elif (
            isinstance(value, date)
            and len(rows[row][column]) == len("2026-03-01")
            and _shows_date_and_time(codes[style])
        ):
            midnights.setdefault(column, []).append(row)
    for column, places in midnights.items():
        # Programs also write dates in this format. Then no cell of the column has a time.
        if len(places) < MANY or any(isinstance(row[column], datetime) for row in values if column < len(row)):
            for row in places:
                rows[row][column] += MIDNIGHT


def _fill_errors(rows: list[list[str]], part: bytes) -> None:
    """Fill in errors such as #REF!, which the reader leaves empty."""
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


def _telling_formats(styles: bytes) -> Iterator[tuple[int, str]]:
    """Yield the numbers and formats of cell styles that show leading zeros or a time."""
    if not styles:
        return
    book = ElementTree.fromstring(styles, forbid_dtd=True)
    codes = {each.get("numFmtId"): each.get("formatCode", "") for each in book.iter() if each.tag.endswith("}numFmt")}
    codes.setdefault(str(_DATE_AND_TIME), "m/d/yy h:mm")
    [formats] = [each for each in book if each.tag.endswith("}cellXfs")] or [()]
    for number, each in enumerate(formats):
        code = codes.get(each.get("numFmtId"), "")
        if _shows_date_and_time(code) or _digits_shown(code, "0") is not None:
            yield number, code


def _styled_cells(part: bytes, styles: Iterable[int]) -> Iterator[tuple[int, int, int]]:
    """Yield style, row, and column of each cell in these styles, without parsing the whole sheet."""
    wanted = "|".join(map(str, styles)).encode()
    for cell in re.finditer(rb'<(?:\w+:)?c\s[^<>]*?\bs="(' + wanted + rb')"[^<>]*>', part):
        place = re.search(rb'\br="([A-Z]{1,3})([0-9]{1,7})"', cell[0])
        if place is not None:
            yield int(cell[1]), int(place[2]) - 1, _number_of(place[1].decode()) - 1


def _shows_date_and_time(code: str) -> bool:
    plain = _NO_DATE_CODE.sub("", code).casefold()
    return not {"y", "d"}.isdisjoint(plain) and not {"h", "s"}.isdisjoint(plain)


def _digits_shown(code: str, digits: str) -> str | None:
    """Return digits in an identifier format such as 00000000, 000-00-0000, or "+"0; None for other formats."""
    first = code.partition(";")[0]
    parts = _IDENTIFIER_PART.findall(first)
    zeros = parts.count("0")
    literals = [part[1:] if part[0] == "\\" else part.strip('"') for part in parts if part != "0"]
    if "".join(parts) != first or not zeros or (zeros == 1 and literals != ["+"]):
        return None
    padded = digits.zfill(zeros)
    # The first zero takes all extra digits.
    places = iter([padded[: len(padded) - zeros + 1], *padded[len(padded) - zeros + 1 :]])
    others = iter(literals)
    return "".join(next(places if part == "0" else others) for part in parts)


def _part_of(parts: zipfile.ZipFile, sheet: str) -> str:
    """Return the path of a sheet in the workbook."""
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
    """Copy the value of a merged cell into every cell it covers."""
    for (top, left), (bottom, right) in ranges:
        for row in rows[top : bottom + 1]:
            for place in range(left, min(right + 1, len(row))):
                row[place] = row[place] or rows[top][left]


def _text(value: object) -> str:
    """Return a cell as it would be typed."""
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
