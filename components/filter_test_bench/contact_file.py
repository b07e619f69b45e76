"""Reading a CSV file of contacts: every column as text, and whether its first row holds headings or a contact."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import pandas as pd

from components.filter_test_bench.column_matching import names_a_column
from components.intake.delimited import DELIMITERS, RowProblems, Unreadable, decode, read_table
from components.widgets.number_text import count, names

MAX_ROWS: Final = 250_000

# A spreadsheet download of ours puts an apostrophe before what could become a formula.
_GUARDED: Final = re.compile(r"'[=+\-@\t]")
_EMAIL: Final = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_NUMBER: Final = re.compile(r"[+-]?\d[\d\s.,:/+-]*")


@dataclass(frozen=True)
class ContactFile:
    """A file as it was read: every cell a text without blanks around it, "" where it is empty.

    `cells` holds all rows, the first with them: it names the columns where `has_headings`, else it is a contact too.
    `numbers` are the rows' in the file, `digest` names the content.
    """

    name: str
    cells: pd.DataFrame = field(repr=False)
    numbers: tuple[int, ...] = field(repr=False)
    digest: str
    has_headings: bool
    encoding: str
    delimiter: str
    told: tuple[str, ...]
    problems: RowProblems

    @cached_property
    def frame(self) -> pd.DataFrame:
        """A row a contact, under the columns' names."""
        rows = self.cells.iloc[1:] if self.has_headings else self.cells
        return rows.set_axis(list(self.headers), axis=1).reset_index(drop=True)

    @cached_property
    def headers(self) -> tuple[str, ...]:
        """The columns' names, in the file's order: those without a heading by their place, doubles numbered."""
        return tuple(_numbered([name or f"Column {place}" for place, name in enumerate(self._headings, start=1)]))

    @property
    def rows(self) -> int:
        """How many contacts there are."""
        return len(self.cells) - self.has_headings

    @property
    def decimal_comma(self) -> bool:
        """Whether "47,5" is a number: a comma can be one where it parts no columns."""
        return self.delimiter != ","

    @property
    def notes(self) -> tuple[str, ...]:
        """What the person should know of the reading."""
        notes = list(self.told)
        if len(self.headers) == 1:
            known = ", ".join(DELIMITERS.values())
            notes.append(
                f"There is one column only. Columns are told apart by {known}: look whether the file uses one."
            )
        if self.has_headings and not all(self._headings):
            places = [name for name, heading in zip(self.headers, self._headings, strict=True) if not heading]
            notes.append(f"Columns without a heading are called by their place: {', '.join(places)}.")
        doubles = [name for name, number in Counter(filter(None, self._headings)).items() if number > 1]
        if doubles:
            notes.append(f"Several columns have one heading and are numbered: {', '.join(doubles)}.")
        return tuple(notes)

    @property
    def doubt(self) -> str | None:
        """Why a person should look at how the first row was taken; None where it names a column that is known."""
        first = self.cells.iloc[0].tolist()
        if names_a_column(first):
            return None
        shown = names([f"“{cell}”" for cell in first if cell])
        if self.has_headings:
            return f"Row {self.numbers[0]} was taken for headings, though none of them is known here: {shown}."
        return f"Row {self.numbers[0]} was taken for a contact, and columns are called by their place: {shown}."

    def row_number(self, row: int) -> int:
        """The number that a row of `frame` has in the file."""
        return self.numbers[row + self.has_headings]

    @cached_property
    def search_text(self) -> pd.Series[str]:
        """All cells of a row as one text without regard to case, to find a person by any of them."""
        joined = self.frame[self.headers[0]]
        for header in self.headers[1:]:
            joined = joined + "\n" + self.frame[header]
        return joined.str.lower()

    @property
    def _headings(self) -> list[str]:
        """What stands above each column; "" where nothing does."""
        return [" ".join(cell.split()) if self.has_headings else "" for cell in self.cells.iloc[0]]


def read_contacts(name: str, content: bytes) -> ContactFile:
    """Read a CSV file; a column's values stay the texts they are: no id is ever turned into a number.

    Raises Unreadable, which says what to do about a file that cannot be read.
    """
    text, encoding = decode(content)
    table = read_table(text, most_rows=MAX_ROWS)
    has_headings = _has_headings(table.rows[0])
    if has_headings and len(table.rows) == 1 and table.problems.left_out:
        first = next(problem for problem in table.problems.listed if problem.row > table.numbers[0])
        raise Unreadable(f"No row under the headings can be read. Row {first.row}: {first.words}")
    if has_headings and len(table.rows) == 1:
        raise Unreadable("There is a heading row and no contact under it. Add at least one row.")
    columns = list(zip(*table.rows, strict=True))
    told = []
    if encoding == "Windows-1252":
        told.append("The file is not UTF-8 and was read as Windows-1252: look whether accented letters are right.")
    padded = sum(cell != cell.strip() for cells in columns for cell in cells[1:])
    if padded:
        told.append(f"Blanks around {count(padded, 'value', 'values')} were taken off: they are judged without.")
    return ContactFile(
        name=name,
        cells=pd.DataFrame(dict(enumerate(map(_cleaned, columns)))),
        numbers=tuple(table.numbers),
        digest=hashlib.sha256(content).hexdigest()[:16],
        has_headings=has_headings,
        encoding=encoding,
        delimiter=table.delimiter,
        told=tuple(told),
        problems=table.problems,
    )


def _has_headings(first: Sequence[str]) -> bool:
    """Whether the first row reads like headings: an address or a number is none, unless a known name stands beside."""
    cells = [cell.strip() for cell in first]
    if any(map(_EMAIL.fullmatch, cells)):
        return False
    return names_a_column(cells) or not any(map(_NUMBER.fullmatch, cells))


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
