"""The routes for sessions and readiness next to those of Streamlit."""

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import httpx
import pytest
from starlette.applications import Starlette

from components.shell.session_routes import routes
from domain.runtime import readiness
from domain.runtime.server import Server, use_server
from domain.runtime.session_store import COOKIE
from domain.runtime.settings import Settings

HEADERS = {"user-agent": "browser", "origin": "http://muster"}
HTTPS_HEADERS = {**HEADERS, "origin": "https://muster"}


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server whose service responds."""
    monkeypatch.setattr(readiness, "reachability_problem", lambda _: "")
    server = Server(Settings(service_url="http://127.0.0.1:9", data_dir=tmp_path))
    use_server(server)
    yield server
    server.stop()
    use_server(None)


def call(method: str, path: str, *, base: str = "", url: str = "http://muster", **options: object) -> httpx.Response:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(Starlette(routes=routes(base)))
        async with httpx.AsyncClient(transport=transport, base_url=url) as client:
            return await client.request(method, path, **options)

    return asyncio.run(ask())


def issue_ticket(server: Server, bound_to: str = "browser") -> tuple[str, str]:
    token = server.sessions.open(Mock())
    return token, server.sessions.issue_ticket(token, bound_to=bound_to)


@pytest.fixture
def open_session(server: Server) -> tuple[str, str]:
    return issue_ticket(server)


def test_a_ticket_becomes_a_cookie_that_scripts_and_other_sites_cannot_use(open_session: tuple[str, str]):
    token, ticket = open_session
    answer = call("POST", "/session", json={"ticket": ticket}, headers=HEADERS)
    assert answer.status_code == 204
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"{COOKIE}={token};")
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert "Path=/" in cookie
    assert "Secure" not in cookie
    assert "Max-Age" not in cookie
    assert "expires" not in cookie.lower()
    assert answer.headers["cache-control"] == "no-store"


def test_over_https_the_cookie_is_for_https_only(open_session: tuple[str, str]):
    _, ticket = open_session
    answer = call("POST", "/session", json={"ticket": ticket}, headers=HTTPS_HEADERS, url="https://muster")
    assert "Secure" in answer.headers["set-cookie"]


def test_behind_a_proxy_that_ends_https_the_cookie_is_for_https_only(open_session: tuple[str, str]):
    _, ticket = open_session
    answer = call("POST", "/session", json={"ticket": ticket}, headers=HTTPS_HEADERS)
    assert "Secure" in answer.headers["set-cookie"]


def test_under_a_base_path_the_cookie_is_for_that_path(open_session: tuple[str, str]):
    _, ticket = open_session
    answer = call("POST", "/muster/session", base="/muster", json={"ticket": ticket}, headers=HEADERS)
    assert "Path=/muster/" in answer.headers["set-cookie"]


@pytest.mark.parametrize(
    "headers",
    [
        {"user-agent": "another", "origin": "http://muster"},
        {"user-agent": "browser", "origin": "http://elsewhere"},
        {"user-agent": "browser", "origin": "http://muster:8502"},
        {"user-agent": "browser", "origin": "null"},
        {"user-agent": "browser"},
    ],
)
def test_a_ticket_from_another_browser_or_site_is_rejected_and_no_longer_pending(
    server: Server, open_session: tuple[str, str], headers: dict[str, str]
):
    answer = call("POST", "/session", json={"ticket": open_session[1]}, headers=headers)
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers
    assert not server.sessions.is_pending(open_session[1])


@pytest.mark.parametrize("body", [b"", b"[]", b"{}", b'{"ticket": 5}', b'{"ticket": "x"}', b"\xff", b"{" * 2000])
def test_an_invalid_ticket_is_rejected(server: Server, body: bytes):
    assert call("POST", "/session", content=body, headers=HEADERS).status_code == 403


def test_the_cookie_of_an_ended_session_is_deleted(server: Server):
    answer = call("POST", "/session/end", json={}, headers={**HEADERS, "cookie": f"{COOKIE}=ended"})
    assert answer.status_code == 204
    assert f'{COOKIE}="";' in answer.headers["set-cookie"]
    assert "Max-Age=0" in answer.headers["set-cookie"]


def test_the_cookie_of_a_running_session_stays(open_session: tuple[str, str]):
    answer = call("POST", "/session/end", json={}, headers={**HEADERS, "cookie": f"{COOKIE}={open_session[0]}"})
    assert "set-cookie" not in answer.headers


@pytest.fixture
def redrawn_tabs(server: Server, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the list of redrawn tabs. A tab named "tab" shows the sign-in."""
    tabs: list[str] = []
    monkeypatch.setattr("components.shell.session_routes.get_instance", Mock)
    monkeypatch.setattr("components.shell.session_routes.redraw_tab", lambda _, tab_id: tabs.append(tab_id))
    server.tabs.set_session("tab", None)
    return tabs


