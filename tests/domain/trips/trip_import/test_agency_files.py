"""Files of travel agencies: read values, messages at cells, and the resulting trips."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.domain.trips.trip_import.outcomes import check_of, format_outcome

FILES = sorted(path for path in (Path(__file__).parent / "agency_files").iterdir() if path.suffix != ".outcome")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_file_is_read_with_the_expected_result(path: Path):
    expected = path.with_name(f"{path.name}.outcome").read_text(encoding="utf-8")
    assert format_outcome(check_of(path.read_bytes(), path.name)) == expected


def test_the_minimum_number_of_example_files_exists():
    assert len(FILES) >= 25


def test_open_questions_are_asked_once_per_file():
    """The order of day and month, and the country of phone numbers."""
    ambiguous = next(path for path in FILES if path.name.startswith("06"))
    check = check_of(ambiguous.read_bytes())
    assert not check.is_ready.any()
    check.set_options(replace(check.decisions.options, date_order="month first"))
    [trip] = check.outgoing()
    assert trip.payload["segments"][0]["fromDateTimeLocal"] == "2026-03-04T15:00:00"

    phones = next(path for path in FILES if path.name.startswith("20"))
    check = check_of(phones.read_bytes())
    assert "phone" not in check.cell_messages(3), "the question is asked once, above all rows"
    assert check.questions["country"].startswith("1 row has a phone number without a country code.")
    check.set_options(replace(check.decisions.options, country="US"))
    assert "too short for an international number" in check.cell_messages(3)["phone"][0][0]


def test_the_number_of_segments_per_row_can_be_changed():
    headings = "PNR;Traveller;From;To;Departure;Arrival;Back from;Back to;Back at;Back until\n"
    times = "2026-05-11 07:20;2026-05-11 11:00;GVA;LIS;2026-05-14 18:30;2026-05-14 20:10"
    check = check_of(f"{headings}K7QWZP;Silva/Ana;LIS;GVA;{times}\n")
    [segment] = check.declaration.groups[1:]
    assert check.group_count(segment) == 1
    check.set_group_count(segment, 2)
    headings_by_column = {
        "fromPlace.2": "Back from",
        "toPlace.2": "Back to",
        "fromDate.2": "Back at",
        "toDate.2": "Back until",
    }
    for column, heading in headings_by_column.items():
        check.match(column, [heading])
    [trip] = check.outgoing()
    assert [each["fromIataCode"] for each in trip.payload["segments"]] == ["LIS", "GVA"]
    matches = {name: list(match.headers) for name, match in check.matches.items()}
    again = check_of(f"{headings}K7QWZR{';' * 9}")
    again.apply_match("Agency A", matches)
    assert again.group_count(segment) == 2
    check.set_group_count(segment, 1)
    [trip] = check.outgoing()
    assert len(trip.payload["segments"]) == 1
