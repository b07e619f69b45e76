"""Files as agencies send them: what is read of each, what is said at its cells, and which trips its rows make."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.domain.trips.trip_import.outcomes import check_of, outcome

FILES = sorted(path for path in (Path(__file__).parent / "agency_files").iterdir() if path.suffix != ".outcome")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_is_taken_as_a_person_would_read_it(path: Path):
    expected = path.with_name(f"{path.name}.outcome").read_text(encoding="utf-8")
    assert outcome(check_of(path.read_bytes(), path.name)) == expected


def test_there_are_files_enough_to_tell():
    assert len(FILES) >= 25


def test_what_the_file_leaves_open_is_reported_once_for_all_of_it():
    """The order of day and month, and of which country phone numbers are."""
    ambiguous = next(path for path in FILES if path.name.startswith("06"))
    check = check_of(ambiguous.read_bytes())
    assert not check.is_ready.any()
    check.read_as(replace(check.decisions.reading, date_order="month first"))
    [trip] = check.outgoing()
    assert trip.payload["segments"][0]["fromDateTimeLocal"] == "2026-03-04T15:00:00"

    phones = next(path for path in FILES if path.name.startswith("20"))
    check = check_of(phones.read_bytes())
    assert "phone" not in check.cell_messages(3), "one question stands above all rows"
    assert check.questions["country"].startswith("1 row has a phone number without a country code.")
    check.read_as(replace(check.decisions.reading, country="US"))
    assert "too short to be called from abroad" in check.cell_messages(3)["phone"][0][0]


def test_a_row_may_be_said_to_hold_more_or_fewer_segments_than_its_headings_number():
    headings = "PNR;Traveller;From;To;Departure;Arrival;Back from;Back to;Back at;Back until\n"
    times = "2026-05-11 07:20;2026-05-11 11:00;GVA;LIS;2026-05-14 18:30;2026-05-14 20:10"
    check = check_of(f"{headings}K7QWZP;Silva/Ana;LIS;GVA;{times}\n")
    [segment] = check.intake.groups[1:]
    assert check.times(segment) == 1
    check.set_group_count(segment, 2)
    stand_for = {
        "fromPlace.2": "Back from",
        "toPlace.2": "Back to",
        "fromDate.2": "Back at",
        "toDate.2": "Back until",
    }
    for column, heading in stand_for.items():
        check.match(column, [heading])
    [trip] = check.outgoing()
    assert [each["fromIataCode"] for each in trip.payload["segments"]] == ["LIS", "GVA"]
    kept = {name: list(match.headers) for name, match in check.matches.items()}
    again = check_of(f"{headings}K7QWZR{';' * 9}")
    again.apply_match("Agency A", kept)
    assert again.times(segment) == 2
    check.set_group_count(segment, 1)
    [trip] = check.outgoing()
    assert len(trip.payload["segments"]) == 1
