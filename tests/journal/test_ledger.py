"""The ledger: every item has one status, none is claimed twice, and items of a dead process are unknown."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import event

from journal import ItemStatus, Journal, LedgerChanged, NewItem, Run
from journal.journal_database import utc_now
from journal.tables import ledger_jobs
from tests.journal.conftest import ANA, BEN, STRANGER


def build_items(number: int, *, group: Callable[[int], str] = lambda _: "") -> list[NewItem]:
    return [NewItem({"n": n, "long": 2**70}, [(n + 2, [f"N{n}", "Łódź"])], f"N{n}", group(n)) for n in range(number)]


def begin(journal: Journal, number: int = 3) -> Run:
    return journal.ledger.begin(
        ANA, "asset", "a.csv", build_items(number), digest="abc", settings={"headers": ["a", "b"]}
    )


def states(journal: Journal, job_id: int) -> list[str]:
    return [item.status.state for item in journal.ledger.items(job_id)]


def end_lease(journal: Journal, run: Run) -> None:
    """Let the lease of the job's owner end, as after a crash."""
    with journal._database.writing() as connection:
        is_job = ledger_jobs.c.id == run.job_id
        past = utc_now() - timedelta(minutes=5)
        connection.execute(ledger_jobs.update().where(is_job).values(lease_until=past))


def test_a_job_is_saved_completely_and_read_only_by_its_organization(journal: Journal) -> None:
    run = begin(journal)
    job = journal.ledger.job(BEN, run.job_id)
    assert job is not None
    assert (job.name, job.digest, job.created_by, job.state, job.total) == ("a.csv", "abc", "ana", "running", 3)
    assert (job.settings, job.counts, job.is_owned) == ({"headers": ["a", "b"]}, {"waiting": 3}, True)
    first = journal.ledger.items(run.job_id)[0]
    assert (first.payload, first.rows, first.label) == ({"n": 0, "long": 2**70}, [(2, ["N0", "Łódź"])], "N0")
    assert journal.ledger.same_file(BEN, "asset", "abc") == journal.ledger.jobs(BEN, "asset") == [job]
    assert journal.ledger.job(STRANGER, run.job_id) is None
    assert journal.ledger.jobs(STRANGER, "asset") == journal.ledger.same_file(ANA, "mapping", "abc") == []


def test_an_item_is_sent_as_the_stored_json(journal: Journal) -> None:
    payload = {"n": 2**70, "text": 'Łódź \x00 \ud800 "', "many": [{"a": None}, 1.5, []]}
    run = journal.ledger.begin(ANA, "asset", "a.csv", [NewItem(payload)])
    [item] = journal.ledger.claim(run, lambda _: 1)
    assert json.loads(item.payload_text) == item.payload == payload
    assert item.payload_text == json.dumps(payload, separators=(",", ":"))
    status = ItemStatus("failed", reasons={"text": '“Łódź \x00 \ud800 "” is no text.'})
    journal.ledger.write(run, {0: status})
    assert [item.status for item in journal.ledger.items(run.job_id)] == [status]


def test_many_rows_need_no_more_statements_than_one_row(journal: Journal) -> None:
    is_executemany: list[bool] = []
    event.listen(
        journal._database._engine,
        "before_cursor_execute",
        lambda *arguments: is_executemany.append(bool(arguments[-1])),
    )

    def record_statements(number: int) -> list[list[bool]]:
        counted = []
        run = begin(journal, number)
        for step in (
            lambda: journal.ledger.claim(run, lambda _: number),
            lambda: journal.ledger.note(run, dict.fromkeys(range(number), "batch 7")),
            lambda: journal.ledger.write(run, {place: ItemStatus("done", str(place)) for place in range(number)}),
        ):
            is_executemany.clear()
            step()
            counted.append(is_executemany.copy())
        return counted

    # The same number of statements, none of them repeated per row.
    assert record_statements(400) == record_statements(1)
    is_executemany.clear()
    begin(journal, 400)
    assert not any(is_executemany), "one statement saves all rows"


def test_a_batch_has_items_of_one_group_and_each_item_is_claimed_once(journal: Journal) -> None:
    items = build_items(5, group=lambda n: "odd" if n % 2 else "even")
    run = journal.ledger.begin(ANA, "trip", "t.csv", items)

    def claim_positions() -> list[int]:
        return [item.position for item in journal.ledger.claim(run, {"odd": 10, "even": 2}.__getitem__)]

    assert [claim_positions(), claim_positions(), claim_positions(), claim_positions()] == [[0, 2], [1, 3], [4], []]
    assert states(journal, run.job_id) == ["under way"] * 5


