"""Journals of every earlier version are migrated to the current version without loss."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import Engine, text

from client.redaction import redact
from journal import Actor, EntryFilters, Journal, JournalTooNew
from journal.tables import metadata
from storage.engines import open_engine, writer
from tests.database_structure import declared_structure, earlier_versions, make_at, structure
from tests.journal.conftest import ANA

HAND_MADE: Final = Path(__file__).parent / "hand_made"
STEPS: Final = Path(__file__).resolve().parents[2] / "journal" / "migrations"
# Tables that each version lacked, from the last hand-made version back to the first.
MISSING_TABLES: Final = {
    3: (),
    2: ("ledger_items", "ledger_jobs", "column_matches"),
    1: ("ledger_items", "ledger_jobs", "column_matches", "handovers", "wordings"),
}


def engine_of(url: str) -> Engine:
    return open_engine(url, busy_seconds=15, connections=2)


def make_by_hand(url: str, version: int) -> None:
    """Make a journal as Muster did before it used Alembic, with a draft and a roster in it."""
    engine = engine_of(url)
    with writer(engine).begin() as connection:
        script = (HAND_MADE / f"journal_version_3.{engine.dialect.name}.sql").read_text(encoding="utf-8")
        for statement in script.split(";\n"):
            if statement.strip():
                connection.exec_driver_sql(statement)
        for table in MISSING_TABLES[version]:
            connection.exec_driver_sql(f"DROP TABLE {table}")
        connection.exec_driver_sql(f"INSERT INTO journal_schema VALUES ({version})")
        connection.exec_driver_sql(
            "INSERT INTO drafts VALUES ('s', 8800, 'ana', 'trip', 'k', '{\"a\": 1}', '2026-11-20 10:00:00', NULL, NULL)"
        )
        connection.exec_driver_sql(
            "INSERT INTO rosters"
            " (service, organization_id, name, name_key, created_by, created_at, changed_at, entry_count)"
            " VALUES ('s', 8800, 'Oslo', 'oslo', 'ana', '2026-11-20 10:00:00', '2026-11-20 10:00:00', 1)"
        )
        connection.exec_driver_sql("INSERT INTO roster_entries VALUES (1, 'WSVM7K', 0, '[]', '[7]', NULL)")
        if "wordings" not in MISSING_TABLES[version]:
            for name, minute in (("Sirens", 2), ("sirens ", 1)):
                connection.exec_driver_sql(
                    "INSERT INTO wordings (service, organization_id, event, name, payload, saved_by, saved_at) VALUES"
                    f" ('s', 8800, 'Flood', '{name}', '{{\"sms\": {minute}}}', 'ana', '2026-11-20 10:0{minute}:00')"
                )
        if "column_matches" not in MISSING_TABLES[version]:
            connection.exec_driver_sql(
                "INSERT INTO column_matches VALUES ('s', 8800, 'asset', 'Agency A',"
                ' \'{"name": ["Titel"], "@": {"country": "PT"}}\', \'ana\', \'2026-11-20 10:00:00\')'
            )
    engine.dispose()


def test_the_migrations_produce_the_tables_declared_in_the_code(empty_database: str) -> None:
    Journal.open(empty_database, redact).close()
    engine = engine_of(empty_database)
    with engine.connect() as connection:
        made = structure(connection, metadata)
        assert made == declared_structure(connection, metadata)
    engine.dispose()


@pytest.mark.parametrize("version", MISSING_TABLES)
def test_a_journal_of_an_older_version_is_migrated_without_loss(empty_database: str, version: int) -> None:
    make_by_hand(empty_database, version)
    with Journal.open(empty_database, redact) as journal:
        assert [draft.payload for draft in journal.drafts.list(Actor("s", 8800, "ana"), "trip")] == [{"a": 1}]
        (roster,) = journal.rosters.list("s", 8800)
        assert [entry.itinerary_ids for entry in journal.rosters.entries(roster.id)] == [[7]]
        assert journal.approval_requests.create(ANA, "alert", "a", {}).state == "waiting"
        ana = Actor("s", 8800, "ana")
        versions = journal.versioned_records.versions(ana, "wording/Flood", "Sirens")
        expected = (
            [] if "wordings" in MISSING_TABLES[version] else [("Sirens", 2, {"sms": 2}), ("sirens", 1, {"sms": 1})]
        )
        assert [(each.name, each.version, each.payload) for each in versions] == expected
        matches = [] if "column_matches" in MISSING_TABLES[version] else [{"name": ["Titel"]}]
        assert [each.payload["columns"] for each in journal.versioned_records.list(ana, "columns/asset")] == matches
        assert journal.ledger.begin(ANA, "asset", "a.csv", []).job_id == 1
    engine = engine_of(empty_database)
    with engine.connect() as connection:
        upgraded = structure(connection, metadata)
        assert upgraded == declared_structure(connection, metadata)
    engine.dispose()


@pytest.mark.parametrize("version", earlier_versions(STEPS))
def test_every_alembic_version_can_be_migrated_to_the_latest(empty_database: str, version: str, tmp_path: Path) -> None:
    (tmp_path / "steps").mkdir()
    make_at(empty_database, STEPS, version, name="journal", folder=tmp_path / "steps")
    Journal.open(empty_database, redact).close()
    engine = engine_of(empty_database)
    with engine.connect() as connection:
        assert structure(connection, metadata) == declared_structure(connection, metadata)
    engine.dispose()


def test_names_stored_by_version_9_are_migrated(empty_database: str, tmp_path: Path) -> None:
    (tmp_path / "steps").mkdir()
    make_at(empty_database, STEPS, "v9", name="journal", folder=tmp_path / "steps")
    engine = engine_of(empty_database)
    values = {"service": ANA.service, "organization": ANA.organization_id, "at": "2026-11-20 10:00:00"}
    trip, alert = {"travellers": [{"first_name": '"travellers": '}]}, {"lost": ["a"], "ready": ["Gas leak", 1]}
    match = {"reading": {}, "columns": {"travellerName.2": ["travellerName"]}}
    insert_draft = "INSERT INTO drafts VALUES (:service, :organization, 'ana', :kind, 'a', :payload, :at, NULL, NULL)"
    insert_match = (
        "INSERT INTO kept_by_name VALUES (:service, :organization, 'columns/trip', 'a', 1, 'A', :payload, 'ana', :at)"
    )
    with writer(engine).begin() as connection:
        for kind, draft in (("trip", trip), ("public_alert", alert)):
            connection.execute(text(insert_draft), values | {"kind": kind, "payload": json.dumps(draft)})
        connection.execute(text(insert_match), values | {"payload": json.dumps(match)})
    engine.dispose()
    with Journal.open(empty_database, redact) as journal:
        assert journal.drafts.list(ANA, "trip")[0].payload == {"travelers": [{"first_name": '"travellers": '}]}
        assert journal.drafts.list(ANA, "public_alert")[0].payload == {
            "not_imported": ["a"],
            "template": ["Gas leak", 1],
        }
        (version,) = journal.versioned_records.list(ANA, "columns/trip")
        assert version.payload["columns"] == {"travelerName.2": ["travellerName"]}


def test_a_muster_version_without_alembic_detects_a_newer_journal(empty_database: str) -> None:
    """It reads its own version table, with versions up to 3."""
    Journal.open(empty_database, redact).close()
    engine = engine_of(empty_database)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT version FROM journal_schema")).scalar_one() > max(MISSING_TABLES)
    engine.dispose()


def test_a_journal_of_a_newer_version_is_unchanged(empty_database: str) -> None:
    with Journal.open(empty_database, redact) as journal, journal._database.writing() as connection:
        connection.execute(text("UPDATE journal_version SET version_num = 'v99'"))
    with pytest.raises(JournalTooNew, match="newer version of Muster"):
        Journal.open(empty_database, redact)


def test_entries_of_version_10_are_resolved_and_found_by_their_draft(empty_database: str, tmp_path: Path) -> None:
    (tmp_path / "steps").mkdir()
    make_at(empty_database, STEPS, "v10", name="journal", folder=tmp_path / "steps")
    engine = engine_of(empty_database)
    columns = "at, service, organization_id, username, action, subject_kind, subject_name, state, request, search_text"
    values = ":at, :s, :o, 'ana', 'a', 'itinerary', :name, :state, :request, ''"
    rows = (("AAA111", "unknown", '{"draft": "d1"}'), ("AAA111", "succeeded", None), ("BBB222", "unknown", "[1]"))
    with engine.begin() as connection:
        for name, state, request in rows:
            row = {"at": "2026-11-20 10:00:00", "s": ANA.service, "o": ANA.organization_id, "name": name}
            connection.execute(
                text(f"INSERT INTO audit_entries ({columns}) VALUES ({values})"),
                {**row, "state": state, "request": request},
            )
    engine.dispose()
    scope = (ANA.service, ANA.organization_id)
    with Journal.open(empty_database, redact) as journal:
        unknown = journal.audit.list(*scope, filters=EntryFilters(state="unknown"))
        assert [each.subject_name for each in unknown] == ["BBB222"]
        sent = journal.audit.list(*scope, filters=EntryFilters(draft="d1"))
        assert [(each.subject_name, each.is_resolved) for each in sent] == [("AAA111", True)]
