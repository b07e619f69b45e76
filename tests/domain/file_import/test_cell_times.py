"""Cells read as times: accepted formats, time zones, and dates without a time."""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pandas as pd
import pytest

from domain.file_import.cell_times import (
    add_year,
    detect_date_order,
    format_day_fractions,
    format_serial_dates,
    has_time_of_day,
    is_without_year,
    needs_date_order,
    read_clocks,
    read_spans,
)
from domain.filters.values import local_moment


def read_cells(*cells: str, zone: str = "UTC", order="as the file shows") -> list[tuple[str, str] | None]:
    spans = read_spans(pd.Series(cells, dtype="str"), zone, order)
    return [
        (_text(begin, zone), _text(end, zone)) if is_read else None
        for begin, end, is_read in zip(spans.begin.tolist(), spans.end.tolist(), spans.is_read, strict=True)
    ]


def _text(milliseconds: int, zone: str) -> str:
    at = local_moment(milliseconds, zone)
    assert at is not None
    return at.replace(tzinfo=None).isoformat(timespec="milliseconds")


@pytest.mark.parametrize(
    "cell",
    [
        "1795176000000",
        "1795176000",
        "2026-11-20T12:00Z",
        "2026-11-20T12:00:00Z",
        "2026-11-20T12:00:00.000Z",
        "2026-11-20T12:00:00.000999999Z",
        "2026-11-20t12:00:00z".upper(),
        "2026-11-20 12:00",
        "2026-11-20 12:00:00",
        "2026-11-20T13:00:00+01:00",
        "2026-11-20T17:30+0530",
        "20.11.2026 12:00",
        "20/11/2026 12:00",
        "11/20/2026 12:00",
        "20-11-2026, 12:00:00",
        "20/11/2026 12:00 PM",
        "11/20/2026 12:00pm",
        "20.11.26 12:00",
        "20NOV26 1200",
        "20-Nov-2026 12:00",
        "Fri, 20 November 2026 12:00",
        "Nov 20, 2026 12 PM",
        "20. November 2026 12h00",
        "20 novembre 2026 12h",
        "20 de noviembre de 2026 12:00",
        "2026/11/20 12:00",
    ],
)
def test_a_moment_is_read_in_every_format(cell: str):
    noon = "2026-11-20T12:00:00.000"
    assert read_cells(cell) == [(noon, noon)]


@pytest.mark.parametrize(
    "cell",
    [
        "soon",
        "20261120",
        "202603200825",
        "20260320082500",
        "2026032008",
        "2603200825",
        "1795176",
        "2026-13-01",
        "2026-02-30",
        "31/31/2026",
        "12:00",
        "2026",
        "-",
        "2026-11-20T25:00Z",
        "1/2/26",
    ],
)
def test_invalid_times_are_not_guessed(cell: str):
    assert read_cells(cell) == [None]


@pytest.mark.parametrize(("cell", "moment"), [("788918400000", "1995-01-01"), ("86400000000", "1972-09-27")])
def test_milliseconds_of_the_last_century_have_fewer_digits(cell: str, moment: str):
    assert read_cells(cell) == [(f"{moment}T00:00:00.000",) * 2]


def test_a_date_alone_is_its_whole_day_in_the_zone_even_with_a_clock_change():
    assert read_cells("2026-11-20") == [("2026-11-20T00:00:00.000", "2026-11-20T23:59:59.999")]
    berlin = read_spans(pd.Series(["2026-03-29", "2026-10-25"], dtype="str"), "Europe/Berlin", "day first")
    hours = (berlin.end - berlin.begin + 1) / 3_600_000
    assert hours.tolist() == [23, 25]


def test_times_without_a_zone_use_the_selected_zone_and_others_keep_theirs():
    spans = read_spans(pd.Series(["2026-07-01T12:00", "2026-07-01T12:00Z"], dtype="str"), "Asia/Tokyo", "day first")
    local = datetime(2026, 7, 1, 12, tzinfo=ZoneInfo("Asia/Tokyo")).timestamp() * 1000
    assert spans.begin.tolist() == [local, datetime(2026, 7, 1, 12, tzinfo=UTC).timestamp() * 1000]


def test_the_file_or_a_person_decides_the_order_of_day_and_month():
    assert read_cells("03/04/2026") == [None]
    assert needs_date_order(pd.Series(["03/04/2026", "x"], dtype="str"))
    assert not needs_date_order(pd.Series(["03/04/2026", "13/04/2026"], dtype="str"))
    assert not needs_date_order(pd.Series(["03.04.2026", "2026-01-01"], dtype="str"))
    day_first, month_first = "2026-04-03T00:00:00.000", "2026-03-04T00:00:00.000"
    assert read_cells("03/04/2026", order="day first")[0][0] == day_first
    assert read_cells("03/04/2026", order="month first")[0][0] == month_first
    assert read_cells("03/04/2026", "30/04/2026")[0][0] == day_first
    assert read_cells("03/04/2026", "03/30/2026")[0][0] == month_first
    assert read_cells("03.04.2026", order="month first")[0][0] == day_first


def test_dates_with_hyphens_are_as_ambiguous_as_dates_with_slashes():
    assert read_cells("03-12-2026") == [None]
    assert needs_date_order(build_series("03-12-2026"))
    assert detect_date_order([build_series("03-12-2026"), build_series("13-12-2026")]) == "day first"
    assert detect_date_order([build_series("03-12-2026"), build_series("12/13/2026")]) == "month first"
    assert read_cells("03-12-2026", order="month first")[0][0] == "2026-03-12T00:00:00.000"
    assert read_cells("03-12-2026", "30-12-2026")[0][0] == "2026-12-03T00:00:00.000"


