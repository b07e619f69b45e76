"""Reading rosters: header spellings, plain lists, and rows with problems explained."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from components.rosters.roster_file import MAX_ROWS, RosterFile, read_roster
from components.rosters.roster_frame import roster_download
from components.widgets.spreadsheet import to_csv
from journal import LearntEntry, RosterEntry, Traveller


def locators(read: RosterFile) -> list[str]:
    return [entry.record_locator for entry in read.entries]


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
def test_lists_in_every_shape_people_paste_are_read(text: str | bytes) -> None:
    read = read_roster(text)
    assert locators(read) == ["AAA111", "BBB222", "CCC333"]
    assert read.problems == []
    assert read.duplicates == 0


@pytest.mark.parametrize(
    "heading", ["record_locator", "Record Locator", "PNR", "locator", "RecLoc", "Booking reference"]
)
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_headings_and_separators_of_tables_are_understood(heading: str, separator: str) -> None:
    rows = [["Employee ID", heading, "Surname", "First name"], ["E1", "AAA111", "Silva", "Ana"]]
    read = read_roster("\n".join(separator.join(row) for row in rows))
    assert read.entries == [RosterEntry("AAA111", [Traveller("E1", "Ana", "Silva")])]
    assert read.problems == []


def test_one_trip_with_several_travellers_becomes_one_entry() -> None:
    read = read_roster(
        "pnr,employee_id,first_name,last_name\nA1,E1,Ana,Silva\nB1,E1,Ana,Silva\nA1,E2,Bo,Berg\nA1,E1,Ana,Silva\n"
    )
    assert read.entries == [
        RosterEntry("A1", [Traveller("E1", "Ana", "Silva"), Traveller("E2", "Bo", "Berg")]),
        RosterEntry("B1", [Traveller("E1", "Ana", "Silva")]),
    ]
    assert read.duplicates == 1
    assert read.traveller_count == 2


@pytest.mark.parametrize(
    ("name", "first", "last"), [("Silva, Ana", "Ana", "Silva"), ("Ana Maria Silva", "Ana Maria", "Silva")]
)
def test_a_column_with_the_whole_name_is_split(name: str, first: str, last: str) -> None:
    read = read_roster(f'pnr,employee_id,name\nA1,E1,"{name}"\n')
    assert read.entries[0].travellers == [Traveller("E1", first, last)]


def test_repeats_in_a_list_are_left_out_and_counted() -> None:
    read = read_roster("A1 B1 A1\nA1")
    assert (locators(read), read.duplicates) == (["A1", "B1"], 2)


def test_rows_with_problems_are_told_by_row_and_the_others_are_taken() -> None:
    read = read_roster('locator,employee_id,first_name\nA1,E1,Ana\n,E2,Bo\n"two words",E3,Cy\nB1,,Di\nC1,E4,Ed\n')
    assert locators(read) == ["A1", "B1", "C1"]
    assert [(p.row, p.text) for p in read.problems] == [(3, "E2, Bo"), (4, "two words, E3, Cy"), (5, "B1, Di")]
    assert "empty" in read.problems[0].words
    assert "spaces" in read.problems[1].words
    assert "employee id" in read.problems[2].words


def test_the_row_of_a_problem_is_its_line_even_after_a_cell_of_two_lines() -> None:
    read = read_roster('pnr,note\nA1,"first\nsecond"\n,lost\n')
    assert [problem.row for problem in read.problems] == [4]


def test_words_that_are_no_locators_are_told_apart_in_a_list() -> None:
    read = read_roster(f"A1 ???\nB1 {'x' * 65}")
    assert locators(read) == ["A1", "B1"]
    assert [(problem.row, problem.text[:3]) for problem in read.problems] == [(1, "???"), (2, "xxx")]


def test_a_table_without_a_locator_column_is_not_taken_for_a_list() -> None:
    read = read_roster("employee_id,first_name,last_name\nE1,Ana,Silva\n")
    assert read.entries == []
    assert "record locator" in read.problems[0].words


@pytest.mark.parametrize("blob", [b"PK\x03\x04" + b"x" * 50, b"\x00\x01\x02", b"\x89PNG\r\n\x1a\n\x00"])
def test_a_file_that_is_no_text_is_refused_in_words(blob: bytes) -> None:
    read = read_roster(blob)
    assert read.entries == []
    assert "CSV" in read.problems[0].words


def test_a_file_in_an_old_western_encoding_keeps_its_names() -> None:
    read = read_roster("pnr;employee_id;last_name\nA1;E1;Núñez\n".encode("cp1252"))
    assert read.entries[0].travellers[0].last_name == "Núñez"


@pytest.mark.parametrize("nothing", ["", "  \n\n ", b"", ",,,\n,,"])
def test_nothing_is_nothing(nothing: str | bytes) -> None:
    assert read_roster(nothing) == RosterFile()


def test_a_list_past_the_most_is_cut_with_a_word_about_it() -> None:
    read = read_roster("\n".join(f"L{number}" for number in range(MAX_ROWS + 10)))
    assert len(read.entries) == MAX_ROWS
    assert "most" in read.problems[-1].words


@given(st.text() | st.binary())
def test_whatever_is_given_is_answered(anything: str | bytes) -> None:
    read = read_roster(anything)
    assert len(set(locators(read))) == len(read.entries)
    assert all(problem.words and problem.row >= 1 for problem in read.problems)


names = st.text(st.characters(categories=["L"]), min_size=1, max_size=8)
people = st.builds(Traveller, st.from_regex(r"[A-Z][0-9]{1,6}", fullmatch=True), names, names)
trips = st.lists(
    st.builds(
        lambda locator, travellers: LearntEntry(locator, travellers, [], None),
        st.from_regex(r"[A-Z0-9]{6}", fullmatch=True),
        st.lists(people, max_size=3, unique_by=lambda person: person.external_id),
    ),
    max_size=8,
    unique_by=lambda entry: entry.record_locator,
)


@given(trips)
def test_a_downloaded_roster_can_be_read_again(entries: list[LearntEntry]) -> None:
    read = read_roster(to_csv(roster_download(entries)))
    assert [(e.record_locator, e.travellers) for e in read.entries] == [
        (e.record_locator, e.travellers) for e in entries
    ]
    assert read.problems == []


def test_the_demo_roster_of_the_service_has_headings_that_are_understood() -> None:
    text = io.StringIO()
    csv.writer(text).writerows(
        [["record_locator", "employee_id", "first_name", "last_name"], ["A1", "E1", "Ana", "Silva"]]
    )
    assert read_roster(text.getvalue().encode()).entries == [RosterEntry("A1", [Traveller("E1", "Ana", "Silva")])]
