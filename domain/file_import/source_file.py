"""Reading a file or a pasted text as rows of texts: CSV, XLSX, JSON, and GeoJSON.

Values stay texts: an ID never becomes a number.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import ne
from pathlib import Path
from typing import Any, Final

import pandas as pd

from client.json_text import parse_json
from domain.file_import.delimited import (
    DELIMITERS,
    MAX_CELLS,
    MAX_COLUMNS,
    MAX_HEADING_ROWS,
    MEGABYTE,
    Headings,
    RowProblems,
    Table,
    Unreadable,
    add_headings,
    decode,
    find_headings,
    read_table,
)
from domain.file_import.workbook_process import READING_SECONDS, OtherSheet, ReadSheet
from domain.tables.spreadsheet import FORMULA, SEPARATOR
from domain.text.email_address import is_email_address
from domain.text.plain_text import count, names

MAX_UNPACKED: Final = 200 * MEGABYTE
"""The size limit of an unpacked workbook."""
GEOMETRY: Final = "geometry"
MOST_NUMBERS: Final = 12
PASTED: Final = "Pasted text"

_LATER_ERRORS: Final = ("#SPILL!", "#CALC!", "#FIELD!", "#GETTING_DATA")
SHEET_ERRORS: Final = frozenset(("#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!", *_LATER_ERRORS))

_PROJECT: Final = Path(__file__).resolve().parents[2]
_NO_WORKBOOK: Final = "The workbook can’t be read. Save the sheet as CSV and upload that."

# An apostrophe, or ="00126", protects a text from being read as a formula or a number.
_GUARD: Final = rf"\A'(?=[{FORMULA}\t\r\n0-9])|(?<=[{SEPARATOR}])'(?=[{FORMULA}])"
_QUOTED: Final = r'="((?:[^"]|"")*)"'
# Joiners stay, because they belong to the spelling of names.
_UNSEEN: Final = "[\N{ZERO WIDTH SPACE}\N{WORD JOINER}\N{ZERO WIDTH NO-BREAK SPACE}]"
_NO_RECORD: Final = re.compile(
    r"(?:(?:(?:grand|sub|report)[ -]?)?totals?|gesamt(?:summe)?|(?:zwischen)?summe|(?:sous-|sous )?total|somme"
    r"|suma|totale|totaal|total (?:général|general))(?: (?:of )?[^\W\d]{4,14})?(?:\s*+(?:[:=]\s*+)?[\d.,]*)?"
    r"(?: [^\W\d]{3,14})?"
    r"|page \d+(?: of \d+)?|seite \d+(?: von \d+)?|\W*end of (?:report|file|list)\W*"
    r"|\d+ (?:rows?|records?|bookings?|trips?|segments?)\W*",
    re.IGNORECASE,
)
_NO_RECORDS: Final = frozenset(("tot", "gra", "sub", "rep", "ges", "zwi", "sum", "som", "sou", "pag", "sei", "end"))
"""The first three letters of totals and page footers."""
_NUMBER: Final = re.compile(r"[+-]?\d[\d\s.,:/+-]*")


@dataclass(frozen=True)
class SourceFile:
    """A file as read. Each cell is a text without surrounding spaces."""

    name: str
    cells: pd.DataFrame = field(repr=False)
    """All rows, including the first one, which has the headings if `has_headings`."""
    numbers: tuple[int, ...] = field(repr=False)
    """The numbers of the rows in the file."""
    digest: str
    """The SHA-256 of the content."""
    has_headings: bool
    format: str
    has_known_headings: bool = True
    reading_notes: tuple[str, ...] = ()
    problems: RowProblems = field(default_factory=RowProblems)
    sheets: tuple[str, ...] = ()
    """The sheets of a workbook, the one that was read first."""
    titles: tuple[str, ...] = ()
    """The rows above the headings."""
    allows_forward_fill: bool = True
    """Whether an empty cell may repeat the row above, as in tables but not in JSON."""
    hidden_numbers: frozenset[int] = frozenset()
    """The numbers of rows that the workbook hides, for example by a filter."""
    hidden_columns: frozenset[int] = frozenset()
    """The positions of columns that the workbook hides."""

    @cached_property
    def frame(self) -> pd.DataFrame:
        """One row per record, by heading."""
        rows = self.cells.iloc[1:] if self.has_headings else self.cells
        return rows.set_axis(list(self.headers), axis=1).reset_index(drop=True)

    @cached_property
    def headers(self) -> tuple[str, ...]:
        """The headings in the order of the file. Missing headings are "Column 3", duplicates are numbered."""
        named = [name or f"Column {place}" for place, name in enumerate(self._headings, start=1)]
        # A hidden column must not take the name of a visible one.
        order = sorted(range(len(named)), key=self.hidden_columns.__contains__)
        numbered = dict(zip(order, _number_duplicates([named[place] for place in order]), strict=True))
        return tuple(numbered[place] for place in range(len(named)))

    @property
    def hidden_headings(self) -> tuple[str, ...]:
        """The headings of columns that the workbook hides."""
        return tuple(header for place, header in enumerate(self.headers) if place in self.hidden_columns)

    @property
    def hidden_rows(self) -> tuple[int, ...]:
        """The rows of `frame` that the workbook hides."""
        rows = enumerate(self.numbers[self.has_headings :])
        return tuple(row for row, number in rows if number in self.hidden_numbers) if self.hidden_numbers else ()

    def without_rows(self, rows: Collection[int]) -> SourceFile:
        """Return the file without some rows of `frame`."""
        left_out = {row + self.has_headings for row in rows}
        places = [place for place in range(len(self.cells)) if place not in left_out]
        cells = self.cells.iloc[places].reset_index(drop=True)
        return replace(self, cells=cells, numbers=tuple(self.numbers[place] for place in places))

    def split_column(self, heading: str, separator: str, parts: int) -> SourceFile:
        """Return the file with a column for each part of a column: "Route 1", "Route 2". The last one has the rest."""
        cells, width = self.cells.copy(), len(self.cells.columns)
        texts = self.cells.iloc[:, self.headers.index(heading)]
        split = texts.str.split(separator, n=parts - 1, regex=False, expand=True).reindex(columns=range(parts))
        for number, name in enumerate(part_headings(heading, parts)):
            cells[width + number] = split[number].fillna("").astype("str").str.strip()
            if self.has_headings:
                cells.iat[0, -1] = name
        return replace(self, cells=cells)

    def without_columns(self, headings: Collection[str]) -> SourceFile:
        """Return the file without the columns that were added at its end under these headings."""
        places = [place for place, header in enumerate(self.headers) if header not in headings]
        return replace(self, cells=self.cells.iloc[:, places].set_axis(range(len(places)), axis=1))

    @property
    def rows(self) -> int:
        """The number of records."""
        return len(self.cells) - self.has_headings

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes about how the file was read."""
        notes = list(self.reading_notes)
        if self.has_headings and not all(self._headings):
            places = [name for name, heading in zip(self.headers, self._headings, strict=True) if not heading]
            notes.append(f"Columns without a heading are named by position: {', '.join(places)}.")
        if self.hidden_headings:
            hidden = count(len(self.hidden_headings), "column is hidden", "columns are hidden")
            notes.append(f"{hidden} in the sheet: {names([f'“{each}”' for each in self.hidden_headings])}.")
        doubles = [name for name, number in Counter(filter(None, self._headings)).items() if number > 1]
        if doubles:
            notes.append(f"Columns with the same heading are numbered: {', '.join(doubles)}.")
        return tuple(notes)

    @property
    def headings_warning(self) -> str | None:
        """A warning if the first row has no known heading."""
        if self.has_known_headings:
            return None
        shown = names([f"“{cell}”" for cell in self.cells.iloc[0] if cell])
        if not self.numbers[0]:
            return f"Muster does not recognize any field name in the JSON: {shown}."
        if self.has_headings:
            return f"Muster read row {self.numbers[0]} as headings, but recognized none of them: {shown}."
        return f"Muster read row {self.numbers[0]} as a record, and numbered the columns: {shown}."

    def row_number(self, row: int) -> int:
        """Return the number in the file of a row of `frame`."""
        return self.numbers[row + self.has_headings]

    @property
    def _headings(self) -> list[str]:
        """The heading of each column, or ""."""
        return [" ".join(cell.split()) if self.has_headings else "" for cell in self.cells.iloc[0]]


