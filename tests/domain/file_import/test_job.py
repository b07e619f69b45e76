"""Sending imported rows: every row has one status, and none is lost or sent twice, even after a crash."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from client import ConnectionFailed, Invalid, NotAuthenticated, OutcomeUnknown, ServiceError, TooManyRequests
from client.models.results import BatchFailure, BatchOutcome, BatchSuccess
from components.file_import.import_view import _batches, _progress
from domain.file_import import job as job_module
from domain.file_import.checking import Check
from domain.file_import.job import (
    JOBS,
    RESPONSE_LOST,
    SERVICE_FAILED,
    Jobs,
    build_result_frame,
    build_statuses,
    format_progress,
    format_reasons,
    measure_rate,
)
from journal import Item, ItemStatus, Job, Journal, LedgerChanged
from journal.journal_database import utc_now
from journal.tables import ledger_jobs
from tests.domain.file_import.note_import import ANA, STEPS, JobWorkspace, NoteService, csv_of
from tests.dying_process import DyingProcesses
from tests.prepared_journal import new_journal


@pytest.fixture(scope="module")
def dying_processes() -> Iterator[DyingProcesses]:
    with DyingProcesses("tests.domain.file_import.note_import") as processes:
        yield processes


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with new_journal(tmp_path / "journal.sqlite3") as journal:
        yield journal


@pytest.fixture
def workspace(journal: Journal) -> Any:
    return JobWorkspace(journal)


@pytest.fixture
def service(tmp_path: Path) -> NoteService:
    return NoteService(tmp_path / "notes.txt")


def send_file(workspace: Any, service: NoteService, names: Sequence[str], **options: Any) -> int:
    """Send a file to its end. Return the ID of the job."""
    job_id = JOBS.begin(workspace, Check.of(service.declaration(**options), "notes.csv", csv_of(names), workspace))
    JOBS.wait(job_id)
    return job_id


def load_job(workspace: Any, job_id: int) -> Job:
    job = workspace.journal.ledger.job(ANA, job_id)
    assert job is not None
    return job


def fail_first_calls(service: NoteService, *errors: ServiceError) -> None:
    """Let the first calls raise these errors before anything is stored."""
    remaining = list(errors)

    def before(_: Sequence[Item]) -> None:
        if remaining:
            raise remaining.pop(0)

    service.before = before


@pytest.fixture(autouse=True)
def retry_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Retry without delay, and start jobs without delay."""
    monkeypatch.setattr(Jobs, "patience", 0.0)
    monkeypatch.setattr(job_module, "FIRST_WAIT", 0.001)
    monkeypatch.setattr(job_module, "LONGEST_WAIT", 0.001)


@pytest.mark.parametrize("width", [1, 4])
def test_every_row_is_sent_once_in_batches_and_has_a_status(workspace: Any, service: NoteService, width: int) -> None:
    names = [f"bad {n}" if n % 7 == 3 else f"note {n}" for n in range(45)]
    job = load_job(workspace, send_file(workspace, service, names, width=width))
    assert (job.state, job.counts) == ("done", {"done": 39, "failed": 6})
    assert sorted(service.stored_names()) == sorted(name for name in names if name.startswith("note"))
    assert sorted(service.batches) == [5, 10, 10, 10, 10]
    [entry] = workspace.journal.audit.list(ANA.service, ANA.organization_id)
    assert (entry.action, entry.state, entry.subject_name) == ("note.import", "partly done", "notes.csv")
    assert (entry.subject_id, entry.message) == (str(job.id), "39 done · 6 failed")


def test_the_journal_reports_a_file_that_was_rejected_entirely(workspace: Any, service: NoteService) -> None:
    load_job(workspace, send_file(workspace, service, ["bad 1", "bad 2"]))
    [entry] = workspace.journal.audit.list(ANA.service, ANA.organization_id)
    assert (entry.state, entry.message) == ("refused", "2 failed")


