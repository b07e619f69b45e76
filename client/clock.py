"""Time and randomness for the transport, in one object that tests replace."""

import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Protocol

_stop: ContextVar[threading.Event | None] = ContextVar("stop", default=None)


class Interrupted(Exception):
    """The waiting was interrupted because its result is no longer needed."""


class Clock(Protocol):
    """The time and randomness that the transport uses."""

    def monotonic(self) -> float:
        """Return seconds from an arbitrary start; never runs backward."""

    def now(self) -> datetime:
        """Return the current aware time."""

    def sleep(self, seconds: float) -> None:
        """Wait. Raises `Interrupted` as soon as the result is no longer needed."""

    def draw(self) -> float:
        """Return a random number, uniform in [0, 1)."""


class SystemClock:
    """The time and randomness of the system."""

    def monotonic(self) -> float:
        return time.monotonic()

    def now(self) -> datetime:
        return datetime.now(UTC)

    def sleep(self, seconds: float) -> None:
        stop = _stop.get()
        if stop is None:
            time.sleep(seconds)
        elif stop.wait(seconds):
            raise Interrupted

    def draw(self) -> float:
        return random.random()  # noqa: S311 - spreads retries; guards nothing


@contextmanager
def interrupted_by(stop: threading.Event) -> Iterator[None]:
    """Within this context, waits of the system clock end when `stop` is set."""
    token = _stop.set(stop)
    try:
        yield
    finally:
        _stop.reset(token)
