"""Reading a CSV file of contacts: texts stay texts, and errors of the file have a message."""

from __future__ import annotations

import io
import json
import time
import zipfile
from dataclasses import replace
from datetime import datetime

import pytest
import xlsxwriter

from domain.file_import.delimited import DELIMITERS, MAX_LISTED, Unreadable
from domain.file_import.source_file import MAX_UNPACKED
from domain.file_import.workbook_process import UNCALCULATED
from domain.filters.estimate.rule_questions import CONTACTS


def read(text: str, encoding: str = "utf-8"):
    return CONTACTS.read("contacts.csv", text.encode(encoding))


@pytest.mark.parametrize(
    ("encoding", "encoding_name"),
    [("utf-8", "UTF-8"), ("utf-8-sig", "UTF-8"), ("cp1252", "Windows-1252"), ("utf-16", "UTF-16")],
)
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_every_encoding_and_separator_gives_the_same_contacts(
    encoding: str, encoding_name: str, delimiter: str, line_end: str
):
    rows = (("First name", "Last name", "City"), ("Zoë", "Müller", "São Paulo"), ("Ana", "Silva", ""))
    file = read("".join(delimiter.join(row) + line_end for row in rows), encoding)
    assert file.headers == rows[0]
    assert [tuple(row) for row in file.frame.to_numpy()] == list(rows[1:])
    assert (file.format, file.rows) == (f"{encoding_name}, {DELIMITERS[delimiter]}", 2)
    assert any("Windows-1252" in note for note in file.notes) == (encoding == "cp1252")


def test_unreadable_characters_are_reported_with_their_row():
    file = CONTACTS.read("contacts.csv", "名前,国\n田中,JP\n".encode("shift_jis"))
    assert [problem.row for problem in file.problems.listed] == [1]


def test_ids_stay_texts():
    cells = ["9007199254740993", "007", "1e5", "NaN", "NULL", "None", "true", "2026-11-20", "12.50", "+4915112345678"]
    file = read("id\n" + "\n".join(cells) + "\n")
    assert file.frame["id"].tolist() == cells
    assert str(file.frame["id"].dtype) == "str"


def test_cells_are_stripped_and_their_accents_normalized():
    file = read('a,b\n"  x ",\u0065\u0301\n')
    assert file.frame.iloc[0].tolist() == ["x", "\u00e9"]
    assert any(note.startswith("Muster removed spaces around 1 value") for note in file.notes)


def test_spreadsheet_guards_are_removed_and_other_apostrophes_stay():
    file = read('phone,name\n\'+49151,\'s Jong\n\'=1,O\'Neil\n\'00127,\'t Hooft\n"=""00126""","=""a""""b"""\n')
    assert file.frame["phone"].tolist() == ["+49151", "=1", "00127", "00126"]
    assert file.frame["name"].tolist() == ["'s Jong", "O'Neil", "'t Hooft", 'a"b']


def test_quoted_separators_line_breaks_and_headings_are_respected():
    file = read('"Name; first",City\n"Silva, Ana","Rio\nde Janeiro"\n')
    assert file.headers == ("Name; first", "City")
    assert file.frame.iloc[0].tolist() == ["Silva, Ana", "Rio\nde Janeiro"]


def test_a_line_that_names_the_separator_is_used():
    file = read("sep=;\nname,first;city\nSilva,Ana;Rio\n")
    assert file.headers == ("name,first", "city")


def test_blank_rows_are_ignored_short_rows_filled_and_long_rows_skipped():
    file = read("a,b\n1,2\n\n,\n3\n4,5,6\n7,8,,\n")
    assert file.frame.to_numpy().tolist() == [["1", "2"], ["3", ""], ["7", "8"]]
    assert [problem.row for problem in file.problems.listed] == [5, 6]
    assert "1 of 2 cells" in file.problems.listed[0].message
    assert "it has 3 cells, and the first row has 2" in file.problems.listed[1].message
    assert (file.problems.skipped, file.problems.partial) == (1, 1)
    assert [file.row_number(row) for row in range(3)] == [2, 5, 7]


