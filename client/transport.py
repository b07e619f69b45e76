"""Build, send, repeat, classify, and decode requests. Only this module opens connections."""

import json
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, TypeVar
from urllib.parse import urlencode, urlsplit
from weakref import finalize

import httpx

from .base_url import ServiceAddress, route_of
from .classify import classify, proxy_refusal, shortened
from .clock import Clock, Interrupted, SystemClock
from .connection import Connection
from .credentials import Credentials, authorizations, missing_credentials, secret_pattern, with_token_message
from .errors import (
    ClientClosed,
    ConnectionFailed,
    FieldError,
    Invalid,
    OutcomeUnknown,
    RequestSummary,
    ServiceError,
    TimedOut,
    TooManyRequests,
    UndecodableAnswer,
)
from .network import connections, time_limit
from .rate_limit import TokenBucket, shared_bucket
from .redaction import REMOVED, redact, redact_text
from .retry import Effect, RetryPolicy, may_have_been_done, may_repeat, retry_after_seconds
from .unpacking import unpacked
from .uploads import Upload

T = TypeVar("T")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Time-outs in seconds: for a connection, for each piece of an answer or a request, and for a free connection.

    `total` limits one exchange, from the first use of the network to the last byte of the answer. Calls with a longer
    `read_timeout` have that much more in total.
    """

    connect: float = 5.0
    read: float = 30.0
    write: float = 30.0
    pool: float = 60.0
    total: float = 120.0


@dataclass(frozen=True, slots=True)
class Call:
    """One request as a resource declares it.

    The body is JSON-compatible data, or JSON already if it is bytes. `read_timeout` is for calls that take long.
    `headers` are those that the area needs besides the credentials. An `upload` replaces the body.
    """

    method: str
    path: str
    effect: Effect
    query: Mapping[str, str | Sequence[str]] = field(default_factory=dict)
    body: Any = None
    credentials: Credentials = Credentials.BASIC
    headers: Mapping[str, str] = field(default_factory=dict)
    upload: Upload | None = None
    read_timeout: float | None = None
    retry: RetryPolicy | None = None


class Transport:
    """Makes calls to one service over one connection. Safe to use from many threads."""

    def __init__(
        self,
        connection: Connection,
        *,
        rate_limit: float | None = None,
        max_connections: int = 16,
        timeouts: Timeouts | None = None,
        retry: RetryPolicy | None = None,
        transport: httpx.BaseTransport | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._authorizations = authorizations(connection)
        self._address = ServiceAddress.parse(connection.base_url)
        self._timeouts = timeouts or Timeouts()
        self._retry = retry or RetryPolicy()
        self._clock = clock or SystemClock()
        self._bucket = (
            shared_bucket(connection, rate_limit, self._clock) if clock is None else TokenBucket(rate_limit, clock)
        )
        self._secrets = secret_pattern(connection)
        self._http = httpx.Client(
            # Only this encoding: answers are unpacked below, with a limit on their size.
            headers={"Accept": "application/json", "Accept-Encoding": "gzip", "User-Agent": "muster"},
            follow_redirects=False,
            transport=transport or connections(self._address, max_connections),
        )
        # A resource may outlive its client; it keeps a reference to the transport.
        finalize(self, self._http.close)
        self._http_timeouts = asdict(self._timeouts)
        # Built once: nearly all requests have the same headers.
        self._headers = {
            (scheme, is_json): self._made_headers(authorization, is_json)
            for scheme, authorization in self._authorizations.items()
            for is_json in (False, True)
        }

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def call(self, call: Call, decode: Callable[[bytes], T]) -> T:
        """Make a call and decode its answer. `decode` raises ValueError for an answer that it cannot read.

        Raises a `ServiceError`. If a call that changes something may have been carried out, the error is
        `OutcomeUnknown`.
        """
        if call.credentials not in self._authorizations:
            raise self._finished(call, missing_credentials(call.credentials), None)
        if self._http.is_closed:
            raise self._finished(call, _closed(), None)
        policy = call.retry or self._retry
        started = self._clock.monotonic()
        attempt = 1
        lost: ServiceError | None = None
        while True:
            try:
                return self._attempt(call, decode, attempt)
            except ServiceError as error:
                if lost is None and may_have_been_done(call.effect, error):
                    lost = error
                wait = None
                if may_repeat(call.effect, error):
                    wait = policy.wait_before(
                        attempt + 1,
                        elapsed=self._clock.monotonic() - started,
                        draw=self._clock.draw(),
                        retry_after=error.retry_after,
                    )
                if wait is None or not self._waited(wait, error):
                    raise self._finished(call, error, lost) from error.__cause__
                attempt += 1

    def _attempt(self, call: Call, decode: Callable[[bytes], T], attempt: int) -> T:
        self._bucket.acquire()
        started = self._clock.monotonic()
        status: int | None = None
        try:
            status, headers, content = self._exchange(call)
            if status != 429:
                self._bucket.record_accepted()
            if 200 <= status < 300:
                try:
                    return decode(content)
                except (ValueError, RecursionError) as cause:
                    raise (classify(status, content) or _undecodable(status, content)) from cause
            error = classify(status, content) or _undecodable(status, content)
            error = with_token_message(error, self._authorizations[call.credentials])
            if isinstance(error, TooManyRequests):
                self._bucket.record_refused()
            error.retry_after = retry_after_seconds(headers.get("retry-after"), now=self._clock.now())
            raise error
        finally:
            level = logging.DEBUG if status is not None and status < 300 else logging.WARNING
            if log.isEnabledFor(level):
                seconds = self._clock.monotonic() - started
                route = route_of(call.path)
                log.log(
                    level,
                    "%s %s: %s after %.3f s (attempt %d)",
                    call.method,
                    route,
                    status or "no answer",
                    seconds,
                    attempt,
                    extra={
                        "method": call.method,
                        "route": route,
                        "status": status,
                        "seconds": seconds,
                        "attempt": attempt,
                    },
                )

    def _exchange(self, call: Call) -> tuple[int, httpx.Headers, bytes]:
        """Send once and read the whole answer. Raises `TransportError`, with `sent` if it is known."""
        content = None
        headers = self._headers[call.credentials, call.body is not None]
        if call.body is not None:
            content = call.body if isinstance(call.body, bytes) else as_json(call.body).encode()
        if call.headers:
            headers = httpx.Headers([*headers.multi_items(), *call.headers.items()])
        upload = call.upload
        url = self._address.url(call.path)
        longer = max(0.0, (call.read_timeout or 0.0) - self._timeouts.read)
        # Built once as a whole: merging parameters and headers later would parse the URL three times.
        request = httpx.Request(
            call.method,
            f"{url}?{urlencode(call.query, doseq=True)}" if call.query else url,
            headers=headers,
            content=content,
            files=None if upload is None else {upload.field: (upload.file_name, upload.file, upload.content_type)},
            extensions={"timeout": {**self._http_timeouts, "read": self._timeouts.read + longer}},
        )
        try:
            with time_limit(self._timeouts.total + longer):
                response = self._http.send(request, stream=True)
                try:
                    encoding = response.headers.get("Content-Encoding", "")
                    content = unpacked(response.iter_raw(), encoding, status=response.status_code)
                    return response.status_code, response.headers, content
                except UndecodableAnswer:
                    if response.status_code < 300:
                        raise
                    # Other statuses decide on their own.
                    return response.status_code, response.headers, b""
                finally:
                    response.close()
                    if self._http.is_closed:
                        _close_connection(response)
        except httpx.ProxyError as cause:
            if str(cause).startswith("407"):
                raise proxy_refusal() from cause
            raise ConnectionFailed(f"Could not connect to {self._host()}: {_reason(cause)}.", sent=False) from cause
        except RuntimeError as cause:
            if not self._http.is_closed:
                raise
            raise _closed() from cause
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.UnsupportedProtocol) as cause:
            raise ConnectionFailed(f"Could not connect to {self._host()}: {_reason(cause)}.", sent=False) from cause
        except httpx.PoolTimeout as cause:
            raise ConnectionFailed("All connections to the service stayed busy.", sent=False) from cause
        except httpx.TimeoutException as cause:
            raise TimedOut(f"The service at {self._netloc()} did not respond in time.", sent=None) from cause
        except httpx.TransportError as cause:
            raise ConnectionFailed(f"The connection to {self._host()} broke.", sent=None) from cause
        except OSError as cause:
            # Not an error of the network, which httpx translates, but of the file. Half a request is not a request.
            words = "The file could not be read to its end. Nothing was accepted."
            raise Invalid(words, field_errors=[FieldError("file", words)], sent=False) from cause

    def _waited(self, seconds: float, error: ServiceError) -> bool:
        """Wait before the next attempt. Returns False if the result is no longer needed."""
        if error.retry_after is not None:
            # A limit on one request holds for all requests of this connection.
            self._bucket.pause(seconds)
        try:
            self._clock.sleep(seconds)
        except Interrupted:
            return False
        return True

    def _finished(self, call: Call, error: ServiceError, lost: ServiceError | None) -> ServiceError:
        """Return the error to raise: with its request, without secrets, and as unknown if the change may have been
        made.
        """
        if lost is not None and not isinstance(error, UndecodableAnswer):
            error = OutcomeUnknown(
                "The response was lost. The change may or may not have been made. " + lost.message,
                status=lost.status,
                answer_text=lost.answer_text,
                service_message=lost.service_message,
                sent=None if lost.sent is None else True,
            )
        error.request = RequestSummary(
            call.method,
            urlsplit(self._address.url(call.path)).path,
            {key: value if isinstance(value, str) else ",".join(value) for key, value in call.query.items()},
            redact(_parsed(call.body)) if call.upload is None else call.upload.summary(),
        )
        error.message = self._redacted(error.message)
        error.args = (error.message,)
        if error.answer_text is not None:
            error.answer_text = self._redacted(error.answer_text)
        if error.service_message is not None:
            error.service_message = self._redacted(error.service_message)
        if isinstance(error, Invalid):
            error.field_errors = [
                FieldError(entry.field, self._redacted(entry.message)) for entry in error.field_errors
            ]
        return error

    def _redacted(self, text: str) -> str:
        return redact_text(self._secrets.sub(REMOVED, text))

    def _made_headers(self, authorization: str, is_json: bool) -> httpx.Headers:
        headers = httpx.Headers(self._http.headers)
        headers["Authorization"] = authorization
        if is_json:
            headers["Content-Type"] = "application/json"
        return headers

    def _host(self) -> str:
        return f"the service at {self._netloc()}"

    def _netloc(self) -> str:
        return urlsplit(self._address.root).netloc


def as_json(value: Any) -> str:
    """Return JSON as it is sent. Raises ValueError for numbers that JSON cannot express."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def json_list(texts: Iterable[str]) -> bytes:
    """Return a body that lists values that are JSON already."""
    return f"[{','.join(texts)}]".encode()