def test_a_tab_at_the_sign_in_joins_the_session_of_another_tab_of_its_browser(
    server: Server, open_session: tuple[str, str], redrawn_tabs: list[str]
):
    headers = {**HEADERS, "cookie": f"{COOKIE}={open_session[0]}"}
    assert call("POST", "/session/tab", json={"tab": "tab"}, headers=headers).status_code == 204
    assert redrawn_tabs == ["tab"]
    assert server.tabs.take_token("tab") == open_session[0]
    assert server.tabs.take_token("tab") is None


@pytest.mark.parametrize("why", ["no cookie", "an ended session", "another site", "someone else's tab", "no such tab"])
def test_a_tab_can_join_only_the_session_of_its_browser(
    server: Server, open_session: tuple[str, str], redrawn_tabs: list[str], why: str
):
    headers = {**HEADERS, "cookie": f"{COOKIE}={open_session[0]}"}
    if why == "no cookie":
        del headers["cookie"]
    elif why == "an ended session":
        server.sessions.end(open_session[0])
    elif why == "another site":
        headers["origin"] = "http://elsewhere"
    elif why == "someone else's tab":
        server.tabs.set_session("tab", server.sessions.open(Mock()))
    answer = call("POST", "/session/tab", json={"tab": "tab" if why != "no such tab" else "x"}, headers=headers)
    assert (answer.status_code, redrawn_tabs, server.tabs.take_token("tab")) == (403, [], None)


def test_the_session_script_is_served_as_javascript(server: Server):
    answer = call("GET", "/session/script.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert "fetch(" in answer.text


def test_muster_is_ready_when_its_journal_is(server: Server):
    answer = call("GET", "/readyz")
    assert (answer.status_code, answer.json()) == (200, {"ready": True, "journal": "ready", "service": "ready"})


def test_muster_is_not_ready_without_the_service(tmp_path: Path):
    use_server(Server(Settings(service_url="http://127.0.0.1:9", data_dir=tmp_path)))
    answer = call("GET", "/readyz")
    use_server(None)
    assert (answer.status_code, answer.json()["service"]) == (503, "unreachable")


def test_muster_is_not_ready_with_a_journal_that_it_cannot_write(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    # Muster also creates a file with the name of the address, relative to the current folder.
    monkeypatch.chdir(tmp_path)
    server.journal.check()
    address = f"sqlite:///file:{tmp_path / 'journal.sqlite'}?mode=ro&uri=true"
    use_server(Server(Settings(service_url="http://127.0.0.1:9", data_dir=tmp_path, journal_url=address)))
    answer = call("GET", "/readyz")
    use_server(server)
    assert (answer.status_code, answer.json()["journal"]) == (503, "The journal’s database is read-only.")


def test_muster_is_not_ready_with_a_full_disk(server: Server, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(readiness.shutil, "disk_usage", lambda _: SimpleNamespace(free=readiness.MIN_FREE_BYTES - 1))
    answer = call("GET", "/readyz")
    assert (answer.status_code, answer.json()["disk"]) == (503, "full")


def test_the_state_is_logged_at_the_start_and_when_it_changes(
    server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    states = [{"journal": "ready"}, {"journal": "ready"}, {"journal": "unreachable"}, {"journal": "ready"}]
    monkeypatch.setattr(readiness, "check_readiness", lambda _: states.pop(0))
    monkeypatch.setattr(readiness, "CHECK_EVERY", timedelta(0))
    caplog.set_level("INFO")
    with pytest.raises(IndexError):
        asyncio.run(readiness.log_readiness(server))
    said = [(each.levelname, each.message) for each in caplog.records]
    assert said == [
        ("INFO", "State of Muster: journal: ready"),
        ("WARNING", "State of Muster: journal: unreachable"),
        ("INFO", "State of Muster: journal: ready"),
    ]


def test_muster_is_not_ready_without_its_journal(tmp_path: Path):
    server = Server(
        Settings(service_url="http://127.0.0.1:9", data_dir=tmp_path, journal_url="sqlite:////dev/null/journal")
    )
    use_server(server)
    answer = call("GET", "/readyz")
    use_server(None)
    assert (answer.status_code, answer.json()["journal"]) == (503, "The journal’s database cannot be reached.")


def test_muster_is_not_ready_once_its_journal_stopped_answering(server: Server, tmp_path: Path):
    assert call("GET", "/readyz").status_code == 200
    server.journal.close()
    for file in tmp_path.glob("journal.sqlite*"):
        file.unlink()
    (tmp_path / "journal.sqlite").write_bytes(b"no database" * 100)
    answer = call("GET", "/readyz")
    assert (answer.status_code, answer.json()["journal"]) == (
        503,
        "The journal’s database is a file of another format.",
    )


def test_muster_is_not_ready_before_its_own_service_is(tmp_path: Path):
    server = Server(Settings(data_dir=tmp_path))
    use_server(server)
    answer = call("GET", "/readyz")
    server.stop()
    use_server(None)
    assert answer.status_code == 503
    assert answer.json() == {"ready": False, "journal": "ready", "service": "starting", "demo": "waiting"}