def test_only_the_first_bad_rows_are_listed_but_all_are_counted():
    file = read("a,b\n1,2\n" + "1,2,3\n" * 1_500)
    assert (len(file.problems.listed), file.problems.skipped) == (MAX_LISTED, 1_500)


def test_an_unclosed_quotation_mark_costs_one_contact_and_is_reported():
    rows = [f"Ana,Silva,E{number}" for number in range(20_000)]
    rows[14_000] = 'Ana,"Silva,E14000'
    file = read("\n".join(["First name,Last name,External id", *rows]))
    assert file.rows == 19_999
    assert [problem.row for problem in file.problems.listed] == [14_002]


@pytest.mark.parametrize(
    "first", ["Ana,Silva,ana@example.com", "Ana,Silva,+49 151 23456", "Ana,Silva,2026-11-20", "17,ana@example.com,x"]
)
def test_a_first_row_that_is_a_contact_is_not_read_as_headings(first: str):
    file = read(f"{first}\nBen,Sommer,x\n")
    assert file.headers == ("Column 1", "Column 2", "Column 3")
    assert file.frame.iloc[0].tolist() == first.split(",")
    assert (file.rows, file.has_headings, file.row_number(0)) == (2, False, 1)
    assert "Muster read row 1 as a record" in str(file.headings_warning)


def test_an_unknown_first_row_gets_a_warning_and_can_be_read_either_way():
    file = read("Nimi,Kaupunki\nSilva,Rio\n")
    assert (file.headers, file.rows) == (("Nimi", "Kaupunki"), 1)
    assert "Muster read row 1 as headings" in str(file.headings_warning)
    without_headings = replace(file, has_headings=False)
    assert (without_headings.headers, without_headings.rows) == (("Column 1", "Column 2"), 2)
    assert without_headings.frame.iloc[0].tolist() == ["Nimi", "Kaupunki"]
    assert [without_headings.row_number(row) for row in (0, 1)] == [1, 2]
    assert replace(without_headings, has_headings=True).frame.equals(file.frame)


@pytest.mark.parametrize("first", ["First name,4001", "lastName,2026-11-20", "Surname,x"])
def test_a_first_row_with_a_known_heading_is_the_headings(first: str):
    file = read(f"{first}\nSilva,Rio\n")
    assert (file.headers, file.headings_warning) == (tuple(first.split(",")), None)


def test_missing_and_duplicate_headings_get_names_and_a_note():
    file = read("name,,city,city,city (2),\nAna,x,Rio,Lyon,Graz,\n")
    assert file.headers == ("name", "Column 2", "city", "city (3)", "city (2)")
    assert len(set(file.headers)) == 5
    assert any("Column 2" in note for note in file.notes)
    assert any("same heading" in note and "city" in note for note in file.notes)


def test_a_file_of_one_column_is_read_with_a_note():
    file = read("what\nE1\n")
    assert file.headers == ("what",)
    assert any("has one column" in note for note in file.notes)
    assert read("external id\nE1\n").notes == ()  # the heading is known, so one column is normal


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "empty"),
        (b"\xef\xbb\xbf\r\n", "empty"),
        (b"\n\n,,\n", "only separators"),
        (b"PK\x03\x04rest", "Save the workbook as XLSX or CSV"),
        (b"\xd0\xcf\x11\xe0rest", "Save the workbook as XLSX or CSV"),
        (b"a,b\n1,\x002\n", "isn’t a text file"),
        (b"a,b\n", "headings but no rows"),
        (b'a,b\n\n1,"x\n', "No row below the headings can be read. Row 3: Skipped: a quotation mark"),
        (b'"a,b\n1,2\n', "Row 1, the first row"),
        (b",".join(b"h%d" % i for i in range(501)) + b"\n1\n", "501 columns"),
    ],
)
def test_an_unreadable_file_is_reported_with_advice(content: bytes, words: str):
    with pytest.raises(Unreadable, match=words):
        CONTACTS.read("contacts.csv", content)


