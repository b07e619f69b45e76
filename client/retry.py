"""When a call may be tried again, and after how long: decisions without a clock, a socket or a die of their own."""

import enum
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from .errors import ConnectionFailed, ServiceError, ServiceFailed, TimedOut, TooManyRequests, TransportError

RETRIED_STATUSES = frozenset({502, 503, 504})
"""Statuses of the 5xx that promise another try may succeed; 429 has an error of its own."""

ANSWERS_OF_DONE_WORK = frozenset({302, 303})
"""Redirects with which a service, or what stands before it, may answer what it has carried out."""


class Effect(enum.Enum):
    """What a call does to the service, and with it how far it may be repeated by machine."""

    READS = "reads"
    """Changes nothing: may be repeated freely."""
    REPLACES = "replaces"
    """Done twice, it has the effect of once: may be repeated, but a lost answer leaves its outcome unknown."""
    REMOVES = "removes"
    """Done twice, it says "not found": repeated only where the service surely has not carried it out."""
    CREATES = "creates"
    """Done twice, there are two: never repeated."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and how long to try.

    `attempts` counts the first one. Waits are in seconds: the n-th is drawn evenly between 0 and
    `first_wait * 2**(n-1)`, at most `longest_wait`. No attempt begins later than `total_wait` after the first.
    """

    attempts: int = 6
    first_wait: float = 0.5
    longest_wait: float = 8.0
    total_wait: float = 45.0

    def __post_init__(self) -> None:
        if self.attempts < 1 or min(self.first_wait, self.longest_wait, self.total_wait) < 0:
            raise ValueError("a retry policy needs at least one attempt and no negative waits")

    def wait_before(
        self, attempt: int, *, elapsed: float, draw: float, retry_after: float | None = None
    ) -> float | None:
        """Seconds to wait before attempt number `attempt` (2 is the first repetition), or None to give up.

        `elapsed` is the time since the first attempt began, `draw` is evenly drawn from [0, 1). Where the service
        named a time, it is waited for in full, with up to `first_wait` more so that callers do not return in step.
        """
        if attempt > self.attempts:
            return None
        if retry_after is not None:
            wait = retry_after + draw * self.first_wait
        else:
            # 2**60 is far beyond any wait: it only keeps the power from overflowing.
            wait = draw * min(self.longest_wait, self.first_wait * 2 ** min(attempt - 2, 60))
        return wait if elapsed + wait <= self.total_wait else None


def may_repeat(effect: Effect, error: ServiceError) -> bool:
    """Whether a call with this effect may be sent again after this error."""
    match effect:
        case Effect.READS | Effect.REPLACES:
            return isinstance(error, ConnectionFailed | TimedOut | TooManyRequests) or (
                isinstance(error, ServiceFailed) and error.status in RETRIED_STATUSES
            )
        case Effect.REMOVES:
            return isinstance(error, TooManyRequests) or (isinstance(error, ConnectionFailed) and error.sent is False)
        case Effect.CREATES:
            return False


def may_have_been_done(effect: Effect, error: ServiceError) -> bool:
    """Whether a call that changes something may have been carried out although this came of it."""
    if effect is Effect.READS:
        return False
    return (
        isinstance(error, ServiceFailed)
        or error.status in ANSWERS_OF_DONE_WORK
        or (isinstance(error, TransportError) and error.sent is not False)
    )


NO_RETRY = RetryPolicy(attempts=1)


def retry_after_seconds(value: str | None, *, now: datetime) -> float | None:
    """What a `Retry-After` header asks for, in seconds from `now` (aware); None where it cannot be read."""
    if value is None:
        return None
    text = value.strip()
    if text.isascii() and text.replace(".", "", 1).isdigit():
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())
