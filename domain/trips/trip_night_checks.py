"""Check the nights of a trip: without a hotel, far from it, in two hotels, or under way."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import combinations, groupby, pairwise, product
from zoneinfo import ZoneInfo

from domain.geography.time_zones import zone_named
from domain.text.plain_text import count
from domain.trips.resolved import (
    End,
    ResolvedSegment,
    distance_km,
    in_time_order,
    is_stay,
    local_at,
)
from domain.trips.trip_findings import Finding, Severity
from domain.trips.trip_travel_checks import SAME_REGION_KM, are_same_place, is_journey
from domain.trips.trip_words import day, kilometres, nights

# The hours that make a night, by the clock at the place, and how much of them on the ground asks for a bed.
NIGHT_ENDS = time(6)
IN_BED = timedelta(hours=4)
# A hotel further than this from where the traveller is that night is another place's hotel.
HOTEL_WITHIN_KM = 150.0
# A stay is never looked at for longer than this many nights: a mistyped year must not cost a minute.
MOST_NIGHTS = 400


@dataclass(frozen=True)
class GroundTime:
    """The time between arriving and leaving again: where from, where to, and its nights (by their evening's date)."""

    arriving: ResolvedSegment
    leaving: ResolvedSegment
    nights: tuple[date, ...]


@dataclass(frozen=True)
class BarePeriod:
    """Nights in a row, away from home, that no hotel covers."""

    first: date
    number: int
    after: int
    before: int
    place: str


def night_findings(segments: Sequence[ResolvedSegment], *, travellers: int = 1) -> Iterator[Finding]:
    """Check every night of a trip."""
    ordered = in_time_order(segments)
    stays = [segment for segment in ordered if is_stay(segment.kind)]
    for period in nights_without_hotel(segments):
        title = f"No hotel {nights(period.first, period.number)}"
        after = f"after the arrival at {period.place}, and nothing says where the traveler sleeps."
        yield Finding(
            Severity.LOOK, title, f"{count(period.number, 'night', 'nights')} {after}", period.after, "no-hotel"
        )
    for stay in stays:
        yield from _elsewhere(stay, ordered)
        yield from _while_travelling(stay, segments)
    for one, other in combinations(stays, 2):
        yield from _two_at_once(one, other, travellers)


def nights_without_hotel(segments: Sequence[ResolvedSegment]) -> list[BarePeriod]:
    """Find the nights between an arrival and the next departure that no hotel covers, those at home left out.

    Home is where the first journey leaves from. A night spent on a flight, a train or a drive asks for no hotel; a
    rented car does not give a bed.
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
        # Nights in a row are as far from the first as their number says.
        for _, row in groupby(enumerate(bare), key=lambda each: each[1] - timedelta(days=each[0])):
            run = [night for _, night in row]
            periods.append(
                BarePeriod(run[0], len(run), ground.arriving.index, ground.leaving.index, ground.arriving.end.name)
            )
    return periods


def ground_times(journeys: Sequence[ResolvedSegment]) -> list[GroundTime]:
    """The times on the ground between journeys that stand in order of time."""
    found = []
    for arriving, leaving in pairwise(journeys):
        if arriving.end.local is not None and leaving.start.local is not None:
            found.append(GroundTime(arriving, leaving, _nights_between(arriving.end.local, leaving.start.local)))
    return found


def nights_of(stay: ResolvedSegment, zone: str | None = None) -> tuple[date, ...]:
    """The nights that a stay covers, by their evening's date: whatever the hours of check-in and check-out.

    Checking in after midnight covers the night that is going on. `zone` is where UTC is read at a place whose own zone
    nobody knows, as at a hotel without coordinates.
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


def _elsewhere(stay: ResolvedSegment, ordered: Sequence[ResolvedSegment]) -> Iterator[Finding]:
    journeys = [segment for segment in ordered if is_journey(segment)]
    rentals = [segment for segment in ordered if segment.kind == "Car" and not is_journey(segment)]
    far: list[tuple[date, End, float]] = []
    for night in nights_of(stay):
        if any(_holds(rental, night) for rental in rentals):
            continue  # with a car at hand a traveller may sleep far from where they arrived
        places = _whereabouts(night, journeys)
        known = [(apart, place) for place in places if (apart := distance_km(stay.start, place)) is not None]
        if known and len(known) == len(places):
            apart, place = min(known, key=lambda pair: pair[0])
            if apart > HOTEL_WITHIN_KM:
                far.append((night, place, apart))
    if far:
        night, place, apart = far[0]
        more = f" and {len(far) - 1:,} more" if len(far) > 1 else ""
        title = f"{stay.label} is {kilometres(apart)} from {place.name}"
        detail = f"The traveler is at {place.name} on the night of {day(night)}{more}, by the rest of the trip."
        yield Finding(Severity.LOOK, title, detail, stay.index, "hotel-far")


def _whereabouts(night: date, journeys: Sequence[ResolvedSegment]) -> list[End]:
    """The places where a traveller may be on a night: none while travelling."""
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


def _while_travelling(stay: ResolvedSegment, segments: Sequence[ResolvedSegment]) -> Iterator[Finding]:
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
        more = " It may be so that the room is ready in the morning." if early else ""
        severity = Severity.NOTE if early else Severity.LOOK
        yield Finding(severity, title, f"The night of {day(night)}.{more}", stay.index, "hotel-while-travelling")


def _two_at_once(one: ResolvedSegment, other: ResolvedSegment, travellers: int) -> Iterator[Finding]:
    shared = sorted(set(nights_of(one)) & set(nights_of(other)))
    apart = distance_km(one.start, other.start)
    if not shared or (one.label.casefold() == other.label.casefold() and not apart and travellers > 1):
        return  # a room each
    number = "the night" if len(shared) == 1 else f"{len(shared):,} nights from"
    detail = f"Both are booked for {number} {day(shared[0])}"
    if apart is not None and apart > HOTEL_WITHIN_KM:
        title = f"{one.label} and {other.label} at the same time"
        detail = f"{detail}, and are {kilometres(apart)} apart. No one can be at both."
        yield Finding(Severity.WRONG, title, detail, other.index, "overlap")
    else:
        title = f"Two hotels at once: {one.label} and {other.label}"
        yield Finding(Severity.LOOK, title, f"{detail}.", other.index, "two-hotels")