def test_a_file_of_too_many_rows_is_rejected():
    few = replace(CONTACTS, most_rows=2)
    assert few.read("a.csv", "a\nx\ny\n").rows == 2
    with pytest.raises(Unreadable, match="more than 2 rows"):
        few.read("a.csv", "a\nx\ny\nz\n")


def test_files_with_the_same_content_have_the_same_digest():
    assert read("a\nx\n").digest == read("a\nx\n").digest != read("a\ny\n").digest


def test_a_hundred_thousand_rows_are_read_quickly():
    row = ",".join(f"value {i}" for i in range(12))
    content = (",".join(f"h{i}" for i in range(12)) + "\n" + f"{row}\n" * 100_000).encode()
    began = time.process_time()
    assert CONTACTS.read("large.csv", content).rows == 100_000
    assert time.process_time() - began < 10


def workbook(*sheets: tuple[str, list[list[object]]]) -> bytes:
    sink = io.BytesIO()
    with xlsxwriter.Workbook(sink, {"in_memory": True, "default_date_format": "yyyy-mm-dd hh:mm"}) as book:
        for name, rows in sheets:
            sheet = book.add_worksheet(name)
            for row, cells in enumerate(rows):
                for column, cell in enumerate(cells):
                    sheet.write(row, column, cell)
    return sink.getvalue()


def test_workbook_cells_are_read_as_they_would_be_typed():
    at, day = datetime(2026, 11, 20, 14, 5), datetime(2026, 11, 20)  # noqa: DTZ001 - as a sheet stores them
    rows = [
        ["id", "when", "day", "much", "yes"],
        [9007199254740991, at, day, 47.5, True],
        [],
        [7.0, None, None, "x", False],
    ]
    file = CONTACTS.read("a.xlsx", workbook(("Empty", []), ("People", rows)))
    assert file.headers == ("id", "when", "day", "much", "yes")
    assert file.frame.to_numpy().tolist() == [
        ["9007199254740991", "2026-11-20 14:05:00", "2026-11-20 00:00:00", "47.5", "true"],
        ["7", "", "", "x", "false"],
    ]
    assert [file.row_number(row) for row in range(2)] == [2, 4]
    assert file.sheets == ("People", "Empty")


def test_workbook_cells_are_read_as_their_number_formats_show_them():
    """Leading zeros, a plus sign, and midnight if the format shows the time of day."""
    midnight, noon = datetime(2026, 3, 1), datetime(2026, 3, 1, 12)  # noqa: DTZ001 - as a sheet stores them
    formats = ("00000000", '"+"0', '0" km"', "yyyy-mm-dd hh:mm", "dd/mm/yyyy", "yyyy-mm-dd hh:mm")
    rows = [[1234, 4930901820, 5, midnight, midnight, midnight]] * 2
    rows += [[56, 49, 5, noon, midnight, midnight], [123456789, 1, 5, noon, midnight, midnight]]
    sink = io.BytesIO()
    with xlsxwriter.Workbook(sink, {"in_memory": True}) as book:
        sheet, cell_formats = book.add_worksheet(), [book.add_format({"num_format": code}) for code in formats]
        sheet.write_row(0, 0, ["id", "phone", "way", "departs", "day", "exported day"])
        for number, cells in enumerate(rows, start=1):
            for column, cell in enumerate(cells):
                sheet.write(number, column, cell, cell_formats[column])
    cells = CONTACTS.read("a.xlsx", sink.getvalue()).frame.to_numpy().tolist()
    day = "2026-03-01"
    assert cells[0] == ["00001234", "+4930901820", "5", f"{day} 00:00:00", day, day]
    assert [row[0] for row in cells[2:]] == ["00000056", "123456789"]
    assert cells[2][3] == f"{day} 12:00:00"


def test_another_sheet_of_a_workbook_can_be_read():
    content = workbook(("One", [["a"], ["1"]]), ("Two", [["b"], ["2"]]))
    assert CONTACTS.read("a.xlsx", content, sheet="Two").headers == ("b",)


