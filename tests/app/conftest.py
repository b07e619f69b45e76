"""The frame under AppTest: a fresh server process for each test, and a user signed in to a real service."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import wait
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final, Protocol

import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.state import SafeSessionState, SessionState
from streamlit.testing.v1 import AppTest, app_test, local_script_runner

from client import ServiceClient
from client.models.public_lookups import Regions
from client.resources import public_lookups
from client.resources.itineraries import Itineraries
from components.shell import page_redraw
from components.shell.session import OWNER, TOKEN
from domain.alerts.recipients import region_catalog
from domain.alerts.recipients.regions import RegionCatalog
from domain.file_import import job
from domain.file_import.job import Jobs
from domain.runtime import screens, session_store
from domain.runtime.background import BackgroundReads
from domain.runtime.calls import Call, Calls
from domain.runtime.server import Server, server, use_server
from domain.runtime.settings import Settings, settings
from domain.runtime.workspace import Workspace
from tests.prepared_journal import prepared_journal

PROJECT = Path(__file__).resolve().parents[2]
FRAME = PROJECT / "components" / "shell" / "frame.py"
PATIENCE = 60.0


class RunningService(Protocol):
    """What a test needs of a running service to sign in to it."""

    url: str
    organization_id: int
    username: str
    password: str


@pytest.fixture(scope="session", autouse=True)
def scan_packages_once() -> Iterator[None]:
    """Read the metadata of all installed packages only once. AppTest scans them for components in every run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", cache(manifest_scanner.scan_component_manifests))
        yield


@pytest.fixture(scope="session", autouse=True)
def wait_without_polling() -> Iterator[None]:
    """Wait for the end of a run without polling. AppTest would poll a thousand times per second, and slow the run
    down.
    """
    require_deltas = local_script_runner.require_widgets_deltas

    def wait_for_end(runner: local_script_runner.LocalScriptRunner, timeout: float = 3) -> None:
        assert runner._script_thread is not None
        runner._script_thread.join(timeout)
        require_deltas(runner, timeout if runner.script_stopped() else 0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_script_runner, "require_widgets_deltas", wait_for_end)
        yield


@pytest.fixture(scope="session", autouse=True)
def reuse_runtime_mock() -> Iterator[None]:
    """Create AppTest's mock of the framework's runtime only once, and not for each run. No test looks at it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app_test, "MagicMock", cache(app_test.MagicMock))
        yield


class StateByKey(Mapping[str, Any]):
    """The session state, read key by key."""

    def __init__(self, state: SessionState) -> None:
        self._state = state

    def __getitem__(self, key: str) -> Any:
        return self._state[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._state.filtered_state)

    def __len__(self) -> int:
        return len(self._state.filtered_state)


@pytest.fixture(scope="session", autouse=True)
def read_state_by_key() -> Iterator[None]:
    """Read the session state by key. Every empty widget would otherwise collect the whole state, a sixth of a form's
    run.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SafeSessionState, "filtered_state", property(lambda safe: StateByKey(safe._state)))
        yield


@cache
def registered_pages() -> Any:
    """Return the pages that the first run of a session registers. Signed out, it runs none of them."""
    return AppTest.from_file(FRAME, default_timeout=60).run()._registered_pages


_READ_REGIONS: Final = lru_cache(maxsize=4)(public_lookups._read_regions)
_CATALOGS: Final[dict[int, tuple[Regions, RegionCatalog]]] = {}


def _get_catalog(regions: Regions) -> RegionCatalog:
    if id(regions) not in _CATALOGS:
        # Not among the catalogs that the process shares, because this one is never released.
        _CATALOGS[id(regions)] = regions, RegionCatalog(regions, region_catalog.us_places())
    return _CATALOGS[id(regions)][1]


