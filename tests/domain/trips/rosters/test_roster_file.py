"""Reading rosters: header spellings, plain lists, and rows with problems explained."""

from __future__ import annotations

import csv
import io
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.file_import.checking import Check
from domain.file_import.delimited import Unreadable
from domain.tables.spreadsheet import to_csv
from domain.trips.rosters.changes import roster_download
from domain.trips.rosters.roster_file import MAX_ROWS, ROSTER, RosterTrips, read_roster, trips_of
from journal import LearntEntry, RosterEntry, Traveler


class RosterReading:
    """The entries of a roster file, the rows that cannot be read, and the messages at cells."""

    def __init__(self, source: str | bytes) -> None:
        self.check = Check.of(ROSTER, "roster.csv", source)
        self.trips: RosterTrips = trips_of(self.check.ready)
        self.entries = self.trips.entries
        self.unread_rows = [
            (problem.row, problem.text, problem.message) for problem in self.check.source.problems.listed
        ]
        rows = [*self.check.in_view("errors").tolist(), *self.check.in_view("warnings").tolist()]
        self.cell_messages = [
            (self.check.source.row_number(row), column, words)
            for row in rows
            for column, messages in self.check.cell_messages(row).items()
            for words, _ in messages
        ]


def read(source: str | bytes) -> RosterReading:
    return RosterReading(source)


def list_locators(found: RosterReading) -> list[str]:
    return [entry.record_locator for entry in found.entries]


@pytest.mark.parametrize(
    "text",
    [
        "AAA111, BBB222, CCC333",
        "AAA111 BBB222 CCC333",
        "AAA111\nBBB222\r\nCCC333\n\n",
        "  AAA111;BBB222\tCCC333  ",
        "PNR\nAAA111\nBBB222\nCCC333",
        "Record locator\nAAA111\n\nBBB222\nCCC333\n",
        '"AAA111","BBB222"\n"CCC333"',
        b"\xef\xbb\xbfrecord_locator\r\nAAA111\r\nBBB222\r\nCCC333\r\n",
        "record_locator\nAAA111\nBBB222\nCCC333".encode("utf-16"),
    ],
)
def test_lists_with_any_separator_are_read(text: str | bytes) -> None:
    found = read(text)
    assert list_locators(found) == ["AAA111", "BBB222", "CCC333"]
    assert (found.unread_rows, found.cell_messages, found.trips.repeats) == ([], [], 0)


@pytest.mark.parametrize(
    "heading", ["record_locator", "Record Locator", "PNR", "locator", "RecLoc", "Booking reference"]
)
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_headings_and_separators_of_tables_are_recognized(heading: str, separator: str) -> None:
    rows = [["Employee ID", heading, "Surname", "First name"], ["E1", "AAA111", "Silva", "Ana"]]
    found = read("\n".join(separator.join(row) for row in rows))
    assert found.entries == [RosterEntry("AAA111", [Traveler("E1", "Ana", "Silva")])]
    assert (found.unread_rows, found.cell_messages) == ([], [])


def test_columns_of_travelers_have_the_same_names_as_in_trip_files() -> None:
    found = read("Reservation,Staff no.,Passenger given name,Employee family name\nA1,E1,Ana,Silva\n")
    assert found.entries == [RosterEntry("A1", [Traveler("E1", "Ana", "Silva")])]
    assert read("PNR,Staff number,Pax\nA1,E1,SILVA/ANA MRS\n").entries == found.entries


def test_a_record_locator_in_any_case_is_one_trip() -> None:
    found = read("pnr,employee_id\nu7d7lj,E1\nU7D7LJ,E2\nU7d7lj,E1\n")
    assert found.entries == [RosterEntry("u7d7lj", [Traveler("E1"), Traveler("E2")])]
    assert found.trips.repeats == 1


def test_one_trip_with_several_travelers_becomes_one_entry() -> None:
    found = read(
        "pnr,employee_id,first_name,last_name\nA1,E1,Ana,Silva\nB1,E1,Ana,Silva\nA1,E2,Bo,Berg\nA1,E1,Ana,Silva\n"
    )
    assert found.entries == [
        RosterEntry("A1", [Traveler("E1", "Ana", "Silva"), Traveler("E2", "Bo", "Berg")]),
        RosterEntry("B1", [Traveler("E1", "Ana", "Silva")]),
    ]
    assert (found.trips.repeats, found.trips.traveler_count) == (1, 2)


@pytest.mark.parametrize(
    ("name", "first", "last"), [("Silva, Ana", "Ana", "Silva"), ("Ana Maria Silva", "Ana Maria", "Silva")]
)
def test_a_column_with_the_whole_name_is_split(name: str, first: str, last: str) -> None:
    [entry] = read_roster(f'pnr,employee_id,name\nA1,E1,"{name}"\n')
    assert entry.travelers == [Traveler("E1", first, last)]


