"""Endless and oversized responses from a real server on a socket, closed clients, and proxies."""

from __future__ import annotations

import gzip
import itertools
import socket
import threading
import time
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import httpx
import pytest

from client import (
    ClientClosed,
    NotAuthenticated,
    NotFound,
    OutcomeUnknown,
    ProxyAuthenticationRequired,
    RetryPolicy,
    ServiceClient,
    ServiceError,
    TimedOut,
    Timeouts,
    TooManyRequests,
    TransportError,
    UndecodableAnswer,
    fan_out,
)
from client.models.itineraries import Address, Itinerary, Segment
from client.unpacking import LONGEST_ANSWER
from tests.client.conftest import Clients, FakeClock
from tests.client.test_transport import CALLS, NOTHING, answer

TOTAL = 0.4
PATIENCE = 20.0
ONCE = RetryPolicy(attempts=1)


@contextmanager
def run_server(respond: Callable[[socket.socket, threading.Event], None]) -> Iterator[str]:
    """Run a server that reads the head of each request and then calls `respond`. Yields its URL."""
    stopped = threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))

    def handle(connection: socket.socket) -> None:
        with connection:
            try:
                connection.recv(2**16)
                respond(connection, stopped)
            except OSError:
                return

    def accept() -> None:
        while not stopped.is_set():
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            thread = threading.Thread(target=handle, args=(connection,))
            threads.append(thread)
            thread.start()

    threads = [threading.Thread(target=accept)]
    threads[0].start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        stopped.set()
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        for thread in threads:
            thread.join(PATIENCE)


def send_bytes_slowly(connection: socket.socket, stopped: threading.Event) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    while not stopped.wait(TOTAL / 20):
        connection.sendall(b" ")


def send_headers_slowly(connection: socket.socket, stopped: threading.Event) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\n")
    for number in itertools.count():
        if stopped.wait(TOTAL / 20):
            return
        connection.sendall(b"X-%d: 1\r\n" % number)


def send_continue_forever(connection: socket.socket, stopped: threading.Event) -> None:
    while not stopped.wait(TOTAL / 20):
        connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")


def connect_with_deadline(url: str) -> ServiceClient:
    """Return a client with a long timeout per read and a short deadline per call."""
    return ServiceClient(url, 8800, "ana", "secret", timeout=Timeouts(read=PATIENCE, total=TOTAL), retry=ONCE)


@pytest.mark.parametrize("respond", [send_bytes_slowly, send_headers_slowly, send_continue_forever])
def test_a_call_ends_at_its_deadline_however_slow_the_response(
    respond: Callable[[socket.socket, threading.Event], None],
) -> None:
    with run_server(respond) as url, connect_with_deadline(url) as client:
        began = time.monotonic()
        with pytest.raises(TimedOut):
            client.itineraries.search(field_name="pnr", values=["A"])
        assert TOTAL <= time.monotonic() - began < PATIENCE / 2


def test_a_change_whose_response_exceeds_the_deadline_has_an_unknown_outcome() -> None:
    with run_server(send_bytes_slowly) as url, connect_with_deadline(url) as client, pytest.raises(OutcomeUnknown):
        CALLS["create"](client)


def test_a_fan_out_over_endless_responses_ends() -> None:
    with run_server(send_continue_forever) as url, connect_with_deadline(url) as client:
        outcomes = list(
            fan_out(lambda name: client.itineraries.search(field_name="pnr", values=[name]), "abcdef", width=3)
        )
    assert [type(outcome.error) for outcome in outcomes] == [TimedOut] * 6


def test_a_request_that_is_never_read_ends_at_its_deadline() -> None:
    def never_read(connection: socket.socket, stopped: threading.Event) -> None:
        stopped.wait(PATIENCE)

    long = Itinerary(pnr="WSVM7K", segments=[Segment(type="Hotel", from_address=Address(street_address="x" * 2**25))])
    with run_server(never_read) as url, connect_with_deadline(url) as client, pytest.raises(TransportError):
        client.itineraries.create(long)


def test_the_deadline_excludes_the_wait_for_a_connection() -> None:
    """Calls that wait for a free connection have their full time when they get it."""
    # Four exchanges take longer than the deadline, and each leaves most of it to a busy machine.
    deadline = 2.0

    def respond_late(connection: socket.socket, stopped: threading.Event) -> None:
        stopped.wait(0.3 * deadline)
        body = b'{"message": "OK", "page": {"data": []}}'
        connection.sendall(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body))

    with (
        run_server(respond_late) as url,
        ServiceClient(
            url, 8800, "ana", "secret", timeout=Timeouts(total=deadline), retry=ONCE, max_connections=1
        ) as client,
    ):
        outcomes = list(
            fan_out(lambda name: client.itineraries.search(field_name="pnr", values=[name]), "abcd", width=4)
        )
    assert [outcome.error for outcome in outcomes] == [None] * 4


# Size of a response


def compress(times: int, size: int) -> bytes:
    content = bytes(size)
    for _ in range(times):
        content = gzip.compress(content, 1)
    return content


