"""The rows of a trip's timeline, and the legs and places of its map."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Literal

import pandas as pd

from client.models.itineraries import ExpectedLocation, Itinerary
from domain.text.plain_text import count
from domain.trips.prediction import places_of_segment
from domain.trips.presences import WindowRow, find_whereabouts, opening, windows_of_trip
from domain.trips.resolved_segments import End, ResolvedSegment, in_time_order, is_stay, resolve
from domain.trips.trip_findings import Finding
from domain.trips.trip_format import clock, day, day_and_year, format_duration, hours, nights
from domain.trips.trip_night_checks import UncoveredNights, ground_times, nights_without_hotel
from domain.trips.trip_travel_checks import SAME_REGION_KM, are_same_place, is_journey

LEG_COLUMNS = ["from_lat", "from_lon", "to_lat", "to_lon", "kind", "label"]
POINT_COLUMNS = ["lat", "lon", "label", "kind"]
Point = tuple[tuple[float, float] | None, str, str]


@dataclass(frozen=True)
class Note:
    """A line between segments: the local day of the following segments, a pause between journeys, nights without a
    hotel, or the current time.
    """

    what: Literal["day", "pause", "gap", "now"]
    text: str


@dataclass(frozen=True)
class SegmentRow:
    """One segment. Times are local, and in UTC in `utc`. `days_later` is the difference between the local dates."""

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
    is_under_way: bool
    findings: tuple[Finding, ...]

    @property
    def is_stay_at_place(self) -> bool:
        """Return whether the segment stays at one place."""
        return is_stay(self.kind) and self.start_place == self.end_place


Row = Note | SegmentRow


def timeline(
    itinerary: Itinerary, findings: Sequence[Finding] = (), *, now: datetime | None = None, is_live: bool = True
) -> list[Row]:
    """Build the rows in the order of time. Findings belong to their segments; uncovered nights have rows.

    `is_live` is False for a canceled or deleted trip, which is never under way.
    """
    now = now or datetime.now(UTC)
    segments = in_time_order(resolve(itinerary))
    under_way = segments_under_way(segments, now) if is_live else frozenset()
    uncovered = nights_without_hotel(segments)
    pauses = _pauses([segment for segment in segments if is_journey(segment)])
    rows: list[Row] = []
    current: date | None = None
    for segment in segments:
        begins = segment.start.local.date() if segment.start.local else None
        if is_live and not under_way and _falls_before(segment, segments, now):
            rows.append(Note("now", f"Now: {clock(now)} UTC"))
        for period in _due(uncovered, segment, begins):
            nights_uncovered = f"{count(period.count, 'night', 'nights')}, {nights(period.first, period.count)}"
            rows.append(Note("gap", f"No hotel for {nights_uncovered}, after arrival at {period.place}"))
            uncovered.remove(period)
        if begins != current or not rows:
            rows.append(Note("day", _day(begins, current)))
            current = begins
        rows.append(_segment(segment, itinerary, findings, is_under_way=segment.index in under_way))
        if segment.index in pauses:
            rows.append(Note("pause", pauses[segment.index]))
    return rows


def _due(uncovered: Sequence[UncoveredNights], segment: ResolvedSegment, begins: date | None) -> list[UncoveredNights]:
    """Return the uncovered nights to list before a segment.

    They come before the next journey, or before another segment that starts on a later day.
    """
    return [
        period
        for period in uncovered
        if period.departure_index == segment.index
        or (
            period.arrival_index != segment.index
            and begins is not None
            and period.first < begins
            and not is_journey(segment)
        )
    ]


def segments_under_way(segments: Sequence[ResolvedSegment], now: datetime) -> frozenset[int]:
    """Return the indexes of the segments that the travelers are on, by the rules of `domain.trips.presences`.

    During a journey no one is at a hotel; after one, only those who returned to it.
    """
    journeys = [each for each in segments if not is_stay(each.kind) and _is_on(each.start.moment, each.end.moment, now)]
    if any(is_journey(each) for each in journeys):
        return frozenset(each.index for each in journeys)
    places = [place for segment in segments for place in places_of_segment(segment)]
    rows = [WindowRow("", each.kind, role, *window, place.position) for each, role, place, window, _ in places]
    where, at = find_whereabouts(windows_of_trip(rows)), opening(now)
    present = where.row[(where.begins <= at) & (at < where.ends)]
    stays = {places[row][0].index for row in present if places[row][1] == "Stay"}
    return frozenset({*(each.index for each in journeys), *stays})


def _is_on(start: datetime | None, end: datetime | None, now: datetime) -> bool:
    return start is not None and end is not None and start <= now < end


def _falls_before(segment: ResolvedSegment, ordered: Sequence[ResolvedSegment], now: datetime) -> bool:
    """Return whether this is the first segment after `now` of a trip that has begun."""
    begun = any(each.start.moment and each.start.moment <= now for each in ordered)
    following = next((each for each in ordered if each.start.moment and each.start.moment > now), None)
    return begun and following is segment


def _pauses(journeys: Sequence[ResolvedSegment]) -> dict[int, str]:
    """Return the time on the ground after each journey, by its index."""
    pauses = {}
    for ground in ground_times(journeys):
        arrived, leaves = ground.arriving.end, ground.leaving.start
        if arrived.moment is None or leaves.moment is None or leaves.moment <= arrived.moment:
            continue
        lasts = format_duration(leaves.moment - arrived.moment)
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
        return "Unknown day"
    return day_and_year(begins) if previous is None or previous.year != begins.year else day(begins)


def _segment(
    segment: ResolvedSegment, itinerary: Itinerary, findings: Sequence[Finding], *, is_under_way: bool
) -> SegmentRow:
    start, end = segment.start, segment.end
    days_later = (end.local.date() - start.local.date()).days if start.local and end.local else 0
    lasts = segment.duration
    return SegmentRow(
        index=segment.index,
        kind=segment.kind,
        label=segment.label if segment.is_named else segment.word,
        supplier=_supplier(segment, itinerary),
        start_place=start.name,
        end_place=end.name,
        leaves=hours(start.local),
        arrives=clock(end.local) if is_stay(segment.kind) else hours(end.local),
        days_later=0 if is_stay(segment.kind) else days_later,
        utc=_utc(start, end),
        lasts=format_duration(lasts) if lasts is not None else "",
        is_under_way=is_under_way,
        findings=tuple(_without_label(found, segment.label) for found in findings if _belongs_to(found, segment)),
    )


def _belongs_to(finding: Finding, segment: ResolvedSegment) -> bool:
    return finding.segment == segment.index and finding.rule not in {"no-hotel", "no-return"}


def _without_label(finding: Finding, label: str) -> Finding:
    title = finding.title.removeprefix(f"{label}: ")
    return replace(finding, title=title[:1].upper() + title[1:])


def _supplier(segment: ResolvedSegment, itinerary: Itinerary) -> str:
    name = (itinerary.segments[segment.index].supplier_name or "").strip()
    return "" if name == segment.label else name


def _utc(start: End, end: End) -> str:
    """Return both times in UTC with their dates, which may differ from the local dates."""
    if start.moment is None and end.moment is None:
        return ""
    same_day = start.moment and end.moment and start.moment.date() == end.moment.date()
    last = hours(end.moment) if same_day else clock(end.moment)
    return f"{clock(start.moment)} – {last} UTC"


def legs_of(itinerary: Itinerary) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the legs and places of a trip in decimal degrees. Those without coordinates are left out."""
    legs: list[tuple[object, ...]] = []
    points: list[Point] = []
    for segment in in_time_order(resolve(itinerary)):
        start, end, kind = segment.start, segment.end, segment.kind
        points += [(each.position, each.name, kind) for each in ((start,) if is_stay(kind) else (start, end))]
        is_brought_back = not is_journey(segment) and start.name == end.name
        if start.position and end.position and not is_stay(kind) and not is_brought_back:
            legs.append((*start.position, *end.position, kind, f"{segment.label}: {start.name} → {end.name}"))
    return pd.DataFrame(legs, columns=LEG_COLUMNS), _points(points)


def places_of(locations: Sequence[ExpectedLocation]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the places of expected locations, without legs, because the connections are unknown."""
    points: list[Point] = []
    for each in locations:
        name = " ".join(part for part in (each.address.iata, each.address.location_name or each.address.city) if part)
        points.append((each.position, name, each.kind or ""))
    return pd.DataFrame([], columns=LEG_COLUMNS), _points(points)


def _points(points: Sequence[Point]) -> pd.DataFrame:
    """Build one row per position. The first name at a position is used."""
    spots: dict[tuple[float, float], tuple[object, ...]] = {}
    for position, name, kind in points:
        if position is not None:
            spots.setdefault((round(position[0], 3), round(position[1], 3)), (*position, name, kind))
    return pd.DataFrame(list(spots.values()), columns=POINT_COLUMNS)