def test_repeats_in_a_list_are_omitted_and_counted() -> None:
    found = read("A1 B1 A1\nA1")
    assert (list_locators(found), found.trips.repeats) == (["A1", "B1"], 2)


def test_problems_are_reported_at_their_cells_and_other_rows_are_read() -> None:
    found = read('locator,employee_id,first_name\nA1,E1,Ana\n,E2,Bo\n"two words",E3,Cy\nB1,,Di\nC1,E4,Ed\n')
    assert list_locators(found) == ["A1", "B1", "C1"]
    assert [(row, column) for row, column, _ in found.cell_messages] == [
        (3, "record_locator"),
        (4, "record_locator"),
        (5, "employee_id"),
    ]
    assert "spaces" in found.cell_messages[1][2]


def test_a_row_is_read_after_its_cell_is_fixed_and_not_after_it_is_skipped() -> None:
    check = read('locator\nA1\n"two words"\n??\n').check
    check.fix_cell(1, "record_locator", "B1")
    check.skip_rows([2])
    assert [entry.record_locator for entry in trips_of(check.ready).entries] == ["A1", "B1"]
    check.undo()
    check.undo()
    assert check.with_errors.tolist() == [False, True, True]


def test_the_row_of_a_problem_is_the_one_a_spreadsheet_shows() -> None:
    found = read('pnr,note\nA1,"first\nsecond"\n\n,lost\n')
    assert [row for row, _, _ in found.cell_messages] == [4]


def test_an_unclosed_quotation_mark_costs_one_row_and_is_reported() -> None:
    rows = [f"L{number},E{number},Ana {number}" for number in range(202)]
    rows[2] = 'L2,E2,"Ana 2'
    found = read("\n".join(["locator,employee_id,name", *rows]))
    assert len(found.entries) == 201
    assert [row for row, _, _ in found.unread_rows] == [4]


def test_a_name_over_several_lines_is_an_error() -> None:
    found = read('pnr,employee_id,name\nA1,E1,"Ana\nB1\nC1"\nD1,E4,Di\n')
    assert list_locators(found) == ["D1"]
    assert [(row, column) for row, column, _ in found.cell_messages] == [(2, "name")]


def test_20000_locators_on_one_line_are_read() -> None:
    for separator in (" ", ",", ", "):
        found = read(separator.join(f"L{number}" for number in range(20_000)))
        assert len(found.entries) == 20_000


def test_invalid_locators_in_a_list_are_reported_separately() -> None:
    found = read(f"A1 ???\nB1 {'x' * 65}")
    assert list_locators(found) == ["A1", "B1"]
    assert [(row, column) for row, column, _ in found.cell_messages] == [(1, "record_locator"), (2, "record_locator")]


@pytest.mark.parametrize(
    "text",
    [
        "employee_id,first_name,last_name\nE1,Ana,Silva\n",
        "employee_id,department\nE1,Sales\n",
        "name\nAna Silva\n",
        "Abteilung;Ort\nVertrieb;Rom\nEinkauf;Bern\n",
        "AAA111,Ana\nBBB222,Bo\n",
    ],
)
def test_a_table_without_a_locator_column_is_read_after_the_column_is_selected(text: str) -> None:
    found = read(text)
    assert found.entries == []
    assert [column.name for column in found.check.missing] == ["record_locator"]


def test_record_locators_are_read_from_the_selected_column() -> None:
    check = read("AAA111,Ana\nBBB222,Bo\n").check
    check.match("record_locator", ["Column 1"])
    check.toggle_headings()
    check.toggle_headings()
    check.match("record_locator", [check.source.headers[0]])
    assert {entry.record_locator for entry in trips_of(check.ready).entries} >= {"BBB222"}


@pytest.mark.parametrize(
    "text",
    [
        "c," * 1_000_000 + "\n" + "x," * 1_000_000,
        ",".join(f"c{number}" for number in range(1_000)) + "\nA1,B2",
        ",".join(map(str, range(MAX_ROWS + 1))),
        "\n".join(f"L{number}" for number in range(MAX_ROWS + 1)),
        "pnr\n" + "A1\n" * (MAX_ROWS + 1),
    ],
)
def test_a_file_beyond_the_limit_is_rejected_and_not_truncated(text: str) -> None:
    with pytest.raises(Unreadable, match=r"more than|The limit"):
        read(text)


def test_words_like_names_or_headings_are_reported() -> None:
    found = read("Umlauf\nAAA111\nWSVMKX\n")
    assert list_locators(found) == ["AAA111", "WSVMKX"]
    assert [(row, text) for row, text, _ in found.unread_rows] == [(1, "Umlauf")]