@pytest.fixture(autouse=True)
def reuse_regions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parse and sort the same 74,000 regions of every service only once.

    Only for these tests: others check how a catalog that no one uses is released.
    """
    monkeypatch.setattr(public_lookups, "_read_regions", _READ_REGIONS)
    monkeypatch.setattr(region_catalog, "_share_catalog", _get_catalog)


@pytest.fixture(autouse=True)
def fresh_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Start without caches, sessions, and settings of other tests. The settings name a service on loopback that does
    not run.
    """
    st.cache_data.clear()
    st.cache_resource.clear()
    for name in Settings.model_fields:
        monkeypatch.delenv(f"MUSTER_{name.upper()}", raising=False)
    monkeypatch.setattr(Settings, "secrets_file", tmp_path / "no-secrets.toml")
    monkeypatch.setenv("MUSTER_SERVICE_URL", "http://127.0.0.1:9")
    data_directory = tmp_path / "data"
    data_directory.mkdir()
    shutil.copyfile(prepared_journal(), data_directory / "journal.sqlite")
    monkeypatch.setenv("MUSTER_DATA_DIR", str(data_directory))
    # Wait for each call. A second press in a test is always a new one, not a double click.
    monkeypatch.setattr(Calls, "patience", PATIENCE)
    monkeypatch.setattr(Calls, "repeat_seconds", 0.0)
    # Wait for background reads and jobs when a page is drawn, however slow the machine is.
    monkeypatch.setattr(BackgroundReads, "patience", PATIENCE)
    monkeypatch.setattr(BackgroundReads, "patience_for_names", PATIENCE)
    monkeypatch.setattr(Jobs, "patience", PATIENCE)
    monkeypatch.setattr(job, "FIRST_WAIT", 0.001)
    settings.cache_clear()
    use_server(None)
    yield
    server().stop()
    use_server(None)
    settings.cache_clear()
    st.cache_data.clear()
    st.cache_resource.clear()


@dataclass
class Browser:
    """What a browser sends when it connects, in place of AppTest's mock."""

    cookies: dict[str, str] = field(default_factory=dict)
    headers: list[tuple[str, str]] = field(default_factory=lambda: [("User-Agent", "AppTest")])
    remote_ip: str = "127.0.0.1"


@pytest.fixture(autouse=True)
def browser(monkeypatch: pytest.MonkeyPatch) -> Browser:
    """The browser of every AppTest in this test. Set its cookies before a run. It does not request cookies by
    itself.
    """
    monkeypatch.setattr(session_store, "REDEEMED_SECONDS", 0.0)
    current = Browser()
    monkeypatch.setattr("streamlit.runtime.context._get_client_context", lambda: current)
    return current


@pytest.fixture
def use_service(monkeypatch: pytest.MonkeyPatch) -> Iterator[UseService]:
    """Connect Muster to a running service before anything is drawn."""
    use = UseService(monkeypatch)
    yield use
    for used_server in use.servers:
        used_server.stop()


class UseService:
    """Call it with a running service to get the server that uses it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch = monkeypatch
        self.servers: list[Server] = []

    def __call__(self, service: RunningService) -> Server:
        """Set the service's address, and create a new server."""
        self._monkeypatch.setenv("MUSTER_SERVICE_URL", service.url)
        settings.cache_clear()
        use_server(None)
        self.servers.append(server())
        return self.servers[-1]


class SignedIn:
    """Call it with a running service and a page to get that page, signed in, before its first run.

    `workspace` is then the workspace of the page: fill its journal before `run()`, and read it afterwards.
    """

    workspace: Workspace

    def __init__(self, use_service: UseService) -> None:
        self._use_service = use_service

    def __call__(
        self,
        service: RunningService,
        page: str = screens.EXPECTED_LOCATIONS.page,
        *,
        token: str | None = None,
        **query: str | list[str],
    ) -> AppTest:
        """Open a session as the service's user, with or without an access token, and the page with that query."""
        client = ServiceClient(service.url, service.organization_id, service.username, service.password, token=token)
        self.workspace = self._use_service(service).workspace(client)
        return self.open_tab(page, **query)

    def open_tab(self, page: str, **query: str | list[str]) -> AppTest:
        """Open another tab of the same person, or the same tab after a refresh."""
        app = AppTest.from_file(FRAME, default_timeout=60)
        app._registered_pages = registered_pages()
        app.session_state[TOKEN.name] = server().sessions.open(self.workspace)
        app.session_state[OWNER.name] = None
        app.switch_page(page)
        for name, value in query.items():
            app.query_params[name] = value
        return app