@pytest.mark.parametrize("step", STEPS)
def test_a_killed_process_loses_no_row_and_sends_none_twice(
    workspace: Any, service: NoteService, dying_processes: DyingProcesses, tmp_path: Path, step: str
) -> None:
    url = f"sqlite:///{tmp_path / 'journal.sqlite3'}"
    assert dying_processes.run(step, url, str(service.path), 35) == -9
    [job] = workspace.journal.ledger.jobs(ANA, "note")
    with workspace.journal._database.writing() as connection:
        past = utc_now() - timedelta(minutes=1)
        connection.execute(ledger_jobs.update().values(lease_until=past))
    job = load_job(workspace, job.id)
    assert job.state == "cut off"
    done_count = {"between batches": 20}.get(step, 10)
    assert job.counts == {"done": done_count, "waiting": 15, **({"unknown": 10} if done_count == 10 else {})}

    declaration = service.declaration()
    JOBS.resume(workspace, declaration, job.id)
    JOBS.wait(job.id)
    counts = load_job(workspace, job.id).counts
    assert not {"waiting", "unknown"} & counts.keys(), "resuming reconciles unknown rows first"
    JOBS.resume(workspace, declaration, job.id, retry=True)
    JOBS.wait(job.id)
    assert load_job(workspace, job.id).counts == {"done": 35}
    assert sorted(service.stored_names()) == sorted(f"note {n}" for n in range(35))


def test_a_lost_response_is_unknown_and_not_resent_until_it_is_reconciled(workspace: Any, service: NoteService) -> None:
    def lose(items: Sequence[Item]) -> None:
        if items[0].position == 10:
            raise OutcomeUnknown("The answer was lost.")

    service.after = lose
    job_id = send_file(workspace, service, [f"note {n}" for n in range(25)])
    assert load_job(workspace, job_id).counts == {"done": 15, "unknown": 10}
    JOBS.resume(workspace, service.declaration(), job_id, retry=True)
    assert load_job(workspace, job_id).counts == {"done": 15, "unknown": 10}
    assert [JOBS.reconcile(workspace, service.declaration(), job_id) for _ in range(2)] == [10, 0]
    assert load_job(workspace, job_id).counts == {"done": 25}
    assert len(service.stored_names()) == 25


def test_a_note_of_a_batch_is_available_when_it_is_reconciled(workspace: Any, service: NoteService) -> None:
    def note_and_lose(batch: Any) -> None:
        batch.note(f"batch of {len(batch)}")
        batch.say("2 of 3 done")
        raise OutcomeUnknown("The answer was lost.")

    service.after = note_and_lose
    job_id = send_file(workspace, service, ["a", "b", "c"])
    items = workspace.journal.ledger.items(job_id)
    assert [(item.status.state, item.note) for item in items] == [("unknown", "batch of 3")] * 3
    assert [format_reasons(item, {}) for item in items] == [""] * 3


def test_without_reconciliation_a_person_sets_the_status(workspace: Any, service: NoteService) -> None:
    fail_first_calls(service, OutcomeUnknown("lost"), OutcomeUnknown("lost"))
    job_id = send_file(workspace, service, [f"note {n}" for n in range(12)])
    [first, second] = _batches(workspace.journal.ledger.items(job_id, ["unknown"]))
    assert (len(first), len(second)) == (10, 2), "each lost call is a separate question"
    assert JOBS.set_status(workspace, job_id, is_done=False, positions={item.position for item in first}) == 10
    assert JOBS.set_status(workspace, job_id, is_done=False) == 2
    JOBS.resume(workspace, service.declaration(), job_id, retry=True)
    JOBS.wait(job_id)
    assert (load_job(workspace, job_id).counts, len(service.stored_names())) == ({"done": 12}, 12)


