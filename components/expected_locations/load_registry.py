"""The loads this server process holds: found again by any tab of a connection, let go when nobody looks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

from components.expected_locations.load_state import LoadKey
from components.expected_locations.roster_load import RosterLoad

MOST_LOADS: Final = 8


class LoadRegistry:
    """Loads by connection and roster; of a connection at most `most`, and none not looked at for `idle_seconds`.

    A load that is under way is never let go: a closed tab loses nothing.
    """

    def __init__(self, *, most: int = MOST_LOADS, clock: Callable[[], float] = time.monotonic) -> None:
        """Start empty."""
        self._most = most
        self._clock = clock
        self._lock = threading.Lock()
        self._loads: dict[LoadKey, RosterLoad] = {}

    def open(self, key: LoadKey, make: Callable[[], RosterLoad], *, idle_seconds: float) -> RosterLoad:
        """Return the load under the key, making it first where there is none; it counts as looked at."""
        with self._lock:
            load = self._loads.get(key)
            if load is None:
                load = self._loads[key] = make()
            load.touched = self._clock()
            self._let_go(key, idle_seconds)
            return load

    def forget(self, fingerprint: str) -> None:
        """Stop and let go all loads of a connection, as when its session ends."""
        with self._lock:
            for key in [key for key in self._loads if key.fingerprint == fingerprint]:
                self._loads.pop(key).stop()

    def __len__(self) -> int:
        return len(self._loads)

    def _let_go(self, wanted: LoadKey, idle_seconds: float) -> None:
        resting = sorted(
            (key for key, load in self._loads.items() if key != wanted and not load.is_running),
            key=lambda key: self._loads[key].touched,
        )
        # Never another connection's for want of room: many people at once would read their rosters again and again.
        own = sum(key.fingerprint == wanted.fingerprint for key in self._loads)
        for key in resting:
            is_idle = self._clock() - self._loads[key].touched > idle_seconds
            is_own = key.fingerprint == wanted.fingerprint
            if is_idle or (is_own and own > self._most):
                del self._loads[key]
                own -= is_own


LOADS: Final = LoadRegistry()
