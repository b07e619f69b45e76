"""Read travelers from rows pasted from a spreadsheet."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from domain.file_import import traveler_cells
from domain.file_import.column_matching import Column, Group, match_columns
from domain.file_import.traveler_cells import SEPARATE_PEOPLE, Name, may_name_several, parse_names
from domain.geography.folding import fold
from domain.trips.editor.form_state import PhoneDraft, TravelerDraft

TOO_MANY: Final = "Remove the cells after the last column."
OPEN_QUOTES: Final = "Close quotation marks."
NO_HEADING: Final = "Add headings such as Employee ID, First name, Last name, Email, and Phone."
ADD_HEADINGS: Final = "Add headings, such as Name and Email, if the columns have another order."
ONE_ROW_PER_PERSON: Final = "Use one row per person, so that it is clear whose ID, address, or number it is."

_COLUMNS: Final = Group(
    "traveler",
    "Traveler",
    (
        Column(
            "employee_id",
            "Employee ID",
            aliases=traveler_cells.EMPLOYEE_ID,
            similar_names=("id", "staff", "staff no", "id number", "employee id number"),
        ),
        Column("first_name", "First name", aliases=traveler_cells.FIRST_NAME),
        Column("last_name", "Last name", aliases=traveler_cells.LAST_NAME),
        Column("emails", "Email", aliases=traveler_cells.EMAIL, allows_many=True),
        Column("phone", "Phone", aliases=traveler_cells.PHONE, allows_many=True),
        Column("name", "Name", aliases=traveler_cells.WHOLE_NAME),
    ),
    aliases=(*traveler_cells.TRAVELER_WORDS, "employee", "employees"),
).of(1)
_IN_ORDER: Final = [column.name for column in _COLUMNS[:5]]
_QUOTED: Final = re.compile(r"""^["'“”„«»‘’](.*)["'“”„«»‘’]$""")
_QUALIFIERS: Final = re.compile(
    r"\([^)]{0,99}\)|\b(?:legal|work|business|personal|private)\b"
    r"|\bof (?:the )?(?:travell?er|passenger|guest|employee)\b",
    re.IGNORECASE,
)
_HEADING: Final = re.compile(r"\b(?:id|number|no|nr|\w*name)s?\b")
_NUMBERED: Final = re.compile(r"(?<=\w\w)\W?\d{1,2}$")
_NO_HEADING: Final = re.compile(r"[\d@]")


class PastedTravelers(NamedTuple):
    """The travelers in pasted rows, the rows that cannot be read, and the headings of columns that are not used.

    `heading` is the heading row of the unread rows, or empty. `advice` says how to correct the unread rows.
    """

    travelers: list[TravelerDraft]
    unread_rows: list[str]
    unused_headings: list[str]
    heading: str = ""
    advice: tuple[str, ...] = ()

    @property
    def unread_text(self) -> str:
        """The rows that cannot be read, below their heading row."""
        return "\n".join(filter(None, [self.heading, *self.unread_rows])) if self.unread_rows else ""


def pasted_travelers(text: str) -> PastedTravelers:
    """Read rows whose cells are separated by tabs, semicolons, or commas, which may differ by row.

    Headings name the columns. Without headings, the order is employee ID, first name, last name, email, and phone.
    """
    travelers: list[TravelerDraft] = []
    unread_rows: dict[str, str] = {}
    unused_headings: list[str] = []
    heading, order = "", _IN_ORDER
    for line in text.splitlines():
        # In a column of whole names, commas and semicolons are part of the names.
        mark = next((mark for mark in "\t;," if mark in line and order != ["name"]), "\t")
        try:
            row = next(csv.reader([line], delimiter=mark, skipinitialspace=True, strict=True), [])
        except csv.Error:
            unread_rows[line] = OPEN_QUOTES
            continue
        cells = [_QUOTED.sub(r"\1", cell.strip()).strip() for cell in row]
        columns = _columns_of(cells)
        if not any(cells):
            continue
        if _is_heading(cells, columns):
            heading, order = line, _IN_ORDER if columns == _IN_ORDER[: len(columns)] else columns
            unused_headings += [cell for cell, name in zip(cells, columns, strict=True) if cell and not name]
            continue
        try:
            travelers += _in_row(cells, order, is_headed=bool(heading))
        except ValueError as error:
            unread_rows[line] = str(error)
    return PastedTravelers(
        travelers, list(unread_rows), unused_headings, heading, tuple(dict.fromkeys(unread_rows.values()))
    )


def _columns_of(cells: list[str]) -> list[str]:
    """Return the field of each column by its heading; empty for an unknown heading."""
    bare = [_QUALIFIERS.sub(" ", cell).strip() or cell for cell in cells]
    matches = match_columns(list(dict.fromkeys(filter(None, bare))), _COLUMNS)
    meant = {heading: name for name, match in matches.items() for heading in match.headers}
    order = [meant.get(cell, "") for cell in bare]
    if "name" in order:
        # Next to first names, a column “Name” has the last names, and the other way round.
        lacking = [name for name in ("first_name", "last_name") if name not in order]
        other = "name" if len(lacking) == 2 else "".join(lacking)
        order = [other if name == "name" else name for name in order]
    once = [name for name in order if name not in ("emails", "phone")]
    return [name if name not in once or order.index(name) == at else "" for at, name in enumerate(order)]


def _is_heading(cells: list[str], columns: Sequence[str]) -> bool:
    named = sum(bool(name or _HEADING.search(fold(cell))) for cell, name in zip(cells, columns, strict=True))
    fits = named > 1 or named == sum(map(bool, cells))
    return fits and not any(_NO_HEADING.search(_NUMBERED.sub("", cell)) for cell in cells)


def _in_row(cells: Sequence[str], order: Sequence[str], *, is_headed: bool) -> list[TravelerDraft]:
    """Return the travelers in a row, usually one. Raise ValueError with advice if the row is ambiguous."""
    if not any(order):
        raise ValueError(NO_HEADING)
    if any(cells[len(order) :]):
        raise ValueError(TOO_MANY)
    by_column: dict[str, list[str]] = {}
    for name, cell in zip(order, cells, strict=False):
        if name and cell:
            by_column.setdefault(name, []).append(cell)
    one = {name: values[0] for name, values in by_column.items()}
    employee_id, first, last = (one.get(name, "") for name in _IN_ORDER[:3])
    is_name = " " in employee_id and not _NO_HEADING.search(employee_id)
    if not is_headed and (is_name or "@" in first + last):
        raise ValueError(ADD_HEADINGS)
    if may_name_several(one.get("name", "")):
        raise ValueError(SEPARATE_PEOPLE)
    names = parse_names(one.get("name", "")) or [Name(first, last)]
    if len(names) > 1 and len(by_column) > 1:
        raise ValueError(ONE_ROW_PER_PERSON)
    return [
        TravelerDraft(
            employee_id=employee_id,
            first_name=name.first,
            last_name=name.last,
            emails=", ".join(by_column.get("emails", [])),
            phones=[PhoneDraft(number=number) for number in by_column.get("phone", [])],
        )
        for name in names
        if by_column
    ]
