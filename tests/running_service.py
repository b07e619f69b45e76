"""The real service over HTTP for tests: uvicorn in a thread, a free port, a temporary SQLite file."""

from __future__ import annotations

import asyncio
import atexit
import shutil
import tempfile
import threading
from collections.abc import Iterator, MutableMapping
from contextlib import closing, contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio.to_thread
import argon2
import httpx
import uvicorn

from service.accounts import repository as accounts
from service.accounts import tokens
from service.application import OnePath, Service, create_application, create_service
from service.database import Database
from service.demo import generator, seeding
from service.faults import Application, FaultInjection, Receive, Scope, Send, read_faults
from service.options import ServiceOptions
from service.serving import address_of, configuration, listening_socket

if TYPE_CHECKING:
    from client import ServiceClient

ORGANIZATION_ID = 8800
OTHER_ORGANIZATION_ID = 9900
"""Exists, but `ana` has no access to it."""
USERNAME = "ana"
PASSWORD = "correct horse"
CHEAP_HASHER = argon2.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
"""A password hasher that costs little, for tests that start a service each."""


# The framework builds its routes at the first requests, which takes longer than most tests.
_IDLE: list[Service] = []

READS_IN_THREADS = ("read ", "roster-load-")
"""The prefixes of the names of the dashboard's reading threads. If interrupted, they would leave connections open."""


class RunningService:
    """A service with the organization 8800 and its user `ana`; a context manager.

    `demo=True` serves the demo organization instead. `faults={"fault": [...]}` is the content of a faults file.
    """

    def __init__(
        self, *, demo: bool = False, faults: dict[str, Any] | None = None, database_url: str | None = None
    ) -> None:
        self._demo = demo
        self._faults = faults
        self._given_url = database_url
        self.organization_id = generator.ORGANIZATION_ID if demo else ORGANIZATION_ID
        self.username = generator.USERNAME if demo else USERNAME
        self.password = seeding.DEFAULT_PASSWORD if demo else PASSWORD

    def __enter__(self) -> RunningService:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start serving from a new database."""
        self._folder = tempfile.TemporaryDirectory(prefix="service-")
        self.database_url = self._given_url or self._copy_of_prepared()
        self._service = _IDLE.pop() if _IDLE else create_service()
        self._application = create_application(
            ServiceOptions(self.database_url),
            service=self._service,
            faults=read_faults(self._faults) if self._faults else None,
        )
        self._listener = listening_socket("127.0.0.1", 0)
        self.url = address_of(self._listener)
        self._server = _PromptServer(configuration(self))
        self._thread = threading.Thread(target=self._server.run, args=([self._listener],), daemon=True)
        self._thread.start()
        if not self._server.ready.wait(30):
            raise RuntimeError("The service did not start within 30 s")
        self.http = httpx.Client(
            base_url=self.url, auth=(self.username, self.password), timeout=30, trust_env=False, verify=False
        )

    def stop(self) -> None:
        """Stop serving, and remove the database. Reads by screens end first."""
        for thread in threading.enumerate():
            if thread.name.startswith(READS_IN_THREADS):
                thread.join(10)
        self.http.close()
        self._server.stop()
        self._thread.join(30)
        self._listener.close()
        self._folder.cleanup()
        _IDLE.append(self._service)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond as an ASGI application."""
        await self._application(scope, receive, send)

    @contextmanager
    def failing(self, fault: dict[str, Any]) -> Iterator[None]:
        """Apply this fault, as written in a faults file, within the context."""
        whole = self._application
        self._application = OnePath(FaultInjection(whole, read_faults({"fault": [fault]})))
        try:
            yield
        finally:
            self._application = whole

    @contextmanager
    def holding(self, path: str) -> Iterator[HeldRequests]:
        """Hold requests to this path until they are released, like a slow service."""
        whole, held = self._application, HeldRequests(self._application, path)
        self._application = held
        try:
            yield held
        finally:
            held.release()
            self._application = whole

    @contextmanager
    def recording(self, path: str) -> Iterator[list[bytes]]:
        """Return the bodies of the requests to this path, as they reach the service."""
        whole, bodies = self._application, list[bytes]()

        async def record(scope: Scope, receive: Receive, send: Send) -> None:
            if scope.get("path") != path:
                await whole(scope, receive, send)
                return
            place = len(bodies)
            bodies.append(b"")

            async def receive_and_record() -> MutableMapping[str, Any]:
                message = await receive()
                bodies[place] += message.get("body", b"")
                return message

            await whole(scope, receive_and_record, send)

        self._application = record
        try:
            yield bodies
        finally:
            self._application = whole

    def client(self, **options: Any) -> ServiceClient:
        """Return a client of this service. Close it, or use it as a context manager."""
        from client import ServiceClient

        return ServiceClient(self.url, self.organization_id, self.username, self.password, **options)

    def token(self, username: str | None = None, *, now: float | None = None) -> str:
        """Return an access token, as `python -m service token` prints it. `now` is in seconds since 1970."""
        with closing(Database(self.database_url)) as database, database.transaction() as connection:
            return tokens.issue(connection, username or self.username, now=now)

    def _copy_of_prepared(self) -> str:
        copy = Path(self._folder.name) / "service.sqlite"
        shutil.copyfile(prepared_demo_database() if self._demo else prepared_database(), copy)
        return f"sqlite:///{copy}"


