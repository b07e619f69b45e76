"""Reading delimited text: every row is taken or told, and what it may cost is bounded."""

from __future__ import annotations

import contextlib
import csv
import io
import time
import tracemalloc
from collections.abc import Sequence
from typing import Any

import pytest
import streamlit
from hypothesis import given
from hypothesis import strategies as st

from domain.file_import import delimited
from domain.file_import.delimited import (
    MAX_BYTES,
    MAX_CELL,
    MEGABYTE,
    Table,
    Unreadable,
    decode,
    find_headings,
    read_table,
    split_lines,
)


def table(text: str, most_rows: int = 1_000) -> Table:
    return read_table(text, most_rows=most_rows)


def told(read: Table) -> list[tuple[int, str]]:
    return [(problem.row, problem.message) for problem in read.problems.listed]


def test_a_row_whose_quotation_mark_is_not_closed_is_reported_where_it_begins_and_takes_no_other_with_it() -> None:
    rows = [f"L{number},Name {number}" for number in range(200)]
    rows[56] = 'L56,"Name 56'
    read = table("\n".join(["pnr,name", *rows]))
    assert len(read.rows) == 200
    [(row, words)] = told(read)
    assert row == 58
    assert "quotation mark" in words


@pytest.mark.parametrize("row", ['L2,"Ana', 'L2,"Ana"x', '"L2,Ana', 'L2,"Ana "Nina" Silva"', 'L2,"', '"""L2,Ana'])
def test_every_way_in_which_marks_do_not_fit_costs_one_row(row: str) -> None:
    read = table(f'pnr,name\nL1,"Silva, Ana"\n{row}\nL3,"Berg, Bo"\nL4,Cy\n')
    assert [cells[0] for cells in read.rows[1:]] == ["L1", "L3", "L4"]
    assert [number for number, _ in told(read)] == [3]
    assert read.problems.skipped == 1


def test_two_forgotten_marks_that_make_one_cell_of_many_rows_are_reported() -> None:
    read = table('pnr,name\nL1,"Ana\nL2,Bo\nL3,Cy"\nL4,Di\n')
    assert [cells[0] for cells in read.rows[1:]] == ["L1", "L4"]
    assert [number for number, _ in told(read)] == [2]
    assert "spans several lines" in told(read)[0][1]


def test_a_cell_of_several_lines_is_a_cell_and_its_row_counts_once() -> None:
    read = table('pnr,note\nL1,"first\nsecond"\nL2,x,y\n')
    assert read.rows[1:] == [["L1", "first\nsecond"]]
    assert [number for number, _ in told(read)] == [3]


def test_quotation_marks_within_cells_and_written_twice_are_what_they_are() -> None:
    read = table('pnr,name\nL1,O"Neil\nL2,"5"" pipe"\nL3, "Silva, Ana"\n')
    assert [cells[1] for cells in read.rows[1:]] == ['O"Neil', '5" pipe', "Silva, Ana"]
    assert told(read) == []


def test_rows_too_long_are_left_out_short_ones_filled_and_both_told_with_their_rows() -> None:
    read = table("a,b\n1,2\n\n,\n3\n4,5,6\n7,8,,\n")
    assert read.rows[1:] == [["1", "2"], ["3", ""], ["7", "8"]]
    assert read.numbers == [1, 2, 5, 7]
    assert [number for number, _ in told(read)] == [5, 6]
    assert read.problems.summary == "1 row was skipped · 1 row was read in part"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", delimited.DELIMITERS)
def test_line_ends_and_delimiters_are_found(mark: str, end: str) -> None:
    read = table(end.join([f"pnr{mark}name", f"L1{mark}Ana", f"L2{mark}Bo"]))
    assert read.rows == [["pnr", "name"], ["L1", "Ana"], ["L2", "Bo"]]


def test_in_a_table_of_one_column_a_cell_of_several_lines_is_reported() -> None:
    assert [number for number, _ in told(table('pnr\n"L1\nL2\nL3"\nL4\n'))] == [2]


