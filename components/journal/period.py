"""The spans of time to which the journal can be narrowed."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Final, TypeAlias

ALL_TIME: Final = "All time"
TODAY: Final = "Today"
WEEK: Final = "Last 7 days"
MONTH: Final = "Last 30 days"
CHOSEN: Final = "Chosen days"

PERIODS: Final = (ALL_TIME, TODAY, WEEK, MONTH, CHOSEN)

Bounds: TypeAlias = tuple[datetime | None, datetime | None]


def period_bounds(period: str, now: datetime, first: date | None = None, last: date | None = None) -> Bounds:
    """Turn a period into (since, until), whole days in UTC, today and `last` included; None is open.

    `first` and `last` count for chosen days only, in either order.
    """
    if period == CHOSEN:
        days = sorted(day for day in (first, last) if day is not None)
        if first is not None and last is not None:
            return _start(days[0]), _start(days[-1]) + timedelta(days=1)
        return (None if first is None else _start(first)), (None if last is None else _start(last) + timedelta(days=1))
    back = {TODAY: 0, WEEK: 6, MONTH: 29}.get(period)
    return (None, None) if back is None else (_start(now.astimezone(UTC).date() - timedelta(days=back)), None)


def _start(day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=UTC)
