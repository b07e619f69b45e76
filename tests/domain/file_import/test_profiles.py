"""Profiles: what is learned when a file is sent, what the next file gets, and the profiles that come with Muster."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from domain.file_import.checking import Check
from domain.file_import.column_changes import ColumnChange, HeadingSplit
from domain.file_import.learned_matches import learn_match
from domain.file_import.saved_matches import list_matches
from domain.trips.trip_import.trip_declaration import TRIPS
from tests.domain.file_import.note_import import NOTES, JobWorkspace
from tests.prepared_journal import new_journal

NOTES_FILE = b"name,number,start,state,both\na,1,02DEC,Opn,x / y\nb,2,03DEC,Void,x"
TODAY = datetime.now(UTC).date()


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Any]:
    with new_journal(tmp_path / "journal.sqlite3") as journal:
        yield JobWorkspace(journal)


def column_of(check: Check, name: str) -> Any:
    return next(each for each in check.columns if each.name == name)


def test_the_next_file_with_the_same_headings_gets_what_was_decided(workspace: Any) -> None:
    check = Check.of(NOTES, "agency 1.csv", NOTES_FILE, workspace)
    check.change_column(column_of(check, "state"), ColumnChange("replace", "Opn", "Open"))
    check.change_column(column_of(check, "state"), ColumnChange("replace", "", "Closed"))
    check.change_column(column_of(check, "state"), ColumnChange("skip", "Void"))
    check.change_column(column_of(check, "start"), ColumnChange("year", "2026"))
    check.split_heading("both", HeadingSplit("/", 2))
    check.match("more", ["both 2"])
    day = TODAY - timedelta(days=3)
    check.set_options(type(check.options)(reported_on=day.isoformat(), date_order="month first"))
    learn_match(check, workspace)

    later = Check.of(NOTES, "agency 2.csv", NOTES_FILE + b"\nc,3,04DEC,,q/r", workspace)
    assert later.decisions.match_name == "agency"
    assert later.texts_of("state").tolist() == ["Open", "Void", ""], "a value in an empty cell is that of one file"
    assert later.decisions.skipped_rows == {1}
    assert later.texts_of("more").tolist() == ["y", "", "r"]
    assert (later.decisions.options.date_order, later.decisions.options.reported_on) == ("month first", day.isoformat())
    assert [change.kind for _, change, _ in later.list_column_changes()] == ["replace", "skip"]
    learn_match(later, workspace)
    assert [*list_matches(workspace, "note")] == ["agency"]

    later.forget_profile(workspace)
    assert (later.source.headers, later.decisions.skipped_rows) == (check.source.headers[:5], frozenset())
    assert later.texts_of("state").tolist() == ["Opn", "Void", ""]
    assert Check.of(NOTES, "agency 3.csv", NOTES_FILE, workspace).decisions.match_name is None


def test_a_file_without_corrections_is_not_learned(workspace: Any) -> None:
    learn_match(Check.of(NOTES, "agency.csv", b"name,number\na,1", workspace), workspace)
    assert not list_matches(workspace, "note")


SEGMENTS = b"LOCATOR,PAX,CARR,FLT,ORG,DST,DEPDT,DEPTM,ARRDT,ARRTM\nGDSX01,DOE/JOHN MR,LH,400,FRA,JFK,%s,1000,%s,1240"
IN_GERMAN = "Buchungscode;Reisender;Flugnr;Von;Nach;Abflugdatum;Ankunftsdatum\nGDSX01;Ana Silva;LH400;FRA;JFK;{0};{0}"


def test_the_built_in_profile_of_segment_reports_completes_dates_without_a_year() -> None:
    yesterday = TODAY - timedelta(days=1)
    written = f"{yesterday:%d%b}".upper().encode()
    check = Check.of(TRIPS, "segments.csv", SEGMENTS % (written, written))
    assert check.built_in_profile == "Reservation system, segment report"
    assert check.texts_of("fromDate").tolist() == [yesterday.isoformat()], "not a year later"
    dated = Check.of(TRIPS, "segments.csv", b"REPORT DATE 01MAR26\n" + SEGMENTS % (b"02APR", b"02APR"))
    assert (dated.built_in_profile, dated.texts_of("fromDate").tolist()) == ("", ["2026-04-02"])


BOOKING_FILES = (
    "BF LOC,PSGR NAME,VND,FLT NBR,BRD PT,OFF PT,DPT DATE,DPT TIME,ARV DATE,ARV TIME\nBFLX01,DOE/ANN MS,LH,400,FRA,JFK"
)
MAILS = (
    "Reservation code,Prepared for,Flight,Departing,Arriving,Departure date,Departing at,Arrival date,Arriving at\n"
    "MAILX1,DOE/ANN MS,LH 400,Frankfurt (FRA),New York (JFK)"
)


@pytest.mark.parametrize(
    ("name", "row", "dates"),
    [
        ("Reservation system, booking file report", BOOKING_FILES, ",{0:%d%b},1000,{0:%d%b},1240"),
        ("Itinerary emails", MAILS, ",{0:%a} {0:%d %b},10:00am,{0:%a} {0:%d %b},12:40pm"),
    ],
)
def test_a_built_in_profile_takes_dates_without_a_year_from_the_last_days_on(name: str, row: str, dates: str) -> None:
    yesterday = TODAY - timedelta(days=1)
    check = Check.of(TRIPS, "trips.csv", row + dates.format(yesterday))
    assert check.built_in_profile == name
    [trip] = check.outgoing()
    [segment] = trip.payload["segments"]
    assert [segment[each] for each in ("fromIataCode", "fromDateTimeLocal", "toIataCode", "toDateTimeLocal")] == [
        *("FRA", f"{yesterday}T10:00:00", "JFK", f"{yesterday}T12:40:00")
    ]


def test_british_rail_reports_put_the_day_first() -> None:
    headings = "Booking reference;Lead passenger;Origin station;Destination station;Outward departure;Outward arrival"
    row = f"{headings}\nRAIL01;Ann Doe;London;Leeds"
    check = Check.of(TRIPS, "rail.csv", f"{row};03/04/2027 08:00;03/04/2027 10:12")
    assert check.built_in_profile == "Rail report, in British terms"
    [trip] = check.outgoing()
    assert trip.payload["segments"][0]["fromDateTimeLocal"] == "2027-04-03T08:00:00"
    elsewhere = row.replace("Outward departure;Outward arrival", "Departure;Arrival").replace("Lead passenger", "Name")
    assert "order" in Check.of(TRIPS, "rail.csv", f"{elsewhere};03/04/2027 08:00;03/04/2027 10:12").questions


def test_there_are_ten_built_in_profiles() -> None:
    assert len({profile.name for profile in TRIPS.profiles}) == 10


def test_a_built_in_profile_settles_the_order_of_dates_only_if_the_file_leaves_it_open() -> None:
    check = Check.of(TRIPS, "reisen.csv", IN_GERMAN.format("03/04/2027 08:00").encode())
    assert check.built_in_profile == "Expense or booking tool, in German"
    assert "order" not in check.questions
    assert check.outgoing()[0].payload["segments"][0]["fromDateTime"].startswith("2027-04-03")
    shown = Check.of(TRIPS, "reisen.csv", IN_GERMAN.format("03/14/2027 08:00").encode())
    assert (shown.built_in_profile, shown.options.date_order) == ("", "month first")
    in_english = "PNR;Traveler;Flight;From;To;Departs\nGDSX01;Ana Silva;LH400;FRA;JFK;03/04/2027 08:00"
    assert "order" in Check.of(TRIPS, "trips.csv", in_english.encode()).questions


def test_places_of_itinerary_mails_and_of_one_direction_are_matched() -> None:
    mail = "Prepared for;Reservation code;Flight;Departing from;Departing;Departing at;Arriving in;Arriving;Arriving at"
    outward = "Lead passenger;PNR;Flight;Outward from;Outward date;Outward time;Outward to;Outward arrival"
    row = "LEE/KIM MS;MAIL01;LH400;FRA;13/12/2026;10:05;JFK;{}"
    for headings, end in ((mail, "13/12/2026;12:50"), (outward, "13/12/2026 12:50")):
        [trip] = Check.of(TRIPS, "trips.csv", f"{headings}\n{row.format(end)}".encode()).outgoing()
        [segment] = trip.payload["segments"]
        assert [segment[each] for each in ("fromIataCode", "fromDateTimeLocal", "toIataCode", "toDateTimeLocal")] == [
            *("FRA", "2026-12-13T10:05:00", "JFK", "2026-12-13T12:50:00")
        ]
