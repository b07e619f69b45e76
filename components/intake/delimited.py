"""Reading delimited text, out of a file or pasted: rows of text cells by number, and every row that is not whole.

Rows are numbered from 1 as a spreadsheet shows them: blank ones count, and a cell of several lines makes one row. What
a file may cost is bounded by the limits below; one that is beyond them is refused as a whole.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, NamedTuple

import pandas as pd

MEGABYTE: Final = 1_048_576
MAX_BYTES: Final = 25 * MEGABYTE
"""As much as the server takes in (`server.maxUploadSize`)."""
MAX_LINES: Final = 1_048_576
MAX_COLUMNS: Final = 500
MAX_CELLS: Final = 4_000_000
MAX_CELL: Final = 131_072
"""Characters: what the csv module itself goes up to."""
MAX_LISTED: Final = 1_000
DELIMITERS: Final = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}

_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")
_SEPARATOR_LINE: Final = re.compile(r"sep=(.)[ \t]*(?:\r\n?|\n)", re.IGNORECASE)
_BLANKS: Final = ' \r\n\ufeff"'
_SHOWN: Final = 200
_UNREADABLE: Final = "\N{REPLACEMENT CHARACTER}"
_BROKEN: Final = (
    "a quotation mark is opened and not closed, or stands within a cell. Close it, take it out, or write it twice."
)
_NO_TEXT: Final = "Some of its characters cannot be read: save the file in UTF-8."
_TOO_LONG: Final = f"a cell of it is longer than {MAX_CELL:,} characters."


class Unreadable(Exception):
    """What was given cannot be taken at all; the text says why and what to do."""


@dataclass(frozen=True)
class RowProblem:
    """A row that was left out or taken in part; `text` is how it begins."""

    row: int
    text: str
    words: str


@dataclass
class RowProblems:
    """The rows that were not taken as they stand: the first `MAX_LISTED` in the file's order, and how many in all."""

    listed: list[RowProblem] = field(default_factory=list)
    left_out: int = 0
    in_part: int = 0

    def leave_out(self, row: int, text: str, words: str) -> None:
        """Tell of a row that is not taken."""
        self.left_out += 1
        self._list(row, text, f"Left out: {words}")

    def take_in_part(self, row: int, text: str, words: str) -> None:
        """Tell of a row that is taken, though not as it stands."""
        self.in_part += 1
        self._list(row, text, words)

    def _list(self, row: int, text: str, words: str) -> None:
        if len(self.listed) < MAX_LISTED:
            self.listed.append(RowProblem(row, text[:_SHOWN], words))

    @property
    def words(self) -> str:
        """How many there are: "3 rows are left out · 1 row is taken in part"."""
        counts = ((self.left_out, "left out"), (self.in_part, "taken in part"))
        parts = [f"{number:,} {'row is' if number == 1 else 'rows are'} {what}" for number, what in counts if number]
        cut = [f"the first {MAX_LISTED:,} are listed"] if sum(number for number, _ in counts) > MAX_LISTED else []
        return " · ".join(parts + cut)

    def frame(self) -> pd.DataFrame:
        """The rows as a table: `row`, `text`, `words`."""
        listed = sorted(self.listed, key=lambda problem: problem.row)
        return pd.DataFrame([vars(problem) for problem in listed], columns=["row", "text", "words"])


@dataclass(frozen=True)
class Table:
    """Rows of texts: the first as it stands, the others brought to its width, each with its number."""

    first: list[str]
    first_number: int
    rows: list[list[str]]
    numbers: list[int]
    delimiter: str
    problems: RowProblems


class _Record(NamedTuple):
    cells: list[str]
    text: str
    fault: str | None = None


_NOTHING: Final = _Record([], "")


def decode(content: bytes) -> tuple[str, str]:
    """The text of a file and the name of its encoding: UTF-8, UTF-16 with its mark, else Windows-1252.

    Raises Unreadable: too large, empty, no text.
    """
    if len(content) > MAX_BYTES:
        size, most = len(content) / MEGABYTE, MAX_BYTES // MEGABYTE
        raise Unreadable(f"It has {size:,.0f} MB; up to {most} MB are taken. Take it in parts.")
    if content.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        raise Unreadable("This is a spreadsheet or an archive, not a CSV file. Save the sheet as CSV and take that.")
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        text, encoding = content.decode("utf-16", errors="replace"), "UTF-16"
    else:
        text, encoding = content.decode("utf-8-sig", errors="replace"), "UTF-8"
        broken = text.count(_UNREADABLE)
        if broken > len(text) - len(text.encode("ascii", errors="ignore")) - broken:
            # More that is none than is UTF-8: the one encoding in which nearly every byte is a letter.
            text, encoding = content.decode("cp1252", errors="replace"), "Windows-1252"
    if "\x00" in text:
        raise Unreadable("This is not a text file. Save the sheet as CSV in UTF-8 and take that.")
    if not text.strip():
        raise Unreadable("The file is empty.")
    return text, encoding


