"""Reading a roster out of a CSV file or pasted text: which trips, who travels on them, and which rows are wrong."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from journal import RosterEntry, Traveller

MAX_BYTES: Final = 10_000_000
MAX_ROWS: Final = 100_000
MAX_LOCATOR_LENGTH: Final = 64

Field: TypeAlias = Literal["record_locator", "employee_id", "first_name", "last_name", "name"]

# Header spellings, reduced to their letters and digits.
HEADERS: Final[dict[str, Field]] = {
    **dict.fromkeys(
        (
            "recordlocator",
            "recordlocators",
            "locator",
            "locators",
            "recloc",
            "pnr",
            "pnrs",
            "pnrlocator",
            "bookingreference",
            "bookingref",
            "bookingcode",
            "confirmationcode",
            "trip",
            "reference",
        ),
        "record_locator",
    ),
    **dict.fromkeys(
        (
            "employeeid",
            "employee",
            "employeenumber",
            "employeeno",
            "externalid",
            "contactexternalid",
            "personid",
            "staffid",
            "staffnumber",
            "travellerid",
            "travelerid",
        ),
        "employee_id",
    ),
    **dict.fromkeys(("firstname", "givenname", "forename", "first"), "first_name"),
    **dict.fromkeys(("lastname", "surname", "familyname", "last"), "last_name"),
    **dict.fromkeys(
        ("name", "fullname", "traveller", "traveler", "travellername", "travelername", "passenger"), "name"
    ),
}

# ASSUMPTION A75: record locators are kept and compared as they were written, their case included.
_LOCATOR: Final = re.compile(r"[^\W_](?:[\w./#:+-]*)")
_SEPARATORS: Final = re.compile(r"[\s,;|]+")


@dataclass(frozen=True)
class RowProblem:
    """A row that could not be used as it stands; `row` counts lines from 1, `text` is what stands there."""

    row: int
    text: str
    words: str


@dataclass(frozen=True)
class RosterFile:
    """What was read: a trip once each in the order given, the repeats left out, and the rows with problems."""

    entries: list[RosterEntry] = field(default_factory=list)
    problems: list[RowProblem] = field(default_factory=list)
    duplicates: int = 0

    @property
    def traveller_count(self) -> int:
        """Count the different people named."""
        return len({traveller.external_id for entry in self.entries for traveller in entry.travellers})


def read_roster(source: bytes | str) -> RosterFile:
    """Read a roster from a CSV file's bytes or from pasted text.

    With a header, columns are found by its spellings, one row a traveller a trip. Without one, everything is a list of
    record locators parted by commas, semicolons, spaces or lines. Never raises: what is wrong comes back as problems.
    """
    if len(source) > MAX_BYTES:
        return RosterFile(problems=[RowProblem(1, "", "The file is larger than 10 MB; a roster is far smaller.")])
    text = source if isinstance(source, str) else _decode(source)
    if text is None:
        return RosterFile(problems=[RowProblem(1, "", "This is not text. Save the sheet as CSV and take that file.")])
    if text.startswith("\ufeff"):
        text = text[1:]
    rows = _rows(text)
    header = next(((line, cells) for line, cells in rows if any(cells)), None)
    if header is None:
        return RosterFile()
    columns = _columns(header[1])
    if "record_locator" in columns:
        return _read_table([row for row in rows if row[0] > header[0]], columns)
    if len(columns) >= 2 and len(columns) == sum(map(bool, header[1])):
        words = "No column is headed as the record locator. Call one “record_locator”, “locator” or “PNR”."
        return RosterFile(problems=[RowProblem(header[0], ", ".join(header[1]), words)])
    return _read_list(text)


def _decode(source: bytes) -> str | None:
    if source.startswith((b"\xff\xfe", b"\xfe\xff")):
        return source.decode("utf-16", errors="replace")
    if b"\x00" in source or source.startswith(b"PK\x03\x04"):
        return None
    try:
        return source.decode("utf-8-sig")
    except UnicodeDecodeError:
        return source.decode("cp1252", errors="replace")


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """Split text into (line number, cells), by the separator that its first line uses."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = max("\t;|,", key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    rows: list[tuple[int, list[str]]] = []
    while True:
        line = reader.line_num + 1
        try:
            rows.append((line, [cell.strip() for cell in next(reader)]))
        except StopIteration:
            return rows
        except csv.Error:
            rows.append((line, []))


def _columns(header: Sequence[str]) -> dict[Field, int]:
    columns: dict[Field, int] = {}
    for index, cell in enumerate(header):
        known = HEADERS.get(re.sub(r"[\W_]+", "", cell.casefold()))
        if known is not None:
            columns.setdefault(known, index)
    return columns


def _read_table(rows: list[tuple[int, list[str]]], columns: dict[Field, int]) -> RosterFile:
    travellers: dict[str, dict[str, Traveller]] = {}
    seen: set[tuple[str, ...]] = set()
    problems: list[RowProblem] = []
    duplicates = 0
    for line, cells in rows:
        if not any(cells):
            continue
        if len(seen) >= MAX_ROWS:
            problems.append(
                RowProblem(line, "", f"Everything from here on was left out: {MAX_ROWS:,} rows is the most.")
            )
            break
        locator = _cell(cells, columns, "record_locator")
        traveller = _traveller(cells, columns)
        shown = ", ".join(cell for cell in cells if cell)
        problem = _locator_problem(locator)
        if problem:
            problems.append(RowProblem(line, shown, problem))
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
            words = "Trip taken, name left out: it has no employee id."
            problems.append(RowProblem(line, shown, words))
    entries = [RosterEntry(locator, list(people.values())) for locator, people in travellers.items()]
    return RosterFile(entries, problems, duplicates)


def _read_list(text: str) -> RosterFile:
    locators: dict[str, None] = {}
    problems: list[RowProblem] = []
    duplicates = 0
    for line, content in enumerate(text.splitlines(), start=1):
        for word in filter(None, (part.strip("\"'") for part in _SEPARATORS.split(content))):
            problem = _locator_problem(word)
            if problem:
                problems.append(RowProblem(line, word, problem))
            elif word in locators:
                duplicates += 1
            elif len(locators) >= MAX_ROWS:
                problems.append(RowProblem(line, word, f"Left out from here on: {MAX_ROWS:,} trips is the most."))
                return RosterFile([RosterEntry(locator) for locator in locators], problems, duplicates)
            else:
                locators[word] = None
    return RosterFile([RosterEntry(locator) for locator in locators], problems, duplicates)


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


def _locator_problem(locator: str) -> str | None:
    if not locator:
        return "The record locator is empty."
    if len(locator) > MAX_LOCATOR_LENGTH:
        return f"Too long for a record locator: {len(locator)} characters."
    if not _LOCATOR.fullmatch(locator):
        return "A record locator holds letters and digits, no spaces."
    return None