def part_headings(heading: str, parts: int) -> list[str]:
    """Return the headings of the parts of a column that is split."""
    return [f"{heading} {number}" for number in range(1, parts + 1)]


def read_source(
    name: str,
    content: bytes | str,
    *,
    count_known: Callable[[Sequence[str]], int] = lambda _: 1,
    most_rows: int = 100_000,
    sheet: str | None = None,
    custom_reader: Callable[[str], Table | None] | None = None,
) -> SourceFile:
    """Read a file or a pasted text. Raises Unreadable with what to do.

    `count_known` counts the known headings of a row. `custom_reader` reads texts that are not tables, such as a list of
    IDs. `sheet` names a sheet of a workbook.
    """
    workbook = _Workbook()
    notes: list[str] = []
    is_json = False
    if isinstance(content, bytes) and content.startswith(b"PK\x03\x04") and name.lower().endswith((".xlsx", ".xlsm")):
        workbook = _read_workbook(content, sheet, count_known)
        table = workbook.build_table(most_rows, count_known)
        notes += workbook.notes(table)
        kind = f"sheet “{workbook.sheets[0]}”"
    else:
        text, encoding = decode(content)
        kind = encoding
        custom_table = custom_reader(text) if custom_reader is not None else None
        is_json = text.lstrip()[:1] in ("{", "[")
        if custom_table is not None:
            table = custom_table
        elif is_json:
            table, kind = _read_json(text, most_rows), "JSON"
        else:
            table = read_table(text, most_rows=most_rows, count_known=count_known)
            kind = f"{encoding}, {DELIMITERS[table.delimiter]}"
            if len(table.rows[0]) == 1 and not count_known(table.rows[0]):
                notes.append(
                    f"The file has one column. Muster splits columns at {names([*DELIMITERS.values()], last='or')}. "
                    "Check that the file uses one of these."
                )
        if encoding == "Windows-1252":
            notes.append("The file isn’t UTF-8 and was read as Windows-1252. Check that accented letters are right.")
    known = count_known(table.rows[0])
    is_known = known > 0
    has_headings = is_known or _reads_like_headings(table.rows[0])
    notes += table.notes
    if known > 1:
        _skip_totals_and_repeats(table)
    if has_headings and len(table.rows) == 1:
        left_out = [problem for problem in table.problems.listed if problem.row > table.numbers[0]]
        if left_out:
            first = left_out[0]
            raise Unreadable(f"No row below the headings can be read. Row {first.row}: {first.message}")
        raise Unreadable("The file has headings but no rows. Add at least one row.")
    columns_read = [list(cells) for cells in zip(*table.rows, strict=True)]
    columns = [list(map(str.strip, cells)) for cells in columns_read]
    padded = sum(
        sum(map(ne, ours[1:], theirs[1:])) for ours, theirs in zip(columns, columns_read, strict=True) if ours != theirs
    )
    if padded:
        notes.append(f"Muster removed spaces around {count(padded, 'value', 'values')}.")
    notes += _describe_errors(columns)
    return SourceFile(
        name=name,
        cells=pd.DataFrame(dict(enumerate(map(_clean, columns)))),
        numbers=tuple(table.numbers),
        digest=hashlib.sha256(content.encode("utf-8", "replace") if isinstance(content, str) else content).hexdigest(),
        has_headings=has_headings,
        format=kind,
        has_known_headings=is_known,
        reading_notes=tuple(notes),
        problems=table.problems,
        sheets=workbook.sheets,
        titles=tuple(table.titles),
        allows_forward_fill=not is_json,
        hidden_numbers=frozenset(workbook.sheet.hidden_rows) if workbook.sheet else frozenset(),
        hidden_columns=frozenset(workbook.sheet.hidden_columns) & {*range(len(columns))}
        if workbook.sheet
        else frozenset(),
    )