def _parsed(body: Any) -> Any:
    return json.loads(body) if isinstance(body, bytes) else body


def _close_connection(response: httpx.Response) -> None:
    """Close the connection of an answer, in case it was opened while all connections were being closed."""
    stream = response.extensions.get("network_stream")
    if stream is not None:
        stream.close()


def _undecodable(status: int, content: bytes) -> UndecodableAnswer:
    text = content.decode("utf-8", errors="replace")
    what = "a web page" if text.lstrip().startswith("<") else "something" if text.strip() else "an empty body"
    return UndecodableAnswer(
        f"The service responded with {what} that cannot be read.",
        status=status,
        answer_text=shortened(text, 2000),
        sent=True,
    )


def _closed() -> ClientClosed:
    return ClientClosed("The connection to the service was closed. Nothing was sent.", sent=False)


def _reason(cause: httpx.TransportError) -> str:
    text = str(cause).lower()
    if isinstance(cause, httpx.TimeoutException):
        return "the connection timed out"
    if "refused" in text:
        return "the connection was refused"
    if "name or service" in text or "nodename" in text or "getaddrinfo" in text or "name resolution" in text:
        return "the host name is unknown"
    if "certificate" in text or "ssl" in text:
        return "its certificate cannot be trusted"
    return "the network is not available"