def test_a_cover_sheet_of_one_line_does_not_hide_the_table():
    content = workbook(("Cover", [["Made for the head office"]]), ("People", [["a"], ["1"]]))
    file = CONTACTS.read("a.xlsx", content)
    assert (file.sheets, file.headers) == (("People", "Cover"), ("a",))


def test_a_hidden_list_does_not_take_the_place_of_a_sheet_with_headings_only():
    sink = io.BytesIO()
    with xlsxwriter.Workbook(sink, {"in_memory": True}) as book:
        hidden, visible = book.add_worksheet("Lists"), book.add_worksheet("People")
        visible.activate()
        hidden.hide()
        hidden.write_column(0, 0, ["colours", "red"])
        visible.write_row(0, 0, ["externalId", "name"])
    with pytest.raises(Unreadable, match="headings but no rows"):
        CONTACTS.read("a.xlsx", sink.getvalue())


def test_a_visible_sheet_comes_before_a_hidden_one():
    sink = io.BytesIO()
    with xlsxwriter.Workbook(sink, {"in_memory": True}) as book:
        hidden, visible = book.add_worksheet("Lists"), book.add_worksheet("People")
        visible.activate()
        visible.set_first_sheet()
        hidden.hide()
        hidden.write_column(0, 0, ["colours", "red"])
        visible.write_column(0, 0, ["a", "1"])
    file = CONTACTS.read("a.xlsx", sink.getvalue())
    assert (file.sheets, file.headers) == (("People", "Lists"), ("a",))


