"""What all sessions of a server process share: settings, sessions, sign-in attempts, journal, and embedded service."""

from __future__ import annotations

import asyncio
import gc
import logging
import subprocess
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal

from client import Connection, ServiceClient, close_idle_connections
from client.redaction import redact
from domain.runtime import access_token
from domain.runtime.attempts import Attempts
from domain.runtime.background import BackgroundReads
from domain.runtime.calls import Calls
from domain.runtime.embedded_service import EmbeddedService, printed_token
from domain.runtime.session_store import SessionStore, Tabs
from domain.runtime.settings import Settings
from domain.runtime.settings import settings as read_once
from domain.runtime.workspace import Workspace
from journal import Actor, Journal, JournalError

logger = logging.getLogger(__name__)

EMBEDDED_NAME: Final = "Muster's own service"
DEMO_ORGANIZATION_ID: Final = 8800001
DEMO_USERNAME: Final = "demo"

_lock = threading.Lock()
_server: Server | None = None
EVERY_SECONDS: Final = 5.0
CLEAN_UP_EVERY: Final = timedelta(hours=1)


class Server:
    """The parts that all browser sessions share, made at the start of the app or on first use."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.attempts = Attempts()
        self.sessions: SessionStore[Workspace] = SessionStore(
            idle=timedelta(minutes=settings.session_idle_minutes),
            longest=timedelta(hours=settings.session_max_hours),
            on_end=self._retire,
        )
        self.tabs = Tabs()
        self.calls = Calls()
        self.reads = BackgroundReads()
        self.embedded = EmbeddedService(settings, when_ready=self._learn_demo) if settings.is_embedded else None
        self.demo: Literal["waiting", "ready", "failed"] = "waiting"
        self._demo_entries: Callable[[Journal, Actor], None] | None = None
        self._journal: Journal | None = None
        self._demo_tokens: dict[str, str] = {}
        self._token_lock = threading.Lock()
        self._lock = threading.Lock()

    @property
    def journal(self) -> Journal:
        """The journal, opened on first use."""
        with self._lock:
            if self._journal is None:
                if self.settings.journal_url is None:
                    self.settings.data_path.mkdir(parents=True, exist_ok=True)
                self._journal = Journal.open(self.settings.journal_address, redact)
            return self._journal

    @property
    def service_url(self) -> str | None:
        """The base URL of the service; None until the embedded service was ready once."""
        if self.embedded is not None:
            return self.embedded.condition.url
        return self.settings.service_url

    @property
    def service_name(self) -> str:
        """The name of the service on screens: that of the embedded one, or the URL without its scheme."""
        return self.service_key.partition("://")[2] or self.service_key

    @property
    def service_key(self) -> str:
        """The name of the service in the journal: its URL, or the name of the embedded one, whose port changes."""
        return EMBEDDED_NAME if self.embedded is not None else (self.settings.service_url or "")

    def connection(self, *, organization_id: int, username: str, password: str, token: str | None = None) -> Connection:
        """Return the connection for these credentials. Raises `LookupError` until the service has a URL."""
        if self.service_url is None:
            raise LookupError("the embedded service is not ready yet")
        return Connection(
            base_url=self.service_url,
            organization_id=organization_id,
            username=username,
            password=password,
            token=token,
        )

    def demo_connection(self) -> Connection:
        """Return the connection to the demo organization of the embedded service."""
        password = self.settings.service_demo_password.get_secret_value()
        return self.connection(organization_id=DEMO_ORGANIZATION_ID, username=DEMO_USERNAME, password=password)

    def workspace(self, client: ServiceClient) -> Workspace:
        """Return the workspace of a user whose access was checked with this client."""
        connection = client.connection
        return Workspace(
            client=client,
            connection=connection,
            journal=self.journal,
            actor=Actor(
                service=self.service_key, organization_id=connection.organization_id, username=connection.username
            ),
            service_name=self.service_name,
            is_demo=self.embedded is not None and connection.organization_id == DEMO_ORGANIZATION_ID,
        )

    def with_token(self, workspace: Workspace, token: str) -> Workspace:
        """Return the workspace of the same user with an access token."""
        return self.workspace(self.client(replace(workspace.connection, token=token)))

    def demo_token(self, username: str) -> str | None:
        """Return an access token for a demo user from the command of the service, or None."""
        with self._token_lock:
            state = access_token.token_state(self._demo_tokens.get(username), datetime.now(UTC))
            if state is not access_token.TokenState.GOOD:
                try:
                    self._demo_tokens[username] = printed_token(self.settings, username)
                except (OSError, subprocess.SubprocessError) as error:
                    logger.error("Could not create the access token of the demo organization: %s", type(error).__name__)  # noqa: TRY400
                    return None
            return self._demo_tokens[username]

    def client(self, connection: Connection) -> ServiceClient:
        """Return a client for the connection with the limits of the settings."""
        return ServiceClient.connect(
            connection, rate_limit=self.settings.rate_limit, max_connections=self.settings.fan_out
        )

    def claim_embedded_service(self) -> bool:
        """Return False if another process under this journal has an embedded service: the two would differ.

        While the journal is unavailable, nothing is claimed.
        """
        try:
            return self.embedded is None or self.journal.claim_embedded_service()
        except JournalError:
            return True

    def start(self, demo_entries: Callable[[Journal, Actor], None] | None = None) -> None:
        """Start the embedded service. `demo_entries` creates what the demo organization starts with."""
        self._demo_entries = demo_entries
        if self.embedded is not None:
            self.embedded.start()

    def stop(self) -> None:
        """End every session and the embedded service, after the running changes."""
        self.sessions.end_all()
        self.calls.wait_for_all()
        if self.embedded is not None:
            self.embedded.stop()
        with self._lock:
            if self._journal is not None:
                self._journal.close()
                self._journal = None

    def tidy(self) -> None:
        """End idle sessions, and close unused connections to the service."""
        self.sessions.end_idle()
        # No client is closed with its session: work that this left running in the background goes on.
        close_idle_connections()

    def clean_up(self) -> None:
        """Remove areas that nothing uses, and data older than the retention period, if there is one."""
        now, days = datetime.now(UTC), self.settings.retention_days
        self.journal.retention.remove_unused(now)
        if days is not None:
            self.journal.retention.remove(now - timedelta(days=days))

    def _retire(self, workspace: Workspace) -> None:
        """Remove the data of a connection with its last session, and of an organization with its last session. Work in
        progress moves to another session of the connection.
        """
        mine, ours = workspace.connection.fingerprint, workspace.connection.organization_fingerprint
        with self._lock:
            sessions = self.sessions.values()
            others = [other for other in sessions if other.connection.fingerprint == mine]
            for heir in others[:1]:
                heir.unsaved_work.update(workspace.unsaved_work | heir.unsaved_work)
        if not others:
            workspace.has_ended.set()
            self.reads.remove(mine)
        if all(other.connection.organization_fingerprint != ours for other in sessions):
            self.reads.remove(ours)

    def _learn_demo(self) -> None:
        actor = Actor(service=self.service_key, organization_id=DEMO_ORGANIZATION_ID, username=DEMO_USERNAME)
        try:
            if self._demo_entries is not None:
                self._demo_entries(self.journal, actor)
        except Exception:
            self.demo = "failed"
            raise
        self.demo = "ready"


def server() -> Server:
    """Return the server of this process, made from the settings on first use."""
    global _server
    with _lock:
        if _server is None:
            _server = Server(read_once())
        return _server


def collect_garbage_seldom() -> None:
    """Exclude the loaded modules from garbage collection, and collect less often.

    Modules live as long as the process. Loading 74,000 places or 10,000 trips should not wait for repeated collections.
    """
    gc.freeze()
    gc.set_threshold(50_000, 10, 10)


def use_server(replacement: Server | None) -> None:
    """Replace the server; None makes the next use read the settings again."""
    global _server
    with _lock:
        _server = replacement


async def clean_up_regularly(here: Server) -> None:
    """Remove old data from the journal every hour, as long as the app runs."""
    while True:
        await asyncio.sleep(CLEAN_UP_EVERY.total_seconds())
        try:
            await asyncio.to_thread(here.clean_up)
        except Exception:
            logger.exception("Could not remove old data from the journal.")


async def keep_house(here: Server, runtime: Any) -> None:
    """Free unused sessions, tabs, and connections every few seconds, on the event loop, as long as the app runs."""
    while True:
        await asyncio.sleep(EVERY_SECONDS)
        try:
            await asyncio.to_thread(here.tidy)
            close_abandoned(here.tabs, here.sessions.lives, runtime)
            for tab_id in here.tabs.tabs_to_sign_out(here.sessions.lives):
                redraw_tab(runtime, tab_id)  # it shows the sign-in then
        except Exception:
            logger.exception("Could not free all unused sessions, tabs, and connections.")


def close_abandoned(tabs: Tabs, lives: Callable[[bytes], bool], runtime: Any) -> None:
    """Close tabs that lost their connection and did not return, or whose session has ended (by the digest of its
    token).
    """
    for tab_id in tabs.take_abandoned(runtime.is_active_session, lives):
        runtime.close_session(tab_id)


def redraw_tab(runtime: Any, tab_id: str) -> None:
    """Rerun the page of a tab as its browser requested it last. Call it on the event loop.

    Streamlit does so when a source file changes, and has no public function for it.
    """
    tab = runtime._session_mgr.get_active_session_info(tab_id)
    if tab is not None:
        tab.session.request_rerun(tab.session._client_state)
