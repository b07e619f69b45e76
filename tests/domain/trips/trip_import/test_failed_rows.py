"""Rejected rows reopened for correction: they keep their meaning in the original file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from domain.file_import.checking import Check
from domain.file_import.job import JOBS
from domain.file_import.row_sending import Batch
from domain.trips.trip_import.trip_declaration import TRIPS
from journal import ItemStatus
from tests.domain.file_import.note_import import JobWorkspace
from tests.prepared_journal import new_journal

ROWS = """PNR,Traveller 1,Traveller 2,From,To,Departure,Arrival
AAA111,Silva/Ana,Costa/Bruno,LIS,GVA,03/04/2027 07:20,03/04/2027 11:00
,,,GVA,LIS,05/04/2027 18:30,05/04/2027 20:10
BBB222,Silva/Ana,,LIS,GVA,13/04/2027 07:20,13/04/2027 11:00
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[JobWorkspace]:
    with new_journal(tmp_path / "journal.sqlite3") as journal:
        yield JobWorkspace(journal)


def reject_first_trip(_: object, batch: Batch) -> list[ItemStatus]:
    return [
        ItemStatus("failed", reasons={"": "No."}) if item.label == "AAA111" else ItemStatus("done", "7")
        for item in batch
    ]


def test_a_failed_row_keeps_the_options_of_its_file(workspace: JobWorkspace):
    assert TRIPS.sending is not None
    declaration = replace(TRIPS, sending=replace(TRIPS.sending, send=reject_first_trip))
    check = Check.of(declaration, "trips.csv", ROWS.encode())
    assert check.is_ready.all()
    [first, _] = [item.payload for item in check.outgoing()]
    job_id = JOBS.begin(workspace, check)
    JOBS.wait(job_id)
    job = workspace.journal.ledger.job(workspace.actor, job_id)
    again = Check.of_failed(declaration, job, workspace.journal.ledger.items(job_id, ["failed"]))
    assert [again.source.row_number(row) for row in range(again.source.rows)] == [2, 3]
    assert {column for row in range(2) for column in again.cell_messages(row)} == {""}
    again.fix_cell(0, "pnr", "AAA112")
    again.fix_cell(1, "pnr", "AAA112")
    [corrected] = [item.payload for item in again.outgoing()]
    assert corrected == first | {"pnr": "AAA112"}


def test_a_correction_in_a_missing_column_is_preserved(workspace: JobWorkspace):
    assert TRIPS.sending is not None
    declaration = replace(TRIPS, sending=replace(TRIPS.sending, send=reject_first_trip))
    check = Check.of(declaration, "trips.csv", b"PNR,Traveller,From,Departure,Arrival\n"
                     b"AAA111,Silva/Ana,LIS,2027-04-03 07:20,2027-04-03 11:00\n")  # fmt: skip
    check.fix_cell(0, "toPlace", "GVA")
    [first] = [item.payload for item in check.outgoing()]
    job_id = JOBS.begin(workspace, check)
    JOBS.wait(job_id)
    job = workspace.journal.ledger.job(workspace.actor, job_id)
    again = Check.of_failed(declaration, job, workspace.journal.ledger.items(job_id, ["failed"]))
    again.fix_cell(0, "pnr", "AAA112")
    assert [item.payload for item in again.outgoing()] == [first | {"pnr": "AAA112"}]


def test_a_failed_row_keeps_the_locator_from_the_row_above(workspace: JobWorkspace):
    check = Check.of(TRIPS, "trips.csv", ROWS.encode())
    check.fix_cell(1, "fromDate", "soon")
    check.skip_rows([0])
    assert check.unready_frame()["PNR"].tolist() == ["AAA111", "AAA111"]
    check.fix_cell(0, "pnr", "AAA112")
    check.fix_cell(1, "fromDate", "2027-04-05 18:30")
    check.fix_cell(1, "travelerName", "Silva/Ana")
    [(_, cells)] = [row for item in check.build_items() if item.label == "AAA112" for row in item.rows]
    assert cells[0] == "AAA112"
