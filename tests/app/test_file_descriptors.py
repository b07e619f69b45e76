"""Signed-out users leave no connections open on the running server, each of which is a file descriptor."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import psutil
import pytest

from tests.app.tab import Tab
from tests.running_muster import Muster, start_muster

DEMO = (8800001, "demo", "demo")
PEOPLE = 2
PATIENCE_SECONDS = 60


@pytest.fixture(scope="module")
def muster(tmp_path_factory: pytest.TempPathFactory, demo_service: Any) -> Iterator[Muster]:
    running = start_muster(tmp_path_factory.mktemp("muster"), MUSTER_SERVICE_URL=demo_service.url)
    yield running
    running.stop()


def test_connections_are_closed_within_a_minute_of_sign_out(muster: Muster, demo_service: Any) -> None:
    process, pause = psutil.Process(muster.process.pid), threading.Event()

    def open_connections() -> list[Any]:
        """Those to browsers and to the service, also if the other side has closed them."""
        return [each for each in process.net_connections("tcp") if each.status != psutil.CONN_LISTEN]

    tabs = [Tab(muster.url) for _ in range(PEOPLE)]
    for tab in tabs:
        tab.sign_in(*DEMO)
        tab.run("contact-filters")
    assert urlsplit(demo_service.url).port in [each.raddr.port for each in open_connections()]
    for tab in tabs:
        tab.run("connection").run("connection", **{"Sign out": True})
        tab.__exit__(None, None, None)
    for _ in range(PATIENCE_SECONDS * 10):
        if not (left_open := open_connections()):
            break
        pause.wait(0.1)
    assert left_open == []
