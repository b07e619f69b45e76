"""Database migrations: in one transaction, once, and with a copy of a SQLite file, losing nothing."""

from __future__ import annotations

import sqlite3
import stat
import threading
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Engine, inspect, text

from storage.dialects import advisory_lock
from storage.engines import open_engine, writer
from storage.migrations import NewerDatabase, upgrade
from tests.waiting_writers import wait_until_another_waits

PARENTS = """
    op.create_table("parents", sa.Column("id", sa.Integer, primary_key=True), sa.Column("name", sa.Text))
    op.create_table(
        "children",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("parent_id", sa.Integer, sa.ForeignKey("parents.id", ondelete="CASCADE"), nullable=False),
    )
    op.execute("INSERT INTO parents VALUES (1, 'Ana')")
    op.execute("INSERT INTO children VALUES (7, 1)")
"""
A_COLUMN = """
    op.add_column("parents", sa.Column("age", sa.Integer, server_default="40", nullable=False))
"""
A_NEW_TYPE = """
    with op.batch_alter_table("parents") as parents:
        parents.alter_column("name", type_=sa.String(20), nullable=False)
"""
AN_ORPHAN = """
    op.execute("INSERT INTO children VALUES (8, 99)")
"""
WriteSteps = Callable[..., Path]


@pytest.fixture
def write_steps(tmp_path: Path) -> WriteSteps:
    """A function that writes a folder with only these steps, starting at v1. Other content gets another file name."""
    folder = tmp_path / "100% steps"
    folder.mkdir()

    def write(*bodies: str) -> Path:
        for old_step in folder.glob("*.py"):
            old_step.unlink()
        for number, body in enumerate(bodies, 1):
            parent = f"v{number - 1}" if number > 1 else None
            head = (
                f"import sqlalchemy as sa\nfrom alembic import op\nrevision, down_revision = 'v{number}', {parent!r}\n"
            )
            (folder / f"v{number}_{zlib.crc32(body.encode())}.py").write_text(f"{head}def upgrade():{body}")
        return folder

    return write


@pytest.fixture
def engine(empty_database: str) -> Iterator[Engine]:
    engine = open_engine(empty_database, busy_seconds=15, connections=8)
    yield engine
    engine.dispose()


def query_rows(engine: Engine, statement: str) -> list[tuple[object, ...]]:
    with engine.connect() as connection:
        return [tuple(row) for row in connection.execute(text(statement))]


def list_tables(engine: Engine) -> set[str]:
    return {*inspect(engine).get_table_names()}


def list_backups(engine: Engine) -> list[Path]:
    if engine.dialect.name != "sqlite":
        return []
    return sorted(path for path in Path(str(engine.url.database)).parent.iterdir() if ".before-" in path.name)


def test_an_empty_database_gets_every_migration_and_no_copy(engine: Engine, write_steps: WriteSteps) -> None:
    upgrade(engine, write_steps(PARENTS, A_COLUMN), name="a")
    assert query_rows(engine, "SELECT * FROM parents") == [(1, "Ana", 40)]
    assert list_backups(engine) == []


def test_only_newer_migrations_are_applied(engine: Engine, write_steps: WriteSteps) -> None:
    upgrade(engine, write_steps(PARENTS), name="a")
    upgrade(engine, write_steps(PARENTS), name="a")
    upgrade(engine, write_steps(PARENTS, A_COLUMN), name="a")
    assert query_rows(engine, "SELECT * FROM parents") == [(1, "Ana", 40)]
    assert query_rows(engine, "SELECT version_num FROM a_version") == [("v2",)]


def test_a_rebuilt_table_keeps_the_rows_that_refer_to_it(engine: Engine, write_steps: WriteSteps) -> None:
    """SQLite alters a column by replacing the table, which would delete the child rows with the old one."""
    upgrade(engine, write_steps(PARENTS), name="a")
    upgrade(engine, write_steps(PARENTS, A_NEW_TYPE), name="a")
    assert query_rows(engine, "SELECT * FROM children") == [(7, 1)]
    with pytest.raises(Exception, match=r"(?i)foreign key"), writer(engine).begin() as connection:
        connection.execute(text("INSERT INTO children VALUES (9, 99)"))


