"""How often a wrong password may be tried: a limit by account and address, and one by address alone."""

from __future__ import annotations

import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Final

WINDOW_SECONDS: Final = 300.0
ACCOUNT_LIMIT: Final = 5
ADDRESS_LIMIT: Final = 30


@dataclass(frozen=True)
class Attempt:
    """Who tries to sign in, and from where."""

    address: str
    organization_id: int
    username: str

    @property
    def account(self) -> Hashable:
        """What one person at one address is counted under, however they write their name."""
        return (self.address, self.organization_id, self.username.casefold())


class Attempts:
    """Counts failures in a sliding window of five minutes; safe to call from any thread."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._failures: defaultdict[Hashable, deque[float]] = defaultdict(deque)

    def wait(self, attempt: Attempt) -> float:
        """Return how many seconds this person at this address must wait before trying again; 0 for not at all."""
        with self._lock:
            now = self._clock()
            return max(
                self._wait_of(attempt.account, ACCOUNT_LIMIT, now),
                self._wait_of(attempt.address, ADDRESS_LIMIT, now),
            )

    def failed(self, attempt: Attempt) -> None:
        """Count one wrong password."""
        with self._lock:
            now = self._clock()
            self._failures[attempt.account].append(now)
            self._failures[attempt.address].append(now)
            self._forget_old(now)

    def succeeded(self, attempt: Attempt) -> None:
        """Forget this person's wrong passwords at this address; those of others there still count."""
        with self._lock:
            self._failures.pop(attempt.account, None)

    def _wait_of(self, who: Hashable, limit: int, now: float) -> float:
        recent = [at for at in self._failures.get(who, ()) if at > now - WINDOW_SECONDS]
        return recent[-limit] + WINDOW_SECONDS - now if len(recent) >= limit else 0.0

    def _forget_old(self, now: float) -> None:
        for who, times in list(self._failures.items()):
            while times and times[0] <= now - WINDOW_SECONDS:
                times.popleft()
            if not times:
                del self._failures[who]
