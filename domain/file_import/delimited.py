"""Reading delimited text, out of a file or pasted: rows of text cells by number, and every row that is not whole.

Rows are numbered from 1 as a spreadsheet shows them: blank ones count, and a cell of several lines makes one row. What
a file may cost is bounded by the limits below; one that is beyond them is refused as a whole.
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
"""As much as the server takes in (`server.maxUploadSize`)."""
MAX_LINES: Final = 1_048_576
MAX_COLUMNS: Final = 500
MAX_CELLS: Final = 4_000_000
MAX_CELL: Final = 131_072
"""Characters: what the csv module itself goes up to."""
MAX_LISTED: Final = 1_000
HEADINGS_WITHIN: Final = 20
"""Rows with anything in them among which headings are looked for."""
DELIMITERS: Final = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}

_HAS_DIGITS: Final = re.compile(r"\d\d")
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")
_CONTENT: Final = re.compile(r'[^\s,;|"]')
_SEPARATOR_LINE: Final = re.compile(r"sep=([,;\t|])[ \t]*(?:\r\n?|\n)", re.IGNORECASE)
"""Spreadsheets may write it above the headings, and show no row for it."""
_SHOWN: Final = 200
_NO_CHARACTER: Final = "\N{REPLACEMENT CHARACTER}"


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
    """The rows that were not taken as they stand: of each kind the first `MAX_LISTED`, and how many in all."""

    listed: list[RowProblem] = field(default_factory=list)
    left_out: int = 0
    in_part: int = 0

    def leave_out(self, row: int, text: str, words: str) -> None:
        """Tell of a row that is not taken."""
        self.left_out += 1
        if self.left_out <= MAX_LISTED:
            self.listed.append(RowProblem(row, text[:_SHOWN], f"Skipped: {words}"))

    def take_in_part(self, row: int, text: str, words: str) -> None:
        """Tell of a row that is taken, though not as it stands."""
        self.in_part += 1
        if self.in_part <= MAX_LISTED:
            self.listed.append(RowProblem(row, text[:_SHOWN], words))

    @property
    def words(self) -> str:
        """How many there are: "3 rows were skipped · 1 row was read in part"."""
        counts = ((self.left_out, "skipped"), (self.in_part, "read in part"))
        parts = [f"{number:,} {'row was' if number == 1 else 'rows were'} {what}" for number, what in counts if number]
        cut = len(self.listed) < self.left_out + self.in_part
        return " · ".join([*parts, f"the first {MAX_LISTED:,} are listed"] if cut else parts)

    def frame(self) -> pd.DataFrame:
        """The rows as a table: `row`, `text`, `words`."""
        listed = sorted(self.listed, key=lambda problem: problem.row)
        return pd.DataFrame([vars(problem) for problem in listed], columns=["row", "text", "words"])


@dataclass(frozen=True)
class Table:
    """Rows of texts, all of the first one's width, each with its number."""

    delimiter: str
    rows: list[list[str]] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    problems: RowProblems = field(default_factory=RowProblems)
    told: list[str] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)
    """The row right above the records, as it stands, where it names columns that are looked for."""


@dataclass(frozen=True)
class Headings:
    """What stands above the columns, in which rows, the last of them as it stands, and how many columns it names."""

    cells: list[str]
    numbers: tuple[int, ...]
    last: list[str]
    named: int


def find_headings(rows: Sequence[tuple[int, list[str]]], named: Callable[[Sequence[str]], int]) -> Headings | None:
    """The rows that name the most columns: one, or two where cells of the upper one reach over several below.

    `rows` are the first ones with anything in them, by number; what stands above headings fills fewer cells. None where
    no row names two.
    """
    found: list[Headings] = []
    widest = 0
    for place, (number, cells) in enumerate(rows):
        # What is merged over several columns stands in each of them, and is one.
        filled = len({cell.strip() for cell in cells} - {""})
        if filled > widest:
            found.append(Headings(cells, (number,), cells, named(list(dict.fromkeys(cells)))))
        if place and (upper := rows[place - 1][1]) and _reaches_over(upper, cells):
            both = _joined(upper, cells, named)
            found.append(Headings(both, (rows[place - 1][0], number), cells, named(both)))
        widest = max(widest, filled)
    best = max(found, key=lambda each: (each.named, -len(each.numbers), -each.numbers[0]), default=None)
    return best if best is not None and best.named > 1 else None


