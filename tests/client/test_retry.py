"""Retry decisions: whether and when a call is repeated."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client import (
    ConnectionFailed,
    NotFound,
    Rejected,
    RetryPolicy,
    ServiceError,
    ServiceFailed,
    TimedOut,
    TooManyRequests,
    UndecodableAnswer,
)
from client.retry import Effect, may_have_been_done, may_repeat, retry_after_seconds

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
REFUSED = ConnectionFailed("", sent=False)
BROKEN = ConnectionFailed("", sent=None)
SLOW = TimedOut("", sent=None)
LIMITED = TooManyRequests("", status=429)
BAD_GATEWAY = ServiceFailed("", status=502)
FAILED = ServiceFailed("", status=500)
SEE_OTHER = Rejected("", status=303)
MOVED = Rejected("", status=308)

waits = st.floats(0, 60, allow_nan=False)


@given(attempt=st.integers(2, 10_000), draw=st.floats(0, 1, exclude_max=True), first=waits, longest=waits)
def test_a_wait_is_random_up_to_its_doubling_limit(attempt: int, draw: float, first: float, longest: float) -> None:
    policy = RetryPolicy(attempts=10_000, first_wait=first, longest_wait=longest, total_wait=1e9)
    wait = policy.wait_before(attempt, elapsed=0, draw=draw)
    assert wait is not None
    assert 0 <= wait <= min(longest, first * 2 ** min(attempt - 2, 60))


@given(elapsed=waits, draw=st.floats(0, 1, exclude_max=True), retry_after=st.none() | waits)
def test_no_attempt_starts_after_the_total(elapsed: float, draw: float, retry_after: float | None) -> None:
    policy = RetryPolicy(total_wait=30)
    wait = policy.wait_before(3, elapsed=elapsed, draw=draw, retry_after=retry_after)
    assert wait is None or elapsed + wait <= 30


@given(retry_after=st.floats(0, 20), draw=st.floats(0, 1, exclude_max=True))
def test_the_wait_that_the_service_requests_is_used_in_full(retry_after: float, draw: float) -> None:
    wait = RetryPolicy().wait_before(2, elapsed=0, draw=draw, retry_after=retry_after)
    assert wait is not None
    assert wait >= retry_after


def test_attempts_are_counted_from_one() -> None:
    policy = RetryPolicy(attempts=2)
    assert policy.wait_before(2, elapsed=0, draw=0) is not None
    assert policy.wait_before(3, elapsed=0, draw=0) is None


@pytest.mark.parametrize("options", [{"attempts": 0}, {"first_wait": -1}, {"total_wait": -1}])
def test_an_invalid_policy_is_refused(options: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="retry policy"):
        RetryPolicy(**options)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None),
        ("7", 7.0),
        (" 0.5 ", 0.5),
        ("Fri, 20 Nov 2026 12:00:30 GMT", 30.0),
        ("Fri, 20 Nov 2026 11:00:00 GMT", 0.0),
        ("soon", None),
        ("", None),
        ("-3", None),
        ("nan", None),
        ("Fri, 20 Nov 99999999999999999999 12:00:30 GMT", None),
        ("Fri, 20 Nov 2026 12:00:30 +99999999999999", None),
    ],
)
def test_retry_after_is_read_as_seconds_and_as_a_date(value: str | None, seconds: float | None) -> None:
    assert retry_after_seconds(value, now=NOW) == seconds


@pytest.mark.parametrize(
    ("effect", "repeated"),
    [
        (Effect.READS, {REFUSED, BROKEN, SLOW, LIMITED, BAD_GATEWAY}),
        (Effect.REPLACES, {REFUSED, BROKEN, SLOW, LIMITED, BAD_GATEWAY}),
        (Effect.REMOVES, {REFUSED, LIMITED}),
        (Effect.CREATES, set()),
    ],
)
def test_the_effect_decides_whether_a_call_is_repeated(effect: Effect, repeated: set[ServiceError]) -> None:
    errors = {REFUSED, BROKEN, SLOW, LIMITED, BAD_GATEWAY, FAILED, NotFound(""), UndecodableAnswer("")}
    assert {error for error in errors if may_repeat(effect, error)} == repeated


@pytest.mark.parametrize("effect", [Effect.REPLACES, Effect.REMOVES, Effect.CREATES])
def test_a_change_may_be_done_if_its_response_was_lost_or_the_service_failed(effect: Effect) -> None:
    errors = {REFUSED, BROKEN, SLOW, LIMITED, BAD_GATEWAY, FAILED, SEE_OTHER, MOVED, NotFound("")}
    maybe_done = {BROKEN, SLOW, BAD_GATEWAY, FAILED, SEE_OTHER}
    assert {error for error in errors if may_have_been_done(effect, error)} == maybe_done
    assert not any(may_have_been_done(Effect.READS, error) for error in errors)
