"""What a session asked to have done at its end is done, once, however the session ends."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from components.shell.server import Server
from components.shell.settings import Settings
from components.shell.workspace import Workspace


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server of a service that nothing is asked of."""
    server = Server(Settings(service_url="http://127.0.0.1:9", data_dir=tmp_path))
    yield server
    server.stop()


@pytest.fixture
def workspace(server: Server) -> Workspace:
    connection = server.connection(organization_id=8800, username="ana", password="a password")
    return server.workspace(server.client(connection))


def test_signing_out_does_what_was_asked_for_the_end_once(server: Server, workspace: Workspace):
    done: list[str] = []
    workspace.at_end("loads", lambda: done.append("loads"))
    token = server.sessions.open(workspace)

    server.sessions.end(token)
    server.sessions.end(token)

    assert done == ["loads"]


def test_asking_again_under_a_name_takes_the_place_of_what_was_asked(workspace: Workspace):
    done: list[str] = []
    workspace.at_end("loads", lambda: done.append("first"))
    workspace.at_end("loads", lambda: done.append("second"))

    workspace.end()

    assert done == ["second"]


def test_what_one_session_read_stays_while_another_of_the_same_connection_lives(server: Server, workspace: Workspace):
    done: list[str] = []
    workspace.at_end("loads", lambda: done.append("loads"))
    first, second = (
        server.sessions.open(each) for each in (workspace, server.workspace(server.client(workspace.connection)))
    )

    server.sessions.end(first)
    assert done == []
    server.sessions.end(second)
    assert done == ["loads"]


def test_another_persons_session_keeps_nothing_of_this_one(server: Server, workspace: Workspace):
    done: list[str] = []
    workspace.at_end("loads", lambda: done.append("loads"))
    other = server.connection(organization_id=8800, username="ana", password="another password")
    server.sessions.open(server.workspace(server.client(other)))

    server.sessions.end(server.sessions.open(workspace))

    assert done == ["loads"]


def test_what_is_asked_for_after_the_end_is_done_at_once(server: Server, workspace: Workspace):
    done: list[str] = []
    server.sessions.end(server.sessions.open(workspace))

    workspace.at_end("loads", lambda: done.append("loads"))

    assert done == ["loads"]