def _skip_totals_and_repeats(table: Table) -> None:
    """Skip totals, page footers, and repeated headings."""
    headings = [cell.strip() for cell in table.headings or table.rows[0]]
    kept_rows = [0]
    for place, cells in enumerate(table.rows[1:], start=1):
        first = cells[0].strip() or next((cell.strip() for cell in cells if cell.strip()), "")
        if (first[:3].casefold() in _NO_RECORDS or not first[:1].isalpha()) and _NO_RECORD.fullmatch(first):
            message = "it is a total or a page footer."
            table.problems.skip(table.numbers[place], ", ".join(filter(None, cells)), message, is_record=False)
        elif first == next(filter(None, headings), None) and list(map(str.strip, cells)) == headings:
            message = "it repeats the headings."
            table.problems.skip(table.numbers[place], ", ".join(filter(None, cells)), message, is_record=False)
        else:
            kept_rows.append(place)
    if len(kept_rows) < len(table.rows):
        table.rows[:] = [table.rows[place] for place in kept_rows]
        table.numbers[:] = [table.numbers[place] for place in kept_rows]


def _reads_like_headings(first: Sequence[str]) -> bool:
    """Return whether a first row without known headings looks like headings: it has no emails and no numbers."""
    cells = [cell.strip() for cell in first]
    return not any(is_email_address(cell) or _NUMBER.fullmatch(cell) for cell in cells)