def test_several_threads_never_claim_the_same_item(journal: Journal) -> None:
    run = begin(journal, 40)
    with ThreadPoolExecutor(4) as threads:
        batches = list(threads.map(lambda _: journal.ledger.claim(run, lambda _: 3), range(14)))
    positions = [item.position for batch in batches for item in batch]
    assert sorted(positions) == list(range(40))


def test_a_job_is_done_once_every_item_has_ended(journal: Journal) -> None:
    run = begin(journal)
    assert journal.ledger.end(run) is False
    journal.ledger.claim(run, lambda _: 9)
    statuses = {
        0: ItemStatus("done", "77"),
        1: ItemStatus("failed", None, {"name": "too long"}),
        2: ItemStatus("unknown"),
    }
    journal.ledger.write(run, statuses)
    assert journal.ledger.end(run) is True
    job = journal.ledger.job(ANA, run.job_id)
    assert job is not None
    assert (job.state, job.is_owned, job.settled) == ("done", False, 3)
    assert [item.status for item in journal.ledger.items(run.job_id)] == list(statuses.values())
    assert [item.position for item in journal.ledger.items(run.job_id, ["failed", "unknown"])] == [1, 2]


def test_items_in_progress_of_a_dead_process_are_unknown_and_not_resent(journal: Journal) -> None:
    run = begin(journal)
    journal.ledger.claim(run, lambda _: 2)
    assert journal.ledger.resume(BEN, run.job_id) is None
    end_lease(journal, run)
    job = journal.ledger.job(ANA, run.job_id)
    assert job is not None
    assert (job.state, job.counts) == ("cut off", {"waiting": 1, "unknown": 2})
    assert [item.position for item in journal.ledger.items(run.job_id, ["unknown"])] == [0, 1]
    again = journal.ledger.resume(BEN, run.job_id)
    assert again is not None
    assert journal.ledger.claim(run, lambda _: 9) == [], "another process owns the job now"
    assert [item.position for item in journal.ledger.claim(again, lambda _: 9)] == [2]
    journal.ledger.write(run, {0: ItemStatus("done", "7")})
    assert states(journal, run.job_id) == ["done", "unknown", "under way"], "a late response still counts"
    journal.ledger.write(run, {2: ItemStatus("waiting")})
    assert states(journal, run.job_id)[2] == "under way", "only its owner can return an item"


def test_an_interrupted_job_without_unsent_items_is_done_when_resumed(
    journal: Journal,
) -> None:
    run = begin(journal)
    journal.ledger.claim(run, lambda _: 3)
    journal.ledger.write(run, dict.fromkeys(range(3), ItemStatus("done")))
    end_lease(journal, run)
    assert journal.ledger.resume(BEN, run.job_id) is None
    job = journal.ledger.job(BEN, run.job_id)
    assert job is not None
    assert (job.state, job.is_owned, job.counts) == ("done", False, {"done": 3})


def test_rows_without_a_file_were_never_sent_before(journal: Journal) -> None:
    journal.ledger.begin(ANA, "asset", "A table", build_items(1))
    assert journal.ledger.same_file(ANA, "asset", "") == []


def test_the_note_of_a_batch_survives_the_sending_process(journal: Journal) -> None:
    run = begin(journal)
    journal.ledger.claim(run, lambda _: 2)
    journal.ledger.note(run, {0: "batch 77", 1: "batch 77"})
    end_lease(journal, run)
    again = journal.ledger.resume(BEN, run.job_id)
    assert again is not None
    assert [(item.status.state, item.note) for item in journal.ledger.items(run.job_id)] == [
        ("unknown", "batch 77"),
        ("unknown", "batch 77"),
        ("waiting", None),
    ]


def test_an_interrupted_job_with_only_unknown_items_is_resumed_for_reconciliation(journal: Journal) -> None:
    run = begin(journal)
    journal.ledger.claim(run, lambda _: 3)
    end_lease(journal, run)
    again = journal.ledger.resume(BEN, run.job_id)
    assert again is not None
    assert journal.ledger.end(again)
    assert journal.ledger.resume(BEN, run.job_id) is None, "the job has ended, and no item is unsent"


