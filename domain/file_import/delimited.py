"""Reading delimited text from a file or pasted: rows of cells by number, and the rows with problems.

Rows are numbered from 1 as in a spreadsheet: blank rows count, and a cell of several lines makes one row. A file beyond
the limits below is refused.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, NamedTuple

import pandas as pd

MEGABYTE: Final = 1_048_576
MAX_BYTES: Final = 25 * MEGABYTE
"""The same as `server.maxUploadSize`."""
OTHER_FORMAT: Final = (
    "Muster can’t read XLS, XLSB, or ODS workbooks, or archives. Save the workbook as XLSX or CSV and upload that."
)
PROTECTED: Final = "The workbook has a password. Remove the password in a spreadsheet program and upload it again."
_ENCRYPTED: Final = "EncryptedPackage".encode("utf-16-le")
MAX_LINES: Final = 1_048_576
MAX_COLUMNS: Final = 500
MAX_CELLS: Final = 4_000_000
MAX_CELL: Final = 131_072
"""Characters: the limit of the csv module."""
MAX_LISTED: Final = 1_000
MAX_HEADING_ROWS: Final = 20
"""The headings are expected in the first rows that aren't empty, up to this number."""
DELIMITERS: Final = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}

_HAS_DIGITS: Final = re.compile(r"\d\d")
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")
_CONTENT: Final = re.compile(r'[^\s,;|"]')
_SEPARATOR_LINE: Final = re.compile(r"sep=([,;\t|])[ \t]*(?:\r\n?|\n)", re.IGNORECASE)
"""A line above the headings that spreadsheets write and do not show as a row."""
_SHOWN: Final = 200
_NO_CHARACTER: Final = "\N{REPLACEMENT CHARACTER}"


class Unreadable(Exception):
    """The file or text cannot be read. The message says why and what to do."""


@dataclass(frozen=True)
class RowProblem:
    """A row that was skipped or read in part. `text` is its beginning."""

    row: int
    text: str
    message: str


@dataclass
class RowProblems:
    """Rows that were skipped or read in part: the first `MAX_LISTED` of both, and their numbers."""

    listed: list[RowProblem] = field(default_factory=list)
    skipped: int = 0
    partial: int = 0
    lost: int = 0
    """The skipped rows that may be records, and not totals or repeated headings."""

    def skip(self, row: int, text: str, message: str, *, is_record: bool = True) -> None:
        """Add a row that was skipped."""
        self.skipped += 1
        self.lost += is_record
        if self.skipped <= MAX_LISTED:
            self.listed.append(RowProblem(row, text[:_SHOWN], f"Skipped: {message}"))

    def add_partial(self, row: int, text: str, message: str) -> None:
        """Add a row that was read in part."""
        self.partial += 1
        if self.partial <= MAX_LISTED:
            self.listed.append(RowProblem(row, text[:_SHOWN], message))

    @property
    def summary(self) -> str:
        """The numbers: "3 rows were skipped · 1 row was read in part"."""
        counts = ((self.skipped, "skipped"), (self.partial, "read in part"))
        parts = [f"{number:,} {'row was' if number == 1 else 'rows were'} {what}" for number, what in counts if number]
        cut = len(self.listed) < self.skipped + self.partial
        return " · ".join([*parts, f"the first {MAX_LISTED:,} are listed"] if cut else parts)

    def frame(self) -> pd.DataFrame:
        """The rows as a table: `row`, `text`, `message`."""
        listed = sorted(self.listed, key=lambda problem: problem.row)
        return pd.DataFrame([vars(problem) for problem in listed], columns=["row", "text", "message"])


@dataclass(frozen=True)
class Table:
    """Rows of cells, all as wide as the first row, with their numbers."""

    delimiter: str
    rows: list[list[str]] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    problems: RowProblems = field(default_factory=RowProblems)
    notes: list[str] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)
    """The row right above the records, if it has known headings."""
    titles: list[str] = field(default_factory=list)
    """The rows above the headings."""


@dataclass(frozen=True)
class Headings:
    """The headings, the numbers of their rows, the last of these rows, and the number of known headings."""

    cells: list[str]
    numbers: tuple[int, ...]
    last: list[str]
    known_count: int


def find_headings(
    rows: Sequence[tuple[int, list[str]]], count_known: Callable[[Sequence[str]], int]
) -> Headings | None:
    """Return the row, or the two rows, with the most known headings; None if no row has two.

    `rows` are the first rows that aren't empty, with their numbers. In two rows, cells of the upper row span several
    columns. Titles above the headings fill fewer cells.
    """
    found: list[Headings] = []
    widest = 0
    for place, (number, cells) in enumerate(rows):
        # The value of a merged cell is in each of its columns and counts once.
        filled = len({cell.strip() for cell in cells} - {""})
        if filled > widest:
            found.append(Headings(cells, (number,), cells, count_known(list(dict.fromkeys(cells)))))
        if place and (upper := rows[place - 1][1]) and _spans_columns(upper, cells):
            both = _join_headings(upper, cells, count_known)
            known = count_known(list(dict.fromkeys(both)))
            found.append(Headings(both, (rows[place - 1][0], number), cells, known))
        widest = max(widest, filled)
    best = max(found, key=lambda each: (each.known_count, -len(each.numbers), -each.numbers[0]), default=None)
    return best if best is not None and best.known_count > 1 else None


