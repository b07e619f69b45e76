"""The token bucket: under the rate whatever is asked of it, and one for all threads of a connection."""

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client import Connection
from client.clock import SystemClock
from client.rate_limit import TokenBucket, shared_bucket
from tests.unit.client.conftest import FakeClock


@given(
    rate=st.floats(0.5, 200),
    burst=st.floats(1, 20),
    pauses=st.lists(st.floats(0, 2), min_size=1, max_size=60),
)
def test_no_stretch_of_time_sees_more_than_its_rate_and_one_burst(
    rate: float, burst: float, pauses: list[float]
) -> None:
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


def test_turns_taken_at_once_are_spread_over_time(clock: FakeClock) -> None:
    bucket = TokenBucket(10, clock, burst=1)
    waits = [bucket._reserve() for _ in range(5)]
    assert waits == pytest.approx([0, 0.1, 0.2, 0.3, 0.4])


def test_without_a_rate_nothing_waits_until_the_service_asks_for_a_pause(clock: FakeClock) -> None:
    bucket = TokenBucket(None, clock)
    assert [bucket.acquire() for _ in range(100)] == [0.0] * 100
    bucket.pause(3)
    assert bucket.acquire() == 3
    assert bucket.acquire() == 0


def test_a_pause_holds_back_everyone_and_is_followed_by_no_burst(clock: FakeClock) -> None:
    bucket = TokenBucket(10, clock, burst=5)
    bucket.pause(2)
    assert [bucket._reserve() for _ in range(3)] == pytest.approx([2, 2.1, 2.2])


def test_a_rate_is_above_zero(clock: FakeClock) -> None:
    with pytest.raises(ValueError, match="above 0"):
        TokenBucket(0, clock)


def test_clients_of_one_connection_share_a_bucket_and_others_do_not() -> None:
    clock = SystemClock()
    ana = Connection("https://service.example", 8800, "ana", "secret")
    bob = Connection("https://service.example", 8800, "bob", "secret")
    first = shared_bucket(ana, 10, clock)
    assert shared_bucket(Connection("https://service.example", 8800, "ana", "secret"), 10, clock) is first
    assert shared_bucket(bob, 10, clock) is not first


def test_threads_never_take_the_same_turn(clock: FakeClock) -> None:
    bucket = TokenBucket(10, clock, burst=1)
    turns: list[float] = []
    threads = [threading.Thread(target=lambda: turns.append(bucket._reserve())) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(turns) == pytest.approx([turn / 10 for turn in range(20)])


def test_a_refusal_slows_down_for_a_while_and_never_beyond_the_configured_rate(clock: FakeClock) -> None:
    bucket = TokenBucket(20, clock)
    bucket.refused()
    slowed = bucket.rate
    assert slowed is not None
    assert slowed < 20
    bucket.refused()
    assert bucket.rate == slowed, "refusals of requests that were under way count once"
    clock.seconds += 2
    bucket.refused()
    assert bucket.rate is not None
    assert bucket.rate < slowed
    for _ in range(5000):
        bucket.acquire()
    assert bucket.rate == 20


def test_the_first_guess_is_what_passed_in_a_second(clock: FakeClock) -> None:
    bucket = TokenBucket(None, clock)
    for _ in range(50):
        bucket.accepted()
    bucket.refused()
    assert bucket.rate == pytest.approx(40)
    waits = [bucket.acquire() for _ in range(5)]
    assert all(wait > 0 for wait in waits)