@pytest.fixture
def signed_in(use_service: UseService) -> SignedIn:
    """The factory: `app = signed_in(service, screens.FIND_TRIP.page, locator="WSVM7K").run()`."""
    return SignedIn(use_service)


@pytest.fixture
def refresh_at_once(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Call it to make automatic refreshes happen at once, in the run that draws them."""
    part = SimpleNamespace(fragment_ids_this_run=["a part"])
    return lambda: monkeypatch.setattr(page_redraw, "get_script_run_ctx", lambda: part)


@pytest.fixture
def signed_out_app() -> AppTest:
    """The frame without a signed-in user, before its first run."""
    return AppTest.from_file(FRAME, default_timeout=60)


class HeldCalls:
    """Holds the calls of one client method until they are released. The runs that start them continue."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, resource: type, method: str) -> None:
        self._monkeypatch = monkeypatch
        self._is_released = threading.Event()
        self.count = 0
        original, start = getattr(resource, method), Calls.start

        def wait_for_release(*arguments: Any, **options: Any) -> Any:
            self.count += 1
            assert self._is_released.wait(60)
            return original(*arguments, **options)

        def start_and_wait(calls: Calls, *arguments: Any, **options: Any) -> Call:
            # The run always continues at the same point: with the call held, or ended.
            call = start(calls, *arguments, **options)
            while not self.count and not wait([call.future], 0.01).done:
                pass
            return call

        monkeypatch.setattr(resource, method, wait_for_release)
        monkeypatch.setattr(Calls, "start", start_and_wait)
        monkeypatch.setattr(Calls, "patience", 0.0)

    def finish(self) -> None:
        """Release the calls and wait for their end. Later calls are waited for as usual."""
        self.release()
        # If the change ended before this call, the run that first noticed its end has shown it.
        assert self.count, "no call was held, because the change ended before it"

    def release(self) -> None:
        """Release the calls, if there are any."""
        self._is_released.set()
        self._monkeypatch.setattr(Calls, "patience", PATIENCE)
        server().calls.wait_for_all()


@pytest.fixture
def spinner_texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect the spinner text during each request for trips; "" without a spinner."""
    current_texts, request_texts = [""], []

    @contextmanager
    def spinner(text: str, **_: Any) -> Iterator[None]:
        current_texts.append(text)
        yield
        current_texts.pop()

    monkeypatch.setattr(st, "spinner", spinner)
    for method in ("search", "list_expected_locations"):
        monkeypatch.setattr(
            Itineraries,
            method,
            _notify_before(getattr(Itineraries, method), lambda: request_texts.append(current_texts[-1])),
        )
    return request_texts


def _notify_before(original: Callable[..., Any], notify: Callable[[], None]) -> Callable[..., Any]:
    def call_and_notify(*arguments: Any, **options: Any) -> Any:
        notify()
        return original(*arguments, **options)

    return call_and_notify


@pytest.fixture
def hold_calls(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[type, str], HeldCalls]]:
    """Hold the calls of a client method, like a slow service: `calls = hold_calls(Itineraries, "create")`."""
    created: list[HeldCalls] = []

    def hold(resource: type, method: str) -> HeldCalls:
        created.append(HeldCalls(monkeypatch, resource, method))
        return created[-1]

    yield hold
    for calls in created:
        calls.release()