def test_the_last_result_of_each_label_is_found(journal: Journal) -> None:
    first, second = begin(journal), begin(journal)
    journal.ledger.claim(first, lambda _: 3)
    journal.ledger.claim(second, lambda _: 2)
    journal.ledger.write(second, {0: ItemStatus("done", "7")})
    journal.ledger.write(first, {0: ItemStatus("failed", reasons={"a": "no"}), 1: ItemStatus("done", "8")})
    results = journal.ledger_history.last_results(BEN, "asset")
    assert results == {"N0": ItemStatus("failed", reasons={"a": "no"}), "N1": ItemStatus("done", "8")}
    assert journal.ledger_history.last_results(STRANGER, "asset") == {}


def test_finished_items_of_all_jobs_of_a_kind_are_listed_in_order(journal: Journal) -> None:
    ledger, history = journal.ledger, journal.ledger_history
    assert history.count_done_writes(ANA, ["asset"]) == 0
    first, second = begin(journal), begin(journal)
    for run, position, status in (
        (second, 0, ItemStatus("done", "a")),
        (first, 0, ItemStatus("done", "b")),
        (first, 1, ItemStatus("failed")),
        (second, 1, ItemStatus("done", "c")),
    ):
        ledger.claim(run, lambda _: 9)
        ledger.write(run, {position: status})
    kind = "asset"
    assert [each.result_id for each in history.list_done(ANA, [kind])] == ["a", "b", "c"]
    assert history.list_done(ANA, [kind])[0].by == ANA.username
    assert history.count_done_writes(ANA, [kind]) == 3
    assert history.list_done(ANA, ["other"]) == history.list_done(STRANGER, [kind]) == []


def test_a_check_changes_only_unknown_items(journal: Journal) -> None:
    run = begin(journal)
    journal.ledger.claim(run, lambda _: 2)
    found = {0: ItemStatus("done", "7"), 1: ItemStatus("failed"), 2: ItemStatus("done", "9")}
    assert journal.ledger.resolve(ANA, run.job_id, found) == 0, "its owner may still get the response"
    journal.ledger.write(run, {0: ItemStatus("unknown"), 1: ItemStatus("unknown")})
    assert journal.ledger.resolve(STRANGER, run.job_id, found) == 0
    assert journal.ledger.resolve(BEN, run.job_id, found) == 2
    assert journal.ledger.resolve(BEN, run.job_id, found) == 0
    assert states(journal, run.job_id) == ["done", "failed", "waiting"]


def test_a_job_released_by_its_process_is_interrupted_immediately(journal: Journal) -> None:
    run = begin(journal)
    assert journal.ledger.end(run, is_cut_off=True) is True
    job = journal.ledger.job(ANA, run.job_id)
    assert job is not None
    assert (job.state, job.is_owned, job.finished_at) == ("cut off", False, None)
    assert journal.ledger.resume(BEN, run.job_id) is not None


def test_no_item_of_a_paused_job_is_claimed_until_it_is_resumed(journal: Journal) -> None:
    run = begin(journal)
    journal.ledger.ask(STRANGER, run.job_id, "paused")
    assert len(journal.ledger.claim(run, lambda _: 1)) == 1
    journal.ledger.ask(BEN, run.job_id, "paused", "The service refused the password hunter2.")
    assert journal.ledger.claim(run, lambda _: 9) == []
    assert journal.ledger.resume(BEN, run.job_id) is None, "its owner is running and continues"
    assert len(journal.ledger.claim(run, lambda _: 1)) == 1
    journal.ledger.ask(BEN, run.job_id, "paused")
    assert journal.ledger.end(run) is True
    assert journal.ledger.resume(ANA, run.job_id) is not None


def test_waiting_items_of_a_stopped_job_are_not_sent_and_can_be_sent_later(journal: Journal) -> None:
    run = begin(journal)
    [first] = journal.ledger.claim(run, lambda _: 1)
    journal.ledger.ask(ANA, run.job_id, "stopped")
    journal.ledger.write(run, {first.position: ItemStatus("waiting")})
    assert states(journal, run.job_id) == ["not sent"] * 3
    assert journal.ledger.end(run) is True
    assert journal.ledger.resume(ANA, run.job_id) is None
    again = journal.ledger.resume(ANA, run.job_id, retry=True)
    assert again is not None
    assert len(journal.ledger.claim(again, lambda _: 9)) == 3


