"""How often a password may be tried: limits by account and address, by account, and by address.

A try counts from its beginning, before anybody knows what the service answers: many at once are many. It stops counting
when the answer is that nothing was wrong with the password.
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
"""Bits of an IPv6 address that one customer of a provider is given to fill in as they like."""


@dataclass(frozen=True)
class Attempt:
    """Who tries to sign in, and from where. The organization is left out: one password opens all of a user's."""

    address: str
    username: str

    @property
    def counted_under(self) -> dict[Hashable, int]:
        """What this try counts under, each with how many tries it allows."""
        account, place = self.username.casefold(), _place(self.address)
        return {(place, account): PERSON_LIMIT, ("account", account): ACCOUNT_LIMIT, ("address", place): ADDRESS_LIMIT}


class Attempts:
    """Counts tries in a sliding window of five minutes; safe to call from any thread."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._tries: defaultdict[Hashable, list[float]] = defaultdict(list)

    def begin(self, attempt: Attempt) -> float:
        """Count one try and return 0; or count none, and return how many seconds this person must wait first."""
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
        """Stop counting one try: its password was not found wrong."""
        with self._lock:
            for who in attempt.counted_under:
                if self._tries.get(who):
                    self._tries[who].pop()

    def succeeded(self, attempt: Attempt) -> None:
        """Stop counting this try, and this person's wrong ones at this address; those from elsewhere still count."""
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
