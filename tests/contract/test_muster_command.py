"""`python -m muster import` over a real service: requests, output, exit codes, and interruptions."""

from __future__ import annotations

import getpass
import json
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest
import xlsxwriter

from client.redaction import redact
from domain.file_import import job as job_module
from domain.file_import.checking import Check
from domain.file_import.delimited import OTHER_FORMAT
from domain.file_import.job import Jobs
from domain.runtime.settings import Settings
from domain.trips.trip_import.leftover_files import LeftoverFile, list_leftovers
from domain.trips.trip_import.trip_declaration import TRIPS
from journal import Actor, Job, Journal, Ledger
from muster import folder as folder_module
from muster.commands import main
from muster.run import Exit, ImportResult
from tests.contract.test_trips_sent import list_stored_trips
from tests.running_service import PASSWORD, RunningService

PROJECT = Path(__file__).resolve().parents[2]
HEADINGS = "Record locator,Employee id,First name,Last name,Flight,From,To,Departs,Arrives"
BATCH = "/itineraries/8800/batch"
Run = Callable[..., tuple[int, list[dict[str, Any]]]]


def row(locator: str, day: str = "20 Mar 2027") -> str:
    return f"{locator},E-{locator},Ana,Silva,EY301,AUH,KWI,{day} 08:25,{day} 09:15"


def trips_csv(locators: list[str], *more: str) -> str:
    return "\n".join([HEADINGS, *(row(each) for each in locators), *more]) + "\n"


