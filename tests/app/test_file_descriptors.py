"""Signed-out users leave no file descriptors open on the running server."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import psutil
import pytest

from tests.app.tab import Tab
from tests.running_muster import Muster, start_muster

DEMO = (8800001, "demo", "demo")
PEOPLE = 2
DESCRIPTORS_OF_A_PERSON = 4
"""The least number that a signed-in person holds: the browser's connections and those to the service."""
PATIENCE_SECONDS = 60


@pytest.fixture(scope="module")
def muster(tmp_path_factory: pytest.TempPathFactory, demo_service: Any) -> Iterator[Muster]:
    running = start_muster(tmp_path_factory.mktemp("muster"), MUSTER_SERVICE_URL=demo_service.url)
    yield running
    running.stop()


def test_file_descriptors_are_closed_within_a_minute_of_sign_out(muster: Muster) -> None:
    process, pause = psutil.Process(muster.process.pid), threading.Event()
    tabs = [Tab(muster.url) for _ in range(PEOPLE)]
    for tab in tabs:
        tab.sign_in(*DEMO)
        tab.run("contact-filters")
    afterwards = process.num_fds() - PEOPLE * DESCRIPTORS_OF_A_PERSON
    for tab in tabs:
        tab.run("connection").run("connection", **{"Sign out": True})
        tab.__exit__(None, None, None)
    for _ in range(PATIENCE_SECONDS * 10):
        if process.num_fds() <= afterwards:
            break
        pause.wait(0.1)
    assert process.num_fds() <= afterwards
