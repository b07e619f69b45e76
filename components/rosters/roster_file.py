"""Reading a roster out of a CSV file or pasted text: which trips, who travels on them, and which rows are wrong."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal, TypeAlias

from components.intake.delimited import (
    MAX_COLUMNS,
    MAX_LINES,
    RowProblems,
    Unreadable,
    decode,
    first_row,
    lines_of,
    read_table,
)
from components.widgets.number_text import names
from journal import RosterEntry, Traveller

MAX_ROWS: Final = 100_000
MAX_LOCATOR_LENGTH: Final = 64

Field: TypeAlias = Literal["record_locator", "employee_id", "first_name", "last_name", "name"]

# Header spellings, reduced to their letters and digits.
_SPELLINGS: Final[dict[Field, str]] = {
    "record_locator": "recordlocator recordlocators locator locators recloc pnr pnrs pnrlocator bookingreference "
    "bookingref bookingcode confirmationcode trip reference",
    "employee_id": "employeeid employee employeenumber employeeno externalid contactexternalid personid staffid "
    "staffnumber travellerid travelerid",
    "first_name": "firstname givenname forename first",
    "last_name": "lastname surname familyname last",
    "name": "name fullname traveller traveler travellername travelername passenger",
}
HEADERS: Final = {spelling: name for name, spellings in _SPELLINGS.items() for spelling in spellings.split()}

# ASSUMPTION A75: record locators are kept and compared as they were written, their case included.
_LOCATOR: Final = re.compile(r"[^\W_](?:[\w./#:+-]*)")
_WORD: Final = re.compile(r"[^\s,;|]+")


@dataclass(frozen=True)
class RosterFile:
    """What was read: a trip once each in the order given, the repeats left out, and the rows with problems.

    `refused` says why nothing was read at all; `notes` are what the person should know of the reading.
    """

    entries: list[RosterEntry] = field(default_factory=list)
    problems: RowProblems = field(default_factory=RowProblems)
    duplicates: int = 0
    notes: tuple[str, ...] = ()
    refused: str | None = None

    @property
    def traveller_count(self) -> int:
        """Count the different people named."""
        return len({traveller.external_id for entry in self.entries for traveller in entry.travellers})


def read_roster(source: bytes | str) -> RosterFile:
    """Read a roster from a CSV file's bytes or from pasted text.

    With a header, columns are found by its spellings, one row a traveller a trip. Without one, everything is a list of
    record locators parted by commas, semicolons, spaces or lines. Never raises: what is wrong is in what comes back.
    """
    try:
        text, encoding = decode(source)
        read = _read_table(text) if _columns(first_row(text)[0]) else _read_list(text)
    except Unreadable as error:
        return RosterFile(refused=str(error))
    if encoding == "Windows-1252":
        note = "The file is not UTF-8 and was read as Windows-1252: look whether accented letters are right."
        return replace(read, notes=(*read.notes, note))
    return read


def _columns(header: Sequence[str]) -> dict[Field, int]:
    columns: dict[Field, int] = {}
    for index, cell in enumerate(header):
        known = HEADERS.get(re.sub(r"[\W_]+", "", cell.casefold()))
        if known is not None:
            columns.setdefault(known, index)
    return columns


def _read_table(text: str) -> RosterFile:
    table = read_table(text, most_rows=MAX_ROWS)
    columns = _columns(table.rows[0])
    if "record_locator" not in columns:
        raise Unreadable("No column is headed as the record locator. Call one “record_locator”, “locator” or “PNR”.")
    if len(table.rows) == 1 and not table.problems.left_out:
        raise Unreadable("There is a row of headings and nothing under it. Add the trips, a row each.")
    travellers: dict[str, dict[str, Traveller]] = {}
    seen: set[tuple[str, ...]] = set()
    problems = table.problems
    duplicates = 0
    for number, row in zip(table.numbers[1:], table.rows[1:], strict=True):
        cells = [cell.strip() for cell in row]
        locator = _cell(cells, columns, "record_locator")
        traveller = _traveller(cells, columns)
        shown = ", ".join(filter(None, cells))
        problem = locator_problem(locator)
        if "\n" in traveller.name + traveller.external_id:
            problem = "a name or id of it goes over several lines: look whether a quotation mark is missing."
        if problem:
            problems.leave_out(number, shown, problem)
            continue
        key = (locator, traveller.external_id, traveller.name)
        if key in seen:
            duplicates += 1
            continue
        seen.add(key)
        people = travellers.setdefault(locator, {})
        if traveller.external_id:
            people.setdefault(traveller.external_id, traveller)
        elif traveller.name:
            problems.take_in_part(number, shown, "Trip taken, name left out: it has no employee id.")
    entries = [RosterEntry(locator, list(people.values())) for locator, people in travellers.items()]
    others = [f"“{cell.strip()}”" for place, cell in enumerate(table.rows[0]) if place not in columns.values()]
    notes = (f"Columns that are not read: {names(others)}.",) if others else ()
    return RosterFile(entries, problems, duplicates, notes)


def _read_list(text: str) -> RosterFile:
    locators: dict[str, None] = {}
    problems = RowProblems()
    words = 0
    _, delimiter = first_row(text)
    lengths: set[int] = set()
    separators: set[int] = set()
    filled = 0
    for number, line in enumerate(lines_of(text), start=1):
        if line.strip():
            filled += 1
            separators.add(line.count(delimiter))
        for found in _WORD.finditer(line):
            word = found[0].strip("\"'")
            if not word:
                continue
            words += 1
            lengths.add(len(word))
            problem = locator_problem(word) or _word_problem(word)
            if problem:
                problems.leave_out(number, word, problem)
            else:
                locators[word] = None
            if len(locators) > MAX_ROWS or words > MAX_LINES:
                raise Unreadable(f"It holds more than {MAX_ROWS:,} trips, the most that a roster takes.")
    is_table = separators != {0} and (len(separators) == 1 or max(separators, default=0) >= MAX_COLUMNS)
    if filled > 1 and is_table and len(lengths) > 1:
        raise Unreadable(
            "There are rows of several columns, and no heading says which one holds the record locators. Put a row of "
            "headings above them, one of them “record_locator”; or give the record locators alone, one a line."
        )
    entries = [RosterEntry(locator) for locator in locators]
    return RosterFile(entries, problems, words - problems.left_out - len(entries))


def _cell(cells: Sequence[str], columns: dict[Field, int], name: Field) -> str:
    index = columns.get(name)
    return cells[index] if index is not None and index < len(cells) else ""


def _traveller(cells: Sequence[str], columns: dict[Field, int]) -> Traveller:
    first, last = _cell(cells, columns, "first_name"), _cell(cells, columns, "last_name")
    whole = _cell(cells, columns, "name")
    if whole and not (first or last):
        if "," in whole:
            last, _, first = (part.strip() for part in whole.partition(","))
        else:
            first, _, last = (part.strip() for part in whole.rpartition(" "))
    return Traveller(_cell(cells, columns, "employee_id"), first, last)


def locator_problem(locator: str) -> str | None:
    """Say why no roster can hold a trip under this record locator; None where one can."""
    if not locator:
        return "the record locator is empty."
    if len(locator) > MAX_LOCATOR_LENGTH:
        return f"too long for a record locator: {len(locator)} characters."
    if not _LOCATOR.fullmatch(locator):
        return "a record locator holds letters and digits, no spaces."
    return None


def _word_problem(word: str) -> str | None:
    """What of a list without a heading is more likely a name, or a heading that is not known."""
    if word == word.upper() or any(map(str.isdigit, word)):
        return None
    return "it reads like a word. If it is a record locator, put the heading “record_locator” above the list."
