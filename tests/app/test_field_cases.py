"""Small files based on public bug reports: what the import says about each, and what the service has after *Import*."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from streamlit.testing.v1 import AppTest

from domain.runtime.screens import TRIP_IMPORT
from service.database import Database
from service.schema import itineraries
from tests.app.presses import page_text, press, run
from tests.running_service import RunningService

CASES = Path(__file__).parents[1] / "cases"
CHANGED = "A spreadsheet changed this code"
NO_VALUE = "The formula in this cell has no stored value."


@dataclass(frozen=True)
class Case:
    """A file, and what is right for it."""

    lines: tuple[str, ...]
    """Texts on the page."""
    cells: dict[tuple[int, str], str] = field(default_factory=dict)
    """What the message at a cell says, by the number of its row in the file and its column."""
    sent: tuple[str, ...] = ()
    """The trips in the service after *Import*."""
    read: Callable[[Any], str] = lambda trip: describe_times(trip)
    """What is read of such a trip."""
    traveler: str = ""
    """The traveler of every row, for a file without any."""


def describe_times(trip: Any) -> str:
    """Return the segments of a trip in local time."""
    return ", ".join(
        f"{each.get('fromIataCode') or each['fromAddress']['city']} {each['fromDateTimeLocal'][:16]} → "
        f"{each.get('toIataCode') or each['toAddress']['city']} {each['toDateTimeLocal'][:16]}"
        for each in trip["segments"]
    )


def describe_times_in_utc(trip: Any) -> str:
    """Return the segments of a trip in UTC."""
    return ", ".join(
        f"{each['fromIataCode']} {each['fromDateTime']} → {each['toIataCode']} {each['toDateTime']}"
        for each in trip["segments"]
    )


def describe_people(trip: Any) -> str:
    """Return the record locator of a trip, and its travelers."""
    people = [
        " ".join(filter(None, [each.get("employeeId"), each["firstName"], each["lastName"]]))
        for each in trip["passengers"]
    ]
    return f"{trip['pnr']}: {', '.join(people)}"


def describe_flights(trip: Any) -> str:
    """Return the record locator of a trip, and its flight numbers."""
    return " ".join([trip["pnr"], *(each["airRailNumber"] for each in trip["segments"])])


TRIPS = {
    "actual-times-one-date.csv": Case(
        ("1 row is ready",),
        {(2, "toClock"): "Based on the time zones, Muster uses 2026-12-04."},
        ("Hamburg 2026-12-03T23:50 → Bremen 2026-12-04T00:45",),
    ),
    "airport-name-with-codes.csv": Case(
        ("2 rows are ready", "2 with errors"),
        {
            (2, "toClock"): "Muster computed the arrival time from the duration: 2026-03-10 08:40.",
            (4, "toClock"): "00:00 doesn’t match the other times of this row.",
            (5, "fromDate"): "The date or time isn’t valid.",
        },
        ("ARN 2026-03-10T07:25 → CPH 2026-03-10T08:40", "Harlesiel 2026-03-10T09:00 → AGE 2026-03-10T09:10"),
    ),
    "both-date-orders.csv": Case(
        ("4 rows are ready", "The day comes first in row 2. The month comes first in row 4."),
        {
            (3, "fromDate"): "Muster reads this date as 2026-12-05, in the order of the rows around it.",
            (5, "fromDate"): "Muster reads this date as 2026-12-05, in the order of the rows around it.",
        },
        (
            "MAD 2026-12-13T08:00 → LHR 2026-12-13T09:30",
            "MAD 2026-12-05T08:00 → LHR 2026-12-05T09:30",
            "JFK 2026-12-13T18:00 → LHR 2026-12-14T06:10",
            "JFK 2026-12-05T18:00 → LHR 2026-12-06T06:10",
        ),
    ),
    "city-codes.csv": Case(
        ("6 rows are ready", "2 with errors"),
        {
            (2, "fromPlace"): "Airports: LHR, LGW, STN, LTN, LCY, SEN.",
            (7, "fromPlace"): "No airport or city has this code.",
            (8, "fromPlace"): "The time zone of this place isn’t known.",
        },
        (
            "LON 2026-03-10T10:00:00Z → NYC 2026-03-10T17:00:00Z",
            "PAR 2026-03-10T09:00:00Z → TYO 2026-03-10T23:00:00Z",
            "EAP 2026-03-10T09:00:00Z → GVA 2026-03-10T10:00:00Z",
            "PNH 2026-03-10T03:00:00Z → FRU 2026-03-10T10:00:00Z",
            "BRU 2026-03-10T09:00:00Z → LUX 2026-03-10T10:00:00Z",
            "LON 2026-03-10T10:00:00Z → PAR 2026-03-10T11:15:00Z",
        ),
        describe_times_in_utc,
    ),
    "date-time-24-00.csv": Case(
        ("3 rows are ready",),
        {},
        (
            "Paris 2026-12-03T22:30 → Reims 2026-12-04T00:00",
            "Paris 2026-12-03T22:30 → Reims 2026-12-03T23:15",
            "Paris 2026-12-03T22:30 → Reims 2026-12-03T23:15",
        ),
    ),
    "dates-without-year.csv": Case(
        ("2 rows are ready", "the first matching date after the date of the report"),
        {},
        ("FRA 2026-12-02T10:00 → JFK 2026-12-02T12:40", "SFO 2027-01-04T14:30 → FRA 2027-01-05T10:15"),
    ),
    "excel-guards.csv": Case(
        ("4 rows are ready",),
        {},
        ("EG0001: 00126 Dan Doe", "EG0002: 00127 Eve Doe", "EG0003: 00128 Fay Doe", "EG0004: 00129 Gil Doe"),
        describe_people,
    ),
    "flight-log-export.csv": Case(
        ("3 rows are ready",),
        {(4, "divertedTo"): "Diverted."},
        ("EWR 2026-01-02T14:00:00Z → LHR 2026-01-02T20:55:00Z", "FRA 2026-01-06T09:55:00Z → BOS 2026-01-06T18:35:00Z"),
        describe_times_in_utc,
        traveler="DOE/ANN",
    ),
    "formulas-without-values.xlsx": Case(
        ("0 rows are ready · 2 with errors", "4 formulas have no stored value."),
        {(row, column): NO_VALUE for row in (2, 3) for column in ("employeeId", "phone")},
    ),
    "leading-zeros-by-format.xlsx": Case(
        ("2 rows are ready",), {}, ("AAA111: 00001234 Ann Doe", "AAA112: 00000056 Ben Roe"), describe_people
    ),
    "locators-turned-into-numbers.csv": Case(
        ("0 rows are ready · 3 with errors",), {(row, "pnr"): CHANGED for row in (2, 3, 4)}
    ),
    "numeric-locator-flight.xlsx": Case(
        ("3 rows are ready",), {}, ("123456 117", "1E5678 117", "00AB12 0117"), describe_flights
    ),
    "rows-hidden-by-filter.xlsx": Case(
        ("2 rows are ready · 2 with errors", "2 rows are hidden in the sheet, for example by a filter."),
        {},
        ("HIDE02 LH400", "HIDE04 LH400"),
        describe_flights,
    ),
    "same-headings-for-departure-and-arrival.csv": Case(
        ("1 row is ready",), {}, ("HND 2026-12-03T11:05 → JFK 2026-12-03T09:55",)
    ),
    "times-under-departure-time.csv": Case(
        ("2 rows are ready",),
        {},
        ("ZRH 2026-03-01T10:20 → JFK 2026-03-01T13:55", "ZRH 2026-03-02T10:20 → JFK 2026-03-02T13:55"),
    ),
    "travelers-in-one-cell.csv": Case(
        ("3 rows are ready",),
        {},
        ("PAXX01: Kim Lee, Su Lee", "PAXX02: John Doe, Jane Doe", "PAXX03: John Smith"),
        describe_people,
    ),
    "year-with-a-typo.csv": Case(
        ("2 rows are ready", "1 with errors"),
        {
            (2, "fromDate"): "The date is about a year or more from today.",
            (3, "fromDate"): "The date is about a year or more from today.",
            (4, "fromDate"): "The year must be between 1970 and 2199.",
        },
        ("BKK 2062-12-18T08:00 → HKG 2062-12-18T11:45", "BKK 2016-12-18T08:00 → HKG 2016-12-18T11:45"),
    ),
}


def read_cell_messages(app: AppTest) -> dict[tuple[int, str], str]:
    """Return the first message at each cell of the shown rows."""
    components = [json.loads(each.proto.json or "{}") for each in app.get("bidi_component")]  # type: ignore[union-attr]
    [table] = [each for each in components if each.get("label") == "Rows of the file"]
    return {
        (row["number"], column): messages[0][0]
        for row in table["rows"]
        for column, messages in row["cell_messages"].items()
    }


def read_trips(service: RunningService) -> list[Any]:
    """Return the active trips in the service's database, in the order of their creation."""
    with closing(Database(service.database_url)) as database, database.transaction() as connection:
        rows = connection.execute(select(itineraries.c.document).where(itineraries.c.status == "A"))
        return sorted((row[0] for row in rows), key=lambda trip: str(trip["pnr"]))


