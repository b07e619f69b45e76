"""Reading a CSV file of contacts: every column as text, and what is wrong with the file in words."""

from __future__ import annotations

import csv
import hashlib
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import pandas as pd

from components.widgets.number_text import count

MEGABYTE: Final = 1_000_000
MAX_BYTES: Final = 50 * MEGABYTE
MAX_ROWS: Final = 250_000
MAX_COLUMNS: Final = 500
MAX_PROBLEMS: Final = 100
DELIMITERS: Final = {",": "commas", ";": "semicolons", "\t": "tabs"}

_SEPARATOR_LINE: Final = re.compile(r"\ufeff?sep=(.)[ \t]*(\r\n|\r|\n)", re.IGNORECASE)
# A spreadsheet download of ours puts an apostrophe before what could become a formula.
_GUARDED: Final = re.compile(r"'[=+\-@\t]")
_LIKE_DATA: Final = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+|[+-]?\d[\d\s.,:/+-]*")


class UnreadableFile(Exception):
    """The file cannot be taken; the text says why and what to do."""


@dataclass(frozen=True)
class RowProblem:
    """A row that was left out or mended; `line` counts the file's lines from 1."""

    line: int
    text: str
    words: str


@dataclass(frozen=True)
class ContactFile:
    """A file as it was read: a row a contact, every cell a text without blanks around it, "" where it is empty.

    `digest` names the content. `notes` are what the person should know of the reading; `problems` are the first rows
    that were not taken as they stand, and `problem_count` counts all of them.
    """

    name: str
    frame: pd.DataFrame
    digest: str
    encoding: str = "UTF-8"
    delimiter: str = ","
    notes: tuple[str, ...] = ()
    problems: tuple[RowProblem, ...] = ()
    problem_count: int = 0
    lines: tuple[int, ...] = field(default=(), repr=False)

    @property
    def headers(self) -> tuple[str, ...]:
        """The columns' names, in the file's order."""
        return tuple(self.frame.columns)

    @property
    def rows(self) -> int:
        """How many contacts there are."""
        return len(self.frame)

    @property
    def decimal_comma(self) -> bool:
        """Whether "47,5" is a number: a comma can be one where it parts no columns."""
        return self.delimiter != ","

    @cached_property
    def search_text(self) -> pd.Series[str]:
        """All cells of a row as one text without regard to case, to find a person by any of them."""
        joined = self.frame[self.headers[0]]
        for header in self.headers[1:]:
            joined = joined + "\n" + self.frame[header]
        return joined.str.lower()


def read_contacts(name: str, content: bytes) -> ContactFile:
    """Read a CSV file with a heading row; `UnreadableFile` says what to do about one that cannot be read.

    UTF-8 with and without its mark, UTF-16 with its mark, and Windows-1252; commas, semicolons or tabs. A column's
    values stay the texts they are: no id is ever turned into a number.
    """
    if len(content) > MAX_BYTES:
        size, most = len(content) / MEGABYTE, MAX_BYTES // MEGABYTE
        raise UnreadableFile(f"The file has {size:,.0f} MB; the test bench takes up to {most} MB. Take a part of it.")
    text, encoding = _decode(content)
    text, told = _without_separator_line(text)
    delimiter = told or _delimiter(text)
    rows = _rows(text, delimiter)
    header_line, headers, notes = _headers(rows)
    table = _Table(len(headers))
    try:
        for line, cells in rows:
            table.add(line, cells)
            if len(table.rows) > MAX_ROWS:
                raise UnreadableFile(
                    f"The file has more than {MAX_ROWS:,} rows, the most that are taken here. Take a part of it."
                )
    except csv.Error as error:
        line = table.lines[-1] + 1 if table.lines else header_line + 1
        raise UnreadableFile(
            f"From line {line} on the file cannot be taken apart ({error}). "
            "Most often a quotation mark is opened there and never closed."
        ) from error
    if not table.rows:
        raise UnreadableFile("There is a heading row and no contact under it. Add at least one row.")
    if "\ufffd" in text:
        notes.append("Some characters of the file could not be read. Save it as CSV in UTF-8 and take that.")
    elif encoding == "Windows-1252":
        notes.append("The file is not UTF-8 and was read as Windows-1252: look whether accented letters are right.")
    if table.filled:
        rows_have = count(table.filled, "row has", "rows have")
        notes.append(f"{rows_have} fewer cells than there are headings: the missing ones are empty.")
    columns = list(zip(*table.rows, strict=True))
    frame = pd.DataFrame({header: _cleaned(cells) for header, cells in zip(headers, columns, strict=True)})
    return ContactFile(
        name=name,
        frame=frame,
        digest=hashlib.sha256(content).hexdigest()[:16],
        encoding=encoding,
        delimiter=delimiter,
        notes=tuple(notes),
        problems=tuple(table.problems),
        problem_count=table.problem_count,
        lines=tuple(table.lines),
    )


