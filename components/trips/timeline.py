"""A trip's segments in order of time as the rows of a timeline, with the time on the ground and the bare nights."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Literal

from client.models.itineraries import Itinerary
from components.trips.checks_of_nights import BarePeriod, ground_times, nights_without_hotel
from components.trips.checks_of_travel import SAME_REGION_KM, are_same_place, is_journey
from components.trips.findings import Finding
from components.trips.resolved import End, ResolvedSegment, in_time_order, is_stay, resolve
from components.trips.words import clock, day, day_and_year, hours, how_long, nights

NO_TIME = "–"


@dataclass(frozen=True)
class DayRow:
    """The day, at the place, on which the next rows begin."""

    text: str
    what: Literal["day"] = "day"


@dataclass(frozen=True)
class PauseRow:
    """The time between two journeys: ``2 h 10 min at FRA Frankfurt``."""

    text: str
    what: Literal["pause"] = "pause"


@dataclass(frozen=True)
class GapRow:
    """Nights that no hotel covers: ``No hotel 24–25 Oct``."""

    text: str
    what: Literal["gap"] = "gap"


@dataclass(frozen=True)
class NowRow:
    """The present moment, where it falls between two segments."""

    text: str
    what: Literal["now"] = "now"


@dataclass(frozen=True)
class SegmentRow:
    """One segment. Times are the place's; `utc` says the same in UTC; `days_later` counts midnights at the places.

    `is_window` marks an expected location shown in the place of a segment that nobody here knows, and `ends` is what
    happens at its end.
    """

    index: int
    kind: str
    label: str
    supplier: str
    start_place: str
    end_place: str
    leaves: str
    arrives: str
    days_later: int
    utc: str
    lasts: str
    under_way: bool
    findings: tuple[Finding, ...]
    is_window: bool = False
    ends: str = "until"
    what: Literal["segment"] = "segment"

    @property
    def stays(self) -> bool:
        """True for what happens at one place: a stay, or a window."""
        return self.is_window or (self.kind.casefold() == "hotel" and self.start_place == self.end_place)


Row = DayRow | PauseRow | GapRow | NowRow | SegmentRow


def timeline(
    itinerary: Itinerary, findings: Sequence[Finding] = (), *, now: datetime | None = None, is_live: bool = True
) -> list[Row]:
    """Write down a trip as rows in order of time; findings stand at their segment, bare nights have rows.

    `is_live` is False for a trip that is no more: then nothing of it is under way.
    """
    now = now or datetime.now(UTC)
    segments = in_time_order(resolve(itinerary))
    bare = nights_without_hotel(segments)
    pauses = _pauses([segment for segment in segments if is_journey(segment)])
    rows: list[Row] = []
    current: date | None = None
    for segment in segments:
        begins = segment.start.local.date() if segment.start.local else None
        if is_live and _falls_before(segment, segments, now):
            rows.append(NowRow(f"Now: {clock(now)} UTC"))
        for period in _due(bare, segment, begins):
            rows.append(_gap(period))
            bare.remove(period)
        if begins != current or not rows:
            rows.append(DayRow(_day(begins, current)))
            current = begins
        rows.append(_segment(segment, itinerary, findings, now if is_live else None))
        if segment.index in pauses:
            rows.append(PauseRow(pauses[segment.index]))
    return rows


def as_text(rows: Sequence[Row]) -> str:
    """Write a timeline as plain lines, to be copied into a message."""
    lines = []
    for row in rows:
        if isinstance(row, SegmentRow):
            later = f" ({row.days_later:+} d)" if row.days_later else ""
            way = row.start_place if row.start_place == row.end_place else f"{row.start_place} → {row.end_place}"
            lines.append(f"{row.leaves}–{row.arrives}{later}  {row.kind} {row.label}: {way} ({row.lasts})")
        else:
            lines.append(row.text)
    return "\n".join(lines)


def _due(bare: Sequence[BarePeriod], segment: ResolvedSegment, begins: date | None) -> list[BarePeriod]:
    """The bare nights that come before this segment: all before their next journey, else those of earlier evenings."""
    return [
        period
        for period in bare
        if period.before == segment.index
        or (period.after != segment.index and begins is not None and period.first < begins and not is_journey(segment))
    ]


def _falls_before(segment: ResolvedSegment, ordered: Sequence[ResolvedSegment], now: datetime) -> bool:
    """True for the first segment after the present moment, where the trip has begun and nothing is under way."""
    moments = [(each.start.moment, each.end.moment, each) for each in ordered]
    under_way = any(start and end and start <= now <= end for start, end, _ in moments)
    begun = any(start and start <= now for start, _, _ in moments)
    following = next((each for start, _, each in moments if start and start > now), None)
    return begun and not under_way and following is segment


def _gap(period: BarePeriod) -> GapRow:
    number = "1 night" if period.number == 1 else f"{period.number:,} nights"
    return GapRow(f"No hotel {nights(period.first, period.number)} · {number} after the arrival at {period.place}")


def _pauses(journeys: Sequence[ResolvedSegment]) -> dict[int, str]:
    """The time on the ground after each journey, by its index."""
    pauses = {}
    for ground in ground_times(journeys):
        arrived, leaves = ground.arriving.end, ground.leaving.start
        if arrived.moment is None or leaves.moment is None or leaves.moment <= arrived.moment:
            continue
        lasts = how_long(leaves.moment - arrived.moment)
        if are_same_place(journeys[0].start, arrived, SAME_REGION_KM):
            where = f"back at {arrived.name}, where the trip began"
        elif are_same_place(arrived, leaves) is False:
            where = f"between {arrived.name} and {leaves.name}"
        else:
            where = f"at {arrived.name}"
        pauses[ground.arriving.index] = f"{lasts} {where}"
    return pauses


def _day(begins: date | None, previous: date | None) -> str:
    if begins is None:
        return "No day known"
    return day_and_year(begins) if previous is None or previous.year != begins.year else day(begins)


def _segment(
    segment: ResolvedSegment, itinerary: Itinerary, findings: Sequence[Finding], now: datetime | None
) -> SegmentRow:
    start, end = segment.start, segment.end
    days_later = (end.local.date() - start.local.date()).days if start.local and end.local else 0
    lasts = segment.duration
    under_way = bool(now and start.moment and end.moment and start.moment <= now <= end.moment)
    return SegmentRow(
        index=segment.index,
        kind=segment.kind,
        label=segment.label if segment.is_named else segment.word,
        supplier=_supplier(segment, itinerary),
        start_place=start.name,
        end_place=end.name,
        leaves=hours(start.local) if start.local else NO_TIME,
        arrives=(clock(end.local) if is_stay(segment.kind) else hours(end.local)) if end.local else NO_TIME,
        days_later=0 if is_stay(segment.kind) else days_later,
        utc=_utc(start, end),
        lasts=how_long(lasts) if lasts is not None else "",
        under_way=under_way,
        findings=tuple(_without_label(found, segment.label) for found in findings if _stands_at(found, segment)),
    )


def _stands_at(found: Finding, segment: ResolvedSegment) -> bool:
    return found.segment == segment.index and found.rule not in {"no-hotel", "no-return"}


def _without_label(found: Finding, label: str) -> Finding:
    title = found.title.removeprefix(f"{label}: ")
    return replace(found, title=title[:1].upper() + title[1:])


def _supplier(segment: ResolvedSegment, itinerary: Itinerary) -> str:
    name = (itinerary.segments[segment.index].supplier_name or "").strip()
    return "" if name == segment.label else name


def _utc(start: End, end: End) -> str:
    """Both moments in UTC, with their days, since these are not always the places' days."""
    if start.moment is None and end.moment is None:
        return ""
    first = clock(start.moment) if start.moment else NO_TIME
    if end.moment is None:
        return f"{first} – {NO_TIME} UTC"
    same_day = start.moment is not None and start.moment.date() == end.moment.date()
    return f"{first} – {hours(end.moment) if same_day else clock(end.moment)} UTC"