@pytest.mark.parametrize("name", TRIPS)
def test_a_file_is_imported_as_its_people_read_it(signed_in: Any, service: RunningService, name: str) -> None:
    case = TRIPS[name]
    app = run(signed_in(service, TRIP_IMPORT.page))
    app.file_uploader[0].set_value((name, (CASES / name).read_bytes(), ""))
    app = run(app)
    if case.traveler:
        app.text_input(key="trip-import-same-travelerName").set_value(case.traveler)
        app = run(app)
    assert [line for line in case.lines if line not in page_text(app)] == []
    if case.cells:
        app.session_state["trip-import-view"] = "all"
        messages = read_cell_messages(run(app))
        assert {cell for cell, message in case.cells.items() if message not in messages.get(cell, "")} == set()
    if not case.sent:
        assert app.button(key="trip-import-send").disabled
        return
    press(app, "trip-import-send")
    assert sorted(map(case.read, read_trips(service))) == sorted(case.sent)


def test_the_next_file_shows_its_errors_whichever_rows_of_the_last_were_shown(
    signed_in: Any, service: RunningService
) -> None:
    app = run(signed_in(service, TRIP_IMPORT.page))
    for name, view in (("actual-times-one-date.csv", "warnings"), ("airport-name-with-codes.csv", "errors")):
        app.file_uploader[0].set_value((name, (CASES / name).read_bytes(), ""))
        app = run(app)
        assert app.session_state["trip-import-view"] == view
    assert {row for row, _ in read_cell_messages(app)} == {4, 5}
