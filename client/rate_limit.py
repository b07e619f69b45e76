"""A token bucket that keeps the requests of one connection under a rate, configured or learned."""

import threading
from weakref import WeakValueDictionary

from .clock import Clock
from .connection import Connection

# ASSUMPTION A47
_SLOWED_TO = 0.8
"""The factor applied to the learned rate after a refusal."""
_FIRST_GUESS = 4.0
"""The lowest rate assumed at the first refusal."""
_SLOWEST = 0.5
_GROWTH = 0.5
"""The growth of the learned rate per second, in requests per second."""
_GROWTH_SHARE = 0.05
"""The same as a share of the rate, if that is more."""
_SETTLING = 1.0
"""The seconds in which further refusals count as the same one, because their requests were sent before it."""


class TokenBucket:
    """Passes `rate` requests per second, with bursts of `burst`; without a rate, all requests.

    Services refuse requests beyond their limit (429), usually without naming it. So the bucket learns: after a refusal
    it slows down for all threads. While requests wait, the rate grows again, to one step beyond the most that passed in
    a second, so that a raised limit is found. The rate never exceeds the configured one.
    """

    def __init__(self, rate: float | None, clock: Clock, *, burst: float | None = None) -> None:
        if rate is not None and not rate > 0:
            raise ValueError("a rate limit is a number of requests per second above 0")
        self._clock = clock
        self._configured = rate
        self._learnt: float | None = None
        # ASSUMPTION A44
        self._burst = max(1.0, burst if burst is not None else (rate or 0) / 4)
        self._tokens = self._burst
        # The time up to which tokens are counted; during a pause it lies in the future.
        self._counted_to = clock.monotonic()
        self._refused_at: float | None = None
        self._window = (clock.monotonic(), 0)
        self._passed = 0
        self._is_open = rate is None
        self._lock = threading.Lock()

    @property
    def rate(self) -> float | None:
        """The current rate in requests per second; None without a limit."""
        known = [rate for rate in (self._configured, self._learnt) if rate is not None]
        return min(known, default=None)

    def acquire(self) -> float:
        """Wait for a token. Returns the seconds waited."""
        if self._is_open:
            return 0.0
        wait = self._reserve()
        if wait > 0:
            self._clock.sleep(wait)
        return wait

    def record_accepted(self) -> None:
        """Record that a request was accepted. The most that passed in a second limits the learned rate."""
        now = self._clock.monotonic()
        began, count = self._window
        count = count + 1 if now - began < 1 else 1
        # Without the lock: a lost count does not matter for an estimate.
        self._window = (began if count > 1 else now, count)
        self._passed = max(self._passed, count)

    def record_refused(self) -> None:
        """Slow down, because the service refused a request as one too many."""
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
        """Pass nothing for this many seconds, and then no burst."""
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
        """Raise the learned rate for the time that requests waited."""
        if self._learnt is not None and seconds > 0:
            step = max(_GROWTH, _GROWTH_SHARE * self._learnt)
            self._learnt = max(self._learnt, min(self._learnt + seconds * step, self._passed + step))


_shared: WeakValueDictionary[tuple[str, float | None], TokenBucket] = WeakValueDictionary()
_shared_lock = threading.Lock()


def shared_bucket(connection: Connection, rate: float | None, clock: Clock) -> TokenBucket:
    """Return the bucket of a connection in this process: sessions of the same user share the service's limit."""
    key = (connection.fingerprint, rate)
    with _shared_lock:
        bucket = _shared.get(key)
        if bucket is None:
            bucket = TokenBucket(rate, clock)
            _shared[key] = bucket
        return bucket
