"""Opening a journal: created files, permissions, and rejected databases."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, event
from sqlalchemy.exc import IntegrityError

from client.redaction import redact
from journal import Journal, JournalError, JournalUnavailable, RosterNameTaken
from journal.tables import rosters
from storage.engines import open_engine, writer
from tests.journal.conftest import ANA

PROJECT = Path(__file__).resolve().parents[2]


def test_a_journal_keeps_its_entries_when_it_is_reopened(empty_database: str) -> None:
    with Journal.open(empty_database, redact) as journal:
        entry_id = journal.audit.begin(ANA, "x", subject_kind="itinerary", request={"a": 1})
    with Journal.open(empty_database, redact) as reopened:
        assert reopened.audit.retrieve(entry_id).request == {"a": 1}


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "mysql://localhost/x"])
def test_a_database_that_would_lose_the_journal_is_rejected_with_a_message(url: str) -> None:
    with pytest.raises(JournalError, match="journal"):
        Journal.open(url, redact)


def test_an_entry_is_on_disk_before_the_call_and_survives_the_process(empty_database: str) -> None:
    script = (
        "import os, sys; from journal import Actor, Journal; journal = Journal.open(sys.argv[1], lambda value: value);"
        "journal.audit.begin(Actor(\"Muster's own service\", 8800, 'ana'), 'itinerary.create',"
        " subject_kind='itinerary', subject_name='KILLED'); os.kill(os.getpid(), 9)"
    )
    process = subprocess.run([sys.executable, "-c", script, empty_database], cwd=PROJECT, check=False, timeout=60)
    assert process.returncode == -9
    with Journal.open(empty_database, redact) as journal:
        [entry] = journal.audit.history(ANA.service, ANA.organization_id, subject_names=["KILLED"])
        assert entry.state == "started"


def test_a_locked_journal_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("journal.journal_database.BUSY_TIMEOUT_SECONDS", 0)
    path = tmp_path / "journal.sqlite"
    with Journal.open(f"sqlite:///{path}", redact) as journal, closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalUnavailable, match="was locked by another program"):
            journal.audit.begin(ANA, "x", subject_kind="itinerary")


def test_a_journal_with_rows_locked_by_another_program_is_reported(
    empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On PostgreSQL too, because one stuck transaction would block every screen."""
    monkeypatch.setattr("journal.journal_database.BUSY_TIMEOUT_SECONDS", 0)
    with Journal.open(empty_database, redact) as journal, ThreadPoolExecutor(1) as threads:
        roster = journal.rosters.create(ANA, "Staff", [])
        engine = writer(open_engine(empty_database, busy_seconds=15, connections=1))
        with engine.begin() as other:
            other.execute(rosters.update().values(name="Held"))
            renaming = threads.submit(journal.rosters.rename, roster.id, "Others")
            outcome = wait([renaming], 30)
        engine.dispose()
        assert outcome.done
        with pytest.raises(JournalUnavailable, match="was locked by another program"):
            renaming.result()


def test_a_full_disk_is_reported_without_personal_data(tmp_path: Path) -> None:
    with Journal.open(f"sqlite:///{tmp_path / 'journal.sqlite'}", redact) as journal:

        @event.listens_for(journal._database._engine, "begin")
        def leave_no_room(connection: Connection) -> None:
            connection.exec_driver_sql("PRAGMA max_page_count = 1")

        with pytest.raises(JournalUnavailable, match="no disk space left") as raised:
            journal.audit.begin(ANA, "x", subject_kind="itinerary", request={"name": "Jane Doe" * 10_000})
    assert "Jane" not in f"{raised.value} {raised.value.__cause__}"


def test_a_file_that_is_not_a_journal_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    path.write_bytes(b"something else, longer than the head of a database. " * 100)
    with pytest.raises(JournalUnavailable, match="of another format"):
        Journal.open(f"sqlite:///{path}", redact)
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalUnavailable, match="cannot be reached"):
        Journal.open(f"sqlite:///{tmp_path / 'file' / 'journal.sqlite'}", redact)


def test_an_unreachable_postgresql_server_is_reported() -> None:
    with pytest.raises(JournalUnavailable, match="cannot be reached") as raised:
        Journal.open("postgresql://muster:hunter2@127.0.0.1:1/journal?connect_timeout=2", redact)
    assert "hunter2" not in f"{raised.value} {raised.value.__cause__}"


def test_a_failed_statement_is_not_reported_as_a_database_failure(empty_database: str) -> None:
    with Journal.open(empty_database, redact) as journal:
        journal.rosters.create(ANA, "Oslo", [])
        with pytest.raises(RosterNameTaken):
            journal.rosters.create(ANA, "Oslo", [])
        with pytest.raises(IntegrityError), journal._database.writing() as connection:
            connection.execute(rosters.insert())


def test_only_one_process_at_a_time_may_have_an_embedded_service(empty_database: str) -> None:
    with Journal.open(empty_database, redact) as journal:
        assert journal.claim_embedded_service()
        with Journal.open(empty_database, redact) as other:
            assert not other.claim_embedded_service()
    with Journal.open(empty_database, redact) as later:
        assert later.claim_embedded_service()
