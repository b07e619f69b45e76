"""Own origins, trusted proxies, and the sessions, tabs, and files that a browser can access."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import HTTPConnection
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from components.shell.access_control import AccessControl, is_own_origin, message_type
from domain.runtime.server import Server, server, use_server
from domain.runtime.session_store import RETURN_SECONDS, Tabs, digest
from domain.runtime.settings import Settings


@pytest.fixture
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Settings]:
    settings = Settings(service_url="http://127.0.0.1:9", data_dir=tmp_path, **getattr(request, "param", {}))
    use_server(Server(settings))
    yield settings
    use_server(None)


def connection(origin: str | None, host: str, *, scheme: str = "http") -> HTTPConnection:
    headers = [(b"host", host.encode()), *([(b"origin", origin.encode())] if origin is not None else [])]
    return HTTPConnection({"type": "http", "scheme": scheme, "headers": headers, "path": "/"})


@pytest.mark.usefixtures("settings")
@pytest.mark.parametrize(
    ("origin", "host", "scheme"),
    [
        ("http://127.0.0.1:8501", "127.0.0.1:8501", "http"),
        ("http://[::1]:8501", "[::1]:8501", "ws"),
        ("https://muster.example.org", "muster.example.org", "https"),
        ("https://muster.example.org", "muster.example.org:443", "wss"),
        ("https://muster.example.org:8443", "muster.example.org:8443", "https"),
        ("https://muster.example.org:8443", "Muster.Example.org:8443", "wss"),
        # An untrusted proxy that ends TLS: the scheme of the browser is unknown.
        ("https://muster.example.org", "muster.example.org", "http"),
    ],
)
def test_a_page_of_the_requested_host_is_an_own_origin(origin: str, host: str, scheme: str):
    assert is_own_origin(connection(origin, host, scheme=scheme))


@pytest.mark.usefixtures("settings")
@pytest.mark.parametrize(
    ("origin", "host", "scheme"),
    [
        (None, "muster.example.org", "https"),
        ("null", "muster.example.org", "https"),
        ("", "", "http"),
        ("file://", "muster.example.org", "http"),
        ("https://muster.example.org:8443", "muster.example.org", "https"),  # $host in place of $http_host
        ("https://muster.example.org:9000", "muster.example.org:8443", "https"),
        ("http://muster.example.org", "muster.example.org", "https"),
        ("http://muster.example.org", "muster.example.org:443", "http"),
        ("https://evil.example.org", "muster.example.org", "https"),
        ("https://muster.example.org.evil.example", "muster.example.org", "https"),
        ("http://127.0.0.1:99999", "127.0.0.1:8501", "http"),
        ("http://localhost:8501", "127.0.0.1:8501", "http"),
    ],
)
def test_a_page_of_another_host_is_not_an_own_origin(origin: str | None, host: str, scheme: str):
    assert not is_own_origin(connection(origin, host, scheme=scheme))


@pytest.mark.usefixtures("settings")
@pytest.mark.parametrize("settings", [{"public_url": "https://muster.example.org:8443"}], indirect=True)
def test_with_a_public_address_only_its_pages_are_an_own_origin():
    assert is_own_origin(connection("https://muster.example.org:8443", "10.0.0.7"))
    assert not is_own_origin(connection("http://10.0.0.7", "10.0.0.7"))
    assert not is_own_origin(connection("http://muster.example.org:8443", "muster.example.org:8443"))


def find_client_address(peer: str, forwarded: str, *, trusted: str) -> str:
    """Return the client address that Muster sees behind a web server that trusts these proxies."""
    seen: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope["client"][0])

    headers = [(b"host", b"muster"), (b"x-forwarded-for", forwarded.encode())]
    scope = {"type": "http", "scheme": "http", "path": "/", "headers": headers, "client": (peer, 50000)}
    asyncio.run(ProxyHeadersMiddleware(AccessControl(app), trusted)(scope, None, None))  # type: ignore[arg-type]
    return str(seen[0])


@pytest.mark.usefixtures("settings")
def test_without_a_trusted_proxy_a_forwarded_address_is_ignored():
    # The proxies that the web server trusts by default.
    assert find_client_address("127.0.0.1", "10.9.0.1", trusted="127.0.0.1,::1") == "127.0.0.1"
    assert find_client_address("127.0.0.1", "10.9.0.2:4000", trusted="127.0.0.1,::1") == "127.0.0.1"


@pytest.mark.usefixtures("settings")
@pytest.mark.parametrize("settings", [{"FORWARDED_ALLOW_IPS": "127.0.0.1,10.1.0.0/16"}], indirect=True)
def test_a_trusted_proxy_gives_the_address_of_its_client():
    assert find_client_address("127.0.0.1", "1.2.3.4, 10.9.0.1", trusted="127.0.0.1,10.1.0.0/16") == "10.9.0.1"
    assert find_client_address("10.1.2.3", "10.9.0.1", trusted="127.0.0.1,10.1.0.0/16") == "10.9.0.1"
    assert find_client_address("10.2.0.1", "10.9.0.1", trusted="127.0.0.1,10.1.0.0/16") == "10.2.0.1"


@pytest.mark.parametrize("kind", [field.name for field in ForwardMsg.DESCRIPTOR.oneofs_by_name["type"].fields])
def test_the_type_of_a_message_is_read_without_parsing_it(kind: str):
    message = ForwardMsg(hash="a" * 40)
    message.metadata.delta_path.extend(range(300))
    if ForwardMsg.DESCRIPTOR.fields_by_name[kind].message_type is None:
        setattr(message, kind, "f00" if kind == "ref_hash" else 1)
    else:
        getattr(message, kind).SetInParent()
    serialized = message.SerializeToString()
    assert message_type(serialized) == message.WhichOneof("type") == kind


def test_an_unknown_message_has_no_type():
    assert message_type(b"") is message_type(ForwardMsg(hash="a").SerializeToString()) is None


@pytest.mark.usefixtures("settings")
def test_a_tab_that_reconnects_gets_no_messages_of_the_interrupted_run():
    """Some messages were lost, and the rest do not match the page in the browser."""
    delta, finished, status, begins = (ForwardMsg() for _ in range(4))
    delta.delta.new_element.text.body = "The rest of it"
    finished.script_finished = ForwardMsg.FINISHED_SUCCESSFULLY
    status.session_status_changed.script_is_running = True
    begins.new_session.initialize.session_id = "tab"
    received: list[ForwardMsg] = []

    async def framework(scope: Any, receive: Any, send: Any) -> None:
        for each in (delta, status, finished, begins, delta, finished):
            await send({"type": "websocket.send", "bytes": each.SerializeToString()})

    async def browser(message: Any) -> None:
        received.append(ForwardMsg.FromString(message["bytes"]))

    headers = [(b"host", b"127.0.0.1:8501"), (b"origin", b"http://127.0.0.1:8501")]
    scope = {"type": "websocket", "scheme": "ws", "path": "/_stcore/stream", "headers": headers, "client": None}
    asyncio.run(AccessControl(framework)(scope, None, browser))  # type: ignore[arg-type]
    assert received == [status, begins, delta, finished]


def test_an_abandoned_tab_is_removed_and_cannot_be_joined():
    now = [0.0]
    tabs = Tabs(clock=lambda: now[0])
    tabs.set_session("tab", "token")
    tabs.note_files("tab", ["file"])
    tabs.leave("tab")
    assert tabs.may_join("tab", {digest("token")})
    now[0] = RETURN_SECONDS
    assert tabs.take_abandoned(lambda _: False, lambda _: True) == ["tab"]
    tabs.leave("tab")  # an old connection of the tab
    assert not tabs.may_join("tab", set())
    assert not tabs.may_join("tab", {digest("token")})
    assert not tabs.may_read("file", {digest("token")})


def test_files_of_a_tab_are_not_readable_in_the_next_session():
    tabs = Tabs()
    tabs.set_session("tab", "first")
    tabs.note_files("tab", ["file"])
    assert tabs.may_read("file", {digest("first")})
    tabs.set_session("tab", None)
    tabs.set_session("tab", "second")
    assert not tabs.may_read("file", {digest("second")})
    assert not tabs.may_read("file", {digest("first")})


@pytest.mark.usefixtures("settings")
def test_one_websocket_too_many_without_a_session_closes_the_oldest(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("components.shell.access_control.MOST_SIGN_IN_TABS", 2)
    server().tabs.set_session("signed in", "token")
    events: dict[str, asyncio.Queue[Any]] = {}
    started = ForwardMsg()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        started.new_session.initialize.session_id = scope["path"]
        await send({"type": "websocket.send", "bytes": started.SerializeToString()})
        while (await receive())["type"] != "websocket.disconnect":
            pass

    access = AccessControl(app)

    async def open_tab(name: str) -> asyncio.Task[None]:
        events[name] = asyncio.Queue()

        async def send(message: Any) -> None:
            if message["type"] == "websocket.close":  # The web server also tells the app.
                events[name].put_nowait({"type": "websocket.disconnect", "code": message["code"]})

        headers = [(b"host", b"muster"), (b"origin", b"http://muster")]
        scope = {"type": "websocket", "scheme": "ws", "path": name, "headers": headers}
        task = asyncio.create_task(access(scope, events[name].get, send))
        for _ in range(5):
            await asyncio.sleep(0)
        return task

    async def run() -> list[bool]:
        tasks = [await open_tab(name) for name in ("signed in", "oldest", "second")]
        assert not any(task.done() for task in tasks)
        tasks.append(await open_tab("newest"))
        ended = [task.done() for task in tasks]
        for queue in events.values():
            queue.put_nowait({"type": "websocket.disconnect"})
        await asyncio.gather(*tasks)
        return ended

    assert asyncio.run(run()) == [False, True, False, False]
