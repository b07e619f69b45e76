"""Read names for IDs from files and pasted text: a table, or lines with an ID and a name."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import Final

from domain.file_import.checking import Check
from domain.file_import.column_matching import Column, count_known_headings
from domain.file_import.column_types import Choice, Parsed, Text
from domain.file_import.delimited import Table, first_row, split_lines
from domain.file_import.import_declaration import ImportDeclaration
from domain.file_import.row_problems import find_repeats
from domain.filters.names.id_names import KIND_LABELS, IdKind
from domain.filters.names.stored_names import MAX_NAME_LENGTH, MAX_NAMES
from domain.text.plain_text import NOT_AN_ID, id_in

_SPELLINGS: Final[dict[str, IdKind]] = {
    **{spelling: kind for kind, label in KIND_LABELS.items() for spelling in (label, f"{label}s")},
    "field": "contact field",
    "fields": "contact field",
    "attribute": "custom attribute",
    "attributes": "custom attribute",
    "path": "delivery path",
    "paths": "delivery path",
    "delivery method": "delivery path",
}


def _read_id(text: str) -> int:
    number = id_in(text)
    if number is None:
        raise ValueError(f"“{{}}” is not an ID. {NOT_AN_ID}")
    return number


def _lines_without_headings(text: str) -> Table | None:
    """Read lines with an ID and a name, and perhaps the type, in any order; None if the text has headings."""
    first, delimiter = first_row(text)
    if count_known_headings(first, NAME_FILE.columns) or not any(first):
        return None
    kinds = {spelling.casefold() for spelling in _SPELLINGS}
    table = Table(delimiter, [["type", "id", "name"]], [0])
    for number, line in enumerate(split_lines(text), start=1):
        cells = (
            [cell.strip().strip('"') for cell in line.split(delimiter)] if delimiter in line else line.split(None, 1)
        )
        kind = next((cell for cell in cells if cell.casefold() in kinds), "")
        rest = [cell for cell in cells if cell and cell is not kind]
        id_text = next((cell for cell in rest if id_in(cell) is not None), "")
        if not rest:
            continue
        if not id_text and number == 1:
            # Unknown headings, which a person can match.
            return None
        table.rows.append([kind, id_text, " ".join(cell for cell in rest if cell is not id_text)])
        table.numbers.append(number)
    if any(row[0] for row in table.rows[1:]):
        return table
    # One type for all rows is asked for.
    return replace(table, rows=[row[1:] for row in table.rows])


NAME_FILE: Final = ImportDeclaration(
    kind="id_name",
    noun=("name", "names"),
    columns=(
        Column("type", "Type", Choice(_SPELLINGS), aliases=("kind", "object", "category"), required=True),
        Column(
            "id",
            "ID",
            Parsed(_read_id),
            aliases=("number", "identifier", "group id", "field id", "attribute id", "contact field id"),
            required=True,
        ),
        Column(
            "name",
            "Name",
            Text(MAX_NAME_LENGTH),
            aliases=("title", "label", "group name", "field name", "attribute name", "description"),
            required=True,
        ),
    ),
    rules=(find_repeats("type", "id", message="Another row has the same type and ID."),),
    most_rows=MAX_NAMES,
    custom_reader=_lines_without_headings,
    help="Columns: type, ID, and name.",
    placeholder="Group; 310; Fire wardens",
)


def names_in(check: Check) -> dict[IdKind, dict[int, str]]:
    """Return the names of the rows that are ready."""
    found: defaultdict[IdKind, dict[int, str]] = defaultdict(dict)
    for row in check.ready.records():
        found[row["type"]][int(row["id"])] = str(row["name"])
    return dict(found)
