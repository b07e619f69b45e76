"""Steps that change the segments and travelers of a draft, each by one button."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Final

from domain.forms.form import new_uid
from domain.trips.editor.form_state import (
    AddressDraft,
    EndDraft,
    SegmentDraft,
    Side,
    TravelerDraft,
    TripDraft,
    end_of,
    to_itinerary,
)
from domain.trips.resolved_segments import resolve
from domain.trips.trip_night_checks import UncoveredNights, nights_without_hotel

RETURN_AFTER: Final = timedelta(days=3)
MOVING: Final = frozenset({"Air", "Rail"})
CHECK_IN: Final = "15:00"
CHECK_OUT: Final = "11:00"
NOON: Final = "12:00"


def add_segment(draft: TripDraft, kind: str = "Air") -> TripDraft:
    """Add a segment that starts where, and on the day when, the last one ends."""
    last = draft.segments[-1] if draft.segments else None
    segment = SegmentDraft(kind=kind)
    if last is not None:
        side: Side = "start" if last.kind == "Hotel" else "finish"
        segment.start = EndDraft(day=last.finish.day or last.start.day)
        if kind == "Hotel":
            segment = _hotel_at(last, side, segment.start.day, "")
        elif last.end(side).iata and _same_codes(last.kind, kind):
            segment.start.iata = last.end(side).iata
        elif kind in {"Rail", "Car"}:
            segment.start.address = _address_at(last, side)
    return _with(draft, [*draft.segments, segment])


def add_return(draft: TripDraft) -> TripDraft:
    """Add the way back: from the end of the last leg to the start of the first leg, 3 days later."""
    legs = [segment for segment in draft.segments if segment.kind in MOVING]
    if not legs:
        return draft
    first, last = legs[0], legs[-1]
    day = _later(last.finish.day or last.start.day, RETURN_AFTER)
    back = SegmentDraft(
        kind=last.kind,
        supplier_code=last.supplier_code,
        supplier_name=last.supplier_name,
        start=_place(last, "finish", last.kind, day),
        finish=_place(first, "start", last.kind, day),
        extra=[_other_side(part) for part in last.extra],
    )
    return sort_by_time(_with(draft, [*draft.segments, back]))


def can_return(draft: TripDraft) -> bool:
    """Return whether there is a leg to return from, and the trip does not end where it started."""
    legs = [segment for segment in draft.segments if segment.kind in MOVING]
    if not legs:
        return False
    first, last = legs[0].start, legs[-1].finish
    if not _same_codes(legs[0].kind, legs[-1].kind):
        return bool(last.iata) or not last.address.is_empty
    if first.iata or last.iata:
        return bool(last.iata) and first.iata != last.iata
    return not last.address.is_empty and first.address != last.address


def uncovered_nights(draft: TripDraft) -> list[UncoveredNights]:
    """Return the nights away from home without a hotel.

    An end with a day but no time counts as noon.
    """
    timed = draft.model_copy(deep=True)
    for end in (end for segment in timed.segments for end in (segment.start, segment.finish)):
        end.clock = end.clock or NOON
    return nights_without_hotel(resolve(to_itinerary(timed)))


def add_hotel_after(draft: TripDraft, uid: str, first: date) -> TripDraft:
    """Add a hotel for the uncovered nights after a leg, in the city of its arrival."""
    for period in uncovered_nights(draft):
        leg = draft.segments[period.arrival_index]
        if (leg.uid, period.first) == (uid, first):
            until = first + timedelta(days=period.count)
            hotel = _hotel_at(leg, "finish", first.isoformat(), until.isoformat())
            segments = [*draft.segments[: period.arrival_index + 1], hotel, *draft.segments[period.arrival_index + 1 :]]
            return sort_by_time(_with(draft, segments))
    return draft


def duplicate(draft: TripDraft, uid: str) -> TripDraft:
    """Put a copy of a segment right after it."""
    segments: list[SegmentDraft] = []
    for segment in draft.segments:
        segments.append(segment)
        if segment.uid == uid:
            segments.append(segment.model_copy(deep=True, update={"uid": new_uid()}))
    return _with(draft, segments)


def sort_by_time(draft: TripDraft) -> TripDraft:
    """Sort the segments by their start in UTC. A segment without a start stays after the one before it."""
    keyed: list[tuple[datetime, int, SegmentDraft]] = []
    last = datetime.min.replace(tzinfo=UTC)
    for index, segment in enumerate(draft.segments):
        last = end_of(segment, "start").moment or _day_of(segment) or last
        keyed.append((last, index, segment))
    return _with(draft, [segment for _, _, segment in sorted(keyed, key=lambda item: item[:2])])


def is_sorted(draft: TripDraft) -> bool:
    """Return whether the segments are already sorted."""
    return [segment.uid for segment in sort_by_time(draft).segments] == [segment.uid for segment in draft.segments]


def add_traveler(draft: TripDraft) -> TripDraft:
    """Add an empty traveler."""
    return draft.model_copy(update={"travelers": [*draft.travelers, TravelerDraft()]})


def add_arranger(draft: TripDraft) -> TripDraft:
    """Add the person who arranged the trip."""
    return draft.model_copy(update={"arranger": TravelerDraft()})


def _with(draft: TripDraft, segments: list[SegmentDraft]) -> TripDraft:
    return draft.model_copy(update={"segments": segments})


def _hotel_at(segment: SegmentDraft, side: Side, check_in: str, check_out: str) -> SegmentDraft:
    place = end_of(segment, side)
    return SegmentDraft(
        kind="Hotel",
        start=EndDraft(
            iata=place.airport.iata if place.airport is not None else "",
            zone=segment.end(side).zone,
            day=check_in,
            clock=CHECK_IN if check_in else "",
            address=AddressDraft(city=place.city, country=place.country),
        ),
        finish=EndDraft(day=check_out, clock=CHECK_OUT if check_out else ""),
    )


def _place(segment: SegmentDraft, side: Side, for_kind: str, day: str) -> EndDraft:
    end = segment.end(side)
    if _same_codes(segment.kind, for_kind):
        return EndDraft(iata=end.iata, zone=end.zone, day=day, address=end.address.model_copy())
    return EndDraft(zone=end.zone, day=day, address=_address_at(segment, side))


def _same_codes(kind: str, other: str) -> bool:
    """Return whether two types of segments both use station codes, or both airport codes."""
    return (kind == "Rail") == (other == "Rail")


def _address_at(segment: SegmentDraft, side: Side) -> AddressDraft:
    """Return the address of an end, or else the city and country of its airport."""
    typed, place = segment.end(side).address, end_of(segment, side)
    if typed.city or place.airport is None:
        return typed.model_copy()
    return AddressDraft(city=place.city, country=place.country)


def _other_side(part: str) -> str:
    side, dot, rest = part.partition(".")
    return f"{ {'start': 'finish', 'finish': 'start'}.get(side, side) }{dot}{rest}"


def _later(day: str, by: timedelta) -> str:
    try:
        return (date.fromisoformat(day) + by).isoformat()
    except (ValueError, OverflowError):
        return ""


def _day_of(segment: SegmentDraft) -> datetime | None:
    try:
        return datetime.fromisoformat(segment.start.day).replace(tzinfo=UTC)
    except ValueError:
        return None
