"""Connections to a service, with a time limit for a whole exchange. The time-outs of httpcore apply to each piece,
and pieces may arrive forever.
"""

import ssl
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from threading import Lock
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass
from weakref import WeakSet

import httpcore
import httpx

from .base_url import ServiceAddress

_PIECE = 16 * 2**10
"""The number of bytes written under one time-out: the length of a TLS record."""


_IDLE_SECONDS = 4.0
"""How long an unused connection is kept: shorter than servers keep it, so that no create is sent into a closing
connection.
"""


_LOCK = Lock()
_TRANSPORTS: WeakSet[httpx.HTTPTransport] = WeakSet()


class _Deadline:
    """A deadline that starts at the first use of the network, so that waiting for a free connection does not count."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._ends: float | None = None

    def seconds_left(self) -> float:
        """Return the seconds left; at most 0 after the deadline."""
        now = time.monotonic()
        if self._ends is None:
            self._ends = now + self._seconds
        return self._ends - now


_current: ContextVar[_Deadline | None] = ContextVar("deadline", default=None)


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Within this context, connections wait no longer than this in total."""
    token = _current.set(_Deadline(seconds))
    try:
        yield
    finally:
        _current.reset(token)


class _DeadlineBackend(httpcore.NetworkBackend):
    """A network backend like httpcore's default, which also keeps the deadline of the current context."""

    def __init__(self) -> None:
        self._backend = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        """Open a connection. Raises `httpcore.ConnectTimeout` after the deadline."""
        timeout = _shortened(timeout, httpcore.ConnectTimeout)
        return _DeadlineStream(self._backend.connect_tcp(host, port, timeout, local_address, socket_options))


class _DeadlineStream(httpcore.NetworkStream):
    def __init__(self, stream: httpcore.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _shortened(timeout, httpcore.ReadTimeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for start in range(0, len(buffer), _PIECE):
            self._stream.write(buffer[start : start + _PIECE], _shortened(timeout, httpcore.WriteTimeout))

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        timeout = _shortened(timeout, httpcore.ConnectTimeout)
        return _DeadlineStream(self._stream.start_tls(ssl_context, server_hostname, timeout))

    def close(self) -> None:
        self._stream.close()

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


def _shortened(timeout: float | None, late: type[Exception]) -> float | None:
    deadline = _current.get()
    if deadline is None:
        return timeout
    left = deadline.seconds_left()
    if left <= 0:
        raise late("the whole exchange took too long")
    return left if timeout is None else min(timeout, left)


def connections(address: ServiceAddress, most: int) -> httpx.HTTPTransport:
    """Return a pool of up to `most` connections to a service, with deadlines, through the proxy of the environment."""
    scheme, host = urlsplit(address.root)[:2]
    proxy = None
    if not address.is_loopback and not proxy_bypass(host):
        named = getproxies()
        proxy = named.get(scheme) or named.get("all")
        if proxy and "://" not in proxy:
            proxy = f"http://{proxy}"
    transport = httpx.HTTPTransport(
        verify=_tls() if address.is_encrypted else _no_tls(),
        trust_env=False,
        limits=httpx.Limits(max_connections=most, max_keepalive_connections=most, keepalive_expiry=_IDLE_SECONDS),
        proxy=proxy,
    )
    # httpx cannot express this; httpcore can.
    transport._pool._network_backend = _DeadlineBackend()
    with _LOCK:
        _TRANSPORTS.add(transport)
    return transport


def close_idle_connections() -> None:
    """Close the idle connections of all clients in this process.

    A client checks its connections only when it sends a request. Without another request they would stay open.
    """
    with _LOCK:
        transports = list(_TRANSPORTS)
    for transport in transports:
        pool = transport._pool
        with pool._optional_thread_lock:
            closing = pool._assign_requests_to_connections()
        pool._close_connections(closing)


@cache
def _tls() -> ssl.SSLContext:
    """Return one TLS context for all clients: creating one reads all certificates that the system trusts."""
    return httpx.create_ssl_context()


@cache
def _no_tls() -> ssl.SSLContext:
    """Return a TLS context that trusts no one, for addresses without TLS. It costs nothing to create."""
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
