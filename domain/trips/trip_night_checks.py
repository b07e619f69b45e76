"""Check the nights of a trip: without a hotel, with a hotel far away, in two hotels, or traveling."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import combinations, groupby, pairwise, product
from zoneinfo import ZoneInfo

from domain.geography.time_zones import local_at, zone_named
from domain.text.plain_text import count
from domain.trips.resolved_segments import (
    End,
    ResolvedSegment,
    distance_km,
    in_time_order,
    is_stay,
)
from domain.trips.trip_findings import Finding, Severity
from domain.trips.trip_format import day, format_kilometers, nights
from domain.trips.trip_travel_checks import SAME_REGION_KM, are_same_place, is_journey

# Night is from midnight to 06:00 local time. So many hours of it on the ground require a bed.
NIGHT_ENDS = time(6)
IN_BED = timedelta(hours=4)
# A hotel farther than this from the traveler is not for that night.
HOTEL_WITHIN_KM = 150.0
# A mistyped year must not take a minute to check.
MOST_NIGHTS = 400


@dataclass(frozen=True)
class GroundTime:
    """The time between two journeys, and its nights, each by the date of its evening."""

    arriving: ResolvedSegment
    leaving: ResolvedSegment
    nights: tuple[date, ...]


@dataclass(frozen=True)
class UncoveredNights:
    """Consecutive nights away from home without a hotel."""

    first: date
    count: int
    arrival_index: int
    departure_index: int
    place: str


def night_findings(segments: Sequence[ResolvedSegment], *, travelers: int = 1) -> Iterator[Finding]:
    """Check every night of a trip."""
    ordered = in_time_order(segments)
    stays = [segment for segment in ordered if is_stay(segment.kind)]
    for period in nights_without_hotel(segments):
        title = f"No hotel {nights(period.first, period.count)}"
        uncovered = count(period.count, "night", "nights")
        yield Finding(
            Severity.WARNING,
            title,
            f"The trip has no hotel for {uncovered} after the arrival at {period.place}.",
            period.arrival_index,
            "no-hotel",
        )
    for stay in stays:
        yield from _far_away(stay, ordered)
        yield from _while_traveling(stay, segments)
    for one, other in combinations(stays, 2):
        yield from _two_at_once(one, other, travelers)


def nights_without_hotel(segments: Sequence[ResolvedSegment]) -> list[UncoveredNights]:
    """Return the nights between an arrival and the next departure without a hotel, except at home.

    Home is where the first journey starts. A night on a flight, train, or drive needs no hotel; a rental car is no bed.
    """
    journeys = [segment for segment in in_time_order(segments) if is_journey(segment)]
    stays = [segment for segment in segments if is_stay(segment.kind)]
    periods = []
    for ground in ground_times(journeys):
        if are_same_place(journeys[0].start, ground.arriving.end, SAME_REGION_KM):
            continue
        clock = ground.arriving.end.zone or ground.leaving.start.zone or "UTC"
        covered = {night for stay in stays for night in nights_of(stay, clock)}
        bare = [night for night in ground.nights if night not in covered]
        # The difference between date and position is the same for consecutive nights.
        for _, row in groupby(enumerate(bare), key=lambda each: each[1] - timedelta(days=each[0])):
            run = [night for _, night in row]
            periods.append(
                UncoveredNights(run[0], len(run), ground.arriving.index, ground.leaving.index, ground.arriving.end.name)
            )
    return periods


def ground_times(journeys: Sequence[ResolvedSegment]) -> list[GroundTime]:
    """Return the times on the ground between consecutive journeys."""
    found = []
    for arriving, leaving in pairwise(journeys):
        if arriving.end.local is not None and leaving.start.local is not None:
            found.append(GroundTime(arriving, leaving, _nights_between(arriving.end.local, leaving.start.local)))
    return found


def nights_of(stay: ResolvedSegment, zone: str | None = None) -> tuple[date, ...]:
    """Return the nights that a stay covers, each by the date of its evening, whatever the hours of check-in and
    check-out.

    Check-in after midnight covers the current night. `zone` is used for times in UTC at a place without a known zone.
    """
    start, end = (
        each.local or local_at(each.moment, zone_named(zone) if zone else None) for each in (stay.start, stay.end)
    )
    if start is None or end is None or end <= start:
        return ()
    first = start.date() - timedelta(days=1) if start.time() < NIGHT_ENDS and start.time() != time(0) else start.date()
    number = min((end.date() - first).days, MOST_NIGHTS)
    return tuple(first + timedelta(days=step) for step in range(number))


def _nights_between(arrival: datetime, departure: datetime) -> tuple[date, ...]:
    found = []
    evening = arrival.date() - timedelta(days=1)
    for _ in range(MOST_NIGHTS):
        if evening > departure.date():
            break
        midnight = datetime.combine(evening + timedelta(days=1), time(0))
        morning = datetime.combine(midnight.date(), NIGHT_ENDS)
        if min(departure, morning) - max(arrival, midnight) >= IN_BED:
            found.append(evening)
        evening += timedelta(days=1)
    return tuple(found)


def _far_away(stay: ResolvedSegment, ordered: Sequence[ResolvedSegment]) -> Iterator[Finding]:
    journeys = [segment for segment in ordered if is_journey(segment)]
    rentals = [segment for segment in ordered if segment.kind == "Car" and not is_journey(segment)]
    far: list[tuple[date, End, float]] = []
    for night in nights_of(stay):
        if any(_holds(rental, night) for rental in rentals):
            continue  # With a car, a traveler may sleep far from where they arrived.
        places = _whereabouts(night, journeys)
        known = [(distance, place) for place in places if (distance := distance_km(stay.start, place)) is not None]
        if known and len(known) == len(places):
            distance, place = min(known, key=lambda pair: pair[0])
            if distance > HOTEL_WITHIN_KM:
                far.append((night, place, distance))
    if far:
        night, place, distance = far[0]
        more = f" and {count(len(far) - 1, 'more night', 'more nights')}" if len(far) > 1 else ""
        title = f"{stay.label} is {format_kilometers(distance)} from {place.name}"
        detail = f"The rest of the trip places the traveler in {place.name} on the night of {day(night)}{more}."
        yield Finding(Severity.WARNING, title, detail, stay.index, "hotel-far")


def _whereabouts(night: date, journeys: Sequence[ResolvedSegment]) -> list[End]:
    """Return the places where a traveler may be in a night; none while traveling."""
    if not journeys:
        return []
    midnight = datetime.combine(night + timedelta(days=1), time(0))
    for ground in ground_times(journeys):
        if night in ground.nights:
            return [ground.arriving.end, ground.leaving.start]
    first, last = journeys[0].start, journeys[-1].end
    if first.local is not None and midnight + IN_BED <= first.local:
        return [first]
    if last.local is not None and last.local <= midnight + timedelta(hours=NIGHT_ENDS.hour) - IN_BED:
        return [last]
    return []


def _holds(rental: ResolvedSegment, night: date) -> bool:
    start, end = rental.start.local, rental.end.local
    return bool(start and end and start.date() <= night and end.date() > night)


def _while_traveling(stay: ResolvedSegment, segments: Sequence[ResolvedSegment]) -> Iterator[Finding]:
    if stay.start.zone is None:
        return
    zone, booked = ZoneInfo(stay.start.zone), nights_of(stay)
    for night, journey in product(booked, segments):
        midnight, morning = (
            datetime.combine(night + timedelta(days=1), at, tzinfo=zone).astimezone(UTC) for at in (time(0), NIGHT_ENDS)
        )
        if not is_journey(journey) or journey.start.moment is None or journey.end.moment is None:
            continue
        if min(journey.end.moment, morning) - max(journey.start.moment, midnight) < IN_BED:
            continue
        early = night == booked[0] and are_same_place(stay.start, journey.end, HOTEL_WITHIN_KM)
        title = f"{stay.label} is booked for a night spent on {journey.label}"
        more = " The room may be booked to be ready in the morning." if early else ""
        severity = Severity.NOTE if early else Severity.WARNING
        yield Finding(severity, title, f"The night of {day(night)}.{more}", stay.index, "hotel-during-journey")


def _two_at_once(one: ResolvedSegment, other: ResolvedSegment, travelers: int) -> Iterator[Finding]:
    shared = sorted(set(nights_of(one)) & set(nights_of(other)))
    distance = distance_km(one.start, other.start)
    if not shared or (one.label.casefold() == other.label.casefold() and not distance and travelers > 1):
        return  # one room each
    nights = "the night of" if len(shared) == 1 else f"{len(shared):,} nights, starting"
    detail = f"Both are booked for {nights} {day(shared[0])}"
    if distance is not None and distance > HOTEL_WITHIN_KM:
        title = f"{one.label} and {other.label} at the same time"
        detail = f"{detail}, and are {format_kilometers(distance)} apart. No one can be at both."
        yield Finding(Severity.ERROR, title, detail, other.index, "overlap")
    else:
        title = f"Two hotels at once: {one.label} and {other.label}"
        yield Finding(Severity.WARNING, title, f"{detail}.", other.index, "two-hotels")