def _spans_columns(upper: Sequence[str], lower: Sequence[str]) -> bool:
    wide = upper[: len(lower)]
    filled = [cell for cell in wide if cell.strip()]
    gaps = any(not cell.strip() and lower[place].strip() for place, cell in enumerate(wide) if place)
    return len(filled) > 1 and (gaps or len(set(filled)) < len(filled)) and not any(map(_HAS_DIGITS.search, lower))


def _join_headings(
    upper: Sequence[str], lower: Sequence[str], count_known: Callable[[Sequence[str]], int]
) -> list[str]:
    above, joined = "", []
    for place, below in enumerate(lower):
        upper_cell = upper[place].strip() if place < len(upper) else ""
        above = upper_cell or (above if below.strip() else "")
        both = " ".join(filter(None, (above, below.strip())))
        # In "Traveler" above "Record locator", the lower heading is complete alone.
        joined.append(below.strip() if count_known([below]) and not count_known([both]) else both)
    return joined


class _Record(NamedTuple):
    cells: list[str]
    text: str
    fault: str | None = None

    @property
    def is_filled(self) -> bool:
        return self.fault is not None or any(map(str.strip, self.cells))


def decode(source: bytes | str) -> tuple[str, str]:
    """Return the text of a file and its encoding: UTF-8, UTF-16 with a byte order mark, or Windows-1252.

    Raises Unreadable if the file is too large, empty, or not text.
    """
    if len(source) > MAX_BYTES:
        size, most = len(source) / MEGABYTE, MAX_BYTES // MEGABYTE
        raise Unreadable(f"The file is {size:,.0f} MB. The limit is {most} MB. Split it into smaller files.")
    if isinstance(source, str):
        return source.removeprefix("\ufeff"), "UTF-8"
    if source.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        raise Unreadable(PROTECTED if _ENCRYPTED in source else OTHER_FORMAT)
    if source.startswith((b"\xff\xfe", b"\xfe\xff")):
        text, encoding = source.decode("utf-16", errors="replace"), "UTF-16"
    else:
        text, encoding = source.decode("utf-8-sig", errors="replace"), "UTF-8"
        broken = text.count(_NO_CHARACTER)
        if broken > len(text) - len(text.encode("ascii", errors="ignore")) - broken:
            # More invalid characters than valid UTF-8 characters: Windows-1252, in which nearly every byte is a letter.
            text, encoding = source.decode("cp1252", errors="replace"), "Windows-1252"
    if "\x00" in text:
        raise Unreadable("The file isn’t a text file. Save the sheet as CSV in UTF-8 and upload that.")
    if not text.strip():
        raise Unreadable("The file is empty.")
    return text, encoding


def split_lines(text: str) -> Iterator[str]:
    """Return the lines of a text with their ends. Raises Unreadable if there are too many."""
    text = text.rstrip("\r\n")
    if text.count("\n") + text.count("\r") - text.count("\r\n") >= MAX_LINES:
        raise Unreadable(f"The file has more than {MAX_LINES:,} lines. Split it into smaller files.")
    return (found[0] for found in _LINE.finditer(text))


def first_row(text: str) -> tuple[list[str], str]:
    """Return the first row that isn't empty, even with wrong quotation marks, and the delimiter."""
    separator = _SEPARATOR_LINE.match(text)
    start = text[separator.end() if separator else 0 :].lstrip("\r\n")[: 2 * MAX_CELL]
    rows: dict[str, list[str]] = {}
    for mark in separator[1] if separator else DELIMITERS:
        rows[mark] = next((record.cells for record in _records(start, mark) if record.is_filled), [])
    delimiter = max(rows, key=lambda mark: len(rows[mark]))
    return [cell.strip() for cell in rows[delimiter]], delimiter