def test_what_is_taken_in_part_does_not_crowd_out_what_is_left_out() -> None:
    problems = table("a,b\n" + "1\n" * 1_500 + "1,2,3\n", 2_000).problems
    assert [problem.row for problem in problems.listed][-2:] == [1_001, 1_502]
    assert problems.summary == "1 row was skipped · 1,500 rows were read in part · the first 1,000 are listed"


def test_a_cell_that_is_too_long_costs_its_row_and_reports_it() -> None:
    read = table("a,b\n1,2\n3," + "x" * (MAX_CELL + 1) + "\n5,6\n")
    assert (read.numbers, [number for number, _ in told(read)]) == ([1, 2, 4], [3])
    assert "longer than 131,072 characters" in told(read)[0][1]


def test_the_cells_of_a_table_are_bounded_as_its_rows_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "MAX_CELLS", 4)
    assert len(table("a,b\n1,2\n3,4\n").rows) == 3
    with pytest.raises(Unreadable, match="more than 2 rows"):
        table("a,b\n1,2\n3,4\n5,6\n")


def test_mixed_line_ends_are_line_ends() -> None:
    assert table("a,b\r\n1,2\n3,4\r5,6\n\r7,8").numbers == [1, 2, 3, 4, 6]


def test_a_line_that_names_the_delimiter_is_believed_and_is_no_row() -> None:
    read = table("sep=;\nname,first;city\nSilva,Ana;Rio\n")
    assert (read.rows[0], read.numbers) == (["name,first", "city"], [1, 2])


@pytest.mark.parametrize(
    ("encoding", "named"),
    [("utf-8", "UTF-8"), ("utf-8-sig", "UTF-8"), ("cp1252", "Windows-1252"), ("utf-16", "UTF-16")],
)
def test_encodings_are_found(encoding: str, named: str) -> None:
    assert decode("Zoë,Müller".encode(encoding)) == ("Zoë,Müller", named)


def test_bytes_that_are_no_text_cost_their_row_and_not_the_accents_of_the_others() -> None:
    text, encoding = decode("name,city\nZoë,Zürich\nBo,?\nJosé,Köln\n".encode().replace(b"?", b"\xff"))
    assert encoding == "UTF-8"
    read = table(text)
    assert read.rows[1] == ["Zoë", "Zürich"]
    assert [number for number, _ in told(read)] == [3]
    assert "can’t be read" in told(read)[0][1]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"\xef\xbb\xbf\r\n", "empty"),
        (b"\n" * (10 * MEGABYTE), "empty"),
        (b"PK\x03\x04rest", "spreadsheet"),
        (b"a,b\n1,\x002\n", "isn’t a text file"),
        ("a,b\n1,2\n".encode("utf-16-le"), "isn’t a text file"),
        ("a,b\n1,2\n".encode("utf-32"), "isn’t a text file"),
        (b"a" * (MAX_BYTES + 1), "25 MB"),
    ],
)
def test_what_is_no_text_is_refused_with_what_to_do(content: bytes, words: str) -> None:
    with pytest.raises(Unreadable, match=words):
        decode(content)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (",,,\n,,", "only separators"),
        ("\x0b\n\x1c", "only separators"),
        ('"a,b\n1,2\n', "Row 1, the first row"),
        ("\n\n" + "x" * (MAX_CELL + 1) + "\n1", "Row 3, the first row"),
        ("c," * 1_000_000 + "\n1\n", "columns"),
        ("a\n" + "\n" * 10_000_000 + "1", "lines"),
        ("a\n" + "1\n" * 1_001, "more than 1,000 rows"),
    ],
)
def test_what_is_beyond_the_limits_is_refused_as_a_whole(text: str, words: str) -> None:
    with pytest.raises(Unreadable, match=words):
        table(text)


def test_one_limit_for_the_server_and_the_reader() -> None:
    assert streamlit.get_option("server.maxUploadSize") * MEGABYTE == MAX_BYTES


SIZE = 4 * MEGABYTE


