"""Files for spreadsheets: no formula runs, no id is rounded, numbers stay numbers."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from datetime import UTC, datetime
from typing import Any
from xml.etree import ElementTree

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.tables import spreadsheet
from domain.tables.spreadsheet import to_csv, to_xlsx

NS = {"m": "http://schemas.openxmlformats.org/spreadsheetml/2006/main"}
ATTACKS = ["=cmd|' /C calc'!A0", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "＝1+1", '=HYPERLINK("http://x")']


def read_csv(content: bytes) -> list[list[str]]:
    assert content.startswith(b"\xef\xbb\xbf")
    return list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))


def read_xlsx(content: bytes, sheet: int = 1) -> list[dict[str, tuple[str, str | None]]]:
    """Read rows as {column letter: (type, text)}; type is "s" for text, "f" for a formula, "n" for a number."""
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        strings = []
        if "xl/sharedStrings.xml" in book.namelist():
            items = ElementTree.fromstring(book.read("xl/sharedStrings.xml")).iterfind("m:si", NS)
            strings = ["".join(part.text or "" for part in item.iter(f"{{{NS['m']}}}t")) for item in items]
        root = ElementTree.fromstring(book.read(f"xl/worksheets/sheet{sheet}.xml"))
    rows = []
    for row in root.iterfind(".//m:row", NS):
        cells = {}
        for cell in row.iterfind("m:c", NS):
            value = cell.findtext("m:v", None, NS)
            kind = "f" if cell.find("m:f", NS) is not None else cell.get("t", "n")
            letter = re.sub(r"\d", "", cell.get("r", ""))
            cells[letter] = (kind, strings[int(value)] if kind == "s" and value else value)
        rows.append(cells)
    return rows


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_text_in_a_csv_starts_like_a_formula(attack: str) -> None:
    heading, row = read_csv(to_csv(pd.DataFrame({attack: [attack], "n": [-5]})))
    guarded = re.sub(r"\A|(?<=[\t\r])", "'", attack)
    assert heading[0] == guarded
    assert row == [guarded, "-5"]


@pytest.mark.parametrize("attack", ATTACKS)
def test_no_text_in_a_workbook_becomes_a_formula_or_a_link(attack: str) -> None:
    content = to_xlsx(pd.DataFrame({"x": [attack, "https://example.org"]}), "s")
    _, first, second = read_xlsx(content)
    assert first["A"][0] == "s"
    assert second["A"] == ("s", "https://example.org")
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        assert b"<f>" not in book.read("xl/worksheets/sheet1.xml")
        assert b"hyperlink" not in book.read("xl/worksheets/sheet1.xml")


@given(st.lists(st.text(max_size=10) | st.text("a=;|\t＝", max_size=10), max_size=5))
def test_any_text_in_a_csv_cell_is_safe_and_readable(cells: list[str]) -> None:
    rows = read_csv(to_csv(pd.DataFrame({"x": cells, "y": "end"})))[1:]
    assert len(rows) == len(cells)
    for cell, (written, _) in zip(cells, rows, strict=True):
        for separator in ";|\t":  # with any separator, no cell starts like a formula
            assert not any(part.startswith(tuple("=+-@＝＋－＠")) for part in written.split(separator))
        assert written.replace("'", "") == cell.replace("'", "")


def test_every_text_of_a_csv_is_quoted_and_numbers_are_not() -> None:
    table = pd.DataFrame({"x": ["a;=1"], "n": [5]})
    assert to_csv(table).decode("utf-8-sig") == '"x","n"\r\n"a;\'=1",5\r\n'


@settings(deadline=None)
@given(st.lists(st.text(st.characters(exclude_categories=()), max_size=10), min_size=1, max_size=5))
def test_a_workbook_with_any_text_can_be_opened(cells: list[str]) -> None:
    # As objects, because the text type of pandas cannot store a lone surrogate.
    assert len(read_xlsx(to_xlsx(pd.DataFrame({"x": pd.Series(cells, dtype=object)}), "s"))) >= 1


def test_numbers_stay_numbers_and_ids_become_text() -> None:
    big = 2**63 - 1
    table = pd.DataFrame({"Itinerary id": [big, 7], "people": [1612, 3], "share": [0.5, None], "long": [big, 1]})
    heading, first, second = read_xlsx(to_xlsx(table, "s"))
    assert [heading[letter][1] for letter in "ABCD"] == ["Itinerary id", "people", "share", "long"]
    assert first == {"A": ("s", str(big)), "B": ("n", "1612"), "C": ("n", "0.5"), "D": ("s", str(big))}
    assert second == {"A": ("s", "7"), "B": ("n", "3"), "D": ("n", "1")}
    assert read_csv(to_csv(table))[1] == [str(big), "1612", "0.5", str(big)]


@pytest.mark.parametrize("at", [datetime(2026, 11, 20, 12, 5, tzinfo=UTC), pd.Timestamp("2026-11-20T14:05+02:00")])
def test_times_are_utc(at: Any) -> None:
    table = pd.DataFrame({"at": [at, None]})
    assert [row[0] for row in read_csv(to_csv(table))[1:]] == ["2026-11-20T12:05:00Z", ""]
    _, row, *_ = read_xlsx(to_xlsx(table, "s"))
    kind, days = row["A"]
    assert kind == "n"
    assert days is not None
    assert float(days) == pytest.approx(46346 + (12 * 60 + 5) / 1440)


def test_lists_and_missing_values_are_readable() -> None:
    table = pd.DataFrame({"kinds": [["Air", "Rail"], None], "n": pd.array([None, 2], dtype="Int64")})
    assert read_csv(to_csv(table))[1:] == [["Air; Rail", ""], ["", "2"]]


@pytest.mark.parametrize("name", ["", "a/b\\c[d]:*?", "'quoted'", "x" * 60])
def test_any_text_can_name_a_sheet(name: str) -> None:
    assert read_xlsx(to_xlsx(pd.DataFrame({"x": [1]}), name))[1]["A"] == ("n", "1")


def test_an_empty_table_has_its_headings() -> None:
    empty = pd.DataFrame(columns=["a", "b"])
    assert read_csv(to_csv(empty)) == [["a", "b"]]
    assert [cell[1] for cell in read_xlsx(to_xlsx(empty, "s"))[0].values()] == ["a", "b"]


def test_a_table_longer_than_a_sheet_continues_on_the_next_sheet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spreadsheet, "MAX_SHEET_ROWS", 3)
    content = to_xlsx(pd.DataFrame({"x": [1, 2, 3]}), "s")
    assert [row["A"][1] for row in read_xlsx(content)] == ["x", "1", "2"]
    assert [row["A"][1] for row in read_xlsx(content, 2)] == ["x", "3"]


def test_the_index_is_omitted_and_columns_with_the_same_name_are_included() -> None:
    table = pd.DataFrame([[1, 2]], columns=["x", "x"], index=["left out"])
    assert read_csv(to_csv(table)) == [["x", "x"], ["1", "2"]]
