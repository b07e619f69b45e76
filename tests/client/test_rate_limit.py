"""The token bucket: it never exceeds the rate, and all threads of a connection share it."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client import Connection
from client.clock import SystemClock
from client.rate_limit import TokenBucket, shared_bucket
from tests.client.conftest import FakeClock


@given(
    rate=st.floats(0.5, 200),
    burst=st.floats(1, 20),
    pauses=st.lists(st.floats(0, 2), min_size=1, max_size=60),
)
def test_no_interval_exceeds_the_rate_plus_one_burst(rate: float, burst: float, pauses: list[float]) -> None:
    clock = FakeClock()
    bucket = TokenBucket(rate, clock, burst=burst)
    passed = []
    for pause in pauses:
        clock.seconds += pause
        bucket.acquire()
        passed.append(clock.monotonic())
    for first in range(len(passed)):
        for last in range(first, len(passed)):
            assert last - first + 1 <= burst + rate * (passed[last] - passed[first]) + 1e-6


def test_concurrent_requests_are_spread_over_time(clock: FakeClock) -> None:
    bucket = TokenBucket(10, clock, burst=1)
    waits = [bucket._reserve() for _ in range(5)]
    assert waits == pytest.approx([0, 0.1, 0.2, 0.3, 0.4])


def test_without_a_rate_requests_wait_only_if_the_service_asks(clock: FakeClock) -> None:
    bucket = TokenBucket(None, clock)
    assert [bucket.acquire() for _ in range(100)] == [0.0] * 100
    bucket.pause(3)
    assert bucket.acquire() == 3
    assert bucket.acquire() == 0


def test_a_pause_delays_all_requests_and_no_burst_follows(clock: FakeClock) -> None:
    bucket = TokenBucket(10, clock, burst=5)
    bucket.pause(2)
    assert [bucket._reserve() for _ in range(3)] == pytest.approx([2, 2.1, 2.2])


def test_a_rate_must_be_positive(clock: FakeClock) -> None:
    with pytest.raises(ValueError, match="above 0"):
        TokenBucket(0, clock)


def test_only_clients_of_one_connection_share_a_bucket() -> None:
    clock = SystemClock()
    ana = Connection("https://service.example", 8800, "ana", "secret")
    bob = Connection("https://service.example", 8800, "bob", "secret")
    first = shared_bucket(ana, 10, clock)
    assert shared_bucket(Connection("https://service.example", 8800, "ana", "secret"), 10, clock) is first
    assert shared_bucket(bob, 10, clock) is not first


def test_threads_never_get_the_same_slot(clock: FakeClock) -> None:
    bucket = TokenBucket(10, clock, burst=1)
    turns: list[float] = []
    threads = [threading.Thread(target=lambda: turns.append(bucket._reserve())) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(turns) == pytest.approx([turn / 10 for turn in range(20)])


def test_a_refusal_lowers_the_rate_temporarily_and_never_raises_it_above_the_configured_rate(clock: FakeClock) -> None:
    bucket = TokenBucket(20, clock)
    bucket.record_refused()
    slowed = bucket.rate
    assert slowed is not None
    assert slowed < 20
    bucket.record_refused()
    assert bucket.rate == slowed, "concurrent refusals count once"
    clock.seconds += 2
    bucket.record_refused()
    assert bucket.rate is not None
    assert bucket.rate < slowed
    for _ in range(5000):
        bucket.acquire()
        bucket.record_accepted()
    assert bucket.rate == 20


def test_the_first_estimate_is_the_number_accepted_in_a_second(clock: FakeClock) -> None:
    bucket = TokenBucket(None, clock)
    for _ in range(50):
        bucket.record_accepted()
    bucket.record_refused()
    assert bucket.rate == pytest.approx(40)
    waits = [bucket.acquire() for _ in range(5)]
    assert all(wait > 0 for wait in waits)


class Limited:
    """A service that accepts `limit` requests per second with a small burst, and a bucket that learns the limit."""

    def __init__(self, clock: FakeClock, limit: float) -> None:
        self.clock = clock
        self.limit = limit
        self.bucket = TokenBucket(None, clock)
        self.refusals = 0
        self.most_in_a_second = 0
        self._passed: list[float] = []
        self._tokens = self._burst = 3.0
        self._counted_to = clock.monotonic()

    def ask(self, times: int) -> None:
        for _ in range(times):
            self.bucket.acquire()
            now = self.clock.monotonic()
            self._tokens = min(self._burst, self._tokens + (now - self._counted_to) * self.limit)
            self._counted_to = now
            if self._tokens < 1:
                self.refusals += 1
                self.bucket.record_refused()
                continue
            self._tokens -= 1
            self.bucket.record_accepted()
            self._passed = [at for at in self._passed if now - at < 1] + [now]
            self.most_in_a_second = max(self.most_in_a_second, len(self._passed))


@given(
    limit=st.floats(1, 100),
    calm=st.floats(0, 3600),
    bursts=st.lists(st.integers(1, 300), min_size=1, max_size=5),
)
def test_the_learned_rate_never_exceeds_the_accepted_rate_by_more_than_a_step(
    limit: float, calm: float, bursts: list[int]
) -> None:
    service = Limited(FakeClock(), limit)
    service.ask(50)
    for burst in bursts:
        service.clock.seconds += calm
        service.ask(burst)
        rate = service.bucket.rate
        assert rate is not None or service.refusals == 0
        if rate is not None:
            assert rate <= max(4.0, (service.most_in_a_second + 0.5) / 0.95)


def test_idle_minutes_do_not_change_the_learned_rate(clock: FakeClock) -> None:
    service = Limited(clock, limit=10)
    service.ask(200)
    learnt, refusals = service.bucket.rate, service.refusals
    assert learnt is not None
    clock.seconds += 600
    service.ask(3000)
    assert service.refusals - refusals <= 3000 * 0.05
    assert learnt / 2 < service.bucket.rate <= 15  # type: ignore[operator]


def test_a_raised_limit_is_detected(clock: FakeClock) -> None:
    service = Limited(clock, limit=2)
    service.ask(100)
    service.limit = 50
    began = clock.monotonic()
    service.ask(3000)
    assert 3000 / (clock.monotonic() - began) > 25