def compressed_response(content: bytes, encoding: str, status: int = 200) -> httpx.Response:
    return httpx.Response(status, headers={"Content-Encoding": encoding}, stream=httpx.ByteStream(content))


def test_a_response_is_measured_while_it_is_decompressed(clients: Clients) -> None:
    client, _ = clients(compressed_response(compress(1, 4 * LONGEST_ANSWER), "gzip"))
    tracemalloc.start()
    try:
        with pytest.raises(UndecodableAnswer, match="too long"):
            CALLS["search"](client)
        assert tracemalloc.get_traced_memory()[1] < 3 * LONGEST_ANSWER
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("encoding", ["gzip, gzip", "gzip,deflate", "br", "zstd", "compress"])
def test_a_response_compressed_twice_or_with_an_unrequested_encoding_is_refused(
    clients: Clients, encoding: str
) -> None:
    client, exchange = clients(compressed_response(compress(2, 2**20), encoding))
    with pytest.raises(UndecodableAnswer, match="encoding"):
        CALLS["search"](client)
    assert exchange.requests[0].headers["Accept-Encoding"] == "gzip"


@pytest.mark.parametrize(
    ("encoding", "pack"),
    [
        ("gzip", gzip.compress),
        ("x-gzip", gzip.compress),
        ("GZIP", lambda content: gzip.compress(content[:9]) + gzip.compress(content[9:])),
        ("deflate", zlib.compress),
        ("identity", bytes),
        ("", bytes),
    ],
    ids=["gzip", "x-gzip", "two members", "deflate", "identity", "none"],
)
def test_a_compressed_response_is_read(clients: Clients, encoding: str, pack: Callable[[bytes], bytes]) -> None:
    client, _ = clients(compressed_response(pack(answer(body=NOTHING).content), encoding))
    assert CALLS["search"](client).items == []


@pytest.mark.parametrize(
    "damage", [lambda content: content[:-9], lambda content: content[:20] + b"x" * 9, lambda _: b"{}"]
)
def test_a_damaged_or_truncated_compressed_response_is_reported(
    clients: Clients, damage: Callable[[bytes], bytes]
) -> None:
    client, _ = clients(compressed_response(damage(gzip.compress(answer(body=NOTHING).content)), "gzip"))
    with pytest.raises(UndecodableAnswer, match="damaged"):
        CALLS["search"](client)


@pytest.mark.parametrize("content", [b"", b"<html>", gzip.compress(b"no")[:-9]], ids=["empty", "unpacked", "cut off"])
@pytest.mark.parametrize(
    ("status", "error"), [(401, NotAuthenticated), (404, NotFound), (429, TooManyRequests), (500, OutcomeUnknown)]
)
def test_an_error_whose_body_cannot_be_decompressed_is_classified_by_status(
    clients: Clients, status: int, error: type[ServiceError], content: bytes
) -> None:
    client, _ = clients(compressed_response(content, "gzip", status))
    with pytest.raises(error) as caught:
        CALLS["create"](client)
    assert (caught.value.status, caught.value.answer_text) == (status, "")


@pytest.mark.parametrize("status", [200, 204])
def test_an_empty_response_marked_as_compressed_is_empty(clients: Clients, status: int) -> None:
    client, _ = clients(compressed_response(b"", "gzip", status))
    assert client.itineraries.delete(5).id == 5


# A client that is closed, and a proxy that lets nobody through


@pytest.mark.parametrize("call", CALLS)
def test_a_closed_client_is_reported_at_once(clients: Clients, clock: FakeClock, call: str) -> None:
    client, exchange = clients()
    client.close()
    with pytest.raises(ClientClosed) as caught:
        CALLS[call](client)
    assert caught.value.sent is False
    assert (exchange.requests, clock.waits) == ([], [])


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("refusal", [answer(407, "<html>Sign in</html>"), httpx.ProxyError("407 Proxy Auth Required")])
def test_a_proxy_that_requires_a_password_is_distinguished_from_the_service(
    clients: Clients, clock: FakeClock, call: str, refusal: httpx.Response | Exception
) -> None:
    client, _ = clients(refusal)
    with pytest.raises(ProxyAuthenticationRequired) as caught:
        CALLS[call](client)
    assert "proxy" in caught.value.message
    assert caught.value.sent is False
    assert clock.waits == []


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_the_proxy_of_the_environment_is_used_and_its_errors_are_distinguished(
    scheme: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(connection: socket.socket, stopped: threading.Event) -> None:
        connection.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")

    with run_server(refuse) as proxy:
        monkeypatch.setenv(f"{scheme}_proxy", proxy)
        with connect_with_deadline(f"{scheme}://service.example") as client, pytest.raises(ProxyAuthenticationRequired):
            client.itineraries.search(field_name="pnr", values=["A"])


def test_a_service_on_this_machine_is_called_without_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    def serve(connection: socket.socket, stopped: threading.Event) -> None:
        body = b'{"message": "OK", "page": {"data": []}}'
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body))

    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    with run_server(serve) as url, connect_with_deadline(url) as client:
        assert client.itineraries.search(field_name="pnr", values=["A"]).items == []
