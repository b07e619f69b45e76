"""Reading delimited text: every row is read or reported, within limits of time and memory."""

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


def parse_table(text: str, most_rows: int = 1_000) -> Table:
    return read_table(text, most_rows=most_rows)


def list_problems(table: Table) -> list[tuple[int, str]]:
    return [(problem.row, problem.message) for problem in table.problems.listed]


def test_an_unclosed_quotation_mark_costs_only_its_own_row() -> None:
    rows = [f"L{number},Name {number}" for number in range(200)]
    rows[56] = 'L56,"Name 56'
    table = parse_table("\n".join(["pnr,name", *rows]))
    assert len(table.rows) == 200
    [(row, words)] = list_problems(table)
    assert row == 58
    assert "quotation mark" in words


@pytest.mark.parametrize("row", ['L2,"Ana', 'L2,"Ana"x', '"L2,Ana', 'L2,"Ana "Nina" Silva"', 'L2,"', '"""L2,Ana'])
def test_each_kind_of_quotation_mark_error_costs_one_row(row: str) -> None:
    table = parse_table(f'pnr,name\nL1,"Silva, Ana"\n{row}\nL3,"Berg, Bo"\nL4,Cy\n')
    assert [cells[0] for cells in table.rows[1:]] == ["L1", "L3", "L4"]
    assert [number for number, _ in list_problems(table)] == [3]
    assert table.problems.skipped == 1


def test_a_cell_made_of_several_rows_by_missing_marks_is_reported() -> None:
    table = parse_table('pnr,name\nL1,"Ana\nL2,Bo\nL3,Cy"\nL4,Di\n')
    assert [cells[0] for cells in table.rows[1:]] == ["L1", "L4"]
    assert [number for number, _ in list_problems(table)] == [2]
    assert "spans several lines" in list_problems(table)[0][1]


def test_a_cell_of_several_lines_counts_as_one_row() -> None:
    table = parse_table('pnr,note\nL1,"first\nsecond"\nL2,x,y\n')
    assert table.rows[1:] == [["L1", "first\nsecond"]]
    assert [number for number, _ in list_problems(table)] == [3]


def test_quotation_marks_inside_cells_are_read() -> None:
    table = parse_table('pnr,name\nL1,O"Neil\nL2,"5"" pipe"\nL3, "Silva, Ana"\n')
    assert [cells[1] for cells in table.rows[1:]] == ['O"Neil', '5" pipe', "Silva, Ana"]
    assert list_problems(table) == []


def test_long_rows_are_skipped_and_short_rows_are_filled_with_a_report() -> None:
    table = parse_table("a,b\n1,2\n\n,\n3\n4,5,6\n7,8,,\n")
    assert table.rows[1:] == [["1", "2"], ["3", ""], ["7", "8"]]
    assert table.numbers == [1, 2, 5, 7]
    assert [number for number, _ in list_problems(table)] == [5, 6]
    assert table.problems.summary == "1 row was skipped · 1 row was read in part"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", delimited.DELIMITERS)
def test_line_ends_and_delimiters_are_found(mark: str, end: str) -> None:
    table = parse_table(end.join([f"pnr{mark}name", f"L1{mark}Ana", f"L2{mark}Bo"]))
    assert table.rows == [["pnr", "name"], ["L1", "Ana"], ["L2", "Bo"]]


def test_in_a_table_of_one_column_a_cell_of_several_lines_is_reported() -> None:
    assert [number for number, _ in list_problems(parse_table('pnr\n"L1\nL2\nL3"\nL4\n'))] == [2]


def test_partly_read_rows_do_not_crowd_out_skipped_rows() -> None:
    problems = parse_table("a,b\n" + "1\n" * 1_500 + "1,2,3\n", 2_000).problems
    assert [problem.row for problem in problems.listed][-2:] == [1_001, 1_502]
    assert problems.summary == "1 row was skipped · 1,500 rows were read in part · the first 1,000 are listed"


def test_a_row_with_a_cell_that_is_too_long_is_skipped_and_reported() -> None:
    table = parse_table("a,b\n1,2\n3," + "x" * (MAX_CELL + 1) + "\n5,6\n")
    assert (table.numbers, [number for number, _ in list_problems(table)]) == ([1, 2, 4], [3])
    assert "longer than 131,072 characters" in list_problems(table)[0][1]


def test_the_number_of_cells_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(delimited, "MAX_CELLS", 4)
    assert len(parse_table("a,b\n1,2\n3,4\n").rows) == 3
    with pytest.raises(Unreadable, match="more than 2 rows"):
        parse_table("a,b\n1,2\n3,4\n5,6\n")


def test_mixed_line_ends_are_read() -> None:
    assert parse_table("a,b\r\n1,2\n3,4\r5,6\n\r7,8").numbers == [1, 2, 3, 4, 6]


def test_a_line_that_names_the_delimiter_is_used_and_is_not_a_row() -> None:
    table = parse_table("sep=;\nname,first;city\nSilva,Ana;Rio\n")
    assert (table.rows[0], table.numbers) == (["name,first", "city"], [1, 2])