def test_lines_with_equal_numbers_of_locators_are_a_list() -> None:
    assert list_locators(read("AAA111, BBB222\nCCC333, DDD444\n")) == ["AAA111", "BBB222", "CCC333", "DDD444"]


def test_ignored_columns_are_listed() -> None:
    assert read("PNR,Trip,Department\nA1,Rome,Sales\n").check.unmatched_headings == ["Trip", "Department"]


@pytest.mark.parametrize(
    "blob",
    [b"PK\x03\x04" + b"x" * 50, b"\x00\x01\x02", b"\x89PNG\r\n\x1a\n\x00", b"pnr,name\n", b"", b"\n\n", b",,,\n,,"],
)
def test_a_file_without_content_is_rejected_with_a_message(blob: bytes) -> None:
    with pytest.raises(Unreadable):
        read(blob)


def test_a_file_in_an_old_western_encoding_keeps_its_names() -> None:
    [entry] = read_roster("pnr;employee_id;last_name\nA1;E1;Núñez\n".encode("cp1252"))
    assert entry.travelers[0].last_name == "Núñez"


@given(st.text() | st.binary())
def test_any_text_is_read_or_reported(content: str | bytes) -> None:
    with suppress(Unreadable):
        found = read(content)
        assert len(set(list_locators(found))) == len(found.entries)
        assert all(words and row >= 1 for row, _, words in [*found.unread_rows, *found.cell_messages])


ROWS = ["A1", "B2", '"C3', 'D4"', '"E5"', "", "two words", "F6,x", "g", '"H7,"x"', 'I8,"Jo', 'K9,Lo"', ",no locator"]


@given(st.lists(st.sampled_from(ROWS)))
def test_every_row_becomes_a_trip_is_a_repeat_or_is_reported(rows: list[str]) -> None:
    rows = [row.replace("x", str(number)) for number, row in enumerate(rows)]
    found = read("\n".join(["pnr,name", "Z9,Ana", *rows]))
    bad = found.check.file_frame(found.check.in_view("errors")).to_numpy().tolist()
    output = " ".join(
        [*list_locators(found), *(text for _, text, _ in found.unread_rows), *(" ".join(row) for row in bad)]
    )
    for row in rows:
        assert row.split(",")[0].strip('"') in output


@given(st.lists(st.sampled_from(["A1", "B22", "A1", "??", "Ana", "x" * 70, "C-3"])), st.sampled_from([" ", ", ", "\n"]))
def test_every_word_of_a_list_becomes_a_trip_is_a_repeat_or_is_reported(words: list[str], separator: str) -> None:
    found = read(separator.join(["Z9", *words]))
    reported = len(found.unread_rows) + int(found.check.with_errors.sum())
    assert len(found.entries) + found.trips.repeats + reported == len(words) + 1


names = st.text(st.characters(categories=["L"]), min_size=1, max_size=8)
people = st.builds(Traveler, st.from_regex(r"[A-Z][0-9]{1,6}", fullmatch=True), names, names)
trips = st.lists(
    st.builds(
        lambda locator, travelers: LearntEntry(locator, travelers, [], None),
        st.from_regex(r"[A-Z0-9]{6}", fullmatch=True),
        st.lists(people, max_size=3, unique_by=lambda person: person.external_id),
    ),
    min_size=1,
    max_size=8,
    unique_by=lambda entry: entry.record_locator,
)


@given(trips)
def test_a_downloaded_roster_can_be_read_again(entries: list[LearntEntry]) -> None:
    found = read(to_csv(roster_download(entries)))
    assert [(each.record_locator, [traveler.external_id for traveler in each.travelers]) for each in found.entries] == [
        (each.record_locator, [traveler.external_id for traveler in each.travelers]) for each in entries
    ]
    assert (found.unread_rows, found.cell_messages) == ([], [])


def test_the_demo_roster_has_known_headings() -> None:
    text = io.StringIO()
    csv.writer(text).writerows(
        [["record_locator", "employee_id", "first_name", "last_name"], ["A1", "E1", "Ana", "Silva"]]
    )
    assert read_roster(text.getvalue().encode()) == [RosterEntry("A1", [Traveler("E1", "Ana", "Silva")])]


def test_locators_and_employee_ids_lose_a_decimal_zero():
    check = Check.of(ROSTER, "roster.csv", "Record locator,Employee id\n123456.0,1023.0\n00AB12,00126\n")
    assert check.rows.texts[["record_locator", "employee_id"]].to_numpy().tolist() == [
        ["123456", "1023"],
        ["00AB12", "00126"],
    ]
