"""Time and chance as the transport sees them, in one object so that tests can put their own in its place."""

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
    """The work that was waiting is no longer wanted."""


class Clock(Protocol):
    """What the transport needs of time and chance."""

    def monotonic(self) -> float:
        """Seconds from an arbitrary start; never runs back."""

    def now(self) -> datetime:
        """The aware time of day."""

    def sleep(self, seconds: float) -> None:
        """Wait; raise `Interrupted` as soon as the work is no longer wanted."""

    def draw(self) -> float:
        """An even draw from [0, 1)."""


class SystemClock:
    """The machine's own time and chance."""

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
    """Within this context, waits of the system clock end at once when `stop` is set."""
    token = _stop.set(stop)
    try:
        yield
    finally:
        _stop.reset(token)