def test_a_workbook_with_distant_cells_is_rejected():
    sink = io.BytesIO()
    with xlsxwriter.Workbook(sink, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        sheet.write(0, 0, "name")
        sheet.write(1_048_575, 16_383, "far away")
    with pytest.raises(Unreadable, match="can’t be read"):
        CONTACTS.read("a.xlsx", sink.getvalue())


def test_a_workbook_that_is_too_large_or_invalid_is_rejected(monkeypatch: pytest.MonkeyPatch):
    for content in (b"PK\x03\x04rest", workbook(("One", []))):
        with pytest.raises(Unreadable):
            CONTACTS.read("a.xlsx", content)
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as parts:
        parts.writestr("xl/workbook.xml", b"\0" * (MAX_UNPACKED + 1))
    with pytest.raises(Unreadable, match="unpacked workbook"):
        CONTACTS.read("a.xlsx", bomb.getvalue())


def test_spreadsheet_errors_are_read_as_their_text():
    sink = io.BytesIO()
    with xlsxwriter.Workbook(sink, {"in_memory": True}) as book:
        book.add_worksheet("Cover & co").write(0, 0, "Contacts")
        sheet = book.add_worksheet("Ana's")
        sheet.write_row(0, 0, ["Employee id", "E-mail"])
        for place, error_text in enumerate(("#DIV/0!", "#REF!", "#N/A"), start=1):
            sheet.write(place, 0, f"E{place}")
            sheet.write_formula(place, 1, "=1/0", None, error_text)
        sheet.write_formula(4, 27, "=1/0", None, "#NAME?")
    frame = CONTACTS.read("a.xlsx", sink.getvalue(), sheet="Ana's").frame
    assert frame.iloc[:3, 1].tolist() == ["#DIV/0!", "#REF!", "#N/A"]


def test_what_a_sheet_hides_and_merges_is_stated():
    sink = io.BytesIO()
    with xlsxwriter.Workbook(sink, {"in_memory": True}) as book:
        struck, small = book.add_format({"font_strikeout": True}), book.add_format()
        sheet = book.add_worksheet("Trips")
        sheet.write_row(0, 0, ["City", "City", "Country", "Note"])
        for row in range(1, 8):
            sheet.write_row(row, 0, ["Rio", "Lyon", "FR", row])
        sheet.set_column(0, 0, None, None, {"hidden": True})
        sheet.set_column(3, 3, 0)
        sheet.set_row(2, None, None, {"hidden": True})
        sheet.set_row(4, 0)
        sheet.set_row(6, 20)
        sheet.merge_range("C6:C7", "BR", small)
        sheet.write(3, 1, "Nice", struck)
        # Programs write 0 until a spreadsheet computes the formula.
        sheet.write_formula(7, 1, "=A1")
        book.add_worksheet("Old").write_column(0, 0, ["x", "y", "z"])
        book.worksheets()[1].hide()
    file = CONTACTS.read("a.xlsx", sink.getvalue())
    assert file.headers == ("City (2)", "City", "Country", "Note")
    assert (file.hidden_rows, file.hidden_headings) == ((1, 3), ("City (2)", "Note"))
    assert file.without_rows(file.hidden_rows).numbers == (1, 2, 4, 6, 7, 8)
    assert file.notes == (
        "Muster read only sheet “Trips”, not “Old” (3 rows, hidden).",
        "Muster repeats the values of 1 merged cell in all cells they cover.",
        "1 formula has no stored value. Open the workbook in a spreadsheet program, save it, and upload it again.",
        "1 row has struck-through text, which Muster reads like other text: 4.",
        "2 columns are hidden in the sheet: “City (2)” and “Note”.",
        "Columns with the same heading are numbered: City.",
    )


def test_formulas_without_a_value_below_and_beside_the_values_are_read():
    sink = io.BytesIO()
    with xlsxwriter.Workbook(sink, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["City", "Country"])
        for row in range(1, 4):
            sheet.write_formula(row, 0, "=Z1", None, "")
        sheet.write_formula(3, 1, '=IF(A1="x","","")', None, "")
    content = sink.getvalue()
    assert CONTACTS.read("a.xlsx", content).frame["City"].tolist() == [UNCALCULATED] * 3


def test_the_sheet_with_the_most_known_headings_is_read():
    cover = [["Trips of March", ""], ["Country", "JP"], ["Prepared by", "Ana"]]
    people = [["First name", "Last name", "Country"], ["Ana", "Silva", "JP"]]
    file = CONTACTS.read("a.xlsx", workbook(("Cover", cover), ("People", people), ("Notes", cover)))
    assert (file.sheets, file.rows) == (("People", "Cover", "Notes"), 1)
    assert file.notes == ("Muster read only sheet “People”, not “Cover” (3 rows) or “Notes” (3 rows).",)


def test_geojson_features_and_json_records_become_rows():
    feature = {"type": "Feature", "id": 7, "properties": {"name": "Ana", "n": 2**60}, "geometry": {"type": "Point"}}
    file = CONTACTS.read("a.geojson", json.dumps({"type": "FeatureCollection", "features": [feature]}))
    assert dict(zip(file.headers, file.frame.iloc[0], strict=True)) == {
        "name": "Ana",
        "n": str(2**60),
        "id": "7",
        "geometry": '{"type": "Point"}',
    }
    many = CONTACTS.read("a.json", '[{"a": "1"}, {"b": [1, 2], "a": null}]')
    assert many.frame.to_numpy().tolist() == [["1", ""], ["", "[1, 2]"]]
    assert [many.row_number(row) for row in range(2)] == [1, 2]


def test_unusual_features_are_read_as_records():
    odd = [None, "x", {"type": "Feature"}, {"type": "Feature", "properties": [1], "geometry": {"type": "Circle"}}]
    file = CONTACTS.read("a.geojson", json.dumps({"type": "FeatureCollection", "features": odd}))
    assert file.frame.to_numpy().tolist() == [['{"type": "Circle"}']]


@pytest.mark.parametrize(
    "text", ["{", "[1, 2]", "[]", '{"features": 1', "[" * 100_000, '{"type": "FeatureCollection"}']
)
def test_json_without_records_is_rejected_with_a_message(text: str):
    with pytest.raises(Unreadable):
        CONTACTS.read("a.json", text)