def test_a_duplicate_after_a_lost_response_is_done_with_an_unknown_id(workspace: Any, service: NoteService) -> None:
    declaration = service.declaration()
    assert declaration.sending is not None

    def send(client: Any, items: Sequence[Item]) -> Sequence[ItemStatus]:
        stored_names = service.stored_names()
        statuses = service.send(client, [item for item in items if item.payload["name"] not in stored_names])
        new = iter(statuses)
        duplicate = ItemStatus("failed", reasons={"name": "A note of this name exists already."})
        return [duplicate if item.payload["name"] in stored_names else next(new) for item in items]

    def lose(_: Sequence[Item]) -> None:
        service.after = lambda _: None
        raise OutcomeUnknown("The answer was lost.")

    sending = replace(declaration.sending, send=send, is_duplicate=lambda status: "exists" in str(status.reasons))
    declaration = replace(declaration, sending=sending)
    service.after = lose
    service.path.write_text("of somebody else\n")
    job_id = JOBS.begin(workspace, Check.of(declaration, "notes.csv", csv_of(["a", "b"]), workspace))
    JOBS.wait(job_id)
    assert JOBS.set_status(workspace, job_id, is_done=False) == 2
    second_job = JOBS.begin(workspace, Check.of(declaration, "more.csv", csv_of(["a", "of somebody else"]), workspace))
    JOBS.wait(second_job)
    assert load_job(workspace, second_job).counts == {"done": 1, "failed": 1}
    JOBS.resume(workspace, declaration, job_id, retry=True)
    JOBS.wait(job_id)
    statuses = [item.status for item in workspace.journal.ledger.items(job_id)]
    assert statuses == [ItemStatus("done", None, {"": job_module.ALREADY_ADDED})] * 2


def test_repeatable_items_are_resent_automatically_after_a_lost_response(workspace: Any, service: NoteService) -> None:
    declaration = service.declaration()
    assert declaration.sending is not None
    fail_first_calls(service, OutcomeUnknown("The answer was lost."))
    repeatable = replace(declaration, sending=replace(declaration.sending, is_repeatable=True))
    job_id = JOBS.begin(workspace, Check.of(repeatable, "notes.csv", csv_of(["a", "b"]), workspace))
    JOBS.wait(job_id)
    assert (load_job(workspace, job_id).counts, service.batches) == ({"done": 2}, [2])


@pytest.mark.parametrize(
    "error",
    [TooManyRequests("Slow down.", status=429), ConnectionFailed("Could not connect.", sent=False)],
    ids=lambda error: type(error).__name__,
)
def test_a_busy_service_is_retried_without_failures(workspace: Any, service: NoteService, error: ServiceError) -> None:
    fail_first_calls(service, error, error, error)
    job = load_job(workspace, send_file(workspace, service, [f"note {n}" for n in range(25)]))
    assert (job.state, job.counts, len(service.stored_names())) == ("done", {"done": 25}, 25)


def test_a_long_outage_pauses_the_job_and_it_can_be_resumed(workspace: Any, service: NoteService) -> None:
    fail_first_calls(service, *[ConnectionFailed("Could not connect.", sent=False)] * job_module.MOST_TRIES)
    job_id = send_file(workspace, service, [f"note {n}" for n in range(25)])
    job = load_job(workspace, job_id)
    assert (job.state, job.counts, job.is_owned) == ("paused", {"waiting": 25}, False)
    assert job.message
    JOBS.resume(workspace, service.declaration(), job_id)
    JOBS.wait(job_id)
    assert (load_job(workspace, job_id).counts, len(service.stored_names())) == ({"done": 25}, 25)


def test_repeated_lost_responses_pause_the_job(workspace: Any, service: NoteService) -> None:
    fail_first_calls(service, *[OutcomeUnknown("The answer was lost.")] * 100)
    job = load_job(workspace, send_file(workspace, service, [f"note {n}" for n in range(100)]))
    assert (job.state, job.counts) == ("paused", {"unknown": 10 + 5 + 2 + 5 * 1, "waiting": 78})


def test_batches_are_smaller_after_a_lost_response_or_a_failure_of_the_service(
    workspace: Any, service: NoteService
) -> None:
    fail_first_calls(service, OutcomeUnknown("Lost."), OutcomeUnknown("Lost.", status=500), TooManyRequests("Slow."))
    job_id = send_file(workspace, service, [f"note {n}" for n in range(21)])
    assert service.batches == [2, 2, 2]
    reasons = [item.status.reasons[""] for item in workspace.journal.ledger.items(job_id, ["unknown"])]
    assert reasons == [RESPONSE_LOST] * 10 + [SERVICE_FAILED] * 5