def _reaches_over(upper: Sequence[str], lower: Sequence[str]) -> bool:
    wide = upper[: len(lower)]
    filled = [cell for cell in wide if cell.strip()]
    gaps = any(not cell.strip() and lower[place].strip() for place, cell in enumerate(wide) if place)
    return len(filled) > 1 and (gaps or len(set(filled)) < len(filled)) and not any(map(_HAS_DIGITS.search, lower))


def _joined(upper: Sequence[str], lower: Sequence[str], named: Callable[[Sequence[str]], int]) -> list[str]:
    above, joined = "", []
    for place, below in enumerate(lower):
        told = upper[place].strip() if place < len(upper) else ""
        above = told or (above if below.strip() else "")
        both = " ".join(filter(None, (above, below.strip())))
        # "Traveller" may stand above "Record locator": that one says all of it.
        joined.append(below.strip() if named([below]) and not named([both]) else both)
    return joined


class _Record(NamedTuple):
    cells: list[str]
    text: str
    fault: str | None = None

    @property
    def is_filled(self) -> bool:
        return self.fault is not None or any(map(str.strip, self.cells))


def decode(source: bytes | str) -> tuple[str, str]:
    """The text of a file and the name of its encoding: UTF-8, UTF-16 with its mark, else Windows-1252.

    What was pasted is text already. Raises Unreadable: too large, empty, no text.
    """
    if len(source) > MAX_BYTES:
        size, most = len(source) / MEGABYTE, MAX_BYTES // MEGABYTE
        raise Unreadable(f"The file has {size:,.0f} MB. The limit is {most} MB. Split it into smaller files.")
    if isinstance(source, str):
        return source.removeprefix("\ufeff"), "UTF-8"
    if source.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        raise Unreadable(
            "The file is a spreadsheet or an archive, not a CSV file. Save the sheet as CSV and upload that."
        )
    if source.startswith((b"\xff\xfe", b"\xfe\xff")):
        text, encoding = source.decode("utf-16", errors="replace"), "UTF-16"
    else:
        text, encoding = source.decode("utf-8-sig", errors="replace"), "UTF-8"
        broken = text.count(_NO_CHARACTER)
        if broken > len(text) - len(text.encode("ascii", errors="ignore")) - broken:
            # More that is none than is UTF-8: the one encoding in which nearly every byte is a letter.
            text, encoding = source.decode("cp1252", errors="replace"), "Windows-1252"
    if "\x00" in text:
        raise Unreadable("The file isn’t a text file. Save the sheet as CSV in UTF-8 and upload that.")
    if not text.strip():
        raise Unreadable("The file is empty.")
    return text, encoding


def lines_of(text: str) -> Iterator[str]:
    """The lines of a text as spreadsheets and editors count them, ends included. Raises Unreadable: too many."""
    text = text.rstrip("\r\n")
    if text.count("\n") + text.count("\r") - text.count("\r\n") >= MAX_LINES:
        raise Unreadable(f"The file has more than {MAX_LINES:,} lines. Split it into smaller files.")
    return (found[0] for found in _LINE.finditer(text))


def first_row(text: str) -> tuple[list[str], str]:
    """The first row with anything in it, as it stands even where its quotation marks do not fit, and the delimiter."""
    told = _SEPARATOR_LINE.match(text)
    start = text[told.end() if told else 0 :].lstrip("\r\n")[: 2 * MAX_CELL]
    rows: dict[str, list[str]] = {}
    for mark in told[1] if told else DELIMITERS:
        rows[mark] = next((record.cells for record in _records(start, mark) if record.is_filled), [])
    delimiter = max(rows, key=lambda mark: len(rows[mark]))
    return [cell.strip() for cell in rows[delimiter]], delimiter


