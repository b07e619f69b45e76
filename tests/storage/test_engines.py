"""Opening a database: its files, their permissions, and which databases are refused."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import OperationalError

from storage.engines import UnsupportedDatabase, open_engine, writer


@contextmanager
def open_engine_at(path: Path) -> Iterator[Engine]:
    engine = open_engine(f"sqlite:///{path}", busy_seconds=7, connections=2)
    yield engine
    engine.dispose()


def test_only_the_owner_can_read_the_file_and_its_log(tmp_path: Path) -> None:
    path = tmp_path / "new" / "desk.sqlite"
    old_mask = os.umask(0)
    try:
        with open_engine_at(path) as engine, writer(engine).begin() as connection:
            connection.execute(text("CREATE TABLE a (b)"))
            connection.commit()
            modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
    finally:
        os.umask(old_mask)
    assert "desk.sqlite-wal" in modes
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_second_engine_in_the_process_lets_no_other_program_delete_the_log(tmp_path: Path) -> None:
    path = tmp_path / "desk.sqlite"
    read = f"import sqlite3; sqlite3.connect({str(path)!r}).execute('SELECT * FROM a').fetchall()"
    with open_engine_at(path) as engine, writer(engine).connect() as connection:
        connection.execute(text("CREATE TABLE a (b)"))
        connection.commit()
        with open_engine_at(path):
            subprocess.run([sys.executable, "-c", read], check=True)
        assert path.with_name("desk.sqlite-wal").exists()


def test_permissions_of_a_file_that_others_can_read_are_restricted(tmp_path: Path) -> None:
    path = tmp_path / "desk.sqlite"
    path.touch(mode=0o644)
    with open_engine_at(path):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_sqlite_is_configured_for_crash_safety_and_concurrency(tmp_path: Path) -> None:
    with open_engine_at(tmp_path / "desk.sqlite") as engine, engine.connect() as connection:
        pragmas = {
            name: connection.execute(text(f"PRAGMA {name}")).scalar()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert pragmas == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 7_000}


def test_a_writer_locks_before_its_first_write_and_a_reader_does_not_wait(tmp_path: Path) -> None:
    with open_engine_at(tmp_path / "desk.sqlite") as engine, writer(engine).begin(), engine.connect() as reader:
        assert reader.execute(text("SELECT 1")).scalar() == 1
        reader.execute(text("PRAGMA busy_timeout = 0"))
        with pytest.raises(OperationalError, match="locked"):
            reader.execute(text("CREATE TABLE a (b)"))


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "mysql://localhost/x"])
def test_a_database_that_would_lose_data_is_refused_with_a_message(url: str) -> None:
    with pytest.raises(UnsupportedDatabase, match="It must be"):
        open_engine(url, busy_seconds=1, connections=1)
