"""What a file says compared with today, with itself, and with the last file of the same headings."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from domain.file_import.checking import Check
from domain.trips.trip_import.dry_run import SendHistory, load_send_history
from domain.trips.trip_import.known_comparison import compare_with_known
from domain.trips.trip_import.trip_declaration import TRIPS
from journal import ItemStatus
from tests.domain.file_import.note_import import JobWorkspace
from tests.prepared_journal import new_journal

NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)
HEADINGS = "Record locator;Traveler;Type;Flight;From;To;Departs;Arrives"
LATER = "20 Mar 2027 {}"


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Any]:
    with new_journal(tmp_path / "journal.sqlite3") as journal:
        yield JobWorkspace(journal)


def check_trips(name: str, *rows: str) -> Check:
    return Check.of(TRIPS, name, "\n".join([HEADINGS, *rows]).encode())


def flight(locator: str, traveler: str, number: str, places: str, day: str, begins: str, ends: str) -> str:
    return ";".join((locator, traveler, "Air", number, *places.split("-"), f"{day} {begins}", f"{day} {ends}"))


def record_as_sent(workspace: Any, check: Check) -> None:
    ledger = workspace.journal.ledger
    run = ledger.begin(
        workspace.actor,
        TRIPS.kind,
        check.source.name,
        check.build_items(),
        digest=check.source.digest,
        settings={"headers": check.headers},
    )
    while items := ledger.claim(run, lambda _: 100):
        ledger.write(run, {item.position: ItemStatus("done", "1") for item in items})
    ledger.end(run, is_cut_off=False)


def test_past_trips_and_people_in_two_places_are_counted_with_their_rows(workspace: Any) -> None:
    check = check_trips(
        "trips.csv",
        flight("OVER01", "Di Eff", "EY1", "AUH-KWI", "20 Feb 2027", "08:00", "09:00"),
        flight("TWO001", "Ana Silva", "EY301", "AUH-KWI", "20 Mar 2027", "08:25", "09:15"),
        flight("TWO002", "Ana Silva", "LH400", "FRA-JFK", "20 Mar 2027", "06:00", "09:30"),
        # Two bookings of one train seat, and a flight after another one, are fine.
        flight("SAME01", "Bo Berg", "EY301", "AUH-KWI", "20 Mar 2027", "08:25", "09:15"),
        flight("SAME02", "Bo Berg", "EY301", "AUH-KWI", "20 Mar 2027", "08:25", "09:15"),
        flight("NEXT01", "Cy Dee", "EY301", "AUH-KWI", "20 Mar 2027", "08:25", "09:15"),
        flight("NEXT02", "Cy Dee", "KU1", "KWI-LHR", "20 Mar 2027", "11:00", "15:00"),
    )
    remarks = compare_with_known(check, workspace, load_send_history(workspace), now=NOW)
    assert [(each.text, [*each.rows]) for each in remarks] == [
        ("1 trip has already ended.", [0]),
        ("1 person is in two places at the same time: Ana Silva.", [1, 2]),
    ]


def test_stays_at_two_places_overlap_but_a_stay_goes_on_during_a_journey(workspace: Any) -> None:
    headings = "Record locator;Traveler;Type;Hotel name;Hotel city;Hotel country;Check-in;Check-out"
    rows = [
        f"{locator};{name};Hotel;{city};{city};{country};{begins} Mar 2027;{ends} Mar 2027"
        for locator, name, city, country, begins, ends in [
            ("H1AAAA", "Ana Silva", "Berlin", "DE", 10, 14),
            ("H2AAAA", "Ana Silva", "Vienna", "AT", 12, 13),
            ("H1BBBB", "Bo Berg", "Berlin", "DE", 10, 14),
            ("H2BBBB", "Bo Berg", "Vienna", "AT", 14, 15),
        ]
    ]
    check = Check.of(TRIPS, "hotels.csv", "\n".join([headings, *rows]).encode())
    [remark] = compare_with_known(check, workspace, load_send_history(workspace), now=NOW)
    assert (remark.text, [*remark.rows]) == ("1 person is in two places at the same time: Ana Silva.", [0, 1])


def test_people_on_another_trip_that_was_sent_before_are_named(workspace: Any) -> None:
    ana_in_new_york = flight("SENT01", "Ana Silva", "LH400", "FRA-JFK", "20 Mar 2027", "06:00", "09:30")
    bo_before = flight("SENT02", "Bo Berg", "LH400", "FRA-JFK", "19 Mar 2027", "06:00", "09:30")
    record_as_sent(workspace, check_trips("week-1.csv", ana_in_new_york, bo_before))
    rows = [
        flight(locator, name, "EY301", "AUH-KWI", "20 Mar 2027", "08:25", "09:15")
        for locator, name in [("NEW001", "Ana Silva"), ("NEW002", "Bo Berg"), ("NEW003", "Cy Dee")]
    ]
    history = load_send_history(workspace)
    remarks = compare_with_known(check_trips("week-2.csv", *rows), workspace, history, now=NOW)
    assert [(each.text, [*each.rows]) for each in remarks if each.rows] == [
        ("According to trips sent earlier, 1 person is in another place at the same time: Ana Silva (SENT01).", [0])
    ]
    again = check_trips("week-2.csv", *rows, ana_in_new_york.replace("06:00", "16:00").replace("09:30", "19:30"))
    assert not [each for each in compare_with_known(again, workspace, history, now=NOW) if each.rows]


def test_the_last_file_with_the_same_headings_shows_fewer_travelers_and_missing_trips(workspace: Any) -> None:
    day = "20 Mar 2027"
    record_as_sent(
        workspace,
        check_trips(
            "week-1.csv",
            flight("GONE01", "Ana Silva", "EY301", "AUH-KWI", day, "08:25", "09:15"),
            flight("STAY01", "Bo Berg", "EY301", "AUH-KWI", day, "08:25", "09:15"),
            flight("OVER01", "Cy Dee", "EY301", "AUH-KWI", "20 Feb 2027", "08:25", "09:15"),
        ),
    )
    check = check_trips("week-2.csv", flight("stay01", "Bo Berg", "EY301", "AUH-KWI", day, "08:25", "09:15"))
    travelers, missing = compare_with_known(check, workspace, load_send_history(workspace), now=NOW)
    assert travelers.text.startswith(
        "The file has 1 traveler, 2 fewer than the last file with these headings (week-1.csv"
    )
    assert missing.text == "1 trip from the last file that has not ended is missing from this one: GONE01."
    assert missing.missing_locators == ["GONE01"]
    other = Check.of(
        TRIPS, "other.csv", b"PNR,Traveler,Flight,From,To,Departs\nAAAAAA,Bo Berg,EY1,AUH,KWI,20 Mar 2027 08:00"
    )
    assert not compare_with_known(other, workspace, SendHistory(), now=NOW), (
        "files with other headings are of another kind"
    )