class HeldRequests:
    """ASGI middleware that holds requests to one path until they are released. The first one sets `has_arrived`."""

    def __init__(self, application: Application, path: str) -> None:
        self._application = application
        self._path = path
        self.has_arrived = threading.Event()
        self._is_released = threading.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("path") == self._path:
            self.has_arrived.set()
            await anyio.to_thread.run_sync(self._is_released.wait, abandon_on_cancel=True)
        await self._application(scope, receive, send)

    def release(self) -> None:
        """Respond to the waiting requests, and from now on at once."""
        self._is_released.set()


class _PromptServer(uvicorn.Server):
    """A server in a thread that starts and stops at once; uvicorn's own checks ten times per second."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop: asyncio.Event | None = None

    async def startup(self, sockets: Any = None) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        await super().startup(sockets)
        self.ready.set()

    async def main_loop(self) -> None:
        assert self._stop is not None
        await self.on_tick(0)
        await self._stop.wait()

    async def shutdown(self, sockets: Any = None) -> None:
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.transport.abort()
        for task in list(self.server_state.tasks):
            task.cancel()
        while self.server_state.tasks or self.server_state.connections:
            await asyncio.sleep(0)
        await self.lifespan.shutdown()

    def stop(self) -> None:
        assert self._loop is not None
        assert self._stop is not None
        self._loop.call_soon_threadsafe(self._stop.set)


@lru_cache(maxsize=1)
def _folder_for_this_process() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="service-prepared-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@lru_cache(maxsize=1)
def prepared_database() -> Path:
    """Return a database file with the tests' organizations and user, created once per process, to copy."""
    path = _folder_for_this_process() / "service.sqlite"
    prepare(f"sqlite:///{path}")
    return path


def prepare(database_url: str) -> None:
    """Create the tests' organizations and user in an empty database."""
    database = Database(database_url)
    password_hash = CHEAP_HASHER.hash(PASSWORD)
    with database.transaction() as connection:
        accounts.add_organization(connection, ORGANIZATION_ID, "Test organization")
        accounts.add_organization(connection, OTHER_ORGANIZATION_ID, "Somebody else's organization")
        user_id = accounts.add_user(connection, USERNAME, password_hash, "Ana Silva")
        accounts.give_access(connection, user_id, ORGANIZATION_ID)
    database.close()


@lru_cache(maxsize=1)
def prepared_demo_database() -> Path:
    """Return a database file with the demo organization around today, created once per process, to copy."""
    path = _folder_for_this_process() / "demo.sqlite"
    database = Database(f"sqlite:///{path}")
    seeding.ensure_demo(database)
    database.close()
    return path