def _number_duplicates(names: list[str]) -> list[str]:
    taken = set(names)
    seen: set[str] = set()
    result = []
    for name in names:
        unique, number = name, 2
        while unique in seen or (unique != name and unique in taken):
            unique = f"{name} ({number})"
            number += 1
        seen.add(unique)
        result.append(unique)
    return result


def _clean(cells: list[str]) -> pd.Series[str]:
    """Return a column with normalized accents, and without invisible characters and guards such as '00127."""
    values, joined = pd.Series(cells, dtype="str"), "".join(cells)
    if not joined.isascii():
        values = values.str.normalize("NFC").str.replace(_UNSEEN, "", regex=True).str.strip()
    if "'" in joined:
        values = values.str.replace(_GUARD, "", regex=True)
    if '="' in joined and values.str.startswith('="').any():
        values = values.str.replace(f"^{_QUOTED}$", lambda found: found[1].replace('""', '"'), regex=True).str.strip()
    return values


@dataclass(frozen=True)
class _Workbook:
    """The sheet that was read, and the others; nothing for other files."""

    sheet: ReadSheet | None = None
    others: Sequence[OtherSheet] = ()

    @property
    def sheets(self) -> tuple[str, ...]:
        """The names of all sheets, the one that was read first."""
        return (self.sheet.name, *(each.name for each in self.others)) if self.sheet else ()

    def build_table(self, most_rows: int, count_known: Callable[[Sequence[str]], int]) -> Table:
        """Return the rows of the sheet. Raises Unreadable if there are none."""
        rows = self.sheet.rows if self.sheet else []
        table = _build_table(rows, most_rows, find_headings(rows[:MAX_HEADING_ROWS], count_known))
        if not table.rows:
            raise Unreadable("All sheets of the workbook are empty.")
        return table

    def notes(self, table: Table) -> Iterator[str]:
        """Yield how the sheet looks different to a person."""
        sheet = self.sheet
        if sheet is None:
            return
        filled = [each for each in self.others if each.height]
        if filled:
            others = [
                f"“{each.name}” ({count(each.height, 'row', 'rows')}{', hidden' if each.is_hidden else ''})"
                for each in filled
            ]
            yield f"Muster read only sheet “{sheet.name}”, not {names(others, last='or')}."
        merged = sum(row > table.numbers[0] for row in sheet.merged_until)
        if merged:
            cells = count(merged, "merged cell", "merged cells")
            yield f"Muster repeats the values of {cells} in all cells they cover."
        if sheet.formulas_without_value:
            formulas = count(sheet.formulas_without_value, "formula has", "formulas have")
            advice = "Open the workbook in a spreadsheet program, save it, and upload it again."
            yield f"{formulas} no stored value. {advice}"
        struck = sorted({*sheet.struck_rows}.intersection(table.numbers[1:]))
        if struck:
            rows = count(len(struck), "row has", "rows have")
            numbers = names([str(number) for number in struck], at_most=MOST_NUMBERS)
            yield f"{rows} struck-through text, which Muster reads like other text: {numbers}."


