"""Names for IDs are read from tables with headings, and from lines without them."""

from __future__ import annotations

import pytest

from domain.file_import.checking import Check
from domain.filters.names.name_file import NAME_FILE, names_in


def read(text: str) -> Check:
    """Read a pasted text."""
    return Check.of(NAME_FILE, "pasted", text)


@pytest.mark.parametrize(
    "text",
    [
        "Type,ID,Name\nGroup,310,Fire wardens\nrecord types,9,Contractor\n",
        "name\tkind\tgroup id\nFire wardens\tgroups\t310\nContractor\tRecord type\t9\n",
        "Group; 310; Fire wardens\nRecord type; 9; Contractor\n",
        "310,Fire wardens,group\nContractor,9,record type\n",
    ],
)
def test_a_table_is_read_in_any_order_with_or_without_headings(text: str) -> None:
    """Every row has a type, an ID, and a name."""
    assert names_in(read(text)) == {"group": {310: "Fire wardens"}, "record type": {9: "Contractor"}}


def test_the_type_is_asked_for_once_if_no_row_has_one() -> None:
    """As in a list that was copied from the service's own screen."""
    check = read("310 Fire wardens\n311 First aid\n")
    assert [column.label for column in check.missing] == ["Type"]
    check.add_column(check.missing[0], "Group")
    assert names_in(check) == {"group": {310: "Fire wardens", 311: "First aid"}}


def test_a_wrong_id_and_a_repeated_one_are_errors_at_their_rows() -> None:
    """The other rows are read."""
    check = read("Type,ID,Name\nGroup,3.1E+02,Fire\nGroup,311,First aid\nGroup,311,Other\nTeam,5,X\n")
    assert names_in(check) == {"group": {311: "First aid"}}
    assert int((~check.is_ready).sum()) == 3