def test_two_times_with_a_slash_between_them_are_a_span():
    assert read_cells("2026-11-20T10:00Z/2026-11-22") == [("2026-11-20T10:00:00.000", "2026-11-22T23:59:59.999")]
    assert read_cells("2026-11-22/2026-11-20", "2026-11-22/", "soon/2026-11-22") == [None, None, None]


def build_series(*cells: str) -> pd.Series:
    return pd.Series(cells, dtype="str")


def test_the_whole_file_decides_the_order_of_day_and_month_unless_both_orders_appear():
    assert detect_date_order([build_series("03/04/2026"), build_series("13/04/2026")]) == "day first"
    assert detect_date_order([build_series("03/04/2026 2:05 PM"), build_series("04/13/26")]) == "month first"
    assert detect_date_order([build_series("13/04/2026"), build_series("04/13/2026")]) == "as the file shows"
    assert (
        detect_date_order([build_series("2026-04-13"), build_series("")])
        == detect_date_order([])
        == "as the file shows"
    )


@pytest.mark.parametrize(
    ("cell", "clock"),
    [
        ("14:05", "14:05:00"),
        ("2:05 PM", "14:05:00"),
        ("02:05:30 p.m.", "14:05:30"),
        ("2p", "14:00:00"),
        ("12:00 AM", "00:00:00"),
        ("12 pm", "12:00:00"),
        ("1405", "14:05:00"),
        ("905", "09:05:00"),
        ("14h05", "14:05:00"),
        ("14.05 Uhr", "14:05:00"),
        ("0610+1", "1 06:10:00"),
        ("06:10 (+1 day)", "1 06:10:00"),
        ("24:00", "1 00:00:00"),
        *((cell, None) for cell in ("", "25:00", "13:00 PM", "14:60", "14", "noon", "2026-11-20", "2405")),
    ],
)
def test_times_of_day_as_people_and_programs_write_them(cell: str, clock: str | None):
    seconds, is_read = read_clocks(build_series(cell))
    assert is_read[0] == (clock is not None)
    if clock is not None:
        days, _, time = clock.rpartition(" ")
        hour, minute, second = map(int, time.split(":"))
        assert seconds[0] == int(days or 0) * 86_400 + hour * 3600 + minute * 60 + second


def test_a_date_alone_has_no_time_of_day():
    cells = build_series("2026-11-20", "2026-11-20 00:00", "20NOV26", "20NOV26 1405", "1795176000000")
    assert has_time_of_day(cells).tolist() == [False, True, False, True, True]


def test_spreadsheet_numbers_become_dates_and_times_rounded_to_the_minute():
    cells = build_series(
        "46360", "46360.236", "46350.4583", "46091.416666666664", "46091.41672", "", "soon", "1795176000"
    )
    assert format_serial_dates(cells).tolist() == [
        *("2026-12-04", "2026-12-04 05:40:00", "2026-11-24 11:00:00", "2026-03-10 10:00:00", "2026-03-10 10:00:05"),
        *("", "soon", "1795176000"),
    ]
    assert format_day_fractions(build_series("0.4305555", ".25", "46360.5", "")).tolist() == [
        *("10:20:00", "06:00:00", "2026-12-04 12:00:00", ""),
    ]
    assert format_day_fractions(build_series("0.25", "14.05")).tolist() == ["0.25", "14.05"], (
        "these may be hours and minutes"
    )


@pytest.mark.parametrize(
    ("cell", "begin"),
    [
        ("2026-12-03 24:00", "2026-12-04T00:00"),
        ("03.12.2026 24:00", "2026-12-04T00:00"),
        ("2026-12-03 22:55-1", "2026-12-02T22:55"),
        ("2026-12-03 06:10 (+1 Tag)", "2026-12-04T06:10"),
        ("3 déc. 2026 22 h 30", "2026-12-03T22:30"),
        ("03/12/2026 ore 22:30", "2026-12-03T22:30"),
        ("3.12.2026 um 22.30 Uhr", "2026-12-03T22:30"),
    ],
)
def test_times_with_day_marks_and_words_are_read(cell: str, begin: str):
    spans = read_spans(pd.Series([cell], dtype="str"), "UTC", "day first")
    assert spans.is_read.all()
    assert pd.Timestamp(int(spans.begin[0]), unit="ms") == pd.Timestamp(begin)


@pytest.mark.parametrize(
    ("cell", "coming", "past"),
    [
        ("02DEC", "2026-12-02", "2025-12-02"),
        ("28NOV", "2026-11-28", "2026-11-28"),
        ("4 ene", "2027-01-04", "2026-01-04"),
        ("2. März 0825", "2027-03-02 0825", "2026-03-02 0825"),
        ("mié 2 de diciembre", "2026-12-02", "2025-12-02"),
        ("Dec 2nd", "2026-12-02", "2025-12-02"),
        ("29FEB", "2028-02-29", "2024-02-29"),
        ("13/12", "2026-12-13", "2025-12-13"),
        ("02/12", "02/12", "02/12"),
    ],
)
def test_dates_without_a_year_are_the_next_or_the_last_ones(cell: str, coming: str, past: str):
    assert is_without_year(pd.Series([cell], dtype="str")).all()
    assert add_year(cell, date(2026, 11, 28), "as the file shows", is_past=False) == coming
    assert add_year(cell, date(2026, 11, 28), "as the file shows", is_past=True) == past
