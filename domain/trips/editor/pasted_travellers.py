"""Travellers out of rows that were pasted from a spreadsheet: which cell is what, and what nobody can tell."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from domain.file_import import traveller_cells
from domain.file_import.column_matching import Column, Group, match_columns
from domain.file_import.traveller_cells import MAY_BE_TWO, Name, may_name_several, names_in
from domain.geography.folding import fold
from domain.trips.editor.form_state import PhoneDraft, TravellerDraft

TOO_MANY: Final = "Give each row no more cells than there are columns."
OPEN_QUOTES: Final = "Close quotation marks."
NO_HEADING: Final = "Head the columns with words such as Employee id, First name, Last name, E-mail and Phone."
ANOTHER_ORDER: Final = "Put headings above rows in another order, such as Name and E-mail."
WHOSE: Final = "Give each person a row of their own: whose the id, address or number is cannot be told."

_COLUMNS: Final = Group(
    "traveller",
    "Traveller",
    (
        Column(
            "employee_id",
            "Employee id",
            aliases=traveller_cells.EMPLOYEE_ID,
            similar_names=("id", "staff", "staff no", "id number", "employee id number"),
        ),
        Column("first_name", "First name", aliases=traveller_cells.FIRST_NAME),
        Column("last_name", "Last name", aliases=traveller_cells.LAST_NAME),
        Column("emails", "E-mail", aliases=traveller_cells.EMAIL, allows_many=True),
        Column("phone", "Phone", aliases=traveller_cells.PHONE, allows_many=True),
        Column("name", "Name", aliases=traveller_cells.WHOLE_NAME),
    ),
    aliases=(*traveller_cells.WHO, "employee", "employees"),
).of(1)
_IN_ORDER: Final = [column.name for column in _COLUMNS[:5]]
_QUOTED: Final = re.compile(r"""^["'“”„«»‘’](.*)["'“”„«»‘’]$""")
_MORE_SAID: Final = re.compile(
    r"\([^)]*\)|\b(?:legal|work|business|personal|private)\b|\bof (?:the )?(?:travell?er|passenger|guest|employee)\b",
    re.IGNORECASE,
)
_HEADING: Final = re.compile(r"\b(?:id|number|no|nr|\w*name)s?\b")
_NUMBERED: Final = re.compile(r"(?<=\w\w)\W?\d{1,2}$")
_NO_HEADING: Final = re.compile(r"[\d@]")


class PastedTravellers(NamedTuple):
    """Travellers out of pasted rows, the rows that cannot be read, and the headings of columns that are not taken.

    `heading` is the row of headings that the rows below it are read by, "" where there is none; `advice` is what would
    let the unread ones be read.
    """

    travellers: list[TravellerDraft]
    unread: list[str]
    left_out: list[str]
    heading: str = ""
    advice: tuple[str, ...] = ()

    @property
    def left_to_mend(self) -> str:
        """What cannot be read, under its headings."""
        return "\n".join(filter(None, [self.heading, *self.unread])) if self.unread else ""


def pasted_travellers(text: str) -> PastedTravellers:
    """Read rows pasted from a spreadsheet, their cells parted by tabs, semicolons or commas, whichever a row has.

    Headings say which column is what; without them it is employee id, first name, last name, e-mail and phone.
    """
    travellers: list[TravellerDraft] = []
    unread: dict[str, str] = {}
    left_out: list[str] = []
    heading, order = "", _IN_ORDER
    for line in text.splitlines():
        # In a column of names alone, commas and semicolons stand between names.
        mark = next((mark for mark in "\t;," if mark in line and order != ["name"]), "\t")
        try:
            row = next(csv.reader([line], delimiter=mark, skipinitialspace=True, strict=True), [])
        except csv.Error:
            unread[line] = OPEN_QUOTES
            continue
        cells = [_QUOTED.sub(r"\1", cell.strip()).strip() for cell in row]
        said = _order_said(cells)
        if not any(cells):
            continue
        if _is_heading(cells, said):
            heading, order = line, _IN_ORDER if said == _IN_ORDER[: len(said)] else said
            left_out += [cell for cell, name in zip(cells, said, strict=True) if cell and not name]
            continue
        try:
            travellers += _in_row(cells, order, is_headed=bool(heading))
        except ValueError as error:
            unread[line] = str(error)
    return PastedTravellers(travellers, list(unread), left_out, heading, tuple(dict.fromkeys(unread.values())))


def _order_said(cells: list[str]) -> list[str]:
    """Which field each column is by its heading, "" for none."""
    bare = [_MORE_SAID.sub(" ", cell).strip() or cell for cell in cells]
    matches = match_columns(list(dict.fromkeys(filter(None, bare))), _COLUMNS)
    meant = {heading: name for name, match in matches.items() for heading in match.headers}
    order = [meant.get(cell, "") for cell in bare]
    if "name" in order:
        # Beside a column of first names it is that of the last ones, and the other way round.
        lacking = [name for name in ("first_name", "last_name") if name not in order]
        other = "name" if len(lacking) == 2 else "".join(lacking)
        order = [other if name == "name" else name for name in order]
    once = [name for name in order if name not in ("emails", "phone")]
    return [name if name not in once or order.index(name) == at else "" for at, name in enumerate(order)]


def _is_heading(cells: list[str], said: Sequence[str]) -> bool:
    named = sum(bool(name or _HEADING.search(fold(cell))) for cell, name in zip(cells, said, strict=True))
    fits = named > 1 or named == sum(map(bool, cells))
    return fits and not any(_NO_HEADING.search(_NUMBERED.sub("", cell)) for cell in cells)


def _in_row(cells: Sequence[str], order: Sequence[str], *, is_headed: bool) -> list[TravellerDraft]:
    """The travellers of a row, one as a rule. Raises ValueError, in words, where nobody can tell who that is."""
    if not any(order):
        raise ValueError(NO_HEADING)
    if any(cells[len(order) :]):
        raise ValueError(TOO_MANY)
    told: dict[str, list[str]] = {}
    for name, cell in zip(order, cells, strict=False):
        if name and cell:
            told.setdefault(name, []).append(cell)
    one = {name: values[0] for name, values in told.items()}
    employee_id, first, last = (one.get(name, "") for name in _IN_ORDER[:3])
    is_name = " " in employee_id and not _NO_HEADING.search(employee_id)
    if not is_headed and (is_name or "@" in first + last):
        raise ValueError(ANOTHER_ORDER)
    if may_name_several(one.get("name", "")):
        raise ValueError(MAY_BE_TWO)
    names = names_in(one.get("name", "")) or [Name(first, last)]
    if len(names) > 1 and len(told) > 1:
        raise ValueError(WHOSE)
    return [
        TravellerDraft(
            employee_id=employee_id,
            first_name=name.first,
            last_name=name.last,
            emails=", ".join(told.get("emails", [])),
            phones=[PhoneDraft(number=number) for number in told.get("phone", [])],
        )
        for name in names
        if told
    ]
