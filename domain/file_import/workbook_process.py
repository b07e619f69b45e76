"""The process that reads a workbook: `python -m domain.file_import.workbook_process [SHEET] < FILE`. It prints JSON.

The reader allocates all cells between the first and the last. A small file with distant cells can exhaust the memory.
The system then ends this process, not the server.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Final

from python_calamine import CalamineSheet, CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

from domain.file_import.sheet_xml import SheetXml, digits_shown, shows_date_and_time
from shapes.confinement import limit

MOST_MEMORY_BYTES: Final = 2 * 2**30
READING_SECONDS: Final = 60
MOST_CELLS_TO_COMPARE: Final = 20_000_000
"""A larger sheet is read only if it is selected, or the only one."""
ROWS_TO_COMPARE: Final = 60
MIDNIGHT: Final = " 00:00:00"
MANY: Final = 3
"""From this number on, dates at midnight in a column are not a coincidence."""
UNCALCULATED: Final = "(formula without value)"

NumberedRow = tuple[int, list[str]]


@dataclass
class ReadSheet:
    """A sheet as read. Rows are numbered from 1, and columns from 0."""

    name: str
    rows: list[NumberedRow]
    hidden_rows: list[int] = field(default_factory=list)
    hidden_columns: list[int] = field(default_factory=list)
    struck_rows: list[int] = field(default_factory=list)
    merged_until: list[int] = field(default_factory=list)
    """The last row of each range of merged cells."""
    formulas_without_value: int = 0


@dataclass
class OtherSheet:
    """A sheet that was not read: its first rows, and how many it has between the first and the last."""

    name: str
    is_hidden: bool
    height: int
    first_rows: list[NumberedRow]


@dataclass
class ReadWorkbook:
    """The sheet that was read, or None if all are empty, and the others in order."""

    sheet: ReadSheet | None = None
    others: list[OtherSheet] = field(default_factory=list)


def read(content: bytes, sheet: str | None) -> ReadWorkbook:
    """Read a sheet, by default the first visible sheet with two or more rows.

    Otherwise it is the first sheet with one row, or a hidden sheet if all visible sheets are empty.
    """
    book = CalamineWorkbook.from_filelike(io.BytesIO(content))
    tables = [each for each in book.sheets_metadata if each.typ == SheetTypeEnum.WorkSheet]
    shown = [each.name for each in tables if each.visible == SheetVisibleEnum.Visible]
    found = [*shown, *(each.name for each in tables if each.name not in shown)]
    result = ReadWorkbook()
    for name in [sheet] if sheet in found else found:
        if result.sheet and name not in shown:
            break
        this = _read_sheet(book.get_sheet_by_name(name), content, name)
        if len(this.rows) > 1 or (this.rows and not result.sheet):
            result.sheet = this
        if len(this.rows) > 1:
            break
    if result.sheet is not None:
        others = [name for name in found if name != result.sheet.name]
        result.others = [_look_at(book, content, name, is_hidden=name not in shown) for name in others]
    return result


def _look_at(book: CalamineWorkbook, content: bytes, name: str, *, is_hidden: bool) -> OtherSheet:
    """Return the first rows of a sheet."""
    height, width = SheetXml(content, name).extent
    if height * width > MOST_CELLS_TO_COMPARE:
        return OtherSheet(name, is_hidden, height, [])
    page = book.get_sheet_by_name(name)
    cells = [[_text(cell) for cell in row] for row in page.to_python(skip_empty_area=False, nrows=ROWS_TO_COMPARE)]
    _fill_merged(cells, page.merged_cell_ranges or [])
    return OtherSheet(name, is_hidden, page.height, _number_filled(cells))


def _read_sheet(page: CalamineSheet, content: bytes, name: str) -> ReadSheet:
    values = page.to_python(skip_empty_area=False)
    cells = [[_text(cell) for cell in row] for row in values]
    xml, merged = SheetXml(content, name), page.merged_cell_ranges or []
    formulas = xml.formulas_without_value()
    for (row, column), text in (*((place, UNCALCULATED) for place in formulas), *xml.errors()):
        # Cells without a value may be beyond the last cell with one.
        cells += ([] for _ in range(row + 1 - len(cells)))
        cells[row] += [""] * (column + 1 - len(cells[row]))
        cells[row][column] = text
    _apply_formats(cells, values, xml)
    _fill_merged(cells, merged)
    return ReadSheet(
        name,
        _number_filled(cells),
        hidden_rows=xml.hidden_rows(),
        hidden_columns=xml.hidden_columns(),
        struck_rows=xml.struck_rows(),
        merged_until=[bottom + 1 for _, (bottom, _) in merged],
        formulas_without_value=len(formulas),
    )


def _number_filled(cells: Iterable[list[str]]) -> list[NumberedRow]:
    return [(number, row) for number, row in enumerate(cells, start=1) if any(map(str.strip, row))]


def _apply_formats(rows: list[list[str]], values: Sequence[Sequence[object]], xml: SheetXml) -> None:
    """Write numbers and dates as their number formats show them."""
    midnights: dict[int, list[int]] = {}
    for code, (row, column) in xml.formats():
        value = values[row][column] if row < len(values) and column < len(values[row]) else None
        if isinstance(value, float) and value.is_integer() and 0 <= value < 2**53:
            rows[row][column] = digits_shown(code, str(int(value))) or rows[row][column]
        elif isinstance(value, date) and len(rows[row][column]) == len("2026-03-01") and shows_date_and_time(code):
            midnights.setdefault(column, []).append(row)
    for column, places in midnights.items():
        # Programs also write dates in this format. Then no cell of the column has a time.
        if len(places) < MANY or any(isinstance(row[column], datetime) for row in values if column < len(row)):
            for row in places:
                rows[row][column] += MIDNIGHT


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
        hours, seconds = divmod(round(value.total_seconds()), 3600)
        return f"{hours}:{seconds // 60:02}:{seconds % 60:02}"
    return "" if value is None else str(value)


if __name__ == "__main__":
    limit(most_seconds=READING_SECONDS, most_memory_bytes=MOST_MEMORY_BYTES, most_file_bytes=0)
    json.dump(asdict(read(sys.stdin.buffer.read(), sys.argv[1] if len(sys.argv) > 1 else None)), sys.stdout)
