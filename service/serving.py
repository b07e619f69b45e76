"""Serve over HTTP: uvicorn in one process or several, one ready line, and a clean stop on SIGTERM."""

from __future__ import annotations

import functools
import signal
import socket
import sys
from collections.abc import Callable
from typing import Any

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.supervisors.multiprocess import Multiprocess

from service.application import application_from_environment
from service.faults import CLOSE_CONNECTION, Application, Receive, Scope, Send
from service.options import ServiceOptions

GRACE_SECONDS = 5
WORKER_START_SECONDS = 60  # Imports take long on a busy machine, and a worker cannot respond before they end.
# Longer than clients keep idle connections, so that the client closes them.
KEEP_ALIVE_SECONDS = 75


class Protocol(HttpToolsProtocol):
    """HTTP/1.1 that lets the application close a request's connection, which faults need."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.app = functools.partial(_with_close, self.app, self._close)

    def _close(self) -> None:
        self.transport.abort()


async def _with_close(
    application: Application, close: Callable[[], None], scope: Scope, receive: Receive, send: Send
) -> None:
    scope.setdefault("extensions", {})[CLOSE_CONNECTION] = close
    await application(scope, receive, send)


class AnnouncingServer(uvicorn.Server):
    """A server that announces when it accepts requests."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start, then announce."""
        await super().startup(sockets)
        if self.started:
            self._announce()


class AnnouncingSupervisor(Multiprocess):
    """A supervisor that announces when all workers accept requests. One thread asks them, because two would read
    each other's responses.
    """

    def __init__(self, config: uvicorn.Config, listener: socket.socket, announce: Callable[[], None]) -> None:
        super().__init__(config, [listener])
        self._announce = announce

    def keep_subprocess_alive(self) -> None:
        """Replace workers that have died, and announce once."""
        super().keep_subprocess_alive()
        if all(process.is_ready(1) for process in self.processes):
            self._announce()
            self._announce = lambda: None


def configuration(application: Application | str, *, workers: int = 1) -> uvicorn.Config:
    """Return the common settings of all ways of serving."""
    return uvicorn.Config(
        application,
        factory=isinstance(application, str),
        http=Protocol,
        ws="none",
        lifespan="on",
        workers=workers,
        # uvicorn would log the texts of errors.
        log_config=None,
        log_level="warning",
        access_log=False,
        # Trusted from the hosts in FORWARDED_ALLOW_IPS, or else from this machine only.
        proxy_headers=True,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=GRACE_SECONDS,
        timeout_worker_healthcheck=WORKER_START_SECONDS,
    )


def listening_socket(host: str, port: int) -> socket.socket:
    """Return a socket bound to the address. Port 0 selects a free port."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio disables Nagle's algorithm only if the protocol is named. Otherwise every response takes 40 ms more.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError:
        listener.close()
        raise
    listener.set_inheritable(True)
    return listener


def address_of(listener: socket.socket) -> str:
    """Return `http://HOST:PORT` of a bound socket."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def stop_cleanly_on_sigterm() -> None:
    """Exit with code 0 on SIGTERM. While serving, uvicorn finishes open requests first."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))


def serve(options: ServiceOptions, listener: socket.socket, *, workers: int, announce: Callable[[], None]) -> None:
    """Serve until stopped. `announce` is called once, when requests are accepted."""
    options.to_environment()
    if workers == 1:
        AnnouncingServer(configuration(application_from_environment()), announce).run([listener])
        return
    config = configuration("service.application:application_from_environment", workers=workers)
    AnnouncingSupervisor(config, listener, announce).run()
