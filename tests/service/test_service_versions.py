"""Databases of every earlier version of the service are migrated to the declared one without losing data."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import Engine, text

from service.areas import modules_of_areas
from service.database import Database
from service.schema import metadata
from storage.engines import open_engine, writer
from storage.migrations import NewerDatabase
from tests.database_structure import declared_structure, earlier_versions, make_at, structure

HAND_MADE: Final = Path(__file__).parent / "hand_made"
STEPS: Final = Path(__file__).resolve().parents[2] / "service" / "migrations"
FIRST: Final = (
    *("facts", "organizations", "users", "organization_access", "contacts", "itineraries", "expected_locations"),
    "schema_version",
)
# Tables that may be missing at version 3, of areas that a command had not loaded.
LEFT_OUT: Final = {"withheld_features", "event_groups", "shape_regions", "shape_folders"}
LAST_MADE_BY_HAND: Final = 5


@pytest.fixture
def engine(empty_database: str) -> Iterator[Engine]:
    modules_of_areas("schema")
    engine = open_engine(empty_database, busy_seconds=15, connections=2)
    yield engine
    engine.dispose()


def make_by_hand(engine: Engine, version: int) -> None:
    """Make a database as the service did before it used Alembic, with a trip in it."""
    missing_tables = {*metadata.tables} - {*FIRST} if version == 1 else {"contact_keys"} if version < 5 else set()
    missing_tables |= LEFT_OUT if version == 3 else set()
    with writer(engine).begin() as connection:
        script = (HAND_MADE / f"service_version_5.{engine.dialect.name}.sql").read_text(encoding="utf-8")
        for statement in filter(str.strip, script.split(";\n")):
            connection.exec_driver_sql(statement)
        for table in reversed(metadata.sorted_tables):
            if table.name in missing_tables:
                connection.exec_driver_sql(f"DROP TABLE {table.name}")
            elif version == 2:
                for index in table.indexes:
                    if str(index.name).endswith("_in_order"):
                        connection.exec_driver_sql(f"DROP INDEX {index.name}")
        connection.exec_driver_sql(f"INSERT INTO schema_version VALUES ({version})")
        connection.exec_driver_sql("INSERT INTO organizations VALUES (8800, 'Test', 1)")
        connection.exec_driver_sql("INSERT INTO users VALUES (1, 'ana', 'hash', 'Ana Silva', 1)")
        connection.exec_driver_sql(
            "INSERT INTO itineraries VALUES (7, 8800, 'WSVM7K', NULL, '{\"a\": [1]}', 'A', false, 1, 1, 1, 1)"
        )


def test_the_migrations_create_the_declared_tables(empty_database: str, engine: Engine) -> None:
    Database(empty_database).close()
    with engine.connect() as connection:
        assert structure(connection, metadata) == declared_structure(connection, metadata)


@pytest.mark.parametrize("version", range(1, LAST_MADE_BY_HAND + 1))
def test_a_database_of_an_older_service_is_migrated_with_its_data(
    empty_database: str, engine: Engine, version: int
) -> None:
    make_by_hand(engine, version)
    with closing(Database(empty_database)) as database, database.transaction() as connection:
        assert [*connection.execute(text("SELECT id, pnr_key, status FROM itineraries"))] == [(7, "WSVM7K", "A")]
        assert connection.execute(text("SELECT username FROM users")).scalar_one() == "ana"
    with engine.connect() as connection:
        assert structure(connection, metadata) == declared_structure(connection, metadata)


@pytest.mark.parametrize("version", earlier_versions(STEPS))
def test_every_alembic_version_migrates_to_the_latest(
    empty_database: str, engine: Engine, version: str, tmp_path: Path
) -> None:
    (tmp_path / "steps").mkdir()
    make_at(empty_database, STEPS, version, name="service", folder=tmp_path / "steps")
    Database(empty_database).close()
    with engine.connect() as connection:
        assert structure(connection, metadata) == declared_structure(connection, metadata)


def test_a_file_of_an_older_service_is_copied_before_it_is_migrated(tmp_path: Path) -> None:
    path = tmp_path / "service.sqlite"
    older = open_engine(f"sqlite:///{path}", busy_seconds=15, connections=1)
    make_by_hand(older, 4)
    older.dispose()
    Database(f"sqlite:///{path}").close()
    with closing(sqlite3.connect(path.with_name("service.sqlite.before-v7"))) as copy:
        assert copy.execute("SELECT version FROM schema_version").fetchall() == [(4,)]
        assert copy.execute("SELECT pnr FROM itineraries").fetchall() == [("WSVM7K",)]


def test_a_service_from_before_alembic_sees_that_the_database_is_newer(empty_database: str, engine: Engine) -> None:
    """It reads its own version table."""
    Database(empty_database).close()
    with engine.connect() as connection:
        assert connection.execute(text("SELECT version FROM schema_version")).scalar_one() > LAST_MADE_BY_HAND


def test_a_database_of_a_newer_service_is_not_changed(empty_database: str) -> None:
    with closing(Database(empty_database)) as database, database.transaction() as connection:
        connection.execute(text("UPDATE service_version SET version_num = 'v99'"))
    with pytest.raises(NewerDatabase, match="version v99"):
        Database(empty_database)
