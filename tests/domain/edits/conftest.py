"""A workspace for every edit and removal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.runtime.workspace import Workspace
from tests.running_service import RunningService
from tests.workspace_at_service import workspace_at


@pytest.fixture
def workspace(service: RunningService, tmp_path: Path) -> Iterator[Workspace]:
    """A workspace at a service without faults."""
    with workspace_at(service, tmp_path) as workspace:
        yield workspace