def test_a_stopped_job_does_not_announce_a_retry(
    workspace: Any, service: NoteService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_module, "FIRST_WAIT", 30.0)
    monkeypatch.setattr(job_module, "LONGEST_WAIT", 30.0)
    called = threading.Event()
    fail_first_calls(service, TooManyRequests("Slow down.", status=429))
    before = service.before

    def report(items: Sequence[Item]) -> None:
        called.set()
        before(items)

    service.before = report
    job_id = JOBS.begin(workspace, Check.of(service.declaration(), "notes.csv", csv_of(["a", "b"]), workspace))
    assert called.wait(10)
    while not JOBS.status_message(job_id):
        JOBS.wait(job_id, 0.01)
    assert "will retry in 30 seconds" in _progress(workspace, job_id, "running").text
    monkeypatch.setattr(JOBS, "_wake", lambda _: None)
    JOBS.request_state(workspace, job_id, "stopped")
    text = _progress(workspace, job_id, "stopped").text
    assert text == "2 of 2 · 2 not sent. Muster is finishing the current calls."
    monkeypatch.undo()
    JOBS.request_state(workspace, job_id, "stopped")
    assert JOBS.wait(job_id, 10)


def test_a_check_reports_how_many_items_it_has_checked(workspace: Any, service: NoteService) -> None:
    fail_first_calls(service, OutcomeUnknown("Lost."))
    names = [f"note {n}" for n in range(10)]
    job_id = send_file(workspace, service, names)
    declaration = service.declaration()
    assert declaration.sending is not None
    seen: list[tuple[int, int]] = []

    def reconcile(client: Any, batch: Sequence[Item]) -> Any:
        seen.append(JOBS.count_checked(job_id))
        return service.reconcile(client, batch)

    sending = replace(declaration.sending, reconcile=reconcile, reconcile_size=4)
    assert JOBS.reconcile(workspace, replace(declaration, sending=sending), job_id) == 10
    assert seen == [(0, 10), (4, 10), (8, 10)]


def test_failed_rows_can_be_resent_and_keep_their_reason_until_then(workspace: Any, service: NoteService) -> None:
    reasons: list[dict[str, str]] = []
    job_id = send_file(workspace, service, ["fine", "bad one", "bad two"])
    service.before = lambda items: reasons.extend(dict(item.status.reasons) for item in items)
    JOBS.resume(workspace, service.declaration(), job_id, retry=[2])
    JOBS.wait(job_id)
    assert (service.batches, reasons) == ([3, 1], [{"name": "The service has no room for bad notes."}])


def test_a_rejected_sign_in_pauses_the_job_with_an_unsent_batch(workspace: Any, service: NoteService) -> None:
    fail_first_calls(service, NotAuthenticated("The service does not accept the password."))
    job = load_job(workspace, send_file(workspace, service, ["a", "b"]))
    assert (job.state, job.counts) == ("paused", {"waiting": 2})
    assert "password" in str(job.message)


def test_a_rejected_batch_fails_with_the_message_and_the_next_is_sent(workspace: Any, service: NoteService) -> None:
    fail_first_calls(service, Invalid("There are too many words in it."))
    job_id = send_file(workspace, service, [f"note {n}" for n in range(12)])
    assert load_job(workspace, job_id).counts == {"failed": 10, "done": 2}
    assert {item.status.reasons[""] for item in workspace.journal.ledger.items(job_id, ["failed"])} == {
        "There are too many words in it."
    }


def test_an_error_in_muster_leaves_the_batch_unknown_and_pauses_the_job(workspace: Any, service: NoteService) -> None:
    def fail(_: Sequence[Item]) -> None:
        raise KeyError("name")

    service.after = fail
    job = load_job(workspace, send_file(workspace, service, [f"note {n}" for n in range(12)]))
    assert (job.state, job.counts) == ("paused", {"unknown": 10, "waiting": 2})


