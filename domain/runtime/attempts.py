"""Limits on attempts to sign in: per account and address, per account, and per address.

An attempt counts from its start, before the service has responded, so that parallel attempts count too. It no longer
counts if the password was not wrong.
"""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

WINDOW_SECONDS: Final = 300.0
PERSON_LIMIT: Final = 5
ACCOUNT_LIMIT: Final = 20
ADDRESS_LIMIT: Final = 30
_ONE_HOUSEHOLD: Final = 64
"""The length of the prefix of an IPv6 address that one customer of a provider has."""


@dataclass(frozen=True)
class Attempt:
    """The user name and IP address of an attempt. The organization does not matter: a user has one password for all."""

    address: str
    username: str

    @property
    def counted_under(self) -> dict[Hashable, int]:
        """The keys that the attempt counts under, each with its limit."""
        account, place = self.username.casefold(), _place(self.address)
        return {(place, account): PERSON_LIMIT, ("account", account): ACCOUNT_LIMIT, ("address", place): ADDRESS_LIMIT}


class Attempts:
    """Counts attempts in a sliding window of 5 minutes. Thread-safe."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._tries: defaultdict[Hashable, list[float]] = defaultdict(list)

    def begin(self, attempt: Attempt) -> float:
        """Count an attempt and return 0, or return the seconds to wait without counting it."""
        with self._lock:
            now = self._clock()
            self._forget_old(now)
            counts = attempt.counted_under
            full = [self._tries[who][-limit] for who, limit in counts.items() if len(self._tries.get(who, ())) >= limit]
            if full:
                return max(full) + WINDOW_SECONDS - now
            for who in counts:
                self._tries[who].append(now)
            return 0.0

    def take_back(self, attempt: Attempt) -> None:
        """Remove an attempt whose password was not wrong."""
        with self._lock:
            for who in attempt.counted_under:
                if self._tries.get(who):
                    self._tries[who].pop()

    def succeeded(self, attempt: Attempt) -> None:
        """Remove this attempt and the user's wrong ones from this address, but not those from other addresses."""
        self.take_back(attempt)
        with self._lock:
            self._tries.pop(next(iter(attempt.counted_under)), None)

    def _forget_old(self, now: float) -> None:
        for who, times in list(self._tries.items()):
            times[:] = [at for at in times if at > now - WINDOW_SECONDS]
            if not times:
                del self._tries[who]


def _place(address: str) -> str:
    try:
        known = ip_address(address)
    except ValueError:
        return address
    if isinstance(known, IPv6Address):
        return str(known.ipv4_mapped or ip_network((known, _ONE_HOUSEHOLD), strict=False))
    return address