class _Table:
    """The rows as they come in, brought to the number of headings."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.rows: list[list[str]] = []
        self.lines: list[int] = []
        self.problems: list[RowProblem] = []
        self.problem_count = 0
        self.filled = 0

    def add(self, line: int, cells: list[str]) -> None:
        """Take a row in; an empty one is passed over, one with too many cells is left out and told."""
        if len(cells) != self.width:
            if not any(map(str.strip, cells)):
                return
            if len(cells) > self.width:
                if any(map(str.strip, cells[self.width :])):
                    self._leave_out(line, cells)
                    return
                cells = cells[: self.width]
            else:
                cells = [*cells, *[""] * (self.width - len(cells))]
                self.filled += 1
        elif not any(map(str.strip, cells)):
            return
        self.rows.append(cells)
        self.lines.append(line)

    def _leave_out(self, line: int, cells: list[str]) -> None:
        self.problem_count += 1
        if len(self.problems) < MAX_PROBLEMS:
            words = (
                f"Left out: {len(cells)} cells under {self.width} headings. A value that holds the separator "
                "must stand in quotation marks."
            )
            self.problems.append(RowProblem(line, " · ".join(cells)[:200], words))


def _decode(content: bytes) -> tuple[str, str]:
    if not content.strip(b"\xef\xbb\xbf\xff\xfe \t\r\n"):
        raise UnreadableFile("The file is empty. Save the contacts as CSV, with a row of headings, and take that.")
    if content.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        raise UnreadableFile(
            "This is a spreadsheet or an archive, not a CSV file. Save the sheet as CSV and take that."
        )
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace"), "UTF-16"
    if b"\x00" in content:
        raise UnreadableFile("This is not a text file. Save the contacts as CSV and take that.")
    try:
        return content.decode("utf-8-sig"), "UTF-8"
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace"), "Windows-1252"


def _without_separator_line(text: str) -> tuple[str, str | None]:
    """Spreadsheets may write `sep=;` above the headings."""
    found = _SEPARATOR_LINE.match(text)
    if found is None or found[1] not in DELIMITERS:
        return text, None
    return text[found.end() :], found[1]


def _delimiter(text: str) -> str:
    """The separator that takes the heading row apart into most cells, quoted headings respected; else the comma."""
    start = text[:100_000].lstrip("\r\n")

    def width(delimiter: str) -> int:
        try:
            return len(next(csv.reader(io.StringIO(start, newline=""), delimiter=delimiter), []))
        except csv.Error:
            return 0

    return max(DELIMITERS, key=width)


def _rows(text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    line = 1
    for cells in reader:
        yield line, cells
        line = reader.line_num + 1


def _headers(rows: Iterator[tuple[int, list[str]]]) -> tuple[int, list[str], list[str]]:
    """The first row with something in it as names that are there and differ, with notes on what was done for that."""
    try:
        line, cells = next((line, cells) for line, cells in rows if any(map(str.strip, cells)))
    except StopIteration:
        raise UnreadableFile("The file is empty. Save the contacts as CSV, with a row of headings.") from None
    except csv.Error as error:
        raise UnreadableFile(f"The first row cannot be taken apart ({error}). Save the sheet as CSV again.") from error
    names = [unicodedata.normalize("NFC", " ".join(cell.split())) for cell in cells]
    while names and not names[-1]:
        names.pop()
    if len(names) > MAX_COLUMNS:
        raise UnreadableFile(f"The file has {len(names):,} columns; up to {MAX_COLUMNS} are taken here.")
    if all(not name or _LIKE_DATA.fullmatch(name) for name in names):
        raise UnreadableFile(
            "The first row looks like a contact, not like headings. Add a row above it that names the columns."
        )
    notes = []
    if len(names) == 1:
        known = ", ".join(DELIMITERS.values())
        notes.append(f"There is one column only. Columns are told apart by {known}: look whether the file uses one.")
    blank = [index for index, name in enumerate(names) if not name]
    for index in blank:
        names[index] = f"Column {index + 1}"
    if blank:
        notes.append("Columns without a heading are called by their place: " + ", ".join(names[i] for i in blank) + ".")
    doubles = [name for name, number in Counter(names).items() if number > 1]
    if doubles:
        notes.append("Several columns have one heading and are numbered: " + ", ".join(doubles) + ".")
    return line, _numbered(names), notes


def _numbered(names: list[str]) -> list[str]:
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


def _cleaned(cells: tuple[str, ...]) -> pd.Series[str]:
    """A column as texts: no blanks around them, accents in one spelling, no apostrophe that guards a formula."""
    values = pd.Series(map(str.strip, cells), dtype="str")
    if not "".join(cells).isascii():
        values = values.str.normalize("NFC")
    if values.str.startswith("'").any():
        guarded = values.str.match(_GUARDED.pattern)
        values = values.where(~guarded, values.str[1:])
    return values