@pytest.mark.parametrize("broken", ["\n    op.execute('nonsense')\n", AN_ORPHAN])
def test_a_failed_migration_leaves_the_database_unchanged(engine: Engine, write_steps: WriteSteps, broken: str) -> None:
    upgrade(engine, write_steps(PARENTS), name="a")
    with pytest.raises(Exception, match=r"nonsense|refers to nothing|foreign key"):
        upgrade(engine, write_steps(PARENTS, A_COLUMN, broken), name="a")
    assert query_rows(engine, "SELECT * FROM parents") == [(1, "Ana")]
    assert query_rows(engine, "SELECT version_num FROM a_version") == [("v1",)]
    upgrade(engine, write_steps(PARENTS, A_COLUMN, A_NEW_TYPE), name="a")
    assert query_rows(engine, "SELECT * FROM parents") == [(1, "Ana", 40)]


def upgrade_at_once(urls: list[str], folder: Path) -> None:
    """Migrate databases in a thread each."""
    start, errors = threading.Barrier(len(urls)), []

    def work(url: str) -> None:
        engine = open_engine(url, busy_seconds=15, connections=2)
        start.wait(60)
        try:
            upgrade(engine, folder, name="a")
        except Exception as error:  # noqa: BLE001
            errors.append(error)
        engine.dispose()

    threads = [threading.Thread(target=work, args=(url,)) for url in urls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert errors == []


def test_concurrent_processes_apply_each_migration_once(empty_database: str, write_steps: WriteSteps) -> None:
    upgrade_at_once([empty_database] * 4, write_steps(PARENTS, A_COLUMN))


def test_a_migration_in_another_process_is_waited_for(
    engine: Engine, empty_database: str, write_steps: WriteSteps
) -> None:
    folder = write_steps(PARENTS, A_COLUMN)
    with ThreadPoolExecutor(1) as threads:
        with writer(engine).begin() as connection:
            advisory_lock(connection, zlib.crc32(b"a_version"))
            waiting = threads.submit(upgrade_at_once, [empty_database], folder)
            wait_until_another_waits(connection)
        waiting.result(30)
    assert query_rows(engine, "SELECT * FROM parents") == [(1, "Ana", 40)]


def test_several_databases_are_migrated_at_once(tmp_path: Path, write_steps: WriteSteps) -> None:
    urls = [f"sqlite:///{tmp_path / f'{number}.sqlite'}" for number in range(4)]
    upgrade_at_once(urls, write_steps(PARENTS, A_COLUMN, *[A_NEW_TYPE] * 10))
    for url in urls:
        engine = open_engine(url, busy_seconds=15, connections=1)
        assert query_rows(engine, "SELECT * FROM parents") == [(1, "Ana", 40)]
        engine.dispose()


def test_a_database_of_a_newer_program_is_not_changed(engine: Engine, write_steps: WriteSteps) -> None:
    upgrade(engine, write_steps(PARENTS, A_COLUMN), name="a")
    with pytest.raises(NewerDatabase, match="version v2, but this program supports version v1"):
        upgrade(engine, write_steps(PARENTS), name="a")


def test_two_programs_can_share_a_database(engine: Engine, write_steps: WriteSteps, tmp_path: Path) -> None:
    upgrade(engine, write_steps(PARENTS), name="a")
    other = tmp_path / "others"
    (tmp_path / "100% steps").rename(other)
    (tmp_path / "100% steps").mkdir()
    upgrade(engine, write_steps("\n    op.create_table('more', sa.Column('id', sa.Integer))\n"), name="b")
    assert {"parents", "more", "a_version", "b_version"} <= list_tables(engine)


def test_a_file_with_data_is_copied_before_it_is_migrated(tmp_path: Path, write_steps: WriteSteps) -> None:
    """The copy includes the write-ahead log and is readable by the owner only."""
    path = tmp_path / "kept" / "desk.sqlite"
    engine = open_engine(f"sqlite:///{path}", busy_seconds=15, connections=2)
    upgrade(engine, write_steps(PARENTS), name="a")
    with writer(engine).begin() as connection:
        connection.execute(text("INSERT INTO parents VALUES (2, 'Ben')"))
    upgrade(engine, write_steps(PARENTS, A_COLUMN), name="a")
    engine.dispose()
    assert list_backups(engine) == [path.with_name("desk.sqlite.before-v2")]
    assert stat.S_IMODE(list_backups(engine)[0].stat().st_mode) == 0o600
    with closing(sqlite3.connect(list_backups(engine)[0])) as copy:
        assert copy.execute("SELECT * FROM parents").fetchall() == [(1, "Ana"), (2, "Ben")]
        assert copy.execute("SELECT version_num FROM a_version").fetchall() == [("v1",)]
