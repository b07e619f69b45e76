"""When a call may be repeated, and after how long. Pure decisions, without a clock, network, or randomness."""

import enum
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from .errors import ConnectionFailed, ServiceError, ServiceFailed, TimedOut, TooManyRequests, TransportError

RETRIED_STATUSES = frozenset({502, 503, 504})
"""The 5xx statuses after which another attempt may succeed; 429 has an error of its own."""

ANSWERS_OF_DONE_WORK = frozenset({302, 303})
"""The redirects with which a service, or a gateway, may answer a request that it has carried out."""


class Effect(enum.Enum):
    """The effect of a call at the service, which decides whether it may be repeated."""

    READS = "reads"
    """Changes nothing: may be repeated freely."""
    REPLACES = "replaces"
    """Has the same effect when done twice: may be repeated, but after a lost answer its outcome is unknown."""
    REMOVES = "removes"
    """Fails with "not found" when done twice: repeated only if the service certainly has not carried it out."""
    CREATES = "creates"
    """Creates two records when done twice: never repeated."""


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and how long to try.

    `attempts` includes the first attempt. The n-th wait, in seconds, is uniform between 0 and `first_wait * 2**(n-1)`,
    at most `longest_wait`. No attempt begins later than `total_wait` after the first.
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
        """Return the seconds to wait before attempt number `attempt` (2 is the first repetition), or None to give up.

        `elapsed` is the time since the first attempt began, and `draw` is uniform in [0, 1). If the service named a
        time, the wait is at least that long, plus up to `first_wait` so that callers do not return at once.
        """
        if attempt > self.attempts:
            return None
        if retry_after is not None:
            wait = retry_after + draw * self.first_wait
        else:
            # 2**60 exceeds any wait; the limit prevents an overflow.
            wait = draw * min(self.longest_wait, self.first_wait * 2 ** min(attempt - 2, 60))
        return wait if elapsed + wait <= self.total_wait else None


def may_repeat(effect: Effect, error: ServiceError) -> bool:
    """Return whether a call with this effect may be sent again after this error."""
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
    """Return whether a call that ended with this error may have been carried out."""
    if effect is Effect.READS:
        return False
    return (
        isinstance(error, ServiceFailed)
        or error.status in ANSWERS_OF_DONE_WORK
        or (isinstance(error, TransportError) and error.sent is not False)
    )


NO_RETRY = RetryPolicy(attempts=1)


def retry_after_seconds(value: str | None, *, now: datetime) -> float | None:
    """Return the seconds that a `Retry-After` header asks for, from `now` (aware); None if it cannot be read."""
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