def test_a_job_pauses_between_batches_and_stops_with_a_status_for_every_row(
    workspace: Any, service: NoteService
) -> None:
    call_started, may_continue = threading.Event(), threading.Event()

    def hold(_: Sequence[Item]) -> None:
        call_started.set()
        assert may_continue.wait(30)

    service.before = hold
    check = Check.of(service.declaration(), "notes.csv", csv_of([f"note {n}" for n in range(30)]), workspace)
    job_id = JOBS.begin(workspace, check)
    assert call_started.wait(30)
    JOBS.request_state(workspace, job_id, "paused")
    may_continue.set()
    JOBS.wait(job_id)
    assert (load_job(workspace, job_id).state, load_job(workspace, job_id).counts) == (
        "paused",
        {"done": 10, "waiting": 20},
    )
    JOBS.request_state(workspace, job_id, "stopped")
    assert (load_job(workspace, job_id).state, load_job(workspace, job_id).counts) == (
        "stopped",
        {"done": 10, "not sent": 20},
    )
    unsent = Check.of_failed(
        service.declaration(), load_job(workspace, job_id), workspace.journal.ledger.items(job_id, ["not sent"])
    )
    assert (int(unsent.is_ready.sum()), unsent.problems) == (20, []), "unsent rows have no problems"
    JOBS.resume(workspace, service.declaration(), job_id, retry=True)
    JOBS.wait(job_id)
    assert len(service.stored_names()) == 30


def test_a_job_resumed_during_a_call_leaves_nothing_waiting(workspace: Any, service: NoteService) -> None:
    call_started, may_continue = threading.Event(), threading.Event()
    positions: list[int] = []

    def hold(items: Sequence[Item]) -> None:
        positions.append(items[0].position)
        call_started.set()
        assert may_continue.wait(30)

    service.before = hold
    check = Check.of(service.declaration(), "notes.csv", csv_of([f"note {n}" for n in range(20)]), workspace)
    job_id = JOBS.begin(workspace, check)
    assert call_started.wait(30)
    JOBS.request_state(workspace, job_id, "paused")
    ledger, claim = workspace.journal.ledger, workspace.journal.ledger.claim

    def claim_and_resume(*arguments: Any) -> Any:
        claimed = claim(*arguments)
        if not claimed and len(positions) == 1:
            JOBS.resume(workspace, service.declaration(), job_id)
        return claimed

    ledger.claim = claim_and_resume
    may_continue.set()
    JOBS.wait(job_id)
    assert (load_job(workspace, job_id).state, load_job(workspace, job_id).counts) == ("done", {"done": 20})


def test_a_stopping_process_releases_its_jobs_after_the_current_calls(workspace: Any, service: NoteService) -> None:
    jobs, call_started, may_continue = Jobs(), threading.Event(), threading.Event()

    def hold(_: Sequence[Item]) -> None:
        call_started.set()
        assert may_continue.wait(30)

    service.before = hold
    check = Check.of(service.declaration(), "notes.csv", csv_of([f"note {n}" for n in range(30)]), workspace)
    job_id = jobs.begin(workspace, check)
    assert call_started.wait(30)
    jobs.halt(0)
    may_continue.set()
    jobs.halt(30)
    job = load_job(workspace, job_id)
    assert (job.state, job.is_owned, job.counts) == ("cut off", False, {"done": 10, "waiting": 20})


def test_ready_rows_are_sent_once_and_the_others_stay_open(workspace: Any, service: NoteService) -> None:
    check = Check.of(service.declaration(), "notes.csv", b"name,number\nfine,1\nodd,x\n", workspace)
    JOBS.wait(JOBS.begin(workspace, check))
    assert (int(check.is_ready.sum()), check.in_view("all").tolist()) == (0, [1])
    check.fix_cell(1, "number", "2")
    JOBS.wait(JOBS.begin(workspace, check))
    assert service.stored_names() == ["fine", "odd"]


