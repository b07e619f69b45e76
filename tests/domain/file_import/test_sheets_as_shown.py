"""Generated sheets: every row is ready, has errors, or is named as left out."""

from __future__ import annotations

import io
import json
import re
import subprocess
import zipfile
from collections.abc import Callable
from dataclasses import asdict, replace
from functools import partial

import pytest
import xlsxwriter
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.file_import import source_file
from domain.file_import.checking import Check
from domain.file_import.workbook_process import read
from domain.trips.trip_import.trip_declaration import TRIPS

HEADINGS = ("Record locator", "Traveler", "Flight", "From", "Date", "Time", "To", "Date", "Time")
GOOD = ("DOE/ANN", "NH9", "HND", "2026-12-03", "11:05", "JFK", "2026-12-03", "09:55")
KINDS = ("good", "hidden", "flat", "formula", "wide", "total", "headings", "error", "changed", "number", "struck")


def workbook(kinds: list[str]) -> bytes:
    sink = io.BytesIO()
    with xlsxwriter.Workbook(sink, {"in_memory": True}) as book:
        sheet, struck = book.add_worksheet(), book.add_format({"font_strikeout": True})
        sheet.write_row(0, 0, HEADINGS)
        for row, kind in enumerate(kinds, start=1):
            cells = [f"AB{row:04}", *GOOD]
            if kind == "total":
                cells = ["Total: 3"]
            elif kind == "headings":
                cells = [*HEADINGS]
            elif kind == "wide":
                cells.append("beyond the headings")
            elif kind == "changed":
                cells[0] = f"7.{row}E+124"
            sheet.write_row(row, 0, cells, struck if kind == "struck" else None)
            if kind in ("hidden", "flat"):
                sheet.set_row(row, 0 if kind == "flat" else None, None, {"hidden": kind == "hidden"})
            elif kind == "formula":
                sheet.write_formula(row, row % 9, "=Z1", None, "")
            elif kind == "error":
                sheet.write_formula(row, row % 9, "=1/0", None, "#DIV/0!")
            elif kind == "number":
                sheet.write_number(row, 0, 1e124)
    return sink.getvalue()


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(kinds=st.lists(st.sampled_from(KINDS), min_size=1, max_size=12), includes_hidden=st.booleans())
def test_each_row_of_a_sheet_is_ready_or_has_an_error_or_is_named(
    monkeypatch: pytest.MonkeyPatch, kinds: list[str], *, includes_hidden: bool
):
    def run(command: list[str], *, input: bytes, **_: object) -> subprocess.CompletedProcess[str]:  # noqa: A002
        return subprocess.CompletedProcess(command, 0, json.dumps(asdict(read(input, None))))

    monkeypatch.setattr(source_file.subprocess, "run", run)
    try:
        check = Check.of(TRIPS, "a.xlsx", workbook(kinds))
    except source_file.Unreadable:
        assert {*kinds} <= {"total", "headings", "wide"}
        return
    check.set_options(replace(check.options, includes_hidden=includes_hidden))
    named = {problem.row for problem in check.source.problems.listed}
    shown = dict(enumerate(kinds, start=2))
    by_row = {check.source.row_number(row): row for row in range(check.source.rows)}
    assert {*shown} == named | {*by_row}
    assert not named & {*by_row}
    is_fine = {"good", "struck"} | ({"hidden", "flat"} if includes_hidden else set())
    for number, row in by_row.items():
        assert bool(check.is_ready[row]) == (shown[number] in is_fine), shown[number]
        assert bool(check.with_errors[row]) != bool(check.is_ready[row])


@pytest.mark.parametrize("rename", [str.upper, partial(re.sub, "/", r"\\")], ids=["capitals", "backslashes"])
def test_hidden_rows_are_found_however_the_parts_of_a_workbook_are_called(rename: Callable[[str], str]):
    sink = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook(["good", "hidden"]))) as given_parts, zipfile.ZipFile(sink, "w") as parts:
        for name in given_parts.namelist():
            parts.writestr(zipfile.ZipInfo(rename(name)), given_parts.read(name))
    sheet = read(sink.getvalue(), None).sheet
    assert sheet is not None
    assert (len(sheet.rows), sheet.hidden_rows) == (3, [3])


def test_a_formula_without_any_value_is_named_and_one_that_gives_an_empty_text_is_empty():
    sink = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(workbook(["formula", "formula"]))) as given_parts,
        zipfile.ZipFile(sink, "w") as parts,
    ):
        for name in given_parts.namelist():
            content = given_parts.read(name)
            for place, value in ((b"B2", b""), (b"C3", b"<v></v>")):
                pattern = rb'<c r="%s"[^<>]*><f>Z1</f><v>0?</v>' % place
                content = re.sub(pattern, rb'<c r="%s" t="str"><f>Z1</f>%s' % (place, value), content)
            parts.writestr(zipfile.ZipInfo(name), content)
    sheet = read(sink.getvalue(), None).sheet
    assert sheet is not None
    assert [cells[1:3] for _, cells in sheet.rows[1:]] == [
        ["(formula without value)", "NH9"],
        ["DOE/ANN", ""],
    ]


def test_durations_are_read_as_shown_and_sheets_with_only_errors_are_named():
    sink = io.BytesIO()
    with xlsxwriter.Workbook(sink, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        sheet.write_column(0, 0, ["Duration"])
        sheet.write_number(1, 0, 26.5 / 24, book.add_format({"num_format": "[h]:mm"}))
        book.add_worksheet("Errors").write_formula(80, 0, "=1/0", None, "#DIV/0!")
    source = source_file.read_source("a.xlsx", sink.getvalue())
    assert source.frame.iloc[0, 0] == "26:30:00"
    assert "not “Errors”" in source.notes[0]
