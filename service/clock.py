"""Times as the service stores and writes them: epoch milliseconds inside, ISO 8601 UTC on the wire."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from functools import lru_cache

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)


def now_ms() -> int:
    """The present as epoch milliseconds."""
    return time.time_ns() // 1_000_000


def to_ms(moment: datetime) -> int:
    """Epoch milliseconds of an aware moment."""
    return (moment - EPOCH) // _MILLISECOND


@lru_cache(maxsize=10_000)
def to_iso(milliseconds: int) -> str:
    """`2026-11-20T12:05:00Z`; milliseconds are written only where there are some."""
    text = to_iso_with_milliseconds(milliseconds)
    return f"{text[:19]}Z" if milliseconds % 1000 == 0 else text


@lru_cache(maxsize=10_000)
def to_iso_with_milliseconds(milliseconds: int) -> str:
    """`2026-11-20T12:05:00.000Z`."""
    moment = EPOCH + timedelta(milliseconds=milliseconds)
    return f"{moment.isoformat()[:19]}.{milliseconds % 1000:03d}Z"
