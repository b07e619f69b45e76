"""A client whose service is a function, and whose time passes only when it waits."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from client import RetryPolicy, ServiceClient, rate_limit

Handler = Callable[[httpx.Request], httpx.Response]


FIRST_GUESS = rate_limit._FIRST_GUESS


@pytest.fixture(autouse=True)
def real_initial_rate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the real initial rate of a client that is asked to slow down."""
    monkeypatch.setattr(rate_limit, "_FIRST_GUESS", FIRST_GUESS)


class FakeClock:
    """Time that passes only by waiting, and random numbers that are always the largest."""

    def __init__(self) -> None:
        self.seconds = 100.0
        self.waits: list[float] = []
        self.random_number = 0.5

    def monotonic(self) -> float:
        return self.seconds

    def now(self) -> datetime:
        return datetime(2026, 11, 20, 12, tzinfo=UTC) + timedelta(seconds=self.seconds - 100)

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.seconds += seconds

    def draw(self) -> float:
        return self.random_number


def as_unread(answer: httpx.Response) -> httpx.Response:
    """Return the response with an unread stream. A response created with content counts as read."""
    stream = httpx.ByteStream(answer.content) if answer.is_closed else answer.stream
    return httpx.Response(answer.status_code, headers=answer.headers, stream=stream)


class Exchange:
    """Answers requests from a list of answers or exceptions, and records the requests."""

    def __init__(self, answers: list[httpx.Response | Exception] | Handler) -> None:
        self._answers = answers
        self.requests: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self._answers(request) if callable(self._answers) else self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return as_unread(answer)

    def body(self, index: int = 0) -> Any:
        return json.loads(self.requests[index].content)


@pytest.fixture
def far_from_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Use a local time zone that is half a day from UTC."""
    monkeypatch.setenv("TZ", "Pacific/Auckland")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


class Clients:
    """Creates clients that use an exchange, and closes them."""

    def __init__(self, clock: FakeClock) -> None:
        self._clock = clock
        self._made: list[ServiceClient] = []

    def __call__(
        self, *answers: httpx.Response | Exception | Handler, base_url: str = "https://service.example", **options: Any
    ) -> tuple[ServiceClient, Exchange]:
        only = answers[0] if len(answers) == 1 and callable(answers[0]) else None
        exchange = Exchange(only if only is not None else list(answers))  # type: ignore[arg-type]
        options.setdefault("retry", RetryPolicy())
        options.setdefault("username", "ana")
        options.setdefault("password", "correct horse")
        client = ServiceClient(
            base_url,
            8800,
            clock=self._clock,
            transport=httpx.MockTransport(exchange),
            **options,
        )
        self._made.append(client)
        return client, exchange

    def close(self) -> None:
        for client in self._made:
            client.close()


@pytest.fixture
def clients(clock: FakeClock) -> Iterator[Clients]:
    made = Clients(clock)
    yield made
    made.close()
