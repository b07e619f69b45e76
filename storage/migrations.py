"""Migrate a database to the version of this program with Alembic, in one transaction."""

from __future__ import annotations

import sqlite3
import threading
import zlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path
from typing import Final

from alembic.config import Config
from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, inspect

from storage.dialects import advisory_lock
from storage.engines import make_private, writer

# Alembic has one current migration per process.
_ALEMBIC: Final = threading.Lock()


class NewerDatabase(Exception):
    """The database has a version that this program does not know. `found` is its version, and `known` the program's."""

    def __init__(self, found: str, known: str) -> None:
        super().__init__(f"The database has version {found}, but this program supports version {known}.")
        self.found = found
        self.known = known


def upgrade(engine: Engine, steps: Path, *, name: str) -> None:
    """Upgrade a database to the last of the migrations in a folder. Several processes may do so at once.

    A SQLite file with content is copied first, to `FILE.before-VERSION` next to it. A migration that fails leaves the
    database unchanged. `name` distinguishes databases on a shared server. Raises NewerDatabase.
    """
    script = _read(steps, tuple(sorted(steps.glob("*.py"))))
    last = script.get_current_head() or ""
    version_table = f"{name}_version"
    with engine.connect() as connection:
        if _version(connection, version_table) == last:
            return
    with _ALEMBIC, _altering(engine) as connection:
        advisory_lock(connection, zlib.crc32(version_table.encode()))
        found = _version(connection, version_table)
        if found == last:
            return
        if found is not None and found not in {step.revision for step in script.walk_revisions()}:
            raise NewerDatabase(found, last)
        if engine.url.database and engine.dialect.name == "sqlite" and inspect(connection).get_table_names():
            _back_up(Path(engine.url.database), last)
        opts = {"version_table": version_table, "fn": lambda version, _: script._upgrade_revs("head", version)}
        # Like `alembic upgrade head`, which would read the migrations again for each database.
        migration = MigrationContext.configure(connection, opts=opts)
        with migration.begin_transaction(), Operations.context(migration):
            migration.run_migrations()


@cache
def _read(steps: Path, _files: tuple[Path, ...]) -> ScriptDirectory:
    # Once per process: reading the migrations runs each of them and describes every table again.
    config = Config()
    config.set_main_option("script_location", _escaped(Path(__file__).parent))
    config.set_main_option("version_locations", _escaped(steps))
    config.set_main_option("path_separator", "newline")
    return ScriptDirectory.from_config(config)


def _escaped(path: Path) -> str:
    return str(path).replace("%", "%%")


def _version(connection: Connection, version_table: str) -> str | None:
    heads = MigrationContext.configure(connection, opts={"version_table": version_table}).get_current_heads()
    return heads[0] if heads else None


@contextmanager
def _altering(engine: Engine) -> Iterator[Connection]:
    """Open a transaction that may alter tables.

    SQLite alters a table by creating it anew. With foreign keys enabled, dropping the old one would delete the rows
    that refer to it, so they are checked at the end.
    """
    with writer(engine).connect() as connection:
        driver = connection.connection.driver_connection if engine.dialect.name == "sqlite" else None
        if driver is None:
            with connection.begin():
                # Another process may take long to migrate.
                connection.exec_driver_sql("SET LOCAL lock_timeout = 0")
                yield connection
            return
        driver.execute("PRAGMA foreign_keys = OFF")
        try:
            with connection.begin():
                yield connection
                if broken := connection.exec_driver_sql("PRAGMA foreign_key_check").first():
                    raise sqlite3.IntegrityError(f"a row of {broken[0]} refers to nothing in {broken[2]}")
        finally:
            driver.execute("PRAGMA foreign_keys = ON")


def _back_up(path: Path, version: str) -> None:
    """Copy the committed content. The transaction that will alter the file holds the lock and has written nothing."""
    copy, unfinished = (path.with_name(f"{path.name}.before-{version}{end}") for end in ("", ".unfinished"))
    unfinished.unlink(missing_ok=True)
    make_private(unfinished)
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(unfinished)) as target:
        source.backup(target)
    unfinished.replace(copy)
