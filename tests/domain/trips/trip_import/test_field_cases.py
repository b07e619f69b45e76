"""Small files based on public bug reports of travel software."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from domain.file_import.check_notes import count_warnings, describe_date_order
from domain.file_import.checking import Check
from domain.file_import.matched_file import NO_FORMULA_VALUE
from tests.domain.trips.trip_import.outcomes import check_of

CASES = Path(__file__).parents[3] / "cases"


TODAY = date(2026, 11, 28)


def case(name: str) -> Check:
    return check_of((CASES / name).read_bytes(), name)


def local_times(check: Check) -> list[tuple[str, ...]]:
    return [
        (each["fromDateTimeLocal"], each["toDateTimeLocal"])
        for trip in check.outgoing()
        for each in trip.payload["segments"]
    ]


def segments(check: Check) -> list[tuple[Any, ...]]:
    names = ("fromIataCode", "fromDateTime", "toIataCode", "toDateTime", "airRailNumber")
    return [tuple(each.get(name) for name in names) for trip in check.outgoing() for each in trip.payload["segments"]]


def test_flight_logs_use_scheduled_gate_times_and_skip_canceled_flights():
    check = case("flight-log-export.csv")
    assert not any("Gate" in header for name in ("fromDate", "toDate") for header in check.matches[name].headers[1:])
    assert [rows for rows in range(3) if "travelerName" in check.cell_messages(rows)] == [0, 1, 2], (
        "no row has a traveler yet"
    )
    [traveler] = [column for column in check.columns if column.name == "travelerName"]
    check.add_column(traveler, "DOE/ANN")
    assert segments(check) == [
        ("EWR", "2026-01-02T14:00:00Z", "LHR", "2026-01-02T20:55:00Z", "14"),
        ("FRA", "2026-01-06T09:55:00Z", "BOS", "2026-01-06T18:35:00Z", "400"),
    ]
    assert check.cell_messages(2)["divertedTo"][0][0].startswith("Diverted.")


def test_a_trip_with_only_canceled_segments_is_an_error():
    check = case("flight-log-export.csv")
    [traveler] = [column for column in check.columns if column.name == "travelerName"]
    check.add_column(traveler, "DOE/ANN")
    check.fix_cell(0, "isCanceled", "yes")
    assert check.cell_messages(0)["isCanceled"][1] == (
        "All segments of this trip are canceled. Skip its rows, or enter “canceled” as the status to cancel the trip.",
        True,
    )
    check.fix_cell(0, "isCanceled", "maybe")
    assert ("Enter yes or no.", True) in check.cell_messages(0)["isCanceled"]


def test_a_placeholder_midnight_is_replaced_by_the_duration_or_an_error():
    check = case("airport-name-with-codes.csv")
    for row, (left, reached) in enumerate((("ARN", "CPH"), ("BRE", "AGE"), ("DMM", "DOH"), ("DUD", "CHC"))):
        check.fix_cell(row, "fromPlace", left)
        check.fix_cell(row, "toPlace", reached)
    assert check.cell_messages(0) == {
        "toClock": [("Muster computed the arrival time from the duration: 2026-03-10 08:40.", False)]
    }
    assert segments(check)[0][:4] == ("ARN", "2026-03-10T06:25:00Z", "CPH", "2026-03-10T07:40:00Z")
    messages = [("00:00 doesn’t match the other times of this row. Enter the actual time.", True)]
    assert check.cell_messages(2) == {"fromClock": messages, "toClock": messages}
    assert check.cell_messages(3) == {"fromDate": [("The date or time isn’t valid.", True)]}
    check.fix_cell(2, "fromClock", "23:50")
    check.fix_cell(2, "toClock", "00:50")
    check.fix_cell(3, "fromDate", "2026-03-31")
    assert not {"fromClock", "fromDate"} & {*check.cell_messages(2), *check.cell_messages(3)}


def test_full_dates_and_times_are_read_under_time_headings():
    check = case("times-under-departure-time.csv")
    assert check.is_ready.all()
    assert segments(check)[1][1:4] == ("2026-03-02T09:20:00Z", "JFK", "2026-03-02T18:55:00Z")


def test_identifiers_keep_guarded_leading_zeros():
    check = case("excel-guards.csv")
    assert check.rows.texts["employeeId"].tolist() == ["00126", "00127", "00128", "00129"]
    assert [trip.label for trip in check.outgoing()] == ["EG0001", "EG0002", "EG0003", "EG0004"]


def test_identifiers_keep_zeros_and_plus_signs_of_number_formats():
    check = case("leading-zeros-by-format.xlsx")
    people = [person for trip in check.outgoing() for person in trip.payload["passengers"]]
    assert [(each["employeeId"], each["phoneNumbers"][0]["phoneNumber"]) for each in people] == [
        ("00001234", "+441632960123"),
        ("00000056", "+4930901820"),
    ]


def test_numeric_locators_and_flight_numbers_keep_their_digits():
    check = case("numeric-locator-flight.xlsx")
    assert [trip.label for trip in check.outgoing()] == ["123456", "1E5678", "00AB12"]
    assert [segment[4] for segment in segments(check)] == ["117", "117", "0117"]
    exported = check_of("PNR,Traveller,Flight,From,To,Departs,Arrives\n123456.0,DOE/ANN,117.0,LHR,JFK,,\n")
    assert exported.rows.texts[["pnr", "airRailNumber"]].iloc[0].tolist() == ["123456", "117"]


def test_locators_that_became_numbers_and_dates_are_errors():
    check = case("locators-turned-into-numbers.csv")
    assert not check.is_ready.any()
    assert [[*check.cell_messages(row)] for row in range(3)] == [["pnr"]] * 3


def test_rows_hidden_by_a_filter_wait_for_a_choice():
    check = case("rows-hidden-by-filter.xlsx")
    assert check.questions["hidden"].startswith("2 rows are hidden in the sheet")
    assert [trip.label for trip in check.outgoing()] == ["HIDE02", "HIDE04"]
    check.skip_rows(check.open_hidden_rows)
    assert ("hidden" in check.questions, check.with_errors.any(), check.included_source.rows) == (False, False, 2)
    check.undo()
    check.set_options(replace(check.options, includes_hidden=True))
    assert ("hidden" in check.questions, check.included_source.rows) == (False, 4)
    assert not any("" in check.cell_messages(row) for row in range(4))


def test_formulas_without_a_value_are_errors():
    check = case("formulas-without-values.xlsx")
    assert check.source.notes[0].startswith("4 formulas have no stored value.")
    messages = {"employeeId": [(NO_FORMULA_VALUE, True)], "phone": [(NO_FORMULA_VALUE, True)]}
    assert [check.cell_messages(row) for row in range(2)] == [messages] * 2


def test_the_second_of_repeated_headings_is_the_arrival():
    check = case("same-headings-for-departure-and-arrival.csv")
    assert segments(check) == [("HND", "2026-12-03T02:05:00Z", "JFK", "2026-12-03T14:55:00Z", "NH9")]


@pytest.mark.parametrize(
    ("headings", "cells"),
    [
        ("From,Date,Time,To,Date,Time", "HND,2026-12-03,11:05,JFK,2026-12-03,09:55"),
        ("From,To,Date,Time,Date,Time", "HND,JFK,2026-12-03,11:05,2026-12-03,09:55"),
        ("Airport,Date,Time,Airport.1,Date.1,Time.1", "HND,2026-12-03,11:05,JFK,2026-12-03,09:55"),
        ("To,Date,Time,From,Date,Time", "JFK,2026-12-03,09:55,HND,2026-12-03,11:05"),
        ("Date,Time,Airport,Date,Time,Airport", "2026-12-03,11:05,HND,2026-12-03,09:55,JFK"),
    ],
)
def test_repeated_headings_belong_to_the_end_before_them(headings: str, cells: str):
    check = check_of(f"PNR,Traveler,Flight,{headings}\nREPT03,DOE/ANN,NH9,{cells}\n")
    assert segments(check) == [("HND", "2026-12-03T02:05:00Z", "JFK", "2026-12-03T14:55:00Z", "NH9")]


def test_repeated_headings_of_whole_segments_are_two_segments():
    one, two = "NH9,HND,2026-12-03 11:05,JFK,2026-12-03 09:55", "NH10,JFK,2026-12-09 11:05,HND,2026-12-10 15:00"
    headings = "Flight,From,Date,To,Date"
    check = check_of(f"PNR,Traveler,{headings},{headings}\nREPT03,DOE/ANN,{one},{two}\n")
    assert [(each[0], each[2], each[4]) for each in segments(check)] == [("HND", "JFK", "NH9"), ("JFK", "HND", "NH10")]


def test_several_travelers_in_one_cell_are_separate_people():
    people = [
        [f"{each['firstName']} {each['lastName']}" for each in trip.payload["passengers"]]
        for trip in case("travelers-in-one-cell.csv").outgoing()
    ]
    assert people == [["Kim Lee", "Su Lee"], ["John Doe", "Jane Doe"], ["John Smith"]]


def test_each_block_of_rows_is_read_in_the_order_that_it_shows():
    check = case("both-date-orders.csv")
    assert [start[:10] for start, _ in local_times(check)] == ["2026-12-13", "2026-12-05", "2026-12-13", "2026-12-05"]
    assert "The day comes first in row 2. The month comes first in row 4." in (describe_date_order(check) or "")
    assert count_warnings(check) == ["2 rows have dates that Muster read in the same order as the rows around them."]
    assert not check.cell_messages(0)
    assert "fromDate" in check.cell_messages(1)


def test_dates_between_two_orders_are_asked_about_unless_only_one_is_plausible():
    rows = ["13/12/2026", "11/12/2026", "12/13/2026", "12/05/2026"]
    lines = [f"BOTH0{place};DOE/ANN;LX1;ZRH;JFK;{day};10:20;13:55" for place, day in enumerate(rows)]
    check = check_of(f"PNR;Traveler;Flight;From;To;Date;Dep time;Arr time\n{chr(10).join(lines)}\n", today=TODAY)
    assert check.is_ready.tolist() == [True, False, True, True]
    assert check.questions["order"].startswith("1 row has a date")
    check.set_options(replace(check.decisions.options, date_order="month first"))
    assert [start[:10] for start, _ in local_times(check)] == ["2026-12-13", "2026-11-12", "2026-12-13", "2026-12-05"]
    check.set_options(replace(check.decisions.options, date_order="day first"))
    assert [start[:10] for start, _ in local_times(check)] == ["2026-12-13", "2026-12-11", "2026-12-13", "2026-12-05"]


def test_a_selected_order_that_the_dates_contradict_is_a_warning():
    check = check_of("PNR;Traveler;Flight;From;To;Departs\nBOTH01;DOE/ANN;LX1;ZRH;JFK;13/12/2026 10:20\n", today=TODAY)
    assert describe_date_order(check) is None
    check.set_options(replace(check.decisions.options, date_order="month first"))
    assert describe_date_order(check) == ("Dates in the file show that the day comes first. You selected the opposite.")


def test_midnight_at_the_end_of_a_day_is_the_next_day():
    assert local_times(case("date-time-24-00.csv")) == [
        ("2026-12-03T22:30:00", "2026-12-04T00:00:00"),
        ("2026-12-03T22:30:00", "2026-12-03T23:15:00"),
        ("2026-12-03T22:30:00", "2026-12-03T23:15:00"),
    ]


def test_a_year_far_from_today_is_a_warning_or_an_error():
    check = case("year-with-a-typo.csv")
    other_year = [("The date is about a year or more from today. The year may be mistyped.", False)]
    assert [check.cell_messages(row)["fromDate"] for row in range(2)] == [other_year, other_year]
    assert check.cell_messages(2)["fromDate"] == [("The year must be between 1970 and 2199.", True)]
    assert count_warnings(check) == ["2 rows have dates about a year or more from today."]


def test_dates_in_the_past_and_far_from_the_others_are_counted():
    days = ["2026-11-24", "2026-11-25", "2026-12-01", "2026-12-02", "2026-12-03", "2026-12-04", "2027-05-12"]
    lines = [f"PAST0{place};DOE/ANN;LX1;ZRH;JFK;{day} 10:20;{day} 13:55" for place, day in enumerate(days)]
    check = check_of(f"PNR;Traveler;Flight;From;To;Departs;Arrives\n{chr(10).join(lines)}\n", today=TODAY)
    assert count_warnings(check) == ["1 row has a date in the past.", "1 row has a date far from the others."]
    assert [row for row in range(7) if "fromDate" in check.cell_messages(row)] == [0, 6]


def test_a_departure_a_year_before_the_others_waits_for_a_decision():
    days = ["2025-12-20", "2026-12-01", "2026-12-02", "2026-01-04"]
    lines = [f"YEAR0{place};DOE/ANN;LX1;ZRH;JFK;{day} 10:20;{day} 13:55" for place, day in enumerate(days)]
    check = check_of(f"PNR;Traveler;Flight;From;To;Departs;Arrives\n{chr(10).join(lines)}\n", today=TODAY)
    assert check.is_ready.tolist() == [False, True, True, False]
    assert check.questions["dates"].startswith("2 rows have departures months or years")
    check.set_options(replace(check.decisions.options, are_dates_right=True))
    assert check.is_ready.all()


def test_dates_without_a_year_follow_the_date_of_the_report():
    assert [start[:10] for start, _ in local_times(case("dates-without-year.csv"))] == ["2026-12-02", "2027-01-04"]
    rows = "NOYEA1;DOE/ANN;LX1;ZRH;JFK;02DEC 10:20;02DEC 13:55\nNOYEA2;DOE/ANN;LX1;ZRH;JFK;04JAN 22:20;05JAN 01:55\n"
    check = check_of(f"PNR;Traveler;Flight;From;To;Departs;Arrives\n{rows}", today=TODAY)
    assert not check.is_ready.any()
    assert check.questions["year"].startswith("2 rows have dates without a year")
    check.set_options(replace(check.decisions.options, reported_on="2026-11-28"))
    assert [end[:10] for _, end in local_times(check)] == ["2026-12-02", "2027-01-05"]
    assert check.dates.lacks_years


def test_actual_times_without_a_date_are_times_of_day():
    assert local_times(case("actual-times-one-date.csv")) == [("2026-12-03T23:50:00", "2026-12-04T00:45:00")]


def test_a_cell_with_only_a_time_lacks_its_date():
    check = check_of("PNR;Traveler;Flight;From;To;Dep time;Arr time\nNODATE;DOE/ANN;LX1;ZRH;JFK;10:20;13:55\n")
    assert check.cell_messages(0)["fromClock"] == [("Enter the start date. The cell has only a time.", True)]
    assert ("Enter the end date and time.", True) not in check.cell_messages(0).get("toDate", [])


@pytest.mark.parametrize(
    ("headings", "row"),
    [
        (
            "Out Flight;Out From;Out To;Out Date;Out Dep;Out Arr;Ret Flight;Ret From;Ret To;Ret Date;Ret Dep;Ret Arr",
            "LX14;ZRH;JFK;2026-12-03;10:20;13:20;LX15;JFK;ZRH;2026-12-10;18:30;08:20+1",
        ),
        (
            "Hinflug;Hin von;Hin nach;Hin Datum;Hin ab;Hin an;Rückflug;Rück von;Rück nach;Rück Datum;Rück ab;Rück an",
            "LX14;ZRH;JFK;3.12.2026;10.20;13.20 Uhr;LX15;JFK;ZRH;10.12.2026;18:30;08:20+1",
        ),
        (
            "Orig aller;Dest aller;Départ aller;Arrivée aller;Orig retour;Dest retour;Départ retour;Arrivée retour",
            "ZRH;JFK;03/12/2026 10h20;03/12/2026 13h20;JFK;ZRH;10/12/2026 18h30;11/12/2026 08h20",
        ),
    ],
)
def test_outbound_and_return_columns_are_two_segments(headings: str, row: str):
    check = check_of(f"PNR;Traveler;{headings}\nOUTRET;DOE/ANN;{row}\n", today=TODAY)
    if not check.is_ready.any():
        check.set_options(replace(check.decisions.options, date_order="day first"))
    assert local_times(check) == [
        ("2026-12-03T10:20:00", "2026-12-03T13:20:00"),
        ("2026-12-10T18:30:00", "2026-12-11T08:20:00"),
    ]


def test_columns_of_known_airport_codes_are_airports_under_any_heading():
    check = check_of("PNR;Traveler;Flight;Punto A;Currency;Punto B\nAPTCOD;DOE/ANN;LX14;ZRH;USD;KJFK\n")
    assert check.matches["fromPlace"].headers == ("Punto A",)
    assert check.matches["toPlace"].headers == ("Punto B",)