def read_table(text: str, *, most_rows: int, count_known: Callable[[Sequence[str]], int] | None = None) -> Table:
    """Split a text into rows. Each row that isn't empty is in the table, in its problems, or in both.

    Up to `most_rows` rows may follow the first. `count_known` counts the known headings of a row. With it, the first
    row of the table is the row of the headings.

    Raises Unreadable if the first row cannot be read, or beyond the limits.
    """
    if not _CONTENT.search(text):
        raise Unreadable("The file contains only separators and spaces.")
    split_lines(text)
    separator = _SEPARATOR_LINE.match(text)
    headings, delimiter = _find_best_headings(
        text[separator.end() if separator else 0 :], separator[1] if separator else None, count_known
    )
    table, width, most = Table(delimiter or first_row(text)[1]), 0, most_rows
    body = text[separator.end() if separator else 0 :].rstrip("\r\n")
    plain = _plain_records(body, table.delimiter)
    is_plain = plain is not None and _NO_CHARACTER not in body
    for number, record in enumerate(plain or _records(body, table.delimiter), start=1):
        if headings is not None and number <= headings.numbers[-1]:
            if number < headings.numbers[0]:
                table.titles.append(" ".join(record.cells))
            if number == headings.numbers[-1]:
                width = _width(number, _Record(headings.cells, ""))
                most = min(most_rows, MAX_CELLS // width)
                add_headings(table, headings, width)
            continue
        if is_plain and width and len(record.cells) == width and record.cells[0].strip():
            if len(table.rows) + table.problems.skipped > most:
                raise Unreadable(_too_many(most))
            table.rows.append(record.cells)
            table.numbers.append(number)
            continue
        if not record.is_filled:
            continue
        if not width:
            width = _width(number, record)
            most = min(most_rows, MAX_CELLS // width)
        if len(table.rows) + table.problems.skipped > most:
            raise Unreadable(_too_many(most))
        _add(table, number, record, width)
    return table


def add_headings(table: Table, headings: Headings, width: int) -> None:
    """Add headings to a table, with a note about the rows above."""
    table.rows.append([*headings.cells[:width], *[""] * (width - len(headings.cells))])
    table.numbers.append(headings.numbers[-1])
    table.headings.extend(headings.last[:width])
    first = headings.numbers[0]
    if len(headings.numbers) > 1:
        table.notes.append(f"Rows {first} and {headings.numbers[-1]} were read together as headings.")
    if first > 1:
        table.notes.append(f"The headings are in row {first}. Muster skipped the rows above.")


def _find_best_headings(
    text: str, separator: str | None, count_known: Callable[[Sequence[str]], int] | None
) -> tuple[Headings | None, str | None]:
    """Return the headings with the most known names and their delimiter, or None."""
    if count_known is None:
        return None, None
    start = text[: 2 * MAX_CELL]
    best: tuple[Headings | None, str | None] = None, None
    for mark in [separator] if separator else DELIMITERS:
        rows = enumerate(_records(start, mark), start=1)
        filled = islice(((number, each.cells) for number, each in rows if each.is_filled), MAX_HEADING_ROWS)
        found = find_headings([(number, [cell.strip() for cell in cells]) for number, cells in filled], count_known)
        if found is not None and (best[0] is None or found.known_count > best[0].known_count):
            best = found, mark
    return best


def _too_many(most: int) -> str:
    return f"The file has more than {most:,} rows. Split it into smaller files."


def _width(number: int, first: _Record) -> int:
    if first.fault:
        raise Unreadable(f"Row {number}, the first row, can’t be read: {first.fault}")
    width = max(place for place, cell in enumerate(first.cells, start=1) if cell.strip())
    if width > MAX_COLUMNS:
        raise Unreadable(f"The file has {width:,} columns. The limit is {MAX_COLUMNS}.")
    return width


def _add(table: Table, number: int, record: _Record, width: int) -> None:
    cells, text, fault = record
    if any(map(str.strip, cells[width:])) and not fault:
        sizes = f"it has {len(cells):,} cells, and the first row has {width:,}"
        fault = f"{sizes}. Put a value that contains the separator in quotation marks."
    if fault:
        table.problems.skip(number, text, fault)
        return
    warnings = []
    if len(cells) < width:
        warnings.append(f"The row has {len(cells):,} of {width:,} cells. The missing cells are empty.")
    if any(line.count(table.delimiter) >= width - 1 for line in _LINE.findall(text)[1:]):
        # This is one valid cell, but an unclosed mark in one row may have found its partner in another.
        warnings.append("A value spans several lines. A quotation mark may be missing.")
    if _NO_CHARACTER in text:
        warnings.append("Some characters can’t be read. Save the file in UTF-8.")
    if warnings:
        table.problems.add_partial(number, text, " ".join(warnings))
    table.rows.append([*cells[:width], *[""] * (width - len(cells))])
    table.numbers.append(number)


def _plain_records(text: str, delimiter: str) -> Iterator[_Record] | None:
    """Return the rows of a text without quotation problems and line breaks in cells, the fast and common case."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    try:
        rows = list(csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=True))
    except csv.Error:
        return None
    if len(rows) != len(lines):
        return None
    return map(_Record, rows, lines)


def _records(text: str, delimiter: str) -> Iterator[_Record]:
    """Yield the rows. A row with wrong quotation marks ends with its first line."""
    start = end = 0

    def lines() -> Iterator[str]:
        nonlocal end
        for found in _LINE.finditer(text, start):
            end = found.end()
            yield found[0]

    while start < len(text):
        try:
            for cells in csv.reader(lines(), delimiter=delimiter, skipinitialspace=True, strict=True):
                yield _Record(cells, text[start:end])
                start = end
        except csv.Error:
            line = next(_LINE.finditer(text, start))[0]
            cells = line.replace('"', "").split(delimiter)
            fault = "a quotation mark isn’t closed, or is inside a value. Close it, or write it twice."
            if max(map(len, cells)) > MAX_CELL:
                fault = f"a value is longer than {MAX_CELL:,} characters."
            yield _Record(cells, line, fault)
            start += len(line)