@pytest.mark.parametrize(
    "content",
    [
        b"\n" * SIZE,
        b"a,b\n" + b"\n" * SIZE + b"1,2\n",
        b"a,b\n" + b"x" * SIZE,
        b"a,b\n" + b"," * SIZE,
        b"a,b\n" + b'"' * SIZE,
        b"a,b\n" + b'"x\n' * 10_000,
        b"a,b\n" + b'"",""x\n' * 10_000,
        b"c," * (SIZE // 2) + b"\n1\n",
    ],
)
def test_hostile_files_cost_little(content: bytes) -> None:
    tracemalloc.start()
    began = time.process_time()
    with contextlib.suppress(Unreadable):
        table(decode(content)[0], most_rows=250_000)
    seconds, (_, peak) = time.process_time() - began, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert seconds < 5
    assert peak < 100 * MEGABYTE


cells = st.text(st.sampled_from('ab,;\t|"\n\r é\ufffd'), max_size=6)


@given(st.lists(st.lists(cells, min_size=1, max_size=4), min_size=1, max_size=8), st.sampled_from(["\n", "\r\n"]))
def test_what_a_spreadsheet_writes_is_read_back_row_by_row(rows: list[list[str]], end: str) -> None:
    rows = [["h", "i", "j", "k"], *rows]
    sink = io.StringIO()
    csv.writer(sink, lineterminator=end, quoting=csv.QUOTE_ALL).writerows(rows)
    read = table(sink.getvalue())
    assert read.problems.skipped == 0
    filled = {n: row for n, row in enumerate(rows, start=1) if any(map(str.strip, row))}
    assert read.numbers == list(filled)
    for row, number in zip(read.rows, read.numbers, strict=True):
        written = [*filled[number], *[""] * (4 - len(filled[number]))]
        assert [cell.lstrip(" ") for cell in row] == [cell.lstrip(" ") for cell in written]


@given(st.text(st.sampled_from('ab,;"\n\r \t'), max_size=60))
def test_no_line_with_anything_in_it_is_lost_without_a_word(text: str) -> None:
    text = f"h,i\n{text}"
    read = table(text)
    seen = "\n".join("\n".join(row) for row in read.rows) + "\n".join(p.text for p in read.problems.listed)
    for letter in "ab":
        assert seen.count(letter) >= text.count(letter)
    rows_told = {problem.row for problem in read.problems.listed}
    assert read.problems.skipped == len(rows_told - set(read.numbers))
    assert len(set(read.numbers)) == len(read.numbers)


@given(st.binary(max_size=60))
def test_whatever_the_bytes_are_they_are_read_or_refused_in_words(content: bytes) -> None:
    refused = ""
    try:
        text, _ = decode(content)
        list(split_lines(text))
        table(text)
    except Unreadable as error:
        refused = str(error)
    assert refused == "" or refused.endswith(".")


def named(cells: Sequence[str]) -> int:
    return sum(cell in ("Name", "From", "To", "Leaves From", "Leaves At", "Comes At") for cell in cells)


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        ([["Name", "From", "To"], ["a", "b", "c"]], (["Name", "From", "To"], (1,))),
        ([["Report"], ["of March", "2026"], ["Name", "From", "To"]], (["Name", "From", "To"], (3,))),
        ([["", "Leaves", "", "Comes"], ["Name", "From", "At", "At"]],
         (["Name", "Leaves From", "Leaves At", "Comes At"], (1, 2))),
        ([["", "Leaves", "Leaves", "Comes"], ["Name", "From", "At", "At"]],
         (["Name", "Leaves From", "Leaves At", "Comes At"], (1, 2))),
        ([["x", "y", "z"], ["Name", "From", "To"]], None),
        ([["Name", "b", "c"], ["1", "2", "3"]], None),
    ],
)  # fmt: skip
def test_headings_are_found_below_what_stands_above_them(rows: list[list[str]], found: tuple[Any, ...] | None):
    headings = find_headings(list(enumerate(rows, start=1)), named)
    assert (None if headings is None else (headings.cells, headings.numbers)) == found


def test_a_title_that_is_merged_over_all_columns_hides_no_headings() -> None:
    rows = [(1, ["Trips of May"] * 3), (2, ["PNR", "From", "To"]), (3, ["A1", "LIS", "GVA"])]
    found = find_headings(rows, lambda cells: len({"PNR", "From", "To"} & set(cells)))
    assert found is not None
    assert found.numbers == (2,)