def lines_of(text: str) -> Iterator[str]:
    """The lines of a text as spreadsheets and editors count them, ends included. Raises Unreadable: too many."""
    text = text.rstrip("\r\n")
    if text.count("\n") + text.count("\r") - text.count("\r\n") >= MAX_LINES:
        raise Unreadable(f"It has more than {MAX_LINES:,} lines, the most that are taken. Take it in parts.")
    return (found[0] for found in _LINE.finditer(text))


def first_row(text: str) -> tuple[list[str], str]:
    """The first row with anything in it, as it stands even where its quotation marks do not fit, and the delimiter."""
    start, told = _without_separator_line(text)
    start = start.lstrip("\r\n")[: 2 * MAX_CELL]
    rows = {mark: next(filter(_is_filled, _records(start, mark)), _NOTHING).cells for mark in told or DELIMITERS}
    delimiter = max(rows, key=lambda mark: len(rows[mark]))
    return [cell.strip() for cell in rows[delimiter]], delimiter


def read_table(text: str, *, most_rows: int) -> Table:
    """Take a text apart into rows. Every row with something in it is in the table, among its problems, or both.

    Raises Unreadable: nothing in it, a first row that cannot be read, more than the limits allow.
    """
    if not text.strip("".join(DELIMITERS) + _BLANKS):
        raise Unreadable("There is nothing in it but separators and blanks.")
    lines_of(text)
    _, delimiter = first_row(text)
    records = enumerate(_records(_without_separator_line(text)[0].rstrip("\r\n"), delimiter), start=1)
    filled = ((number, record) for number, record in records if _is_filled(record))
    number, first = next(filled, (1, _NOTHING))
    if first.fault:
        raise Unreadable(f"Row {number}, the first one, cannot be read: {first.fault}")
    width = max((place for place, cell in enumerate(first.cells, start=1) if cell.strip()), default=0)
    if width > MAX_COLUMNS:
        raise Unreadable(f"It has {width:,} columns; up to {MAX_COLUMNS} are taken.")
    most = min(most_rows, MAX_CELLS // width)
    table = Table(first.cells[:width], number, [], [], delimiter, RowProblems())
    if _UNREADABLE in first.text:
        table.problems.take_in_part(number, first.text, _NO_TEXT)
    for number, record in filled:
        if len(table.rows) + table.problems.left_out >= most:
            raise Unreadable(f"It has more than {most:,} rows, the most that are taken. Take it in parts.")
        problem = record.fault or _surplus(record.cells, width)
        if problem:
            table.problems.leave_out(number, record.text, problem)
            continue
        doubts = [*_doubts(record, width, delimiter)]
        if doubts:
            table.problems.take_in_part(number, record.text, " ".join(doubts))
        table.rows.append([*record.cells[:width], *[""] * (width - len(record.cells))])
        table.numbers.append(number)
    return table


def _surplus(cells: list[str], width: int) -> str | None:
    if len(cells) <= width or not any(map(str.strip, cells[width:])):
        return None
    of = f"{len(cells):,} cells where the first row has {width:,}"
    return f"{of}. A value that holds the separator must stand in quotation marks."


def _doubts(record: _Record, width: int, delimiter: str) -> Iterator[str]:
    if len(record.cells) < width:
        yield f"It has {len(record.cells):,} of {width:,} cells: the missing ones are empty."
    _, *more = _LINE.findall(record.text)
    if width > 1 and any(line.count(delimiter) >= width - 1 for line in more):
        # By the format all of it is one cell; yet a mark forgotten in one row finds its partner in another row's.
        yield "A cell of it takes in the rows below it: look whether a quotation mark is missing."
    if _UNREADABLE in record.text:
        yield _NO_TEXT


def _is_filled(record: _Record) -> bool:
    return record.fault is not None or any(map(str.strip, record.cells))


def _records(text: str, delimiter: str) -> Iterator[_Record]:
    """The rows one by one; one whose quotation marks do not fit is its first line, and the next line begins anew."""
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
            found = _LINE.match(text, start)
            broken = found[0] if found else ""
            start += len(broken)
            cells = broken.replace('"', "").split(delimiter)
            yield _Record(cells, broken, _TOO_LONG if max(map(len, cells)) > MAX_CELL else _BROKEN)


def _without_separator_line(text: str) -> tuple[str, str | None]:
    """Spreadsheets may write `sep=;` above the headings."""
    found = _SEPARATOR_LINE.match(text)
    if found is None or found[1] not in DELIMITERS:
        return text, None
    return text[found.end() :], found[1]
