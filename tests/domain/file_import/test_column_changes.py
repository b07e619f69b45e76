"""Changes to whole columns: what they change, undo and redo, and what later decisions do."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.file_import.checking import Check
from domain.file_import.column_changes import ColumnChange, change_texts, split_at
from domain.file_import.column_matching import Column
from domain.file_import.column_types import Moment
from domain.file_import.repeated_errors import find_repeated_errors
from domain.trips.trip_import.trip_declaration import TRIPS
from tests.domain.file_import.note_import import NOTES

KRAKOW = ColumnChange("replace", "Krakwo", "KRK")


def check_notes(*lines: str) -> Check:
    return Check.of(NOTES, "notes.csv", "\n".join(lines).encode())


def column_of(check: Check, name: str) -> Column:
    return next(each for each in check.columns if each.name == name)


def check_trips(places: list[str]) -> Check:
    rows = [
        f"AB{n:04}X;SILVA/ANA{n};EY{n};{place};WAW;20 Mar 2027 08:25;20 Mar 2027 10:15"
        for n, place in enumerate(places)
    ]
    return Check.of(TRIPS, "x.csv", "\n".join(["PNR;Traveler;Flight;From;To;Departs;Arrives", *rows]).encode())


def test_a_value_is_replaced_in_every_row_undone_and_redone() -> None:
    check = check_trips(["Krakwo"] * 39 + ["AUH"])
    errors, total = find_repeated_errors(check)
    assert [(each.column.name, each.text, each.rows, total) for each in errors] == [("fromPlace", "Krakwo", 39, 1)]
    check.change_column(errors[0].column, KRAKOW)
    assert check.is_ready.all()
    assert find_repeated_errors(check) == ([], 0)
    assert check.outgoing()[0].payload["segments"][0]["fromIataCode"] == "KRK"
    check.undo()
    assert int(check.is_ready.sum()) == 1
    check.redo()
    assert check.is_ready.all()
    assert not check.can_redo
    [(column, change, rows)] = check.list_column_changes()
    assert (change.summary, rows) == ("“Krakwo” → “KRK”", 39)
    check.remove_change(column, change)
    assert int(check.is_ready.sum()) == 1


def test_a_correction_of_a_cell_suggests_the_value_for_the_others_and_outlasts_later_changes() -> None:
    check = check_trips(["Krakwo"] * 3)
    check.fix_cell(0, "fromPlace", "KRK")
    [error] = find_repeated_errors(check)[0]
    assert (error.rows, error.suggestion) == (2, "KRK")
    check.change_column(error.column, ColumnChange("replace", "Krakwo", "KTW"))
    check.fix_cell(1, "fromPlace", "Krakwo")
    assert check.texts_of("fromPlace").tolist() == ["KRK", "Krakwo", "KTW"]
    check.change_column(error.column, KRAKOW)
    assert check.texts_of("fromPlace").tolist() == ["KRK", "KRK", "KTW"], "a corrected cell with the value changes too"


def test_only_values_that_are_wrong_in_every_row_are_offered() -> None:
    """A time that is wrong in one row may be right in another, and a repeated name is no error of its value."""
    check = check_notes(
        "name,number,start,end,state",
        "a,1,2026-03-02,2026-03-01,Opn",
        "b,2,2026-03-02,2026-03-01,Opn",
        "c,x,soon,2026-03-09,Open",
        "d,x,soon,2026-03-09,Open",
        "e,,,,",
        "f,,,,",
    )
    errors, _ = find_repeated_errors(check)
    assert sorted((each.column.name, each.text) for each in errors) == [
        ("number", "x"),
        ("start", "soon"),
        ("state", "Opn"),
    ]


def test_skipped_values_stay_skipped_until_the_change_is_removed() -> None:
    check = check_notes("name,number,state", "a,1,Void", "b,2,Open", "c,3,Void")
    change = ColumnChange("skip", "Void")
    check.change_column(column_of(check, "state"), change)
    assert check.decisions.skipped_rows == {0, 2}
    [(column, change, rows)] = check.list_column_changes()
    assert rows == 2
    check.remove_change(column, change)
    assert not check.decisions.skipped_rows
    check.undo()
    assert check.decisions.skipped_rows == {0, 2}


@pytest.mark.parametrize(
    ("change", "text", "expected"),
    [
        (ColumnChange("zone", "Europe/Paris"), "2026-03-20 08:25", "2026-03-20 08:25+01:00"),
        (ColumnChange("zone", "Europe/Paris"), "2026-07-20 08:25+09:00", "2026-07-20 08:25+09:00"),
        (ColumnChange("zone", "Europe/Paris"), "2026-07-20", "2026-07-20 23:59:59.999+02:00"),
        (ColumnChange("zone", "Europe/Paris"), "soon", "soon"),
        (ColumnChange("year", "2027"), "02DEC", "2027-12-02"),
        (ColumnChange("year", "2027"), "29FEB", "29FEB"),
        (ColumnChange("year", "2027"), "2026-12-02", "2026-12-02"),
        (ColumnChange("separate", "/"), "a@b.com / c@d.com", "a@b.com; c@d.com"),
    ],
)
def test_a_change_writes_what_a_cell_leaves_open(change: ColumnChange, text: str, expected: str) -> None:
    column = Column("end", "Ends", Moment(is_end=True))
    assert change_texts(change, column, pd.Series([text, ""], dtype="str"), "as the file shows").tolist() == [
        expected,
        "",
    ]


def test_the_time_zone_of_local_times_goes_to_their_column_of_zones() -> None:
    check = check_trips(["Krakwo", "Krakwo"])
    zone = column_of(check, column_of(check, "fromDate").zone_column)
    check.change_column(zone, ColumnChange("zone", "Europe/Warsaw"))
    assert check.is_ready.all()
    assert check.outgoing()[0].payload["segments"][0]["fromTimeZone"] == "Europe/Warsaw"


def test_people_in_one_cell_are_separated() -> None:
    row = "ABCDEF;Ana Silva + Bo Berg, Cy Dee;EY1;AUH;WAW;20 Mar 2027 08:25;20 Mar 2027 14:15"
    content = f"PNR;Traveler;Flight;From;To;Departs;Arrives\n{row}"
    check = Check.of(TRIPS, "x.csv", content.encode())
    check.change_column(column_of(check, "travelerName"), ColumnChange("separate", ","))
    assert [each["lastName"] for each in check.outgoing()[0].payload["passengers"]] == ["Silva", "Berg", "Dee"]


def test_a_split_column_is_matched_by_its_parts_and_can_be_removed() -> None:
    check = check_notes("label", "a - 7", "b - 8", "c")
    split = split_at(check.source.frame["label"], " - ")
    assert split is not None
    check.split_heading("label", split)
    assert check.source.headers == ("label", "label 1", "label 2")
    check.match("name", ["label 1"])
    check.match("number", ["label 2"])
    assert check.texts_of("number").tolist() == ["7", "8", ""]
    check.remove_split("label")
    assert check.source.headers == ("label",)
    check.undo()
    assert check.texts_of("name").tolist() == ["a", "b", "c"]


cells = st.sampled_from(["", "a", "b", "7", "02DEC", "2026-03-20 08:25", "a; b"])
changes = st.builds(
    ColumnChange, st.sampled_from(["replace", "separate", "skip"]), cells.filter(bool), st.just("7")
) | st.just(ColumnChange("zone", "Asia/Dubai"))


@given(data=st.data())
@settings(max_examples=15, suppress_health_check=[HealthCheck.too_slow], deadline=None)
def test_undoing_every_step_restores_the_file(data: Any) -> None:
    rows = data.draw(st.lists(st.tuples(cells.filter(bool), cells, cells), min_size=1, max_size=5))
    check = check_notes("name,number,start", *(",".join(f'"{cell}"' for cell in row) for row in rows))
    before = check.decisions, check.rows.texts.to_numpy().tolist()
    for _ in range(data.draw(st.integers(1, 4))):
        column = data.draw(st.sampled_from(check.columns[:3]))
        if data.draw(st.booleans()):
            check.change_column(column, data.draw(changes))
        else:
            check.fix_cell(data.draw(st.integers(0, len(rows) - 1)), column.name, data.draw(cells))
    after = check.rows.texts.to_numpy().tolist()
    steps = 0
    while check.can_undo:
        check.undo()
        steps += 1
    assert (check.decisions, check.rows.texts.to_numpy().tolist()) == before
    for _ in range(steps):
        check.redo()
    assert check.rows.texts.to_numpy().tolist() == after