def test_failed_rows_are_corrected_with_the_messages_at_their_cells(workspace: Any, service: NoteService) -> None:
    job_id = send_file(workspace, service, ["fine", "bad one", "bad two"])
    ledger, declaration = workspace.journal.ledger, service.declaration()
    check = Check.of_failed(declaration, load_job(workspace, job_id), ledger.items(job_id, ["failed"]))
    again = Check.of_failed(declaration, load_job(workspace, job_id), ledger.items(job_id, ["failed"]))
    assert check.cell_messages(0) == {"name": [("The service has no room for bad notes.", True)]}
    assert [check.source.row_number(row) for row in range(2)] == [3, 4]
    check.fix_cell(0, "name", "good one")
    JOBS.wait(JOBS.begin(workspace, check))
    assert service.stored_names() == ["fine", "good one"]
    assert load_job(workspace, job_id).counts == {"done": 1, "failed": 1, "replaced": 1}
    again.fix_cell(0, "name", "good one")
    with pytest.raises(LedgerChanged):
        JOBS.begin(workspace, again)
    assert service.stored_names() == ["fine", "good one"]


def test_results_can_be_downloaded_as_they_were_sent(workspace: Any, service: NoteService) -> None:
    job_id = send_file(workspace, service, ["fine", "bad one"])
    table = build_result_frame(
        service.declaration(), load_job(workspace, job_id), workspace.journal.ledger.items(job_id)
    )
    assert table.astype(str).to_numpy().tolist() == [
        ["2", "fine", "0", "Sent", "id fine", ""],
        ["3", "bad one", "1", "Failed", "", "Name: The service has no room for bad notes."],
    ]


def test_the_rate_counts_from_the_last_start_of_the_job(workspace: Any, service: NoteService) -> None:
    job = load_job(workspace, send_file(workspace, service, ["a", "b", "c", "d"]))
    assert job.run_at is not None
    at = job.run_at + timedelta(seconds=2)
    assert measure_rate(job, at) == (2.0, 0.0)
    assert format_progress(job, at) == "4 of 4 · 2 per second."
    half = replace(job, counts={"done": 1, "failed": 1, "waiting": 2})
    assert format_progress(half, at) == "2 of 4 · 1 failed · 1 per second · 2 s left."
    assert " · 6 per minute · 20 s left." in format_progress(half, at + timedelta(seconds=18))
    assert " · 1 per minute · " in format_progress(half, at + timedelta(hours=1))
    assert format_progress(replace(half, state="stopped"), at) == "2 of 4 · 1 failed."


def test_the_statuses_of_a_batch_follow_the_result_of_the_client() -> None:
    outcome = BatchOutcome(
        succeeded=[BatchSuccess(0, 7)], failed=[BatchFailure(1, "no")], unknown=[2], not_attempted=[3], stopped_by=None
    )
    assert build_statuses(outcome, 4, lambda failure: {"name": failure.message})[1].reasons == {"name": "no"}
    assert build_statuses(outcome, 4) == [
        ItemStatus("done", "7"),
        ItemStatus("failed", reasons={"": "no"}),
        ItemStatus("unknown"),
        ItemStatus("waiting"),
    ]


def test_the_button_states_a_number_only_if_rows_are_ready(service: NoteService) -> None:
    declaration = service.declaration()
    labels = [
        Check.of(declaration, "notes.csv", content).describe_sending(declaration.sending)
        for content in (b"name,number\nbare,7\n", b"name,number\nbare,seven\n")
    ]
    assert labels == ["Add 1 note", "Add notes"]


def test_a_sent_file_teaches_its_corrections_to_the_next_file_with_its_headings(
    workspace: Any, service: NoteService
) -> None:
    headings = "Name,Number,Starts"
    check = Check.of(service.declaration(), "notes 2026-11.csv", f"{headings}\nA,1,03/04/2026\n".encode(), workspace)
    assert not check.is_ready.any()
    check.set_options(replace(check.decisions.options, date_order="day first"))
    JOBS.wait(JOBS.begin(workspace, check))
    following = Check.of(service.declaration(), "n.csv", f"{headings}\nB,2,05/06/2026\n".encode(), workspace)
    assert following.decisions.match_name == "notes"
    assert following.is_ready.all()
    other_order = Check.of(service.declaration(), "n.csv", f"{headings}\nC,3,05/13/2026\n".encode(), workspace)
    assert other_order.options.date_order == "month first", "the dates of the file count more"
