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
    assert read.problems.listed == []
    assert read.duplicates == 0


@pytest.mark.parametrize(
    "heading", ["record_locator", "Record Locator", "PNR", "locator", "RecLoc", "Booking reference"]
)
@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_headings_and_separators_of_tables_are_understood(heading: str, separator: str) -> None:
    rows = [["Employee ID", heading, "Surname", "First name"], ["E1", "AAA111", "Silva", "Ana"]]
    read = read_roster("\n".join(separator.join(row) for row in rows))
    assert read.entries == [RosterEntry("AAA111", [Traveller("E1", "Ana", "Silva")])]
    assert read.problems.listed == []


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
    listed = read.problems.listed
    assert [(p.row, p.text) for p in listed] == [(3, "E2, Bo"), (4, "two words, E3, Cy"), (5, "B1, Di")]
    assert "empty" in listed[0].words
    assert "spaces" in listed[1].words
    assert "employee id" in listed[2].words
    assert (read.problems.left_out, read.problems.in_part) == (2, 1)


def test_the_row_of_a_problem_is_the_one_a_spreadsheet_shows() -> None:
    read = read_roster('pnr,note\nA1,"first\nsecond"\n\n,lost\n')
    assert [problem.row for problem in read.problems.listed] == [4]


def test_one_quotation_mark_that_is_not_closed_costs_one_row_and_it_is_told() -> None:
    rows = [f"L{number},E{number},Ana {number}" for number in range(202)]
    rows[2] = 'L2,E2,"Ana 2'
    read = read_roster("\n".join(["locator,employee_id,name", *rows]))
    assert len(read.entries) == 201
    assert [problem.row for problem in read.problems.listed] == [4]


def test_a_name_over_several_lines_is_told_and_its_row_left_out() -> None:
    read = read_roster('pnr,employee_id,name\nA1,E1,"Ana\nB1\nC1"\nD1,E4,Di\n')
    assert locators(read) == ["D1"]
    assert [problem.row for problem in read.problems.listed] == [2]


def test_twenty_thousand_locators_on_one_line_are_as_many_trips() -> None:
    for separator in (" ", ",", ", "):
        read = read_roster(separator.join(f"L{number}" for number in range(20_000)))
        assert len(read.entries) == 20_000
        assert read.refused is None


def test_words_that_are_no_locators_are_told_apart_in_a_list() -> None:
    read = read_roster(f"A1 ???\nB1 {'x' * 65}")
    assert locators(read) == ["A1", "B1"]
    assert [(problem.row, problem.text[:3]) for problem in read.problems.listed] == [(1, "???"), (2, "xxx")]


@pytest.mark.parametrize(
    "text",
    [
        "employee_id,first_name,last_name\nE1,Ana,Silva\n",
        "employee_id,department\nE1,Sales\n",
        "name\nAna Silva\n",
        "Abteilung;Ort\nVertrieb;Rom\nEinkauf;Bern\n",
        "AAA111,Ana\nBBB222,Bo\n",
        ",".join(f"c{number}" for number in range(1_000_000)) + "\n" + ",".join(["x"] * 1_000_000),
        ",".join(f"c{number}" for number in range(1_000)) + "\nA1,B2",
        ",".join(f"c{number}" for number in range(1_000_000)),
    ],
)
def test_a_table_without_a_locator_column_is_not_taken_for_a_list(text: str) -> None:
    read = read_roster(text)
    assert read.entries == []
    assert "record" in str(read.refused) or "trips, the most" in str(read.refused)


def test_words_of_a_list_that_read_like_names_or_headings_are_told_and_not_taken() -> None:
    read = read_roster("Buchung\nAAA111\nWSVMKX\n")
    assert locators(read) == ["AAA111", "WSVMKX"]
    assert [(problem.row, problem.text) for problem in read.problems.listed] == [(1, "Buchung")]


def test_several_locators_a_line_of_one_length_are_a_list() -> None:
    assert locators(read_roster("AAA111, BBB222\nCCC333, DDD444\n")) == ["AAA111", "BBB222", "CCC333", "DDD444"]


def test_columns_that_are_not_read_are_named() -> None:
    assert read_roster("PNR,Trip,Department\nA1,Rome,Sales\n").notes == (
        "Columns that are not read: “Trip” and “Department”.",
    )


@pytest.mark.parametrize(
    "blob", [b"PK\x03\x04" + b"x" * 50, b"\x00\x01\x02", b"\x89PNG\r\n\x1a\n\x00", b"pnr,name\n", b"", b"\n\n"]
)
def test_a_file_with_nothing_to_read_is_refused_in_words(blob: bytes) -> None:
    read = read_roster(blob)
    assert (read.entries, read.problems.listed) == ([], [])
    assert read.refused


def test_a_file_in_an_old_western_encoding_keeps_its_names() -> None:
    read = read_roster("pnr;employee_id;last_name\nA1;E1;Núñez\n".encode("cp1252"))
    assert read.entries[0].travellers[0].last_name == "Núñez"


@pytest.mark.parametrize("nothing", ["", "  \n\n ", ",,,\n,,"])
def test_nothing_is_nothing(nothing: str) -> None:
    assert read_roster(nothing) == RosterFile()


def test_more_than_the_most_is_refused_and_not_cut() -> None:
    for text in ("\n".join(f"L{n}" for n in range(MAX_ROWS + 1)), "pnr\n" + "A1\n" * (MAX_ROWS + 1)):
        read = read_roster(text)
        assert read.entries == []
        assert "the most" in str(read.refused)


@given(st.text() | st.binary())
def test_whatever_is_given_is_answered(anything: str | bytes) -> None:
    read = read_roster(anything)
    assert len(set(locators(read))) == len(read.entries)
    assert all(problem.words and problem.row >= 1 for problem in read.problems.listed)


ROWS = ["A1", "B2", '"C3', 'D4"', '"E5"', "", "two words", "F6,x", "g", '"H7,"x"', 'I8,"Jo', 'K9,Lo"', ",no locator"]


@given(st.lists(st.sampled_from(ROWS)))
def test_every_row_becomes_a_trip_is_a_repeat_or_is_told(rows: list[str]) -> None:
    rows = [row.replace("x", str(number)) for number, row in enumerate(rows)]
    read = read_roster("\n".join(["pnr,name", "Z9,Ana", *rows]))
    seen = " ".join([*locators(read), *(problem.text for problem in read.problems.listed)])
    for row in rows:
        assert row.split(",")[0].strip('"') in seen
    assert len(read.entries) + read.duplicates + len(read.problems.listed) >= read.problems.left_out


@given(st.lists(st.sampled_from(["A1", "B22", "A1", "??", "Ana", "x" * 70, "C-3"])), st.sampled_from([" ", ", ", "\n"]))
def test_every_word_of_a_list_becomes_a_trip_is_a_repeat_or_is_told(words: list[str], separator: str) -> None:
    read = read_roster(separator.join(words))
    assert len(read.entries) + read.duplicates + read.problems.left_out == len(words)


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
    assert read.problems.listed == []


def test_the_demo_roster_of_the_service_has_headings_that_are_understood() -> None:
    text = io.StringIO()
    csv.writer(text).writerows(
        [["record_locator", "employee_id", "first_name", "last_name"], ["A1", "E1", "Ana", "Silva"]]
    )
    assert read_roster(text.getvalue().encode()).entries == [RosterEntry("A1", [Traveller("E1", "Ana", "Silva")])]