@pytest.mark.parametrize(
    ("encoding", "encoding_name"),
    [("utf-8", "UTF-8"), ("utf-8-sig", "UTF-8"), ("cp1252", "Windows-1252"), ("utf-16", "UTF-16")],
)
def test_encodings_are_found(encoding: str, encoding_name: str) -> None:
    assert decode("Zoë,Müller".encode(encoding)) == ("Zoë,Müller", encoding_name)


def test_invalid_bytes_do_not_change_the_accents_of_other_rows() -> None:
    text, encoding = decode("name,city\nZoë,Zürich\nBo,?\nJosé,Köln\n".encode().replace(b"?", b"\xff"))
    assert encoding == "UTF-8"
    table = parse_table(text)
    assert table.rows[1] == ["Zoë", "Zürich"]
    assert [number for number, _ in list_problems(table)] == [3]
    assert "can’t be read" in list_problems(table)[0][1]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"\xef\xbb\xbf\r\n", "empty"),
        (b"\n" * (10 * MEGABYTE), "empty"),
        (b"PK\x03\x04rest", "Save the workbook as XLSX or CSV"),
        (b"\xd0\xcf\x11\xe0rest", "Save the workbook as XLSX or CSV"),
        (b"\xd0\xcf\x11\xe0" + "EncryptedPackage".encode("utf-16-le"), "Remove the password"),
        (b"a,b\n1,\x002\n", "isn’t a text file"),
        ("a,b\n1,2\n".encode("utf-16-le"), "isn’t a text file"),
        ("a,b\n1,2\n".encode("utf-32"), "isn’t a text file"),
        (b"a" * (MAX_BYTES + 1), "25 MB"),
    ],
)
def test_a_file_that_is_not_text_is_rejected_with_advice(content: bytes, words: str) -> None:
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
def test_a_file_beyond_the_limits_is_rejected(text: str, words: str) -> None:
    with pytest.raises(Unreadable, match=words):
        parse_table(text)


def test_the_server_and_the_reader_have_the_same_limit() -> None:
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
def test_malicious_files_use_little_time_and_memory(content: bytes) -> None:
    tracemalloc.start()
    began = time.process_time()
    with contextlib.suppress(Unreadable):
        parse_table(decode(content)[0], most_rows=250_000)
    seconds, (_, peak) = time.process_time() - began, tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert seconds < 5
    assert peak < 100 * MEGABYTE


cells = st.text(st.sampled_from('ab,;\t|"\n\r é\ufffd'), max_size=6)


@given(st.lists(st.lists(cells, min_size=1, max_size=4), min_size=1, max_size=8), st.sampled_from(["\n", "\r\n"]))
def test_files_written_by_a_spreadsheet_are_read_back(rows: list[list[str]], end: str) -> None:
    rows = [["h", "i", "j", "k"], *rows]
    sink = io.StringIO()
    csv.writer(sink, lineterminator=end, quoting=csv.QUOTE_ALL).writerows(rows)
    table = parse_table(sink.getvalue())
    assert table.problems.skipped == 0
    filled_rows = {n: row for n, row in enumerate(rows, start=1) if any(map(str.strip, row))}
    assert table.numbers == list(filled_rows)
    for row, number in zip(table.rows, table.numbers, strict=True):
        expected_cells = [*filled_rows[number], *[""] * (4 - len(filled_rows[number]))]
        assert [cell.lstrip(" ") for cell in row] == [cell.lstrip(" ") for cell in expected_cells]


@given(st.text(st.sampled_from('ab,;"\n\r \t'), max_size=60))
def test_no_filled_line_is_lost_without_a_message(text: str) -> None:
    text = f"h,i\n{text}"
    table = parse_table(text)
    output = "\n".join("\n".join(row) for row in table.rows) + "\n".join(p.text for p in table.problems.listed)
    for letter in "ab":
        assert output.count(letter) >= text.count(letter)
    reported_rows = {problem.row for problem in table.problems.listed}
    assert table.problems.skipped == len(reported_rows - set(table.numbers))
    assert len(set(table.numbers)) == len(table.numbers)


@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_rejected_with_a_message(content: bytes) -> None:
    message = ""
    try:
        text, _ = decode(content)
        list(split_lines(text))
        parse_table(text)
    except Unreadable as error:
        message = str(error)
    assert message == "" or message.endswith(".")


def count_known_headings(cells: Sequence[str]) -> int:
    return sum(cell in ("Name", "From", "To", "Leaves From", "Leaves At", "Comes At") for cell in cells)


@pytest.mark.parametrize(
    ("rows", "expected"),
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
def test_headings_are_found_below_titles(rows: list[list[str]], expected: tuple[Any, ...] | None):
    headings = find_headings(list(enumerate(rows, start=1)), count_known_headings)
    assert (None if headings is None else (headings.cells, headings.numbers)) == expected


def test_a_title_merged_over_all_columns_does_not_hide_the_headings() -> None:
    rows = [(1, ["Trips of May"] * 3), (2, ["PNR", "From", "To"]), (3, ["A1", "LIS", "GVA"])]
    found = find_headings(rows, lambda cells: len({"PNR", "From", "To"} & set(cells)))
    assert found is not None
    assert found.numbers == (2,)