def _read_workbook(content: bytes, sheet: str | None, count_known: Callable[[Sequence[str]], int]) -> _Workbook:
    """Read a sheet, by default the visible one with the most known headings."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as parts:
            size = sum(part.file_size for part in parts.infolist())
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise Unreadable(_NO_WORKBOOK) from error
    if size > MAX_UNPACKED:
        most = f"{MAX_UNPACKED // MEGABYTE} MB"
        raise Unreadable(f"The unpacked workbook is larger than {most}. Split it into smaller files.")
    command = [sys.executable, "-m", "domain.file_import.workbook_process", *([sheet] if sheet is not None else [])]
    try:
        done = subprocess.run(  # noqa: S603 - our own interpreter and module, no shell
            command, input=content, cwd=_PROJECT, capture_output=True, timeout=READING_SECONDS, check=True
        )
    except (subprocess.SubprocessError, ValueError) as error:
        raise Unreadable(_NO_WORKBOOK) from error
    found = json.loads(done.stdout)
    others = [OtherSheet(**each) for each in found["others"]]
    workbook = _Workbook(ReadSheet(**found["sheet"]) if found["sheet"] else None, others)
    if sheet is None and workbook.sheet is not None:
        visible = [each for each in others if not each.is_hidden and len(each.first_rows) > 1]
        best = max(visible, key=lambda each: _count_headings(each.first_rows, count_known), default=None)
        if best and _count_headings(best.first_rows, count_known) > _count_headings(workbook.sheet.rows, count_known):
            return _read_workbook(content, best.name, count_known)
    return workbook


def _count_headings(rows: Sequence[tuple[int, list[str]]], count_known: Callable[[Sequence[str]], int]) -> int:
    headings = find_headings(rows[:MAX_HEADING_ROWS], count_known)
    return headings.known_count if headings is not None else count_known(rows[0][1])


def _describe_errors(columns: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the number of cells with spreadsheet errors such as #N/A."""
    errors = {error for column in columns for error in SHEET_ERRORS.intersection(column)}
    number = sum(column.count(error) for column in columns for error in errors)
    if number:
        yield f"{count(number, 'cell has', 'cells have')} a spreadsheet error: {names(sorted(errors))}."


def _build_table(rows: Iterable[tuple[int, list[str]]], most_rows: int, headings: Headings | None = None) -> Table:
    table, width = Table(""), 0
    for number, cells in rows:
        if headings is not None and number <= headings.numbers[-1]:
            if number < headings.numbers[0]:
                table.titles.append(" ".join(cells))
            if number == headings.numbers[-1]:
                width = max(place for place, cell in enumerate(headings.cells, start=1) if cell.strip())
                add_headings(table, headings, width)
            continue
        if not any(map(str.strip, cells)):
            continue
        width = width or max(place for place, cell in enumerate(cells, start=1) if cell.strip())
        if width > MAX_COLUMNS:
            raise Unreadable(f"The file has {width:,} columns. The limit is {MAX_COLUMNS}.")
        if len(table.rows) > min(most_rows, MAX_CELLS // width):
            raise Unreadable(f"The file has more than {most_rows:,} rows. Split it into smaller files.")
        if any(map(str.strip, cells[width:])):
            message = f"it has {len(cells):,} cells, and the first row has {width:,}."
            table.problems.skip(number, ", ".join(filter(None, cells)), message)
            continue
        table.rows.append([*cells[:width], *[""] * (width - len(cells))])
        table.numbers.append(number)
    return table


def _read_json(text: str, most_rows: int) -> Table:
    """Return the rows of a list of records, of one record, or of GeoJSON features with their geometry as a column."""
    try:
        found = parse_json(text, parse_constant=str)
    except ValueError as error:
        where = (
            f" Line {error.lineno:,}, character {error.colno:,}: {error.msg}."
            if isinstance(error, json.JSONDecodeError)
            else ""
        )
        message = "The file isn’t valid JSON. Check its brackets and quotation marks."
        raise Unreadable(f"{message}{where}") from error
    if isinstance(found, dict) and found.get("type") == "FeatureCollection":
        found = found.get("features")
    records = [_record(each) for each in (found if isinstance(found, list) else [found])]
    headings = list(dict.fromkeys(key for record in records if record for key in record))
    if not headings:
        raise Unreadable("The JSON has no records. Muster reads a list of objects, one per row.")
    rows = ([record.get(key, "") for key in headings] for record in records)
    return _build_table(enumerate((headings, *rows)), most_rows)


def _record(value: Any) -> dict[str, str]:
    if not isinstance(value, dict):
        return {}
    shape = {}
    if value.get("type") == "Feature":
        shape = {"id": value.get("id"), GEOMETRY: value.get("geometry")}
        value = value["properties"] if isinstance(value.get("properties"), dict) else {}
    return {str(key): _json_text(each) for key, each in {**value, **shape}.items() if each is not None}


def _json_text(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