def read_table(text: str, *, most_rows: int, named: Callable[[Sequence[str]], int] | None = None) -> Table:
    """Take a text apart into rows; every one with something in it is in the table, among its problems, or both.

    `most_rows` may follow the first. With `named`, which tells how many columns a row names, the first one is that of
    the headings, wherever in the first rows it stands.

    Raises Unreadable: a first row that cannot be read, more than the limits allow.
    """
    if not _CONTENT.search(text):
        raise Unreadable("The file contains only separators and spaces.")
    lines_of(text)
    told = _SEPARATOR_LINE.match(text)
    headings, delimiter = _headings(text[told.end() if told else 0 :], told[1] if told else None, named)
    table, width, most = Table(delimiter or first_row(text)[1]), 0, most_rows
    body = text[told.end() if told else 0 :].rstrip("\r\n")
    plain = _plain_records(body, table.delimiter)
    is_plain = plain is not None and _NO_CHARACTER not in body
    for number, record in enumerate(plain or _records(body, table.delimiter), start=1):
        if headings is not None and number <= headings.numbers[-1]:
            if number == headings.numbers[-1]:
                width = _width(number, _Record(headings.cells, ""))
                most = min(most_rows, MAX_CELLS // width)
                take_headings(table, headings, width)
            continue
        if is_plain and width and len(record.cells) == width and record.cells[0].strip():
            if len(table.rows) + table.problems.left_out > most:
                raise Unreadable(_too_many(most))
            table.rows.append(record.cells)
            table.numbers.append(number)
            continue
        if not record.is_filled:
            continue
        if not width:
            width = _width(number, record)
            most = min(most_rows, MAX_CELLS // width)
        if len(table.rows) + table.problems.left_out > most:
            raise Unreadable(_too_many(most))
        _add(table, number, record, width)
    return table


def take_headings(table: Table, headings: Headings, width: int) -> None:
    """Put headings into a table, and say what was above them."""
    table.rows.append([*headings.cells[:width], *[""] * (width - len(headings.cells))])
    table.numbers.append(headings.numbers[-1])
    table.headings.extend(headings.last[:width])
    first = headings.numbers[0]
    if len(headings.numbers) > 1:
        table.told.append(f"Rows {first} and {headings.numbers[-1]} were read together as headings.")
    if first > 1:
        table.told.append(f"The headings are in row {first}. Muster skipped the rows above.")


def _headings(
    text: str, told: str | None, named: Callable[[Sequence[str]], int] | None
) -> tuple[Headings | None, str | None]:
    """The headings that name the most columns, and the delimiter that shows them; None where none is found."""
    if named is None:
        return None, None
    start = text[: 2 * MAX_CELL]
    best: tuple[Headings | None, str | None] = None, None
    for mark in [told] if told else DELIMITERS:
        rows = enumerate(_records(start, mark), start=1)
        filled = islice(((number, each.cells) for number, each in rows if each.is_filled), HEADINGS_WITHIN)
        found = find_headings([(number, [cell.strip() for cell in cells]) for number, cells in filled], named)
        if found is not None and (best[0] is None or found.named > best[0].named):
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
        table.problems.leave_out(number, text, fault)
        return
    doubts = []
    if len(cells) < width:
        doubts.append(f"The row has {len(cells):,} of {width:,} cells. The missing cells are empty.")
    if any(line.count(table.delimiter) >= width - 1 for line in _LINE.findall(text)[1:]):
        # By the format all of it is one cell; yet a mark forgotten in one row finds its partner in another row's.
        doubts.append("A value spans several lines. A quotation mark may be missing.")
    if _NO_CHARACTER in text:
        doubts.append("Some characters can’t be read. Save the file in UTF-8.")
    if doubts:
        table.problems.take_in_part(number, text, " ".join(doubts))
    table.rows.append([*cells[:width], *[""] * (width - len(cells))])
    table.numbers.append(number)


def _plain_records(text: str, delimiter: str) -> Iterator[_Record] | None:
    """The rows where each is a line and every quotation mark fits: by far the quickest, and most files are so."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    try:
        rows = list(csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=True))
    except csv.Error:
        return None
    if len(rows) != len(lines):
        return None
    return map(_Record, rows, lines)


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
            line = next(_LINE.finditer(text, start))[0]
            cells = line.replace('"', "").split(delimiter)
            fault = "a quotation mark isn’t closed, or is inside a value. Close it, or write it twice."
            if max(map(len, cells)) > MAX_CELL:
                fault = f"a value is longer than {MAX_CELL:,} characters."
            yield _Record(cells, line, fault)
            start += len(line)
