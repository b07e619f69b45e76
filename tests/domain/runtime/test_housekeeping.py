"""Unused resources are released: connections to the service, and data of closed tabs in the framework."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from client import fan_out
from domain.runtime.server import Server, close_abandoned, keep_house
from domain.runtime.session_store import RETURN_SECONDS, SessionStore, Tabs, digest
from domain.runtime.settings import Settings
from journal import Actor
from tests.running_service import PASSWORD, USERNAME, RunningService

WIDTH = 8
SESSIONS = 5


class Clock:
    """A clock that a test moves on."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def is_alive(_: bytes) -> bool:
    """Report every session as alive."""
    return True


class FakeRuntime:
    """The parts of the web framework that Muster uses: connected and closed sessions."""

    def __init__(self, *connected: str) -> None:
        self.connected = set(connected)
        self.closed: list[str] = []

    def is_active_session(self, session_id: str) -> bool:
        return session_id in self.connected

    def close_session(self, session_id: str) -> None:
        self.closed.append(session_id)


@pytest.fixture
def server(service: RunningService, tmp_path: Path) -> Iterator[Server]:
    server = Server(Settings(service_url=service.url, data_dir=tmp_path, session_idle_minutes=30, fan_out=WIDTH))
    yield server
    server.stop()


@pytest.fixture
def connection_clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Seconds that have passed for the connections to the service."""
    passed = Clock()
    moved = SimpleNamespace(monotonic=lambda: time.monotonic() + passed.now)
    monkeypatch.setattr("httpcore._sync.http11.time", moved)
    return passed


def count_connections(service: RunningService) -> int:
    port = int(service.url.rpartition(":")[2])
    return sum(bool(each.raddr) and each.raddr.port == port for each in psutil.Process().net_connections())


def open_session(server: Server, service: RunningService) -> str:
    """Sign in a user who makes the maximum number of simultaneous reads, and return the token."""
    client = server.client(
        server.connection(organization_id=service.organization_id, username=USERNAME, password=PASSWORD)
    )
    for outcome in fan_out(lambda _: client.check_access(), range(WIDTH * 3), width=WIDTH):
        outcome.result()
    return server.sessions.open(server.workspace(client))


def test_after_sign_out_no_connection_to_the_service_stays_open(
    server: Server, service: RunningService, connection_clock: Clock
) -> None:
    before = count_connections(service)
    tokens = [open_session(server, service) for _ in range(SESSIONS)]
    assert count_connections(service) >= before + SESSIONS
    for token in tokens:
        server.sessions.end(token)
    connection_clock.now = 5.0
    server.tidy()
    assert count_connections(service) == before


def test_an_idle_session_closes_its_connections_and_still_works(
    server: Server, service: RunningService, connection_clock: Clock
) -> None:
    before = count_connections(service)
    token = open_session(server, service)
    connection_clock.now = 5.0
    server.tidy()
    assert count_connections(service) == before
    workspace = server.sessions.peek(token)
    assert workspace is not None
    workspace.client.check_access()


def test_recently_used_connections_stay_open(server: Server, service: RunningService) -> None:
    before = count_connections(service)
    open_session(server, service)
    opened = count_connections(service)
    server.tidy()
    assert count_connections(service) == opened > before


def test_work_after_the_end_of_its_session_still_has_a_connection(
    server: Server, service: RunningService, connection_clock: Clock
) -> None:
    token = open_session(server, service)
    workspace = server.sessions.peek(token)
    assert workspace is not None
    server.sessions.end(token)
    connection_clock.now = 5.0
    server.tidy()
    workspace.client.check_access()


def test_an_idle_session_ends_automatically(service: RunningService, tmp_path: Path) -> None:
    server = Server(Settings(service_url=service.url, data_dir=tmp_path, session_idle_minutes=30))
    clock = server.sessions._clock = Clock()
    token = open_session(server, service)
    workspace = server.sessions.peek(token)
    assert workspace is not None
    server.reads.open(workspace, ("names",), lambda _: 1, max_age=timedelta(minutes=2))
    clock.now = 30 * 60 + 1
    server.tidy()
    assert len(server.reads) == 0
    server.stop()


def test_an_abandoned_tab_is_closed_after_the_time_to_return() -> None:
    clock, runtime = Clock(), FakeRuntime()
    tabs = Tabs(clock=clock)
    tabs.set_session("left", "a token")
    tabs.set_session("open", "a token")
    tabs.leave("left")
    close_abandoned(tabs, is_alive, runtime)
    assert runtime.closed == []
    clock.now = RETURN_SECONDS
    close_abandoned(tabs, is_alive, runtime)
    assert runtime.closed == ["left"]
    assert not tabs.may_join("left", {digest("a token")})
    assert tabs.may_join("open", {digest("a token")})


def test_a_tab_of_a_signed_out_user_is_closed_as_soon_as_it_is_abandoned() -> None:
    runtime = FakeRuntime()
    tabs = Tabs(clock=Clock())
    tabs.set_session("tab", "a token")
    tabs.set_session("tab", None)
    close_abandoned(tabs, is_alive, runtime)
    assert runtime.closed == []
    tabs.leave("tab")
    close_abandoned(tabs, is_alive, runtime)
    assert runtime.closed == ["tab"]


def test_an_open_tab_shows_the_sign_in_automatically_when_its_session_ends(
    server: Server, service: RunningService, monkeypatch: pytest.MonkeyPatch
) -> None:
    class RuntimeWithTab(FakeRuntime):
        """A runtime with one tab."""

        def __init__(self) -> None:
            super().__init__("tab")
            self.redraws: list[object] = []
            session = SimpleNamespace(_client_state="as it was", request_rerun=self.redraws.append)
            self._session_mgr = SimpleNamespace(get_active_session_info=lambda _: SimpleNamespace(session=session))

    runtime, token = RuntimeWithTab(), open_session(server, service)
    server.tabs.set_session("tab", token)

    def keep_house_once() -> list[object]:
        pauses = iter([None])

        async def pause(_: float) -> None:
            if next(pauses, "over") == "over":
                raise EOFError

        monkeypatch.setattr("domain.runtime.server.asyncio.sleep", pause)
        with pytest.raises(EOFError):
            asyncio.run(keep_house(server, runtime))
        return runtime.redraws

    assert keep_house_once() == []
    server.sessions.end(token)
    assert keep_house_once() == ["as it was"]
    server.tabs.set_session("tab", None)
    assert keep_house_once() == ["as it was"]


def test_an_abandoned_tab_is_closed_when_its_session_ends() -> None:
    runtime, sessions = FakeRuntime(), SessionStore[str](idle=timedelta(minutes=30), longest=timedelta(hours=12))
    token, tabs = sessions.open("ana"), Tabs(clock=Clock())
    tabs.set_session("tab", token)
    tabs.leave("tab")
    close_abandoned(tabs, sessions.lives, runtime)
    assert runtime.closed == []
    sessions.end(token)
    close_abandoned(tabs, sessions.lives, runtime)
    assert runtime.closed == ["tab"]


@pytest.mark.parametrize("has_joined", [True, False])
def test_a_tab_that_reconnects_stays_open(has_joined: bool) -> None:
    clock, runtime = Clock(), FakeRuntime("tab")
    tabs = Tabs(clock=clock)
    tabs.set_session("tab", "a token")
    tabs.leave("tab")
    if has_joined:
        tabs.join("tab")
        runtime.connected.clear()
    clock.now = RETURN_SECONDS + 1
    close_abandoned(tabs, is_alive, runtime)
    assert runtime.closed == []
    assert tabs.may_join("tab", {digest("a token")})


def test_the_housekeeping_removes_old_data_of_the_journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    server = Server(Settings(service_url="http://127.0.0.1:9", data_dir=tmp_path, retention_days=30))
    actor = Actor("http://127.0.0.1:9", 8800, "ana")
    long_ago = datetime.now(UTC) - timedelta(days=31)
    with server.journal as journal, monkeypatch.context() as patch:
        patch.setattr("journal.drafts.utc_now", lambda: long_ago)
        journal.drafts.save(actor, "trip", "old", {})
        server.clean_up()
        assert journal.drafts.list(actor, "trip") == []