def test_a_job_paused_or_stopped_after_its_last_call_is_done(journal: Journal) -> None:
    for state in ("paused", "stopped"):
        run = begin(journal)
        claimed = journal.ledger.claim(run, lambda _: 9)
        journal.ledger.ask(ANA, run.job_id, state)
        journal.ledger.write(run, {item.position: ItemStatus("done") for item in claimed})
        assert journal.ledger.end(run) is True
        job = journal.ledger.job(ANA, run.job_id)
        assert job is not None
        assert job.state == "done"


def test_failed_items_are_replaced_by_another_job_once(journal: Journal) -> None:
    run = begin(journal)
    journal.ledger.claim(run, lambda _: 9)
    journal.ledger.write(run, {0: ItemStatus("failed"), 1: ItemStatus("failed"), 2: ItemStatus("done")})
    journal.ledger.begin(ANA, "asset", "a.csv", build_items(2), instead_of={run.job_id: [0, 1]})
    with pytest.raises(LedgerChanged):
        journal.ledger.begin(ANA, "asset", "a.csv", build_items(1), instead_of={run.job_id: [1]})
    with pytest.raises(LedgerChanged):
        journal.ledger.begin(STRANGER, "asset", "a.csv", build_items(1), instead_of={run.job_id: [0]})
    assert len(journal.ledger.jobs(ANA, "asset")) == 2
    job = journal.ledger.job(ANA, run.job_id)
    assert job is not None
    assert (job.total, job.counts) == (1, {"done": 1, "replaced": 2})


def test_sent_items_of_a_record_are_found_by_name_and_by_service_id(journal: Journal) -> None:
    run = begin(journal, 4)
    assert journal.ledger_history.list_sent(ANA, ["asset"], labels=["N0"]) == []  # it waits
    journal.ledger.claim(run, lambda _: 3)
    statuses = {0: ItemStatus("done", "70"), 1: ItemStatus("failed", reasons={"": "No."}), 2: ItemStatus("unknown")}
    assert journal.ledger_history.list_sent(ANA, ["asset"], labels=["N0"]) == []  # it is under way
    journal.ledger.write(run, statuses)

    def list_sent(**sought: Any) -> list[tuple[str, str, str]]:
        sent = journal.ledger_history.list_sent(BEN, ["asset"], **sought)
        return [(each.by, each.item.label, each.item.status.state) for each in sent]

    assert list_sent(labels=["N0"]) == list_sent(labels=[], result_id="70") == [("ana", "N0", "done")]
    assert list_sent(labels=["N1", "N2"]) == [("ana", "N2", "unknown"), ("ana", "N1", "failed")]
    assert list_sent(labels=["N3"]) == list_sent(labels=[], result_id=run.owner) == []
    journal.ledger.claim(run, lambda _: 3)
    assert list_sent(labels=["N3"]) == []
    end_lease(journal, run)
    assert list_sent(labels=["N3"]) == [("ana", "N3", "unknown")]
    assert journal.ledger_history.list_sent(STRANGER, ["asset"], labels=["N0"]) == []
    assert journal.ledger_history.list_sent(ANA, ["mapping"], labels=["N0"]) == []


def test_only_one_of_several_simultaneous_imports_of_a_file_starts(journal: Journal) -> None:
    def begin_once(_: int) -> Run | None:
        try:
            return journal.ledger.begin(ANA, "asset", "a.csv", build_items(2), digest="abc", known_ids=[])
        except LedgerChanged:
            return None

    with ThreadPoolExecutor(8) as threads:
        [run] = [each for each in threads.map(begin_once, range(8)) if each is not None]
    assert [job.id for job in journal.ledger.jobs(ANA, "asset")] == [run.job_id]
    # A user who has seen the job may send the file again. Files without a hash or of others are different files.
    again = journal.ledger.begin(ANA, "asset", "a.csv", build_items(2), digest="abc", known_ids=[run.job_id])
    # The latest job is known.
    journal.ledger.begin(ANA, "asset", "a.csv", build_items(2), digest="abc", known_ids=[again.job_id])
    journal.ledger.begin(STRANGER, "asset", "a.csv", build_items(2), digest="abc", known_ids=[])
    for _ in range(2):
        journal.ledger.begin(ANA, "asset", "a table", build_items(2), known_ids=[])
