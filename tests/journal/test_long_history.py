"""What pages ask of the journal takes the same number of steps however long its history is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from journal import EntryFilters, Journal
from journal.audit import JOB
from journal.ledger_records import ItemStatus, NewItem
from journal.tables import audit_entries, ledger_items, ledger_jobs
from tests.journal.conftest import ANA
from tests.prepared_journal import new_journal

SCOPE = (ANA.service, ANA.organization_id)
LONG_AGO = datetime.now(UTC) - timedelta(days=400)
QUESTIONS: dict[str, Callable[[Journal], object]] = {
    "how many changes are unknown": lambda journal: journal.audit.count(*SCOPE, filters=EntryFilters(state="unknown")),
    "unknown changes of a kind": lambda journal: journal.audit.list(
        *SCOPE, filters=EntryFilters(subject_kind="contact_filter", state="unknown"), page_size=6
    ),
    "how many changes are under way": lambda journal: journal.audit.count(
        *SCOPE, filters=EntryFilters(state="started")
    ),
    "changes of trips since a load": lambda journal: journal.audit.list(
        *SCOPE,
        filters=EntryFilters(subject_kind="itinerary", state="succeeded", since=datetime.now(UTC) - timedelta(hours=1)),
        page_size=1_000,
        payloads_of=(),
    ),
    "alerts sent": lambda journal: journal.audit.list(
        *SCOPE,
        filters=EntryFilters(
            action="public_alert.send", subject_kind="public_alert", since=datetime.now(UTC) - timedelta(days=2)
        ),
    ),
    "attempts to send a draft": lambda journal: journal.audit.list(
        *SCOPE, filters=EntryFilters(action="trip.add", subject_kind="itinerary", draft="new"), page_size=200
    ),
    "the latest job of a kind": lambda journal: journal.ledger.jobs(ANA, "asset_add", at_most=1),
    "whether there is more to list": lambda journal: journal.ledger_history.count_done_writes(ANA, ["asset_add"]),
    "rows done since a load": lambda journal: journal.ledger_history.list_done(
        ANA, ["trip_add"], since=datetime.now(UTC) - timedelta(hours=1)
    ),
}


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with new_journal(tmp_path / "journal.sqlite") as journal:
        yield journal


def fill(journal: Journal, entry_count: int) -> None:
    """Add entries, jobs, and items that ended long ago, and a few of today."""
    states = ("succeeded", "failed", "unknown", "succeeded")
    entries = [
        {
            "at": LONG_AGO,
            "finished_at": LONG_AGO,
            "service": ANA.service,
            "organization_id": ANA.organization_id,
            "username": "ana",
            "action": ("trip.add", "contact_filter.update", f"asset_add{JOB}", "public_alert.send")[number % 4],
            "subject_kind": ("itinerary", "contact_filter", "asset_add", "public_alert")[number % 4],
            "subject_id": str(number),
            "subject_name": f"N{number}",
            "state": (state := states[number // 4 % 4]),
            "resolved_at": LONG_AGO if state == "unknown" else None,
            "search_text": "",
            "draft": f"draft {number}",
        }
        for number in range(entry_count)
    ]
    jobs = [
        {
            **{name: entries[0][name] for name in ("service", "organization_id")},
            "kind": kind,
            "name": "a.csv",
            "digest": "",
            "settings": "{}",
            "created_by": "ana",
            "state": "done",
            "created_at": LONG_AGO,
            "finished_at": LONG_AGO,
            "run_from": 0,
        }
        for kind in ("asset_add", "trip_add")
    ]
    items = [
        {
            "job_id": number % 2 + 1,
            "position": number,
            "lot": "",
            "label": f"N{number}",
            "payload": "{}",
            "rows": "[]",
            "state": "done",
            "result_id": str(number),
            "at": LONG_AGO,
        }
        for number in range(entry_count)
    ]
    with journal._database.writing() as connection:
        connection.execute(audit_entries.insert(), entries)
        connection.execute(ledger_jobs.insert(), jobs)
        connection.execute(ledger_items.insert(), items)
    begun = journal.audit.begin(
        ANA, "contact_filter.update", subject_kind="contact_filter", subject_name="open", request={"draft": "new"}
    )
    journal.audit.finish(begun, state="unknown")
    run = journal.ledger.begin(ANA, "asset_add", "b.csv", [NewItem({}, label="B")])
    journal.ledger.claim(run, lambda _: 1)
    journal.ledger.write(run, {0: ItemStatus("done", "b")})


def count_steps(journal: Journal, question: Callable[[Journal], object]) -> int:
    """Return how many instructions SQLite carries out for a question."""
    steps = 0

    def step() -> int:
        nonlocal steps
        steps += 1
        return 0

    def watch(connection: Any, _cursor: Any, *_: Any) -> None:
        connection.connection.driver_connection.set_progress_handler(step, 1)

    engine = journal._database._engine
    event.listen(engine, "before_cursor_execute", watch)
    try:
        question(journal)
    finally:
        event.remove(engine, "before_cursor_execute", watch)
    return steps


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_of_a_page_takes_as_many_steps_in_a_long_history(tmp_path: Path, question: str) -> None:
    steps = []
    for entry_count in (40, 4_000):
        with new_journal(tmp_path / f"{entry_count}.sqlite") as journal:
            fill(journal, entry_count)
            steps.append(count_steps(journal, QUESTIONS[question]))
    assert 0 < steps[1] <= 1.5 * steps[0]
