"""Check the connections between the segments of a trip."""

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import combinations, pairwise

from domain.trips.resolved_segments import (
    End,
    ResolvedSegment,
    distance_km,
    in_time_order,
)
from domain.trips.trip_findings import Finding, Severity
from domain.trips.trip_format import format_duration, format_kilometers

# A car for longer than this is a rental; for less, it is a drive.
LONGEST_DRIVE = timedelta(hours=12)
# Places nearer than this are one place for connections, such as an airport and its city.
SAME_PLACE_KM = 50.0
# Someone nearer than this to the start of the trip has returned.
SAME_REGION_KM = 100.0
# The shortest connection, by the types of both segments.
LEAST_CONNECTION = {
    ("Air", "Air"): timedelta(minutes=40),
    ("Rail", "Rail"): timedelta(minutes=5),
    ("Rail", "Air"): timedelta(minutes=60),
    ("Car", "Air"): timedelta(minutes=45),
    ("Air", "Rail"): timedelta(minutes=25),
}
# Between two airports of one city.
LEAST_CHANGE_OF_AIRPORT = timedelta(hours=2)
# Faster connections (km/h) need a flight.
OVERLAND_KM_H = 150.0


def travel_findings(segments: Sequence[ResolvedSegment]) -> Iterator[Finding]:
    """Check overlaps, connections, rental cars, and the return."""
    journeys = [segment for segment in in_time_order(segments) if is_journey(segment)]
    legs = [segment for segment in in_time_order(segments) if is_journey(segment) or segment.kind == "Car"]
    overlapping = set()
    for one, other in combinations(journeys, 2):
        if finding := _overlap(one, other):
            overlapping.add((one.index, other.index))
            yield finding
    for one, other in pairwise(legs):
        if (one.index, other.index) not in overlapping:
            yield from _connection(one, other)
    for journey in journeys:
        for rental in legs:
            if not is_journey(rental):
                yield from _rental(journey, rental)
    if legs:
        yield from _return(legs)


def is_journey(segment: ResolvedSegment) -> bool:
    """Return whether the traveler moves with the segment: a flight, train, or drive."""
    if segment.kind == "Car":
        return segment.duration is not None and segment.duration <= LONGEST_DRIVE
    return segment.kind in {"Air", "Rail"}


def are_same_place(one: End, other: End, within_km: float = SAME_PLACE_KM) -> bool | None:
    """Return whether two ends are at one place; None if it is unknown."""
    # A station and an airport with the same code are different places.
    if one.code and one.code == other.code and one.airport == other.airport:
        return True
    if any(
        each.airport and against.code in each.airport.city_airports for each, against in ((one, other), (other, one))
    ):
        return True
    apart = distance_km(one, other)
    if apart is not None:
        return apart <= within_km
    if one.country and other.country and one.country.upper() != other.country.upper():
        return False
    if one.city and other.city:
        return one.city.casefold() == other.city.casefold() or None
    return None


def _overlap(one: ResolvedSegment, other: ResolvedSegment) -> Finding | None:
    if one.start.moment is None or one.end.moment is None or other.start.moment is None or other.end.moment is None:
        return None
    shared = min(one.end.moment, other.end.moment) - max(one.start.moment, other.start.moment)
    if shared <= timedelta(0):
        return None
    if one.label == other.label and one.start.moment == other.start.moment and one.start.name == other.start.name:
        title, detail = f"{one.label} is in the trip twice", f"Both leave from {one.start.name} at the same moment."
        return Finding(Severity.ERROR, title, detail, other.index, "segment-twice")
    title = f"{one.label} and {other.label} overlap by {format_duration(shared)}"
    detail = f"{other.label} departs from {other.start.name} before {one.label} arrives at {one.end.name}."
    return Finding(Severity.ERROR, title, detail, other.index, "overlap")


def _connection(one: ResolvedSegment, other: ResolvedSegment) -> Iterator[Finding]:
    same, both_move = are_same_place(one.end, other.start), is_journey(one) and is_journey(other)
    between = other.start.moment - one.end.moment if other.start.moment and one.end.moment else None
    if same is False:
        yield _broken_way(one, other, between, both_move)
    if not same or between is None or not both_move:
        return
    changes_airport = one.kind == other.kind == "Air" and bool(one.end.code) and one.end.code != other.start.code
    least = LEAST_CHANGE_OF_AIRPORT if changes_airport else LEAST_CONNECTION.get((one.kind, other.kind), timedelta(0))
    if between < least:
        where = (
            f"get from {one.end.name} to {other.start.name}" if changes_airport else f"connect at {other.start.name}"
        )
        duration = f"Only {format_duration(between)}" if between else "0 minutes"
        title = f"{duration} to {where}"
        detail = f"Between {one.label} and {other.label}. The usual minimum is {format_duration(least)}."
        yield Finding(Severity.WARNING, title, detail, other.index, "connection-short")


def _broken_way(one: ResolvedSegment, other: ResolvedSegment, between: timedelta | None, both_move: bool) -> Finding:
    apart, severity = distance_km(one.end, other.start), Severity.WARNING
    detail = f"{one.label} arrives at {one.end.name}, and {other.label} departs from {other.start.name}."
    if apart is not None:
        detail += f" The distance is {format_kilometers(apart)}."
    if between is not None:
        is_before = between < timedelta(0)
        detail += f" The departure is {format_duration(between)} {'before' if is_before else 'after'} the arrival."
        too_soon = not between or is_before or (apart or 0.0) / (between / timedelta(hours=1)) > OVERLAND_KM_H
        severity = Severity.ERROR if too_soon and both_move else severity
    title = f"No transportation from {one.end.name} to {other.start.name}"
    return Finding(severity, title, detail, other.index, "way-broken")


def _rental(journey: ResolvedSegment, rental: ResolvedSegment) -> Iterator[Finding]:
    leaves, arrives = journey.start.moment, journey.end.moment
    for end, word in ((rental.start, "picked up"), (rental.end, "returned")):
        if end.moment and leaves and arrives and leaves < end.moment < arrives:
            title = f"{rental.label} is {word} at {end.name} while the traveler is on {journey.label}"
            detail = f"{journey.label} arrives at {journey.end.name} {format_duration(arrives - end.moment)} later."
            yield Finding(Severity.WARNING, title, detail, rental.index, "car-during-journey")


def _return(legs: Sequence[ResolvedSegment]) -> Iterator[Finding]:
    home, last = legs[0].start, legs[-1].end
    if home.has_place and last.has_place and are_same_place(home, last, SAME_REGION_KM) is False:
        title = "One way" if len(legs) == 1 else "No return"
        detail = f"The trip starts at {home.name} and ends at {last.name}."
        yield Finding(Severity.NOTE, title, detail, legs[-1].index, "no-return")
