"""A token bucket that keeps the requests of one connection under a rate, configured or learnt, whoever sends them."""

import threading
from weakref import WeakValueDictionary

from .clock import Clock
from .connection import Connection

# ASSUMPTION A47
_SLOWED_TO = 0.8
"""What is left of the learnt rate after a refusal."""
_FIRST_GUESS = 4.0
"""The least that is taken for the service's limit at its first refusal."""
_SLOWEST = 0.5
_GROWTH = 0.5
"""Requests a second by which the learnt rate grows each second."""
_GROWTH_SHARE = 0.05
"""As above, as a share of the rate, where that is more."""
_SETTLING = 1.0
"""Seconds in which further refusals count as the same one: they were sent before it was known."""


class TokenBucket:
    """Lets `rate` requests a second pass, with bursts of `burst`; without a rate, all of them.

    Services refuse what exceeds their limit, mostly without saying what it is (429). So the bucket learns: refused, it
    slows down for every thread. It grows faster again while requests have to wait for it, to one step beyond what was
    seen to pass in a second, so that a limit that was raised is found out. It never exceeds the configured rate.
    """

    def __init__(self, rate: float | None, clock: Clock, *, burst: float | None = None) -> None:
        if rate is not None and not rate > 0:
            raise ValueError("a rate limit is a number of requests a second, above 0")
        self._clock = clock
        self._configured = rate
        self._learnt: float | None = None
        # ASSUMPTION A44
        self._burst = max(1.0, burst if burst is not None else (rate or 0) / 4)
        self._tokens = self._burst
        # The moment up to which tokens are counted; during a pause it lies in the future.
        self._counted_to = clock.monotonic()
        self._refused_at: float | None = None
        self._window = (clock.monotonic(), 0)
        self._passed = 0
        self._is_open = rate is None
        self._lock = threading.Lock()

    @property
    def rate(self) -> float | None:
        """Requests a second that pass at present; None without a limit."""
        known = [rate for rate in (self._configured, self._learnt) if rate is not None]
        return min(known, default=None)

    def acquire(self) -> float:
        """Wait for one's turn; gives the seconds waited."""
        if self._is_open:
            return 0.0
        wait = self._reserve()
        if wait > 0:
            self._clock.sleep(wait)
        return wait

    def accepted(self) -> None:
        """Take note that a request was not refused: the most that passed in a second bounds what is learnt."""
        now = self._clock.monotonic()
        began, count = self._window
        count = count + 1 if now - began < 1 else 1
        # Without the lock: a count lost between threads does not matter to a guess.
        self._window = (began if count > 1 else now, count)
        self._passed = max(self._passed, count)

    def refused(self) -> None:
        """Slow down: the service refused a request as one too many."""
        with self._lock:
            now = self._clock.monotonic()
            if self._refused_at is not None and now - self._refused_at < _SETTLING:
                return
            self._refused_at = now
            before = self.rate
            if self._learnt is None:
                guess = max(_FIRST_GUESS, float(self._window[1]))
                before = guess if before is None else min(before, guess)
            self._learnt = max(_SLOWEST, _SLOWED_TO * (before or _SLOWEST))
            self._tokens = min(self._tokens, 0.0)
            self._counted_to = max(self._counted_to, now)
            self._is_open = False

    def pause(self, seconds: float) -> None:
        """Let nothing pass for this long from now, and then no burst."""
        with self._lock:
            until = self._clock.monotonic() + seconds
            if until > self._counted_to:
                self._counted_to = until
                self._tokens = min(self._tokens, 1.0)
                self._is_open = False

    def _reserve(self) -> float:
        with self._lock:
            now = self._clock.monotonic()
            rate = self.rate
            if now >= self._counted_to:
                seconds = now - self._counted_to
                self._counted_to = now
                if rate is None:
                    self._is_open = True
                else:
                    self._grow(min(seconds, -self._tokens / rate))
                    self._tokens = min(self._burst, self._tokens + seconds * rate)
            wait = self._counted_to - now
            if rate is not None:
                self._tokens -= 1
                wait += max(0.0, -self._tokens / rate)
            return wait

    def _grow(self, seconds: float) -> None:
        """Raise what was learnt, for as long as requests waited for it."""
        if self._learnt is not None and seconds > 0:
            step = max(_GROWTH, _GROWTH_SHARE * self._learnt)
            self._learnt = max(self._learnt, min(self._learnt + seconds * step, self._passed + step))


_shared: WeakValueDictionary[tuple[str, float | None], TokenBucket] = WeakValueDictionary()
_shared_lock = threading.Lock()


def shared_bucket(connection: Connection, rate: float | None, clock: Clock) -> TokenBucket:
    """The one bucket of a connection in this process: two sessions of one user share what the service allows."""
    key = (connection.fingerprint, rate)
    with _shared_lock:
        bucket = _shared.get(key)
        if bucket is None:
            bucket = TokenBucket(rate, clock)
            _shared[key] = bucket
        return bucket