@pytest.fixture
def service() -> Iterator[RunningService]:
    with RunningService() as service:
        yield service


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    for name in list(os.environ):
        if name.startswith("MUSTER_"):
            monkeypatch.delenv(name)
    monkeypatch.setattr(Settings, "secrets_file", tmp_path / "no-secrets.toml")
    monkeypatch.setenv("MUSTER_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("MUSTER_USERNAME", "ana")
    monkeypatch.setenv("MUSTER_PASSWORD", PASSWORD)
    monkeypatch.setattr(job_module, "FIRST_WAIT", 0.001)
    monkeypatch.setattr(job_module, "LONGEST_WAIT", 0.001)
    monkeypatch.setattr(folder_module, "SETTLED_SECONDS", 0.0)
    original = signal.getsignal(signal.SIGTERM)
    # The command sets the log level of its whole process.
    level = logging.getLogger("client").level
    yield
    logging.getLogger("client").setLevel(level)
    signal.signal(signal.SIGTERM, original)


@pytest.fixture
def run(service: RunningService, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.setenv("MUSTER_SERVICE_URL", service.url)
    return create_runner(capsys)


def create_runner(capsys: pytest.CaptureFixture[str]) -> Run:
    def run_command(*arguments: object) -> tuple[int, list[dict[str, Any]]]:
        code = main(["import", "--organization", "8800", *map(str, arguments)])
        return int(code), [json.loads(line) for line in capsys.readouterr().out.splitlines()]

    return run_command


def list_jobs(tmp_path: Path, service: RunningService) -> list[Job]:
    with Journal.open(f"sqlite:///{tmp_path / 'data' / 'journal.sqlite'}", redact) as journal:
        return journal.ledger.jobs(Actor(service.url, 8800, "anybody"), TRIPS.kind)


def read_leftovers(tmp_path: Path, service: RunningService) -> list[LeftoverFile]:
    with Journal.open(f"sqlite:///{tmp_path / 'data' / 'journal.sqlite'}", redact) as journal:
        context: Any = SimpleNamespace(journal=journal, actor=Actor(service.url, 8800, "anybody"))
        return list_leftovers(context)


def list_roster_locators(tmp_path: Path, service: RunningService) -> dict[str, list[str]]:
    with Journal.open(f"sqlite:///{tmp_path / 'data' / 'journal.sqlite'}", redact) as journal:
        rosters = journal.rosters.list(service.url, 8800)
        return {roster.name: sorted(entry.record_locator for entry in roster.entries()) for roster in rosters}


def write_file(tmp_path: Path, text: str, name: str = "trips.csv") -> Path:
    path = tmp_path / name
    path.write_text(text)
    return path


def test_an_import_is_in_the_journal_under_the_name_of_the_operating_system_user(
    run: Run, service: RunningService, tmp_path: Path
) -> None:
    code, [printed] = run(write_file(tmp_path, trips_csv(["A1", "B2"])))
    assert code == 0
    assert {
        "exit": 0,
        "added": 2,
        "canceled": 0,
        "rejected": 0,
        "unknown": 0,
        "trips": 2,
        "rows": 2,
    }.items() <= printed.items()
    assert list_stored_trips(service) == [("A1", "A"), ("B2", "A")]
    [job] = list_jobs(tmp_path, service)
    assert (job.id, job.digest, job.created_by) == (printed["job"], printed["sha256"], getpass.getuser())


def test_canceled_trips_are_counted_separately_from_added_trips(
    run: Run, service: RunningService, tmp_path: Path
) -> None:
    run(write_file(tmp_path, trips_csv(["A1"])))
    status = f"{HEADINGS},Status"
    rows = [f"{row('A1')},Canceled", f"{row('B2')},Active", f"{row('C3')},Active"]
    code, [printed] = run(write_file(tmp_path, "\n".join([status, *rows])))
    assert (code, printed["added"], printed["canceled"], printed["trips"]) == (0, 2, 1, 3)
    assert printed["message"] == "Every row was added or canceled."
    assert [locator for locator, status in list_stored_trips(service) if status == "A"] == ["B2", "C3"]
    assert list_roster_locators(tmp_path, service) == {"Imported trips": ["B2", "C3"]}


def test_refused_rows_are_written_with_their_reasons_and_the_exit_code_is_4(
    run: Run, service: RunningService, tmp_path: Path
) -> None:
    bad = row("C3").replace("AUH", "12")
    nobody = "D4,,,,EY301,AUH,KWI,20 Mar 2027 08:25,20 Mar 2027 09:15"
    path = write_file(tmp_path, trips_csv(["A1"], bad, nobody))
    code, [printed] = run(path, "--not-added", tmp_path / "left.csv")
    assert (code, printed["added"]) == (4, 1)
    not_added = pd.read_csv(tmp_path / "left.csv", dtype=str)
    assert not_added["Record locator"].tolist() == ["C3", "D4"]
    assert not_added.iloc[:, -1].str.len().min() > 5
    assert list_stored_trips(service) == [("A1", "A")]


def test_a_dry_run_counts_trips_and_sends_nothing(run: Run, service: RunningService, tmp_path: Path) -> None:
    path = write_file(tmp_path, trips_csv(["A1", "B2"]))
    code, [printed] = run(path, "--dry-run")
    assert (code, list_stored_trips(service), list_jobs(tmp_path, service)) == (0, [], [])
    plan = {"trips": 2, "new": 2, "sent_before": 0, "canceled": 0, "contacts": 2, "batches": 1, "expected_locations": 4}
    assert plan.items() <= printed.items()
    phones = write_file(tmp_path, f"{HEADINGS},Phone\n{row('A1')},912 345 678\n", "phones.csv")
    _, [printed] = run(phones, "--dry-run")
    assert printed["notes"] == [
        "1 row has a phone number without a country code. Muster sends these numbers as written."
    ]


def test_two_bookings_with_one_record_locator_are_reported_with_their_rows(
    run: Run, service: RunningService, tmp_path: Path
) -> None:
    other = "A1,E9,Ben,Okoro,EY999,LHR,JFK,05 Jun 2027 08:25,05 Jun 2027 11:15"
    code, [result] = run(write_file(tmp_path, trips_csv(["A1"], other)), "--dry-run")
    assert code == 0
    assert [line.partition(",")[0] for line in result["warnings"]] == ["Row 2", "Row 3"]


def test_a_sent_file_is_sent_again_only_with_the_option_again(
    run: Run, service: RunningService, tmp_path: Path
) -> None:
    path = write_file(tmp_path, trips_csv(["A1"]))
    run(path)
    code, [printed] = run(path)
    assert (code, printed["exit"]) == (3, 3)
    assert "sent this file on" in printed["message"]
    assert len(list_stored_trips(service)) == 1
    assert run(path, "--again")[0] == 0
    assert run(write_file(tmp_path, HEADINGS + "\n", "empty.csv"))[0] in (2, 3)


def test_only_one_of_two_commands_sends_a_file(
    run: Run, service: RunningService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other command checked for earlier imports too early."""
    file = write_file(tmp_path, trips_csv(["AAA111"]))
    run(file)
    monkeypatch.setattr(Ledger, "same_file", lambda *_: [])
    code, [printed] = run(file)
    assert (code, printed["exit"], len(list_jobs(tmp_path, service))) == (6, 6, 1)
    assert printed["message"].startswith("Nothing was sent. This file has been sent")


def test_an_import_run_by_another_process_is_not_continued(
    run: Run, service: RunningService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes resume at once; a file of a watched folder stays there until its result is known."""
    file = write_file(tmp_path, trips_csv(["AAA111"]))
    with service.failing({"kind": "status", "status": 401, "path": BATCH}):
        run(file)
    resume = Jobs.resume

    def resume_in_other_process(self: Jobs, workspace: Any, declaration: Any, job_id: int, **options: Any) -> None:
        assert workspace.journal.ledger.resume(workspace.actor, job_id) is not None
        resume(self, workspace, declaration, job_id, **options)

    monkeypatch.setattr(Jobs, "resume", resume_in_other_process)
    code, [printed] = run("--watch", tmp_path, "--once")
    assert (code, printed["message"]) == (6, "Someone else is importing this file.")
    assert file.exists()


def test_columns_are_matched_by_a_saved_mapping_and_an_unknown_mapping_is_an_error(
    run: Run, service: RunningService, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = trips_csv(["A1"]).replace("Record locator", "Zeichen")
    path = write_file(tmp_path, text)
    (tmp_path / "data").mkdir()
    with Journal.open(f"sqlite:///{tmp_path / 'data' / 'journal.sqlite'}", redact) as journal:
        names = ["pnr", "employeeId", "firstName", "lastName", "airRailNumber"]
        headings = ["Zeichen", "Employee id", "First name", "Last name", "Flight"]
        columns = {name: [heading] for name, heading in zip(names, headings, strict=True)}
        mapping = {"columns": columns, "reading": {}}
        journal.versioned_records.save(Actor(service.url, 8800, "ben"), f"columns/{TRIPS.kind}", "Agency A", mapping)
    assert run(path, "--mapping", "Agency A")[0] == 0
    assert main(["import", "--organization", "8800", str(path), "--mapping", "Agency B"]) == 2
    assert "“Agency A”" in capsys.readouterr().err


def test_a_saved_mapping_decides_how_cells_are_read(run: Run, service: RunningService, tmp_path: Path) -> None:
    def csv_with_numeric_dates(locator: str) -> str:
        return trips_csv([locator]).replace("20 Mar 2027", "03/04/2027")

    code, [printed] = run(write_file(tmp_path, csv_with_numeric_dates("A1")))
    assert (code, "Select whether the day or the month comes first." in printed["message"]) == (4, True)
    with Journal.open(f"sqlite:///{tmp_path / 'data' / 'journal.sqlite'}", redact) as journal:
        ben: Any = SimpleNamespace(journal=journal, actor=Actor(service.url, 8800, "ben"))
        check = Check.of(TRIPS, "trips.csv", csv_with_numeric_dates("A1"), ben)
        check.set_options(replace(check.decisions.options, date_order="month first"))
        check.save_match(ben, "Agency A")
        assert Check.of(TRIPS, "trips.csv", csv_with_numeric_dates("A2"), ben).is_ready.all()
    assert run(write_file(tmp_path, csv_with_numeric_dates("A2")), "--mapping", "Agency A")[0] == 0
    assert list_stored_trips(service) == [("A2", "A")]


@pytest.mark.parametrize(
    ("variable", "value", "text"),
    [
        ("MUSTER_SERVICE_URL", None, "MUSTER_SERVICE_URL"),
        ("MUSTER_USERNAME", None, "MUSTER_USERNAME"),
        ("MUSTER_PASSWORD", "wrong", "user name or password is wrong"),
        ("MUSTER_SERVICE_URL", "http://127.0.0.1:9", "cannot be reached"),
    ],
)
def test_an_error_before_the_import_is_one_line_without_the_password(
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    variable: str,
    value: str | None,
    text: str,
) -> None:
    if value is None:
        monkeypatch.delenv(variable)
    else:
        monkeypatch.setenv(variable, value)
    assert main(["import", "--organization", "8800", str(write_file(tmp_path, trips_csv(["A1"])))]) == 2
    output = capsys.readouterr()
    assert text in output.err
    assert (output.out, PASSWORD in output.err, output.err.count("\n")) == ("", False, 1)


def test_trips_whose_response_was_lost_are_checked_and_sent_again_if_missing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    faults = [
        {"kind": "drop", "when": when, "path": BATCH, "skip": skip, "times": 1}
        for skip, when in enumerate(("before", "after"))
    ]
    locators = [f"L{n:03}" for n in range(150)]
    with RunningService(faults={"fault": faults}) as service:
        monkeypatch.setenv("MUSTER_SERVICE_URL", service.url)
        code, [printed] = create_runner(capsys)(write_file(tmp_path, trips_csv(locators)))
        assert (code, printed["added"]) == (0, 150)
        assert list_stored_trips(service) == [(each, "A") for each in locators]
        assert list_roster_locators(tmp_path, service) == {"Imported trips": locators}


def test_the_exit_code_is_5_if_rows_are_unknown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    faults = [
        {"kind": "drop", "when": "before", "path": BATCH, "times": 1},
        {"kind": "status", "status": 403, "path": "/itineraries/query/8800", "skip": 2},
    ]
    with RunningService(faults={"fault": faults}) as service:
        monkeypatch.setenv("MUSTER_SERVICE_URL", service.url)
        code, [printed] = create_runner(capsys)(write_file(tmp_path, trips_csv(["A1"])))
        assert (code, printed["unknown"]) == (5, 1)


def test_a_file_without_a_valid_row_fails_with_the_reason_of_the_first_row(run: Run, tmp_path: Path) -> None:
    path = write_file(tmp_path, "\n".join([HEADINGS, row("two words"), row("??")]))
    code, [printed] = run(path)
    assert (code, printed["skipped"]) == (4, 2)
    reason = "Record locator: A record locator must have letters and digits, and no spaces."
    assert printed["message"] == f"No row can be sent. First row: {reason}"
    assert run(path, "--dry-run")[0] == 4
    code, [printed] = run(write_file(tmp_path, "Colour,Shape\nred,round\n", "other.csv"))
    assert (code, printed["message"]) == (4, "Columns are missing: Record locator.")


CASES = {
    "actual-times-one-date.csv": (1, 0, "Based on the time zones, Muster uses 2026-12-04."),
    "airport-name-with-codes.csv": (2, 2, "Muster computed the arrival time from the duration: 2026-03-10 08:40."),
    "both-date-orders.csv": (4, 0, "Muster reads this date as 2026-12-05, in the order of the rows around it."),
    "city-codes.csv": (6, 2, "LON is the code of London, not of one airport."),
    "date-time-24-00.csv": (3, 0, ""),
    "dates-without-year.csv": (2, 0, ""),
    "excel-guards.csv": (4, 0, ""),
    "flight-log-export.csv": (0, 3, "The trip has no traveler."),
    "formulas-without-values.xlsx": (0, 2, "The formula in this cell has no stored value."),
    "leading-zeros-by-format.xlsx": (2, 0, ""),
    "locators-turned-into-numbers.csv": (0, 3, "A spreadsheet changed this code (“02-Dec”)."),
    "numeric-locator-flight.xlsx": (3, 0, ""),
    "rows-hidden-by-filter.xlsx": (2, 2, "2 rows are hidden in the sheet"),
    "same-headings-for-departure-and-arrival.csv": (1, 0, ""),
    "times-under-departure-time.csv": (2, 0, ""),
    "travelers-in-one-cell.csv": (3, 0, "Row 2: 2 travelers in one cell: Kim Lee, Su Lee."),
    "year-with-a-typo.csv": (2, 1, "The year must be between 1970 and 2199."),
}
"""By case: the trips that are ready, the rows that are not, and what the command says about them."""


@pytest.mark.parametrize("case", CASES)
def test_a_dry_run_says_which_rows_of_a_case_are_ready_and_why_others_are_not(
    run: Run, tmp_path: Path, case: str
) -> None:
    trips, left_out, said = CASES[case]
    report = tmp_path / "not-added.csv"
    code, [printed] = run(PROJECT / "tests" / "cases" / case, "--dry-run", "--not-added", report)
    assert (code, printed["trips"], printed["skipped"]) == (4 if left_out else 0, trips, left_out)
    assert said in json.dumps(printed, ensure_ascii=False) + report.read_text()


def test_codes_of_cases_are_sent_as_the_person_sees_them(run: Run, service: RunningService, tmp_path: Path) -> None:
    for case in ("excel-guards.csv", "leading-zeros-by-format.xlsx", "numeric-locator-flight.xlsx"):
        assert run(PROJECT / "tests" / "cases" / case)[0] == 0
    locators = ["00AB12", "123456", "1E5678", "EG0001", "EG0002", "EG0003", "EG0004"]
    stored = [locator for locator, _ in list_stored_trips(service)]
    assert [each for each in stored if each in locators] == locators
    assert len(stored) == len(locators) + 2


def test_a_workbook_in_another_format_is_refused_with_what_to_do(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "trips.xls"
    path.write_bytes(b"\xd0\xcf\x11\xe0" + bytes(512))
    code, [printed] = run(path)
    assert (code, printed["message"]) == (2, f"The file cannot be read. {OTHER_FORMAT}")


def test_hidden_rows_are_imported_and_rows_that_cannot_be_read_are_named(run: Run, tmp_path: Path) -> None:
    cases = PROJECT / "tests" / "cases"
    code, [printed] = run(cases / "rows-hidden-by-filter.xlsx", "--dry-run")
    assert printed["notes"] == ["2 rows are hidden in the sheet, for example by a filter. Muster includes hidden rows."]
    assert (code, printed["rows"], printed["trips"], printed["skipped"]) == (4, 4, 2, 2)
    code, [printed] = run(write_file(tmp_path, trips_csv(["A1"], row("B2") + ",beyond the headings")), "--dry-run")
    assert (code, printed["rows"], printed["trips"], printed["skipped"]) == (4, 2, 1, 1)
    assert printed["notes"][0].startswith("Row 3: Skipped: it has 10 cells")
    code, [printed] = run(write_file(tmp_path, "Colour,Shape\nred,round\n", "other.csv"), "--dry-run")
    assert (code, printed["message"]) == (4, "Dry run. Columns are missing: Record locator.")


def test_resume_finishes_an_import_after_an_outage(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    busy = {"kind": "status", "status": 429, "path": BATCH, "times": 8}
    path = write_file(tmp_path, trips_csv(["A1", "B2"]))
    with RunningService(faults={"fault": [busy]}) as service:
        monkeypatch.setenv("MUSTER_SERVICE_URL", service.url)
        run = create_runner(capsys)
        code, [printed] = run(path)
        assert (code, printed["waiting"]) == (6, 2)
        assert run(path)[0] == 6, "the import is not started twice"
        code, [printed] = run("--resume")
        assert (code, printed["file"], printed["added"]) == (0, "trips.csv", 2)
        assert main(["import", "--organization", "8800", "--resume"]) == 3
        assert "There is no import to continue." in capsys.readouterr().err
        assert list_stored_trips(service) == [("A1", "A"), ("B2", "A")]


def start_command(*arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "muster", "import", "--organization", "8800", *map(str, arguments)]
    return subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_stopped_command_finishes_its_calls_and_releases_its_job(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    locators = [f"L{n:03}" for n in range(550)]
    path = write_file(tmp_path, trips_csv(locators))
    with RunningService() as service:
        monkeypatch.setenv("MUSTER_SERVICE_URL", service.url)
        with service.holding(BATCH) as held_requests:
            stopped = start_command(path)
            assert held_requests.has_arrived.wait(60)
            stopped.send_signal(signal.SIGTERM)
            held_requests.release()
            printed = json.loads(stopped.communicate(timeout=60)[0])
        assert (stopped.returncode, printed["exit"], printed["unknown"]) == (6, 6, 0)
        assert 0 < printed["added"] == len(list_stored_trips(service)) == 550 - printed["waiting"]
        assert not list_jobs(tmp_path, service)[0].is_owned
        code, [printed] = create_runner(capsys)("--resume", path)
        assert (code, printed.get("added")) == (0, 550), printed
        assert list_stored_trips(service) == [(each, "A") for each in locators]


def test_each_file_of_a_watched_folder_is_imported_once_and_moved_with_its_refused_rows(
    run: Run, service: RunningService, tmp_path: Path
) -> None:
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    write_file(inbox, trips_csv(["A1"], row("C3").replace("AUH", "12")), "one.csv")
    write_file(inbox, trips_csv(["B2"]), "two.csv")
    write_file(inbox, trips_csv(["B2"]), "two again.csv")
    write_file(inbox, "", "nothing.csv")
    write_file(inbox, trips_csv(["Z9"]), ".arriving.csv")
    code, printed = run("--watch", inbox, "--once")
    assert {each["file"]: each["exit"] for each in printed} == {
        "one.csv": 4, "two.csv": 0, "two again.csv": 3, "nothing.csv": 2
    }  # fmt: skip
    assert code == 2
    assert list_stored_trips(service) == [("A1", "A"), ("B2", "A")]
    assert sorted(path.name for path in (inbox / "done").iterdir()) == [
        "one.csv", "one.csv.not-added.csv", "two again.csv", "two.csv"
    ]  # fmt: skip
    leftovers = read_leftovers(tmp_path, service)
    assert {each.file: each.reason for each in leftovers} == {
        "nothing.csv": "The file cannot be read. The file is empty.",
        "one, rows not sent.csv": "1 row was not sent because of errors.",
    }
    [rows] = [each.content.decode("utf-8-sig").splitlines() for each in leftovers if each.content]
    assert [len(rows), "C3" in rows[1]] == [2, True]
    assert run("--watch", inbox, "--once") == (3, [])
    write_file(inbox, trips_csv(["D4"]), "two.csv")
    assert run("--watch", inbox, "--once")[0] == 0
    assert (inbox / "done" / "two-2.csv").exists()


def test_all_rows_are_written_if_no_row_can_be_sent(run: Run, tmp_path: Path) -> None:
    write_file(tmp_path, "\n".join([HEADINGS, row("two words"), row("??")]), "bad.csv")
    assert run("--watch", tmp_path, "--once")[0] == 4
    not_added = pd.read_csv(tmp_path / "done" / "bad.csv.not-added.csv", dtype=str)
    assert not_added["Record locator"].tolist() == ["two words", "??"]


def test_a_file_that_arrives_twice_gets_its_refused_rows_both_times(
    run: Run, service: RunningService, tmp_path: Path
) -> None:
    bad = row("C3").replace("AUH", "12")
    with service.failing({"kind": "status", "status": 400, "path": BATCH}):
        for name, code in (("one.csv", 4), ("two.csv", 3)):
            write_file(tmp_path, trips_csv(["A1"], bad), name)
            assert run("--watch", tmp_path, "--once")[0] == code
            not_added = pd.read_csv(tmp_path / "done" / f"{name}.not-added.csv", dtype=str)
            assert sorted(not_added["Record locator"]) == ["A1", "C3"]


def test_a_file_that_cannot_be_moved_is_reported_after_its_result(
    run: Run, service: RunningService, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its rows that were not added are written once the file can be moved."""
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    write_file(inbox, trips_csv(["A1"], row("C3").replace("AUH", "12")), "one.csv")
    (inbox / "done").write_text("in the way")
    with pytest.MonkeyPatch.context() as watched:
        messages: list[str] = []
        watched.setattr("builtins.print", lambda *texts, **_: messages.append(str(texts[0])))
        assert main(["import", "--organization", "8800", "--watch", str(inbox), "--once"]) == 2
    assert json.loads(messages[-2])["added"] == 1
    assert messages[-1].startswith(f"muster: one.csv was imported, but not moved. {inbox / 'done'} cannot be written")
    (inbox / "done").unlink()
    assert run("--watch", inbox, "--once")[0] == 3
    assert {path.name for path in (inbox / "done").iterdir()} == {"one.csv", "one.csv.not-added.csv"}
    assert list_stored_trips(service) == [("A1", "A")]


def test_a_watched_folder_that_is_removed_is_an_error(tmp_path: Path) -> None:
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    with folder_module.WatchedFolder(inbox) as watched:
        inbox.rename(tmp_path / "elsewhere")
        with pytest.raises(folder_module.FolderError, match="inbox does not exist"):
            watched.list_files()


def test_nothing_is_sent_if_the_rows_that_are_not_added_cannot_be_written(
    run: Run, service: RunningService, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, report = write_file(tmp_path, trips_csv(["A1"])), tmp_path / "nowhere" / "left.csv"
    arguments = ["import", "--organization", "8800", str(path), "--not-added", str(report)]
    assert main(arguments) == 2
    assert capsys.readouterr().err == f"muster: {report} cannot be written, because its folder does not exist.\n"
    assert list_stored_trips(service) == []


def test_the_imported_file_is_never_overwritten(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_file(tmp_path, trips_csv(["A1"]))
    (tmp_path / "left.csv").symlink_to(path)
    for report in (path, tmp_path / "left.csv"):
        assert main(["import", "--organization", "8800", str(path), "--not-added", str(report)]) == 2
        assert capsys.readouterr().err == f"muster: --not-added needs another name. {report} is the file to import.\n"
    assert path.read_text() == trips_csv(["A1"])


def test_an_unfinished_import_is_continued_however_many_follow_it(
    run: Run, service: RunningService, tmp_path: Path
) -> None:
    with service.failing({"kind": "status", "status": 401, "path": BATCH}):
        run(write_file(tmp_path, trips_csv(["A1"])))
    with Journal.open(f"sqlite:///{tmp_path / 'data' / 'journal.sqlite'}", redact) as journal:
        for number in range(50):
            ledger, actor = journal.ledger, Actor(service.url, 8800, "ben")
            ledger.end(ledger.begin(actor, TRIPS.kind, f"{number}.csv", []))
    code, [printed] = run("--resume")
    assert (code, printed["file"], list_stored_trips(service)) == (0, "trips.csv", [("A1", "A")])


def test_the_rows_of_an_earlier_file_are_removed_from_the_report(run: Run, tmp_path: Path) -> None:
    report = write_file(tmp_path, "of yesterday", "left.csv")
    assert run(write_file(tmp_path, trips_csv(["A1"])), "--not-added", report)[0] == 0
    assert report.read_text() == ""


def test_a_folder_is_watched_by_one_process_which_continues_unfinished_imports(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    write_file(inbox, trips_csv(["A1"]), "one.csv")
    busy = {"kind": "status", "status": 429, "path": BATCH, "times": 8}
    with RunningService(faults={"fault": [busy]}) as service:
        monkeypatch.setenv("MUSTER_SERVICE_URL", service.url)
        run = create_runner(capsys)
        assert run("--watch", inbox, "--once")[0] == 6
        assert (inbox / "one.csv").exists()
        assert run("--watch", inbox, "--once")[0] == 0
        assert list_stored_trips(service) == [("A1", "A")]
        with folder_module.WatchedFolder(inbox):
            assert run("--watch", inbox, "--once") == (2, [])


def test_a_file_may_be_replaced_or_removed_during_its_import(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(folder_module, "SETTLED_SECONDS", 0.0)
    for name in ("a.csv", "b.csv", "c.csv"):
        write_file(tmp_path, name, name)
    not_added = pd.DataFrame({"row": [1]})

    def import_file(path: Path) -> ImportResult:
        if path.name == "a.csv":
            (tmp_path / ".coming").write_text("tomorrow's")
            (tmp_path / ".coming").replace(path)
        if path.name == "b.csv":
            path.unlink()
        return ImportResult(path.name, Exit.DONE, "", job=1, not_added=not_added)

    with folder_module.WatchedFolder(tmp_path) as watched:
        assert len(list(watched.import_files(import_file))) == 3
        assert [path.name for path in watched.list_files()] == ["a.csv"], "the replaced file is not imported yet"
    done = {path.name for path in (tmp_path / "done").iterdir()}
    assert done == {"c.csv", *(f"{name}.csv.not-added.csv" for name in "abc")}


def test_a_signal_ends_watching_after_the_current_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    inbox = tmp_path / "inbox"
    inbox.mkdir()
    for age, (name, locator) in enumerate((("two.csv", "Z9"), ("one.csv", "A1")), start=1):
        path = write_file(inbox, trips_csv([locator]), name)
        os.utime(path, (path.stat().st_mtime - 60 * age,) * 2)
    with RunningService() as service, service.holding(BATCH) as held_requests:
        monkeypatch.setenv("MUSTER_SERVICE_URL", service.url)
        watching = start_command("--watch", inbox)
        assert held_requests.has_arrived.wait(60)
        watching.send_signal(signal.SIGTERM)
        held_requests.release()
        out, err = watching.communicate(timeout=60)
        [printed] = [json.loads(line) for line in out.splitlines()]
        assert (watching.returncode, printed["file"], printed["exit"], printed["added"]) == (0, "one.csv", 0, 1)
        assert "muster: Stopped by a signal after the current file." in err
        assert [path.name for path in sorted(inbox.glob("*.csv"))] == ["two.csv"]


def test_a_signal_before_the_first_scan_ends_watching_without_an_import(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = folder_module.WatchedFolder.__enter__

    def enter(self: folder_module.WatchedFolder) -> folder_module.WatchedFolder:
        signal.raise_signal(signal.SIGTERM)
        return original(self)

    monkeypatch.setattr(folder_module.WatchedFolder, "__enter__", enter)
    assert run("--watch", tmp_path) == (3, [])


def test_progress_is_printed_once(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["import", "--organization", "8800", str(write_file(tmp_path, trips_csv(["A1", "B2"])))])
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("trips.csv: 2 added · 2 of 2 trips sent · ")
    assert last.count("2 of 2") == 1


def test_a_sheet_is_read_by_name_and_an_unknown_sheet_is_an_error(
    run: Run, service: RunningService, tmp_path: Path
) -> None:
    path = tmp_path / "trips.xlsx"
    with xlsxwriter.Workbook(path) as book:
        for name, locator in (("March", "A1"), ("April", "B2")):
            sheet = book.add_worksheet(name)
            for place, line in enumerate(trips_csv([locator]).splitlines()):
                sheet.write_row(place, 0, line.split(","))
    code, [printed] = run(path, "--sheet", "May")
    assert (code, printed["message"]) == (2, "The file has no sheet “May”. The sheets are “March” and “April”.")
    code, [printed] = run(path, "--sheet", "April")
    assert (code, printed["sheet"], list_stored_trips(service)) == (0, "April", [("B2", "A")])
    [printed] = run(write_file(tmp_path, trips_csv(["C3"])), "--sheet", "April")[1]
    assert printed["message"].endswith("The file is not a workbook.")
