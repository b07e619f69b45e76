"""The timeline of a trip of which only the expected locations are known: places in order, windows, people."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from zoneinfo import ZoneInfo

from client.models.itineraries import ExpectedLocation
from components.trips.expected import ROLES, ComparedLocation, compared
from components.trips.timeline import NO_TIME, DayRow, Row, SegmentRow
from components.trips.words import clock, day, day_and_year, hours, how_long
from components.widgets.number_text import names as listed


def expected_timeline(locations: Sequence[ExpectedLocation], names: Mapping[str, str], *, now: datetime) -> list[Row]:
    """One row a place and window, with everybody expected in it; the days are the places'."""
    groups: dict[tuple[object, ...], list[ComparedLocation]] = {}
    for each in compared(None, locations, names):
        groups.setdefault((each.place, each.kind, each.role, each.arrives, each.expires), []).append(each)
    rows: list[Row] = []
    current: date | None = None
    for number, group in enumerate(groups.values()):
        first = group[0]
        arrives, expires = _local(first.arrives, first.zone), _local(first.expires, first.zone)
        begins = arrives.date() if arrives else None
        if begins is not None and begins != current:
            rows.append(DayRow(day_and_year(begins) if current is None or current.year != begins.year else day(begins)))
            current = begins
        rows.append(_row(number, group, arrives, expires, now))
    return rows


def _row(
    number: int, group: list[ComparedLocation], arrives: datetime | None, expires: datetime | None, now: datetime
) -> SegmentRow:
    first = group[0]
    open_now = bool(first.arrives and first.expires and first.arrives <= now <= first.expires)
    return SegmentRow(
        index=number,
        kind=first.kind or "Other",
        label=first.place,
        supplier=", ".join(part for part in (first.role, listed(sorted({each.person for each in group}))) if part),
        start_place=first.place,
        end_place=first.place,
        leaves=hours(arrives) if arrives else NO_TIME,
        arrives=clock(expires) if expires else NO_TIME,
        days_later=0,
        utc=f"{_utc(first.arrives)} – {_utc(first.expires)} UTC",
        lasts=how_long(first.expires - first.arrives) if first.arrives and first.expires else "",
        under_way=open_now,
        findings=(),
        is_window=True,
        ends="departs" if first.role == ROLES["departure"] else "until",
    )


def _local(moment: datetime | None, zone: str | None) -> datetime | None:
    if moment is None:
        return None
    return (moment.astimezone(ZoneInfo(zone)) if zone else moment).replace(tzinfo=None)


def _utc(moment: datetime | None) -> str:
    return clock(moment) if moment else NO_TIME
