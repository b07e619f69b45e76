"""Times: epoch milliseconds in the database, ISO 8601 UTC in responses."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def now_ms() -> int:
    """Return the current time in epoch milliseconds."""
    return time.time_ns() // 1_000_000


def to_ms(moment: datetime) -> int:
    """Return the epoch milliseconds of an aware time."""
    return (moment - EPOCH) // _MILLISECOND


def to_iso(milliseconds: int) -> str:
    """Return `2026-11-20T12:05:00Z`, with milliseconds only if they are not 0."""
    return _iso(milliseconds, "milliseconds" if milliseconds % 1000 else "seconds")


def to_iso_with_milliseconds(milliseconds: int) -> str:
    """Return `2026-11-20T12:05:00.000Z`."""
    return _iso(milliseconds, "milliseconds")


def _iso(milliseconds: int, timespec: str) -> str:
    moment = EPOCH + timedelta(milliseconds=milliseconds)
    return moment.isoformat(timespec=timespec).replace("+00:00", "Z")
