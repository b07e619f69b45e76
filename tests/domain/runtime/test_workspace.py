"""The data and work of a session are removed with the last session of its connection."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from domain.runtime.server import Server
from domain.runtime.settings import Settings
from domain.runtime.workspace import Workspace


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server whose service receives no requests."""
    server = Server(Settings(service_url="http://127.0.0.1:9", data_dir=tmp_path))
    yield server
    server.stop()


def build_workspace(server: Server, password: str = "a password") -> Workspace:
    connection = server.connection(organization_id=8800, username="ana", password=password)
    return server.workspace(server.client(connection))


def read_names(server: Server, workspace: Workspace) -> None:
    assert server.reads.open(workspace, ("names",), lambda _: 1, max_age=timedelta(minutes=2)).wait(60)


def test_data_and_work_stay_while_another_session_of_the_connection_is_open(server: Server):
    mine, other = build_workspace(server), build_workspace(server)
    first, second = (server.sessions.open(each) for each in (mine, other))
    mine.unsaved_work.update(file="mine", form="mine")
    other.unsaved_work.update(form="theirs")
    read_names(server, mine)

    server.sessions.end(first)
    assert len(server.reads) == 1
    assert other.unsaved_work == {"file": "mine", "form": "theirs"}
    server.sessions.end(second)
    server.sessions.end(second)
    assert len(server.reads) == 0


def test_the_session_of_another_person_does_not_preserve_data(server: Server):
    mine = build_workspace(server)
    server.sessions.open(build_workspace(server, "another password"))
    read_names(server, mine)

    server.sessions.end(server.sessions.open(mine))

    assert len(server.reads) == 0


def test_data_read_after_the_end_of_a_session_is_not_stored(server: Server):
    mine = build_workspace(server)
    server.sessions.end(server.sessions.open(mine))

    read_names(server, mine)

    assert len(server.reads) == 0
