"""Read rosters from files and pasted text: rows with record locators and travelers, or a list of record locators."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Final

from domain.file_import import traveler_cells
from domain.file_import.checking import Check
from domain.file_import.column_matching import Column, Group, count_known_headings
from domain.file_import.column_types import Parsed, Text
from domain.file_import.delimited import MAX_COLUMNS, MAX_LINES, Table, Unreadable, first_row, split_lines
from domain.file_import.import_declaration import ImportDeclaration
from domain.file_import.row_problems import Problem, Rows
from domain.file_import.traveler_cells import Name, parse_names, strip_decimal_zero
from journal import RosterEntry, Traveler, normalize_locator

MAX_ROWS: Final = 100_000
MAX_LOCATOR_LENGTH: Final = 64
KEEP_IMPORTED_FOR: Final = timedelta(days=30)
"""How long a trip stays in the roster of imports after it ends. People ask later who was where."""

LOCATOR_HEADINGS: Final = (
    *("record locators", "locator", "locators", "recloc", "rec loc", "rloc", "pnr", "pnrs", "pnr locator"),
    *("pnr number", "gds locator", "booking reference", "booking ref", "booking code", "booking"),
    *("confirmation code", "trip reference", "reservation", "reference", "file", "dossier", "localizador"),
    *("buchungscode", "buchung", "buchungsnummer", "buchungsnr", "reservierung", "reservierungsnummer"),
    *("réservation", "reserva"),
)
"""Headings of the column of record locators."""

_LOCATOR: Final = re.compile(r"[^\W_](?:[\w./#:+-]*)")
_WORD: Final = re.compile(r"[^\s,;|]+")
_ONE_LINE: Final = Text(pattern=r"[^\n]*", message="This value spans several lines. A quotation mark may be missing.")
_ONE_LINE_ID: Final = replace(_ONE_LINE, normalizer=strip_decimal_zero)


@dataclass(frozen=True)
class RosterTrips:
    """The trips of a file, each once and in order, and how many repeats were left out."""

    entries: list[RosterEntry] = field(default_factory=list)
    repeats: int = 0

    @property
    def traveler_count(self) -> int:
        """The number of distinct travelers."""
        return len({traveler.external_id for entry in self.entries for traveler in entry.travelers})


def locator_problem(locator: str) -> str | None:
    """Return why a roster cannot contain this record locator; None if it can."""
    if not locator:
        return "The record locator is empty."
    if len(locator) > MAX_LOCATOR_LENGTH:
        return f"The record locator is too long. The limit is {MAX_LOCATOR_LENGTH} characters."
    if not _LOCATOR.fullmatch(locator):
        return "A record locator must have letters and digits, and no spaces."
    return None


def read_locator(text: str) -> str:
    """Check a record locator. Raise ValueError if a roster cannot contain it."""
    problem = locator_problem(text)
    if problem:
        raise ValueError(problem)
    return text


def _name_without_id(rows: Rows) -> Iterator[Problem]:
    named = (rows.texts[["first_name", "last_name", "name"]] != "").any(axis=1)
    alone = (named & (rows.texts["employee_id"] == "")).to_numpy(dtype=bool)
    words = "Muster imports the trip without this name, because the employee ID is missing."
    yield Problem(alone, "employee_id", words, is_error=False)


def _list_of_locators(text: str) -> Table | None:
    """Read record locators separated by commas, semicolons, spaces, or lines; None if the text is a table."""
    first, delimiter = first_row(text)
    if count_known_headings(first, ROSTER.columns) or not any(first):
        return None
    lines = list(split_lines(text))
    words = [(number, found[0].strip("\"'")) for number, line in enumerate(lines, 1) for found in _WORD.finditer(line)]
    words = [(number, word) for number, word in words if word]
    filled = [line for line in lines if line.strip()]
    cells = {line.count(delimiter) for line in filled}
    is_table = (len(cells) == 1 and cells != {0}) or max(cells) >= MAX_COLUMNS
    if len(filled) > 1 and is_table and len({len(word) for _, word in words}) > 1:
        return None
    if len({normalize_locator(word) for _, word in words}) > MAX_ROWS or len(words) > MAX_LINES:
        raise Unreadable(f"The list has more than {MAX_ROWS:,} trips. Split it into smaller lists.")
    table = Table(delimiter, [["record_locator"]], [0])
    for number, word in words:
        problem = None if locator_problem(word) else _word_problem(word)
        if problem:
            table.problems.skip(number, word, problem)
        else:
            table.rows.append([word])
            table.numbers.append(number)
    return table


def _word_problem(word: str) -> str | None:
    """Return the problem of a word that is more likely a name or a heading than a record locator."""
    if word == word.upper() or any(map(str.isdigit, word)):
        return None
    return "it looks like a word. If it is a record locator, add the heading “record_locator” above the list."


_TRAVELER: Final = Group(
    "traveler",
    "Traveler",
    (
        Column(
            "employee_id",
            "Employee ID",
            replace(_ONE_LINE, normalizer=strip_decimal_zero),
            aliases=traveler_cells.EMPLOYEE_ID,
            is_code=True,
        ),
        Column("first_name", "First name", _ONE_LINE, aliases=traveler_cells.FIRST_NAME),
        Column("last_name", "Last name", _ONE_LINE, aliases=traveler_cells.LAST_NAME),
        Column(
            "name",
            "Name",
            _ONE_LINE,
            aliases=traveler_cells.WHOLE_NAME,
            help="First and last name in one: “Silva, Ana” or “Ana Silva”.",
        ),
    ),
    aliases=(*traveler_cells.TRAVELER_WORDS, "employee", "employees"),
).of(1)
ROSTER: Final = ImportDeclaration(
    kind="roster",
    noun=("trip", "trips"),
    columns=(
        Column(
            "record_locator",
            "Record locator",
            Parsed(read_locator, normalizer=strip_decimal_zero),
            aliases=LOCATOR_HEADINGS,
            required=True,
            key=normalize_locator,
            is_code=True,
        ),
        *_TRAVELER,
    ),
    rules=(_name_without_id,),
    most_rows=MAX_ROWS,
    custom_reader=_list_of_locators,
    help="One row per traveler and trip, or record locators alone.",
    placeholder="WSVM7K, QX2R9T …\nor rows with a heading: record_locator, employee_id, first_name, last_name",
)


def trips_of(rows: Rows) -> RosterTrips:
    """Build trips from rows. Rows with the same record locator are one trip with all their travelers."""
    written: dict[str, str] = {}
    travelers: dict[str, dict[str, Traveler]] = {}
    seen: set[tuple[str, ...]] = set()
    repeats = 0
    texts = rows.texts
    for locator, employee, first, last, whole in zip(*(texts[column.name] for column in ROSTER.columns), strict=True):
        traveler = _traveler(employee, first, last, whole)
        key = normalize_locator(locator)
        key_of_row = (key, traveler.external_id, traveler.name)
        repeats += key_of_row in seen
        seen.add(key_of_row)
        written.setdefault(key, locator)
        people = travelers.setdefault(key, {})
        if traveler.external_id:
            people.setdefault(traveler.external_id, traveler)
    entries = [RosterEntry(locator, list(travelers[key].values())) for key, locator in written.items()]
    return RosterTrips(entries, repeats)


def read_roster(source: bytes | str) -> Sequence[RosterEntry]:
    """Read the trips of a file without problems, such as a roster that Muster wrote. Raise Unreadable."""
    return trips_of(Check.of(ROSTER, "roster.csv", source).ready).entries


def _traveler(employee: str, first: str, last: str, whole: str) -> Traveler:
    if first or last:
        return Traveler(employee, first, last)
    try:
        name = next(iter(parse_names(whole)), Name("", ""))
    except ValueError:
        name = Name("", whole)
    return Traveler(employee, name.first, name.last)
