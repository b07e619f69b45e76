"""Small files based on public bug reports of travel software."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from domain.file_import.checking import Check
from tests.domain.trips.trip_import.outcomes import check_of

CASES = Path(__file__).parents[3] / "cases"


def case(name: str) -> Check:
    return check_of((CASES / name).read_bytes(), name)


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
        "All segments of this trip are canceled. Skip its rows, or write “canceled” as the status to cancel the trip.",
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
    messages = [("00:00 doesn't match the other times of this row. Enter the actual time.", True)]
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
